import PlayerPolicies
import Testing
import VirtualTime

@Suite struct AbandonRuleTests {
  /// 3 MB of which 1 MB has come; 6 s of 1 Mbit/s are 750 kB, of half of that 375 kB.
  @Test(
    arguments: [
      (4_000_000, 2_999_999, nil, nil), (3_800_000, 1_000_000, nil, 2),
      (1_100_000, 1_000_000, nil, 2), (1_100_000, 2_249_999, nil, 2),
      (1_100_000, 2_250_000, nil, nil), (1_100_000, 2_250_000, 5, nil),
      (1_100_000, 2_250_000, 6, 2), (600_000, 2_624_999, nil, 1), (600_000, 2_625_000, 3, nil),
      (600_000, 2_990_000, 6, 1), (4_400_000, 10, 1, nil),
    ] as [(Int64, Int64, Int64?, Int?)])
  func `a new choice ends a request that it makes useless`(
    estimate: Int64, received: Int64, lasts: Int64?, rung: Int?
  ) throws {
    var description = try #require(PolicyPreset.named("Shaka 5.2")).description
    description.abandon = .slow(SlowSegmentRule(choosesAnew: true))
    var rules = try RunningRules(description)
    var asked = question(
      seconds(5), received: received, lasts: lasts.map { .seconds($0) },
      isMoving: lasts != nil, estimate: estimate)
    _ = rules.judgement.looks(
      at: watched, lasts: asked.lasts, isMoving: asked.isMoving, at: milliseconds(4_900))
    let verdict = rules.running.abandon(asked, &rules.judgement)
    #expect(verdict.answer == (rung.map { .giveUp(for: $0) } ?? .goOn))
    // For eight seconds nothing else is chosen.
    asked.now = seconds(12)
    let next = rules.running.abandon(asked, &rules.judgement)
    #expect(next.answer == .goOn)
  }

  /// Shaka is told of progress, and of none before the first byte.
  @Test func `a request of which nothing came is no reason to choose anew`() throws {
    let shaka = try #require(PolicyPreset.named("Shaka 5.2")).description
    for (received, answer) in [(0, .goOn), (1, .giveUp(for: 1))] as [(Int64, AbandonAnswer)] {
      var rules = try RunningRules(shaka)
      let asked = question(
        seconds(20), received: received, lasts: .seconds(9),
        responded: received > 0 ? .zero : nil, estimate: 600_000)
      _ = rules.judgement.looks(
        at: watched, lasts: asked.lasts, isMoving: true, at: milliseconds(19_900))
      let verdict = rules.running.abandon(asked, &rules.judgement)
      #expect(verdict.answer == answer)
      #expect((verdict.clause == .nothingCame) == (received == 0))
    }
  }

  private let rungs = ladder([4_000_000, 500_000, 1_000_000])

  private func question(
    _ now: Instant, received: Int64, beside: Int64 = 0, missingBeside: Int64 = 0,
    lasts: TimeSpan?, isMoving: Bool = true,
    responded: Instant? = .zero, estimate: Int64? = nil, rate: PlaybackRate = .normal
  ) -> AbandonQuestion {
    AbandonQuestion(
      now: now, ladder: rungs, eligible: EligibleRungs(allOf: rungs),
      estimate: Estimate(bitsPerSecond: estimate, isReliable: estimate != nil),
      request: RequestFacts(
        began: .zero, responded: responded, received: received, bytes: 3_000_000, variant: 0,
        segment: 4), received: received + beside, missingBeside: missingBeside, rate: rate,
      lasts: lasts, isMoving: isMoving)
  }

  /// 1,200,000 bytes in 3 s are 3.2 Mbit/s: the other 1,800,000 take 4.5 s. 6 s of 1 Mbit/s take
  /// 1.875 s, and 6 s of half of it 0.94 s.
  @Test(
    arguments: [
      (9_000, nil), (4_600, nil), (4_500, nil), (4_400, 2), (3_000, 2), (1_900, 2), (1_800, 1),
      (1_000, 1), (900, 1), (100, 1),
    ] as [(Int64, Int?)])
  func `what comes later than the buffer lasts is given up for the highest in time`(
    lasts: Int64, other: Int?
  ) {
    for isMoving in [true, false] {
      var watch = AbandonWatch(.slow(SlowSegmentRule(fromPercent: 50, judgesFirst: false)))
      func ask(_ now: Instant) -> AbandonVerdict {
        watch.verdict(
          question(now, received: 1_200_000, lasts: .milliseconds(lasts), isMoving: isMoving))
      }
      _ = watch.isDue(watched, lasts: .milliseconds(lasts), isMoving: isMoving, at: .zero)
      let (early, verdict) = (ask(milliseconds(2_900)), ask(seconds(3)))
      #expect(early.clause == .notYet)
      #expect(verdict.answer == (other.map { .giveUp(for: $0) } ?? .goOn))
    }
    var idle = AbandonWatch(.slow(SlowSegmentRule(judgesFirst: false)))
    _ = idle.isDue(watched, lasts: nil, isMoving: false, at: .zero)
    let none = question(seconds(3), received: 1_200_000, lasts: nil, isMoving: false)
    let verdict = idle.verdict(none)
    #expect(verdict.clause == .notYet)
  }

