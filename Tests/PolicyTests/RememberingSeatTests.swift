import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// Rules of the literature that remember more than a question: the one that predicts, and BOLA-E.
@Suite struct RememberingSeatTests {
  /// A stream that is asked about segment by segment.
  private struct Session {
    var draw: Draw
    let rates: [Int64]
    /// In milliseconds.
    let length: Int64
    let count: Int
    let rungs: Ladder
    let eligible: [Int]
    var now = seconds(1)
    var number: Int64 = 0

    init(_ seed: UInt64, _ part: String) {
      var draw = Draw(seed: seed, part: part)
      rates = (1...draw.within(2...5)).map { Int64($0) * 500_000 + Int64(draw.below(9)) * 40_000 }
      length = Int64(draw.within(2...6)) * 1_000
      count = draw.within(8...20)
      rungs = ladder(rates, segments: Int64(count), of: .milliseconds(length))
      let barred = draw.chance(30) ? draw.below(rates.count) : nil
      eligible = rates.indices.filter { $0 != barred }
      self.draw = draw
    }

    var bitrates: [Double] { eligible.map { Double(rates[$0]) / 1_000 } }

    mutating func arrival(_ segment: Int, _ rung: Int, isAgain: Bool = false) -> SegmentArrival {
      number += 1
      let responded = now + .milliseconds(Int64(draw.within(1...400)))
      let arrival = SegmentArrival(
        request: number, rung: rung, segment: segment,
        bytes: length * rates[rung] / 8_000 * Int64(draw.within(70...130)) / 100, began: now,
        responded: responded, arrived: responded + .milliseconds(Int64(draw.within(1...6_000))),
        isAgain: isAgain)
      now = arrival.arrived
      return arrival
    }

    func sizes(of segments: Range<Int>, isFollowing: Bool) -> [[Double]] {
      segments.map { next in
        let place = min(count - 1, next + (isFollowing ? 1 : 0))
        return eligible.map { Double(rungs.expectedBytes(of: $0, from: place, to: place + 1)) }
      }
    }

    mutating func enhanced() -> EnhancedBolaRule {
      EnhancedBolaRule(
        buffer: .seconds(25), avoidsOscillation: draw.chance(30), hasBufferRule: draw.chance(70))
    }

    func published(_ segment: Int, _ level: Double, _ average: SabreAverage) -> PublishedQuestion {
      PublishedQuestion(
        PublishedQualities(bitrates), segmentLength: Double(length), segmentCount: count,
        segment: segment, level: level, throughput: average.throughput, latency: average.latency)
    }

    mutating func seat() -> PredictiveSeat {
      var seat = PredictiveSeat.usual
      seat.rule = PredictiveRule(horizon: draw.within(1...4))
      (seat.window, seat.isRobust) = (draw.within(1...5), draw.chance(50))
      seat.clock = draw.one(of: Sampling.Clock.allCases.map { $0 })
      seat.sizes = draw.one(of: PredictiveSeat.Sizes.allCases.map { $0 })
      return seat
    }

    func question(_ segment: Int, _ rung: Int, _ latest: SegmentArrival?, ahead: Int64)
      -> VariantQuestion
    {
      var question = VariantQuestion(
        now: now, ladder: rungs,
        eligible: EligibleRungs(rungs, rates.indices.map { eligible.contains($0) }), current: rung,
        estimate: Estimate(), ahead: .milliseconds(ahead), switched: nil)
      (question.latest, question.nextSegment) = (latest, segment)
      return question
    }
  }

  private func policy(_ rule: PublishedRule) throws -> Policy {
    var description = try #require(PolicyPreset.named("Shaka 5.2")).description
    description.nextVariant = .published(rule)
    return try Policy(description)
  }

  private static func milliseconds(_ span: TimeSpan) -> Double {
    Double(span.nanoseconds) / 1_000_000
  }

  @Test func `a rule that predicts is asked with the segments to come and how the last ones came`()
    throws
  {
    var changes = 0
    for seed in Seeds.first(60, inRelease: 400) {
      var session = Session(seed, "predictive seat")
      let seat = session.seat()
      var policy = try policy(.predictive(seat))
      var judgement = policy.judgement(ofVariants: .none)
      var throughput = HarmonicThroughput(window: seat.window)
      let last = session.count - session.draw.below(3)
      var (rung, steps) = (session.eligible[0], Int64(0))
      // Nothing is known before the first segment came.
      let first = policy.nextVariant(session.question(0, rung, nil, ahead: 0), &judgement)
      #expect(first.answer == .stay && first.clause == .noThroughput)
      for segment in 1..<session.count {
        let latest = session.arrival(segment - 1, rung)
        let from = seat.clock == .request ? latest.began : latest.responded
        throughput.add(
          Double(latest.bytes) / Self.milliseconds(latest.arrived - from) / 1_000)
        let ahead = Int64(session.draw.within(0...30_000))
        var question = session.question(segment, rung, latest, ahead: ahead)
        question.end = session.rungs.boundaries[last]
        let next = (segment..<max(segment, last)).prefix(seat.rule.horizon)
        let sizes = session.sizes(of: next, isFollowing: seat.sizes == .following)
        let asked = PredictiveRule.Question(
          bitrates: session.bitrates, sizes: sizes, segmentLength: Double(session.length) / 1_000,
          level: Double(ahead) / 1_000, previous: session.eligible.firstIndex(of: rung) ?? 0,
          throughput: (seat.isRobust ? throughput.robust : throughput.mean) ?? 0)
        let expected = seat.rule.choice(asked, steps: &steps)
        let chosen = session.eligible[expected]
        // Asked twice, it hears of the segment once.
        for _ in 0..<2 {
          let verdict = policy.nextVariant(question, &judgement)
          #expect(verdict.answer == (chosen == rung ? .stay : .take(chosen)), "\(seed) \(segment)")
          #expect(verdict.clause == .published)
        }
        // It is charged for each look, 32 to an event, and what is left over later.
        _ = seat.rule.choice(asked, steps: &steps)
        #expect(policy.takeSearchCost() == steps / 32, "\(seed) \(segment)")
        steps %= 32
        changes += chosen == rung ? 0 : 1
        rung = chosen
      }
    }
    #expect(changes > 100)
  }

