// Published rules need two functions beside + − × ÷ √, this one and the logarithm. Both are worked
// out with these alone: a C library's differ in the last place, and a decision may hang on it.

/// Two to the power of a number.
///
/// Within two units in the last place; zero below the normal numbers, infinity above.
package func powerOfTwo(_ x: Double) -> Double {
  if x.isNaN { return x }
  if x >= 1_024 { return .infinity }
  if x < -1_022 { return 0 }
  // By way of an integer: rounding is a function of the C library where nothing is optimised.
  let whole = Double(Int64(x < 0 ? x - 0.5 : x + 0.5))
  // At most half a unit to either side: the seventeenth term is below the last place.
  let y = (x - whole) * naturalLogarithmOfTwo
  var sum = 1.0
  var n = 17.0
  while n >= 1 {
    sum = 1 + sum * y / n
    n -= 1
  }
  // Two to the 1024th is too much by itself, and half of it twice is not.
  if whole > 1_023 { return sum * wholePowerOfTwo(1_023) * 2 }
  return sum * wholePowerOfTwo(Int64(whole))
}

private let naturalLogarithmOfTwo = 0.693147180559945309417232121458

/// - Precondition: the exponent is that of a normal number.
private func wholePowerOfTwo(_ exponent: Int64) -> Double {
  Double(bitPattern: UInt64(exponent + 1_023) << 52)
}

extension Int64 {
  /// The whole part, or what is nearest to it; nothing for what is no number.
  init(clamping value: Double) {
    if value.isNaN {
      self = 0
    } else if value >= 9_223_372_036_854_775_808 {
      self = .max
    } else if value <= -9_223_372_036_854_775_808 {
      self = .min
    } else {
      self = Int64(value)
    }
  }
}
