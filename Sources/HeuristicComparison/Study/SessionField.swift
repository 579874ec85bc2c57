import ScenarioRunner
import VirtualTime

/// A value of a session's row: what it is called in the session's line, and where it comes from.
struct SessionField: Sendable {
  let name: String
  /// Its place in a row.
  let place: Int
  /// How many decimal places its whole numbers have.
  let places: Int
  let read: @Sendable (PlayerSummary, ViewedSession, RunOutcome) -> Int64

  /// Nothing where playback never began.
  static let startup = SessionField(name: Figure.headlines[0].resultName, place: 1, places: 9) {
    _, viewed, _ in viewed.startup?.nanoseconds ?? SessionRow.nothing
  }
  static let stalls = SessionField(name: Figure.stalls.resultName, place: 2, places: 0) {
    _, viewed, _ in Int64(viewed.stalls.count)
  }
  static let stalled = SessionField(name: Figure.stalled.resultName, place: 3, places: 9) {
    player, _, _ in player.stalled.nanoseconds
  }
  static let played = SessionField(name: "playedSeconds", place: 4, places: 9) { player, _, _ in
    player.played.nanoseconds
  }
  static let firstBitrate = SessionField(name: "firstBitrate", place: 5, places: 0) {
    _, viewed, _ in viewed.segments.first?.bitsPerSecond ?? 0
  }
  static let averageBitrate = SessionField(name: "timeWeightedBitrate", place: 6, places: 0) {
    _, viewed, _ in viewed.weightedBitsPerSecond
  }
  static let switches = SessionField(name: "variantSwitchCount", place: 7, places: 0) {
    player, _, _ in player.variantSwitchCount
  }
  static let transferred = SessionField(name: "bytesTransferred", place: 8, places: 0) {
    player, _, _ in player.bytesTransferred
  }
  static let wasted = SessionField(name: "bytesWasted", place: 9, places: 0) { player, _, _ in
    player.bytesWasted
  }

  /// In the order of their places.
  static let all: [SessionField] = [
    SessionField(name: "endedSeconds", place: 0, places: 9) { _, _, outcome in
      outcome.ended.nanoseconds
    },
    startup, stalls, stalled, played, firstBitrate, averageBitrate, switches, transferred, wasted,
  ]
}
