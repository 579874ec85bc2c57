/// Bytes arriving along a straight line, exactly.
///
/// The floors agree on arrivals through this one value: the link says how bytes come in, the player
/// asks when a byte is there, a heuristic asks when the last one will be. Amounts are integers of a
/// unit so small that neither the rate nor a share of it leaves a remainder; a whole-byte amount
/// would be wrong by microseconds on a slow link.
package struct ByteFlow: Hashable, Sendable {
  /// The instant at which `units` had arrived.
  package var anchor: Instant
  /// The amount that had arrived at the anchor.
  package var units: Int128
  /// The units per byte: a multiple of 8 × 10⁹, so that a bit per second is a whole slope.
  package var unitsPerByte: Int128
  /// The slope; zero when nothing arrives.
  package var unitsPerNanosecond: Int128

  package init(anchor: Instant, units: Int128, unitsPerByte: Int128, unitsPerNanosecond: Int128) {
    assert(unitsPerByte > 0 && unitsPerNanosecond >= 0, "bytes arrive, and do not leave again")
    self.anchor = anchor
    self.units = units
    self.unitsPerByte = unitsPerByte
    self.unitsPerNanosecond = unitsPerNanosecond
  }

  /// A flow that has brought a whole number of bytes and goes on at a rate.
  package init(anchor: Instant, bytes: Int64, rate: BitRate) {
    let rate = rate.coarsened(toDenominatorsBelow: Self.finestDenominator)
    // A byte is 8 × 10⁹ × denominator units, so that a nanosecond brings `numerator` of them.
    let unitsPerByte = Self.unitsPerByteAtBitsPerSecond * Int128(rate.denominator)
    self.init(
      anchor: anchor, units: saturatingProduct(Int128(bytes), unitsPerByte),
      unitsPerByte: unitsPerByte, unitsPerNanosecond: Int128(rate.numerator))
  }

  /// The amount at an instant not before the anchor; `Int128.max` where it would be more.
  package func units(at instant: Instant) -> Int128 {
    let brought = saturatingProduct(unitsPerNanosecond, Int128((instant - anchor).nanoseconds))
    let (sum, overflow) = units.addingReportingOverflow(brought)
    return overflow ? (brought < 0 ? .min : .max) : sum
  }

  /// The whole bytes that have arrived at an instant not before the anchor.
  package func bytes(at instant: Instant) -> Int64 {
    Int64(clamping: quotient(units(at: instant), unitsPerByte, rounding: .down))
  }

  /// The first instant, from the anchor on, at which that many bytes have arrived.
  ///
  /// Never on a flow that stands still, and never for more bytes than can be counted.
  package func instant(reaching bytes: Int64) -> Instant {
    let (wanted, overflow) = Int128(bytes).multipliedReportingOverflow(by: unitsPerByte)
    if overflow { return bytes > 0 ? .distantFuture : anchor }
    if wanted <= units { return anchor }
    let (missing, tooMany) = wanted.subtractingReportingOverflow(units)
    if tooMany || unitsPerNanosecond == 0 { return .distantFuture }
    let span = quotient(missing, unitsPerNanosecond, rounding: .up)
    return anchor + TimeSpan(nanoseconds: Int64(clamping: span))
  }

  /// The same line with its anchor moved to a later instant.
  package func anchored(at instant: Instant) -> ByteFlow {
    var moved = self
    moved.units = units(at: instant)
    moved.anchor = instant
    return moved
  }

  /// A prediction: the bytes received so far, continued at another rate.
  ///
  /// Exact, unless the two rates together need units too small to count many bytes in. The amount
  /// is then rounded down to the units of the new rate, by far less than a thousandth of a bit.
  package func continued(at rate: BitRate) -> ByteFlow {
    let rate = rate.coarsened(toDenominatorsBelow: Self.finestDenominator)
    let denominator = Int128(rate.denominator)
    // One bit per second is this many units in a nanosecond, and both rates must divide it.
    let bit = unitsPerByte / Self.unitsPerByteAtBitsPerSecond
    let rest = Int64(bit % denominator)
    let scale = denominator / Int128(greatestCommonDivisor(rate.denominator, rest))
    let (finer, overflow) = unitsPerByte.multipliedReportingOverflow(by: scale)
    let amount = units.multipliedReportingOverflow(by: scale)
    let finest = Self.unitsPerByteAtBitsPerSecond * Int128(Self.finestDenominator)
    if overflow || amount.overflow || finer > max(unitsPerByte, finest) {
      return inUnits(of: rate)
    }
    return ByteFlow(
      anchor: anchor, units: amount.partialValue, unitsPerByte: finer,
      unitsPerNanosecond: saturatingProduct(Int128(rate.numerator), bit * scale / denominator))
  }

  private static var unitsPerByteAtBitsPerSecond: Int128 { 8_000_000_000 }

  /// In units of this size a hundred terabytes still fit; a rate on its own stays within it.
  private static var finestDenominator: Int64 { 1 << 47 }

  /// The amount rounded down to the units that a rate needs by itself, going on at that rate.
  private func inUnits(of rate: BitRate) -> ByteFlow {
    let arrived = max(units, 0)
    let whole = arrived / unitsPerByte
    var flow = ByteFlow(anchor: anchor, bytes: Int64(clamping: whole), rate: rate)
    let rest = (arrived - whole * unitsPerByte).magnitude
    let product = rest.multipliedFullWidth(by: flow.unitsPerByte.magnitude)
    let share = unitsPerByte.magnitude.dividingFullWidth(product).quotient
    let (sum, overflow) = flow.units.addingReportingOverflow(Int128(share))
    flow.units = overflow ? .max : sum
    return flow
  }
}

extension BitRate {
  /// The rate itself, or where its denominator is too large the nearest below it that is not.
  fileprivate func coarsened(toDenominatorsBelow limit: Int64) -> BitRate {
    if denominator < limit { return self }
    let coarse = scaled(numerator, by: limit - 1, over: denominator, rounding: .down)
    return BitRate(bitsPerSecond: coarse, over: limit - 1)
  }
}
