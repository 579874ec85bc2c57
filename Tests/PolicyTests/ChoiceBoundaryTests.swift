import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// Choices of a policy: from outside, among segments that are there, and after a probe.
@Suite struct ChoiceBoundaryTests {
  /// 1, 2 and 4 Mbit/s, of which the last may not be played; segments of 4 s.
  private let rungs = ladder([1_000_000, 2_000_000, 4_000_000], of: .seconds(4))

  private var eligible: EligibleRungs { EligibleRungs(rungs, [true, true, false]) }

  private func policy(
    next: NextVariantRule = .fixed, abandon: AbandonRule = .never,
    choice: ChoiceCustoms = .usual, with custom: CustomPolicy = CustomPolicy(name: "own")
  ) throws -> Policy {
    var registry = PolicyRegistry()
    registry.register(custom)
    var description = PolicyDescription(
      start: .everythingLoaded, resume: .everythingLoaded, estimator: estimator,
      nextVariant: next, abandon: abandon, fetch: .unlimited)
    description.choice = choice
    return try Policy(description, with: registry)
  }

  private let estimator = EstimatorSeat(
    EstimatorDescription(
      .samples(
        SampleStatistics(
          .last, over: Sampling(.progress(every: .milliseconds(16), bytes: 9))))))

  private func question(on current: Int, buffered: [RungAhead] = []) -> VariantQuestion {
    var question = VariantQuestion(
      now: seconds(9), ladder: rungs, eligible: eligible, current: current, estimate: Estimate(),
      ahead: .seconds(20), switched: nil)
    question.buffered = buffered
    return question
  }

  // MARK: From outside

  @Test(
    arguments: [
      (0, .stay, .stay), (0, .take(0), .stay), (0, .take(1), .take(1)), (0, .take(2), .stay),
      (0, .replace(0, beyond: .zero), .stay),
      (0, .replace(1, beyond: .seconds(3)), .replace(1, beyond: .seconds(3))),
      (0, .replace(2, beyond: .zero), .stay), (0, .again(0, segment: 3), .stay),
      (0, .again(1, segment: 3), .again(1, segment: 3)), (0, .again(2, segment: 3), .stay),
      (0, .wait(until: .zero), .wait(until: .zero)),
      // A variant that may not be played any more is left.
      (2, .stay, .take(0)), (2, .take(2), .take(0)), (2, .take(1), .take(1)),
      (2, .wait(until: .zero), .wait(until: .zero)),
    ] as [(Int, VariantChoice, VariantChoice)])
  func `a choice from outside is made as far as it can be played`(
    current: Int, chosen: VariantChoice, made: VariantChoice
  ) throws {
    var policy = try policy(
      next: .named("own"),
      with: CustomPolicy(
        name: "own", nextVariant: { _, _ in .decided(chosen, changesAt: seconds(77)) }))
    var judgement = policy.judgement(ofVariants: .none)
    let verdict = policy.nextVariant(question(on: current), &judgement)
    #expect(verdict.answer == made && verdict.changesAt == seconds(77))
    let isLeft = current == 2 && made == .take(0)
    #expect(verdict.clause == (isLeft ? .notEligible : .decidedOutside))
  }

  @Test(
    arguments: [
      (.goOn, .goOn), (.giveUp(for: 1), .giveUp(for: 1)), (.giveUp(for: 2), .goOn),
      (.chooseAgain, .chooseAgain),
    ] as [(AbandonAnswer, AbandonAnswer)])
  func `nothing is given up for what may not be played`(
    chosen: AbandonAnswer, made: AbandonAnswer
  ) throws {
    var policy = try policy(
      abandon: .named("own"),
      with: CustomPolicy(name: "own", abandon: { _, _ in .decided(chosen) }))
    var judgement = policy.judgement(ofVariants: .none)
    let verdict = policy.abandon(
      AbandonQuestion(
        now: seconds(9), ladder: rungs, eligible: eligible, estimate: Estimate(),
        request: RequestFacts(began: .zero), lasts: nil, isMoving: false), &judgement)
    #expect(verdict.answer == made)
    #expect(verdict.clause == (made == chosen ? .decidedOutside : .nothingToGain))
  }

