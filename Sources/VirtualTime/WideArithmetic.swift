@usableFromInline
package enum Rounding: Sendable {
  case down
  case up
}

/// `a × b ÷ c` without losing a bit on the way, clamped to what an `Int64` holds.
///
/// - Precondition: `c` is positive.
@inlinable
package func scaled(_ a: Int64, by b: Int64, over c: Int64, rounding: Rounding) -> Int64 {
  assert(c > 0, "a divisor is positive")
  let (product, overflow) = a.multipliedReportingOverflow(by: b)
  if !overflow { return quotient(product, c, rounding: rounding) }
  // Two machine words never overflow a wide one.
  return Int64(clamping: wideQuotient(Int128(a) &* Int128(b), Int128(c), rounding))
}

/// The quotient of two machine words, where a division costs a tenth.
@inlinable
@inline(__always)
func quotient(_ dividend: Int64, _ divisor: Int64, rounding: Rounding) -> Int64 {
  let (q, r) = dividend.quotientAndRemainder(dividingBy: divisor)
  return q + adjustment(remainder: r, rounding)
}

/// The quotient rounded toward negative or positive infinity.
///
/// - Precondition: `divisor` is positive.
@inlinable
@inline(__always)
package func quotient(_ dividend: Int128, _ divisor: Int128, rounding: Rounding) -> Int128 {
  // Most dividends fit a machine word.
  if let a = Int64(exactly: dividend), let b = Int64(exactly: divisor) {
    return Int128(quotient(a, b, rounding: rounding))
  }
  return wideQuotient(dividend, divisor, rounding)
}

@usableFromInline
@inline(never)
func wideQuotient(_ dividend: Int128, _ divisor: Int128, _ rounding: Rounding) -> Int128 {
  // A multiplication is cheaper than a second division for the remainder, and cannot overflow.
  let q = dividend / divisor
  let r = dividend &- q &* divisor
  return q + Int128(adjustment(remainder: r < 0 ? -1 : r > 0 ? 1 : 0, rounding))
}

/// The correction from a quotient rounded toward zero to one rounded as asked.
@inlinable
@inline(__always)
func adjustment(remainder sign: Int64, _ rounding: Rounding) -> Int64 {
  switch rounding {
  case .down: sign < 0 ? -1 : 0
  case .up: sign > 0 ? 1 : 0
  }
}

/// The greatest common divisor of two numbers that are not negative; that with zero is the other.
package func greatestCommonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
  assert(a >= 0 && b >= 0, "a divisor is sought of numbers that are not negative")
  var (a, b) = (a, b)
  while b != 0 {
    (a, b) = (b, a % b)
  }
  return a
}

/// The greatest integer whose square is not above a number; zero for a negative one.
@inlinable
package func integerSquareRoot<Number: FixedWidthInteger>(_ number: Number) -> Number {
  if number < 2 { return max(number, 0) }
  // Newton's method falls from above until it reaches the root.
  var root = Number(1) << ((Number.bitWidth - number.leadingZeroBitCount + 1) / 2)
  while true {
    let next = (root + number / root) / 2
    if next >= root { return root }
    root = next
  }
}

/// The sum, or what an `Int64` holds that is nearest to it.
@inlinable
@inline(__always)
package func saturatingSum(_ a: Int64, _ b: Int64) -> Int64 {
  let (sum, overflow) = a.addingReportingOverflow(b)
  return overflow ? (b < 0 ? .min : .max) : sum
}

/// The difference, or what an `Int64` holds that is nearest to it.
@inlinable
@inline(__always)
func saturatingDifference(_ a: Int64, _ b: Int64) -> Int64 {
  let (difference, overflow) = a.subtractingReportingOverflow(b)
  return overflow ? (b < 0 ? .max : .min) : difference
}
