import Foundation
import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// The parts of policies that are small sums: averages of samples, rules of fetching, and verdicts
/// that are held back.
@Suite struct PolicyPartPropertyTests {
  // MARK: Averages

  private typealias Piece = (bytes: Int64, span: Int64)

  private static func rate(_ bytes: Int64, _ span: Int64) -> Int64 {
    Int64(Int128(bytes) * 8_000_000_000 / Int128(span))
  }

  /// The statistic of all samples so far, worked out from the first on.
  private func expected(_ statistic: SampleStatistic, _ pieces: [Piece]) -> Double {
    switch statistic {
    case .last:
      return Double(Self.rate(pieces[pieces.count - 1].bytes, pieces[pieces.count - 1].span))
    case .mean(let count):
      let last = pieces.suffix(Int(count))
      return Double(
        Self.rate(last.reduce(0) { $0 + $1.bytes }, last.reduce(0) { $0 + $1.span }))
    case .harmonicMean(let count):
      let last = pieces.suffix(Int(count))
      let perBit = last.reduce(0.0) { $0 + Double($1.span) / Double($1.bytes) }
      return (Double(last.count) / perBit * 8e9).rounded(.down)
    case .halfLife(let span, let weight):
      var (sum, weights) = (0.0, 0.0)
      for piece in pieces {
        let kept = pow(2, -Double(piece.span) * Double(weight) / 1_000 / Double(span.nanoseconds))
        sum = sum * kept + Double(piece.bytes) * 8e9 / Double(piece.span) * (1 - kept)
        weights = weights * kept + (1 - kept)
      }
      return sum / weights
    case .percentile(let percent, let limit):
      // The newest count whole, and of the oldest as much as there is room for.
      var (left, kept) = (limit, [(rate: Int64, weight: Int64, number: Int)]())
      for (number, piece) in pieces.enumerated().reversed() where left > 0 {
        let weight = min(left, max(1, Int64(Double(piece.bytes).squareRoot().rounded(.down))))
        kept.append((Self.rate(piece.bytes, piece.span), weight, number))
        left -= weight
      }
      kept.sort { ($0.rate, $0.number) < ($1.rate, $1.number) }
      let whole = kept.reduce(0) { $0 + $1.weight }
      var below: Int64 = 0
      for entry in kept {
        below += entry.weight
        if below * 100 >= percent * whole { return Double(entry.rate) }
      }
      return 0
    case .runningMean(let limit):
      var (rate, weight) = (0.0, 0.0)
      for piece in pieces {
        let span = Double(piece.span)
        rate = (rate * weight + Double(piece.bytes) * 8e9) / (weight + span)
        weight = min(Double(limit.nanoseconds), weight + span)
      }
      return rate
    }
  }

  @Test func `each statistic is the one of its samples`() {
    for seed in Seeds.first(60, inRelease: 400) {
      var draw = Draw(seed: seed, part: "statistics")
      let statistic = draw.one(of: [
        SampleStatistic.last, .mean(of: Int32(draw.within(1...9))),
        .harmonicMean(of: Int32(draw.within(1...9))),
        .halfLife(.milliseconds(Int64(draw.within(1...20_000)))),
        .halfLife(.seconds(3), weight: Int64(draw.within(1...4_000))),
        .percentile(Int64(draw.within(0...100)), weightLimit: Int64(draw.within(1...6_000))),
        .runningMean(limit: .milliseconds(Int64(draw.within(1...60_000)))),
      ])
      var estimator = Estimator(
        EstimatorDescription(
          .samples(SampleStatistics([statistic], over: Sampling(.requestEnds)))))
      #expect(estimator.estimate.bitsPerSecond == nil)
      var pieces: [Piece] = []
      var now = seconds(1)
      for number in 0..<Int64(draw.within(3...40)) {
        let piece = (
          Int64(draw.magnitude(1...3_000_000)), Int64(draw.within(1...4_000)) * 1_000_000
        )
        pieces.append(piece)
        estimator.hear(.requested(RequestNumber(number), .main), at: now)
        estimator.hear(.responded(RequestNumber(number)), at: now)
        now = now + TimeSpan(nanoseconds: piece.1)
        estimator.hear(.ended(RequestNumber(number), bytes: piece.0, .completed), at: now)
        let (told, wanted) = (
          Double(estimator.estimate.bitsPerSecond ?? -1), expected(statistic, pieces)
        )
        #expect(abs(told - wanted) <= 1 + wanted * 1e-9, "\(seed) \(statistic) \(pieces.count)")
      }
    }
  }

  /// The last so many samples, and the greatest error of the predictions before them.
  @Test func `a robust prediction goes by the last samples and their errors`() {
    for seed in Seeds.first(40, inRelease: 400) {
      var draw = Draw(seed: seed, part: "harmonic")
      let window = draw.within(1...6)
      var throughput = HarmonicThroughput(window: window)
      #expect(throughput.window == window && HarmonicThroughput().window == 5)
      var (samples, errors): ([Double], [Double]) = ([], [])
      for _ in 0..<20 {
        let sample = Double(draw.within(1...4_000)) / 1_000
        errors.append(throughput.mean.map { abs($0 - sample) / sample } ?? 0)
        samples.append(sample)
        throughput.add(sample)
        let last = samples.suffix(window)
        let mean = Double(last.count) / last.reduce(0) { $0 + 1 / $1 }
        let error = errors.suffix(window).max() ?? 0
        #expect(abs((throughput.mean ?? 0) - mean) < 1e-9)
        #expect(abs((throughput.robust ?? 0) - mean / (1 + error)) < 1e-9, "\(seed)")
      }
    }
  }

