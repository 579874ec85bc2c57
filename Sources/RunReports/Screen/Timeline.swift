import Autowait
import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

/// A run from left to right: what the app did, the states, the buffer below them, and the time.
struct Timeline {
  let scenario: Scenario
  let outcome: RunOutcome
  let width: Int

  private static let labelWidth = 8

  private var columnCount: Int { width - Self.labelWidth }
  private var length: Int64 { outcome.ended.nanoseconds }

  func lines(style: TextStyle) -> [String] {
    if length <= 0 { return [] }
    var lines = marks().map { label("", style) + $0 }
    for player in players {
      if outcome.gaps.contains(.start) { continue }
      lines.append(label(player.name, style) + states(player.bands, style))
      if outcome.gaps.contains(.buffer) { continue }
      lines.append(label("buffer", style) + buffer(player.levels))
    }
    if let variants = variants() { lines.append(label("variant", style) + variants) }
    if let link = link() { lines.append(label("link", style) + link.row) }
    if let outages = outages() { lines.append(label("outage", style) + style.paint(outages, .bad)) }
    lines += axis.map { label("", style) + style.paint($0, .faint) }
    lines.append("")
    lines += wrapped(legend, width: columnCount).map { label("", style) + style.paint($0, .faint) }
    return lines.map { style.isColoured ? $0 : trimmed($0) }
  }

  private func label(_ text: String, _ style: TextStyle) -> String {
    style.paint(padded(text, to: Self.labelWidth), .faint)
  }

  private var legend: String {
    let gaps = outcome.gaps
    let buffer = "; the buffer is at █ with \(shownSeconds(most)) ahead of the playhead"
    return (gaps.contains(.start) ? "the player is unknown" : "· paused, ░ waiting, ━ playing")
      + (gaps.contains(.buffer) ? "" : buffer)
      + (variants() == nil ? "" : "; variants by their place in the playlist, from 0")
      + (link().map { "; the link is at █ with \($0.most)" } ?? "")
  }

  /// The most that any player had ahead, so that their buffers can be compared.
  private var most: Int64 {
    players.lazy.flatMap { $0.levels }.reduce(0) { max($0, $1.media.nanoseconds) }
  }

  private var players: [(name: String, bands: [StateBand], levels: [BufferLevel])] {
    [("player", outcome.bands, outcome.levels)]
      + outcome.others.map {
        (shortened(shown($0.name), to: Self.labelWidth - 1), $0.bands, $0.levels)
      }
  }

  private func column(at instant: Instant) -> Int {
    let column = Int128(instant.nanoseconds) * Int128(columnCount) / Int128(length)
    return min(Int(column), columnCount - 1)
  }

  /// The instants that a column stands for.
  private func span(_ column: Int) -> (start: Int64, end: Int64) {
    func start(of column: Int) -> Int64 {
      Int64(Int128(length) * Int128(column) / Int128(columnCount))
    }
    return (start(of: column), start(of: column + 1))
  }

  private func states(_ bands: [StateBand], _ style: TextStyle) -> String {
    var text = ""
    var stretch = ""
    var tint: Tint?
    var band = 0
    for column in 0..<columnCount {
      let (start, end) = span(column)
      while band + 1 < bands.count, bands[band].end.nanoseconds <= start {
        band += 1
      }
      guard let control = control(bands[band...], start, end) else { break }
      if let last = tint, last != control.looks.tint {
        text += style.paint(stretch, last)
        stretch = ""
      }
      tint = control.looks.tint
      stretch += control.looks.glyph
    }
    return text + (tint.map { style.paint(stretch, $0) } ?? "")
  }

  /// The state of a column: what took the most of it, but for a wait too short to win any.
  private func control(
    _ bands: ArraySlice<StateBand>, _ start: Int64, _ end: Int64
  ) -> TimeControl? {
    var longest: (control: TimeControl, share: Int64)?
    for band in bands.prefix(while: { $0.start.nanoseconds < max(end, start + 1) }) {
      let isShort = (band.end - band.start).nanoseconds < end - start
      if band.control.isWaiting, isShort { return band.control }
      let share = min(end, band.end.nanoseconds) - max(start, band.start.nanoseconds)
      if share > longest?.share ?? -1 { longest = (band.control, share) }
    }
    return longest?.control
  }

