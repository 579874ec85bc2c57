import LinkConditioner
import VirtualTime

// Quantities as scenario files have them: read back, they are the same to the last digit.

/// `units × 10⁻ᵖˡᵃᶜᵉˢ` without zeros at the end.
func exactText(_ units: Int128, places: Int) -> String {
  var (units, places) = (units, places)
  while places > 0, units % 10 == 0 {
    units /= 10
    places -= 1
  }
  var digits = "\(units)"
  while digits.utf8.count <= places { digits = "0" + digits }
  if places == 0 { return digits }
  let point = digits.utf8.index(digits.endIndex, offsetBy: -places)
  return digits[..<point] + "." + digits[point...]
}

func exactText(_ span: TimeSpan) -> String {
  let isShort = span > .zero && span.nanoseconds < 1_000_000_000
  return exactText(Int128(span.nanoseconds), places: isShort ? 6 : 9) + (isShort ? " ms" : " s")
}

func exactText(_ loss: LossRatio) -> String {
  let billionths = Int128(loss.numerator) * 100_000_000_000 / Int128(loss.denominator)
  return exactText(billionths, places: 9) + " %"
}

func exactText(_ bandwidth: Bandwidth) -> String {
  switch bandwidth {
  case .unlimited: "unlimited"
  case .limited(let rate): exactText(rate)
  }
}

/// A rate in the unit that suits it; exact if it is a decimal.
func exactText(_ rate: BitRate) -> String {
  let billionths = Int128(rate.numerator) * (1_000_000_000 / Int128(rate.denominator))
  switch rate.roundedDown {
  case 1_000_000...: return exactText(billionths, places: 15) + " Mbit/s"
  case 1_000...: return exactText(billionths, places: 12) + " kbit/s"
  default: return exactText(billionths, places: 9) + " bit/s"
  }
}

extension Bandwidth {
  /// The same where a decimal can express it, else rounded down to a millionth of a bit per second.
  var asDecimal: Bandwidth {
    switch self {
    case .unlimited: return self
    case .limited(let rate):
      if 1_000_000_000 % rate.denominator == 0 { return self }
      let millionths = Int128(rate.numerator) * 1_000_000 / Int128(rate.denominator)
      return .limited(BitRate(bitsPerSecond: Int64(clamping: millionths), over: 1_000_000))
    }
  }
}