  /// Four seconds after the request and two after its first byte: 1.2 MB are 2.4 Mbit/s, at which
  /// the other 1.8 MB take 6 s and have to be there 1 s before the buffer is played.
  @Test(
    arguments: [
      (1_200_000, 7_000, nil), (1_200_000, 6_999, 2), (600_000, 17_000, nil),
      (600_000, 16_999, 2), (400_000, 27_000, nil), (400_000, 26_999, 1), (1_500_000, 5_000, nil),
      (1_500_000, 4_999, 2), (2_400_000, 2_000, nil), (2_400_000, 1_900, nil),
    ] as [(Int64, Int64, Int?)])
  func `VHS counts the rate of a segment from its request`(
    received: Int64, lasts: Int64, rung: Int?
  ) throws {
    var rules = try RunningRules(try #require(PolicyPreset.named("VHS 3.17")).description)
    let asked = question(
      seconds(4), received: received, lasts: .milliseconds(lasts), responded: seconds(2))
    _ = rules.judgement.looks(at: watched, lasts: asked.lasts, isMoving: true, at: seconds(2))
    let verdict = rules.running.abandon(asked, &rules.judgement)
    #expect(verdict.answer == (rung.map { .giveUp(for: $0) } ?? .goOn))
  }

  private var watched: RequestFacts {
    RequestFacts(began: .zero, responded: .zero, variant: 0, segment: 4)
  }

  /// All of its 3,000,000 bytes may take 10.8 s, which 2.22 Mbit/s are needed for.
  @Test(
    arguments: [
      (250_000, true), (277_000, true), (278_000, false), (300_000, false), (100_000, true),
      (50_000, true), (500_000, false), (1_000_000, false), (2_600_000, false), (10_000, true),
    ] as [(Int64, Bool)])
  func `what takes longer than a share of its length is given up`(received: Int64, isSlow: Bool) {
    for lasts in [nil, .seconds(1), .seconds(15)] as [TimeSpan?] {
      var watch = AbandonWatch(.slow(SlowSegmentRule(from: .milliseconds(500), takesPercent: 180)))
      _ = watch.isDue(watched, lasts: lasts, isMoving: lasts != nil, at: .zero)
      let early = question(milliseconds(400), received: received, lasts: lasts)
      let first = watch.verdict(early)
      #expect(first.clause == .notYet)
      let verdict = watch.verdict(question(seconds(1), received: received, lasts: lasts))
      #expect((verdict.answer != .goOn) == isSlow)
      #expect(verdict.clause == (isSlow ? .tooSlow : .inTime))
    }
  }

  // 1,250,000 bytes in 2.5 s are 4 Mbit/s, which the variant needs, whatever the audio has of it.
  @Test(arguments: [0, 1, 100, 9_999, 200_000, 400_000, 625_000, 800_000, 1_100_000, 1_249_999])
  func `audio that shares the link is part of what the link sustains`(beside: Int64) {
    var watch = AbandonWatch(.rescue(RescueRule()))
    _ = watch.verdict(question(.zero, received: 0, lasts: .seconds(10)))
    var short = watch
    let now = milliseconds(2_500)
    let half = question(now, received: 1_250_000 - beside, beside: beside, lasts: .seconds(4))
    #expect(watch.verdict(half).clause == .sustained)
    let less = question(now, received: 1_249_999 - beside, beside: beside, lasts: .seconds(4))
    #expect(short.verdict(less).clause == .tooSlow)
  }

  // 1,800,000 bytes are missing; 4.8 Mbit/s bring them in 3 s, and 600,000 beside them in 1 s.
  @Test(arguments: [(0, 6_000), (600_000, 7_000), (1_800_000, 9_000), (9_000_000, 9_000)])
  func `what is missing beside a segment is waited for in equal shares`(
    missing: Int64, enough: Int64
  ) {
    for (lasts, clause) in [(enough, AbandonClause.inTime), (enough - 1, .tooSlow)] {
      var watch = AbandonWatch(.rescue(RescueRule()))
      let rate = PlaybackRate(3, over: 2)
      _ = watch.verdict(question(.zero, received: 0, lasts: .seconds(8), rate: rate))
      let verdict = watch.verdict(
        question(
          seconds(2), received: 1_200_000, missingBeside: missing,
          lasts: .milliseconds(lasts + 1_000), rate: rate))
      #expect(verdict.clause == clause, "\(missing) \(lasts)")
    }
  }

  @Test func `a segment is looked at when it has taken a quarter of what is ahead`() {
    var watch = AbandonWatch(.rescue(RescueRule()))
    #expect(
      watch.verdict(question(.zero, received: 0, lasts: .seconds(20)))
        == AbandonVerdict(.goOn, .notYet, changesAt: seconds(5)))
    #expect(
      watch.verdict(question(seconds(4), received: 9, lasts: .seconds(16))).clause == .notYet)
    // 500,000 bytes in 5 s: the rest takes 25 s, and 15 are left.
    #expect(
      watch.verdict(question(seconds(5), received: 500_000, lasts: .seconds(15)))
        == AbandonVerdict(.giveUp(for: 1), .tooSlow))
    #expect(watch.nextLook == .distantFuture)
  }

  @Test(
    arguments: [
      (2_500_000, AbandonClause.sustained), (2_200_000, .inTime), (0, .nothingCame),
      (2_700_000, .sustained),
    ] as [(Int64, AbandonClause)])
  func `it is kept for a reason`(received: Int64, clause: AbandonClause) {
    var watch = AbandonWatch(.rescue(RescueRule()))
    _ = watch.verdict(question(.zero, received: 0, lasts: .seconds(20)))
    let verdict = watch.verdict(question(seconds(5), received: received, lasts: .seconds(15)))
    #expect(verdict.answer == .goOn)
    #expect(verdict.clause == clause)
    #expect(verdict.changesAt == milliseconds(8_750))
  }

  // Bytes of two and a half seconds: 4 Mbit/s are needed, times the rate.
  @Test(
    arguments: [
      (1_250_000, PlaybackRate(1), AbandonClause.sustained),
      (1_249_999, PlaybackRate(1), .tooSlow), (1_250_000, PlaybackRate(2), .tooSlow),
      (2_499_999, PlaybackRate(2), .inTime), (2_500_000, PlaybackRate(2), .sustained),
      (1_250_000, PlaybackRate(5, over: 4), .tooSlow),
      (625_000, PlaybackRate(1, over: 2), .sustained),
    ] as [(Int64, PlaybackRate, AbandonClause)])
  func `a network keeps real time with a variant at the speed at which it plays`(
    received: Int64, rate: PlaybackRate, clause: AbandonClause
  ) {
    var watch = AbandonWatch(.rescue(RescueRule()))
    _ = watch.verdict(question(.zero, received: 0, lasts: .seconds(10), rate: rate))
    let verdict = watch.verdict(
      question(milliseconds(2_500), received: received, lasts: .seconds(4), rate: rate))
    #expect(verdict.clause == clause)
  }

  @Test func `patience goes down to what the throughput sustains at the speed at which it plays`() {
    for (rate, rung) in [(PlaybackRate(1), 2), (PlaybackRate(2), 1)] {
      var watch = AbandonWatch(.rescue(RescueRule(lookPercent: nil)))
      _ = watch.verdict(question(.zero, received: 0, lasts: .seconds(3), rate: rate))
      let verdict = watch.verdict(
        question(seconds(5), received: 1, lasts: nil, estimate: 1_100_000, rate: rate))
      #expect(verdict.answer == .giveUp(for: rung))
    }
  }

  @Test func `what is nearly there is not thrown away`() {
    var watch = AbandonWatch(.rescue(RescueRule()))
    _ = watch.verdict(question(.zero, received: 0, lasts: .seconds(20)))
    _ = watch.verdict(question(seconds(5), received: 2_000_000, lasts: .seconds(15)))
    // 100,000 bytes in 3.75 s leave 900,000, and the lowest variant has 375,000.
    let slow = question(milliseconds(8_750), received: 2_100_000, lasts: .milliseconds(11_250))
    #expect(watch.verdict(slow).clause == .tooSlow)
    var late = AbandonWatch(.rescue(RescueRule()))
    _ = late.verdict(question(.zero, received: 0, lasts: .seconds(4)))
    // 2,640,000 bytes came; then the link fell to next to nothing.
    _ = late.verdict(question(seconds(1), received: 2_640_000, lasts: .seconds(3)))
    #expect(
      late.verdict(question(milliseconds(1_750), received: 2_650_000, lasts: .milliseconds(2_250)))
        .clause == .nothingToGain)
  }

  @Test func `patience ends so long after what was ahead`() {
    var watch = AbandonWatch(.rescue(RescueRule(lookPercent: nil)))
    #expect(
      watch.verdict(question(.zero, received: 0, lasts: .seconds(3)))
        == AbandonVerdict(.goOn, .notYet, changesAt: seconds(5)))
    var silent = watch
    #expect(
      silent.verdict(question(seconds(5), received: 0, lasts: nil)).clause == .nothingCame)
    // A bit a second less than the second variant needs, and more than that.
    for (rate, rung) in [(999_999, 1), (1_100_000, 2)] as [(Int64, Int)] {
      var watch = watch
      let over = question(seconds(5), received: 1, lasts: nil, estimate: rate)
      #expect(watch.verdict(over) == AbandonVerdict(.giveUp(for: rung), .patienceOver))
    }
  }

  // Of 3 MB; a segment of the variant that 1.1 Mbit/s sustain has 750,000 bytes, and one of the
  // lowest 375,000.
  @Test(
    arguments: [
      (1, 1_100_000, AbandonClause.patienceOver), (2_249_999, 1_100_000, .patienceOver),
      (2_250_000, 1_100_000, .nothingToGain), (2_640_000, 1_100_000, .nothingToGain),
      (2_999_999, 1_100_000, .nothingToGain), (2_250_000, 600_000, .patienceOver),
      (2_624_999, 600_000, .patienceOver), (2_625_000, 600_000, .nothingToGain),
      (2_700_000, 10, .nothingToGain), (1_500_000, 10, .patienceOver),
    ] as [(Int64, Int64, AbandonClause)])
  func `patience or not, more is not asked for than is missing`(
    received: Int64, estimate: Int64, clause: AbandonClause
  ) {
    var watch = AbandonWatch(.rescue(RescueRule(lookPercent: nil)))
    _ = watch.verdict(question(.zero, received: 0, lasts: .seconds(3)))
    let verdict = watch.verdict(
      question(seconds(5), received: received, lasts: nil, estimate: estimate))
    #expect(verdict.clause == clause)
    #expect((verdict.answer == .goOn) == (clause == .nothingToGain))
  }

  @Test func `with nothing to play a segment is given up where a lower one is there sooner`() {
    let rule = AbandonRule.rescue(
      RescueRule(first: .usual))
    var watch = AbandonWatch(rule)
    #expect(
      watch.verdict(question(.zero, received: 0, lasts: nil, isMoving: false)).changesAt
        == seconds(2))
    // 60,000 bytes in 2 s: the rest takes 98 s, and a segment of the lowest variant 12.5.
    #expect(
      watch.verdict(question(seconds(2), received: 60_000, lasts: nil, isMoving: false))
        == AbandonVerdict(.giveUp(for: 1), .lowerIsSooner))
    var never = AbandonWatch(.rescue(RescueRule()))
    #expect(
      never.verdict(question(seconds(2), received: 9, lasts: nil, isMoving: false)).changesAt
        == .distantFuture)
    var nearly = AbandonWatch(rule)
    _ = nearly.verdict(question(.zero, received: 0, lasts: nil, isMoving: false))
    #expect(
      nearly.verdict(question(seconds(9), received: 2_700_000, lasts: nil, isMoving: false)).clause
        == .nothingToGain)
  }

  @Test func `whoever never gives up never looks`() {
    var watch = AbandonWatch(.never)
    #expect(
      watch.verdict(question(seconds(50), received: 1, lasts: .milliseconds(1)))
        == AbandonVerdict(.goOn, .notYet))
  }
}

