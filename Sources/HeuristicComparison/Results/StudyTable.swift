import ScenarioFormat

/// The results of a study as a table: a row for each contestant, the cells as texts.
package struct StudyTable: Sendable {
  package struct Column: Sendable {
    package var group: String
    package var heading: String
    package var cells: [String]
  }

  package var names: [String]
  /// The mark after each name: a star for a policy on the Pareto front.
  package var marks: [String]
  package var columns: [Column]

  package init(_ summary: StudySummary, of study: Study) {
    names = study.contestants.map { $0.name }
    marks = study.contestants.indices.map { summary.front.contains($0) ? " *" : "" }
    columns = []
    for figure in [StudyFigure.startup, .stalled] { add(figure, summary, isTime: true) }
    add(mean: "stallShare", "with a stall", summary, unit: 4, decimals: 1, suffix: " %")
    let stalled = summary.figures.firstIndex { $0.name == StudyFigure.stalled.name } ?? 0
    // Sessions that never start or never resume.
    add("", "unfinished", summary.contestants) { "\($0.statistics[stalled].never)" }
    add(mean: SessionField.averageBitrate.name, "Mbit/s", summary, unit: 6, decimals: 2)
    add(mean: SessionField.switches.name, "switches", summary, unit: 6, decimals: 1)
    add(mean: SessionField.wasted.name, "wasted, MB", summary, unit: 6, decimals: 1)
    for figure in summary.figures.suffix(from: StudyFigure.always.count) {
      add(figure, summary, isTime: false)
    }
  }

  package init?(differences summary: StudySummary, of study: Study) {
    guard let baseline = study.baseline else { return nil }
    let others = study.contestants.indices.filter { $0 != baseline }
    if others.isEmpty { return nil }
    names = others.map { study.contestants[$0].name }
    marks = others.map { _ in "" }
    columns = []
    for (place, figure) in summary.figures.enumerated()
    where StudyFigure.compared.contains(figure.name) {
      let differences = others.map { summary.contestants[$0].differences[place] }
      let isRate = figure.places == 0
      func number(_ value: Int64, _ decimals: Int = 3) -> String {
        let decimals = min(decimals, isRate ? 2 : 3)
        let text = fixed(value, of: isRate ? 6 : figure.places, decimals: decimals)
        return value > 0 ? "+" + text : text
      }
      let title = isRate ? "mean rate, Mbit/s" : figure.title + ", s"
      add(title, "difference", differences) { $0.mean.map { number($0.value) } ?? "-" }
      add(title, "95 %", differences) {
        Self.interval($0.mean?.interval, places: isRate ? 6 : figure.places, number)
      }
      add(title, "better/worse", differences) { "\($0.better)/\($0.worse)" }
      add(title, "decided by", differences) {
        $0.deciders == 0 ? "-" : "\($0.deciders) of \($0.pairs)"
      }
    }
  }

  private mutating func add<Row>(
    _ group: String, _ heading: String, _ rows: [Row], _ cell: (Row) -> String
  ) {
    columns.append(Column(group: group, heading: heading, cells: rows.map(cell)))
  }

  private mutating func add(_ figure: StudyFigure, _ summary: StudySummary, isTime: Bool) {
    guard let place = summary.figures.firstIndex(where: { $0.name == figure.name }) else { return }
    let statistics = summary.contestants.map { $0.statistics[place] }
    // A note says why no session has a value.
    if statistics.allSatisfy({ $0.known + $0.never == 0 }) { return }
    func number(_ value: Int64, _ decimals: Int = 3) -> String {
      fixed(value, of: figure.places, decimals: decimals)
    }
    let title = figure.title + (figure.unit.isEmpty ? "" : ", " + figure.unit)
    add(title, "mean", statistics) { Self.mean($0, figure) { number($0) } }
    add(title, "95 %", statistics) {
      Self.interval($0.mean?.interval, places: figure.places, number)
    }
    if isTime {
      for (heading, cells) in [
        ("median", statistics.map { $0.median }), ("p95", statistics.map { $0.percentile95 }),
      ] {
        add(title, heading, cells) { cell in
          cell.map { $0.value == FigureStatistics.never ? "never" : number($0.value) } ?? "-"
        }
      }
    }
    if statistics.allSatisfy({ $0.unknown == 0 }) { return }
    add(title, Self.countHeading, statistics) { "\($0.known + $0.never)" }
  }

  /// Heads the sessions with a value where others have none: means may be of different sessions.
  private static let countHeading = "n"

  package var filled: [Column] { columns.filter { $0.cells.contains { $0 != "-" } } }

  package var hasCounts: Bool { columns.contains { $0.heading == Self.countHeading } }

  package var hasIntervals: Bool { filled.contains { $0.heading == "95 %" } }

  private static func mean(
    _ statistics: FigureStatistics, _ figure: StudyFigure, _ number: (Int64) -> String
  ) -> String {
    guard let mean = statistics.mean else { return statistics.never > 0 ? "never" : "-" }
    return (statistics.never == 0 ? "" : figure.isGain ? "≤" : "≥") + number(mean.value)
  }

  /// Both ends with as many decimals as other draws would give them too.
  package static func interval(
    _ interval: Interval?, places: Int, _ number: (Int64, Int) -> String
  ) -> String {
    guard let interval else { return "-" }
    var (decimals, digit) = (3, UInt64(1))
    for _ in 0..<max(0, places - 3) { digit *= 10 }
    while decimals > 0, 2 * interval.error > digit {
      (decimals, digit) = (decimals - 1, digit * 10)
    }
    func ends() -> (String, String) {
      (number(interval.low, decimals), number(interval.high, decimals))
    }
    // Two ends that differ are not rounded to one number, which may leave the mean out.
    while interval.low != interval.high, decimals < 3, ends().0.utf8.elementsEqual(ends().1.utf8) {
      decimals += 1
    }
    return ends().0 + "…" + ends().1
  }

  private mutating func add(
    mean name: String, _ heading: String, _ summary: StudySummary, unit places: Int,
    decimals: Int, suffix: String = ""
  ) {
    guard let place = summary.figures.firstIndex(where: { $0.name == name }) else { return }
    add("", heading, summary.contestants) {
      Self.mean($0.statistics[place], summary.figures[place]) {
        fixed($0, of: places, decimals: decimals) + suffix
      }
    }
  }
}

/// `units × 10⁻ᵖˡᵃᶜᵉˢ` with so many decimals, halves rounded away from zero.
func fixed(_ units: Int64, of places: Int, decimals: Int) -> String {
  decimal(units, of: places, places: decimals, awayFromZero: true)
}
