import ScenarioFormat
import ScenarioRunner
import VirtualTime

/// A value of a session's row: its name in the session's line, and how it is read of a run.
struct SessionField: Sendable {
  let name: String
  /// Its place in a row.
  let place: Int
  /// How many decimal places its whole numbers have.
  let places: Int
  /// How many bits hold what it is as a rule; what needs more is kept aside.
  let bits: Int
  let read: @Sendable (PlayerSummary, ViewedSession, RunOutcome) -> Int64

  /// Whether a session can have it, so that sums and shares of it can be counted.
  func permits(_ value: Int64) -> Bool {
    if value == SessionRow.nothing { return place == Self.startup.place }
    return value >= 0 && value <= (bits == Measure.count.bits ? 1 << 40 : .max / 2)
  }

  /// The text and the packed form of whole numbers of a kind.
  private enum Measure {
    case time
    case rate
    case bytes
    case count

    var places: Int { self == .time ? 9 : 0 }

    /// Two hundred days in nanoseconds, seventeen terabits in a second, a quarter of a petabyte.
    var bits: Int {
      switch self {
      case .time: 54
      case .rate: 44
      case .bytes: 48
      case .count: 28
      }
    }
  }

  private struct Row: Sendable {
    let name: String
    let measure: Measure
    let read: @Sendable (PlayerSummary, ViewedSession, RunOutcome) -> Int64

    init(
      _ name: String, _ measure: Measure,
      _ read: @escaping @Sendable (PlayerSummary, ViewedSession, RunOutcome) -> Int64
    ) {
      (self.name, self.measure, self.read) = (name, measure, read)
    }

    /// A figure of the run's results under the name that it has there.
    init(_ figure: Figure, _ measure: Measure) {
      self.init(figure.resultName, measure) { player, _, _ in
        figure.value(player).magnitude.map { Int64(clamping: $0) } ?? SessionRow.nothing
      }
    }
  }

  private static let rows = [
    Row("endedSeconds", .time) { _, _, outcome in outcome.ended.nanoseconds },
    Row(.startupDelay, .time), Row(.stalls, .count), Row(.stalled, .time), Row(.played, .time),
    Row("firstBitrate", .rate) { _, viewed, _ in viewed.segments.first?.bitsPerSecond ?? 0 },
    Row("timeWeightedBitrate", .rate) { _, viewed, _ in viewed.meanBitRate() ?? 0 },
    Row(.switches, .count), Row(.transferred, .bytes),
    Row("bytesWasted", .bytes) { player, _, _ in player.bytesWasted },
    Row(.waiting, .time), Row(.requests, .count),
  ]

  /// In the order of their places.
  static let all = rows.enumerated().map { place, row in
    SessionField(
      name: row.name, place: place, places: row.measure.places, bits: row.measure.bits,
      read: row.read)
  }

  private static func named(_ name: String) -> SessionField {
    guard let field = all.first(where: { $0.name == name }) else {
      preconditionFailure("there is a row for \(name)")
    }
    return field
  }

  /// Nothing where playback never began.
  static let startup = named(Figure.startupDelay.resultName)
  static let stalls = named(Figure.stalls.resultName)
  static let stalled = named(Figure.stalled.resultName)
  static let played = named(Figure.played.resultName)
  static let firstBitrate = named("firstBitrate")
  static let averageBitrate = named("timeWeightedBitrate")
  static let switches = named(Figure.switches.resultName)
  static let transferred = named(Figure.transferred.resultName)
  static let wasted = named("bytesWasted")
}
