import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// Rules for the next variant, against their descriptions written once more in whole numbers.
@Suite struct VariantPropertyTests {
  /// A ladder, on which some variants have the same peak, and what is known when a rule is asked.
  private struct Case {
    var peaks: [Int64]
    var averages: [Int64?]
    var isEligible: [Bool]
    var lengths: [Int64]
    var speed: (Int64, over: Int64)
    var current: Int
    var estimate: Int64?
    var latency: Int64?
    var ahead: Int64
    var limit: Int64?
    var offset: Int64?
    var part: Int64?
    var switched: Int64?
    let now: Int64 = 60_000_000_000

    init(_ draw: inout Draw) {
      peaks = (0..<draw.within(1...6)).map { _ in Int64(draw.within(1...12)) * 400_000 }
      averages = peaks.map { draw.chance(40) ? $0 * Int64(draw.within(60...100)) / 100 : nil }
      isEligible = peaks.map { _ in draw.chance(90) }
      current = draw.below(peaks.count)
      if !isEligible.contains(true) { isEligible[current] = true }
      lengths = (0..<draw.within(1...5)).map { _ in Int64(draw.within(1...8)) * 1_000_000_000 }
      speed = draw.one(of: [(1, 1), (1, 1), (2, 1), (1, 2), (3, 2), (0, 1)])
      estimate = draw.chance(95) ? Int64(draw.within(1...70)) * 100_000 : nil
      // The estimate that just sustains a variant, or a bit less.
      if draw.chance(20) {
        estimate = (averages[current] ?? peaks[current]) - Int64(draw.below(2))
      }
      latency = draw.chance(60) ? Int64(draw.within(0...2_500)) * 1_000_000 : nil
      ahead = Int64(draw.within(0...80)) * 500_000_000
      limit = draw.chance(40) ? Int64(draw.within(1...60)) * 500_000_000 : nil
      offset = draw.chance(30) ? Int64(draw.within(1...60)) * 500_000_000 : nil
      part = draw.chance(30) ? Int64(draw.within(1...4)) * 333_000_000 : nil
      switched = draw.chance(60) ? Int64(draw.within(20...60)) * 1_000_000_000 : nil
    }

    var question: VariantQuestion {
      let boundaries = (0...lengths.count).map { count in
        MediaTime(nanoseconds: lengths.prefix(count).reduce(0, +))
      }
      let ladder = Ladder(
        rungs: zip(peaks, averages).map { Ladder.Rung(bandwidth: $0, averageBandwidth: $1) },
        boundaries: boundaries)
      var question = VariantQuestion(
        now: .zero + TimeSpan(nanoseconds: now), ladder: ladder,
        eligible: EligibleRungs(ladder, isEligible), current: current,
        estimate: Estimate(
          bitsPerSecond: estimate, latency: latency.map { TimeSpan(nanoseconds: $0) },
          isReliable: estimate != nil),
        ahead: MediaTime(nanoseconds: ahead),
        rate: PlaybackRate(Int32(speed.0), over: Int32(speed.over)),
        switched: switched.map { .zero + TimeSpan(nanoseconds: $0) })
      question.mediaLimit = limit.map { MediaTime(nanoseconds: $0) }
      question.liveOffset = offset.map { MediaTime(nanoseconds: $0) }
      question.partLength = part.map { MediaTime(nanoseconds: $0) }
      return question
    }

    func sustained(_ rung: Int) -> Int64 { averages[rung] ?? peaks[rung] }

    /// Eligible variants from the lowest peak up, the first listed of equals first.
    var ascending: [Int] {
      peaks.indices.filter { isEligible[$0] }.sorted { (peaks[$0], $0) < (peaks[$1], $1) }
    }

    /// Of those that fit the one of the highest peak, the first listed of equals; else the lowest.
    func highest(where fits: (Int) -> Bool) -> Int? {
      guard let top = ascending.last(where: fits) else { return nil }
      return ascending.first { peaks[$0] == peaks[top] && fits($0) }
    }

    /// Paused playback counts as at normal speed.
    private func pace(of speed: (Int64, over: Int64)) -> (Int128, Int128) {
      speed.0 == 0 ? (1, 1) : (Int128(speed.0), Int128(speed.over))
    }

    func usable(_ percent: Int64, of rate: Int64, at speed: (Int64, over: Int64)? = nil) -> Int64 {
      let pace = pace(of: speed ?? self.speed)
      return Int64(Int128(rate) * Int128(percent) * pace.1 / (100 * pace.0))
    }

