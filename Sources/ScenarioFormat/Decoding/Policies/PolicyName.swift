package import PlayerPolicies
import SimulatedPlayback

extension Scenario {
  /// What decides when its first player starts and resumes, in a few words.
  ///
  /// - Parameter heuristic: What takes the place of the scenario's own.
  package func nameOfPolicy(under heuristic: KeepUpHeuristic?) -> String {
    if let heuristic = heuristic ?? item.heuristic { return heuristic.text }
    if player.policy == PolicyPreset.avfoundation.description {
      return KeepUpHeuristic.standard.text
    }
    return PolicyPreset.all.first { $0.description == player.policy }?.name
      ?? Scenario.ownPolicy
  }

  private static let ownPolicy = "a policy of its own"

  /// The names that a policy can have which is no heuristic.
  package static var namesOfPolicies: [String] {
    PolicyPreset.all.map { $0.name } + KeepUpHeuristic.textForms + [ownPolicy]
  }
}
