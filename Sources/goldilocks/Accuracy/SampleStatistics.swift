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
      largest = max(
        largest, Double(index + 1) / Double(a.count) - Double(passed) / Double(b.count))
    }
    return largest
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
