import ExactText
import ScenarioFormat

extension StudyResults {
  /// A line for each group, contestant and figure, parted by commas.
  package var commaSeparated: String {
    var lines = [Self.columnNames]
    lines += Self.lines(whole, of: study, group: "")
    for group in groups {
      lines += Self.lines(group.summary, of: study, group: group.kind.rawValue + " " + group.name)
    }
    return joined(lines.map { $0 + "\n" }, by: "")
  }

  private static let columnNames =
    "group,policy,figure,unit,sessions,known,never,unknown,mean,mean_low,mean_high,median,"
    + "median_low,median_high,p95,p95_low,p95_high,front,baseline,pairs,better,worse,equal,"
    + "difference,difference_low,difference_high,one_sided,decided_by"

  private static func lines(_ summary: StudySummary, of study: Study, group: String) -> [String] {
    var lines: [String] = []
    for (place, contestant) in summary.contestants.enumerated() {
      for (index, figure) in summary.figures.enumerated() {
        let statistics = contestant.statistics[index]
        var cells = [
          group, text(study.contestants[place].name), figure.name, figure.unit,
          "\(contestant.sessions)", "\(statistics.known)", "\(statistics.never)",
          "\(statistics.unknown)",
        ]
        let mean = statistics.never == 0 ? statistics.mean : nil
        cells += [mean, statistics.median, statistics.percentile95]
          .flatMap { Self.cells($0, figure) }
        cells.append(summary.front.contains(place) ? "1" : "0")
        cells += Self.cells(contestant.differences, index, figure, of: study)
        lines.append(line(cells))
      }
    }
    return lines
  }

  private static func cells(
    _ differences: [PairedDifference], _ index: Int, _ figure: StudyFigure, of study: Study
  ) -> [String] {
    guard !differences.isEmpty, let baseline = study.baseline else {
      return Array(repeating: "", count: 10)
    }
    let difference = differences[index]
    return [
      text(study.contestants[baseline].name), "\(difference.pairs)", "\(difference.better)",
      "\(difference.worse)", "\(difference.equal)",
    ] + cells(difference.mean, figure)
      + ["\(difference.oneSided)", "\(difference.deciders)"]
  }

  private static func cells(
    _ statistic: FigureStatistics.Statistic?, _ figure: StudyFigure
  ) -> [String] {
    func cell(_ value: Int64?) -> String {
      guard let value else { return "" }
      return value == FigureStatistics.never
        ? "never" : fixed(value, of: figure.places, decimals: figure.places)
    }
    return [
      cell(statistic?.value), cell(statistic?.interval?.low), cell(statistic?.interval?.high),
    ]
  }

  /// Somebody's text as a cell: an apostrophe stands before what a spreadsheet would work out.
  private static func text(_ name: String) -> String {
    guard let first = name.utf8.first, "=+-@\t\r".utf8.contains(first) else { return name }
    return "'" + name
  }

  /// A line as RFC 4180 has it.
  package static func line(_ cells: [String]) -> String {
    let quoted = cells.map { cell in
      let isPlain = cell.utf8.allSatisfy { $0 != 0x22 && $0 != 0x2C && $0 >= 0x20 }
      return isPlain ? cell : "\"" + replacing(cell) { $0 == "\"" ? "\"\"" : nil } + "\""
    }
    return joined(quoted, by: ",")
  }
}

extension StudyTable {
  package var markdown: String {
    var text = "| policy |"
    var rule = "| --- |"
    for column in filled {
      text += " " + (column.group.isEmpty ? "" : column.group + ": ") + column.heading + " |"
      rule += " ---: |"
    }
    text += "\n" + rule + "\n"
    for (row, name) in names.enumerated() {
      text += "| " + Self.harmless(name + marks[row]) + " |"
      for column in filled { text += " " + column.cells[row] + " |" }
      text += "\n"
    }
    return text
  }

  /// Characters of Markdown: emphasis, code, links, HTML, references and the ends of cells.
  private static let meaningful = #"|*_`[]()<>&~#!\"#.unicodeScalars

  /// A text in which nothing means anything to Markdown.
  package static func harmless(_ name: String) -> String {
    replacing(shown(name)) { meaningful.contains($0) ? "\\" + String($0) : nil }
  }
}