  // MARK: Fetching

  @Test func `a limit is reached from above and left from below`() {
    for seed in Seeds.first(400, inRelease: 4_000) {
      var draw = Draw(seed: seed, part: "limits")
      var rule = FetchRule.unlimited
      let (media, bytes) = (Int64(draw.within(1...50)) * 10, Int64(draw.within(1...50)) * 10)
      let percent = Int64(draw.within(0...10)) * 10
      if draw.chance(70) { rule.media = MediaTime(nanoseconds: media) }
      if draw.chance(70) { rule.bytes = bytes }
      rule.refillPercent = percent
      for _ in 0..<10 {
        let (ahead, held) = (
          Int64(draw.within(-1...1)) + draw.one(of: [media, media * percent / 100]),
          Int64(draw.within(-1...1)) + draw.one(of: [bytes, bytes * percent / 100])
        )
        for isReading in [true, false] {
          let isFull = isReading ? ahead >= media : ahead > media * percent / 100
          let isHeavy = isReading ? held >= bytes : held > bytes * percent / 100
          let expected: FetchClause? =
            rule.media != nil && isFull
            ? .mediaLimit : rule.bytes != nil && isHeavy ? .byteLimit : nil
          let clause = rule.limit(
            reachedBy: MediaTime(nanoseconds: ahead), isReading: isReading, bytes: { held })
          #expect(clause == expected, "\(seed)")
        }
      }
    }
  }

  @Test func `a segment has room below the limit, or at it for who sleeps`() {
    let (limit, length) = (MediaTime.seconds(30), MediaTime.seconds(4))
    var rule = FetchRule(media: limit)
    #expect(rule.most(before: length) == limit - MediaTime(nanoseconds: 1))
    #expect(rule.place(makingRoomFor: length, behind: .seconds(50))?.nanoseconds == 20_000_000_001)
    rule.sleeps = TimeSpan(nanoseconds: 1)
    #expect(rule.most(before: length) == limit)
    rule.countsNext = true
    #expect(rule.most(before: length) == .seconds(26))
    #expect(rule.most(before: .seconds(30)) == .zero && rule.most(before: .seconds(31)) == .zero)
    #expect(rule.place(makingRoomFor: length, behind: .seconds(50)) == .seconds(24))
    #expect(FetchRule.unlimited.most(before: length) == nil)
    #expect(FetchRule.unlimited.place(makingRoomFor: length, behind: length) == nil)
    // Looks at each second from 10 s on.
    rule.sleeps = .seconds(1)
    for (room, look) in [
      (9_999, 9_999), (10_000, 10_000), (10_001, 11_000), (11_000, 11_000), (11_001, 12_000),
    ] as [(Int64, Int64)] {
      #expect(rule.look(from: milliseconds(room), since: seconds(10)) == milliseconds(look))
    }
    #expect(rule.look(from: .distantFuture, since: seconds(10)) == .distantFuture)
  }

  /// With segments of 2 s the sound may lie beyond the video by so many of them, and has so many
  /// ahead however little video is there.
  @Test func `sound waits for the video beyond its lead and above its floor`() {
    for lead in [nil, 0, 1, 3] as [Int64?] {
      for floor in [0, 1, 2] as [Int64] {
        var rule = FetchRule.unlimited
        (rule.trackLead, rule.trackFloor) = (lead, floor)
        for ahead in [-1, 0, 1, 1_999, 2_000, 2_001, 4_000, 4_001] as [Int64] {
          for beyond in [-1, 0, 1, 2_000, 2_001, 6_000, 6_001] as [Int64] {
            let end = MediaTime.milliseconds(60_000)
            let waits = rule.holdsBack(
              .seconds(2), behind: end, other: end - .milliseconds(beyond),
              from: end - .milliseconds(ahead))
            let isLow = floor > 0 && ahead <= 2_000 * floor
            #expect(waits == (lead.map { !isLow && beyond > 2_000 * $0 } ?? false))
          }
        }
      }
    }
  }

  // MARK: What an app sees

  /// A yes is shown once it has held for long enough, a no at once.
  @Test func `a verdict is shown when it has held`() {
    for seed in Seeds.first(200, inRelease: 2_000) {
      var draw = Draw(seed: seed, part: "held")
      let holds = TimeSpan.milliseconds(Int64(draw.below(4) * 100))
      var held = HeldVerdict()
      var (now, since, shows) = (seconds(1), Instant?.none, false)
      for _ in 0..<30 {
        now = now + .milliseconds(Int64(draw.within(0...3) * 50))
        var verdict = ReadinessVerdict(
          draw.chance(70), draw.one(of: [.belowThreshold, .thresholdReached]))
        verdict.changesAt = now + .milliseconds(Int64(draw.within(1...400)))
        held.settle(verdict, holds: holds, at: now)
        let begin = since ?? now
        if verdict.answer && !shows && now < begin + holds {
          since = begin
          #expect(!held.shown.answer)
          #expect(held.shown.changesAt == min(verdict.changesAt, begin + holds))
        } else {
          (since, shows) = (nil, verdict.answer)
          #expect(held.shown == verdict, "\(seed)")
        }
      }
    }
  }
}
