public import VirtualTime

/// The reason a link, or a schedule for one, cannot be created.
public enum LinkError: Error, Hashable, Sendable {
  /// A rate above `LinkLimits.fastestRate`.
  case rateTooFast(BitRate)
  /// Rates whose common denominator is above `LinkLimits.finestDenominator`, or too fine for how
  /// fast they are.
  case ratesTooFine(BitRate)
  /// A loss ratio whose denominator is above `LinkLimits.finestDenominator`.
  case lossTooFine(LossRatio)
  /// A delay, latency or duration below zero.
  case negativeTime(TimeSpan)
  case emptySchedule
  /// A schedule longer than an instant can say.
  case scheduleTooLong
}

/// The range of the link's arithmetic; values beyond it are refused, never wrapped round.
package enum LinkLimits {
  package static let fastestRate = BitRate(bitsPerSecond: 1_000_000_000_000)
  /// For one rate, and for all rates of a link together.
  package static let finestDenominator: Int64 = 1_000_000_000
  /// A rate's numerator over the common denominator of its link.
  static let largestNumerator: Int128 = 1_000_000_000_000_000_000
  /// In one response.
  package static let mostBytes: Int64 = 10_000_000_000_000
  /// On one link at a time.
  package static let mostTransfers = 256
}

extension LinkError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .rateTooFast(let rate):
      "\(rate.roundedDown) bit/s is too fast: a link carries at most 1 Tbit/s"
    case .ratesTooFine(let rate):
      "\(rate.numerator)/\(rate.denominator) bit/s is too fine beside the link's other rates: "
        + "their common denominator may be at most \(LinkLimits.finestDenominator)"
    case .lossTooFine(let loss):
      "a loss of \(loss.numerator)/\(loss.denominator) is too fine: "
        + "the denominator may be at most \(LinkLimits.finestDenominator)"
    case .negativeTime(let span):
      "\(span.nanoseconds) ns is below zero: delays, latencies and durations are not"
    case .emptySchedule:
      "the schedule has no step that lasts"
    case .scheduleTooLong:
      "the schedule is longer than 292 years"
    }
  }
}
