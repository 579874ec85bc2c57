package import ScenarioRunner
package import VirtualTime

/// What is kept of a session.
package struct SessionResult: Hashable, Sendable {
  package var end: EndReason
  /// The instant of the last event.
  package var ended: Instant
  package var player: PlayerSummary
  /// What of the run's books does not balance; empty unless the simulator is wrong.
  package var faults: [String]

  package init(_ outcome: RunOutcome) {
    end = outcome.end
    ended = outcome.ended
    player = outcome.player
    faults = outcome.faults
  }
}
