import ScenarioFormat
import ScenarioRunner
import VirtualTime

/// A value of a session's row as its line has it.
struct SessionColumn: Sendable {
  /// The object of the line that it stands in.
  enum Group: String, Sendable {
    case none = ""
    case objectives
    case objectiveRegrets
  }

  let group: Group
  let name: String
  /// Its place in a row.
  let place: Int
  /// The number of decimal places in its whole numbers.
  let places: Int
  /// Whether a session can have a value.
  let permits: @Sendable (Int64) -> Bool
}

extension Study {
  /// The columns of its rows in their order, the endings aside.
  var columns: [SessionColumn] {
    var columns = SessionField.all.map { field in
      SessionColumn(
        group: .none, name: field.name, place: field.place, places: field.places
      ) { field.permits($0) }
    }
    func add(_ name: String, _ group: SessionColumn.Group) {
      columns.append(
        SessionColumn(group: group, name: name, place: columns.count + 1, places: 9) { _ in true })
    }
    if asksRegret { add(StudyFigure.regretName, .none) }
    for objective in objectives { add(objective.name, .objectives) }
    for objective in objectivesWithRegret { add(objective.name, .objectiveRegrets) }
    return columns
  }
}

/// A value of every session's row: a figure that has a column, or a value of studies alone.
struct SessionField: Sendable {
  let name: String
  let column: Figure.Column
  /// Its place in a row.
  private(set) var place = 0
  let isGain: Bool
  private let measure: Measure
  let read: @Sendable (PlayerSummary, ViewedSession, RunOutcome) -> Int64

  /// The number of decimal places in its whole numbers.
  var places: Int { measure == .time ? 9 : 0 }
  var unit: String {
    switch measure {
    case .time: "s"
    case .rate: "bit/s"
    case .bytes: "bytes"
    case .count: ""
    }
  }

  /// Whether a session can have it, so that sums and shares of it can be counted.
  func permits(_ value: Int64) -> Bool {
    if value == SessionRow.nothing { return place == Self.startup.place }
    return value >= 0 && value <= (measure == .count ? 1 << 40 : .max / 2)
  }

  private enum Measure {
    case time
    case rate
    case bytes
    case count
  }

  private init(
    _ name: String, _ measure: Measure, _ title: String? = nil, isGain: Bool = false,
    _ read: @escaping @Sendable (PlayerSummary, ViewedSession, RunOutcome) -> Int64
  ) {
    (self.name, self.measure, column, self.isGain) = (name, measure, Figure.Column(title), isGain)
    self.read = read
  }

  /// A figure of the run's results under the name that it has there; nil for one without a column.
  private init?(_ figure: Figure) {
    guard let column = figure.column else { return nil }
    (name, self.column, isGain) = (figure.resultName, column, figure.better == .more)
    measure =
      switch figure.unit {
      case .bytes: .bytes
      case .bitRate: .rate
      case .seconds: .time
      case nil: .count
      }
    read = { player, _, _ in
      figure.value(player).magnitude.map { Int64(clamping: $0) } ?? SessionRow.nothing
    }
  }

  /// In the order of their places.
  static let all: [SessionField] = {
    var fields =
      Figure.all.compactMap { SessionField($0) } + [
        SessionField("endedSeconds", .time) { _, _, outcome in outcome.ended.nanoseconds },
        SessionField("firstBitrate", .rate, "first rate", isGain: true) { _, viewed, _ in
          viewed.segments.first?.bitsPerSecond ?? 0
        },
        SessionField("timeWeightedBitrate", .rate, "mean rate", isGain: true) { _, viewed, _ in
          viewed.meanBitRate() ?? 0
        },
        SessionField("bytesWasted", .bytes, "wasted") { player, _, _ in player.bytesWasted },
      ]
    for place in fields.indices { fields[place].place = place }
    return fields
  }()

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
