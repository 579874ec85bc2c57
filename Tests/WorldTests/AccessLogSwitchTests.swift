import SimulatedWorld
import Testing

/// What comes in while the first segment of another variant does, which no event of the access log
/// has yet, held against sums that the tests make of what they observe.
@Suite struct AccessLogSwitchTests {
  struct Setting: Sendable, CustomTestStringConvertible {
    /// Of the link before and after so many seconds, in kbit/s.
    var link: (Int64, after: Int64, then: Int64)
    /// Of the sound, which comes beside the pictures.
    var sound: Int64
    var segment: Int64
    var delay: Int64 = 20
    /// Where the first segment of the highest variant breaks, where one does.
    var breaksAfter: Int64 = 1
    var fidelity = Fidelity.fluid

    var testDescription: String {
      "\(link.0), \(link.then) kbit/s and sound of \(sound), \(fidelity)"
    }
  }

  static let settings = [
    Setting(link: (1_500, 20, 1_500), sound: 24_000, segment: 4),
    Setting(link: (2_000, 12, 225), sound: 32_000, segment: 4, breaksAfter: 10_000),
    Setting(link: (1_250, 30, 375), sound: 16_000, segment: 6, delay: 80, breaksAfter: 42_000),
    Setting(link: (3_000, 9, 175), sound: 48_000, segment: 2, breaksAfter: 5_500),
    Setting(link: (1_125, 15, 2_250), sound: 8_000, segment: 3, delay: 150, breaksAfter: 777),
    Setting(link: (1_750, 25, 150), sound: 64_000, segment: 5, breaksAfter: 100_001),
    Setting(link: (5_000, 8, 275), sound: 24_000, segment: 4, delay: 5, breaksAfter: 33_333),
    Setting(link: (1_400, 17, 600), sound: 20_000, segment: 3, delay: 35, breaksAfter: 9_999),
    Setting(link: (1_500, 20, 225), sound: 24_000, segment: 4, fidelity: .tcp),
    Setting(
      link: (2_250, 20, 300), sound: 20_000, segment: 4, delay: 40, breaksAfter: 20_000,
      fidelity: .tcp),
  ]

  /// A player of forty seconds in three variants, and what is seen of its media files.
  private final class Session {
    struct End {
      var id: TransferID
      var instant: Instant
      var bytes: Int64
      var isWhole: Bool
    }

    let world: World
    let player: SimulatedPlayer
    var tracks: [TransferID: TrackKind] = [:]
    var firstBytes: [TransferID: Instant] = [:]
    var ends: [End] = []
    var switches = 0

    init(_ setting: Setting, _ faults: [FaultRule] = []) throws {
      let steps = [(setting.link.after, setting.link.0), (1, setting.link.then)].map {
        RateSchedule.Step(
          duration: .seconds($0.0), bandwidth: .limited(.kilobitsPerSecond($0.1)))
      }
      let delayed = DirectionConditions(delay: .milliseconds(setting.delay))
      world = try World(
        conditions: LinkConditions(downlink: delayed, uplink: delayed),
        schedule: try RateSchedule(steps: steps, ending: .holds), fidelity: setting.fidelity,
        seed: 8, faults: FaultPlan(faults))
      let ladder = LadderDescription(
        rungs: [100_000, 250_000, 625_000].map { LadderRung(resolution: nil, bitRate: $0) },
        audio: [LadderAudio(name: "stereo", bitRate: setting.sound)],
        segmentDuration: .seconds(setting.segment), duration: .seconds(40))
      // Audio that is read ahead of the video arrives before it.
      var settings = PlayerSettings()
      settings.policy.fetch.ofStreams.trackLead = nil
      player = world.makePlayer(settings)
      player.observe { [unowned self] in see($0) }
      player.replaceCurrentItem(
        with: ItemSettings(
          source: .stream(
            StreamSettings(
              presentation: try Presentation(ladder), initialRule: .firstEligible,
              adaptation: .throughput))))
      player.play()
    }

    private func see(_ record: PlaybackRecord) {
      func end(_ id: TransferID, _ bytes: Int64, isWhole: Bool) {
        if tracks[id] == nil { return }
        ends.append(End(id: id, instant: record.instant, bytes: bytes, isWhole: isWhole))
      }
      switch record.observation {
      case .resourceRequested(let id, .mediaSegment, _, let origin): tracks[id] = origin.track
      case .requestResponded(let id): firstBytes[id] = record.instant
      case .requestCompleted(let id, let bytes): end(id, bytes, isWhole: true)
      case .requestCancelled(let id, let bytes): end(id, bytes, isWhole: false)
      case .requestFailed(let id, _, let bytes, _): end(id, bytes, isWhole: false)
      case .variantSwitched: switches += 1
      default: break
      }
    }

    /// The time in which one or more media files came in.
    var flowing: TimeSpan {
      let spans = ends.compactMap { end in
        firstBytes[end.id].map { (start: $0, end: end.instant) }
      }
      var (sum, covered) = (TimeSpan.zero, Instant.zero)
      for span in spans.sorted(by: { $0.start < $1.start }) {
        sum += max(.zero, span.end - max(span.start, covered))
        covered = max(covered, span.end)
      }
      return sum
    }
  }

  @Test(arguments: settings)
  func `sound that comes with the first pictures of a variant counts in the spread of its event`(
    setting: Setting
  ) throws {
    let session = try Session(setting)
    #expect(session.world.run() == .finished)
    let events = try #require(session.player.accessLog?.events)
    #expect(events.count == 1 + session.switches && session.switches > 0)
    // Each segment is in one event, and they are there in the order in which they came.
    var left = session.ends.filter(\.isWhole)[...]
    var soundFirst = 0
    for event in events {
      let own = left.prefix(Int(event.numberOfMediaRequests))
      left.removeFirst(own.count)
      if let first = own.first, session.tracks[first.id] == .audio { soundFirst += 1 }
      let rates = try own.compactMap { end -> Double? in
        let start = try #require(session.firstBytes[end.id])
        if end.instant <= start { return nil }
        return Double(end.bytes) * 8e9 / Double((end.instant - start).nanoseconds)
      }
      try expectSpread(of: rates, in: event)
    }
    #expect(left.isEmpty)
    // That of the first event may be there first as well.
    #expect(soundFirst > 1, "no sound came with the first pictures of another variant")
  }

  @Test(arguments: settings)
  func `what came of the first segment of a variant that broke stays in the log`(
    setting: Setting
  ) throws {
    let session = try Session(
      setting,
      [
        FaultRule(
          .reset(afterBytes: setting.breaksAfter), numbers: 1...1,
          label: LabelPattern("*video-2/segment*"))
      ])
    #expect(session.world.run() == .finished)
    let broken = try #require(session.ends.first { !$0.isWhole })
    #expect(broken.bytes == setting.breaksAfter && session.tracks[broken.id] == .main)
    let events = try #require(session.player.accessLog?.events)
    let whole = session.ends.count(where: \.isWhole)
    #expect(events.reduce(0) { $0 + $1.numberOfMediaRequests } == Int64(whole))
    let transferred = session.ends.reduce(0) { $0 + $1.bytes }
    #expect(events.reduce(0) { $0 + $1.numberOfBytesTransferred } == transferred)
    let flowing = events.reduce(TimeSpan.zero) { $0 + $1.transferDuration }
    #expect(flowing == session.flowing)
    #expect(session.world.finish() == [])
  }
}
