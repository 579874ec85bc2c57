import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// Rules that give segments up, against their description written once more in fractions.
@Suite struct AbandonPropertyTests {
  /// A question for a rule, in nanoseconds, bytes and bit/s.
  private struct Case {
    var rates: [Int64]
    var length: Int64
    var speed: (Int64, over: Int64)
    var variant: Int
    var responded: Int64
    var now: Int64
    var received: Int64
    var bytes: Int64
    var lasts: Int64?
    var isMoving: Bool
    var latency: Int64?
    var beside: Int64
    var missingBeside: Int64

    init(_ draw: inout Draw) {
      rates = (0..<draw.within(1...4)).map { Int64($0) + Int64(draw.within(1...30)) * 100_000 }
      length = Int64(draw.within(1...8)) * 1_000_000_000
      speed = draw.one(of: [(1, 1), (2, 1), (1, 2), (3, 2)])
      variant = draw.below(rates.count)
      responded = Int64(draw.within(0...500)) * 1_000_000
      now = responded + Int64(draw.within(1...12_000)) * 1_000_000
      let whole = rates[variant] * length / 8_000_000_000
      bytes = max(1, whole * Int64(draw.within(60...140)) / 100)
      received = bytes * Int64(draw.below(100)) / 100
      lasts = draw.chance(75) ? Int64(draw.within(0...12_000)) * 1_000_000 : nil
      isMoving = lasts != nil && draw.chance(80)
      latency = draw.chance(50) ? Int64(draw.within(1...900)) * 1_000_000 : nil
      beside = draw.chance(30) ? received / 2 : 0
      missingBeside = draw.chance(30) ? bytes / Int64(draw.within(1...8)) : 0
    }

    var missing: Int64 { bytes - received }

    /// The playing time of a segment, rounded up.
    var span: Int64 { (length * speed.over + speed.0 - 1) / speed.0 }

    func bytes(of rung: Int) -> Int64 {
      Int64((Int128(length) * Int128(rates[rung]) + 7_999_999_999) / 8_000_000_000)
    }

    /// The bit rate of what came in a span, and the time in which so many bytes come at a rate.
    static func rate(_ bytes: Int64, in span: Int64) -> Int64 {
      Int64(Int128(bytes) * 8_000_000_000 / Int128(max(1, span)))
    }

    static func time(_ bytes: Int64, at rate: Int64) -> Int64 {
      let rate = Int128(max(1, rate))
      return Int64(clamping: (Int128(bytes) * 8_000_000_000 + rate - 1) / rate)
    }

    /// The lower variants, the highest first.
    var lower: [Int] {
      rates.indices.filter { rates[$0] < rates[variant] }
        .sorted { rates[$0] > rates[$1] }
    }

    /// A budget of the playing media for a share of a bit rate, in percent.
    func budget(_ percent: Int64, of rate: Int64) -> Int64 {
      Int64(Int128(rate) * Int128(percent * speed.over) / Int128(100 * speed.0))
    }

    /// The highest lower variant of a budget, else the lowest, where less of it is to come.
    func lower(within budget: Int64) -> Int? {
      guard let rung = lower.first(where: { rates[$0] <= budget }) ?? lower.last else { return nil }
      return bytes(of: rung) < missing ? rung : nil
    }

    func question(at now: Int64) -> AbandonQuestion {
      let ladder = ladder(rates, of: MediaTime(nanoseconds: length))
      var estimate = Estimate(bitsPerSecond: nil, isReliable: false)
      estimate.latency = latency.map { TimeSpan(nanoseconds: $0) }
      return AbandonQuestion(
        now: .zero + TimeSpan(nanoseconds: now), ladder: ladder,
        eligible: EligibleRungs(allOf: ladder), estimate: estimate,
        request: RequestFacts(
          began: .zero, responded: .zero + TimeSpan(nanoseconds: responded), received: received,
          bytes: bytes, variant: variant, segment: 4),
        received: received + beside, missingBeside: missingBeside,
        rate: PlaybackRate(Int32(speed.0), over: Int32(speed.over)),
        lasts: lasts.map { TimeSpan(nanoseconds: $0) }, isMoving: isMoving)
    }

