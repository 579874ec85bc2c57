/// A point on the run's clock: nanoseconds since the start of the run.
///
/// Nobody below the command owns a clock; whoever needs the time is handed an `Instant`.
@frozen
public struct Instant: Comparable, Hashable, Sendable {
  public var nanoseconds: Int64

  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The start of the run.
  public static let zero = Instant(nanoseconds: 0)

  /// Later than anything that happens: the answer "never" where an instant is wanted.
  public static let distantFuture = Instant(nanoseconds: .max)

  @inlinable
  public static func < (a: Instant, b: Instant) -> Bool {
    a.nanoseconds < b.nanoseconds
  }

  /// The instant a span after this one; `distantFuture` absorbs what would overflow.
  @inlinable
  public static func + (a: Instant, b: TimeSpan) -> Instant {
    let (sum, overflow) = a.nanoseconds.addingReportingOverflow(b.nanoseconds)
    return overflow ? .distantFuture : Instant(nanoseconds: sum)
  }

  @inlinable
  public static func - (a: Instant, b: TimeSpan) -> Instant {
    Instant(nanoseconds: a.nanoseconds - b.nanoseconds)
  }

  @inlinable
  public static func - (a: Instant, b: Instant) -> TimeSpan {
    TimeSpan(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
}