    /// The time that media takes to play, rounded up.
    func played(_ media: Int64) -> Int64 {
      let pace = pace(of: speed)
      return Int64((Int128(media) * pace.1 + pace.0 - 1) / pace.0)
    }

    var mean: Int64 { lengths.reduce(0, +) / Int64(lengths.count) }

    /// The time in which a stretch of a variant comes at a bit rate.
    func time(_ media: Int64, of rung: Int, at rate: Int64) -> Int64 {
      let bytes = (Int128(media) * Int128(sustained(rung)) + 7_999_999_999) / 8_000_000_000
      let rate = Int128(max(1, rate))
      return Int64((bytes * 8_000_000_000 + rate - 1) / rate)
    }
  }

  private func takes(_ rung: Int, _ clause: VariantClause, on current: Int) -> VariantVerdict {
    VariantVerdict(rung == current ? .stay : .take(rung), clause)
  }

  /// Variants that may not be played any more are left, whatever a rule says.
  private func leaving(_ verdict: VariantVerdict, _ one: Case) -> VariantVerdict {
    if verdict.answer != .stay || one.isEligible[one.current] { return verdict }
    return VariantVerdict(.take(one.ascending[0]), .notEligible)
  }

  private func check(
    _ part: String, atLeast clauses: [VariantClause],
    _ asked: (inout Draw, Case) -> (NextVariantRule, VariantVerdict)
  ) {
    var seen: [VariantClause: Int] = [:]
    for seed in Seeds.first(2_000, inRelease: 8_000) {
      var draw = Draw(seed: seed, part: part)
      let one = Case(&draw)
      let (rule, plain) = asked(&draw, one)
      let expected = leaving(plain, one)
      let verdict = rule.choice(one.question)
      #expect(
        verdict.answer == expected.answer && verdict.clause == expected.clause,
        "\(seed) \(verdict) \(expected) \(one) \(rule)")
      seen[expected.clause, default: 0] += 1
    }
    for clause in clauses { #expect(seen[clause, default: 0] > 10, "\(clause)") }
  }

  @Test func `the throughput, the buffer and the round trips decide as they are described`() {
    check(
      "throughput",
      atLeast: [
        .noThroughput, .bestAlready, .notEligible, .bufferTooLow, .firstSegmentLate,
        .higherSustained, .stillSustained, .bufferHigh, .lowerSustained,
      ]
    ) { draw, one in
      var rule = ThroughputChoice.usual
      rule.safetyPercent = Int64(draw.within(50...120))
      let half = draw.chance(50) ? 0 : Int64(draw.within(0...30))
      rule.upSwitchBuffer = MediaTime(nanoseconds: half * 500_000_000)
      rule.upSwitchShare = draw.chance(60) ? Int64(draw.within(0...100)) : nil
      rule.upSwitchShareIsLive = draw.chance(40)
      rule.downSwitchBuffer = MediaTime(nanoseconds: Int64(draw.within(0...60)) * 500_000_000)
      rule.keepsSustained = draw.chance(60)
      rule.countsRoundTrips = draw.chance(60)
      rule.heedsRate = draw.chance(70)
      return (.throughput(rule), throughput(rule, one))
    }
  }

  private func throughput(_ rule: ThroughputChoice, _ one: Case) -> VariantVerdict {
    guard let throughput = one.estimate else { return VariantVerdict(.stay, .noThroughput) }
    var estimate = throughput
    if rule.countsRoundTrips, let latency = one.latency {
      let played = one.played(min(one.mean, one.limit ?? one.mean))
      estimate = Int64(
        Int128(throughput) * Int128(max(0, played - latency)) / Int128(one.played(one.mean)))
    }
    let pace: (Int64, over: Int64) = rule.heedsRate ? one.speed : (1, over: 1)
    let budget = one.usable(rule.safetyPercent, of: estimate, at: pace)
    let best = one.highest { one.sustained($0) <= budget } ?? one.ascending[0]
    if best == one.current { return VariantVerdict(.stay, .bestAlready) }
    if !one.isEligible[one.current] { return VariantVerdict(.take(best), .notEligible) }
    if one.peaks[best] <= one.peaks[one.current] {
      let all = one.usable(100, of: estimate, at: pace)
      if rule.keepsSustained, all >= one.sustained(one.current) {
        return VariantVerdict(.stay, .stillSustained)
      }
      return one.ahead >= rule.downSwitchBuffer.nanoseconds
        ? VariantVerdict(.stay, .bufferHigh) : VariantVerdict(.take(best), .lowerSustained)
    }
    var least = rule.upSwitchBuffer.nanoseconds
    let behindNext = one.offset.map { max(0, $0 - (one.part ?? one.mean)) }
    let either = [one.limit, one.offset].compactMap(\.self).min()
    if let share = rule.upSwitchShare, let most = rule.upSwitchShareIsLive ? behindNext : either {
      least = min(least, most * share / 100)
    }
    if one.ahead < least { return VariantVerdict(.stay, .bufferTooLow) }
    let needed =
      2 * (one.latency ?? 0) + one.time(one.part ?? one.mean, of: best, at: throughput)
    let isLate = needed > one.played(min(one.ahead, one.limit ?? one.ahead))
    return rule.countsRoundTrips && isLate
      ? VariantVerdict(.stay, .firstSegmentLate) : VariantVerdict(.take(best), .higherSustained)
  }

