public import VirtualTime

/// A player's estimate of the link.
public struct Estimate: Hashable, Sendable {
  /// In whole bits per second; nil where nothing is known.
  public var bitsPerSecond: Int64?
  /// The wait of a request for its first byte; nil where nothing is known of it.
  public var latency: TimeSpan?
  /// Whether enough was seen that rules should go by it.
  public var isReliable = false
  /// The bytes that it rests on.
  public var bytes: Int64 = 0
  /// The time of active transfer that it rests on.
  public var span = TimeSpan.zero
  /// The instant of its last change.
  public var changed = Instant.zero
  /// Whether what comes in is believed to go on as it does at this instant.
  ///
  /// Exact where bytes flow at a rate that lasts, and no player could know it: it is for runs that
  /// are to be worked out with a pencil.
  package var isLine = false

  package static let unknown = Estimate()

  /// The transfer time of bytes at so many bit/s, rounded up.
  static func span(of bytes: Int64, at bitsPerSecond: Int64) -> TimeSpan {
    TimeSpan(
      nanoseconds: scaled(bytes, by: 8_000_000_000, over: max(1, bitsPerSecond), rounding: .up))
  }

  /// Bytes in a span as whole bits per second, rounded down.
  package static func rate(_ bytes: Int64, over span: TimeSpan) -> Int64 {
    // Bytes that took no time show that the link is faster than can be measured.
    scaled(bytes, by: 8_000_000_000, over: max(1, span.nanoseconds), rounding: .down)
  }
}
