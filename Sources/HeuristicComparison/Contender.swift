package import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import VirtualTime

/// A heuristic that takes part in a comparison.
package struct Contender: Hashable, Sendable {
  /// Nil for what each scenario has itself.
  package var heuristic: KeepUpHeuristic?

  package init(_ heuristic: KeepUpHeuristic?) {
    self.heuristic = heuristic
  }

  /// The one text that stands for it.
  package var name: String { heuristic.map { $0.text } ?? Self.ownName }

  /// The name for each scenario's own heuristic.
  package static let ownName = "own"

  /// The default, two players with marks in seconds, and the one that never stalls.
  package static let usual: [Contender] = [
    Contender(.standard),
    Contender(.thresholds(start: .seconds(1), resume: .seconds(2))),
    Contender(.thresholds(start: .seconds(5), resume: .seconds(15))),
    Contender(.everythingLoaded),
  ]
}
