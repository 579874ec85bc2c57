import PlayerPolicies
import SimulatedWorld
import StreamingMedia
import Testing

/// The facts about incoming media that a policy is shown: at each look they add up to the bytes
/// that the link brought.
@Suite struct ShownFactsTests {
  private final class Shown {
    var snapshots: [Snapshot] = []
    var variants: [VariantQuestion] = []
  }

  /// Looks each tenth of a second and says no; the variants alternate where they are to.
  private func looking(_ shown: Shown, until end: MediaTime, alternates: Bool = false)
    -> CustomPolicy
  {
    nonisolated(unsafe) let shown = shown
    return CustomPolicy(
      name: "looks",
      start: { question, _ in
        shown.snapshots.append(question.snapshot)
        return .decided(
          question.snapshot.ahead >= end, changesAt: question.snapshot.now + .milliseconds(100))
      },
      nextVariant: { question, _ in
        shown.variants.append(question)
        return .decided(alternates ? .take(1 - question.current) : .stay)
      })
  }

  private func world(_ kilobits: Int64, delay: Int64 = 0) throws -> World {
    try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(
          bandwidth: .limited(.kilobitsPerSecond(kilobits)), delay: .milliseconds(delay))))
  }

  /// Segments of 4 s of 250,000 bytes of pictures and 62,500 of sound, over 125,000 a second.
  @Test func `of a stream what is shown of both tracks is all that came`() throws {
    let (shown, world) = (Shown(), try world(1_000))
    let player = world.makePlayer(following: looking(shown, until: .seconds(24)))
    let ladder = LadderDescription(
      rungs: [1_000, 500].map { LadderRung(resolution: nil, bitRate: $0 * 1_000 + 125_000) },
      audio: [LadderAudio(name: "stereo", bitRate: 125_000)], segmentDuration: .seconds(4),
      duration: .seconds(40))
    let presentation = StreamTests.weightless(try Presentation(ladder))
    var settings = StreamSettings(presentation: presentation, initialRule: .firstEligible)
    settings.automaticForwardBuffer = .seconds(600)
    player.replaceCurrentItem(with: ItemSettings(source: .stream(settings)))
    player.play()
    world.advance(by: .seconds(25))
    #expect(shown.snapshots.count > 100)
    var (responded, both) = (0, 0)
    for snapshot in shown.snapshots {
      let stream = try #require(snapshot.stream)
      #expect(snapshot.source == .segmented && snapshot.file == nil && stream.flows)
      #expect(!stream.goesOn && stream.liveOffset == nil && stream.liveTarget == nil)
      guard let variant = stream.variant else { continue }
      let lists = presentation.lists
      let main = lists[presentation.variants[variant].list].segments
      let sound = try #require(lists.last { $0.uri.contains("audio") }).segments
      #expect(stream.mainEnd == .seconds(4 * Int64(stream.nextSegment)))
      #expect(stream.wholeSegments == Int64(stream.nextSegment))
      if let audio = stream.audio {
        expectAll(snapshot, stream, main, audio, sound)
        both += 1
      }
      if let request = stream.request {
        #expect(request.segment == stream.nextSegment && request.variant == variant)
        #expect(request.began <= snapshot.now && request.received == stream.received)
        #expect((request.bytes == nil) == (request.responded == nil))
        #expect(request.bytes == nil || request.bytes == main[request.segment].bytes)
        responded += request.bytes == nil ? 0 : 1
      }
      if let inflow = stream.inflow {
        #expect(inflow.line.bytes(at: snapshot.now) == stream.received)
        #expect(inflow.holds > snapshot.now)
      }
      // Of a segment of 4 s as much is arriving as of its bytes.
      let whole = main[min(stream.nextSegment, main.count - 1)].bytes
      #expect(
        stream.arriving
          == MediaTime(nanoseconds: 4_000_000_000 * stream.received / whole))
      #expect(stream.preparations.isEmpty || stream.request == nil)
    }
    #expect(responded > 50 && both > 50)
  }

  /// All that came in so far is there, a byte of each track aside that is just coming.
  private func expectAll(
    _ snapshot: Snapshot, _ stream: StreamFacts, _ main: [MediaSegment], _ audio: AudioFacts,
    _ sound: [MediaSegment]
  ) {
    let whole =
      main.prefix(stream.nextSegment).reduce(0) { $0 + $1.bytes }
      + sound.prefix(audio.nextSegment).reduce(0) { $0 + $1.bytes }
    let came = (snapshot.now - Instant.zero).nanoseconds / 8_000
    #expect(abs(whole + stream.received + audio.received - came) <= 3, "\(snapshot.now)")
    #expect(audio.loadedEnd == .seconds(4 * Int64(audio.nextSegment)))
    #expect(snapshot.loadedEnd == min(audio.loadedEnd, stream.mainEnd))
    let latest = sound.prefix(audio.nextSegment).suffix(3)
    let mean = latest.reduce(0) { $0 + $1.bytes } * 2 / Int64(latest.count)
    #expect(abs(audio.bitRate - mean) <= 1)
  }

  /// A file of a byte in eight microseconds over half of that.
  @Test func `of a file what is shown is the line on which it comes and what is missing`() throws {
    let shown = Shown()
    let world = try world(500)
    let player = world.makePlayer(following: looking(shown, until: .seconds(5)))
    let file = MediaFile(duration: .seconds(20), bitRate: .megabitsPerSecond(1))
    player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
    player.play()
    world.advance(by: .seconds(9))
    #expect(shown.snapshots.count > 80)
    var lines = 0
    for snapshot in shown.snapshots {
      let facts = try #require(snapshot.file)
      #expect(snapshot.source == .progressive && snapshot.stream == nil && facts.flows)
      #expect(snapshot.end == .seconds(20) && !snapshot.buffer.isSilent)
      #expect(snapshot.buffer.loading == .underWay)
      let came = (snapshot.now - Instant.zero).nanoseconds / 16_000
      #expect(abs(snapshot.loadedEnd.nanoseconds - came * 8_000) <= 8_000)
      #expect(abs((snapshot.buffer.bytesAhead ?? 0) - came) <= 1)
      #expect(snapshot.buffer.soundAhead == nil && snapshot.buffer.byteLimit == nil)
      guard let line = facts.line else { continue }
      #expect(abs(line.bytes(at: snapshot.now) - came) <= 1)
      #expect(facts.demand.bytes(before: .seconds(10)) == 1_250_000)
      lines += 1
    }
    #expect(lines > 80)
  }

  /// Of the one playlist 1,000 bytes come in a second, once its answer has begun.
  @Test func `of an answer that the next segment waits for less is missing by what came`() throws {
    let shown = Shown()
    let world = try world(8, delay: 200)
    let player = world.makePlayer(following: looking(shown, until: .seconds(12)))
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 4_000)],
      segmentDuration: .seconds(4), duration: .seconds(40))
    var presentation = StreamTests.weightless(try Presentation(ladder))
    for list in presentation.lists.indices { presentation.lists[list].playlistBytes = 2_000 }
    let settings = StreamSettings(presentation: presentation, initialRule: .firstEligible)
    player.replaceCurrentItem(with: ItemSettings(source: .stream(settings)))
    player.play()
    world.advance(by: .seconds(12))
    var (looks, last) = (0, nil as (look: Instant, request: PreparationFacts)?)
    for snapshot in shown.snapshots {
      guard let request = snapshot.stream?.preparations.first, request.hasResponded
      else { continue }
      if let last, last.request.began == request.began {
        let came = (snapshot.now - last.look).nanoseconds / 1_000_000
        #expect(request.missing > 0 && abs(last.request.missing - request.missing - came) <= 1)
        looks += 1
      }
      last = (snapshot.now, request)
    }
    #expect(looks >= 9)
  }

  /// A playhead at 18 s from the end of a playlist that ends at 60 s, and grows older since.
  @Test func `of a live stream the distance from its edge is shown, and that to keep`() throws {
    let shown = Shown()
    let session = try LiveTests.Session(
      rungs: [1_000_000, 500_000], following: looking(shown, until: .seconds(12)))
    session.player.play()
    session.world.advance(by: .seconds(4))
    let began = try #require(session.requests(.mediaPlaylist).first)
    var looks = 0
    for snapshot in shown.snapshots where snapshot.playhead == .seconds(42) {
      let age = MediaTime(nanoseconds: (snapshot.now - began).nanoseconds)
      #expect(snapshot.stream?.liveOffset == .seconds(18) + age)
      #expect(snapshot.stream?.liveTarget == .seconds(18) && snapshot.stream?.goesOn == true)
      #expect(snapshot.stream?.mainEnd == snapshot.loadedEnd)
      #expect(snapshot.stream?.listedEnd == .seconds(60) && snapshot.stream?.hasSlid == false)
      #expect(snapshot.stream?.preparations.isEmpty == true)
      looks += 1
    }
    #expect(looks > 3 && session.reads.count == 1)
    // While less than twelve seconds are ahead it stands.
    let standing = shown.variants.filter { $0.latest != nil && $0.ahead < .seconds(12) }
    #expect(!standing.isEmpty && session.moves == [.seconds(42)])
    for question in standing {
      let age = MediaTime(nanoseconds: (question.now - began).nanoseconds)
      #expect(question.liveOffset == .seconds(18) + age && question.partLength == nil)
    }
  }

  /// Another variant's playlist is asked for, and its answer comes, before its segment is.
  @Test func `what the next segment waits for is shown until it is there`() throws {
    let shown = Shown()
    let world = try world(100, delay: 200)
    let player = world.makePlayer(
      following: looking(shown, until: .seconds(12), alternates: true))
    let ladder = LadderDescription(
      rungs: [60, 50].map { LadderRung(resolution: nil, bitRate: $0 * 1_000) },
      segmentDuration: .seconds(4), duration: .seconds(40))
    let presentation = try Presentation(ladder)
    let settings = StreamSettings(presentation: presentation, initialRule: .firstEligible)
    player.replaceCurrentItem(with: ItemSettings(source: .stream(settings)))
    player.play()
    world.advance(by: .seconds(12))
    var (waits, answered, missing) = (0, 0, Int64.max)
    for snapshot in shown.snapshots {
      guard let stream = snapshot.stream, !stream.preparations.isEmpty else { continue }
      #expect(stream.preparations.count == 1 && stream.request == nil && stream.received == 0)
      let request = stream.preparations[0]
      let list = presentation.lists[presentation.variants[try #require(stream.variant)].list]
      if request.began == nil {
        #expect(!request.hasResponded && request.missing == list.playlistBytes)
        continue
      }
      waits += 1
      #expect(request.missing >= 0 && request.missing <= list.playlistBytes)
      if !request.hasResponded {
        #expect(request.missing == list.playlistBytes)
        missing = list.playlistBytes
        continue
      }
      answered += 1
      #expect(request.missing <= missing)
      missing = request.missing
    }
    #expect(waits > 1 && answered > 0, "\(waits) \(answered)")
    // Each segment is asked about, with the last that came; so far nothing is played.
    #expect(shown.variants.count > 3)
    for (number, question) in shown.variants.prefix(4).enumerated() {
      #expect(question.nextSegment == number && question.current == number % 2)
      #expect(question.latest?.segment == (number == 0 ? nil : number - 1))
      #expect(question.latest?.rung == (number == 0 ? nil : number % 2))
      #expect(question.ahead == .seconds(4 * Int64(number)))
      #expect(question.buffered.isEmpty && question.partLength == nil)
      #expect((question.switched == nil) == (number == 0))
      #expect(question.end == .seconds(40) && question.liveOffset == nil)
    }
  }
}
