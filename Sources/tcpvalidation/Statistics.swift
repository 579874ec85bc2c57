import Foundation

/// The q-quantile of sorted values, interpolated.
func quantile(_ sorted: [Double], _ q: Double) -> Double {
  guard let last = sorted.last else { return .nan }
  let place = q * Double(sorted.count - 1)
  let index = Int(place)
  guard index + 1 < sorted.count else { return last }
  return sorted[index] + (place - Double(index)) * (sorted[index + 1] - sorted[index])
}

func median(_ values: [Double]) -> Double { quantile(values.sorted(), 0.5) }

/// The two-sample Kolmogorov-Smirnov statistic of sorted samples.
///
/// With a tolerance, a step of one sample is compared with the other's at up to that much more:
/// values so close count as ties.
func kolmogorovSmirnov(_ a: [Double], _ b: [Double], tolerance: Double) -> Double {
  func excess(_ a: [Double], over b: [Double]) -> Double {
    var largest = 0.0
    var j = 0
    for i in a.indices {
      if i + 1 < a.count, a[i + 1] == a[i] { continue }
      while j < b.count, b[j] <= a[i] * (1 + tolerance) { j += 1 }
      largest = max(largest, Double(i + 1) / Double(a.count) - Double(j) / Double(b.count))
    }
    return largest
  }
  return max(excess(a, over: b), excess(b, over: a))
}

/// How likely a statistic this large is for two samples of one distribution (Stephens 1970).
func kolmogorovProbability(_ statistic: Double, _ n: Int, _ m: Int) -> Double {
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
