import ExactText
import ScenarioFormat

/// Test results as JUnit's XML, which every CI system reads.
///
/// A suite for each folder, a case for each scenario. A case has one failure at most, whatever
/// failed in it, because readers count failures as cases.
package struct JUnitDocument: Sendable {
  private var suites: [Suite] = []
  private struct Suite {
    var name: String
    var reports: [TestReport] = []

    /// A scenario's name, with its file if the folder has a namesake: readers go by names.
    func name(of report: TestReport) -> String {
      let isTwin = reports.contains { other in
        isSameText(other.name, report.name) && !isSameText(other.file, report.file)
      }
      return isTwin ? "\(report.name) (\(lastPart(of: report.file)))" : report.name
    }

    func count(_ verdict: TestReport.Verdict) -> Int { reports.count { $0.verdict == verdict } }
  }

  package init() {}

  package mutating func add(_ report: TestReport) {
    let folder = folder(of: report.file)
    // Those of a folder need not follow each other: its own folders may come between.
    if let place = suites.lastIndex(where: { isSameText($0.name, folder) }) {
      return suites[place].reports.append(report)
    }
    suites.append(Suite(name: folder, reports: [report]))
  }

  package var text: String {
    let all = suites.flatMap { $0.reports }
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    lines.append("<testsuites name=\"goldilocks\"\(counts(of: Suite(name: "", reports: all)))>")
    for suite in suites {
      lines.append("  <testsuite name=\"\(escaped(suite.name))\"\(counts(of: suite))>")
      for report in suite.reports { lines += self.lines(of: report, named: suite.name(of: report)) }
      lines.append("  </testsuite>")
    }
    lines.append("</testsuites>")
    return RunReports.text(of: lines)
  }

  private func counts(of suite: Suite) -> String {
    " tests=\"\(suite.reports.count)\" failures=\"\(suite.count(.failed))\""
      + " errors=\"\(suite.count(.unreadable))\" skipped=\"\(suite.count(.skipped))\""
      + time(suite.reports.reduce(0) { $0 + $1.nanoseconds })
  }

  private func time(_ nanoseconds: Int64) -> String {
    " time=\"\(decimal(nanoseconds, of: 9, places: 6))\""
  }

  private func lines(of report: TestReport, named name: String) -> [String] {
    // The attributes name the scenario: a line of a baseline or a budget is none of its lines.
    let line = report.problems.compactMap { $0.place }
      .first { isSameText($0.file, report.file) }?.position?.line
    let start =
      "    <testcase classname=\"\(escaped(folder(of: report.file)))\""
      + " name=\"\(escaped(name))\" file=\"\(escaped(report.file))\""
      + (line.map { " line=\"\($0)\"" } ?? "") + time(report.nanoseconds)
    if let reason = report.skipReason {
      return [start + ">", "      <skipped message=\"\(escaped(reason))\"/>", "    </testcase>"]
    }
    guard let first = report.problems.first else { return [start + "/>"] }
    let element = report.verdict == .unreadable ? "error" : "failure"
    let more = report.problems.count - 1
    let message = first.words + (more > 0 ? " (and \(more) more)" : "")
    let details = report.problems.map { problem in
      ([problem.place.map { $0.text + ": " + problem.words } ?? problem.words] + problem.trace)
        .map { shown($0) }
    }
    return [
      start + ">",
      "      <\(element) type=\"\(first.kind.rawValue)\" message=\"\(escaped(message))\">"
        + escapedLines(joined(details.flatMap { $0 }, by: "\n")) + "</\(element)>",
      "    </testcase>",
    ]
  }

  private func folder(of file: String) -> String {
    file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[..<$0]) } ?? "."
  }

  private func escaped(_ text: String) -> String { escapedLines(shown(text)) }

  /// Text between tags, or in quotation marks; what XML has no way to write stands as its number.
  private func escapedLines(_ text: String) -> String {
    replacing(text) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\u{FFFE}", "\u{FFFF}": spelling(of: scalar)
      default: nil
      }
    }
  }
}