extension AbandonRuleTests {
  @Test func `a segment that took too long is given up once, whatever takes its place`() {
    var watch = AbandonWatch(.slow(SlowSegmentRule(takesPercent: 180)))
    for (second, variant, segment, isGivenUp) in [
      (1, 0, 4, true), (2, 2, 4, false), (3, 2, 4, false), (4, 0, 5, true), (5, 2, 5, false),
      (6, 0, 4, false),
    ] as [(Int64, Int, Int, Bool)] {
      let request = RequestFacts(
        began: seconds(second - 1), responded: seconds(second - 1), received: 9, bytes: 3_000_000,
        variant: variant, segment: segment)
      _ = watch.isDue(request, lasts: nil, isMoving: false, at: seconds(second - 1))
      let rungs = ladder([4_000_000, 500_000, 1_000_000])
      let verdict = watch.verdict(
        AbandonQuestion(
          now: seconds(second), ladder: rungs, eligible: EligibleRungs(allOf: rungs),
          estimate: .unknown, request: request, lasts: nil, isMoving: false))
      #expect(verdict.answer == (isGivenUp ? .giveUp(for: 1) : .goOn), "\(second)")
      #expect(isGivenUp || verdict.changesAt == seconds(second) + .milliseconds(100))
    }
  }
}

extension SlowSegmentRule {
  init(
    from: TimeSpan = .zero, fromPercent: Int64 = 0, takesPercent: Int64? = nil,
    judgesFirst: Bool = true, choosesAnew: Bool = false
  ) {
    self = .usual
    (self.from, self.fromPercent, self.choosesAnew) = (from, fromPercent, choosesAnew)
    (self.takesPercent, self.judgesFirst) = (takesPercent, judgesFirst)
  }
}