  @Test func `a band asks for one share to rise and for another to stay`() {
    check("band", atLeast: [.noThroughput, .bestAlready, .higherSustained, .lowerSustained]) {
      draw, one in
      var rule = BandRule.usual
      rule.upPercent = Int64(draw.within(40...100))
      rule.downPercent = Int64(draw.within(40...120))
      rule.starvation =
        draw.chance(60) ? TimeSpan(nanoseconds: Int64(draw.within(0...12)) * 500_000_000) : nil
      return (.band(rule), band(rule, one))
    }
  }

  private func band(_ rule: BandRule, _ one: Case) -> VariantVerdict {
    guard let estimate = one.estimate else { return VariantVerdict(.stay, .noThroughput) }
    let ahead = one.played(one.ahead)
    let isAverage = rule.starvation != nil && ahead >= 2 * one.mean
    func highest(in time: Int64?, late: Bool = false) -> Int? {
      one.ascending.last { rung in
        let isHigher = one.peaks[rung] > one.peaks[one.current]
        let usable = one.usable(isHigher ? rule.upPercent : rule.downPercent, of: estimate)
        let needs = isAverage && !late ? one.sustained(rung) : one.peaks[rung]
        guard needs <= usable, let time else { return needs <= usable }
        return (one.latency ?? 0) + one.time(one.mean, of: rung, at: usable) < time
      }
    }
    var best: Int?
    if let starvation = rule.starvation, one.offset == nil {
      best =
        highest(in: ahead)
        ?? highest(in: ahead + min(starvation.nanoseconds, one.mean), late: true)
    } else {
      best = highest(in: nil)
    }
    let rung = best ?? one.ascending[0]
    if rung == one.current { return VariantVerdict(.stay, .bestAlready) }
    let isHigher = one.peaks[rung] > one.peaks[one.current]
    return VariantVerdict(.take(rung), isHigher ? .higherSustained : .lowerSustained)
  }

  @Test func `what is ahead is a place between the lowest variant and the highest`() {
    check("buffer", atLeast: [.reservoir, .cushion, .bufferFull]) { draw, one in
      let reservoir = Int64(draw.within(0...20)) * 500_000_000
      let cushion = Int64(draw.within(0...60)) * 500_000_000
      let rule = BufferBasedRule(
        reservoir: MediaTime(nanoseconds: reservoir), cushion: MediaTime(nanoseconds: cushion))
      let (rungs, over) = (one.ascending, one.ahead - reservoir)
      if over < 0 { return (.bufferBased(rule), takes(rungs[0], .reservoir, on: one.current)) }
      if over >= cushion {
        return (.bufferBased(rule), takes(rungs[rungs.count - 1], .bufferFull, on: one.current))
      }
      let place = Int(Int64(rungs.count - 1) * over / cushion)
      return (.bufferBased(rule), takes(rungs[place], .cushion, on: one.current))
    }
  }

  @Test func `a step goes to the neighbour, and not soon after another`() {
    check("step", atLeast: [.tooSoon, .bufferFull, .cushion, .notEligible]) { draw, one in
      let rule = StepRule(
        upFrom: MediaTime(nanoseconds: Int64(draw.within(0...60)) * 500_000_000),
        downBelow: MediaTime(nanoseconds: Int64(draw.within(0...20)) * 500_000_000),
        leastBetweenSwitches: .seconds(Int64(draw.within(0...40))))
      guard let place = one.ascending.firstIndex(of: one.current) else {
        return (.step(rule), VariantVerdict(.stay, .notEligible))
      }
      // Without a request the first step is counted from the question.
      let since = one.switched ?? one.now
      if one.now - since < rule.leastBetweenSwitches.nanoseconds {
        return (.step(rule), VariantVerdict(.stay, .tooSoon))
      }
      let above = place + 1 < one.ascending.count ? one.ascending[place + 1] : one.current
      if one.ahead >= rule.upFrom.nanoseconds {
        return (.step(rule), takes(above, .bufferFull, on: one.current))
      }
      // Nothing has come yet, so that nothing is a reason to go down.
      return (.step(rule), VariantVerdict(.stay, .cushion))
    }
  }