  private static func add(_ latest: SegmentArrival, to average: inout SabreAverage) {
    let flowed = milliseconds(latest.arrived - latest.responded)
    average.add(
      took: flowed, throughput: Double(latest.bytes * 8) / flowed,
      latency: milliseconds(latest.responded - latest.began))
  }

  private func tell(
    _ latest: SegmentArrival, level: Double, _ rule: EnhancedBolaRule, _ session: Session,
    _ memory: inout EnhancedBolaRule.Memory
  ) {
    rule.hear(
      came: session.eligible.firstIndex(of: latest.rung) ?? 0,
      took: Self.milliseconds(latest.arrived - latest.began), level: level,
      isReplacement: latest.isAgain, PublishedQualities(session.bitrates),
      segmentLength: Double(session.length), &memory)
  }

  /// A nanosecond before its time a rule waits on, and then it goes on with what it chose.
  private func waited(
    _ until: Instant, _ question: VariantQuestion, _ policy: inout Policy,
    _ judgement: inout VariantJudgement
  ) -> VariantVerdict {
    var question = question
    question.now = until - TimeSpan(nanoseconds: 1)
    let early = policy.nextVariant(question, &judgement)
    #expect(early.answer == .wait(until: until) && early.clause == .noHaste)
    question.now = until
    let verdict = policy.nextVariant(question, &judgement)
    #expect(verdict.clause == .noHaste)
    return verdict
  }

  /// It hears of each segment with what is ahead when that came, and its placeholder grows by how
  /// long nothing was asked for.
  @Test func `BOLA E hears of what came, of waits and of seeks`() throws {
    var (changes, waits) = (0, 0)
    let kind = SabreAverage.Kind.halfLives(of: [.seconds(3), .seconds(8)])
    for seed in Seeds.first(60, inRelease: 400) {
      var session = Session(seed, "enhanced seat")
      let rule = session.enhanced()
      var policy = try policy(.enhancedBola(rule, kind))
      var judgement = policy.judgement(ofVariants: .none)
      var memory = EnhancedBolaRule.Memory()
      var average = SabreAverage(kind, segmentLength: Double(session.length))
      var (rung, segment, asked) = (session.eligible[0], 0, Int?.none)
      for _ in 0..<25 {
        segment = min(segment + 1, session.count - 1)
        if session.draw.chance(10) { segment = session.draw.below(session.count) }
        let latest = session.arrival(
          max(0, segment - 1), rung, isAgain: session.draw.chance(15))
        let waited = session.draw.chance(30) ? Int64(session.draw.within(1...3_000)) : 0
        session.now = session.now + .milliseconds(waited)
        let ahead = Int64(session.draw.within(0...25_000))
        Self.add(latest, to: &average)
        if let asked, segment != asked, segment != asked + 1 { memory.isStarting = true }
        // Of the first segment nothing was decided.
        if asked != nil {
          tell(latest, level: Double(ahead + waited), rule, session, &memory)
        }
        memory.placeholder += Double(waited)
        let expected = rule.choice(
          session.published(segment, Double(ahead), average), &memory)
        asked = segment
        let question = session.question(segment, rung, latest, ahead: ahead)
        var verdict = policy.nextVariant(question, &judgement)
        let chosen = session.eligible[expected.quality]
        if expected.delay > 0 {
          let until = session.now + TimeSpan(nanoseconds: Int64(expected.delay * 1_000_000 + 0.5))
          #expect(verdict.answer == .wait(until: until) && verdict.changesAt == until, "\(seed)")
          verdict = self.waited(until, question, &policy, &judgement)
          session.now = until
          waits += 1
        } else {
          #expect(verdict.clause == .published)
        }
        #expect(verdict.answer == (chosen == rung ? .stay : .take(chosen)), "\(seed) \(segment)")
        changes += chosen == rung ? 0 : 1
        rung = chosen
      }
    }
    #expect(changes > 100 && waits > 10, "\(changes) \(waits)")
  }
}
