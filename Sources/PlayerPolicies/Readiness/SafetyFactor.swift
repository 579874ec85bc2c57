/// The multiple of needed throughput that a predicting rule asks for: an exact ratio, at least 1.
///
/// The factor is our assumption; Apple publishes none, and 1 reproduces the talk's screens.
public struct SafetyFactor: Hashable, Sendable {
  package let numerator: Int64
  package let denominator: Int64

  /// - Precondition: the ratio is at least 1 and the denominator positive.
  public init(_ numerator: Int64, over denominator: Int64 = 1) {
    precondition(denominator > 0 && numerator >= denominator, "a safety factor is at least 1")
    var (divisor, rest) = (numerator, denominator)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  /// Exactly what is needed.
  public static let none = SafetyFactor(1)
}
