import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

@Suite struct PolicyTests {
  private func policy(
    start: ReadinessRule = .level(.media(.seconds(2))),
    resume: ReadinessRule = .level(.media(.seconds(5))), sink: SinkDescription = .ideal,
    exits: ReadinessExits = .everyPlayer, stall: StallRule = .whenDry
  ) throws -> Policy {
    try Policy(
      PolicyDescription(
        sink: sink, start: start, resume: resume, exits: exits, stall: stall,
        estimator: EstimatorSeat(
          EstimatorDescription(
            .samples(SampleStatistics(.last, over: Sampling(.requestEnds))))),
        fetch: .unlimited))
  }

  private let file = ExampleFile(loaded: 3_000_000)

  @Test(arguments: [
    (Wait.start, true, ReadinessClause.thresholdReached), (.seek, true, .thresholdReached),
    (.stall, false, .belowThreshold), (.nothing, true, .stillPlaying),
  ])
  func `a start and a seek have one seat, a stall has another`(
    wait: Wait, answer: Bool, clause: ReadinessClause
  ) throws {
    var policy = try policy()
    var judgement = policy.judgement()
    let verdict = policy.readiness(file.snapshot(wait), .empty, &judgement)
    #expect(verdict.answer == answer)
    #expect(verdict.clause == clause)
  }

  @Test(arguments: [
    (LoadingState.underWay, false, ReadinessClause.belowThreshold), (.full, true, .bufferFull),
    (.idle, true, .loaderIdle), (.failed, true, .loaderIdle),
  ])
  func `a buffer that does not grow any more is played`(
    loading: LoadingState, answer: Bool, clause: ReadinessClause
  ) throws {
    var snapshot = file.snapshot(.stall)
    snapshot.buffer.loading = loading
    var policy = try policy()
    var judgement = policy.judgement()
    let verdict = policy.readiness(snapshot, .empty, &judgement)
    #expect(verdict.answer == answer)
    #expect(verdict.clause == clause)
    var strict = try self.policy(exits: .none)
    var fresh = strict.judgement()
    #expect(!strict.readiness(snapshot, .empty, &fresh).answer)
  }

  @Test func `beliefs belong to the player, and what was judged to the item`() throws {
    let level = EscalatingLevel(
      [.media(.seconds(1)), .media(.seconds(9))], raise: .waitEnded)
    var policy = try policy(start: .escalating(level), resume: .escalating(level))
    var (one, other) = (policy.judgement(), policy.judgement())
    one.hear(.moved)
    #expect(!policy.readiness(file.snapshot(.stall), .empty, &one).answer)
    #expect(policy.readiness(file.snapshot(.stall), .empty, &other).answer)
    policy.hear(.requested(RequestNumber(1), .main), of: .segmented, at: .zero)
    policy.hear(.responded(RequestNumber(1)), of: .segmented, at: .zero)
    policy.hear(
      .ended(RequestNumber(1), bytes: 125_000, .completed), of: .segmented, at: seconds(1))
    #expect(policy.estimate(of: .segmented).bitsPerSecond == 1_000_000)
    #expect(policy.estimate(of: .progressive).bitsPerSecond == nil)
  }

