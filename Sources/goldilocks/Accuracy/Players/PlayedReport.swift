import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner

/// Real players against their presets: for each player, how far its sessions are off.
struct PlayedReport {
  /// A session as it was measured and as it was simulated.
  struct Cell: Sendable {
    var session: PlayedSession
    var fidelity: String
    var outcome: PlayedSession.Outcome

    var startError: Double { (outcome.startup ?? .infinity) - session.startup }
    var stalledError: Double { outcome.stalled - session.stalled }
    var countError: Int64 { outcome.stalls - session.stalls }
    var isFirstRight: Bool? {
      session.first.map { measured in measured == outcome.first }
    }
    /// In seconds, both errors together.
    var distance: Double { startError.magnitude + stalledError.magnitude }
  }

  /// All sessions of a player in one fidelity.
  struct Row {
    var player: String
    var fidelity: String
    var cells: [Cell]

    private func median(_ values: [Double]) -> Double { SampleStatistics.median(values) }

    var startSeconds: Double { median(cells.map { $0.startError.magnitude }) }
    var startShare: Double {
      median(cells.map { $0.startError.magnitude / max($0.session.startup, 1e-3) })
    }
    var stalledSeconds: Double { median(cells.map { $0.stalledError.magnitude }) }
    var stalledShare: Double {
      median(
        cells.map { cell in
          let error = cell.stalledError.magnitude
          return cell.session.stalled > 0 ? error / cell.session.stalled : error > 0 ? 1 : 0
        })
    }
    var countsWithinOne: Double {
      Double(cells.count { $0.countError.magnitude <= 1 }) / Double(max(1, cells.count))
    }
    /// Nil where no first variant was measured.
    var firstVariantsRight: Double? {
      let known = cells.compactMap { $0.isFirstRight }
      return known.isEmpty ? nil : Double(known.count { $0 }) / Double(known.count)
    }

    /// Whether each figure is as near as is asked for.
    var startHolds: Bool { startShare <= 0.1 || startSeconds <= 0.3 }
    var stalledHolds: Bool { stalledShare <= 0.15 || stalledSeconds <= 0.7 }
    var countsHold: Bool { countsWithinOne >= 0.8 }
    var firstHolds: Bool { firstVariantsRight.map { $0 >= 0.9 } ?? true }
  }

  let rows: [Row]
  let worst: Int
  /// Rows that were not scored: marked as not valid, or of nobody with a preset.
  let leftOut: Int

  init(_ cells: [Cell], worst: Int, leftOut: Int) {
    var rows: [Row] = []
    for cell in cells {
      if let index = rows.firstIndex(where: {
        $0.player == cell.session.player && $0.fidelity == cell.fidelity
      }) {
        rows[index].cells.append(cell)
      } else {
        rows.append(Row(player: cell.session.player, fidelity: cell.fidelity, cells: [cell]))
      }
    }
    self.rows = rows.sorted { ($0.player, $0.fidelity) < ($1.player, $1.fidelity) }
    self.worst = worst
    self.leftOut = leftOut
  }

  // MARK: Text

  func text(width: Int, style: TextStyle) -> String {
    let table = summary.lines(width: width, style: style).joined(separator: "\n") + "\n"
    let words =
      "Medians over the sessions of each player. An asterisk stands where a figure is further off "
      + "than 10 % and 0.3 s at the start, than 15 % and 0.7 s of stalled time, where fewer than "
      + "80 % of the sessions have as many stalls give or take one, or fewer than 90 % the first "
      + "variant. \(counted(Int64(leftOut), "row")) not scored."
    let explained = wrapped(words, width: style.width).joined(separator: "\n") + "\n"
    return ([table] + rows.compactMap { furthest($0, width, style) } + [explained])
      .joined(separator: "\n")
  }

