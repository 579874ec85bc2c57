/// A position in a piece of media, or a length of it, in nanoseconds of media.
///
/// It is a type of its own so that the compiler refuses to add it to an `Instant`: the two clocks
/// are related only through a `Timebase`.
public struct MediaTime: Comparable, Hashable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var zero: MediaTime { MediaTime(nanoseconds: 0) }

  /// Beyond the end of any media.
  public static var distantFuture: MediaTime { MediaTime(nanoseconds: .max) }

  public static func seconds(_ count: Int64) -> MediaTime {
    MediaTime(nanoseconds: count * 1_000_000_000)
  }

  public static func milliseconds(_ count: Int64) -> MediaTime {
    MediaTime(nanoseconds: count * 1_000_000)
  }

  public static func < (a: MediaTime, b: MediaTime) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The sum; `distantFuture` absorbs what would overflow.
  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: saturatingSum(a.nanoseconds, b.nanoseconds))
  }

  /// The difference; `distantFuture` absorbs what would overflow.
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: saturatingDifference(a.nanoseconds, b.nanoseconds))
  }
}
