import ExactText
package import ScenarioFormat
package import ScenarioRunner

package struct TestReport: Sendable {
  package enum Verdict: Hashable, Sendable {
    case passed
    case failed
    case unreadable
    case skipped
  }

  package var file: String
  /// The scenario's name; its file where nothing could be read.
  package var name: String
  package private(set) var verdict: Verdict
  package private(set) var problems: [TestProblem]
  package var warnings: [RunWarning] = []
  /// Remarks on files that the scenario names.
  package var notes: [String] = []
  /// Tolerated differences from the baseline.
  package private(set) var changes: [String] = []
  /// The duration of the test on this machine.
  package var nanoseconds: Int64 = 0
  package var run: TestRun?
  package private(set) var skipReason: String?
}

extension TestReport {
  package init(_ scenario: Scenario, _ outcome: RunOutcome, file: String) {
    let problems =
      outcome.failures.sorted { $0.position < $1.position }.map { TestProblem($0, in: file) }
      + outcome.faults.map {
        TestProblem(kind: .books, actual: "the books of the run do not balance: " + $0)
      }
    self.init(
      file: file, name: scenario.name, verdict: problems.isEmpty ? .passed : .failed,
      problems: problems, warnings: outcome.warnings,
      run: TestRun(scenario: scenario, outcome: outcome))
  }

  package init(unreadable file: String, _ message: String, _ diagnostics: [Diagnostic]) {
    let problems =
      diagnostics.isEmpty
      ? [TestProblem(.invalid, in: file, at: nil, message)]
      : diagnostics.map { TestProblem($0) }
    self.init(file: file, name: file, verdict: .unreadable, problems: problems)
  }

  package init(skipped scenario: Scenario, file: String) {
    self.init(
      file: file, name: scenario.name, verdict: .skipped, problems: [], skipReason: scenario.skip)
  }

  package var passed: Bool { verdict == .passed || verdict == .skipped }

  package mutating func add(_ further: [TestProblem]) {
    problems += further
    if verdict == .passed, !problems.isEmpty { verdict = .failed }
  }

  package mutating func add(_ comparison: BaselineComparison) {
    changes += comparison.remarks
    add(comparison.problems)
    let first = problems.firstIndex { $0.kind != .warning }
    guard let inputs = comparison.changedInputs, let first else { return }
    problems[first].actual +=
      inputs.isEmpty
      ? "; the keys that decide the run, and the files, are as recorded"
      : "; changed since it was recorded: " + joined(inputs, by: ", ")
  }

  /// Makes problems of what was only worth a thought.
  package mutating func refuseWarnings() {
    add(warnings.map { TestProblem(.warning, in: file, at: $0.position, $0.message) })
  }
}

package struct TestRun: Sendable {
  package var scenario: Scenario
  package var outcome: RunOutcome
}

package struct TestTally: Sendable {
  package private(set) var passed: Int64 = 0
  package private(set) var failed: Int64 = 0
  package private(set) var unreadable: Int64 = 0
  package private(set) var skipped: Int64 = 0
  /// Scenarios that nobody came to, after the first failure.
  package var notRun: Int64 = 0
  package private(set) var durations: [(title: String, nanoseconds: Int64)] = []

  package init() {}

  package mutating func add(_ report: TestReport) {
    switch report.verdict {
    case .passed: passed += 1
    case .failed: failed += 1
    case .unreadable: unreadable += 1
    case .skipped: skipped += 1
    }
    if report.run != nil { durations.append((report.file, report.nanoseconds)) }
  }

  package var isGood: Bool { failed + unreadable == 0 }

  package var words: String {
    var words = "\(grouped(passed)) passed, \(grouped(failed)) failed"
    if unreadable > 0 { words += ", \(grouped(unreadable)) could not be run" }
    if skipped > 0 { words += ", \(grouped(skipped)) skipped" }
    if notRun > 0 { words += ", \(grouped(notRun)) not run after the first failure" }
    return words
  }

  /// The longest first.
  func slowest(_ count: Int) -> [(title: String, nanoseconds: Int64)] {
    durations.enumerated().sorted {
      (-$0.element.nanoseconds, $0.offset) < (-$1.element.nanoseconds, $1.offset)
    }.prefix(count).map { $0.element }
  }

  var nanoseconds: Int64 { durations.reduce(0) { $0 + $1.nanoseconds } }
}