  /// Each quarter of a second where nobody tells that media comes in, or is played.
  @Test func `who says no and not for how long is asked again`() throws {
    for (wait, link, says, asked) in [
      (.start, 4_000_000, nil, 9_250), (.start, 0, nil, nil), (.start, 4_000_000, 9_900, 9_900),
      (.nothing, 4_000_000, nil, nil),
    ] as [(Wait, Int64, Int64?, Int64?)] {
      var registry = PolicyRegistry()
      let told = says.map { milliseconds($0) } ?? .distantFuture
      registry.register(
        CustomPolicy(
          name: "own", start: { _, _ in .decided(false, changesAt: told) },
          stall: { _, _ in .decided(false, changesAt: told) }))
      var policy = try Policy(
        PolicyDescription(
          start: .named("own"), resume: .everythingLoaded, stall: .named("own"),
          estimator: estimator, fetch: .unlimited), with: registry)
      var judgement = policy.judgement()
      let snapshot = ExampleFile(link: link, loaded: 2_000_000).snapshot(wait, at: seconds(9))
      let verdict = policy.readiness(snapshot, .empty, &judgement)
      #expect(!verdict.answer)
      #expect(verdict.changesAt == asked.map { milliseconds($0) } ?? .distantFuture)
      let stall = policy.stall(snapshot, &judgement)
      #expect(stall.changesAt == milliseconds(says ?? 9_250))
      var all = snapshot
      all.loadedEnd = all.end
      #expect(policy.stall(all, &judgement).clause == .everythingLoaded)
    }
  }

  // MARK: Segments that are there

  /// One that begins with less ahead than one and a half of its lengths is left as it is.
  @Test(
    arguments: [
      (.soonest, 0, [(0, 5_999), (0, 6_000), (0, 9_000)], 1),
      (.latest, 0, [(0, 6_000), (0, 9_000), (0, 13_000)], 2),
      (.soonest, 0, [(1, 8_000), (0, 9_000), (1, 13_000)], 1), (.soonest, 0, [(1, 8_000)], nil),
      (.latest, 0, [(0, 5_999)], nil), (.never, 0, [(0, 9_000)], nil), (.soonest, 0, [], nil),
      (.latest, 0, [(0, 6_001), (1, 9_000)], 0),
    ] as [(ChoiceCustoms.Again, Int, [(Int, Int64)], Int?)])
  func `what is there in a lower variant is fetched again, if it comes in time`(
    again: ChoiceCustoms.Again, first: Int, ahead: [(Int, Int64)], segment: Int?
  ) throws {
    var customs = ChoiceCustoms.usual
    customs.again = again
    var policy = try policy(
      next: .named("own"), choice: customs,
      with: CustomPolicy(name: "own", nextVariant: { _, _ in .decided(.take(1)) }))
    var judgement = policy.judgement(ofVariants: .none)
    let buffered = ahead.enumerated().map {
      RungAhead(rung: $1.0, segment: first + $0, ahead: .milliseconds($1.1))
    }
    let verdict = policy.nextVariant(question(on: 0, buffered: buffered), &judgement)
    #expect(verdict.answer == segment.map { .again(1, segment: $0) } ?? .take(1))
    #expect(verdict.clause == (segment == nil ? .decidedOutside : .lowerInBuffer))
  }

  // MARK: The first variant after a probe

  /// A segment of 4 s, and what of it is left after the probe; shares of 80 %.
  @Test(
    arguments: [
      (5_000_000, 0, 4_000, 2, .sustainedByProbe), (4_999_999, 0, 4_000, 1, .sustainedByProbe),
      (8_000_000, 2_000, 4_000, 2, .sustainedByProbe),
      (8_000_000, 2_001, 4_000, 1, .sustainedByProbe),
      (8_000_000, 3_500, 4_000, 0, .sustainedByProbe),
      (8_000_000, 3_501, 4_000, 0, .lowestEligible),
      (8_000_000, 4_000, 4_000, 0, .lowestEligible), (8_000_000, 9_000, 4_000, 0, .lowestEligible),
      (8_000_000, 0, 2_000, 2, .sustainedByProbe), (8_000_000, 1, 2_000, 1, .sustainedByProbe),
      (8_000_000, 2_000, 90_000, 2, .sustainedByProbe),
    ] as [(Int64, Int64, Int64, Int, FirstVariantClause)])
  func `after a probe the highest is taken whose segment comes in what is left`(
    throughput: Int64, took: Int64, within: Int64, variant: Int, clause: FirstVariantClause
  ) {
    let all = EligibleRungs(allOf: rungs)
    let probe = ProbeResult(
      throughput: throughput, took: .milliseconds(took), length: .seconds(4))
    let rule = FirstVariantRule.probe(percent: 80, within: .milliseconds(within))
    let verdict = rule.choice(all, after: probe)
    #expect(verdict?.answer == variant && verdict?.clause == clause)
    #expect(FirstVariantRule.lowest.choice(all, after: probe) == nil)
    #expect(rule.choice(all, observed: nil)?.clause == .probe)
    let one = EligibleRungs(rungs, [false, true, false])
    #expect(rule.choice(one, observed: nil)?.clause == .lowest)
    #expect(rule.choice(EligibleRungs(rungs, [false, false, false]), observed: 9) == nil)
  }

