import Autowait
import ScenarioRunner
import VirtualTime

/// A run from left to right: what the app did, the states, the buffer below them, and the time.
struct Timeline {
  private let scenario: Scenario
  private let outcome: RunOutcome
  private let columnCount: Int

  private static let labelWidth = 8

  init(_ scenario: Scenario, _ outcome: RunOutcome, width: Int) {
    self.scenario = scenario
    self.outcome = outcome
    columnCount = width - Self.labelWidth
  }

  private var length: Int64 { outcome.ended.nanoseconds }

  func lines(style: TextStyle) -> [String] {
    if length <= 0 { return [] }
    var lines = marks().map { label("", style) + $0 }
    lines.append(label("player", style) + states(style))
    lines.append(label("buffer", style) + levels())
    if let outages = outages() { lines.append(label("outage", style) + style.paint(outages, .bad)) }
    lines += TimeAxis(length: length, columnCount: columnCount).lines.map {
      label("", style) + style.paint($0, .faint)
    }
    lines.append("")
    lines += wrapped(legend, width: columnCount).map { label("", style) + style.paint($0, .faint) }
    return lines.map { style.isColoured ? $0 : trimmed($0) }
  }

  private func label(_ text: String, _ style: TextStyle) -> String {
    style.paint(padded(text, to: Self.labelWidth), .faint)
  }

  private var legend: String {
    "· paused, ░ waiting, ━ playing; the buffer is at █ with \(shownSeconds(most)) ahead of the "
      + "playhead"
  }

  // MARK: Columns

  /// The instants that a column stands for.
  private func span(_ column: Int) -> (start: Int64, end: Int64) {
    (start(of: column), start(of: column + 1))
  }

  private func start(of column: Int) -> Int64 {
    Int64(Int128(length) * Int128(column) / Int128(columnCount))
  }

  private func column(at instant: Instant) -> Int {
    let column = Int128(instant.nanoseconds) * Int128(columnCount) / Int128(length)
    return min(Int(column), columnCount - 1)
  }

  // MARK: States

  private func states(_ style: TextStyle) -> String {
    var text = ""
    var stretch = ""
    var tint: Tint?
    var band = 0
    for column in 0..<columnCount {
      let (start, end) = span(column)
      while band + 1 < outcome.bands.count, outcome.bands[band].end.nanoseconds <= start {
        band += 1
      }
      guard let control = control(from: band, start, end) else { break }
      if let last = tint, last != control.tint {
        text += style.paint(stretch, last)
        stretch = ""
      }
      tint = control.tint
      stretch += control.glyph
    }
    return text + (tint.map { style.paint(stretch, $0) } ?? "")
  }

  /// The state of a column: what took the most of it, but for a wait too short to win any.
  private func control(from first: Int, _ start: Int64, _ end: Int64) -> TimeControl? {
    var longest: (control: TimeControl, share: Int64)?
    var index = first
    while index < outcome.bands.count, outcome.bands[index].start.nanoseconds < max(end, start + 1)
    {
      let band = outcome.bands[index]
      let isShort = (band.end - band.start).nanoseconds < end - start
      if case .waiting = band.control, isShort { return band.control }
      let share = min(end, band.end.nanoseconds) - max(start, band.start.nanoseconds)
      if share > longest?.share ?? -1 { longest = (band.control, share) }
      index += 1
    }
    return longest?.control
  }

  // MARK: Buffer

  private var most: Int64 {
    outcome.levels.reduce(0) { max($0, $1.ahead.nanoseconds) }
  }

  private func levels() -> String {
    var text = ""
    var next = 0
    let most = most
    for column in 0..<columnCount {
      let (start, end) = span(column)
      let middle = start + (end - start) / 2
      while next < outcome.levels.count, outcome.levels[next].instant.nanoseconds <= middle {
        next += 1
      }
      text += LevelBars.glyph(level(at: middle, before: next), of: most)
    }
    return text
  }

  /// The level at an instant that lies before the next one that is known.
  private func level(at instant: Int64, before next: Int) -> Int64 {
    let levels = outcome.levels
    if next == 0 { return levels.first?.ahead.nanoseconds ?? 0 }
    let start = levels[next - 1]
    if next == levels.count { return start.ahead.nanoseconds }
    let end = levels[next]
    let passed = Int128(instant - start.instant.nanoseconds)
    let whole = Int128((end.instant - start.instant).nanoseconds)
    let change = Int128(end.ahead.nanoseconds - start.ahead.nanoseconds)
    return start.ahead.nanoseconds + Int64(change * passed / whole)
  }

  // MARK: Outages and the app

  /// A row with a cross wherever the scenario's link lets nothing through.
  private func outages() -> String? {
    let outages = scenario.link.outages.filter { $0.start < outcome.ended }
    if outages.isEmpty { return nil }
    var row = Array(repeating: " ", count: columnCount)
    for outage in outages {
      let last = column(at: min(outage.start + outage.duration, outcome.ended))
      for column in column(at: outage.start)...last { row[column] = "×" }
    }
    return joined(row, by: "")
  }

  /// Rows with what the app did, each word beginning where it was done.
  private func marks() -> [String] {
    var rows: [String] = []
    var done: [(instant: Instant, name: String)] = []
    for (step, instant) in zip(scenario.script, outcome.stepInstants) {
      if let instant { done.append((instant, "▾" + step.name)) }
    }
    let inOrder = done.enumerated().sorted {
      ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
    }
    for (_, mark) in inOrder {
      let width = columns(of: mark.name)
      let place = min(column(at: mark.instant), max(0, columnCount - width))
      if let row = rows.firstIndex(where: { columns(of: $0) < place || $0.isEmpty }) {
        rows[row] = padded(rows[row], to: place) + mark.name
      } else if rows.count < Self.mostMarkRows {
        rows.append(blank(place) + mark.name)
      }
    }
    return rows
  }

  private static let mostMarkRows = 4
}
