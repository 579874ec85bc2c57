import ExactText
package import LinkConditioner
import ScenarioFormat

/// The reason why a scenario has no outcome.
package enum RunError: Error, Sendable {
  /// Only what a link that was never checked would throw: a scenario that was read does not.
  case link(LinkError)
  /// A policy that runs outside does not answer.
  case policy(PolicyFailure, command: [String])

  package var description: String {
    switch self {
    case .link(let error): error.description
    case .policy(let failure, let command):
      "its policy, the command “\(joined(command, by: " "))”, \(failure.message)"
    }
  }
}
