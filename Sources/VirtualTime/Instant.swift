/// A point on the run's clock: nanoseconds since the start of the run.
///
/// Nobody below the command owns a clock; whoever needs the time is handed an `Instant`.
public struct Instant: Comparable, Hashable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The start of the run.
  public static var zero: Instant { Instant(nanoseconds: 0) }

  /// Later than anything that happens: the answer "never" where an instant is wanted.
  public static var distantFuture: Instant { Instant(nanoseconds: .max) }

  public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The instant a span after this one; `distantFuture` absorbs what would overflow.
  public static func + (a: Instant, b: TimeSpan) -> Instant {
    Instant(nanoseconds: saturatingSum(a.nanoseconds, b.nanoseconds))
  }

  /// The instant a span before this one, or the earliest or latest there is.
  public static func - (a: Instant, b: TimeSpan) -> Instant {
    Instant(nanoseconds: saturatingDifference(a.nanoseconds, b.nanoseconds))
  }

  /// The span from one instant to another; `forever` absorbs what would overflow.
  public static func - (a: Instant, b: Instant) -> TimeSpan {
    TimeSpan(nanoseconds: saturatingDifference(a.nanoseconds, b.nanoseconds))
  }
}
