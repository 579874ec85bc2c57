package import PlayerPolicies
import SimulatedPlayback

extension Scenario {
  /// The rule by which the first player starts and resumes; a heuristic stands for its own.
  package func nameOfPolicy(under heuristic: KeepUpHeuristic?) -> String {
    if let heuristic = heuristic ?? item.heuristic { return heuristic.text }
    if player.policy == PolicyPreset.avfoundation.description {
      return KeepUpHeuristic.standard.text
    }
    return nameOfRest
  }

  /// The same, with the policy that fills the other seats where that is not the usual one.
  package func wordsOfPolicy(under heuristic: KeepUpHeuristic?) -> String {
    let name = nameOfPolicy(under: heuristic)
    let isUsual = player.policy == PolicyPreset.avfoundation.description
    return heuristic == nil || isUsual ? name : name + "; the rest is " + nameOfRest
  }

  private var nameOfRest: String {
    PolicyPreset.all.first { $0.description == player.policy }?.name ?? Scenario.ownPolicy
  }

  private static let ownPolicy = "a policy of its own"

  /// The names that a policy can have which is no heuristic.
  package static var namesOfPolicies: [String] {
    PolicyPreset.all.map { $0.name } + KeepUpHeuristic.textForms + [ownPolicy]
  }
}