  // MARK: What is heard

  @Test func `an estimator hears what it measures, where a rule goes by it`() throws {
    let line = EstimatorDescription(.line(otherwise: .sinceBeginning))
    let looked = Subscription.progress(every: .milliseconds(10), bytes: 1)
    #expect(line.subscription(flows: true) == .ends && line.subscription(flows: false) == looked)
    for (rule, expected) in [
      (.sinceBeginning, looked), (.afterThirdOfWait, looked),
      (.leastSince(.usual), .progress(every: .zero, bytes: 1_000)),
    ] as [(HistoryRule, Subscription)] {
      for flows in [true, false] {
        #expect(EstimatorDescription(.history(rule)).subscription(flows: flows) == expected)
      }
    }
    let told = Subscription.progress(every: .milliseconds(16), bytes: 9)
    for (first, next, abandon, ofStreams) in [
      (.lowest, .fixed, .never, .ends), (.place(1), .fixed, .never, .ends),
      (.probe(percent: 80, within: .seconds(1)), .fixed, .never, told),
      (.withinEstimate(percent: 80, assumed: 1), .fixed, .never, told),
      (.highest, .step(.usual), .never, told), (.firstListed, .fixed, .published, told),
    ] as [(FirstVariantRule, NextVariantRule, AbandonRule, Subscription)] {
      let policy = try Policy(
        PolicyDescription(
          start: .level(.anything), resume: .everythingLoaded, estimator: estimator,
          firstVariant: first, nextVariant: next, abandon: abandon, fetch: .unlimited))
      #expect(policy.subscription(to: .segmented, flows: true) == ofStreams)
      #expect(policy.subscription(to: .progressive, flows: true) == .ends)
    }
    for (start, resume, stall, isTold) in [
      (.playThrough(.usual), .everythingLoaded, .whenDry, true),
      (.everythingLoaded, .any([.after(.seconds(1)), .playThrough(.usual)]), .whenDry, true),
      (.everythingLoaded, .everythingLoaded, .belowUnlessPlayThrough(.seconds(1)), true),
      (.everythingLoaded, .after(.seconds(1)), .below(.seconds(1)), false),
      (.queue(.usual), .lateness(.usual), .belowWithArriving(.seconds(1)), false),
    ] as [(ReadinessRule, ReadinessRule, StallRule, Bool)] {
      let policy = try Policy(
        PolicyDescription(
          start: start, resume: resume, stall: stall, estimator: estimator, fetch: .unlimited))
      for source in [SourceKind.progressive, .segmented] {
        #expect(policy.subscription(to: source, flows: true) == (isTold ? told : .ends))
      }
      #expect(policy.subscription(to: .local, flows: true) == .nothing)
    }
  }

  /// The bytes so far count as if the segment were given up now; the question is forgotten.
  @Test func `an estimate as if a segment were given up leaves the player's own as it is`() throws {
    var policy = try policy()
    let one = RequestNumber(1)
    policy.hear(.requested(one, .main), of: .segmented, at: .zero)
    policy.hear(.responded(one), of: .segmented, at: .zero)
    let given = policy.estimate(abandoning: one, bytes: 250_000, at: seconds(2))
    #expect(given.bitsPerSecond == 1_000_000 && given.bytes == 250_000)
    #expect(policy.estimate(of: .segmented).bitsPerSecond == nil)
    policy.hear(.ended(one, bytes: 250_000, .completed), of: .local, at: seconds(2))
    #expect(policy.estimate(of: .segmented).bitsPerSecond == nil)
  }

