/// The pending events, and the clock that moves from one event to the next.
///
/// The total order is `(instant, round, phase, sequence)`. A round is one pass through the phases
/// of an instant. An event scheduled for the current instant joins the current round if its phase
/// is still to come, and else the next round, so that nothing ever happens before its cause.
/// The rounds of an instant are bounded: a cycle without delay ends the run instead of hanging it.
package struct EventQueue: ~Copyable, Sendable {
  package let limits: RunLimits

  /// The instant of the last event that fired, or to which the clock was advanced.
  package private(set) var now = Instant.zero
  package private(set) var firedCount: Int64 = 0
  /// The cost charged for events beyond one each.
  private var charged: Int64 = 0
  /// Ends the run as `budget`: what an event leads to within its instant has no end.
  package var isUsedUp = false

  private var pending = SortedBlocks()
  private var sequence: UInt64 = 0
  private var round: UInt64 = 0
  /// The events that fired and the cost charged beyond them, which the budget limits.
  package var spentCount: Int64 { firedCount + charged }
  /// The ordinal of the phase reached in this round; below all of them when none has begun.
  private var phaseReached = -1

  package init(limits: RunLimits = RunLimits()) { self.limits = limits }

  package var count: Int { pending.count }

  /// The round of the current instant, from zero.
  package var currentRound: Int32 { Int32(round) }

  /// The event that comes next, whatever the limits say.
  package var peek: ScheduledEvent? { pending.first }

  /// Schedules an event and returns what cancels it.
  ///
  /// - Parameter reserved: The place that was reserved for it, as if it had been scheduled then.
  /// - Precondition: the instant is not before `now`.
  @discardableResult
  package mutating func schedule(
    _ payload: EventPayload, at instant: Instant, phase: Phase, sequence reserved: UInt64? = nil
  ) -> EventToken {
    precondition(instant >= now, "an event was scheduled in the past")
    let sequence = reserved ?? reserve(1)
    precondition(sequence < EventOrder.sequenceLimit, "a run has more events than sequence numbers")
    let token = place(at: instant, in: phase, sequence)
    pending.insert(ScheduledEvent(token: token, payload: payload))
    return token
  }

  /// The token of an event that is scheduled now.
  @inline(__always)
  private func place(at instant: Instant, in phase: Phase, _ sequence: UInt64) -> EventToken {
    var entered: UInt64 = 0
    if instant == now {
      entered = Int(phase.ordinal) > phaseReached ? round : round &+ 1
    }
    let order = EventOrder(round: entered, phase: phase, sequence: sequence)
    return EventToken(instant: instant, order: order)
  }

  /// Keeps places in the order for events that will be scheduled later, and returns the first.
  ///
  /// Of a million instants that are known from the start, the next is enough to be pending.
  package mutating func reserve(_ count: UInt64) -> UInt64 {
    defer { sequence &+= count }
    return sequence
  }

  /// Takes a pending event back, also one of this instant; false if it has fired or was cancelled.
  @discardableResult
  package mutating func cancel(_ token: EventToken) -> Bool { pending.remove(token.key) }

  /// Fires the next event and moves the clock to it.
  ///
  /// Nil if nothing is pending up to that instant or if the limits forbid it; `endReason` tells
  /// which. The clock then stays where it is.
  package mutating func next(notAfter latest: Instant = .distantFuture) -> ScheduledEvent? {
    guard let event = pending.first, event.instant <= latest,
      isWithinLimits(event.instant, event.round)
    else { return nil }
    pending.removeFirst()
    fire(event)
    return event
  }

  /// Fires the first of the pending events and two standing ones, ordered as if all were scheduled.
  ///
  /// Each standing event is the only one of its phase, so that no sequence number decides.
  package mutating func next(
    notAfter latest: Instant = .distantFuture, besides a: StandingEvent, _ b: StandingEvent
  ) -> ScheduledEvent? {
    let standing = first(a, b)
    if let event = pending.first, event.key < standing.key { return next(notAfter: latest) }
    guard standing.instant < .distantFuture, standing.instant <= latest,
      isWithinLimits(standing.instant, standing.round)
    else { return nil }
    fire(standing)
    return standing
  }

  @inline(__always)
  private func first(_ a: StandingEvent, _ b: StandingEvent) -> ScheduledEvent {
    let first = place(at: max(now, a.instant), in: a.phase, 0)
    let second = place(at: max(now, b.instant), in: b.phase, 0)
    return second.key < first.key
      ? ScheduledEvent(token: second, payload: b.payload)
      : ScheduledEvent(token: first, payload: a.payload)
  }

  private mutating func fire(_ event: ScheduledEvent) {
    assert(event.instant >= now, "events fire in the order of time")
    assert(event.instant > now || event.round >= round, "rounds of an instant follow each other")
    now = event.instant
    round = UInt64(event.round)
    phaseReached = Int(event.phase.ordinal)
    firedCount &+= 1
  }

  /// Counts as fired what is done without an event, as if it had been scheduled for an instant, and
  /// moves the clock there; false where something else comes before it, or the limits forbid it.
  package mutating func firesNext(
    at instant: Instant, in phase: Phase, notAfter latest: Instant = .distantFuture
  ) -> Bool {
    let entered = instant == now ? round : 0
    guard instant > now || Int(phase.ordinal) > phaseReached, instant <= latest,
      instant < .distantFuture, isWithinLimits(instant, Int32(entered))
    else { return false }
    let order = EventOrder(round: entered, phase: phase, sequence: sequence)
    if let event = pending.first, event.key < EventToken(instant: instant, order: order).key {
      return false
    }
    now = instant
    round = entered
    phaseReached = Int(phase.ordinal)
    firedCount &+= 1
    return true
  }

  /// Takes from the budget what an event has cost beyond itself: a step that somebody takes by
  /// itself within an event is work like another.
  package mutating func charge(_ cost: Int64) { charged += cost }

  /// Moves the clock to an instant up to which everything has fired.
  ///
  /// - Precondition: the instant is not before `now`, and nothing is pending before it.
  package mutating func advance(to instant: Instant) {
    precondition(instant >= now, "the clock does not run backwards")
    if instant == now { return }
    if let event = pending.first {
      precondition(event.instant >= instant, "the clock would pass over a pending event")
    }
    now = instant
    round = 0
    phaseReached = -1
  }

  /// The reason why the run cannot go on from here; nil while it can.
  ///
  /// `finished` is for the shell to say: the queue does not know the goal of the run.
  package func endReason(besides a: StandingEvent, _ b: StandingEvent) -> EndReason? {
    if isUsedUp { return .budget }
    let standing = first(a, b)
    if let event = pending.first, event.key < standing.key { return endReason(before: event) }
    return standing.instant == .distantFuture ? .idle : endReason(before: standing)
  }

  private func endReason(before event: ScheduledEvent) -> EndReason? {
    if event.instant > limits.horizon { return .horizon }
    return isWithinLimits(event.instant, event.round) ? nil : .budget
  }

  /// Whether one more event may fire there.
  private func isWithinLimits(_ instant: Instant, _ round: Int32) -> Bool {
    instant <= limits.horizon
      && spentCount < limits.eventBudget
      && round < limits.roundsPerInstant
      // Room is left for one event's scheduling.
      && sequence < EventOrder.sequenceLimit - 1 << 32
      && !isUsedUp
  }
}
