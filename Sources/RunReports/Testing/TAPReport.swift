import ExactText
import ScenarioFormat

/// The results of a test in the Test Anything Protocol, version 13, which every reader knows.
package struct TAPReport: Sendable {
  private let hasDurations: Bool
  private var count = 0

  package static let heading = "TAP version 13\n"

  package init(hasDurations: Bool) { self.hasDurations = hasDurations }

  /// The next test, with a block of YAML about what failed.
  package mutating func text(_ report: TestReport) -> String {
    count += 1
    var lines = [
      "\(report.passed ? "ok" : "not ok") \(count) - \(description(report.name))"
        + (report.verdict == .unreadable ? "" : " (\(description(report.file)))")
        + (report.skipReason.map { " # SKIP " + description($0) } ?? "")
    ]
    var block: [String] = []
    if hasDurations {
      block.append("duration_ms: " + decimal(report.nanoseconds, of: 6, places: 3))
    }
    if !report.problems.isEmpty {
      block.append("problems:")
      block += report.problems.flatMap { self.lines(of: $0) }
    }
    if !block.isEmpty { lines += ["  ---"] + block.map { "  " + $0 } + ["  ..."] }
    return RunReports.text(of: lines)
  }

  /// The plan stands last: some readers refuse whatever follows it.
  package func end(_ tally: TestTally) -> String { "# \(tally.words)\n1..\(count)\n" }

  /// An element of a list in YAML.
  private func lines(of problem: TestProblem) -> [String] {
    var lines = ["  - kind: \(problem.kind.rawValue)"]
    if let place = problem.place { lines.append("    at: " + quoted(place.text)) }
    if let expected = problem.expected { lines.append("    expected: " + quoted(expected)) }
    lines.append("    actual: " + quoted(problem.actual))
    if !problem.trace.isEmpty {
      lines.append("    trace:")
      lines += problem.trace.map { "      - " + quoted($0) }
    }
    return lines
  }

  /// YAML's double quotation marks are JSON's.
  private func quoted(_ text: String) -> String { JSONTree.string(shown(text)).json }

  /// A hash would begin a directive.
  private func description(_ text: String) -> String {
    replacing(shown(text)) { $0 == "#" ? "\\#" : $0 == "\\" ? "\\\\" : nil }
  }
}
