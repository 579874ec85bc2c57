import SimulatedWorld
import TestSupport
import Testing

/// A wait ends when its rule says so, whatever comes in, or does not, in the middle of a segment.
///
/// Every start is held against one that was worked out from the schedule of the link alone.
@Suite struct OutageInAWaitTests {
  /// A stream that takes longer to come than to play, over a link that changes while its second
  /// segment comes.
  struct Setting: CustomTestStringConvertible {
    /// In kbit/s.
    var link: Int64
    /// In percent of the link's rate.
    var media: Int64
    /// A round trip, in milliseconds.
    var roundTrip: Int64
    /// In seconds.
    var segment: Int64
    var count: Int64
    /// From when the second segment is asked for until the link changes, in milliseconds.
    var changesAfter: Int64
    /// For how long, and in percent of its rate.
    var lasts: Int64
    var share: Int64

    init(
      _ link: Int64, _ media: Int64, roundTrip: Int64, segments: (count: Int64, length: Int64),
      after changesAfter: Int64, for lasts: Int64, share: Int64
    ) {
      (self.link, self.media, self.roundTrip) = (link, media, roundTrip)
      (count, segment) = (segments.count, segments.length)
      (self.changesAfter, self.lasts, self.share) = (changesAfter, lasts, share)
    }

    var testDescription: String {
      "\(media) % of \(link) kbit/s, \(share) % of it after \(changesAfter) ms"
    }
  }

  static let settings = [
    Setting(2_850, 105, roundTrip: 20, segments: (3, 30), after: 1_861, for: 8_000, share: 0),
    Setting(2_850, 105, roundTrip: 20, segments: (3, 30), after: 1_861, for: 25_000, share: 0),
    Setting(1_000, 110, roundTrip: 0, segments: (4, 20), after: 700, for: 13_000, share: 0),
    Setting(700, 120, roundTrip: 300, segments: (2, 40), after: 5_000, for: 3_333, share: 0),
    Setting(9_000, 103, roundTrip: 60, segments: (6, 10), after: 20, for: 7_777, share: 0),
    Setting(240, 101, roundTrip: 840, segments: (5, 12), after: 500, for: 20_000, share: 0),
    Setting(2_850, 105, roundTrip: 20, segments: (3, 30), after: 400, for: 60_000, share: 200),
    Setting(1_000, 110, roundTrip: 100, segments: (3, 25), after: 1_500, for: 60_000, share: 1_000),
    Setting(600, 125, roundTrip: 50, segments: (2, 40), after: 2_000, for: 90_000, share: 300),
    Setting(4_000, 108, roundTrip: 10, segments: (4, 15), after: 300, for: 2_000, share: 10),
    Setting(5_000, 115, roundTrip: 40, segments: (2, 45), after: 3_000, for: 5_000, share: 40),
  ]

  /// What the link brings after a span from when the second segment was asked for, in bits.
  private func bits(_ setting: Setting, after nanoseconds: Int64) -> Double {
    let rate = Double(setting.link * 1_000)
    let time = Double(nanoseconds) / 1e9
    let change = Double(setting.changesAfter) / 1e3
    let lasts = Double(setting.lasts) / 1e3
    let begins = Double(setting.roundTrip) / 1e3
    let inside = max(0, min(time, change + lasts) - max(change, begins))
    let before = max(0, min(time, change) - begins)
    let behind = max(0, time - max(change + lasts, begins))
    return rate * (before + behind + inside * Double(setting.share) / 100)
  }

  /// When all that is missing after the second segment's bytes so far is just in time, from when it
  /// was asked for, in nanoseconds.
  private func predicted(_ setting: Setting) -> Int64 {
    let segment = Double(setting.link * 10 * setting.media * setting.segment)
    let takes = segment / Double(setting.link * 1_000) + Double(setting.roundTrip) / 1e3
    let rest =
      Double(setting.count - 1) * Double(setting.segment) - Double(setting.count - 2) * takes
    let wanted = segment - rest * Double(setting.link * 1_000)
    var (low, high): (Int64, Int64) = (0, 1_000_000_000_000)
    while low + 1 < high {
      let middle = (low + high) / 2
      if bits(setting, after: middle) >= wanted { high = middle } else { low = middle }
    }
    return high
  }

  private func world(_ setting: Setting, changingAt change: TimeSpan) throws -> World {
    let half = TimeSpan.microseconds(500 * setting.roundTrip)
    let rate = Bandwidth.limited(.kilobitsPerSecond(setting.link))
    let schedule = try RateSchedule(
      steps: [
        RateSchedule.Step(duration: change, bandwidth: rate),
        RateSchedule.Step(
          duration: .milliseconds(setting.lasts),
          bandwidth: .limited(.bitsPerSecond(setting.link * 10 * setting.share))),
        RateSchedule.Step(duration: .seconds(1), bandwidth: rate),
      ], ending: .holds)
    return try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(delay: half), uplink: DirectionConditions(delay: half)),
      schedule: schedule)
  }

  private func source(_ setting: Setting) throws -> MediaSource {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: setting.link * 10 * setting.media)],
      segmentDuration: .seconds(setting.segment),
      duration: .seconds(setting.segment * setting.count))
    var settings = StreamSettings(
      presentation: try Presentation(ladder), initialRule: .firstEligible, adaptation: .fixed)
    // Some outages last longer than a player waits for a segment.
    settings.errors.mediaTimeout = nil
    return .stream(settings)
  }

  /// When the second segment is asked for, and when playback begins.
  private func play(
    _ setting: Setting, changingAt change: TimeSpan, following policy: CustomPolicy? = nil
  ) throws -> (asked: Instant, start: Instant) {
    let world = try world(setting, changingAt: change)
    let player = policy.map { world.makePlayer(following: $0) } ?? world.makePlayer()
    player.replaceCurrentItem(with: ItemSettings(source: try source(setting)))
    var requests: [Instant] = []
    var start = Instant.distantFuture
    player.observe { record in
      if case .resourceRequested(_, .mediaSegment, _, _) = record.observation {
        requests.append(record.instant)
      }
      if case .timeControl(.playing, _, _) = record.observation {
        start = min(start, record.instant)
      }
    }
    player.play()
    _ = world.run { start < .distantFuture }
    try #require(requests.count >= 2)
    return (requests[1], start)
  }

  @Test(arguments: settings)
  func `a start is predicted from the bytes that are there, however they came`(
    _ setting: Setting
  ) throws {
    let unchanged = try play(setting, changingAt: .seconds(100_000))
    let asked = unchanged.asked - Instant.zero
    let found = try play(setting, changingAt: asked + .milliseconds(setting.changesAfter))
    #expect(found.asked == unchanged.asked)
    let off = (found.start - found.asked).nanoseconds - predicted(setting)
    // Whole bytes count.
    #expect(abs(off) <= 50_000, "\(off) ns")
  }

  @Test(arguments: settings)
  func `a policy that polls is asked when it says so, whatever comes`(_ setting: Setting) throws {
    let unchanged = try play(setting, changingAt: .seconds(100_000))
    let change = unchanged.asked - Instant.zero + .milliseconds(setting.changesAfter)
    let due = unchanged.asked + .milliseconds(3_100)
    let period = TimeSpan.milliseconds(130)
    let policy = CustomPolicy(
      name: "clock",
      start: { question, _ in
        let now = question.snapshot.now
        return now >= due ? .decided(true) : .decided(false, changesAt: now + period)
      })
    let found = try play(setting, changingAt: change, following: policy)
    #expect(found.start >= due)
    #expect(found.start < due + period)
  }
}