  @Test func `two that hear the same decide the same`() throws {
    var one = try policy()
    var other = try policy()
    for number in 1...20 {
      let request = RequestNumber(Int64(number))
      let now = seconds(Int64(number) * 3)
      for event in [
        TransferEvent.requested(request, .main), .responded(request),
        .ended(request, bytes: Int64(number) * 1_000, .completed),
      ] {
        one.hear(event, of: .progressive, at: now)
        other.hear(event, of: .progressive, at: now)
      }
      #expect(
        one.estimate(of: .progressive) == other.estimate(of: .progressive))
    }
  }

  // MARK: The sink

  @Test func `there must be a frame to begin with, and one stays on the screen for its length`()
    throws
  {
    var sink = SinkDescription.ideal
    (sink.frame, sink.leastToResume) = (.milliseconds(40), .milliseconds(100))
    sink.frameOfPackets = SinkDescription.assumedFrame
    var policy = try policy(
      start: .level(.anything), resume: .level(.anything), sink: sink)
    var judgement = policy.judgement()
    let little = ExampleFile(loaded: 39_000)
    #expect(
      policy.readiness(little.snapshot(.start), .empty, &judgement)
        == ReadinessVerdict(false, .noFrame, changesAt: milliseconds(2)))
    let enough = ExampleFile(loaded: 40_000)
    #expect(policy.readiness(enough.snapshot(.start), .empty, &judgement).answer)
    #expect(
      policy.readiness(enough.snapshot(.stall), .empty, &judgement)
        == ReadinessVerdict(false, .noFrame, changesAt: milliseconds(120)))
    #expect(
      policy.readiness(
        file.snapshot(.stall, at: milliseconds(10), waitBegan: .zero), .empty, &judgement)
        == ReadinessVerdict(false, .frameShown, changesAt: milliseconds(40)))
    #expect(
      policy.readiness(
        file.snapshot(.stall, at: milliseconds(40), waitBegan: .zero), .empty, &judgement
      ).answer)
    let end = ExampleFile(duration: .seconds(1), loaded: 1_000_000)
    let rest = end.snapshot(.start, playhead: .milliseconds(999))
    #expect(policy.readiness(rest, .empty, &judgement).answer)
  }

  @Test func `while playing the app sees at once that it does not keep up, and later that it does`()
  {
    var held = HeldVerdict()
    held.settle(ReadinessVerdict(true, .everyByteInTime), holds: .zero, at: .zero)
    func settle(_ answer: Bool, _ now: Int64, _ holds: TimeSpan = .seconds(1)) -> Bool {
      held.settle(
        ReadinessVerdict(answer, answer ? .everyByteInTime : .someByteLate), holds: holds,
        at: milliseconds(now))
      return held.shown.answer
    }
    #expect(!settle(false, 0))
    #expect(!settle(true, 100))
    #expect(held.shown.changesAt == milliseconds(1_100))
    #expect(!settle(true, 1_099))
    #expect(!settle(false, 1_099))
    #expect(!settle(true, 1_200))
    #expect(!settle(true, 2_199))
    #expect(settle(true, 2_200))
    #expect(!settle(false, 2_200))
    #expect(settle(true, 2_201, .zero))
  }

  // MARK: Declared stalls

  @Test func `a player may stop with media left`() throws {
    var policy = try policy(stall: .below(.milliseconds(500)))
    var judgement = policy.judgement()
    // 3 s ahead: half a second is left after 2.5 s, if nothing comes.
    #expect(
      policy.stall(file.snapshot(.nothing), &judgement)
        == StallVerdict(
          false, .aboveReserve, changesAt: Instant(nanoseconds: 2_500_000_001)))
    let low = file.snapshot(.nothing, playhead: .milliseconds(2_501))
    #expect(policy.stall(low, &judgement) == StallVerdict(true, .belowReserve))
    var polled = try self.policy(stall: .below(.milliseconds(500), every: .milliseconds(250)))
    #expect(
      polled.stall(
        file.snapshot(.nothing, at: milliseconds(100), playhead: .milliseconds(2_501)), &judgement)
        == StallVerdict(false, .aboveReserve, changesAt: milliseconds(250)))
    let last = ExampleFile(loaded: 60_000_000)
    #expect(
      policy.stall(last.snapshot(.nothing, playhead: .milliseconds(59_900)), &judgement)
        == StallVerdict(false, .everythingLoaded))
    #expect(StallRule.below(.seconds(1)).reserve() == .seconds(1))
  }

  /// Below its mark it looks again each tenth of a second, as long as all the rest comes in time.
  @Test func `a player that is predicted to play through looks again`() throws {
    var description = try policy(stall: .belowUnlessPlayThrough(.seconds(1))).description
    description.estimator = EstimatorSeat(EstimatorDescription(.line(otherwise: .sinceBeginning)))
    var policy = try Policy(description)
    var judgement = policy.judgement()
    for (link, now) in [(16_000_000, 0), (16_000_000, 777), (4_000_000, 0)] as [(Int64, Int64)] {
      let file = ExampleFile(link: link, loaded: 3_000_000)
      let low = file.snapshot(.nothing, at: milliseconds(now), playhead: .milliseconds(2_500))
      #expect(
        policy.stall(low, &judgement)
          == (link > 8_000_000
            ? StallVerdict(false, .everyByteInTime, changesAt: milliseconds(now + 100))
            : StallVerdict(true, .belowReserve)))
    }
  }

  // MARK: Fetching

  @Test(
    arguments: [
      // Of a limit of 3 s or 3 MB that is refilled at three quarters.
      (true, 2_999, nil), (true, 3_000, .mediaLimit), (false, 2_251, .mediaLimit),
      (false, 2_250, nil),
    ] as [(Bool, Int64, FetchClause?)])
  func `reading stops at a limit and goes on when enough has been played`(
    isReading: Bool, ahead: Int64, limit: FetchClause?
  ) {
    let (media, bytes) = (FetchRule(media: .seconds(3)), FetchRule(bytes: 3_000_000))
    #expect(
      media.limit(reachedBy: .milliseconds(ahead), isReading: isReading, bytes: { 0 }) == limit)
    let byBytes = bytes.limit(
      reachedBy: .zero, isReading: isReading, bytes: { ahead * 1_000 })
    #expect(byBytes == limit.map { _ in .byteLimit })
    let unlimited = FetchRule.unlimited.limit(
      reachedBy: .milliseconds(ahead), isReading: isReading, bytes: { ahead * 1_000 })
    #expect(unlimited == nil)
  }

  @Test(
    arguments: [
      // Of a limit of 12 s, before a segment of 4 s: what may be ahead, in nanoseconds.
      (FetchRule(media: .seconds(12)), 11_999_999_999),
      (FetchRule(media: .seconds(12), countsNext: true), 8_000_000_000),
      (FetchRule(media: .seconds(3), countsNext: true), 0),
      (FetchRule(media: .seconds(12), sleeps: .milliseconds(500)), 12_000_000_000),
      (FetchRule.unlimited, nil),
    ] as [(FetchRule, Int64?)])
  func `a segment is asked for while there is room`(rule: FetchRule, most: Int64?) {
    #expect(rule.most(before: .seconds(4))?.nanoseconds == most)
  }

  /// 60 MB, or 30 s where that is more, and at most 600 s: at 1 Mbit/s 60 MB are 480 s.
  @Test(
    arguments: [
      (500_000, 600_000), (800_000, 600_000), (1_000_000, 480_000), (3_000_000, 160_000),
      (15_000_000, 32_000), (16_000_000, 30_000), (18_000_000, 30_000), (1, 600_000),
    ] as [(Int64, Int64)])
  func `bytes count as media of the variant that is loaded, from a least to a most`(
    bitRate: Int64, milliseconds: Int64
  ) {
    var rule = FetchRule(media: .seconds(600), bytes: 60_000_000)
    let rungs = ladder([bitRate, 7])
    #expect(rule.loading(0, of: rungs) == rule)
    rule.leastMedia = .seconds(30)
    #expect(rule.loading(nil, of: rungs) == rule)
    let loading = rule.loading(0, of: rungs)
    #expect(loading.media == .milliseconds(milliseconds) && loading.bytes == nil)
    rule.media = nil
    let worth = max(30_000, 480_000_000_000 / bitRate)
    #expect(rule.loading(0, of: rungs).media == .milliseconds(worth))
    rule.bytes = nil
    #expect(rule.loading(0, of: rungs).media == nil)
  }

  @Test func `a player that sleeps looks at its own times`() {
    let rule = FetchRule(media: .seconds(60), sleeps: .milliseconds(500))
    #expect(rule.look(from: seconds(3), since: seconds(3)) == seconds(3))
    #expect(
      rule.look(from: milliseconds(3_001), since: seconds(3)) == milliseconds(3_500))
    #expect(
      rule.look(from: milliseconds(4_500), since: milliseconds(3_500)) == milliseconds(4_500))
    #expect(rule.look(from: .distantFuture, since: seconds(3)) == .distantFuture)
    #expect(FetchRule.unlimited.look(from: seconds(4), since: seconds(3)) == seconds(4))
  }

  // MARK: From outside

  @Test func `a policy of an app's own is asked by its name`() throws {
    var registry = PolicyRegistry()
    registry.register(
      CustomPolicy(
        name: "every other",
        start: { question, memory in
          memory.numbers.append(question.snapshot.now.nanoseconds)
          return .decided(memory.numbers.count % 2 == 0)
        }))
    let estimator = EstimatorSeat(EstimatorDescription(.history(.sinceBeginning)))
    let description = PolicyDescription(
      start: .named("every other"), resume: .everythingLoaded, estimator: estimator,
      fetch: .unlimited)
    var policy = try Policy(description, with: registry)
    var judgement = policy.judgement()
    let answers = ((1...4) as ClosedRange<Int64>).map {
      let place = MediaTime.milliseconds($0)
      let snapshot = file.snapshot(.start, at: seconds($0), playhead: place)
      let answer = policy.readiness(snapshot, .empty, &judgement).answer
      // What has not changed is not asked again.
      #expect(policy.readiness(snapshot, .empty, &judgement).answer == answer)
      var later = snapshot
      later.now = later.now + .milliseconds(1)
      #expect(policy.readiness(later, .empty, &judgement).answer == answer)
      return answer
    }
    #expect(answers == [false, true, false, true])
    #expect(throws: PolicyProblem.doesNotFill("every other", .resume)) {
      _ = try Policy(
        PolicyDescription(
          start: .everythingLoaded, resume: .named("every other"), estimator: estimator,
          fetch: .unlimited),
        with: registry)
    }
    #expect(throws: PolicyProblem.notAlone(.start)) {
      _ = try Policy(
        PolicyDescription(
          start: .any([.named("every other")]), resume: .everythingLoaded, estimator: estimator,
          fetch: .unlimited),
        with: registry)
    }
  }

  @Test func `each preset has a name of its own, and says where each of its choices comes from`()
    throws
  {
    let names = PolicyPreset.all.map(\.name)
    #expect(Set(names).count == names.count)
    for preset in PolicyPreset.all {
      #expect(PolicyPreset.named(preset.name) == preset)
      #expect(preset.evidence.map(\.seat) == PolicySeat.allCases)
      _ = try Policy(preset.description)
    }
  }

  /// A policy whose own rules go by the buffer alone hears ends; once an item has a rule that goes
  /// by throughput, for its start or for going on, it hears what its estimator wants.
  @Test func `a rule of an item that goes by throughput lets the policy hear all`() throws {
    let progress = Subscription.progress(every: .milliseconds(16), bytes: 0)
    func subscription(of heuristic: KeepUpHeuristic?, _ source: SourceKind) throws -> Subscription {
      var policy = try Policy(
        PolicyDescription(
          start: .level(.media(.seconds(2))), resume: .level(.media(.seconds(5))),
          estimator: EstimatorSeat(
            EstimatorDescription(
              .samples(
                SampleStatistics(
                  .last, over: Sampling(.progress(every: .milliseconds(16), bytes: 0)))))),
          nextVariant: .fixed, abandon: .never, fetch: .unlimited))
      policy.serve(heuristic)
      return policy.subscription(to: source, flows: false)
    }
    for source in [SourceKind.progressive, .segmented] {
      #expect(try subscription(of: nil, source) == .ends)
      for heuristic in [
        KeepUpHeuristic.everythingLoaded, .immediate,
        .thresholds(start: .seconds(1), resume: .seconds(2)),
      ] {
        #expect(try subscription(of: heuristic, source) == .ends)
      }
      #expect(try subscription(of: .standard, source) == progress)
      #expect(try subscription(of: .standard, .local) == .nothing)
    }
  }
}

extension FetchRule {
  init(
    media: MediaTime? = nil, bytes: Int64? = nil, refillPercent: Int64 = 75,
    atLimit: AtLimit = .suspends, countsNext: Bool = false, sleeps: TimeSpan = .zero
  ) {
    self = .unlimited
    (self.media, self.bytes, self.refillPercent) = (media, bytes, refillPercent)
    (self.atLimit, self.countsNext, self.sleeps) = (atLimit, countsNext, sleeps)
  }
}
