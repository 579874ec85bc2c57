package import ScenarioFormat
package import ScenarioRunner
package import SimulatedPlayback
import VirtualTime

/// The figures kept of a session: a handful of integers, whose places are named here alone.
package struct SessionRow: Hashable, Sendable {
  /// In the order of the fields; then the endings, regret where it is asked for, objectives, and
  /// where it is asked for the regret by those that have a best; and the digest, if it is kept.
  package var values: [Int64]

  /// Stands for a value that a session has not.
  package static let nothing = Int64.min

  package init(values: [Int64]) { self.values = values }

  subscript(field: SessionField) -> Int64 { values[field.place] }

  /// The number of values in every row: its fields, and the endings of playback and the run.
  static let fixedWidth = SessionField.all.count + 1

  package static func width(of study: Study) -> Int {
    study.columns.count + 1 + (study.keepsDigests ? digestWidth : 0)
  }

  package init(_ scenario: borrowing Scenario, _ outcome: borrowing RunOutcome, in study: Study) {
    let player = outcome.player
    let viewed = ViewedSession(outcome)
    values = []
    values.reserveCapacity(SessionRow.fixedWidth)
    for field in SessionField.all { values.append(field.read(player, viewed, outcome)) }
    values.append(SessionRow.code(player.outcome, outcome.end))
    if study.asksRegret { values.append(Self.regret(scenario, outcome, viewed)) }
    values += study.objectives.map { $0.billionths(viewed) ?? Self.nothing }
    values += study.objectivesWithRegret.map { Self.regret(by: $0, scenario, outcome, viewed) }
    if study.keepsDigests { values += Self.values(of: outcome.digest ?? "") ?? [] }
  }

  private static let digestWidth = 4

  /// The values that stand for a digest; nil for a text that is none.
  static func values(of digest: String) -> [Int64]? {
    let words = stride(from: 0, to: 64, by: 16).compactMap { start in
      UInt64(String(digest.dropFirst(start).prefix(16)), radix: 16)
    }
    return digest.utf8.count == 64 && words.count == digestWidth
      ? words.map { Int64(bitPattern: $0) } : nil
  }

  /// The digest of the trace; nil where the study keeps none.
  package func digest(in study: Study) -> String? {
    if !study.keepsDigests { return nil }
    return joined(
      values.suffix(Self.digestWidth).map { hexadecimal(UInt64(bitPattern: $0)) }, by: "")
  }

  private static func code(_ ending: PlaybackOutcome, _ end: EndReason) -> Int64 {
    let first = PlaybackOutcome.allCases.firstIndex(of: ending) ?? 0
    return Int64(first * EndReason.allCases.count + (EndReason.allCases.firstIndex(of: end) ?? 0))
  }

  package static func code(ending: String, end: String) -> Int64? {
    guard let ending = PlaybackOutcome(rawValue: ending),
      let end = EndReason.allCases.first(where: { $0.word == end })
    else { return nil }
    return code(ending, end)
  }

  package var ending: PlaybackOutcome {
    PlaybackOutcome.allCases[Int(values[SessionRow.fixedWidth - 1]) / EndReason.allCases.count]
  }

  var end: EndReason {
    EndReason.allCases[Int(values[SessionRow.fixedWidth - 1]) % EndReason.allCases.count]
  }

  /// The time waited at the start and in stalls together, beyond the least possible; none where the
  /// oracle has no result, or the run was cut before its end.
  private static func regret(
    _ scenario: Scenario, _ outcome: RunOutcome, _ viewed: ViewedSession
  ) -> Int64 {
    guard outcome.end == .finished, let startup = viewed.startup,
      let best = OracleReport(scenario, outcome).finding?.waiting
    else { return nothing }
    return (startup + outcome.player.books.stalled).nanoseconds - best.nanoseconds
  }

  /// Shortfall of an adaptive session from the best possible by an objective, or from a bound that
  /// nobody beats, in billionths; nothing where the oracle cannot say, or the run was cut short.
  private static func regret(
    by objective: Objective, _ scenario: Scenario, _ outcome: RunOutcome, _ viewed: ViewedSession
  ) -> Int64 {
    guard outcome.end == .finished, outcome.player.outcome == .played,
      let value = objective.billionths(viewed),
      let best = OptimumReport(objective, of: scenario, outcome).finding?.bound
    else { return nothing }
    return Int64(min(Int128(best) - Int128(value), Int128(LinearPrices.most)))
  }
}

package struct StudyRows: Sendable {
  package let width: Int
  private var values: [Int64]

  package init(width: Int, count: Int) {
    self.width = width
    values = Array(repeating: 0, count: width * count)
  }

  package mutating func record(_ row: SessionRow, of session: Int) {
    precondition(row.values.count == width, "a row has the values of its study")
    for (place, value) in row.values.enumerated() { values[width * session + place] = value }
  }

  package func row(_ session: Int) -> SessionRow {
    SessionRow(values: Array(values[width * session..<width * (session + 1)]))
  }
}

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
  private(set) var place = 0
  let isGain: Bool
  /// Nil for a count.
  private let measure: FigureUnit?
  let read: @Sendable (PlayerSummary, ViewedSession, RunOutcome) -> Int64

  /// The number of decimal places in its whole numbers.
  var places: Int { measure == .seconds ? 9 : 0 }
  var unit: String {
    switch measure {
    case .seconds: "s"
    case .bitRate: "bit/s"
    case .bytes: "bytes"
    case nil: ""
    }
  }

  /// Whether a session can have it, so that sums and shares of it can be counted.
  func permits(_ value: Int64) -> Bool {
    if value == SessionRow.nothing { return place == Self.startup.place }
    return value >= 0 && value <= (measure == nil ? 1 << 40 : .max / 2)
  }

  private init(
    _ name: String, _ measure: FigureUnit, _ title: String? = nil, isGain: Bool = false,
    _ read: @escaping @Sendable (PlayerSummary, ViewedSession, RunOutcome) -> Int64
  ) {
    (self.name, self.measure, column, self.isGain) = (name, measure, Figure.Column(title), isGain)
    self.read = read
  }

  /// A figure of the run's results under the name that it has there; nil for one without a column.
  private init?(_ figure: Figure) {
    guard let column = figure.column else { return nil }
    (name, self.column, isGain) = (figure.resultName, column, figure.better == .more)
    measure = figure.unit
    read = { player, _, _ in
      figure.value(player).magnitude.map { Int64(clamping: $0) } ?? SessionRow.nothing
    }
  }

  /// In the order of their places.
  static let all: [SessionField] = {
    var fields =
      Figure.all.compactMap { SessionField($0) } + [
        SessionField("endedSeconds", .seconds) { _, _, outcome in outcome.ended.nanoseconds },
        SessionField("firstBitrate", .bitRate, "first rate", isGain: true) { _, viewed, _ in
          viewed.segments.first?.bitsPerSecond ?? 0
        },
        SessionField("timeWeightedBitrate", .bitRate, "mean rate", isGain: true) { _, viewed, _ in
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
  static let wasted = named("bytesWasted")
}
