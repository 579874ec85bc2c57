/// The limits of a run, so that no input can make it hang.
public struct RunLimits: Hashable, Sendable {
  /// The last instant at which anything may happen.
  package let horizon: Instant
  /// The most events that may fire and packets that may be moved, in total.
  package let eventBudget: Int64
  package let roundsPerInstant: Int32

  package static let mostRoundsPerInstant: Int32 = 1_000_000

  /// Makes limits; the defaults stop only a run that has gone wrong.
  ///
  /// - Precondition: the horizon and the event budget are not negative, and an instant has one to
  ///   `mostRoundsPerInstant` rounds.
  public init(
    horizon: Instant = .distantFuture, eventBudget: Int64 = 1_000_000_000,
    roundsPerInstant: Int32 = 100_000
  ) {
    precondition(horizon >= .zero, "a run cannot end before it starts")
    precondition(eventBudget >= 0, "an event budget is not negative")
    precondition(
      roundsPerInstant >= 1 && roundsPerInstant <= Self.mostRoundsPerInstant,
      "an instant has one to a million rounds")
    self.horizon = horizon
    self.eventBudget = eventBudget
    self.roundsPerInstant = roundsPerInstant
  }
}

/// The reason for the end of a run.
public enum EndReason: String, Hashable, Sendable, CaseIterable {
  /// Everything that was to be done is done.
  case finished
  /// The next event lies past the horizon.
  case horizon
  /// The events of the run, or the rounds of one instant, are used up.
  case budget
  /// Nothing is pending, although not everything is done.
  case idle
}
