import ScenarioFormat
import ScenarioRunner
import VirtualTime

/// A value of a session's row: what it is called in the session's line, and where it comes from.
struct SessionField: Sendable {
  let name: String
  /// Its place in a row.
  let place: Int
  /// How many decimal places its whole numbers have.
  let places: Int
  /// How many bits hold what it is as a rule; what needs more is kept aside.
  let bits: Int
  let read: @Sendable (PlayerSummary, ViewedSession, RunOutcome) -> Int64

  /// Two hundred days in nanoseconds, seventeen terabits in a second, a quarter of a petabyte.
  private static let (timeBits, rateBits, byteBits, countBits) = (54, 44, 48, 28)

  /// Whether a session can have it, so that sums and shares of it can be counted.
  func permits(_ value: Int64) -> Bool {
    if value == SessionRow.nothing { return place == Self.startup.place }
    return value >= 0 && value <= (bits == Self.countBits ? 1 << 40 : .max / 2)
  }

  /// Nothing where playback never began.
  static let startup = SessionField(
    name: Figure.headlines[0].resultName, place: 1, places: 9, bits: timeBits
  ) {
    _, viewed, _ in viewed.startup?.nanoseconds ?? SessionRow.nothing
  }
  static let stalls = SessionField(
    name: Figure.stalls.resultName, place: 2, places: 0, bits: countBits
  ) {
    player, _, _ in player.stallCount
  }
  static let stalled = SessionField(
    name: Figure.stalled.resultName, place: 3, places: 9, bits: timeBits
  ) {
    player, _, _ in player.stalled.nanoseconds
  }
  static let played = SessionField(name: "playedSeconds", place: 4, places: 9, bits: timeBits) {
    player, _, _ in
    player.played.nanoseconds
  }
  static let firstBitrate = SessionField(name: "firstBitrate", place: 5, places: 0, bits: rateBits)
  {
    _, viewed, _ in viewed.segments.first?.bitsPerSecond ?? 0
  }
  static let averageBitrate = SessionField(
    name: "timeWeightedBitrate", place: 6, places: 0, bits: rateBits
  ) {
    _, viewed, _ in viewed.meanBitRate() ?? 0
  }
  static let switches = SessionField(
    name: "variantSwitchCount", place: 7, places: 0, bits: countBits
  ) {
    player, _, _ in player.variantSwitchCount
  }
  static let transferred = SessionField(
    name: "bytesTransferred", place: 8, places: 0, bits: byteBits
  ) {
    player, _, _ in player.bytesTransferred
  }
  static let wasted = SessionField(name: "bytesWasted", place: 9, places: 0, bits: byteBits) {
    player, _, _ in
    player.bytesWasted
  }

  static let waiting = SessionField(
    name: "waitingSeconds", place: 10, places: 9, bits: timeBits
  ) { player, _, _ in player.waiting.nanoseconds }
  static let requests = SessionField(
    name: "requestCount", place: 11, places: 0, bits: countBits
  ) { player, _, _ in player.requestCount }

  /// In the order of their places.
  static let all: [SessionField] = [
    SessionField(name: "endedSeconds", place: 0, places: 9, bits: timeBits) { _, _, outcome in
      outcome.ended.nanoseconds
    },
    startup, stalls, stalled, played, firstBitrate, averageBitrate, switches, transferred, wasted,
    waiting, requests,
  ]
}
