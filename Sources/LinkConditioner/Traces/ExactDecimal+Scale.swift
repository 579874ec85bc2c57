package import ExactText
import VirtualTime

extension ExactDecimal {
  /// The number times a power of ten as a ratio; nil beyond what 64 bits hold.
  func ratio(timesTenTo power: Int) -> (numerator: Int64, denominator: Int64)? {
    guard let significand = Int64(exactly: significand) else { return nil }
    let places = exponent + power
    if significand == 0 { return (0, 1) }
    if places >= 0 {
      guard let scale = powerOfTen(places) else { return nil }
      let (product, overflow) = significand.multipliedReportingOverflow(by: scale)
      return overflow ? nil : (product, 1)
    }
    if let scale = powerOfTen(-places) { return (significand, scale) }
    // Below a billionth of a billionth: nothing that a rate or a time could tell.
    return powerOfTen(-places - 18).map { (significand / $0, 1_000_000_000_000_000_000) } ?? (0, 1)
  }

  /// The number times a power of ten, rounded to the nearest integer; nil beyond 64 bits.
  package func rounded(timesTenTo power: Int) -> Int64? {
    guard let (numerator, denominator) = ratio(timesTenTo: power) else { return nil }
    let twice = Int128(numerator) * 2 + Int128(denominator)
    return Int64(exactly: quotient(twice, 2 * Int128(denominator), rounding: .down))
  }
}

func powerOfTen(_ exponent: Int) -> Int64? {
  if exponent < 0 || exponent > 18 { return nil }
  return (0..<exponent).reduce(Int64(1)) { power, _ in power * 10 }
}
