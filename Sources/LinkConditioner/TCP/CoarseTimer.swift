/// The timer wheel of a host: it turns every four milliseconds; far timeouts go by coarser cogs.
///
/// A timeout is never early and up to an eighth late.
package enum CoarseTimer {
  package static let tick: Int64 = 4_000_000

  /// The number of ticks in a span, rounded up.
  @inline(__always)
  package static func ticks(_ span: Int64) -> Int64 { (span + tick - 1) / tick }

  package static func deadline(_ span: Int64, from now: Int64) -> Int64 {
    let ticks = ticks(span)
    let due = now / tick + ticks
    // Each wheel has 64 cogs, each eight times as long as those of the wheel below it.
    var shift: Int64 = 0
    while shift < 24, ticks >= 63 << shift { shift += 3 }
    return ((due >> shift) + 1) << shift * tick
  }
}
