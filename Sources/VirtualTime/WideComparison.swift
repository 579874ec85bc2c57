/// Whether `a × b` exceeds `c × d`, however large the products are.
@inlinable
package func isProduct(_ a: Int128, _ b: Int128, greaterThan c: Int128, _ d: Int128) -> Bool {
  let (left, leftOverflow) = a.multipliedReportingOverflow(by: b)
  let (right, rightOverflow) = c.multipliedReportingOverflow(by: d)
  if !leftOverflow && !rightOverflow { return left > right }
  let (p, q) = (a.multipliedFullWidth(by: b), c.multipliedFullWidth(by: d))
  return p.high == q.high ? p.low > q.low : p.high > q.high
}

/// The product, clamped to the largest value of its sign where it would not fit.
@inlinable
package func saturatingProduct(_ a: Int128, _ b: Int128) -> Int128 {
  let (product, overflow) = a.multipliedReportingOverflow(by: b)
  if !overflow { return product }
  return (a < 0) == (b < 0) ? .max : .min
}
