package import ScenarioFormat
package import VirtualTime

// Numbers as a person reads them. Halves are rounded up.

/// Seconds to one decimal, as on the demo's screen: `6.1 s`.
package func shownSeconds(_ nanoseconds: Int64) -> String {
  decimal(nanoseconds, of: 9, places: 1) + " s"
}

/// Seconds to the millisecond, where figures are held against each other: `6.105 s`.
package func exactSeconds(_ nanoseconds: Int64) -> String {
  decimal(nanoseconds, of: 9, places: 3) + " s"
}

package func exactSeconds(_ time: some StoredTime) -> String { exactSeconds(time.nanoseconds) }

/// Seconds to the millisecond without their unit, for a column that says it: `6.105`.
package func bareSeconds(_ nanoseconds: Int64) -> String { decimal(nanoseconds, of: 9, places: 3) }

/// Bytes in the unit that suits them: `9.75 MB`.
package func shownBytes(_ count: Int64) -> String {
  if count.magnitude < 1_000 { return count == 1 ? "1 byte" : "\(count) bytes" }
  if count.magnitude < 1_000_000 { return short(count, of: 3) + " kB" }
  if count.magnitude < 1_000_000_000 { return short(count, of: 6) + " MB" }
  return short(count, of: 9) + " GB"
}

/// A bit rate in the unit that suits it: `1.716 Mbit/s`.
package func shownRate(_ rate: BitRate) -> String {
  let bits = rate.roundedDown
  if bits < 1_000 { return "\(bits) bit/s" }
  if bits < 1_000_000 { return short(bits, of: 3) + " kbit/s" }
  if bits < 1_000_000_000 { return short(bits, of: 6) + " Mbit/s" }
  return short(bits, of: 9) + " Gbit/s"
}

/// A span in the unit that suits it: `100 ms`, `39 s`.
package func shownSpan(_ nanoseconds: Int64) -> String {
  if nanoseconds.magnitude < 1_000_000_000 { return short(nanoseconds, of: 6) + " ms" }
  return short(nanoseconds, of: 9) + " s"
}

/// At most three places, and no zeros at the end.
func short(_ units: Int64, of places: Int) -> String {
  var digits = Array(decimal(units, of: places, places: 3).utf8)
  while digits.last == UInt8(ascii: "0") { digits.removeLast() }
  if digits.last == UInt8(ascii: ".") { digits.removeLast() }
  return String(decoding: digits, as: UTF8.self)
}
