import Autowait
import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import VirtualTime

package enum PanelChoice: String, Hashable, Sendable, CaseIterable {
  /// One at each change that lasts; of very many the first and the last ones.
  case changes
  /// One at each change, however short and however many.
  case all
  case end
  case none
}

extension RunOutcome {
  /// The panels that were asked for; where none were, those of a choice.
  func panels(_ choice: PanelChoice) -> [Panel] {
    if gaps.contains(.start) { return [] }
    if !chosenPanels.isEmpty { return chosenPanels }
    return switch choice {
    case .none: []
    case .end: Array(panels.suffix(1))
    case .changes, .all: panels
    }
  }
}

/// The engineering panels of a run beside each other, as the recap of the talk shows them.
///
/// There is a row for each of the nine properties, and a column for each moment.
struct PanelTable {
  private var moments: [(panel: Panel, causes: [String])] = []
  /// A column for each moment: its heading, what the app did, and the nine values.
  private var cells: [[String]] = []
  private let omitted: Int
  /// The property left out because most changes are of it alone, and the number of these changes.
  private var flood: (name: String, count: Int)?

  /// Of very many changes, this many at the beginning and this many at the end are shown.
  private static let shownAtStart = 8
  private static let shownAtEnd = 4

  init(_ scenario: Scenario, _ outcome: RunOutcome, choice: PanelChoice) {
    let all = outcome.panels(choice)
    let wanted = choice == .changes && outcome.chosenPanels.isEmpty ? PanelTable.lasting(all) : all
    let telling: Telling = choice == .changes ? PanelTable.telling(wanted) : (wanted, nil)
    // A step stands where its change is shown first.
    var last = Instant(nanoseconds: -1)
    let done = outcome.stepsDone(of: scenario.script)
    for panel in telling.panels {
      let causes = done.filter {
        max(last, panel.instant - Self.glimpse) < $0.instant && $0.instant <= panel.instant
      }
      moments.append((panel, causes.map { shown($0.step.name) }))
      last = panel.instant
    }
    flood = telling.flood
    let most = Self.shownAtStart + Self.shownAtEnd
    let isCut = choice == .changes && moments.count > most
    omitted = isCut ? moments.count - most + Int(outcome.panelsLeftOut) : 0
    if omitted > 0 { moments.removeSubrange(Self.shownAtStart..<(moments.count - Self.shownAtEnd)) }
    cells = moments.indices.map { index in
      let (panel, causes) = moments[index]
      return [heading(index), joined(causes, by: ", ")]
        + panel.fields(lacking: outcome.gaps).map { $0.value }
    }
  }

  /// The panels that a person could have seen: not what held for less than a millisecond.
  private static func lasting(_ panels: [Panel]) -> [Panel] {
    panels.indices.filter { index in
      index + 1 == panels.count || panels[index].lasts(until: panels[index + 1].instant)
    }.map { panels[$0] }
  }

  /// Of very many changes those that say more than that one property went to and fro again.
  private static func telling(_ panels: [Panel]) -> Telling {
    if panels.count <= shownAtStart + shownAtEnd { return (panels, nil) }
    let alone = panels.indices.map { $0 == 0 ? nil : panels[$0].onlyChange(since: panels[$0 - 1]) }
    let names = panels[0].fields().map { $0.name }
    let name = names.first { name in alone.count { $0 == name } > panels.count / 2 }
    guard let name else { return (panels, nil) }
    // The first time to and fro is worth seeing.
    let left = alone.indices.filter { alone[$0] == name }.dropFirst(2).filter {
      $0 + 1 < panels.count
    }
    return (panels.indices.filter { !left.contains($0) }.map { panels[$0] }, (name, left.count))
  }

  /// Panels worth showing, and what is left out of them.
  private typealias Telling = (panels: [Panel], flood: (name: String, count: Int)?)

  private static let glimpse = TimeSpan.milliseconds(1)

