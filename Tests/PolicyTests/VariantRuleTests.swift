import PlayerPolicies
import Testing
import VirtualTime

@Suite struct VariantRuleTests {
  /// As in a playlist that begins in the middle.
  private let rates: [Int64] = [2_000_000, 500_000, 1_000_000, 4_000_000]

  private func question(
    _ current: Int, estimate: Int64?, ahead: Int64, eligible: [Bool]? = nil,
    rate: PlaybackRate = .normal, switched: Instant? = nil
  ) -> VariantQuestion {
    let rungs = ladder(rates)
    return VariantQuestion(
      now: seconds(100), ladder: rungs,
      eligible: EligibleRungs(rungs, eligible ?? [true, true, true, true]), current: current,
      estimate: Estimate(bitsPerSecond: estimate, isReliable: estimate != nil),
      ahead: .seconds(ahead), rate: rate, switched: switched)
  }

  @Test func `a ladder is climbed by its bandwidths, whatever the order of the playlist`() {
    let rungs = EligibleRungs(allOf: ladder(rates))
    #expect(rungs.ascending == [1, 2, 0, 3])
    #expect(rungs.lowest == 1)
    #expect(rungs.firstListed == 0)
    #expect(rungs.highest(within: 1_999_999) == 2)
    #expect(rungs.highest(within: 9_000_000, below: 4_000_000) == 0)
    #expect(rungs.highest(within: 499_999) == nil)
    let barred = EligibleRungs(ladder(rates), [false, true, false, true])
    #expect(barred.highest(within: 3_000_000) == 1)
    #expect(EligibleRungs(allOf: ladder([7, 5, 7, 5])).ascending == [1, 3, 0, 2])
    #expect(EligibleRungs(allOf: ladder([7, 5, 7, 5])).highest(within: 9) == 0)
  }

