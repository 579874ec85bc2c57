package import VirtualTime

/// A policy that runs: a value, and all that it remembers is in it.
///
/// What it believes of the link belongs to the player and outlives items, seeks and what is read
/// ahead; what it remembers of an item is a `Judgement` of that item's own.
package struct Policy: Sendable {
  package let description: PolicyDescription
  private var estimator: Estimator
  private let seats: CustomSeats

  package init(
    _ description: PolicyDescription, with registry: PolicyRegistry = .none
  ) throws(PolicyProblem) {
    self.description = description
    estimator = Estimator(description.estimator)
    seats = try CustomSeats(description, registry)
  }

  /// What it remembers of an item that it has not judged yet.
  package func judgement() -> Judgement {
    Judgement(abandon: AbandonWatch(description.abandon))
  }

  // MARK: What it hears

  /// How much of the transfers it wants to hear.
  package var subscription: Subscription { description.estimator.subscription }

  package mutating func hear(_ event: TransferEvent, at now: Instant) {
    estimator.hear(event, at: now)
  }

  package func hear(_ event: PlayheadEvent, _ judgement: inout Judgement) {
    description.start.hear(event, &judgement.start)
    description.resume.hear(event, &judgement.resume)
  }

  // MARK: What it believes

  /// When it would believe something else although nothing came.
  package var nextLook: Instant { estimator.nextLook }

  package mutating func estimate(at now: Instant) -> Estimate {
    estimator.look(at: now)
    return estimator.estimate
  }

  // MARK: What it decides

  /// Whether playback may begin, go on, or is likely to.
  package mutating func readiness(
    _ snapshot: Snapshot, _ ladder: Ladder, _ judgement: inout Judgement
  ) -> ReadinessVerdict {
    let verdict = judged(snapshot, ladder, &judgement)
    let limited = description.sink.limiting(verdict, snapshot)
    judgement.held.settle(
      limited, holds: snapshot.wait == .nothing ? description.sink.holds : .zero,
      at: snapshot.now)
    return judgement.held.shown
  }

  private mutating func judged(
    _ snapshot: Snapshot, _ ladder: Ladder, _ judgement: inout Judgement
  ) -> ReadinessVerdict {
    if let exit = description.exits.verdict(snapshot) { return exit }
    let estimate = estimate(at: snapshot.now)
    if snapshot.wait == .stall {
      if let resume = seats.resume { return resume(snapshot, estimate, &judgement.custom) }
      return description.resume.verdict(
        ReadinessQuestion(snapshot, estimate, ladder, judgement.resume))
    }
    if let start = seats.start { return start(snapshot, estimate, &judgement.custom) }
    return description.start.verdict(
      ReadinessQuestion(snapshot, estimate, ladder, judgement.start))
  }

  /// Whether a player that plays declares a stall with media left.
  package func stall(
    _ snapshot: Snapshot, _ judgement: inout Judgement
  ) -> StallVerdict {
    if let stall = seats.stall { return stall(snapshot, &judgement.custom) }
    return description.stall.verdict(snapshot)
  }

  /// Which variant to begin with; nil where none can be played.
  package mutating func firstVariant(
    _ eligible: EligibleRungs, at now: Instant
  ) -> FirstVariantVerdict? {
    let estimate = estimate(at: now)
    return description.firstVariant.choice(
      eligible, observed: estimate.isReliable ? estimate.bitsPerSecond : nil)
  }

  /// Which variant to go on with.
  package func nextVariant(
    _ question: VariantQuestion, _ judgement: inout Judgement
  ) -> VariantVerdict {
    if let rule = seats.nextVariant { return rule(question, &judgement.custom) }
    return description.nextVariant.choice(question)
  }

  /// Whether the segment under way is given up.
  package func abandon(
    _ question: AbandonQuestion, _ judgement: inout Judgement
  ) -> AbandonVerdict {
    if let rule = seats.abandon { return rule(question, &judgement.custom) }
    return judgement.abandon.verdict(question)
  }

  /// Whether more is asked for.
  package func fetch(_ snapshot: Snapshot, isReading: Bool) -> FetchVerdict {
    description.fetch.verdict(snapshot, isReading: isReading)
  }
}

/// What a policy remembers of one item.
package struct Judgement: Sendable {
  var start = ReadinessMemory()
  var resume = ReadinessMemory()
  var held = HeldVerdict()
  package var abandon: AbandonWatch
  var custom = CustomMemory()
}
