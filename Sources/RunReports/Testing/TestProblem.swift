package import ExactText
import ScenarioFormat
import ScenarioRunner

/// A reason why a scenario does not pass.
package struct TestProblem: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// An expectation of the scenario did not come true.
    case expectation
    /// A figure is over its budget.
    case budget
    /// A figure is not what the baseline says.
    case baseline
    /// Something that the author should think over, where warnings are not tolerated.
    case warning
    /// The run's own accounts do not add up, which is a mistake of the simulator.
    case books
    /// The file is no scenario that could be run.
    case invalid
  }

  package var kind: Kind
  /// The place of the violated line; nil where no line states the requirement.
  package var place: TestPlace?
  /// The expected value; nil where there is nothing to compare.
  package var expected: String?
  /// The actual value.
  package var actual: String
  /// The lines of the trace around it.
  package var trace: [String] = []

  package init(
    _ kind: Kind, at place: TestPlace?, expected: String?, actual: String, trace: [String] = []
  ) {
    self.kind = kind
    self.place = place
    self.expected = expected
    self.actual = actual
    self.trace = trace
  }

  /// The problem in one line, without its place.
  package var words: String { expected.map { "expected \($0); \(actual)" } ?? actual }
}

/// A line of a file.
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
  init(_ failure: ExpectationFailure, in file: String) {
    self.init(
      .expectation, at: TestPlace(file: file, failure.position), expected: failure.expected,
      actual: failure.actual, trace: failure.context)
  }

  init(_ diagnostic: Diagnostic) {
    self.init(
      .invalid, at: TestPlace(file: diagnostic.file, diagnostic.position), expected: nil,
      actual: diagnostic.words)
  }
}