  // MARK: The rules of dash.js together

  /// The history of choices, as the rule is described: the last eight, by what was left.
  private struct Guarded {
    var segments = 0
    var choices: [(rung: Int, falls: Bool)] = []

    /// The variant below the first, from the lowest up, up to which more than 7.5 % fell.
    func advised(_ one: Case) -> Int? {
      for (place, rung) in one.ascending.enumerated() {
        let below = Set(one.ascending.prefix(place + 1))
        let falls = choices.count { below.contains($0.rung) && $0.falls }
        let stays = choices.count { below.contains($0.rung) && !$0.falls }
        guard falls + stays >= 8, Double(falls) > 0.075 * Double(stays) else { continue }
        let isOwn = choices.contains { $0.rung == rung && $0.falls }
        return isOwn && place > 0 ? one.ascending[place - 1] : rung
      }
      return nil
    }

    mutating func verdict(_ one: Case, _ ahead: Int64, _ length: Int64) -> VariantVerdict {
      guard let estimate = one.estimate else { return VariantVerdict(.stay, .noThroughput) }
      func highest(_ rate: Int64) -> Int {
        one.highest { one.sustained($0) <= rate } ?? one.ascending[0]
      }
      let isEmpty = ahead < 300_000_000
      var all: [(rung: Int, clause: VariantClause)] = []
      if !isEmpty { all.append((highest(estimate * 9 / 10), .lowerSustained)) }
      if segments >= 2 {
        let allowed = Int64(Int128(estimate * 7 / 10) * Int128(ahead) / Int128(length))
        all.append((highest(isEmpty ? 0 : allowed), .reservoir))
      }
      if let rung = advised(one) { all.append((rung, .tooSoon)) }
      guard let least = all.map({ one.peaks[$0.rung] }).min(),
        let taken = all.first(where: { one.peaks[$0.rung] == least })
      else { return VariantVerdict(.stay, .noThroughput) }
      choices = (choices + [(one.current, least < one.peaks[one.current])]).suffix(8)
      if taken.rung == one.current { return VariantVerdict(.stay, .bestAlready) }
      let isHigher = least > one.peaks[one.current]
      return VariantVerdict(.take(taken.rung), isHigher ? .higherSustained : taken.clause)
    }
  }

  @Test func `the rules of dash js together decide as they are described`() throws {
    var seen: [VariantClause: Int] = [:]
    for seed in Seeds.first(160, inRelease: 600) {
      var draw = Draw(seed: seed, part: "guarded")
      var one = Case(&draw)
      one.isEligible = one.peaks.map { _ in true }
      var description = try #require(PolicyPreset.named("Shaka 5.2")).description
      description.nextVariant = .guarded(.usual)
      var rules = try RunningRules(description)
      var model = Guarded()
      var (request, heard): (Int64, Int64) = (0, -1)
      for step in 0..<40 {
        one.estimate = draw.chance(97) ? Int64(draw.within(1...70)) * 100_000 : nil
        one.ahead = draw.one(of: [
          0, 299_999_999, 300_000_000, Int64(draw.within(0...40)) * 500_000_000,
        ])
        var question = one.question
        question.nextSegment = draw.below(one.lengths.count + 2)
        if step > 0 {
          // A segment that was heard of is not counted again.
          if draw.chance(80) { request += 1 }
          if request != heard { model.segments += 1 }
          heard = request
          question.latest = SegmentArrival(
            request: request, rung: one.current, segment: 0, bytes: 1, began: .zero,
            responded: .zero, arrived: .zero)
        }
        let length = one.lengths[min(question.nextSegment, one.lengths.count - 1)]
        let expected = model.verdict(one, one.ahead, length)
        let verdict = rules.next(question)
        #expect(
          verdict.answer == expected.answer && verdict.clause == expected.clause,
          "\(seed) \(step) \(verdict) \(expected)")
        seen[expected.clause, default: 0] += 1
        if case .take(let rung) = expected.answer { one.current = rung }
      }
    }
    for clause in [
      VariantClause.noThroughput, .bestAlready, .higherSustained, .lowerSustained, .reservoir,
      .tooSoon,
    ] {
      #expect(seen[clause, default: 0] > 10, "\(clause)")
    }
  }
}
