import PlayerPolicies
import Testing
import VirtualTime

/// The looks at a segment under way: their plan at first sight, and its changes.
@Suite struct AbandonWatchTests {
  private let rescue = AbandonRule.rescue(RescueRule(lookPercent: 25, first: .usual))

  private func segment(
    began: Int64 = 0, variant: Int = 1, segment: Int = 4, responded: Int64? = nil
  ) -> RequestFacts {
    RequestFacts(
      began: milliseconds(began), responded: responded.map { milliseconds($0) }, variant: variant,
      segment: segment)
  }

  /// One look at a watch: when, whether the playhead moves, how long what is loaded lasts.
  private struct Look {
    var now: Int64
    var isMoving: Bool
    var lasts: Int64?
    var isDue: Bool
    /// In milliseconds; nil for never.
    var next: Int64?

    init(_ now: Int64, _ isMoving: Bool, _ lasts: Int64?, due: Bool = false, next: Int64?) {
      (self.now, self.isMoving, self.lasts) = (now, isMoving, lasts)
      (isDue, self.next) = (due, next)
    }
  }

  private func follow(
    _ watch: inout AbandonWatch, _ facts: RequestFacts, _ looks: [Look]
  ) {
    for look in looks {
      let isDue = watch.isDue(
        facts, lasts: look.lasts.map { .milliseconds($0) }, isMoving: look.isMoving,
        at: milliseconds(look.now))
      #expect(isDue == look.isDue, "\(look)")
      let next = watch.nextLook
      #expect(next == look.next.map { milliseconds($0) } ?? .distantFuture, "\(look)")
    }
  }

  @Test func `a look is planned with a quarter of what is ahead, and patience counts once`() {
    var watch = AbandonWatch(rescue)
    follow(
      &watch, segment(),
      [
        // 2 s of 8, and 2 s after the 8.
        Look(0, true, 8_000, next: 2_000), Look(1_999, true, 6_001, next: 2_000),
        Look(2_000, true, 6_000, due: true, next: 2_000),
        // A playhead that stands with media ahead waits for patience alone.
        Look(2_100, false, 5_900, next: 10_000),
        // A playhead that moves again after the look was due plans it anew: a quarter of 4 s.
        Look(3_000, true, 4_000, next: 4_000), Look(3_500, false, 3_500, next: 10_000),
        // And where it was not due yet it stays.
        Look(3_600, true, 400, next: 4_000), Look(3_999, true, 1, next: 4_000),
        Look(4_000, false, 1, next: 10_000),
        // Never sooner than a quarter of a second.
        Look(5_000, true, 999, next: 5_250), Look(5_250, true, 700, due: true, next: 5_250),
        Look(5_300, false, 700, next: 10_000), Look(5_400, true, 1_004, next: 5_651),
        Look(9_999, false, 9_000, next: 10_000),
        Look(10_000, false, 9_000, due: true, next: 10_000),
      ])
  }

  @Test func `with nothing to play it is looked at two seconds after the first byte`() {
    for (responded, seen, next) in [
      (nil, 0, 2_000), (nil, 700, 2_700), (500, 700, 2_500), (500, 2_499, 2_500),
      // Later than that it is looked at two seconds on.
      (500, 2_500, 4_500), (500, 9_000, 11_000),
    ] as [(Int64?, Int64, Int64)] {
      var watch = AbandonWatch(rescue)
      follow(
        &watch, segment(responded: responded),
        [
          Look(seen, false, nil, next: next), Look(next - 1, false, nil, next: next),
          Look(next, false, nil, due: true, next: next),
        ])
      var patient = AbandonWatch(.rescue(RescueRule(lookPercent: 25)))
      follow(&patient, segment(responded: responded), [Look(seen, false, nil, next: nil)])
      follow(&patient, segment(responded: responded), [Look(seen + 1, true, nil, next: nil)])
    }
  }