  /// dash.js does not rise for ten seconds after it has given a segment up.
  @Test(arguments: [(0, false), (9_999, false), (10_000, true), (60_000, true)] as [(Int64, Bool)])
  func `after a segment was given up nothing is risen to for ten seconds`(
    after: Int64, rises: Bool
  ) throws {
    let description = try #require(PolicyPreset.named("dash.js 5.1")).description
    var policy = try Policy(description)
    var judgement = policy.judgement(ofVariants: .none)
    func chosen(_ now: Instant, _ number: Int64) -> VariantVerdict {
      var question = VariantQuestion(
        now: now, ladder: rungs, eligible: EligibleRungs(allOf: rungs), current: 1,
        estimate: Estimate(bitsPerSecond: 50_000_000, isReliable: true), ahead: .seconds(8),
        switched: nil)
      question.latest = SegmentArrival(
        request: number, rung: 1, segment: 0, bytes: 500_000, began: now, responded: now,
        arrived: now)
      return policy.nextVariant(question, &judgement)
    }
    _ = chosen(seconds(1), 1)
    #expect(chosen(seconds(2), 2).answer == .take(2))
    // 100,000 of a million bytes in 5 s: it takes 50 s, and 4 × 1.8 are allowed.
    let question = AbandonQuestion(
      now: seconds(10), ladder: rungs, eligible: EligibleRungs(allOf: rungs),
      estimate: Estimate(),
      request: RequestFacts(
        began: seconds(4), responded: seconds(5), received: 100_000, bytes: 1_000_000, variant: 1,
        segment: 1), lasts: .seconds(8), isMoving: true)
    _ = judgement.looks(at: question.request, lasts: .seconds(8), isMoving: true, at: seconds(4))
    let verdict = policy.abandon(question, &judgement)
    #expect(verdict.answer == .giveUp(for: 0) && verdict.clause == .tooSlow)
    let next = chosen(seconds(10) + .milliseconds(after), 3)
    #expect(next.answer == (rises ? .take(2) : .stay))
    #expect(next.clause == (rises ? .higherSustained : .tooSoon))
  }

  // MARK: Looks of a published rule

  /// The answer to the last of some looks at a segment of 500,000 bytes.
  private func looked(
    _ looks: [(now: Int64, received: Int64)], line: Int64? = nil, until holds: Int64 = 9_000_000,
    hasResponded: Bool = true
  ) throws -> AbandonVerdict {
    var description = try #require(PolicyPreset.named("Sabre throughput")).description
    description.abandon = .published
    var policy = try Policy(description)
    var judgement = policy.judgement(ofVariants: .none)
    var asked = VariantQuestion(
      now: .zero, ladder: rungs, eligible: EligibleRungs(allOf: rungs), current: 0,
      estimate: Estimate(), ahead: .seconds(20), switched: nil)
    asked.nextSegment = 1
    asked.latest = SegmentArrival(
      request: 1, rung: 0, segment: 0, bytes: 500_000, began: .zero, responded: .zero,
      arrived: seconds(1))
    _ = policy.nextVariant(asked, &judgement)
    var verdict = AbandonVerdict(.goOn, .notYet)
    for look in looks {
      let now = seconds(9) + .microseconds(look.now)
      let inflow = line.map {
        Inflow(
          line: ByteFlow(anchor: now, bytes: look.received, rate: .bitsPerSecond($0)),
          holds: seconds(9) + .microseconds(holds))
      }
      verdict = policy.abandon(
        AbandonQuestion(
          now: now, ladder: rungs, eligible: EligibleRungs(allOf: rungs), estimate: Estimate(),
          request: RequestFacts(
            began: seconds(9), responded: hasResponded ? seconds(9) : nil,
            received: look.received, bytes: 500_000, variant: 0, segment: 1),
          lasts: .seconds(20), isMoving: true, inflow: inflow), &judgement)
    }
    return verdict
  }

