import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// Rules of the literature in a player's seat: they are asked what their authors' simulator would
/// ask, in its units.
@Suite struct PublishedSeatTests {
  private struct Session {
    let rates: [Int64]
    let length: Int64
    let count: Int
    let rungs: Ladder
    var draw: Draw

    init(_ seed: UInt64, _ part: String) {
      var draw = Draw(seed: seed, part: part)
      rates = (1...draw.within(2...5)).map { Int64($0) * 500_000 + Int64(draw.below(9)) * 40_000 }
      length = Int64(draw.within(2...6)) * 1_000_000_000
      count = draw.within(8...30)
      rungs = ladder(
        rates, segments: Int64(count), of: MediaTime(nanoseconds: length))
      self.draw = draw
    }

    var bitrates: [Double] { rates.map { Double($0) / 1_000 } }

    /// The arrival of a segment that was asked for at an instant.
    mutating func arrival(_ segment: Int, _ rung: Int, at now: Instant) -> SegmentArrival {
      let bytes =
        length / 8_000 * (rates[rung] / 1_000) / 1_000 * Int64(draw.within(70...130)) / 100
      let responded = now + .milliseconds(Int64(draw.within(5...400)))
      let took = bytes * 8 * 1_000 / (Int64(draw.within(300...6_000)) * 1_000)
      return SegmentArrival(
        request: Int64(segment), rung: rung, segment: segment, bytes: bytes, began: now,
        responded: responded, arrived: responded + .milliseconds(max(1, took)))
    }
  }

  /// A rule, as it is asked directly.
  private struct Direct {
    let rule: PublishedRule
    var share = BufferShare()
    var bola = BolaRule.Memory()
    var dynamic = DynamicRule.Memory()

    mutating func choice(_ question: PublishedQuestion) -> PublishedChoice {
      switch rule {
      case .throughput(let rule, _): rule.choice(question, &share)
      case .dynamic(let rule, _): rule.choice(question, &dynamic)
      case .bola(let rule, _): rule.choice(question, &bola)
      case .enhancedBola, .predictive: preconditionFailure("these remember more")
      }
    }

    mutating func abandons(_ progress: PublishedProgress, _ question: PublishedQuestion) -> Bool {
      switch rule {
      case .throughput(let rule, _): rule.abandons(progress, question)
      case .dynamic(let rule, _): rule.throughput.abandons(progress, question)
      case .bola(let rule, _): rule.abandons(progress, question, &bola)
      case .enhancedBola, .predictive: preconditionFailure("these remember more")
      }
    }
  }

  private static func milliseconds(_ span: TimeSpan) -> Double {
    Double(span.nanoseconds) / 1_000_000
  }

  private static let kind = SabreAverage.Kind.halfLives(of: [.seconds(3), .seconds(8)])
  private static let bola = BolaRule(buffer: .seconds(25))
  private static let rules: [PublishedRule] = [
    .throughput(.usual, kind), .throughput(.usual, .windows([1, 3])), .bola(bola, kind),
    .bola(BolaRule(buffer: .seconds(18), avoidsOscillation: true), kind),
    .bola(BolaRule(buffer: .seconds(25), isBasic: true), kind),
    .dynamic(DynamicRule(bola: bola, throughput: .usual, lowMark: .seconds(10)), kind),
  ]

  /// A session in which a rule is asked in its seat and directly.
  private struct Run: ~Copyable {
    var session: Session
    var rules: RunningRules
    var direct: Direct
    var average: SabreAverage
    let segmentLength: Double
    var now = seconds(1)
    var (rung, waits, changes, givenUp, kept) = (0, 0, 0, 0, 0)

    init(_ seed: UInt64, _ place: Int) throws {
      session = Session(seed, "seats \(place)")
      var description = try #require(PolicyPreset.named("Shaka 5.2")).description
      (description.nextVariant, description.abandon) = (
        .published(PublishedSeatTests.rules[place]), .published
      )
      self.rules = try RunningRules(description)
      direct = Direct(rule: PublishedSeatTests.rules[place])
      segmentLength = Double(session.length) / 1_000_000
      average = SabreAverage(place == 1 ? .windows([1, 3]) : kind, segmentLength: segmentLength)
    }