    var watched: RequestFacts {
      RequestFacts(
        began: .zero, responded: .zero + TimeSpan(nanoseconds: responded), variant: variant,
        segment: 4)
    }
  }

  /// The answer at an instant, and that it is too early for one a nanosecond before the instant
  /// from which the rule looks.
  private func ask(_ rule: AbandonRule, _ one: Case, at now: Int64) -> AbandonVerdict {
    var watch = AbandonWatch(rule)
    let lasts = one.lasts.map { TimeSpan(nanoseconds: $0) }
    _ = watch.isDue(one.watched, lasts: lasts, isMoving: one.isMoving, at: .zero)
    return watch.verdict(one.question(at: now)).plain
  }

  // MARK: The rule of players in pages

  private func expected(_ rule: SlowSegmentRule, _ one: Case) -> (AbandonAnswer, AbandonClause) {
    if one.received == 0 { return (.goOn, .nothingCame) }
    let rate = Case.rate(one.received, in: one.now - one.responded)
    if let percent = rule.takesPercent {
      if Case.time(one.bytes, at: rate) < one.span * percent / 100 { return (.goOn, .inTime) }
      return one.lower(within: rate).map { (.giveUp(for: $0), .tooSlow) } ?? (.goOn, .nothingToGain)
    }
    let ahead = (one.lasts ?? 0) - rule.margin.nanoseconds
    let left = Case.time(one.missing, at: rate)
    if left <= ahead { return (.goOn, .inTime) }
    let latency = one.latency ?? 0
    func takes(_ rung: Int) -> Int64 { latency + Case.time(one.bytes(of: rung), at: rate) }
    let enough = one.lower.first { takes($0) < min(ahead, one.span + latency) }
    guard let rung = enough ?? one.lower.last else { return (.goOn, .nothingToGain) }
    let gain = rule.leastGain.nanoseconds * (ahead <= 0 ? 2 : 1)
    let isSooner = takes(rung) + gain < left && takes(rung) / 10 < one.span
    return isSooner ? (.giveUp(for: rung), .lowerIsSooner) : (.goOn, .nothingToGain)
  }

  @Test func `a slow segment is given up when its rule says so, and not before it looks`() {
    var seen: [AbandonClause: Int] = [:]
    for seed in Seeds.first(1_500, inRelease: 6_000) {
      var draw = Draw(seed: seed, part: "slow segments")
      var one = Case(&draw)
      var rule = SlowSegmentRule.usual
      rule.every = .milliseconds(1)
      rule.from = .milliseconds(Int64(draw.below(3) * 700))
      rule.fromPercent = Int64(draw.below(3) * 33)
      rule.takesPercent = draw.chance(50) ? Int64(draw.within(80...250)) : nil
      rule.margin = .milliseconds(Int64(draw.below(3) * 500))
      rule.leastGain = .milliseconds(Int64(draw.below(3) * 400))
      let first = max(
        one.responded + rule.from.nanoseconds, one.span * rule.fromPercent / 100)
      if draw.chance(30) { one.now = max(first, one.responded + 1_000_000) }
      if first > 1_000_000, one.received > 0 {
        #expect(ask(.slow(rule), one, at: first - 1).clause == .notYet, "\(seed)")
      }
      if one.now < first { continue }
      let (answer, clause) = expected(rule, one)
      let verdict = ask(.slow(rule), one, at: one.now)
      #expect(verdict.answer == answer && verdict.clause == clause, "\(seed) \(one) \(rule)")
      seen[clause, default: 0] += 1
    }
    for clause in [AbandonClause.nothingCame, .inTime, .tooSlow, .lowerIsSooner, .nothingToGain] {
      #expect(seen[clause, default: 0] > 10, "\(clause)")
    }
  }

