import SimulatedWorld
import StreamingMedia
import TestSupport
import Testing
import VirtualTime

/// A variant of sound alone beside separate audio is one of its renditions: its sound comes once.
@Suite struct SoundAloneTests {
  static let segments = 20
  /// 64 kbit/s for six seconds: no picture has segments of that size.
  static let soundBytes: Int64 = 48_000

  static func presentation() throws -> Presentation {
    StreamTests.weightless(
      try Presentation(
        LadderDescription(
          rungs: [
            LadderRung(resolution: nil, bitRate: 64_000, codecs: ["mp4a.40.2"]),
            LadderRung(
              resolution: PixelSize(width: 640, height: 360), bitRate: 400_000,
              codecs: ["avc1.4d401e"]),
            LadderRung(
              resolution: PixelSize(width: 960, height: 540), bitRate: 1_200_000,
              codecs: ["avc1.4d401f"]),
          ],
          audio: [
            LadderAudio(name: "English", language: "en", bitRate: 64_000),
            LadderAudio(name: "French", language: "fr", bitRate: 80_000),
          ], segmentDuration: .seconds(6), duration: .seconds(120))))
  }

  private func completed(_ session: StreamTests.Session) -> [Int64] {
    session.notes.compactMap {
      if case .requestCompleted(_, let bytes) = $0.observation, bytes > 0 { bytes } else { nil }
    }
  }