  /// A segment that is not given up is looked at again: after two seconds where the playhead
  /// stands, after a quarter of the buffer where it moves; and patience ends once.
  @Test func `each look plans the next`() {
    let rungs = ladder([1_000_000, 2_000_000])
    func asked(
      _ watch: inout AbandonWatch, _ now: Int64, lasts: Int64?, isMoving: Bool
    ) -> AbandonVerdict {
      watch.verdict(
        AbandonQuestion(
          now: milliseconds(now), ladder: rungs, eligible: EligibleRungs(allOf: rungs),
          estimate: Estimate(),
          request: RequestFacts(
            began: .zero, responded: .zero, received: 1, bytes: 9_000_000, variant: 0, segment: 4),
          lasts: lasts.map { .milliseconds($0) }, isMoving: isMoving))
    }
    var standing = AbandonWatch(rescue)
    for (now, clause, next) in [
      (0, .notYet, 2_000), (1_999, .notYet, 2_000), (2_000, .nothingToGain, 4_000),
      (4_001, .nothingToGain, 6_001),
    ] as [(Int64, AbandonClause, Int64)] {
      let verdict = asked(&standing, now, lasts: nil, isMoving: false)
      #expect(verdict == AbandonVerdict(.goOn, clause, changesAt: milliseconds(next)), "\(now)")
    }
    var playing = AbandonWatch(rescue)
    for (now, lasts, clause, next) in [
      (0, 8_000, .notYet, 2_000), (2_000, 6_000, .nothingToGain, 3_500),
      (3_600, 4_000, .nothingCame, 4_600), (10_000, 400, .nothingToGain, 4_600),
      (10_001, 400, .nothingCame, 10_251),
    ] as [(Int64, Int64, AbandonClause, Int64)] {
      let verdict = asked(&playing, now, lasts: lasts, isMoving: true)
      #expect(verdict == AbandonVerdict(.goOn, clause, changesAt: milliseconds(next)), "\(now)")
    }
  }

  /// Began, variant and segment: each makes it another one, and what was received or answered none.
  @Test func `another segment is watched from the beginning`() {
    for other in [segment(began: 1), segment(variant: 0), segment(segment: 5)] {
      var watch = AbandonWatch(rescue)
      follow(&watch, segment(), [Look(0, true, 8_000, next: 2_000)])
      follow(
        &watch, other,
        [Look(1_000, true, 12_000, next: 4_000), Look(3_000, false, 12_000, next: 15_000)])
    }
    var same = AbandonWatch(rescue)
    follow(&same, segment(), [Look(0, true, 8_000, next: 2_000)])
    var answered = segment(responded: 500)
    (answered.received, answered.bytes) = (9, 900)
    follow(&same, answered, [Look(1_000, true, 12_000, next: 2_000)])
  }

  @Test func `a rule of pages looks each tenth of a second from when it sees a segment`() {
    var rule = SlowSegmentRule.usual
    rule.every = .milliseconds(100)
    var watch = AbandonWatch(.slow(rule))
    follow(
      &watch, segment(),
      [
        Look(50, true, 8_000, next: 150), Look(149, true, 8_000, next: 150),
        Look(150, false, nil, due: true, next: 150), Look(170, true, nil, due: true, next: 150),
      ])
    follow(&watch, segment(segment: 5), [Look(170, true, nil, next: 270)])
    let question = AbandonQuestion(
      now: milliseconds(270), ladder: ladder([1_000_000, 500_000]),
      eligible: EligibleRungs(allOf: ladder([1_000_000, 500_000])), estimate: Estimate(),
      request: segment(segment: 5), lasts: nil, isMoving: false)
    #expect(watch.verdict(question).changesAt == milliseconds(370))
    let next = watch.nextLook
    #expect(next == milliseconds(370))
  }

