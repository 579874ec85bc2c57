/// Bits per second as an exact ratio of integers, in lowest terms.
///
/// Recorded traces carry rates such as 0.826531177829 Mbit/s; a whole number of bits per second
/// would shift every arrival after it.
public struct BitRate: Hashable, Sendable {
  /// Bits, in as many seconds as the denominator says.
  @usableFromInline package let numerator: Int64
  /// Seconds.
  @usableFromInline package let denominator: Int64

  /// Makes a rate from a ratio of bits per second, which is reduced.
  ///
  /// - Precondition: the denominator is positive and the numerator not negative.
  public init(bitsPerSecond numerator: Int64, over denominator: Int64 = 1) {
    precondition(denominator > 0, "a bit rate needs a positive denominator")
    precondition(numerator >= 0, "bits do not flow backwards")
    let divisor = denominator == 1 ? 1 : greatestCommonDivisor(numerator, denominator)
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  /// Nothing flows.
  public static let zero = BitRate(bitsPerSecond: 0)

  /// So many bits in a second.
  public static func bitsPerSecond(_ count: Int64) -> BitRate { BitRate(bitsPerSecond: count) }

  /// So many thousand bits in a second.
  public static func kilobitsPerSecond(_ count: Int64) -> BitRate {
    BitRate(bitsPerSecond: count * 1_000)
  }

  /// So many million bits in a second.
  public static func megabitsPerSecond(_ count: Int64) -> BitRate {
    BitRate(bitsPerSecond: count * 1_000_000)
  }

  package var isZero: Bool { numerator == 0 }

  /// The whole bits per second.
  package var roundedDown: Int64 { numerator / denominator }
}

extension BitRate: Comparable {
  public static func < (a: BitRate, b: BitRate) -> Bool {
    // Nearly all are whole.
    if a.denominator == b.denominator { return a.numerator < b.numerator }
    return Int128(a.numerator) * Int128(b.denominator)
      < Int128(b.numerator) * Int128(a.denominator)
  }
}
