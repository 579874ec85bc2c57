package import VirtualTime

/// A number of billionths to one decimal, half up.
func oneDecimal(_ billionths: Int64) -> String {
  let tenths = scaled(billionths, by: 1, over: 100_000_000, rounding: .down)
  let rest = billionths - tenths * 100_000_000
  let rounded = rest >= 50_000_000 ? tenths + 1 : tenths
  let sign = rounded < 0 ? "-" : ""
  return "\(sign)\(rounded.magnitude / 10).\(rounded.magnitude % 10)"
}

package func shown(_ rate: PlaybackRate) -> String {
  oneDecimal(Int64(rate.numerator) * 1_000_000_000 / Int64(rate.denominator))
}

package func shown(_ time: MediaTime) -> String {
  oneDecimal(time.nanoseconds) + "s"
}

package func shown(_ ranges: [Range<MediaTime>]) -> String {
  let each = ranges.map { "[\(shown($0.lowerBound)), \(shown($0.upperBound))]" }
  return "[" + joined(each, by: ", ") + "]"
}