  @Test(
    arguments: [
      (1, 10_000_000, 10, VariantChoice.take(3), VariantClause.higherSustained),
      (1, 10_000_000, 9, .stay, .bufferTooLow),
      (1, 4_999_999, 30, .take(0), .higherSustained),
      (3, 5_000_000, 0, .stay, .bestAlready),
      (3, 4_000_000, 0, .stay, .stillSustained),
      (3, 3_999_999, 24, .take(0), .lowerSustained),
      (3, 3_999_999, 25, .stay, .bufferHigh),
      (3, 100_000, 0, .take(1), .lowerSustained),
      (1, nil, 30, .stay, .noThroughput),
    ] as [(Int, Int64?, Int64, VariantChoice, VariantClause)])
  func `the throughput and the buffer decide`(
    current: Int, estimate: Int64?, ahead: Int64, choice: VariantChoice, clause: VariantClause
  ) {
    let rule = NextVariantRule.throughput(ThroughputChoice())
    #expect(
      rule.choice(question(current, estimate: estimate, ahead: ahead))
        == VariantVerdict(choice, clause))
  }

  @Test(
    arguments: [
      // Half of 4 Mbit/s for 2 Mbit/s, and half of a segment's length is left for fetching it.
      (4_000_000, 2, 4, 0), (4_000_000, 2, 8, 2), (3_999_999, 2, 4, 2), (4_000_000, 3, 4, 2),
      (100_000_000, 2, 4, 3), (100_000_000, 3, 9, 3), (100_000_000, 4, 4, 1),
      (100_000_000, 5, 4, 1), (100_000_000, 0, 0, 1), (0, 0, 4, 1),
      // The rest of the 5 s counts, and not that of the segment's 10 s.
      (8_000_000, 2, 10, 0), (6_666_667, 2, 10, 0), (6_666_666, 2, 10, 2),
    ] as [(Int64, Int64, Int64, Int)])
  func `after a probe, the highest rung is taken that fits the rest of a segment's length`(
    throughput: Int64, took: Int64, length: Int64, rung: Int
  ) {
    let rule = FirstVariantRule.probe(percent: 50, within: .seconds(5))
    let result = ProbeResult(
      throughput: throughput, took: .seconds(took), length: MediaTime.seconds(length))
    let choice = rule.choice(EligibleRungs(allOf: ladder(rates)), after: result)
    #expect(choice?.answer == rung)
    #expect(choice?.clause == (rung == 1 ? .lowestEligible : .sustainedByProbe))
    #expect(FirstVariantRule.lowest.choice(.init(allOf: ladder(rates)), after: result) == nil)
  }

  @Test(
    arguments: [
      // At the rate of 2, four fifths of the estimate are to sustain twice the bit rate.
      (1, 9_999_999, PlaybackRate(2), VariantChoice.take(0), VariantClause.higherSustained),
      (1, 10_000_000, PlaybackRate(2), .take(3), .higherSustained),
      (3, 8_000_000, PlaybackRate(2), .stay, .stillSustained),
      (3, 7_999_999, PlaybackRate(2), .take(0), .lowerSustained),
      (1, 7_499_999, PlaybackRate(3, over: 2), .take(0), .higherSustained),
      (1, 7_500_000, PlaybackRate(3, over: 2), .take(3), .higherSustained),
      (3, 1_999_999, PlaybackRate(1, over: 2), .take(0), .lowerSustained),
      (3, 2_000_000, PlaybackRate(1, over: 2), .stay, .stillSustained),
    ] as [(Int, Int64, PlaybackRate, VariantChoice, VariantClause)])
  func `at another speed a variant needs its bit rate times that`(
    current: Int, estimate: Int64, rate: PlaybackRate, choice: VariantChoice, clause: VariantClause
  ) {
    let rule = NextVariantRule.throughput(ThroughputChoice())
    #expect(
      rule.choice(question(current, estimate: estimate, ahead: 15, rate: rate))
        == VariantVerdict(choice, clause))
  }

  /// Going up waits for 10 s, or for half of what can be ahead at all where that is less.
  @Test(
    arguments: [
      (12_000, 5_999, false), (12_000, 6_000, true), (7_000, 3_500, true), (7_001, 3_500, false),
      (20_000, 9_999, false), (20_000, 10_000, true), (90_000, 9_999, false),
      (90_000, 10_000, true), (nil, 9_999, false), (nil, 10_000, true),
    ] as [(Int64?, Int64, Bool)])
  func `going up waits for half of a short buffer`(most: Int64?, ahead: Int64, goesUp: Bool) {
    let rule = NextVariantRule.throughput(ThroughputChoice())
    var question = question(1, estimate: 10_000_000, ahead: 0)
    question.ahead = .milliseconds(ahead)
    let verdict =
      goesUp ? VariantVerdict(.take(3), .higherSustained) : VariantVerdict(.stay, .bufferTooLow)
    // The forward buffer is limited, or there is no more of a live stream, or both.
    let limit = most.map { MediaTime.milliseconds($0) }
    let longer = limit.map { $0 + .seconds(60) }
    for limits in [(limit, nil), (nil, limit), (limit, longer), (longer, limit)] {
      (question.mediaLimit, question.liveOffset) = limits
      #expect(rule.choice(question) == verdict)
    }
  }

  @Test func `what may not be played any more is left by every rule`() {
    let eligible = [true, true, true, false]
    let rules: [NextVariantRule] = [
      .fixed, .throughput(ThroughputChoice()),
      .band(BandRule(upPercent: 85, downPercent: 95, leastBetweenSwitches: .seconds(8))),
      .bufferBased(BufferBasedRule(reservoir: .seconds(5), cushion: .seconds(10))),
    ]
    for rule in rules {
      let unknown = rule.choice(question(3, estimate: nil, ahead: 0, eligible: eligible))
      #expect(unknown.answer == .take(1))
      let none = rule.choice(
        question(3, estimate: 9, ahead: 0, eligible: [false, false, false, false]))
      #expect(none == VariantVerdict(.stay, .noneEligible))
    }
    #expect(
      rules[1].choice(question(3, estimate: 3_000_000, ahead: 99, eligible: eligible))
        == VariantVerdict(.take(0), .notEligible))
  }

  @Test func `a rule without the exception goes down as soon as the share falls short`() {
    let rule = NextVariantRule.throughput(ThroughputChoice(keepsSustained: false))
    #expect(rule.choice(question(3, estimate: 4_500_000, ahead: 3)).answer == .take(0))
  }

  @Test(
    arguments: [
      (4, 1, VariantClause.reservoir), (5, 1, .cushion), (8, 1, .cushion), (9, 2, .cushion),
      (12, 0, .cushion), (14, 0, .cushion), (15, 3, .bufferFull), (90, 3, .bufferFull),
    ] as [(Int64, Int, VariantClause)])
  func `a buffer between reservoir and cushion is a place on the ladder`(
    ahead: Int64, rung: Int, clause: VariantClause
  ) {
    let rule = NextVariantRule.bufferBased(
      BufferBasedRule(reservoir: .seconds(5), cushion: .seconds(10)))
    let current = rung == 1 ? 2 : 1
    #expect(
      rule.choice(question(current, estimate: nil, ahead: ahead))
        == VariantVerdict(.take(rung), clause))
    #expect(rule.choice(question(rung, estimate: nil, ahead: ahead)).answer == .stay)
  }

  @Test(
    arguments: [
      // From the rung of 1 Mbit/s: up with 2 / 0.85, down below 1 / 0.95.
      (2, 2_352_941, 2), (2, 2_352_942, 0), (2, 4_705_883, 3), (2, 1_052_632, 2),
      (2, 1_052_631, 1), (2, 1, 1), (3, 4_210_527, 3), (3, 4_210_526, 0),
    ] as [(Int, Int64, Int)])
  func `more is asked for to go up than to stay`(current: Int, estimate: Int64, rung: Int) {
    let rule = NextVariantRule.band(
      BandRule(upPercent: 85, downPercent: 95, leastBetweenSwitches: .seconds(8)))
    let expected = rung == current ? VariantChoice.stay : .take(rung)
    #expect(rule.choice(question(current, estimate: estimate, ahead: 0)).answer == expected)
    let fast = rule.choice(
      question(current, estimate: estimate * 2, ahead: 0, rate: PlaybackRate(2)))
    #expect(fast.answer == expected)
  }

  /// Shaka's interval runs from one choice to the next, whether it switched or not.
  @Test(arguments: [0, 1, 2, 3, 5, 8, 13, 20, 29, 50] as [Int64])
  func `a rule that leaves time between choices counts those that stay`(apart: Int64) throws {
    for (first, second) in [(0, 3), (3, 0), (0, 0)] {
      var rules = try rules(
        .band(BandRule(upPercent: 95, downPercent: 95, leastBetweenSwitches: .seconds(apart))))
      func asked(_ now: Instant, _ estimate: Int64, isReliable: Bool = true) -> VariantQuestion {
        var asked = question(first, estimate: estimate, ahead: 0)
        (asked.now, asked.estimate.isReliable) = (now, isReliable)
        return asked
      }
      // An estimate that is only assumed is no choice.
      let assumed = rules.next(asked(seconds(50), rates[first] * 2, isReliable: false))
      #expect(assumed.answer == .stay)
      let stays = rules.next(asked(seconds(100), rates[first] * 10 / 9))
      #expect(stays.answer == .stay)
      let soon = rules.next(asked(seconds(100 + apart) - .milliseconds(1), rates[second] * 10 / 9))
      if apart > 0 {
        #expect(soon == VariantVerdict(.stay, .tooSoon, changesAt: seconds(100 + apart)))
      }
      let later = rules.next(asked(seconds(100 + apart), rates[second] * 10 / 9))
      #expect(later.answer == (first == second ? .stay : .take(second)))
    }
  }

  private func rules(_ next: NextVariantRule) throws -> RunningRules {
    var description = try #require(PolicyPreset.named("Shaka 5.2")).description
    description.nextVariant = next
    return try RunningRules(description)
  }

  /// Segments of 6 s: a higher variant within 0.7 of the estimate, a lower one within 0.95, must
  /// come before the buffer ends; if none does, within 4 s more.
  @Test(
    arguments: [
      // 6 Mbit/s: 12 Mbit of 2 Mbit/s take 12 / 4.2 = 2.86 s, 24 Mbit of 4 Mbit/s 5.71 s.
      (2, 6_000_000, 6, 3), (2, 6_000_000, 5, 0), (2, 6_000_000, 3, 0), (2, 6_000_000, 2, 2),
      (2, 6_000_000, 1, 1), (2, 6_000_000, 0, 0),
      // 2.5 Mbit/s: 3 Mbit take 1.26 s, 6 Mbit of the present one 2.53 s.
      (2, 2_500_000, 9, 2), (2, 2_500_000, 2, 1), (2, 2_500_000, 1, 2), (2, 2_500_000, 0, 2),
    ] as [(Int, Int64, Int64, Int)])
  func `a segment must come before the buffer is played, or little later`(
    current: Int, estimate: Int64, ahead: Int64, rung: Int
  ) {
    let rule = NextVariantRule.band(
      BandRule(
        upPercent: 70, downPercent: 95, leastBetweenSwitches: .zero, starvation: .seconds(4)))
    let answer = rule.choice(question(current, estimate: estimate, ahead: ahead)).answer
    #expect(answer == (rung == current ? .stay : .take(rung)))
  }

  /// Segments of 6 s, of which two have come: 0.9 of 4 Mbit/s, and 2.8 Mbit/s times ahead over 6 s.
  @Test(
    arguments: [
      (20_000, 0), (6_000, 0), (4_300, 0), (4_280, 2), (3_000, 2), (2_150, 2), (2_140, 1),
      (1_000, 1), (301, 1), (299, 1),
    ] as [(Int64, Int)])
  func `an insufficient buffer allows less than the throughput`(ahead: Int64, rung: Int) throws {
    var rules = try rules(.guarded(.usual))
    for request in 1...3 as ClosedRange<Int64> {
      var asked = question(0, estimate: 4_000_000, ahead: 0)
      asked.ahead = .milliseconds(ahead)
      asked.latest = SegmentArrival(
        request: request, rung: 0, segment: 0, bytes: 1, began: .zero, responded: .zero,
        arrived: .zero)
      let answer = rules.next(asked).answer
      // The buffer counts from the second segment on.
      let expected = request == 1 ? 0 : rung
      #expect(answer == (expected == 0 ? .stay : .take(expected)), "\(request)")
    }
  }

  /// 2.15 s ahead of 6 s allow 1 Mbit/s of 4, where the throughput sustains twice as much.
  @Test func `after a seek an insufficient buffer counts from the second segment on again`() throws
  {
    var rules = try rules(.guarded(.usual))
    for (request, place, isLimited) in [
      (1, 0, false), (2, 0, true), (3, 0, true), (4, 60, false), (4, 60, false), (5, 60, true),
      (6, 0, false), (7, 0, true),
    ] as [(Int64, Int64, Bool)] {
      var asked = question(0, estimate: 4_000_000, ahead: 0)
      (asked.ahead, asked.playedFrom) = (.milliseconds(2_140), .seconds(place))
      asked.latest = SegmentArrival(
        request: request, rung: 0, segment: 0, bytes: 1, began: .zero, responded: .zero,
        arrived: .zero)
      let answer = rules.next(asked).answer
      #expect(answer == (isLimited ? .take(1) : .stay), "\(request)")
    }
  }

  /// One choice of eight that falls is more than 7.5 % of those that stay.
  @Test(arguments: 0...9)
  func `a variant from which choices keep falling is not risen to`(falls: Int) throws {
    var rules = try rules(.guarded(.usual))
    for place in 0..<9 {
      var asked = question(0, estimate: place < falls ? 1_500_000 : 3_000_000, ahead: 30)
      asked.now = seconds(Int64(place))
      _ = rules.next(asked)
    }
    let answer = rules.next(question(2, estimate: 3_000_000, ahead: 30)).answer
    #expect(answer == (falls > 0 ? .stay : .take(0)))
  }

  @Test(
    arguments: [
      (FirstVariantRule.firstListed, nil, 0, FirstVariantClause.firstEligible),
      (.lowest, nil, 1, .lowest), (.highest, nil, 3, .highest),
      (.withinEstimate(percent: 100, assumed: 2_000_000), nil, 0, .sustainedByAssumption),
      (.withinEstimate(percent: 100, assumed: 2_000_000), 1_500_000, 2, .sustainedByObservation),
      (.withinEstimate(percent: 70, assumed: 2_000_000), 2_000_000, 2, .sustainedByObservation),
      (.withinEstimate(percent: 100, assumed: 400_000), nil, 1, .lowestEligible),
    ] as [(FirstVariantRule, Int64?, Int, FirstVariantClause)])
  func `a stream begins where its rule says`(
    rule: FirstVariantRule, observed: Int64?, rung: Int, clause: FirstVariantClause
  ) {
    let rungs = EligibleRungs(allOf: ladder(rates))
    #expect(rule.choice(rungs, observed: observed) == FirstVariantVerdict(rung, clause))
    #expect(
      rule.choice(EligibleRungs(ladder(rates), [false, false, false, false]), observed: nil)
        == nil)
  }

  @Test(
    arguments: [
      (PlaybackRate(1), 0, 0), (PlaybackRate(2), 2, 0), (PlaybackRate(1, over: 2), 3, 0),
      (PlaybackRate(4), 1, 0), (PlaybackRate(2, over: 1), 2, 0), (PlaybackRate(3, over: 2), 2, 0),
    ])
  func `a stream begins with what is sustained at its speed, where its rule heeds that`(
    speed: PlaybackRate, rung: Int, otherwise: Int
  ) {
    let rungs = EligibleRungs(allOf: ladder(rates))
    for (heeds, expected) in [(true, rung), (false, otherwise)] {
      let rule = FirstVariantRule.withinEstimate(
        percent: 100, assumed: 2_000_000, heedsRate: heeds)
      #expect(rule.choice(rungs, observed: nil, at: speed)?.answer == expected)
    }
  }

  @Test func `the average counts in the long run, and the peak at the start`() {
    let ladder = Ladder(
      rungs: [
        Ladder.Rung(bandwidth: 1_000_000),
        Ladder.Rung(bandwidth: 3_000_000, averageBandwidth: 900_000),
      ], boundaries: [.zero, .seconds(6)])
    let rungs = EligibleRungs(allOf: ladder)
    #expect(rungs.highest(within: 1_000_000) == 1)
    #expect(rungs.highest(peakWithin: 1_000_000) == 0)
    #expect(ladder.expectedBytes(of: 1, from: 0, to: 1) == 675_000)
  }
}

/// A policy that runs, and what it remembers of a stream.
struct RunningRules: ~Copyable {
  var running: Policy
  var judgement: VariantJudgement

  init(_ description: PolicyDescription) throws {
    running = try Policy(description)
    judgement = running.judgement(ofVariants: .none)
  }

  mutating func next(_ question: VariantQuestion) -> VariantVerdict {
    running.nextVariant(question, &judgement)
  }
}

extension NextVariantRule {
  /// The choice of a rule that was not asked before.
  func choice(_ question: VariantQuestion) -> VariantVerdict {
    var description = PolicyPreset.avfoundation.description
    description.nextVariant = self
    do {
      var rules = try RunningRules(description)
      return rules.next(question)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
