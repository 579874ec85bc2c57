public import ScenarioRunner
public import VirtualTime

/// What is kept of a session.
public struct SessionResult: Hashable, Sendable {
  public var end: EndReason
  /// The instant of the last event.
  public var ended: Instant
  public var player: PlayerSummary
  /// What of the run's books does not balance; empty unless the simulator is wrong.
  public var faults: [String]

  public init(_ outcome: RunOutcome) {
    end = outcome.end
    ended = outcome.ended
    player = outcome.player
    faults = outcome.faults
  }
}
