import ExactText
import ScenarioRunner
import VirtualTime

/// The results of a comparison: a row for each scenario, a column for each heuristic.
package struct ComparisonMatrix: Sendable {
  package let plan: ComparisonPlan
  /// By the number of the session.
  private var results: [SessionResult?]

  package init(_ plan: ComparisonPlan) {
    self.plan = plan
    results = Array(repeating: nil, count: plan.sessionCount)
  }

  /// Puts a result where it belongs, whatever came before it.
  package mutating func record(_ result: SessionResult, of session: Int) {
    results[session] = result
  }

  /// The result of a scenario under a heuristic; nil while it is not there.
  package func result(scenario: Int, contender: Int) -> SessionResult? {
    results[scenario * plan.contenders.count + contender]
  }

  /// What is wrong with the books of any session, with where.
  package var faults: [String] {
    plan.scenarios.indices.flatMap { scenario in
      plan.contenders.indices.flatMap { contender in
        (result(scenario: scenario, contender: contender)?.faults ?? []).map {
          plan.scenarios[scenario].name + ", " + plan.contenders[contender].name + ": " + $0
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes the members of a comparison: an object for each scenario, and in it one for each
  /// heuristic.
  ///
  /// - Parameter files: where each scenario was read from.
  package mutating func comparison(_ matrix: ComparisonMatrix, files: [String]) {
    key("heuristics")
    beginArray()
    for contender in matrix.plan.contenders { string(contender.name) }
    endArray()
    key("scenarios")
    beginArray()
    for index in matrix.plan.scenarios.indices { row(index, of: matrix, file: files[index]) }
    endArray()
  }

  private mutating func row(_ index: Int, of matrix: ComparisonMatrix, file: String) {
    let scenario = matrix.plan.scenarios[index]
    beginObject()
    key("file")
    string(file)
    key("scenario")
    string(scenario.name)
    key("seed")
    natural(scenario.seed)
    key("fidelity")
    string(scenario.fidelity.word)
    key("results")
    beginArray()
    for (number, contender) in matrix.plan.contenders.enumerated() {
      guard let result = matrix.result(scenario: index, contender: number) else { continue }
      beginObject()
      key("heuristic")
      string(contender.name)
      key("end")
      string(result.end.word)
      key("endedSeconds")
      seconds(result.ended.nanoseconds)
      figures(of: result.player)
      endObject()
    }
    endArray()
    endObject()
  }
}
