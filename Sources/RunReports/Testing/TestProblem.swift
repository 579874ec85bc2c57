package import ExactText
import ScenarioFormat
import ScenarioRunner

package struct TestProblem: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case expectation
    case budget
    case baseline
    /// Something that the author should think over, where warnings are not tolerated.
    case warning
    /// The run's own accounts do not add up, which is a mistake of the simulator.
    case books
    case invalid
  }

  package var kind: Kind
  /// The place of the violated line; nil where no line states the requirement.
  package var place: TestPlace?
  /// The expected value; nil where there is nothing to compare.
  package var expected: String?
  package var actual: String
  package var trace: [String] = []

  /// The problem in one line, without its place.
  package var words: String { expected.map { "expected \($0); \(actual)" } ?? actual }
}

package struct TestPlace: Hashable, Sendable {
  package var file: String
  /// Nil where the whole file is meant.
  package var position: TextPosition?

  package init(file: String, _ position: TextPosition?) {
    self.file = file
    self.position = position
  }

  /// In the form that editors and CI turn into a link.
  package var text: String {
    position.map { "\(file):\($0.line):\($0.column)" } ?? file
  }
}

extension TestProblem {
  init(
    _ kind: Kind, in file: String, at position: TextPosition?, _ actual: String,
    expected: String? = nil
  ) {
    let place = TestPlace(file: file, position)
    self.init(kind: kind, place: place, expected: expected, actual: actual)
  }

  init(_ failure: ExpectationFailure, in file: String) {
    self.init(
      .expectation, in: file, at: failure.position, failure.actual, expected: failure.expected)
    trace = failure.context
  }

  init(_ diagnostic: Diagnostic) {
    self.init(.invalid, in: diagnostic.file, at: diagnostic.position, diagnostic.words)
  }

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

extension TestReport {
  /// The verdict on the expectations, the budgets and the baseline of a scenario.
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
  package var document: JSONTree {
    [
      "passed": .whole(passed), "failed": .whole(failed), "unreadable": .whole(unreadable),
      "skipped": .whole(skipped), "notRun": .whole(notRun),
    ]
  }
}
