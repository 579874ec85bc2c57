import VirtualTime

struct CellScore: Sendable {
  var group: String
  var name: String
  /// Connection or session; all its phases fall on the same side of the split.
  var key: String
  /// Seconds.
  var measured: Double
  /// Seconds; infinite where nothing arrived.
  var predicted: Double
  /// Nil unless the measurement has all its samples.
  var comparison: SampleComparison?

  /// Whether the cell is in the held-out third, which is never used to fit a constant.
  var isLeftOut: Bool { fnv1a(key) >> 32 % 3 == 0 }

  /// Of the median, relative to the measured one.
  var error: Double { abs(predicted - measured) / measured }
}

/// Distribution of the simulated times compared with that of the measured ones.
struct SampleComparison: Sendable {
  /// Probability of the Kolmogorov-Smirnov test, values within 1 % of each other counted as ties.
  var withTies: Double
  /// The same without a tolerance.
  var strict: Double
  /// Relative errors of medians over as many simulated runs as were measured, against the median of
  /// all simulated runs: the score of a perfect model.
  var ownErrors: [Double]
  /// Largest distance of the two cumulative distributions, from 0 to 1.
  var kolmogorovSmirnov: Double
  /// Wasserstein distance over the measured median.
  var wasserstein: Double
  /// Shares of measured and simulated times in the slower mode; nil without two measured modes.
  var slowShares: (measured: Double, simulated: Double)?

  /// Error of the median that a perfect model exceeds in one of ten repetitions of this cell; nil
  /// where fewer than twice as many runs were simulated as measured.
  var noise: Double? {
    ownErrors.isEmpty ? nil : SampleStatistics.quantile(ownErrors.sorted(), 0.9)
  }

  /// Of measured times that are sorted, and simulated ones in the order of their seeds.
  init?(measured: [Double], simulated: [Double]) {
    if measured.isEmpty || simulated.isEmpty { return nil }
    let sorted = simulated.sorted()
    func probability(tolerance: Double) -> Double {
      SampleStatistics.probability(
        ofStatistic: SampleStatistics.kolmogorovSmirnov(measured, sorted, tolerance: tolerance),
        measured.count, sorted.count)
    }
    withTies = probability(tolerance: 0.01)
    strict = probability(tolerance: 0)
    kolmogorovSmirnov = SampleStatistics.kolmogorovSmirnov(measured, sorted, tolerance: 0)
    wasserstein =
      SampleStatistics.wasserstein(measured, sorted) / SampleStatistics.quantile(measured, 0.5)
    slowShares = SampleStatistics.valley(measured).map {
      (
        SampleStatistics.share(of: measured, above: $0),
        SampleStatistics.share(of: sorted, above: $0)
      )
    }
    let whole = SampleStatistics.quantile(sorted, 0.5)
    let size = measured.count
    ownErrors = stride(from: 0, to: simulated.count - size + 1, by: size).map { start in
      abs(SampleStatistics.median(Array(simulated[start..<start + size])) - whole) / whole
    }
    // A single sample has most of the runs in it, and measures no noise.
    if ownErrors.count == 1 { ownErrors = [] }
  }
}
