import VirtualTime

/// Says what a belief may leave out of account while nothing can be read behind a lost packet.
///
/// What stands behind it came in all along, and will be read when it has come again. Until then,
/// and until what was held back is there, the belief is the one of before; who counts the time as
/// one in which nothing came takes the link for a fraction of what it is.
///
/// Every number is an assumption of ours: with them the arrivals of some thousand downloads were
/// foretold best.
struct HoleBridge: Sendable {
  /// What lasts longer is no hole: so much has no room in a queue, and that for a few trips more.
  private static let mostInQueue: Int64 = 200_000
  private static let mostTrips: Int64 = 4
  /// For so many times as long as the hole what was held back may come in bit by bit.
  private static let patience: Int64 = 3

  /// What was believed when bytes last came in without a hole, and how many had come by then.
  private var steady: Int64?
  private var steadyBytes: Int64 = 0
  /// When the hole began that is bridged; nil while none is.
  private(set) var since: Instant?
  /// The longest stretch since then in which nothing could be read.
  private var longest = TimeSpan.zero
  /// A hole that began at this instant or before it is not bridged again.
  private var givenUp = Instant.zero
  /// What has come and cannot be read yet, as far as is believed.
  private(set) var owed: Int64 = 0

  /// What is believed of a hole; nil while none is bridged.
  var belief: Int64? { since == nil ? nil : steady }

  /// Looks at how long nothing has come, or had come before what came at this instant.
  ///
  /// - Parameters:
  ///   - quiet: How long nothing has come: zero where something came at this instant.
  ///   - hole: How long nothing had come before the last bytes.
  ///   - trip: How long a request and its first byte take.
  mutating func look(
    _ bytes: Int64, quiet: TimeSpan, hole: TimeSpan, trip: TimeSpan, at now: Instant
  ) {
    guard let steady else { return }
    let hole = quiet > .zero ? quiet : hole
    let most = Estimate.span(of: Self.mostInQueue, at: steady) + trip * Self.mostTrips
    if since == nil {
      let began = now - hole
      if !LossWatch.isHole(hole, trip: trip) || began <= givenUp { return }
      if hole > most { return givenUp = began }
      since = began
    }
    guard let began = since else { return }
    longest = max(longest, hole)
    let span = now - began
    let usual = scaled(span.nanoseconds, by: steady, over: 8_000_000_000, rounding: .down)
    owed = usual - (bytes - steadyBytes)
    if owed <= 0 || quiet > most || span > longest * Self.patience + trip { end() }
  }

  /// Bytes came in without a hole, and this is believed now.
  mutating func note(_ bitsPerSecond: Int64?, _ bytes: Int64) {
    (steady, steadyBytes) = (bitsPerSecond, bytes)
  }

  private mutating func end() {
    (since, longest, owed) = (nil, .zero, 0)
  }
}
