import VirtualTime

/// Prices of a linear objective, in billionths of its unit.
package struct LinearPrices: Hashable, Sendable {
  /// For a bit/s of a segment.
  package var bit: Int64
  /// Against a bit/s of a change from one segment to the next.
  package var change: Int64
  /// Against ten nanoseconds of waiting, at the start and in stalls alike.
  package var tenNanoseconds: Int64

  package init(bit: Int64, change: Int64, tenNanoseconds: Int64) {
    (self.bit, self.change, self.tenNanoseconds) = (bit, change, tenNanoseconds)
  }

  /// The gain of a segment, given the bit rate of the one before; nil for the first segment.
  package func gain(_ bitsPerSecond: Int64, after before: Int64?) -> Int64 {
    bitsPerSecond * bit - abs(bitsPerSecond - (before ?? bitsPerSecond)) * change
  }

  /// The value of a gain, less the price of a wait in nanoseconds.
  package func value(_ gain: Int64, waited: Int64) -> Int64 {
    gain - scaled(waited, by: tenNanoseconds, over: 10, rounding: .up)
  }

  func value(of session: ViewedSession) -> Int64? {
    guard let startup = session.startup else { return nil }
    var (sum, before) = (Int64(0), Int64?.none)
    for segment in session.segments {
      sum += gain(segment.bitsPerSecond, after: before)
      before = segment.bitsPerSecond
    }
    return value(sum, waited: (startup + session.stalled).nanoseconds)
  }
}
