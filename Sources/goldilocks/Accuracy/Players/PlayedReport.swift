import ExactText
import RunReports

/// Real players against their presets: for each player, how far its sessions are off.
struct PlayedReport {
  struct Cell: Sendable {
    var session: PlayedSession
    var fidelity: String
    var outcome: PlayedSession.Outcome

    var startError: Double { (outcome.startup ?? .infinity) - session.startup }
    var stalledError: Double { outcome.stalled - session.stalled }
    var countError: Int64 { outcome.stalls - session.stalls }
    var isFirstRight: Bool? { session.first.map { $0 == outcome.first } }
    /// The share of the measured segments that were simulated in the same variant.
    var variantsRight: Double? {
      let measured = session.variants
      let right = zip(measured, outcome.variants).count { $0 == $1 }
      return measured.isEmpty ? nil : Double(right) / Double(measured.count)
    }
    /// Whether start, stalled time and the number of stalls are as near as is asked for.
    var isGood: Bool {
      startError.magnitude <= max(0.3, session.startup / 10)
        && stalledError.magnitude <= max(0.7, session.stalled * 0.15) && countError.magnitude <= 1
    }
    /// In seconds, both errors together.
    var distance: Double { startError.magnitude + stalledError.magnitude }
  }

  struct Row {
    var player: String
    var fidelity: String
    var cells: [Cell]

    var startSeconds: Double { SampleStatistics.median(cells.map { $0.startError.magnitude }) }
    var startShare: Double {
      SampleStatistics.median(cells.map { $0.startError.magnitude / max($0.session.startup, 1e-3) })
    }
    var stalledSeconds: Double { SampleStatistics.median(cells.map { $0.stalledError.magnitude }) }
    var stalledShare: Double {
      SampleStatistics.median(
        cells.map { cell in
          let error = cell.stalledError.magnitude
          return cell.session.stalled > 0 ? error / cell.session.stalled : error > 0 ? 1 : 0
        })
    }
    var countsWithinOne: Double {
      Double(cells.count { $0.countError.magnitude <= 1 }) / Double(max(1, cells.count))
    }
    var good: Double { Double(cells.count { $0.isGood }) / Double(max(1, cells.count)) }
    /// How often the player itself repeated its number of stalls within one; nil where no session
    /// was repeated.
    var repeats: Double? {
      var (pairs, near) = (0, 0)
      for (index, one) in cells.enumerated() {
        for other in cells[..<index] where other.session.setup == one.session.setup {
          pairs += 1
          if (one.session.stalls - other.session.stalls).magnitude <= 1 { near += 1 }
        }
      }
      return pairs > 0 ? Double(near) / Double(pairs) : nil
    }
    /// Nil where no first variant was measured.
    var firstVariantsRight: Double? {
      let known = cells.compactMap { $0.isFirstRight }
      return known.isEmpty ? nil : Double(known.count { $0 }) / Double(known.count)
    }

    /// The mean over sessions; nil where no segment's variant was measured.
    var variantsRight: Double? {
      let known = cells.compactMap { $0.variantsRight }
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }

    /// Whether each figure is as near as is asked for.
    var startHolds: Bool { startShare <= 0.1 || startSeconds <= 0.3 }
    var stalledHolds: Bool { stalledShare <= 0.15 || stalledSeconds <= 0.7 }
    var countsHold: Bool { countsWithinOne >= 0.8 }
    var firstHolds: Bool { firstVariantsRight.map { $0 >= 0.9 } ?? true }
  }

  let rows: [Row]
  let worst: Int
  /// The reason of each row that was not scored.
  let leftOut: [String]

  init(_ cells: [Cell], worst: Int, leftOut: [String]) {
    let groups = Dictionary(grouping: cells) { [$0.session.player, $0.fidelity] }
    rows = groups.map { Row(player: $0[0], fidelity: $0[1], cells: $1) }
      .sorted { ($0.player, $0.fidelity) < ($1.player, $1.fidelity) }
    self.worst = worst
    self.leftOut = leftOut
  }

  func text(width: Int, style: TextStyle) -> String {
    let table = summary.lines(width: width, style: style).joined(separator: "\n") + "\n"
    let reasons = reasonsLeftOut.map { "\($0.count) \($0.reason)" }.joined(separator: ", ")
    let words =
      "Medians over the sessions of each player. An asterisk stands where a figure is further off "
      + "than 10 % and 0.3 s at the start, than 15 % and 0.7 s of stalled time, where fewer than "
      + "80 % of the sessions have as many stalls give or take one, or fewer than 90 % the first "
      + "variant; variants is the share of segments in the measured one. A session is good "
      + "that is as near in start, stalled time and number of stalls; "
      + "repeats are pairs of the same session that have as many stalls give or take one. "
      + "\(counted(Int64(leftOut.count), "row")) not scored"
      + (reasons.isEmpty ? "." : ": \(reasons).")
    let explained = wrapped(words, width: style.width).joined(separator: "\n") + "\n"
    return ([table] + rows.compactMap { furthest($0, style) } + [explained])
      .joined(separator: "\n")
  }

  /// How many rows were not scored for each reason, the most frequent first.
  private var reasonsLeftOut: [(reason: String, count: Int)] {
    Set(leftOut).map { reason in (reason, leftOut.count { $0 == reason }) }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }

  private var summary: TextTable {
    func column(_ heading: String, _ cell: (Row) -> String) -> TextTable.Column {
      TextTable.Column(heading: heading, cells: rows.map(cell))
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
          column("good") { percentage($0.good, places: 0) },
          column("stalls ± 1") { percentage($0.countsWithinOne, places: 0) + mark($0.countsHold) },
          column("repeats") { $0.repeats.map { percentage($0, places: 0) } ?? "" },
          column("first variant") { row in
            row.firstVariantsRight.map { percentage($0, places: 0) + mark(row.firstHolds) } ?? ""
          },
          column("variants") { $0.variantsRight.map { percentage($0, places: 0) } ?? "" },
        ])
      ])
  }

  private func furthest(_ row: Row, _ style: TextStyle) -> String? {
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
    if let right = cell.variantsRight, right < 1 {
      parts.append("\(percentage(1 - right, places: 0)) of its segments of another variant")
    }
    return parts.joined(separator: "; ")
  }

  var document: JSONTree {
    [
      "rowsLeftOut": .whole(leftOut.count),
      "leftOut": .list(reasonsLeftOut) {
        ["reason": .string($0.reason), "count": .whole($0.count)]
      },
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
          "shareOfSegmentVariants": .statistic(row.variantsRight),
          "shareOfGoodSessions": .statistic(row.good),
          "shareOfRepeatsWithinOne": .statistic(row.repeats),
          "sessions": .list(row.cells.sorted(by: { $0.distance > $1.distance })) { cell in
            [
              "session": .string(cell.session.name),
              "policy": .string(cell.session.preset),
              "startErrorSeconds": .statistic(cell.startError),
              "stalledErrorSeconds": .statistic(cell.stalledError),
              "stallCountError": .whole(cell.countError),
              "isGood": .boolean(cell.isGood),
              "why": .string(Self.reason(cell)),
            ]
          },
        ]
      },
    ]
  }
}
