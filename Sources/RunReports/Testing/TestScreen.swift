import ExactText
import ScenarioFormat

/// The terminal output of a test: a line for each scenario, and its failures below.
package struct TestScreen: Sendable {
  let style: TextStyle
  /// Whether a mark stands for a word, as a person at a terminal likes it.
  let hasSymbols: Bool
  /// Whether scenarios that passed are left out.
  let isQuiet: Bool

  package init(style: TextStyle, hasSymbols: Bool, isQuiet: Bool = false) {
    self.style = style
    self.hasSymbols = hasSymbols
    self.isQuiet = isQuiet
  }

  package func text(_ report: TestReport) -> String {
    switch report.verdict {
    case .unreadable:
      // Its mistakes are told on standard error, as those of every verb are.
      return mark(false) + shown(report.name) + " could not be run\n"
    case .skipped:
      if isQuiet { return "" }
      return style.paint(
        "skipped  \(shown(report.name))  \(report.file): \(shown(report.skipReason ?? ""))\n",
        .faint)
    case .passed where isQuiet && report.warnings.isEmpty: return ""
    case .passed, .failed:
      var lines = [
        mark(report.passed) + shown(report.name) + style.paint("  " + report.file, .faint)
      ]
      for problem in report.problems { lines += self.lines(of: problem) }
      let isSaid = report.problems.contains { $0.kind == .warning }
      lines += report.changes.map { style.paint("    baseline: " + shown($0), .faint) }
      for warning in isSaid ? [] : report.warnings {
        lines.append(style.paint("    warning: " + shown(warning.words), .waiting))
      }
      return RunReports.text(of: lines)
    }
  }

  /// - Parameter slowest: of how many scenarios it is said how long they took; nil for none.
  package func text(_ tally: TestTally, slowest: Int? = nil) -> String {
    var lines: [String] = []
    if let slowest {
      lines.append("")
      lines.append("The slowest of \(milliseconds(tally.nanoseconds)) in all:")
      for (title, nanoseconds) in tally.slowest(slowest) {
        lines.append("  " + indented(milliseconds(nanoseconds), to: 10) + "  " + title)
      }
      lines.append("")
    }
    lines.append(style.paint(tally.words, tally.isGood ? .good : .bad))
    return RunReports.text(of: lines)
  }

  private func mark(_ passed: Bool) -> String {
    switch (passed, hasSymbols) {
    case (true, true): style.paint("✔ ", .good)
    case (false, true): style.paint("✘ ", .bad)
    case (true, false): style.paint("passed  ", .good)
    case (false, false): style.paint("failed  ", .bad)
    }
  }

  private func lines(of problem: TestProblem) -> [String] {
    guard let expected = problem.expected else {
      let place = problem.place.map { $0.text + ": " } ?? ""
      return [style.paint("    " + problem.label + ": " + place + shown(problem.actual), .bad)]
    }
    var lines = problem.place.map { [style.paint("    " + $0.text, .title)] } ?? []
    lines.append(label(problem.label) + shown(expected))
    lines.append(label("actual") + style.paint(shown(problem.actual), .bad))
    for (index, line) in problem.trace.enumerated() {
      let text = label(index == 0 ? "trace" : "") + shortened(shown(line), to: Self.traceWidth)
      lines.append(style.paint(text, .faint))
    }
    return lines
  }

  private func label(_ name: String) -> String { "      " + padded(name, to: 10) }

  private func milliseconds(_ nanoseconds: Int64) -> String {
    decimal(nanoseconds, of: 6, places: 1) + " ms"
  }

  /// Long enough for every line of a trace but the header and the summary.
  private static let traceWidth = 150
}

extension TestProblem {
  fileprivate var label: String {
    switch kind {
    case .expectation: "expected"
    case .budget: "budget"
    case .baseline: "baseline"
    case .warning: "warning"
    case .books: "fault"
    case .invalid: "mistake"
    }
  }
}
