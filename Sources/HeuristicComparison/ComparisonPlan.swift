package import ScenarioRunner

/// Every scenario under every heuristic: sessions that do not know of each other, in one order.
///
/// A session is a number, so that any of them can be run anywhere and at any time, and the results
/// put where they belong.
package struct ComparisonPlan: Sendable {
  package let scenarios: [Scenario]
  package let contenders: [Contender]
  /// Who answers for the policies of each scenario that run outside; nobody where there is none.
  private let policies: [PolicySource]

  package init(
    scenarios: [Scenario], contenders: [Contender], policies: [PolicySource] = []
  ) {
    self.scenarios = scenarios
    self.contenders = contenders
    self.policies = policies
  }

  /// How many sessions there are.
  package var sessionCount: Int { scenarios.count * contenders.count }

  /// What a session is about: the scenarios in order, and for each the heuristics in order.
  package func session(_ number: Int) -> (scenario: Int, contender: Int) {
    (number / contenders.count, number % contenders.count)
  }

  /// Runs one session.
  package func run(_ number: Int) throws(RunError) -> SessionResult {
    let (scenario, contender) = session(number)
    var options = RunOptions(
      heuristic: contenders[contender].heuristic, keepsTrace: false, keepsScreen: false)
    if scenario < policies.count { options.policies = policies[scenario] }
    return SessionResult(try ScenarioRunner.run(scenarios[scenario], options: options))
  }
}