  @Test func `only who needs it reads an estimate, and only a published rule counts bytes`() {
    for (rule, isIdle, countsBytes) in [
      (.never, true, false), (.published, false, true), (rescue, false, false),
      (.slow(.usual), false, false),
    ] as [(AbandonRule, Bool, Bool)] {
      let watch = AbandonWatch(rule)
      #expect(watch.isIdle == isIdle && watch.countsBytes == countsBytes)
    }
    var published = AbandonWatch(.published)
    let isDue = published.isDue(segment(), lasts: nil, isMoving: true, at: .zero)
    #expect(isDue)
    // Moving before patience is over it does not; after that, and while it stands, it does.
    var watch = AbandonWatch(rescue)
    _ = watch.isDue(segment(), lasts: .seconds(8), isMoving: true, at: .zero)
    for (now, reads) in [(0, false), (2_000, false), (9_999, false), (10_000, true)]
      as [(Int64, Bool)]
    {
      let isRead = watch.readsEstimate(at: milliseconds(now))
      #expect(isRead == reads, "\(now)")
    }
    var standing = AbandonWatch(rescue)
    _ = standing.isDue(segment(), lasts: nil, isMoving: false, at: .zero)
    for (now, reads) in [(0, false), (1_999, false), (2_000, true)] as [(Int64, Bool)] {
      let isRead = standing.readsEstimate(at: milliseconds(now))
      #expect(isRead == reads, "\(now)")
    }
  }

  /// Of 2,000,000 bytes, on a variant of 1 Mbit/s: what came since the last look is a rate.
  @Test func `a look goes by what came since the look before`() {
    let rungs = ladder([1_000_000, 300_000, 100_000], of: .seconds(8))
    func question(_ now: Int64, _ received: Int64, _ lasts: Int64) -> AbandonQuestion {
      AbandonQuestion(
        now: milliseconds(now), ladder: rungs, eligible: EligibleRungs(allOf: rungs),
        estimate: Estimate(),
        request: RequestFacts(
          began: .zero, responded: milliseconds(1_000), received: received, bytes: 2_000_000,
          variant: 0, segment: 4), lasts: .milliseconds(lasts), isMoving: true)
    }
    var watch = AbandonWatch(.rescue(RescueRule(lookPercent: 25)))
    _ = watch.isDue(question(0, 0, 40_000).request, lasts: .seconds(40), isMoving: true, at: .zero)
    // In the 9 s from its first byte the link keeps real time, or nearly does.
    for (now, received, clause) in [
      (10_000, 1_125_000, .sustained), (10_000, 1_124_999, .inTime), (10_000, 0, .nothingCame),
    ] as [(Int64, Int64, AbandonClause)] {
      var first = watch
      #expect(first.verdict(question(now, received, 40_000)).clause == clause, "\(received)")
    }
    // At 711,111 bit/s the rest comes in 13.5 s.
    var later = watch
    let first = later.verdict(question(10_000, 800_000, 60_000))
    #expect(first == AbandonVerdict(.goOn, .inTime, changesAt: seconds(25)))
    // Another 10,000 in 15 s are 5,333 bit/s; all of it would be 270,000, which are enough.
    let verdict = later.verdict(question(25_000, 810_000, 45_000))
    #expect(verdict == AbandonVerdict(.giveUp(for: 2), .tooSlow))
    // Without new bytes nothing can be told, however many came before.
    var still = watch
    _ = still.verdict(question(10_000, 800_000, 60_000))
    #expect(still.verdict(question(25_000, 800_000, 45_000)).clause == .nothingCame)
  }

  /// The first look is for a segment with nothing to play: with media ahead patience alone counts.
  @Test func `what was planned with nothing to play is given up where something is there`() {
    var watch = AbandonWatch(rescue)
    follow(
      &watch, segment(),
      [
        Look(0, false, nil, next: 2_000), Look(500, true, 8_000, next: 2_500),
        Look(1_000, false, 7_500, next: 10_500), Look(2_000, false, 7_500, next: 10_500),
        // And is planned anew where nothing is left.
        Look(2_100, true, 100, next: 2_500), Look(2_200, false, nil, next: 4_200),
      ])
  }
}
