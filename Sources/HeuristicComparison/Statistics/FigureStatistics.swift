package struct FigureStatistics: Hashable, Sendable {
  /// A statistic with its interval; an end or the value itself may be `never`.
  package struct Statistic: Hashable, Sendable {
    package var value: Int64
    /// Nil where the sample is too small for one.
    package var interval: Interval?
  }

  /// The numbers of sessions with a value, with none for good, and with an unknown one.
  package var known: Int
  package var never: Int
  package var unknown: Int
  /// Of the sessions that have a number.
  package var mean: Statistic?
  package var median: Statistic?
  /// Nil where there are too few sessions.
  package var percentile95: Statistic?
  /// Whether an interval is missing because too few draws held a session with a value.
  package var hasTooFewDraws = false

  /// Stands for what never came to be.
  package static let never = Sample.never
}

/// A sample on its way to its statistics: it sees each draw once.
struct SampleReckoning {
  private let sample: Sample
  private let ordered: OrderedSample?
  private var means: [Int64] = []
  private var medians: [Int64] = []
  private var percentiles: [Int64] = []

  init(_ sample: Sample, hasPercentiles: Bool) {
    self.sample = sample
    ordered = hasPercentiles ? OrderedSample(sample) : nil
  }

  mutating func see(_ weights: UnsafeBufferPointer<UInt8>) {
    if sample.isConstant { return }
    if let mean = sample.mean(weights) { means.append(mean) }
    guard let ordered else { return }
    let total = ordered.total(weights)
    if let median = ordered.value(at: 50, weights, total: total) { medians.append(median) }
    guard ordered.percentile95 != nil else { return }
    if let high = ordered.value(at: 95, weights, total: total) { percentiles.append(high) }
  }

  var statistics: FigureStatistics {
    FigureStatistics(
      known: sample.known, never: sample.never, unknown: sample.unknown,
      mean: statistic(sample.mean, means, units: sample.unitsWithNumber),
      median: statistic(ordered?.median, medians, units: sample.units),
      percentile95: statistic(ordered?.percentile95, percentiles, units: sample.units),
      hasTooFewDraws: sample.unitsWithNumber > 1 && !sample.isConstant
        && means.count < Resampling.fewestDraws)
  }

  private func statistic(
    _ value: Int64?, _ draws: [Int64], units: Int
  ) -> FigureStatistics.Statistic? {
    guard let value else { return nil }
    if units < 2 { return .init(value: value, interval: nil) }
    if sample.isConstant { return .init(value: value, interval: Interval(low: value, high: value)) }
    return .init(value: value, interval: Resampling.interval(draws, isGain: sample.isGain))
  }
}

/// The differences of a policy under test from the baseline, over paired sessions.
package struct PairedDifference: Hashable, Sendable {
  /// The number of pairs with a number on both sides.
  package var pairs = 0
  /// Of all pairs, those in which the contestant is better, worse, or the same; where one of the
  /// two has no number for good, the other is better.
  package var better = 0
  package var worse = 0
  package var equal = 0
  /// The number of pairs with a number on one side alone, and none for good on the other.
  package var oneSided = 0
  /// The mean of the contestant's value less the baseline's.
  package var mean: FigureStatistics.Statistic?
  /// The fewest pairs that make up half of the evidence for the mean's sign, and the first of them.
  package var deciders = 0
  package var firstDeciders: [Decider] = []
  /// Whether the interval is missing because too few draws held a pair with numbers.
  package var hasTooFewDraws = false

  package struct Decider: Hashable, Sendable {
    package var pair: Int
    package var difference: Int64
  }

  static let mostNamed = 3
}

/// A difference on its way: like a sample, of the differences of pairs.
struct DifferenceReckoning {
  private var difference: PairedDifference
  private var sample: SampleReckoning

  init(
    _ values: [Int64], against baseline: [Int64], pairs: [Int], isGain: Bool,
    units: DrawnUnits
  ) {
    var counts = PairedDifference()
    var differences: [Int64] = []
    differences.reserveCapacity(values.count)
    for (value, other) in zip(values, baseline) {
      if value == Sample.unknown || other == Sample.unknown {
        differences.append(Sample.unknown)
        continue
      }
      let isNumber = value != Sample.never && other != Sample.never
      differences.append(isNumber ? Self.difference(value, other) : Sample.unknown)
      let (rank, otherRank) = (
        Sample.rank(value, isGain: isGain), Sample.rank(other, isGain: isGain)
      )
      if isNumber { counts.pairs += 1 }
      if !isNumber && value != other { counts.oneSided += 1 }
      if rank == otherRank {
        counts.equal += 1
      } else if (rank < otherRank) != isGain {
        counts.better += 1
      } else {
        counts.worse += 1
      }
    }
    difference = counts
    let sample = Sample(differences, units: units)
    self.sample = SampleReckoning(sample, hasPercentiles: false)
    decide(differences, sample.mean, pairs)
  }

  private static func difference(_ a: Int64, _ b: Int64) -> Int64 {
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? (a < b ? -Int64.max : Int64.max - 1) : difference
  }

  private mutating func decide(_ differences: [Int64], _ mean: Int64?, _ pairs: [Int]) {
    guard let mean, mean != 0 else { return }
    let order = differences.indices
      .filter { differences[$0] != Sample.unknown && (differences[$0] < 0) == (mean < 0) }
      .filter { differences[$0] != 0 }
      .sorted {
        let (a, b) = (differences[$0].magnitude, differences[$1].magnitude)
        return a == b ? $0 < $1 : a > b
      }
    let all = order.reduce(Int128(0)) { $0 + Int128(differences[$1].magnitude) }
    var passed: Int128 = 0
    for index in order where 2 * passed < all {
      passed += Int128(differences[index].magnitude)
      difference.deciders += 1
      if difference.firstDeciders.count < PairedDifference.mostNamed {
        difference.firstDeciders.append(
          PairedDifference.Decider(pair: pairs[index], difference: differences[index]))
      }
    }
  }

  mutating func see(_ weights: UnsafeBufferPointer<UInt8>) { sample.see(weights) }

  var result: PairedDifference {
    var difference = difference
    let statistics = sample.statistics
    (difference.mean, difference.hasTooFewDraws) = (statistics.mean, statistics.hasTooFewDraws)
    return difference
  }
}
