public import VirtualTime

/// What a player believes of the link.
public struct Estimate: Hashable, Sendable {
  /// In whole bits per second; nil where nothing is known.
  public var bitsPerSecond: Int64?
  /// How long a request waits for its first byte; nil where nothing is known of that.
  public var latency: TimeSpan?
  /// Whether packets were seen to be lost by chance; never where no rule goes by it.
  public var showsLoss: Bool
  /// Whether a queue on the way was seen to be full; never where no rule goes by losses.
  package var showsQueue: Bool
  /// What has come of a file and cannot be read yet, as far as is believed: it stands behind a
  /// packet that was lost.
  package var owed: Int64
  /// Whether enough was seen that rules should go by it.
  public var isReliable: Bool
  /// The bytes that it rests on.
  public var bytes: Int64
  /// The time of active transfer that it rests on.
  public var span: TimeSpan
  /// When it last changed.
  public var changed: Instant
  /// When it says something else although nothing comes.
  package var nextLook: Instant
  /// Whether what comes in is believed to go on as it does at this instant.
  ///
  /// Exact where bytes flow at a rate that lasts, and no player could know it: it is for runs that
  /// are to be worked out with a pencil.
  package var isLine: Bool

  package init(
    bitsPerSecond: Int64? = nil, latency: TimeSpan? = nil, showsLoss: Bool = false,
    showsQueue: Bool = false, owed: Int64 = 0, isReliable: Bool = false, bytes: Int64 = 0,
    span: TimeSpan = .zero, changed: Instant = .zero, nextLook: Instant = .distantFuture,
    isLine: Bool = false
  ) {
    self.bitsPerSecond = bitsPerSecond
    self.latency = latency
    self.showsLoss = showsLoss
    self.showsQueue = showsQueue
    self.owed = owed
    self.isReliable = isReliable
    self.bytes = bytes
    self.span = span
    self.changed = changed
    self.nextLook = nextLook
    self.isLine = isLine
  }

  /// How long bytes take at so many bit/s, rounded up.
  static func span(of bytes: Int64, at bitsPerSecond: Int64) -> TimeSpan {
    TimeSpan(
      nanoseconds: scaled(bytes, by: 8_000_000_000, over: max(1, bitsPerSecond), rounding: .up))
  }

  /// Bytes in a span as whole bits per second, rounded down.
  package static func rate(_ bytes: Int64, over span: TimeSpan) -> Int64 {
    // What came in no time says that the link is faster than can be measured.
    scaled(bytes, by: 8_000_000_000, over: max(1, span.nanoseconds), rounding: .down)
  }
}
