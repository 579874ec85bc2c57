import ExactText
import PlayerPolicies
import ScenarioFormat
import SimulatedWorld

/// The conversations of a run: one for each player whose policy is a command.
final class PolicyConversations {
  /// The first player's, then those of the further ones; nil where its policy is no command.
  private var players: [PolicyConversation?] = []

  init(_ scenario: borrowing Scenario, _ options: RunOptions) throws(RunError) {
    for player in scenario.namedPlayers {
      let policy = player.policy
      if policy.command.isEmpty {
        players.append(nil)
        continue
      }
      let seats = policy.seats(filledBy: PolicyDescription.commandName).filter { seat in
        // A heuristic of the run's own takes the place of these.
        options.heuristic == nil || seat != .start && seat != .resume
      }
      do throws(PolicyFailure) {
        isUsed = true
        players.append(
          try PolicyConversation(
            policy.command, of: player.name, in: scenario.name, seats: seats,
            seats.isEmpty ? .recorded(RecordedAnswers()) : options.policies))
      } catch {
        close()
        throw .policy(error, command: policy.command)
      }
    }
  }

  /// Registers what answers for a player that is to be made; nothing where that is no command.
  func register(_ player: String?, in world: World) {
    guard let conversation = conversation(of: player) else { return }
    world.policies.register(conversation.policy(named: PolicyDescription.commandName))
  }

  /// An answer of a process costs as much as so many events: it takes as long, and is kept.
  private static let costOfAnswer: Int64 = 50

  /// Puts what was answered into the trace; false where one answers no more.
  ///
  /// They are asked while a player settles, when nobody may look at it.
  func goOn(in session: RunSession) -> Bool {
    for session in [session] + session.guests {
      let untold = conversation(of: session.name)?.takeUntold() ?? []
      for (instant, answer) in untold { session.note(answer.event, at: instant) }
      session.world.charge(Self.costOfAnswer * Int64(untold.count))
    }
    return !players.contains { $0?.failure != nil }
  }

  /// The conversation of a player; nil where its policy is no command.
  private func conversation(of player: String?) -> PolicyConversation? {
    players.first { $0.map { isSameName($0.player, player) } ?? false } ?? nil
  }

  private(set) var isUsed = false

  var error: RunError? {
    for case let player? in players {
      if let failure = player.failure { return .policy(failure, command: player.command) }
    }
    return nil
  }

  /// The answers so far, for a repetition of the run.
  var answers: RecordedAnswers {
    var recorded = RecordedAnswers()
    for case let player? in players { recorded.add(player.answers, of: player.player) }
    return recorded
  }

  func close() { for player in players { player?.close() } }
}
