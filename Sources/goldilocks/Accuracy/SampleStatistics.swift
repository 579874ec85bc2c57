import SystemLibrary

enum SampleStatistics {
  /// The q-quantile of sorted values, interpolated; infinite where there is none.
  static func quantile(_ sorted: [Double], _ q: Double) -> Double {
    guard let last = sorted.last else { return .infinity }
    let place = q * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    let (low, high) = (sorted[index], sorted[index + 1])
    return low == high ? low : low + (place - Double(index)) * (high - low)
  }

  static func median(_ values: [Double]) -> Double { quantile(values.sorted(), 0.5) }

  /// The two-sample Kolmogorov-Smirnov statistic of sorted samples.
  ///
  /// With a tolerance, a step of one sample is compared with the other's at up to that much more:
  /// values so close count as ties.
  static func kolmogorovSmirnov(_ a: [Double], _ b: [Double], tolerance: Double) -> Double {
    max(excess(a, over: b, tolerance), excess(b, over: a, tolerance))
  }

  private static func excess(_ a: [Double], over b: [Double], _ tolerance: Double) -> Double {
    var largest = 0.0
    var passed = 0
    for index in a.indices {
      if index + 1 < a.count, a[index + 1] == a[index] { continue }
      while passed < b.count, b[passed] <= a[index] * (1 + tolerance) { passed += 1 }
      largest = max(largest, Double(index + 1) / Double(a.count) - Double(passed) / Double(b.count))
    }
    return largest
  }

  /// The Wasserstein distance of sorted samples: the mean distance of equal quantiles.
  static func wasserstein(_ a: [Double], _ b: [Double]) -> Double {
    if a.isEmpty || b.isEmpty { return .infinity }
    var (sum, reached) = (0.0, 0)
    var (i, j) = (0, 0)
    let whole = a.count * b.count
    while i < a.count, j < b.count {
      let end = min((i + 1) * b.count, (j + 1) * a.count)
      sum += Double(end - reached) * abs(a[i] - b[j])
      reached = end
      if (i + 1) * b.count == end { i += 1 }
      if (j + 1) * a.count == end { j += 1 }
    }
    return sum / Double(whole)
  }

  /// Threshold between two modes of sorted samples: the geometric middle of the neighbours with the
  /// largest ratio, if that is above 1.25 with 10 % of the samples on each side; else nil.
  static func valley(_ sorted: [Double]) -> Double? {
    let margin = max(sorted.count / 10, 1)
    if sorted.count < 2 * margin { return nil }
    let widest = (margin...sorted.count - margin).max { ratio(sorted, $0) < ratio(sorted, $1) }
    guard let widest, ratio(sorted, widest) > 1.25 else { return nil }
    return (sorted[widest - 1] * sorted[widest]).squareRoot()
  }

  private static func ratio(_ sorted: [Double], _ index: Int) -> Double {
    sorted[index] / sorted[index - 1]
  }

  static func share(of values: [Double], above bound: Double) -> Double {
    Double(values.count { $0 > bound }) / Double(max(values.count, 1))
  }

  /// Probability of a statistic this large for two samples of one distribution (Stephens 1970).
  static func probability(ofStatistic statistic: Double, _ n: Int, _ m: Int) -> Double {
    let effective = (Double(n) * Double(m) / Double(n + m)).squareRoot()
    let lambda = (effective + 0.12 + 0.11 / effective) * statistic
    if lambda < 0.2 { return 1 }
    var sum = 0.0
    for k in 1...100 {
      let term = exp(-2 * Double(k * k) * lambda * lambda)
      sum += k.isMultiple(of: 2) ? -term : term
    }
    return min(max(2 * sum, 0), 1)
  }
}
