import ExactText
package import VirtualTime

/// `units × 10⁻ⁿ`, rounded to so many places: halves up, or away from zero.
package func decimal(
  _ units: Int64, of given: Int, places: Int, awayFromZero: Bool = false
) -> String {
  var divisor: Int64 = 1
  for _ in 0..<max(0, given - places) { divisor *= 10 }
  let magnitude = Int128(units.magnitude)
  // Half up, below zero as well: −0.05 is −0.0, which has no sign.
  let half = Int128(units < 0 && !awayFromZero ? (divisor - 1) / 2 : divisor / 2)
  let rounded = (magnitude + half) / Int128(divisor)
  var text = units < 0 && rounded > 0 ? [UInt8(ascii: "-")] : []
  text.append(natural: UInt64(rounded), places: min(given, places))
  return String(decoding: text, as: UTF8.self)
}

package func shown(_ rate: PlaybackRate) -> String {
  decimal(Int64(rate.numerator) * 1_000_000_000 / Int64(rate.denominator), of: 9, places: 1)
}

package func shown(_ time: MediaTime) -> String {
  decimal(time.nanoseconds, of: 9, places: 1) + "s"
}

package func shown(_ ranges: [Range<MediaTime>]) -> String {
  let each = ranges.map { "[\(shown($0.lowerBound)), \(shown($0.upperBound))]" }
  return "[" + joined(each, by: ", ") + "]"
}
