import VirtualTime

/// Looks for packets that were lost by chance, in what comes in packet by packet.
///
/// Behind a lost packet nothing can be read until it has come again, and how long that takes says
/// who lost it. What chance took is back after a round trip or a few, and what came meanwhile is
/// read with it; what a full queue had no room for comes after all that stands in it, and piece by
/// piece.
///
/// Every number is an assumption of ours: with them the arrivals of some hundred downloads, with
/// and without losses, are told apart best.
struct LossWatch: Sendable {
  /// How long a hole of chance lasts, in percent of the trip of a request and its first byte.
  /// A longer one is made by a queue.
  private static let chance: ClosedRange<Int64> = 120...400
  /// A shorter one costs a connection little: it has its speed back after a few trips.
  private static let leastHole = TimeSpan.milliseconds(140)
  /// What stands behind it at least: between the first bursts of a connection nothing comes either,
  /// and nothing stands there.
  private static let leastBacklog: Int64 = 3_000
  /// And so many percent of what comes in as usual in such a time.
  private static let leastShare: Int64 = 20
  /// For so many times its length a hole of a queue is followed by short ones: what was lost comes
  /// again piece by piece.
  private static let echo: Int64 = 10

  /// Whether packets were seen to be lost by chance.
  private(set) var showsLoss = false
  /// Whether a queue was seen to be full.
  private(set) var showsQueue = false
  /// When bytes last came in, or began to; nil while nothing is coming in.
  private(set) var last: Instant?
  /// How long nothing had come before the last bytes.
  private(set) var hole = TimeSpan.zero
  private var echoEnds = Instant.zero
  /// What came in so far, and in how much time.
  private var bytes: Int64 = 0
  private var span = TimeSpan.zero

  /// Something begins to come in, or goes on.
  mutating func begins(at now: Instant) {
    if last == nil { last = now }
  }

  /// Nothing is coming in any more.
  mutating func pauses() { last = nil }

  /// Bytes came in.
  ///
  /// - Parameter trip: How long a request and its first byte take; nil while nobody knows.
  mutating func add(_ bytes: Int64, trip: TimeSpan?, at now: Instant) {
    guard bytes > 0, let since = last else { return }
    last = now
    hole = now - since
    if !showsLoss, let trip, Self.isHole(hole, trip: trip) { judge(bytes, trip, at: now) }
    self.bytes += bytes
    span += hole
  }

  /// Whether nothing came for so long that a packet must be missing.
  static func isHole(_ span: TimeSpan, trip: TimeSpan) -> Bool {
    span >= leastHole && percent(span, of: trip) >= chance.lowerBound
  }

  private static func percent(_ span: TimeSpan, of trip: TimeSpan) -> Int64 {
    scaled(span.nanoseconds, by: 100, over: max(1, trip.nanoseconds), rounding: .down)
  }

  private mutating func judge(_ bytes: Int64, _ trip: TimeSpan, at now: Instant) {
    if Self.percent(hole, of: trip) <= Self.chance.upperBound {
      if bytes < Self.leastBacklog || now <= echoEnds { return }
      let usual = scaled(
        self.bytes, by: hole.nanoseconds, over: max(1, span.nanoseconds), rounding: .down)
      if bytes >= scaled(usual, by: Self.leastShare, over: 100, rounding: .down) {
        return showsLoss = true
      }
    }
    showsQueue = true
    echoEnds = now + hole * Self.echo
  }
}
