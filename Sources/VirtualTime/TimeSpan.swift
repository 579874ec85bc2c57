/// A length of run time, in nanoseconds.
public struct TimeSpan: Comparable, Hashable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var zero: TimeSpan { TimeSpan(nanoseconds: 0) }

  /// Longer than any run.
  public static var forever: TimeSpan { TimeSpan(nanoseconds: .max) }

  public static func nanoseconds(_ count: Int64) -> TimeSpan { TimeSpan(nanoseconds: count) }

  public static func microseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count * 1_000)
  }

  public static func milliseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count * 1_000_000)
  }

  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count * 1_000_000_000)
  }

  public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The sum; `forever` absorbs what would overflow.
  public static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: saturatingSum(a.nanoseconds, b.nanoseconds))
  }

  /// The difference; `forever` absorbs what would overflow.
  public static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: saturatingDifference(a.nanoseconds, b.nanoseconds))
  }

  public static func += (a: inout TimeSpan, b: TimeSpan) { a = a + b }

  /// So many times the span; `forever` absorbs what would overflow.
  package static func * (span: TimeSpan, times: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: scaled(span.nanoseconds, by: times, over: 1, rounding: .down))
  }
}