  @Test func `a ladder offers it as the rendition that it is`() throws {
    let made = try Self.presentation()
    #expect(
      made.lists.map { $0.uri }.prefix(3) == [
        "video-1/playlist.m3u8", "video-2/playlist.m3u8", "audio-0/playlist.m3u8",
      ])
    #expect(made.variants.map(\.attributes.isAudioOnly) == [true, false, false])
    #expect(made.variants.map(\.list) == [2, 0, 1])
    #expect(made.variants[0].attributes.averageBandwidth == 80_000)
    #expect(made.variants[1].attributes.averageBandwidth == 480_000)
    #expect(made.soundAlone(of: 0) == 2)
    #expect(made.soundAlone(of: 0, language: "fr") == 3)
    #expect(made.soundAlone(of: 1) == nil)
  }

  @Test func `on a link for one sound it plays through`() throws {
    let session = try StreamTests.Session(
      StreamSettings(
        presentation: try Self.presentation(), initialRule: .firstEligible, adaptation: .fixed),
      kilobits: 100)
    session.player.play()
    #expect(session.world.run() == .finished)
    #expect(session.player.books.stallCount == 0)
    #expect(completed(session) == Array(repeating: Self.soundBytes, count: Self.segments))
    #expect(session.world.finish() == [])
  }

  @Test func `another language takes the place of the first`() throws {
    let session = try StreamTests.Session(
      StreamSettings(
        presentation: try Self.presentation(), initialRule: .firstEligible, adaptation: .fixed),
      kilobits: 1_000)
    session.player.play()
    session.world.advance(by: .seconds(31))
    let before = completed(session)
    session.player.select(MediaSelection(.audio, language: "fr"))
    #expect(session.world.run() == .finished)
    let after = completed(session).dropFirst(before.count)
    // The segment that is being played is played to its end, at 36 s.
    #expect(after.filter { $0 == 60_000 }.count == Self.segments - 6)
    #expect(session.player.books.stallCount == 0)
  }

  /// Two variants of pictures, the lower of which has its sound muxed in.
  static func mixed() throws -> Presentation {
    var mixed = try presentation()
    mixed.variants.removeFirst()
    mixed.variants[0].attributes.audioGroup = nil
    return mixed
  }

  @Test(arguments: Seeds.first(6, inRelease: 120))
  func `sound beside the pictures is asked for as far as it does not come with them`(
    seed: UInt64
  ) throws {
    var random = RandomStream(seed: seed, name: "mixed sound")
    let steps = (0..<12).map { index in
      RateSchedule.Step(
        duration: .milliseconds(random.next(in: 2_000...25_000)),
        bandwidth: .limited(
          .kilobitsPerSecond(
            index.isMultiple(of: 2) ? random.next(in: 1_500...4_000) : random.next(in: 450...700))))
    }
    let session = try StreamTests.Session(
      StreamSettings(
        presentation: try Self.mixed(),
        initialRule: seed.isMultiple(of: 3) ? .firstEligible : .optimised),
      kilobits: 1_000, schedule: try RateSchedule(steps: steps, ending: .holds))
    session.player.play()
    #expect(session.world.run() == .finished)
    #expect(session.world.finish() == [])
    let bytes = completed(session)
    let (muxed, pictures) = (
      bytes.filter { $0 == 300_000 }.count, bytes.filter { $0 == 900_000 }.count
    )
    #expect(muxed + pictures == Self.segments)
    #expect(bytes.filter { $0 == Self.soundBytes }.count >= pictures)
    #expect(session.player.books.played == .seconds(120))
    // What has its sound with it waits for that of the pictures before it, and for no more.
    var (isMuxed, more) = (false, 0)
    for note in session.notes {
      switch note.observation {
      case .variantChosen(let first): isMuxed = first.variant == 0
      case .variantSwitchStarted(_, let to, _, _): (isMuxed, more) = (to == 0, 0)
      case .resourceRequested(_, .mediaSegment, _, let origin) where origin.track == .audio:
        more += 1
        #expect(!isMuxed || more <= 1)
      default: break
      }
    }
  }

  /// On a link that hardly carries the pictures, the sound beside them is there long before.
  @Test(
    arguments: [
      (1_300, 3), (1_350, 4), (1_400, 6), (1_450, 7), (1_500, 9), (1_550, 10), (1_600, 12),
      (1_700, 14), (1_800, 15), (1_900, 17), (1_500, 19),
    ] as [(Int64, Int)])
  func `whoever gets round a gap to pictures with sound in them goes on at once`(
    _ gap: (kilobits: Int64, segment: Int)
  ) throws {
    var mixed = try Self.mixed()
    mixed.variants.reverse()
    mixed.lists[mixed.variants[0].list].segments[gap.segment].isGap = true
    var settings = StreamSettings(
      presentation: mixed, initialRule: .firstEligible, adaptation: .fixed)
    // Else the playlist would be asked for, and more when that comes.
    settings.hasPlaylists = true
    let session = try StreamTests.Session(settings, kilobits: gap.kilobits)
    session.player.play()
    #expect(session.world.run() == .finished)
    #expect(session.player.books.stallCount == 0)
    let switched = try #require(
      session.notes.firstIndex {
        if case .variantSwitchStarted(0, 1, _, _) = $0.observation { true } else { false }
      })
    let next = try #require(
      session.notes[switched...].first {
        if case .resourceRequested = $0.observation { true } else { false }
      })
    #expect(next.instant == session.notes[switched].instant)
    #expect(session.world.finish() == [])
  }

  /// A rule that goes on with the second variant from a segment on.
  private static func changing(at segment: Int) -> CustomPolicy {
    CustomPolicy(
      name: "changes",
      nextVariant: { question, _ in
        .decided(question.nextSegment == segment && question.current == 0 ? .take(1) : .stay)
      })
  }

  /// A minute of two variants, of which the second has its sound muxed in.
  private static func source(pictures: [Int64], sound: Int64) throws -> MediaSource {
    var presentation = try Presentation(
      LadderDescription(
        rungs: pictures.map { LadderRung(resolution: nil, bitRate: $0) },
        audio: ["en", "fr"].map { LadderAudio(name: $0, language: $0, bitRate: sound) },
        segmentDuration: .seconds(6), duration: .seconds(60)))
    presentation.variants[1].attributes.audioGroup = nil
    return .stream(
      StreamSettings(
        presentation: StreamTests.weightless(presentation), initialRule: .firstEligible))
  }

  /// Pictures of 300 kbit/s with sound of three times that beside them, and others with theirs in
  /// them, which are gone on with when three segments of the first have come.
  @Test func `sound that is still to come comes, whichever language is chosen by then`() throws {
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(bandwidth: .limited(.megabitsPerSecond(2)))))
    let player = world.makePlayer(PlayerSettings(), following: Self.changing(at: 3))
    var (sound, cancelled, hasSelected): ([MediaTime], Int, Bool) = ([], 0, false)
    player.observe { record in
      switch record.observation {
      case .resourceRequested(_, .mediaSegment, _, let origin) where origin.track == .audio:
        sound.append(origin.media?.lowerBound ?? .zero)
      case .requestCancelled: cancelled += 1
      case .variantSwitchStarted:
        hasSelected = true
        player.select(MediaSelection(.audio, language: "fr"))
      default: break
      }
    }
    let source = try Self.source(pictures: [300_000, 400_000], sound: 900_000)
    player.replaceCurrentItem(with: ItemSettings(source: source))
    player.play()
    #expect(world.run() == .finished)
    #expect(hasSelected && sound == [.zero, .seconds(6), .seconds(12)] && cancelled == 0)
    #expect(player.books.mediaAdvanced == .seconds(60) && world.finish() == [])
  }

  /// Of 600,000 bytes there is room for two segments of sound, and for three of pictures: the sound
  /// cannot come as far as they have, and a player that waits for everything plays what there is.
  @Test func `sound that has no room to come as far as the pictures is all that comes`() throws {
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(bandwidth: .limited(.megabitsPerSecond(2)))))
    let player = world.makePlayer(PlayerSettings(), following: Self.changing(at: 3))
    let source = try Self.source(pictures: [300_000, 400_000], sound: 900_000)
    player.replaceCurrentItem(
      with: ItemSettings(source: source, heuristic: .everythingLoaded, bufferByteCap: 600_000))
    player.play()
    #expect(world.run() == .finished)
    #expect(player.books.mediaAdvanced == .seconds(60) && world.finish() == [])
  }

  /// Links that fall below every picture and rise again, at any moment.
  @Test(arguments: Seeds.first(8, inRelease: 120))
  func `going down to it and up again, every second of sound comes once`(seed: UInt64) throws {
    var random = RandomStream(seed: seed, name: "sound alone")
    var steps: [RateSchedule.Step] = []
    for index in 0..<12 {
      let kilobits: Int64 =
        index.isMultiple(of: 2) ? random.next(in: 800...4_000) : random.next(in: 150...300)
      steps.append(
        RateSchedule.Step(
          duration: .milliseconds(random.next(in: 2_000...25_000)),
          bandwidth: .limited(.kilobitsPerSecond(kilobits))))
    }
    let session = try StreamTests.Session(
      StreamSettings(
        presentation: try Self.presentation(),
        initialRule: seed.isMultiple(of: 3) ? .firstEligible : .optimised),
      kilobits: 1_000, schedule: try RateSchedule(steps: steps, ending: .holds))
    session.player.play()
    #expect(session.world.run() == .finished)
    #expect(session.world.finish() == [])
    let sound = completed(session).filter { $0 == Self.soundBytes }
    #expect(sound.count == Self.segments)
    #expect(session.player.books.played == .seconds(120))
  }
}
