package import ExactText
import ScenarioFormat
import ScenarioRunner

extension TestReport {
  /// The verdict on the expectations, the budgets and the baseline of a scenario.
  ///
  /// - Parameter hasDurations: whether it says how long the run took, which no two runs agree on.
  package func document(hasDurations: Bool) -> JSONTree {
    guard let run else {
      return [
        "file": .string(file), "scenario": .string(name), "passed": .boolean(passed),
        "skipped": .text(skipReason), "failures": .list(problems) { $0.document(self) },
      ]
    }
    return ["file": .string(file)] + run.outcome.heading(of: run.scenario) + [
      "passed": .boolean(passed), "expectationCount": .whole(run.scenario.expectations.count),
      "failures": .list(problems.filter { $0.kind != .books }) { $0.document(self) },
      "warnings": warnings.document, "changes": .strings(changes),
      "faults": .strings(run.outcome.faults),
      "durationSeconds": hasDurations ? .seconds(nanoseconds) : nil,
    ]
  }
}

extension TestTally {
  /// The counts of a whole test.
  package var document: JSONTree {
    [
      "passed": .whole(passed), "failed": .whole(failed), "unreadable": .whole(unreadable),
      "skipped": .whole(skipped), "notRun": .whole(notRun),
    ]
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
