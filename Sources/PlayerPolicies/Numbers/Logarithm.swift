/// The natural logarithm, nearly always the number that is nearest to it.
///
/// Where a rule compares what two logarithms make of a buffer that stands on the very boundary
/// between two qualities, the last place decides: so the larger parts are kept with what rounding
/// would lose of them. NaN below zero.
package func naturalLogarithm(_ x: Double) -> Double {
  if x.isNaN || x < 0 { return .nan }
  if x == 0 { return -.infinity }
  if x == .infinity { return x }
  var (significand, exponent) = (x.significand, Double(x.exponent))
  if significand > 1.41421356237309504880168872421 {
    (significand, exponent) = (significand / 2, exponent + 1)
  }
  // ln m = 2 artanh s, where s = (m − 1) / (m + 1); the difference is exact.
  let above = significand - 1
  let below = roundedSum(significand, 1)
  let s = above / below.sum
  let product = roundedProduct(s, below.sum)
  let rest = (above - product.product - product.lost - s * below.lost) / below.sum
  let square = s * s
  var series = 0.0
  var n = 25.0
  while n >= 3 {
    series = (series + 1 / n) * square
    n -= 2
  }
  // The greater part of ln 2 has so few places that its multiples are exact.
  let whole = roundedSum(exponent * 0.693147180369123816490, 2 * s)
  let small = exponent * 1.90821492927058770002e-10 + 2 * (rest + s * series)
  return whole.sum + (whole.lost + small)
}

private func roundedSum(_ a: Double, _ b: Double) -> (sum: Double, lost: Double) {
  let sum = a + b
  let part = sum - a
  return (sum, (a - (sum - part)) + (b - part))
}

private func roundedProduct(_ a: Double, _ b: Double) -> (product: Double, lost: Double) {
  func halves(_ a: Double) -> (high: Double, low: Double) {
    let scaled = a * 134_217_729
    let high = scaled - (scaled - a)
    return (high, a - high)
  }
  let product = a * b
  let (c, d) = (halves(a), halves(b))
  let lost = ((c.high * d.high - product) + c.high * d.low + c.low * d.high) + c.low * d.low
  return (product, lost)
}