  /// Times that are equal to a limit of the rule, and a nanosecond to either side of them.
  ///
  /// Of 800,000 bytes 400,000 came in 2 s: 1.6 Mbit/s bring the others in 2 s. Of the lower variant
  /// 200,000 bytes are to come, in 1 s.
  @Test(arguments: [-1, 0, 1] as [Int64])
  func `what comes when it is needed is in time, and what comes no sooner is no gain`(
    nanoseconds: Int64
  ) {
    func verdict(_ rule: SlowSegmentRule, lasts: Int64, latency: Int64 = 0) -> AbandonVerdict {
      var draw = Draw(seed: 1)
      var one = Case(&draw)
      (one.rates, one.variant, one.length, one.speed) = (
        [1_600_000, 400_000], 0, 4_000_000_000, (1, 1)
      )
      (one.responded, one.now, one.received, one.bytes) = (0, 2_000_000_000, 400_000, 800_000)
      (one.lasts, one.isMoving, one.latency) = (lasts, true, latency)
      return ask(.slow(rule), one, at: one.now)
    }
    var rule = SlowSegmentRule.usual
    #expect(
      verdict(rule, lasts: 2_000_000_000 + nanoseconds).clause
        == (nanoseconds >= 0 ? .inTime : .lowerIsSooner))
    rule.margin = .seconds(1)
    #expect(
      verdict(rule, lasts: 3_000_000_000 + nanoseconds).clause
        == (nanoseconds >= 0 ? .inTime : .lowerIsSooner))
    // 1 s, the latency and the gain have to be less than 2 s; with nothing ahead twice the gain.
    rule.leastGain = .milliseconds(400)
    #expect(
      verdict(rule, lasts: 2_500_000_000, latency: 600_000_000 + nanoseconds).clause
        == (nanoseconds >= 0 ? .nothingToGain : .lowerIsSooner))
    for lasts in [0, 1_000_000_000] as [Int64] {
      #expect(
        verdict(rule, lasts: lasts, latency: 200_000_000 + nanoseconds).clause
          == (nanoseconds >= 0 ? .nothingToGain : .lowerIsSooner))
    }
    // The whole of it takes 4 s, which is its length.
    rule.takesPercent = 100
    #expect(verdict(rule, lasts: 0).clause == .tooSlow)
    rule.takesPercent = 101
    #expect(verdict(rule, lasts: 0).clause == .inTime)
  }

  // MARK: The rule of rescue, with nothing to play

  private func expected(
    _ rule: RescueRule, _ first: FirstSegmentRule, _ one: Case
  ) -> (AbandonAnswer, AbandonClause) {
    if one.received + one.beside == 0 { return (.goOn, .nothingCame) }
    let rate = Case.rate(one.received + one.beside, in: one.now - one.responded)
    if one.rates[one.variant] <= one.budget(100, of: rate) { return (.goOn, .sustained) }
    let safe = one.budget(rule.safetyPercent, of: rate)
    guard let rung = one.lower(within: safe), rate > 0 else { return (.goOn, .nothingToGain) }
    func time(_ bytes: Int64) -> Int64 {
      Case.time(bytes + min(bytes, one.missingBeside), at: rate)
    }
    let there = time(one.bytes(of: rung)) + (one.latency ?? 0) + first.leastGain.nanoseconds
    return there >= time(one.missing)
      ? (.goOn, .nothingToGain) : (.giveUp(for: rung), .lowerIsSooner)
  }

  @Test func `what is waited for is given up when a lower variant is there sooner by enough`() {
    var seen: [AbandonClause: Int] = [:]
    for seed in Seeds.first(1_500, inRelease: 6_000) {
      var draw = Draw(seed: seed, part: "first segments")
      var one = Case(&draw)
      (one.lasts, one.isMoving) = (nil, false)
      let first = FirstSegmentRule(
        every: .milliseconds(Int64(draw.within(1...3_000))),
        leastGain: .milliseconds(Int64(draw.below(3) * 500)))
      let rescue = RescueRule(
        safetyPercent: Int64(draw.within(40...100)), first: first)
      let look = one.responded + first.every.nanoseconds
      one.now = max(one.now, look)
      if draw.chance(30) { one.now = look }
      #expect(ask(.rescue(rescue), one, at: look - 1).clause == .notYet, "\(seed)")
      let (answer, clause) = expected(rescue, first, one)
      let verdict = ask(.rescue(rescue), one, at: one.now)
      #expect(verdict.answer == answer && verdict.clause == clause, "\(seed) \(one) \(rescue)")
      seen[clause, default: 0] += 1
    }
    for clause in [AbandonClause.nothingCame, .sustained, .lowerIsSooner, .nothingToGain] {
      #expect(seen[clause, default: 0] > 10, "\(clause)")
    }
  }

  // MARK: The rule of rescue, while it plays

  private func expected(_ rule: RescueRule, _ one: Case) -> (AbandonAnswer, AbandonClause) {
    if one.received + one.beside == 0 || one.now == one.responded { return (.goOn, .nothingCame) }
    let rate = Case.rate(one.received + one.beside, in: one.now - one.responded)
    if one.rates[one.variant] <= one.budget(100, of: rate) { return (.goOn, .sustained) }
    let rest = Case.time(one.missing + min(one.missing, one.missingBeside), at: rate)
    if rest + one.span <= one.lasts ?? 0 { return (.goOn, .inTime) }
    return one.lower(within: one.budget(rule.safetyPercent, of: rate))
      .map { (.giveUp(for: $0), .tooSlow) } ?? (.goOn, .nothingToGain)
  }

  /// A look is planned when the segment is first seen, at a share of what is ahead then.
  @Test func `while it plays a segment is given up that would leave less than its length`() {
    var seen: [AbandonClause: Int] = [:]
    for seed in Seeds.first(1_500, inRelease: 6_000) {
      var draw = Draw(seed: seed, part: "rescue")
      var one = Case(&draw)
      one.isMoving = true
      let rescue = RescueRule(
        patience: nil, lookPercent: Int64(draw.within(1...60)),
        safetyPercent: Int64(draw.within(40...100)))
      var watch = AbandonWatch(.rescue(rescue))
      let ahead = Int64(draw.within(0...20_000)) * 1_000_000
      let look = max(250_000_000, ahead * (rescue.lookPercent ?? 0) / 100)
      one.now = max(look, one.responded + 1)
      if draw.chance(5) { (one.now, one.responded) = (look, look) }
      let isDue = watch.isDue(
        one.watched, lasts: TimeSpan(nanoseconds: ahead), isMoving: true, at: .zero)
      #expect(!isDue && watch.nextLook == .zero + TimeSpan(nanoseconds: look), "\(seed)")
      one.lasts = Int64(draw.within(0...30_000)) * 1_000_000
      let early = watch.verdict(one.question(at: look - 1))
      #expect(early.clause == .notYet)
      let (answer, clause) = expected(rescue, one)
      let verdict = watch.verdict(one.question(at: one.now))
      #expect(verdict.answer == answer && verdict.clause == clause, "\(seed) \(one) \(rescue)")
      let next = max(250_000_000, (one.lasts ?? 0) * (rescue.lookPercent ?? 0) / 100)
      #expect(
        watch.nextLook
          == (answer == .goOn ? .zero + TimeSpan(nanoseconds: one.now + next) : .distantFuture))
      seen[clause, default: 0] += 1
    }
    for clause in [AbandonClause.nothingCame, .sustained, .inTime, .tooSlow, .nothingToGain] {
      #expect(seen[clause, default: 0] > 10, "\(clause)")
    }
  }
}

extension RescueRule {
  fileprivate init(
    patience: TimeSpan? = .seconds(2), lookPercent: Int64? = 25, safetyPercent: Int64,
    first: FirstSegmentRule? = nil
  ) {
    self = .usual
    (self.patience, self.lookPercent) = (patience, lookPercent)
    (self.safetyPercent, self.first) = (safetyPercent, first)
  }
}

extension FirstSegmentRule {
  fileprivate init(every: TimeSpan, leastGain: TimeSpan) {
    self = .usual
    (self.every, self.leastGain) = (every, leastGain)
  }
}