  private func buffer(_ levels: [BufferLevel]) -> String {
    let most = most
    let glyphs = (0..<columnCount).map { column in
      let (start, end) = span(column)
      let middle = Instant(nanoseconds: start + (end - start) / 2)
      return bar(levels.value(at: middle).nanoseconds, of: most)
    }
    return joined(glyphs, by: "")
  }

  /// A row with the variant that is played, where there are several.
  private func variants() -> String? {
    let uses = outcome.shownVariants
    let hasSeveral = uses.contains { VariantShades($0.source ?? scenario.item.source).count > 1 }
    guard hasSeveral || uses.contains(where: { $0.variant != uses[0].variant }) else { return nil }
    var row = Array(repeating: " ", count: columnCount)
    for (index, use) in uses.enumerated() {
      let start = column(at: use.start)
      let end = index + 1 < uses.count ? column(at: uses[index + 1].start) : columnCount
      for column in start..<max(start, end) { row[column] = "─" }
      for (place, digit) in "\(use.variant)".unicodeScalars.enumerated()
      where start + place < columnCount {
        row[start + place] = String(digit)
      }
    }
    return joined(row, by: "")
  }

  /// A row with the bandwidth of a link that changes otherwise than by outages: the mean of each
  /// column, and the highest of all in words; an unlimited link is drawn as the highest.
  private func link() -> (row: String, most: String)? {
    let spans = outcome.capacity ?? []
    let rates = spans.compactMap { $0.rate }
    let most = rates.max() ?? 0
    guard most > 0, rates.count < spans.count || rates.contains(where: { $0 != most && $0 > 0 })
    else { return nil }
    let glyphs = (0..<columnCount).map { column in
      let (start, end) = span(column)
      let mean = spans.mean(from: Instant(nanoseconds: start), to: Instant(nanoseconds: end))
      return bar(mean ?? most, of: most)
    }
    let words = shownRate(.bitsPerSecond(most))
    return (joined(glyphs, by: ""), words + (rates.count < spans.count ? " or unlimited" : ""))
  }

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
    var unseen = 0
    for (step, instant) in outcome.stepsDone(of: scenario.script) {
      let name = "▾" + shown(step.name)
      let place = min(column(at: instant), max(0, columnCount - columns(of: name)))
      if let row = rows.firstIndex(where: { columns(of: $0) < place || $0.isEmpty }) {
        rows[row] = padded(rows[row], to: place) + name
      } else if rows.count < Self.mostMarkRows {
        rows.append(blank(place) + name)
      } else {
        unseen += 1
      }
    }
    if unseen > 0 { rows.append("and \(grouped(Int64(unseen))) more") }
    return rows
  }

  private static let mostMarkRows = 4

  /// The seconds below: a tick and a number at round distances, about ten columns apart.
  private var axis: [String] {
    var ticks = Array(repeating: "─", count: columnCount)
    var (numbers, count) = ("", 0)
    let (step, places) = roundStep(atLeast: Int128(length) * 10 / Int128(columnCount))
    var instant: Int128 = 0
    while instant <= Int128(length) {
      let column = Int(instant * Int128(columnCount) / Int128(length))
      if column >= columnCount { break }
      let number = decimal(Int64(instant), of: 9, places: places) + (instant == 0 ? " s" : "")
      if count <= column {
        ticks[column] = "┴"
        count = column + 1
        if column + columns(of: number) <= columnCount {
          numbers = padded(numbers, to: column) + number
        }
      }
      instant += step
    }
    return [joined(ticks, by: ""), numbers]
  }
}

extension TimeControl {
  /// The state in a row of the timeline, on the demo's screen, and in a sentence.
  var looks: (glyph: String, tint: Tint, title: String, verb: String) {
    switch self {
    case .paused: ("·", .paused, "Paused", "Paused")
    case .waiting, .awaitingMedia: ("░", .waiting, "Waiting", "Waits")
    case .playing: ("━", .playing, "Playing", "Plays")
    }
  }
}

/// The bar for a level; whatever is not nothing can be seen.
private func bar(_ level: Int64, of most: Int64) -> String {
  if level <= 0 || most <= 0 { return " " }
  let eighths = (Int128(level) * 16 / Int128(most) + 1) / 2
  return levels[Int(min(max(eighths, 1), 8)) - 1]
}

private let levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
