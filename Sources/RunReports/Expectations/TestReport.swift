import ExactText
package import ScenarioRunner

/// What came of holding a scenario against what its author expects of it.
package struct TestReport: Sendable {
  package var scenario: Scenario
  package var outcome: RunOutcome
  package var file: String

  package init(_ scenario: Scenario, _ outcome: RunOutcome, file: String) {
    self.scenario = scenario
    self.outcome = outcome
    self.file = file
  }

  /// Whether all expectations came true, and the books of the run balance.
  package var passed: Bool { outcome.failures.isEmpty && outcome.faults.isEmpty }

  /// A line, and below it what failed.
  ///
  /// - Parameter symbols: whether a mark stands for a word, as a person at a terminal likes it.
  package func text(style: TextStyle, symbols: Bool) -> String {
    var lines = [
      TestReport.mark(passed, style, symbols) + shown(scenario.name)
        + style.paint("  " + file, .faint)
    ]
    for failure in outcome.failures { lines += self.lines(of: failure, style) }
    for fault in outcome.faults {
      lines.append("    the books of the run do not balance: " + fault)
    }
    return RunReports.text(of: lines)
  }

  /// The mark or the word before a line.
  package static func mark(_ passed: Bool, _ style: TextStyle, _ symbols: Bool) -> String {
    switch (passed, symbols) {
    case (true, true): style.paint("✔ ", .good)
    case (false, true): style.paint("✘ ", .bad)
    case (true, false): style.paint("passed  ", .good)
    case (false, false): style.paint("failed  ", .bad)
    }
  }

  private func lines(of failure: ExpectationFailure, _ style: TextStyle) -> [String] {
    let position = failure.position
    var lines = [
      style.paint("    \(file):\(position.line):\(position.column)", .title),
      "      expected  " + shown(failure.expected),
      "      actual    " + style.paint(shown(failure.actual), .bad),
    ]
    for (index, line) in failure.context.enumerated() {
      let label = index == 0 ? "      trace     " : "                "
      lines.append(style.paint(label + shortened(shown(line), to: Self.traceWidth), .faint))
    }
    return lines
  }

  /// Long enough for every line of a trace but the header and the summary.
  private static let traceWidth = 150
}

/// How many scenarios passed.
package struct TestTally: Hashable, Sendable {
  package var passed: Int64 = 0
  package var failed: Int64 = 0
  /// Files that could not be run at all.
  package var unreadable: Int64 = 0

  package init() {}

  package func text(style: TextStyle) -> String {
    var text = "\(grouped(passed)) passed, \(grouped(failed)) failed"
    if unreadable > 0 { text += ", \(grouped(unreadable)) could not be run" }
    return style.paint(text, failed + unreadable == 0 ? .good : .bad) + "\n"
  }
}

extension JSONWriter {
  /// Writes what came of the expectations of a scenario.
  package mutating func test(_ report: TestReport) {
    beginObject()
    key("file")
    string(report.file)
    heading(report.scenario, report.outcome)
    key("passed")
    boolean(report.passed)
    key("expectationCount")
    integer(Int64(report.scenario.expectations.count))
    key("failures")
    beginArray()
    for failure in report.outcome.failures { self.failure(failure) }
    endArray()
    key("faults")
    beginArray()
    for fault in report.outcome.faults { string(fault) }
    endArray()
    endObject()
  }

  private mutating func failure(_ failure: ExpectationFailure) {
    beginObject()
    key("line")
    integer(Int64(failure.position.line))
    key("column")
    integer(Int64(failure.position.column))
    key("expected")
    string(failure.expected)
    key("actual")
    string(failure.actual)
    key("trace")
    beginArray()
    for line in failure.context { string(line) }
    endArray()
    endObject()
  }
}
