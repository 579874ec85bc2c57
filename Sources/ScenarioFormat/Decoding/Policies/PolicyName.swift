import ExactText
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

  /// Whether the first player goes by a policy of this name. AVPlayer's own rule has two names:
  /// the preset's and the heuristic's.
  package func goes(by name: String) -> Bool {
    if isSameText(name, nameOfPolicy(under: nil)) { return true }
    let preset = PolicyPreset.avfoundation
    return isSameText(name, preset.name) && player.policy == preset.description
      && (item.heuristic ?? .standard) == .standard
  }

  /// The first name, with the policy that fills the other seats where that is not the usual one.
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
