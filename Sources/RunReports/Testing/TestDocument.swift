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
    key("file")
    string(report.file)
    heading(run.scenario, run.outcome)
    key("passed")
    boolean(report.passed)
    key("expectationCount")
    integer(Int64(run.scenario.expectations.count))
    key("failures")
    beginArray()
    for problem in report.problems where problem.kind != .books { self.problem(problem, report) }
    endArray()
    warnings(report.warnings)
    key("changes")
    beginArray()
    for change in report.changes { string(change) }
    endArray()
    key("faults")
    beginArray()
    for fault in run.outcome.faults { string(fault) }
    endArray()
    if hasDurations {
      key("durationSeconds")
      seconds(report.nanoseconds)
    }
    endObject()
  }

  private mutating func withoutRun(_ report: TestReport) {
    beginObject()
    key("file")
    string(report.file)
    key("scenario")
    string(report.name)
    key("passed")
    boolean(report.passed)
    key("skipped")
    if let reason = report.skipReason { string(reason) } else { null() }
    key("failures")
    beginArray()
    for problem in report.problems { self.problem(problem, report) }
    endArray()
    endObject()
  }

  private mutating func problem(_ problem: TestProblem, _ report: TestReport) {
    beginObject()
    key("kind")
    string(problem.kind.rawValue)
    key("file")
    string(problem.place?.file ?? report.file)
    for (name, number) in [
      ("line", problem.place?.position?.line), ("column", problem.place?.position?.column),
    ] {
      key(name)
      if let number { integer(Int64(number)) } else { null() }
    }
    key("expected")
    if let expected = problem.expected { string(expected) } else { null() }
    key("actual")
    string(problem.actual)
    key("trace")
    beginArray()
    for line in problem.trace { string(line) }
    endArray()
    endObject()
  }

  /// The counts of a whole test.
  package mutating func counts(of tally: TestTally) {
    for (name, count) in [
      ("passed", tally.passed), ("failed", tally.failed), ("unreadable", tally.unreadable),
      ("skipped", tally.skipped),
      ("notRun", tally.notRun),
    ] {
      key(name)
      integer(count)
    }
  }
}
