import ExactText
import LinkConditioner
import StreamingMedia
import VirtualTime

/// A share of a file's average bit rate, "total bytes over duration": exact where a link can carry
/// the exact ratio, else rounded down to a millionth of a bit per second.
func bandwidth(_ share: Ratio, of file: MediaFile) -> BitRate {
  precondition(
    share.numerator <= ScenarioLimits.largestShare * share.denominator,
    "a larger share would not fit the arithmetic")
  var numerator = 8_000_000_000 * Int128(file.bytes) * Int128(share.numerator)
  var denominator = Int128(file.duration.nanoseconds) * Int128(share.denominator)
  let divisor = commonDivisor(numerator, denominator)
  (numerator, denominator) = (numerator / divisor, denominator / divisor)
  if numerator <= 1_000_000_000_000_000_000, denominator <= LinkLimits.finestDenominator {
    return BitRate(bitsPerSecond: Int64(numerator), over: Int64(denominator))
  }
  let whole = numerator / denominator
  guard whole <= Int128(LinkLimits.fastestRate.numerator) else {
    // Too fast either way: the link will say so.
    return BitRate(bitsPerSecond: Int64(clamping: whole))
  }
  let millionths = numerator % denominator * 1_000_000 / denominator
  return BitRate(bitsPerSecond: Int64(whole * 1_000_000 + millionths), over: 1_000_000)
}
