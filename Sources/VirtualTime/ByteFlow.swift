/// Bytes arriving along a straight line, exactly.
///
/// The floors agree on arrivals through this one value: the link says how bytes come in, the player
/// asks when a byte is there, a heuristic asks when the last one will be. Amounts are integers of a
/// unit so small that neither the rate nor a share of it leaves a remainder; a whole-byte amount
/// would be wrong by microseconds on a slow link.
public struct ByteFlow: Hashable, Sendable {
  /// The instant at which `units` had arrived.
  public var anchor: Instant
  /// The amount that had arrived at the anchor.
  public var units: Int128
  /// How many units make a byte: a multiple of 8 × 10⁹, so that a bit per second is a whole slope.
  public var unitsPerByte: Int128
  /// The slope; zero when nothing arrives.
  public var unitsPerNanosecond: Int128

  public init(anchor: Instant, units: Int128, unitsPerByte: Int128, unitsPerNanosecond: Int128) {
    self.anchor = anchor
    self.units = units
    self.unitsPerByte = unitsPerByte
    self.unitsPerNanosecond = unitsPerNanosecond
  }

  /// A flow that has brought a whole number of bytes and goes on at a rate.
  public init(anchor: Instant, bytes: Int64, rate: BitRate) {
    // A byte is 8 × 10⁹ × denominator units, so that a nanosecond brings `numerator` of them.
    let unitsPerByte = 8_000_000_000 * Int128(rate.denominator)
    self.init(
      anchor: anchor, units: Int128(bytes) * unitsPerByte, unitsPerByte: unitsPerByte,
      unitsPerNanosecond: Int128(rate.numerator))
  }

  /// The amount at an instant not before the anchor.
  public func units(at instant: Instant) -> Int128 {
    units + unitsPerNanosecond * Int128((instant - anchor).nanoseconds)
  }

  /// The whole bytes that have arrived at an instant not before the anchor.
  public func bytes(at instant: Instant) -> Int64 {
    Int64(clamping: quotient(units(at: instant), unitsPerByte, rounding: .down))
  }

  /// The first instant at which that many bytes have arrived; never on a flow that stands still.
  public func instant(reaching bytes: Int64) -> Instant {
    let missing = Int128(bytes) * unitsPerByte - units
    if missing <= 0 { return anchor }
    if unitsPerNanosecond == 0 { return .distantFuture }
    let span = quotient(missing, unitsPerNanosecond, rounding: .up)
    return anchor + TimeSpan(nanoseconds: Int64(clamping: span))
  }

  /// The same line with its anchor moved to a later instant.
  public func anchored(at instant: Instant) -> ByteFlow {
    var moved = self
    moved.units = units(at: instant)
    moved.anchor = instant
    return moved
  }

  /// What has arrived so far, going on at another rate: a prediction.
  public func continued(at rate: BitRate) -> ByteFlow {
    // One bit per second is this many units in a nanosecond, times the rate's denominator.
    let bit = unitsPerByte / 8_000_000_000
    let whole = bit.isMultiple(of: Int128(rate.denominator))
    let scale = whole ? 1 : Int128(rate.denominator)
    let share = whole ? bit / Int128(rate.denominator) : bit
    return ByteFlow(
      anchor: anchor, units: units * scale, unitsPerByte: unitsPerByte * scale,
      unitsPerNanosecond: Int128(rate.numerator) * share)
  }
}