  /// At least 50 ms and 1,500 bytes apart; the next look is as late as those, or as its line bends.
  @Test func `a published rule looks when enough has come, and says when that may be`() throws {
    func next(_ verdict: AbandonVerdict) -> Int64 { (verdict.changesAt - seconds(9)).nanoseconds }
    #expect(try looked([(60_000, 9_000)], hasResponded: false).changesAt == .distantFuture)
    for (now, received, isLook) in [
      (49_999, 1_500, false), (50_000, 1_499, false), (50_000, 1_500, true), (50_000, 9_000, true),
    ] as [(Int64, Int64, Bool)] {
      let verdict = try looked([(now, received)])
      #expect(verdict.clause == (isLook ? .inTime : .notYet), "\(now) \(received)")
      #expect(next(verdict) == 100_000_000 || !isLook)
      let later = try looked([(50_000, 1_500), (now + 50_000, received + 1_500)])
      #expect(later.clause == (isLook ? .inTime : .notYet), "\(now) \(received)")
    }
    // Without a line it asks again after as long, and not before its first look.
    #expect(try next(looked([(0, 0)])) == 50_000_000)
    #expect(try next(looked([(10_000, 9_000)])) == 60_000_000)
    #expect(try next(looked([(70_000, 100)])) == 120_000_000)
    // A byte comes in a microsecond, or in a millisecond; a line at rest says nothing.
    #expect(try next(looked([(10_000, 100)], line: 8_000_000)) == 50_000_000)
    #expect(try next(looked([(60_000, 100)], line: 8_000_000)) == 61_400_001)
    #expect(try next(looked([(60_000, 100)], line: 8_000)) == 1_460_000_001)
    #expect(try next(looked([(60_000, 100)], line: 8_000, until: 500_000)) == 500_000_000)
    #expect(try next(looked([(60_000, 100)], line: 0, until: 500_000)) == 110_000_000)
    #expect(try next(looked([(60_000, 100)], line: 0, until: 70_000)) == 70_000_000)
  }

  // MARK: Facts

  private static let none = WantedFacts.none
  private static let wanted: [(ReadinessRule, WantedFacts)] = [
    (.level(.anything), none), (.level(.media(.zero)), none), (.level(.segments(1)), none),
    (.level(.playingTime(.zero)), none), (.level(.bytes(1)), WantedFacts(bytes: true)),
    (.level(.shareOfMediaLimit(1)), WantedFacts(limits: true)),
    (.level(.shareOfByteLimit(1)), WantedFacts(bytes: true, limits: true)),
    (.level(.sound(.zero)), WantedFacts(tracks: true)),
    (.level(.pictures(.zero)), WantedFacts(tracks: true)),
    (.level(.mediaWithArriving(.zero)), WantedFacts(arriving: true)),
    (.level(.shareOfLiveTarget(1)), WantedFacts(live: true)),
    (
      .escalating(EscalatingLevel([.sound(.zero), .bytes(1)], raise: .ranDry)),
      WantedFacts(bytes: true, tracks: true)
    ),
    (
      .any([.level(.bytes(1)), .every(.zero, from: .run, .level(.shareOfLiveTarget(1)))]),
      WantedFacts(bytes: true, live: true)
    ),
    (.named("own"), .all),
  ]

  @Test func `of a buffer is told what one of the rules reads`() throws {
    func facts(_ start: ReadinessRule, _ resume: ReadinessRule, _ stall: StallRule = .whenDry)
      -> WantedFacts
    {
      PolicyDescription(
        start: start, resume: resume, stall: stall, estimator: estimator, fetch: .unlimited
      ).facts
    }
    for (rule, expected) in Self.wanted {
      #expect(facts(rule, .everythingLoaded) == expected)
      #expect(facts(.everythingLoaded, rule) == expected)
      for (other, more) in Self.wanted {
        #expect(
          facts(rule, other)
            == WantedFacts(
              bytes: expected.bytes || more.bytes, tracks: expected.tracks || more.tracks,
              limits: expected.limits || more.limits,
              arriving: expected.arriving || more.arriving, live: expected.live || more.live))
      }
    }
    #expect(
      facts(.everythingLoaded, .everythingLoaded, .belowWithArriving(.zero))
        == WantedFacts(arriving: true))
    #expect(facts(.everythingLoaded, .everythingLoaded, .named("own")) == .all)
    #expect(facts(.everythingLoaded, .everythingLoaded, .below(.seconds(1))) == .none)
  }

  @Test func `facts of requests of which nothing is said are blank`() {
    let all = WantedFacts(bytes: true, tracks: true, limits: true, arriving: true, live: true)
    #expect(WantedFacts.all == all && WantedFacts.none == WantedFacts())
    let sound = AudioFacts(
      segments: SegmentTimes([]), nextSegment: 0, loadedEnd: .zero, bitRate: 1)
    #expect(sound.received == 0 && sound.request == nil)
    let key = PreparationFacts(missing: 9)
    #expect(key.began == nil && !key.hasResponded && key.missing == 9)
    let facts = RequestFacts(began: .zero)
    #expect(facts.variant == 0 && facts.segment == 0 && facts.received == 0)
    #expect(facts.responded == nil && facts.bytes == nil)
  }
}
