package import ExactText
import ScenarioFormat
import ScenarioRunner

extension JSONWriter {
  /// Writes what came of the expectations, the budgets and the baseline of a scenario.
  ///
  /// - Parameter hasDurations: whether it says how long the run took, which no two runs agree on.
  package mutating func test(_ report: TestReport, hasDurations: Bool) {
    guard let run = report.run else { return withoutRun(report) }
    beginObject()
    members(["file": .string(report.file)])
    heading(run.scenario, run.outcome)
    members([
      "passed": .boolean(report.passed),
      "expectationCount": .whole(run.scenario.expectations.count),
      "failures": .list(report.problems.filter { $0.kind != .books }) { $0.document(report) },
    ])
    warnings(report.warnings)
    members([
      "changes": .strings(report.changes), "faults": .strings(run.outcome.faults),
      "durationSeconds": hasDurations ? .seconds(report.nanoseconds) : nil,
    ])
    endObject()
  }

  private mutating func withoutRun(_ report: TestReport) {
    tree([
      "file": .string(report.file),
      "scenario": .string(report.name),
      "passed": .boolean(report.passed),
      "skipped": .text(report.skipReason),
      "failures": .list(report.problems) { $0.document(report) },
    ])
  }

  /// The counts of a whole test.
  package mutating func counts(of tally: TestTally) {
    members([
      "passed": .whole(tally.passed), "failed": .whole(tally.failed),
      "unreadable": .whole(tally.unreadable), "skipped": .whole(tally.skipped),
      "notRun": .whole(tally.notRun),
    ])
  }
}

extension TestProblem {
  fileprivate func document(_ report: TestReport) -> JSONTree {
    [
      "kind": .string(kind.rawValue),
      "file": .string(place?.file ?? report.file),
      "line": .whole(place?.position?.line),
      "column": .whole(place?.position?.column),
      "expected": .text(expected),
      "actual": .string(actual),
      "trace": .strings(trace),
    ]
  }
}
