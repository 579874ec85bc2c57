package import PlayerPolicies
import SimulatedPlayback

extension Scenario {
  /// Its players with their policies: the first one, who has no name, and the further ones.
  package var namedPlayers: [(name: String?, policy: PolicyDescription)] {
    [(nil, player.policy)] + others.map { ($0.name, $0.scenario.player.policy) }
  }

  /// The commands that its players' policies are, in the order of the players.
  package var policyCommands: [[String]] {
    namedPlayers.map { $0.policy.command }.filter { !$0.isEmpty }
  }
}

extension PolicyDescription {
  /// The name that fills the seats for which a command answers.
  package static let commandName = "command"
}