  func lines(style: TextStyle) -> [String] {
    guard let first = moments.first else { return [] }
    var lines: [String] = []
    let labels = first.panel.fields().map { $0.name }
    let labelWidth = labels.reduce(0) { max($0, columns(of: $1)) }
    let widths = moments.indices.map { Self.gap + width($0) }
    for block in blocks(of: widths, in: style.width - labelWidth) {
      if !lines.isEmpty { lines.append("") }
      lines += self.lines(of: block, labels, labelWidth, style)
    }
    var left: [String] = []
    if let flood { left.append("\(counted(Int64(flood.count), "change")) of \(flood.name) alone") }
    if omitted > 0 {
      left.append("\(counted(Int64(omitted), "change")) before the last \(Self.shownAtEnd)")
    }
    return lines
      + left.flatMap { ["", style.paint("\($0) left out: --panel all shows every one", .faint)] }
  }

  /// The time, to the millisecond where a neighbour would have the same tenth.
  private func heading(_ index: Int) -> String {
    let time = moments[index].panel.instant.nanoseconds
    let tenth = shownSeconds(time)
    let isTwin = [index - 1, index + 1].contains { other in
      moments.indices.contains(other)
        && moments[other].panel.instant.nanoseconds != time
        && isSameText(shownSeconds(moments[other].panel.instant.nanoseconds), tenth)
    }
    return isTwin ? exactSeconds(time) : tenth
  }

  private func width(_ index: Int) -> Int { cells[index].reduce(0) { max($0, columns(of: $1)) } }

  private func lines(
    of block: Range<Int>, _ labels: [String], _ labelWidth: Int, _ style: TextStyle
  ) -> [String] {
    let columns = block.map { cells[$0] }
    let widths = block.map { width($0) }
    let rows = ["", ""] + labels
    return rows.indices.compactMap { row in
      if row == 1, columns.allSatisfy({ $0[1].isEmpty }) { return nil }
      var line = style.paint(padded(rows[row], to: labelWidth), .faint)
      for (offset, column) in columns.enumerated() {
        let index = block.lowerBound + offset
        let isLast = offset == columns.count - 1
        let text = isLast ? column[row] : padded(column[row], to: widths[offset])
        line += blank(Self.gap)
        line += paint(text, row, index, style)
      }
      return style.isColoured ? line : trimmed(line)
    }
  }

  /// A value that is as it was is faint, so that the eye finds what changed.
  private func paint(_ text: String, _ row: Int, _ index: Int, _ style: TextStyle) -> String {
    if row < 2 { return style.paint(text, .title) }
    if row == 2 { return style.paint(text, moments[index].panel.control.looks.tint) }
    if index > 0, cells[index][row] == cells[index - 1][row] { return style.paint(text, .faint) }
    return text
  }

  private static let gap = 2
}

extension Panel {
  /// The one property to differ from before, but for what moves by itself; nil for several or none.
  fileprivate func onlyChange(since before: Panel) -> String? {
    let changed = zip(fields(), before.fields()).enumerated().filter { place, pair in
      place != 4 && place != 5 && pair.0.value != pair.1.value
    }
    return changed.count == 1 ? changed[0].element.0.name : nil
  }

  /// The nine properties in the talk's order and form: one decimal, half up; unknown where the log
  /// of a recording does not tell.
  func fields(lacking gaps: [FieldGap] = []) -> [(name: String, value: String)] {
    func word(_ flag: Bool) -> String { flag ? "true" : "false" }
    let fields = [
      ("timeControlStatus", control.looks.title),
      ("reasonForWaitingToPlay", control.reason?.title ?? "-"),
      ("player rate", shown(rate)),
      ("timebase rate", shown(timebaseRate)),
      ("currentTime", shown(currentTime)),
      ("loadedTimeRanges", shown(loadedTimeRanges)),
      ("isPlaybackLikelyToKeepUp", word(isPlaybackLikelyToKeepUp)),
      ("isPlaybackBufferFull", word(isPlaybackBufferFull)),
      ("isPlaybackBufferEmpty", word(isPlaybackBufferEmpty)),
    ]
    return zip(fields, Self.isKnown(lacking: gaps)).map { ($0.0, $1 ? $0.1 : "unknown") }
  }

  /// Whether a log tells the nine properties.
  static func isKnown(lacking gaps: [FieldGap]) -> [Bool] {
    let (buffer, decisions) = (!gaps.contains(.buffer), !gaps.contains(.decisions))
    return [true, true, true, true, buffer, buffer, decisions, decisions, buffer]
  }
}
