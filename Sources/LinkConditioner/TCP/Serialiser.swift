internal import VirtualTime

/// The exact end of a packet's serialisation: fractions of a nanosecond are carried along.
struct Serialiser: Sendable {
  /// Nothing is limited: packets do not take time.
  private(set) var isUnlimited: Bool
  /// A nanosecond brings this many units…
  private var perNanosecond: Int64
  /// …and a bit needs this many.
  private var perBit: Int128
  /// Units of the current nanosecond beyond those that were needed.
  private var surplus: Int64 = 0
  private var sizes: (SizeCost, SizeCost)

  /// A packet size and what it costs: nanoseconds and units over.
  private struct SizeCost: Sendable {
    var bytes: Int64 = -1
    var nanoseconds: Int64 = 0
    var units: Int64 = 0
  }

  init(_ bandwidth: Bandwidth) {
    sizes = (SizeCost(), SizeCost())
    switch bandwidth {
    case .unlimited:
      isUnlimited = true
      perNanosecond = 0
      perBit = 0
    case .limited(let rate):
      isUnlimited = false
      perNanosecond = rate.numerator
      perBit = 1_000_000_000 * Int128(rate.denominator)
    }
  }

  /// The instant at which a packet whose service begins now has left; never during an outage.
  ///
  /// - Parameter continuing: The packet follows another without a gap and inherits the fraction.
  mutating func end(ofServiceFrom now: Int64, bytes: Int64, continuing: Bool) -> Int64 {
    if isUnlimited { return now }
    if perNanosecond == 0 { return .max }
    if !continuing { surplus = 0 }
    let cost = cost(of: bytes)
    let units = cost.units - surplus
    let extra: Int64 = units > 0 ? 1 : 0
    surplus = units > 0 ? perNanosecond - units : -units
    return saturatingSum(saturatingSum(now, cost.nanoseconds), extra)
  }

  /// Whether the link is in an outage.
  var isStopped: Bool { !isUnlimited && perNanosecond == 0 }

  /// The whole nanoseconds that so many bytes take.
  mutating func duration(of bytes: Int64) -> Int64 {
    isUnlimited || perNanosecond == 0 ? 0 : cost(of: bytes).nanoseconds
  }

  /// The rest of a packet in service at another bandwidth.
  ///
  /// The rest is rounded up to a unit of the new rate, less than a thousand-millionth of a bit.
  mutating func end(
    ofServiceFrom now: Int64, leaving end: Int64, bytes: Int64, under bandwidth: Bandwidth
  ) -> Int64 {
    let oldPerBit = perBit
    let left: Int128 =
      perNanosecond == 0
      ? stalledUnits ?? Int128(bytes) * 8 * perBit
      : Int128(end - now) * Int128(perNanosecond) - Int128(surplus)
    let wasUnlimited = isUnlimited
    self = Serialiser(bandwidth)
    if isUnlimited || wasUnlimited { return now }
    let units = quotient(left * perBit, oldPerBit, rounding: .up)
    if perNanosecond == 0 {
      stalledUnits = units
      return .max
    }
    let span = quotient(units, Int128(perNanosecond), rounding: .up)
    surplus = Int64(truncatingIfNeeded: span * Int128(perNanosecond) - units)
    return saturatingSum(now, Int64(clamping: span))
  }

  /// The rest of the packet in service at an outage, in units of the outage's own scale.
  private var stalledUnits: Int128?

  private mutating func cost(of bytes: Int64) -> SizeCost {
    if sizes.0.bytes == bytes { return sizes.0 }
    if sizes.1.bytes == bytes { return sizes.1 }
    let (whole, over) = (Int128(bytes) * 8 * perBit)
      .quotientAndRemainder(dividingBy: Int128(perNanosecond))
    let cost = SizeCost(
      bytes: bytes, nanoseconds: Int64(clamping: whole), units: Int64(truncatingIfNeeded: over))
    sizes.1 = sizes.0
    sizes.0 = cost
    return cost
  }
}