    /// Hears of the segment before one, and chooses what that is taken from.
    mutating func choose(_ segment: Int) -> PublishedQuestion {
      let latest = session.arrival(segment - 1, rung, at: now)
      now = latest.arrived
      let flowed = milliseconds(latest.arrived - latest.responded)
      average.add(
        took: flowed, throughput: Double(latest.bytes) * 8 / flowed,
        latency: milliseconds(latest.responded - latest.began))
      var asked = VariantQuestion(
        now: now, ladder: session.rungs, eligible: EligibleRungs(allOf: session.rungs),
        current: rung, estimate: Estimate(),
        ahead: .milliseconds(Int64(session.draw.within(0...25_000))))
      (asked.latest, asked.nextSegment) = (latest, segment)
      let question = PublishedQuestion(
        PublishedQualities(session.bitrates), segmentLength: segmentLength,
        segmentCount: session.count, segment: segment,
        level: Double(asked.ahead.nanoseconds) / 1_000_000, throughput: average.throughput,
        latency: average.latency)
      let expected = direct.choice(question)
      var verdict = rules.next(asked)
      if case .wait(let until) = verdict.answer {
        #expect(expected.delay > 0)
        #expect(abs(milliseconds(until - now) - expected.delay) < 6e-7)
        (asked.now, now) = (until, until)
        verdict = rules.next(asked)
        waits += 1
      } else {
        #expect(expected.delay <= 0)
      }
      let choice = expected.quality == rung ? VariantChoice.stay : .take(expected.quality)
      #expect(verdict.answer == choice, "\(segment)")
      changes += expected.quality == rung ? 0 : 1
      rung = expected.quality
      return question
    }

    private mutating func abandon(
      _ segment: Int, _ bytes: Int64, at looks: Instant, responded: Instant, received: Int64,
      lasts: TimeSpan?
    ) -> AbandonVerdict {
      rules.running.abandon(
        AbandonQuestion(
          now: looks, ladder: session.rungs, eligible: EligibleRungs(allOf: session.rungs),
          estimate: Estimate(),
          request: RequestFacts(
            began: now, responded: responded, received: received, bytes: bytes, variant: rung,
            segment: segment), lasts: lasts, isMoving: true), &rules.judgement)
    }

    /// Looks some way into a segment, and before Sabre does: from 50 ms and 1,500 bytes on.
    mutating func look(_ segment: Int, _ question: PublishedQuestion) {
      let bytes = session.length / 8_000 * (session.rates[rung] / 1_000) / 1_000
      let responded = now + .milliseconds(Int64(session.draw.within(5...300)))
      let looks = responded + .milliseconds(Int64(session.draw.within(60...9_000)))
      let received = max(1_500, bytes * Int64(session.draw.within(1...99)) / 100)
      let some = TimeSpan.milliseconds(Int64(session.draw.within(0...25_000)))
      let lasts = session.draw.chance(85) ? some : nil
      for (span, early) in [(49_999_999, 2_000), (50_000_000, 1_499)] as [(Int64, Int64)] {
        let verdict = abandon(
          segment, bytes, at: now + TimeSpan(nanoseconds: span),
          responded: now + .milliseconds(1), received: early, lasts: some)
        #expect(verdict.clause == .notYet)
      }
      let verdict = abandon(
        segment, bytes, at: looks, responded: responded, received: received, lasts: lasts)
      let gives = direct.abandons(
        PublishedProgress(
          quality: rung, size: Double(bytes * 8), received: Double(received * 8),
          time: milliseconds(looks - now), latency: milliseconds(responded - now),
          level: milliseconds(lasts ?? .zero)), question)
      #expect(verdict.answer == (gives ? .chooseAgain : .goOn), "\(segment)")
      #expect(verdict.clause == (gives ? .givenUpByRule : .inTime), "\(segment)")
      if gives { givenUp += 1 } else { kept += 1 }
    }
  }

  @Test(arguments: rules.indices)
  func `a rule in its seat is asked as its authors ask it`(place: Int) throws {
    var (waits, changes, givenUp, kept) = (0, 0, 0, 0)
    for seed in Seeds.first(40, inRelease: 200) {
      var run = try Run(seed, place)
      for segment in 1..<run.session.count {
        let question = run.choose(segment)
        run.look(segment, question)
      }
      (waits, changes) = (waits + run.waits, changes + run.changes)
      (givenUp, kept) = (givenUp + run.givenUp, kept + run.kept)
    }
    #expect(changes > 50 && kept > 50)
    #expect(waits > 10 || place != 3)
    #expect(givenUp > 10 || place == 4)
  }
}
