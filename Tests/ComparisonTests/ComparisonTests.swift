import ExactText
import PlayerPolicies
import HeuristicComparison
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

@Suite struct ComparisonTests {
  private let plan: ComparisonPlan

  init() throws {
    plan = ComparisonPlan(
      scenarios: try ["demo-2-slow-server-play", "demo-1-fast-network"].map {
        try ShippedScenario.named($0).read()
      },
      contenders: [Contender(.standard), Contender(.everythingLoaded)])
  }

  @Test func `sessions go through the heuristics of each scenario in turn`() {
    #expect(plan.sessionCount == 4)
    #expect(
      (0..<4).map { "\(plan.session($0))" } == [
        "(scenario: 0, contender: 0)", "(scenario: 0, contender: 1)",
        "(scenario: 1, contender: 0)", "(scenario: 1, contender: 1)",
      ])
  }

  @Test func `results stand where they belong, whatever finished first`() throws {
    var forwards = ComparisonMatrix(plan)
    var backwards = ComparisonMatrix(plan)
    for session in 0..<4 { forwards.record(try plan.run(session), of: session) }
    for session in (0..<4).reversed() { backwards.record(try plan.run(session), of: session) }
    #expect(document(of: forwards) == document(of: backwards))
    #expect(forwards.faults.isEmpty)

    let startups = (0..<2).map { forwards.result(scenario: 0, contender: $0)?.player.startupDelay }
    #expect(startups[0] == .nanoseconds(6_104_895_105))
    // 39 s of media come in 39 / 0.858 s; the tap was at 0.3 / 0.858 s.
    #expect(startups[1] == .nanoseconds(45_104_895_105))
  }

  private func document(of matrix: ComparisonMatrix) -> String {
    var writer = JSONWriter()
    writer.comparison(matrix, files: ["a", "b"])
    return writer.text
  }

  @Test func `a session that has not been run is not in the document`() throws {
    var matrix = ComparisonMatrix(plan)
    #expect(matrix.result(scenario: 1, contender: 1) == nil)
    matrix.record(try plan.run(3), of: 3)
    let text = document(of: matrix)
    #expect(text.contains(#""file":"a","scenario":"Demo: Slow Server, play","seed":503,"#))
    #expect(text.contains(#""results":[]"#))
    #expect(text.contains(#""results":[{"heuristic":"everythingLoaded","end":"finished""#))
  }

  @Test func `the usual contenders have names that can be read back`() {
    for contender in Contender.usual {
      guard case .success(let heuristic) = readHeuristic(contender.name) else {
        Issue.record("\(contender.name) cannot be read")
        continue
      }
      #expect(heuristic == contender.heuristic)
    }
  }
}