  private var summary: TextTable {
    func column(_ heading: String, _ cell: (Row) -> String) -> TextTable.Column {
      TextTable.Column(heading: heading, alignment: .right, cells: rows.map(cell))
    }
    func mark(_ holds: Bool) -> String { holds ? "" : " *" }
    return TextTable(
      names: TextTable.Column(heading: "player", cells: rows.map { $0.player }),
      groups: [
        TextTable.Group(columns: [
          column("link") { $0.fidelity },
          column("sessions") { grouped(Int64($0.cells.count)) },
          column("start") { percentage($0.startShare, places: 0) },
          column("") { fixedPoint($0.startSeconds, places: 2, unit: " s") + mark($0.startHolds) },
          column("stalled") { percentage($0.stalledShare, places: 0) },
          column("") {
            fixedPoint($0.stalledSeconds, places: 2, unit: " s") + mark($0.stalledHolds)
          },
          column("stalls ± 1") { percentage($0.countsWithinOne, places: 0) + mark($0.countsHold) },
          column("first variant") { row in
            row.firstVariantsRight.map { percentage($0, places: 0) + mark(row.firstHolds) } ?? ""
          },
        ])
      ])
  }

  private func furthest(_ row: Row, _ width: Int, _ style: TextStyle) -> String? {
    let cells = row.cells.sorted { $0.distance > $1.distance }.prefix(worst)
    if cells.isEmpty { return nil }
    let title = style.paint("Furthest off, \(row.player) over \(row.fidelity)", .title)
    return ([title] + cells.map { "  \($0.session.name): \(Self.reason($0))" })
      .joined(separator: "\n") + "\n"
  }

  /// Differences from the measurement, and the clause that started playback.
  static func reason(_ cell: Cell) -> String {
    func seconds(_ value: Double) -> String { fixedPoint(value, places: 2, unit: " s") }
    var parts: [String] = []
    if let startup = cell.outcome.startup {
      let clause = cell.outcome.clause.map { " by \($0)" } ?? ""
      parts.append(
        "starts after \(seconds(startup))\(clause), not \(seconds(cell.session.startup))")
    } else {
      parts.append("never starts, where it did after \(seconds(cell.session.startup))")
    }
    if cell.stalledError.magnitude > 0.005 || cell.countError != 0 {
      parts.append(
        "stalls \(cell.outcome.stalls) times for \(seconds(cell.outcome.stalled)), not "
          + "\(cell.session.stalls) for \(seconds(cell.session.stalled))")
    }
    if let measured = cell.session.firstStall, let simulated = cell.outcome.firstStall,
      (measured - simulated).magnitude > 0.25
    {
      parts.append("the first after \(seconds(simulated)) of media, not \(seconds(measured))")
    }
    if cell.isFirstRight == false { parts.append("begins with another variant") }
    return parts.joined(separator: "; ")
  }
}

// MARK: - JSON

extension PlayedReport {
  var document: JSONTree {
    [
      "rowsLeftOut": .whole(leftOut),
      "players": .list(rows) { row in
        [
          "player": .string(row.player),
          "fidelity": .string(row.fidelity),
          "sessionCount": .whole(row.cells.count),
          "startErrorSeconds": .statistic(row.startSeconds),
          "startErrorShare": .statistic(row.startShare),
          "stalledErrorSeconds": .statistic(row.stalledSeconds),
          "stalledErrorShare": .statistic(row.stalledShare),
          "shareOfStallCountsWithinOne": .statistic(row.countsWithinOne),
          "shareOfFirstVariants": .statistic(row.firstVariantsRight),
          "sessions": .list(row.cells.sorted(by: { $0.distance > $1.distance })) { cell in
            [
              "session": .string(cell.session.name),
              "policy": .string(cell.session.preset),
              "startErrorSeconds": .statistic(cell.startError),
              "stalledErrorSeconds": .statistic(cell.stalledError),
              "stallCountError": .whole(cell.countError),
              "why": .string(Self.reason(cell)),
            ]
          },
        ]
      },
    ]
  }
}
