/// `a × b − c × d`, whatever their size: how late something is, in units too small for one word.
struct ProductDifference {
  private var high: Int128
  private var low: UInt128

  init(_ a: Int128, _ b: Int128, minus c: Int128, _ d: Int128) {
    let (p, q) = (a.multipliedFullWidth(by: b), c.multipliedFullWidth(by: d))
    let (low, borrow) = p.low.subtractingReportingOverflow(q.low)
    self.low = low
    high = p.high &- q.high &- (borrow ? 1 : 0)
  }

  var isPositive: Bool { high > 0 || (high == 0 && low > 0) }

  /// The number of bits that the value needs beside its sign.
  private var width: Int {
    let bits = UInt128(bitPattern: high < 0 ? ~high : high)
    if bits != 0 { return 256 - bits.leadingZeroBitCount }
    return 128 - (high < 0 ? ~low : low).leadingZeroBitCount
  }

  private func shifted(by count: Int) -> Int128 {
    if count >= 128 { return high >> Int128(count - 128) }
    if count == 0 { return Int128(truncatingIfNeeded: low) }
    return Int128(truncatingIfNeeded: low >> UInt128(count)) | (high << Int128(128 - count))
  }

  /// The magnitudes of two differences in proportion, in sixty bits: far more than it takes to
  /// divide any span of time to the nanosecond.
  static func proportion(
    _ a: ProductDifference, _ b: ProductDifference
  ) -> (Int128, Int128) {
    let count = max(0, max(a.width, b.width) - 60)
    let (p, q) = (a.shifted(by: count), b.shifted(by: count))
    return (p < 0 ? -p : p, q < 0 ? -q : q)
  }
}
