import VirtualTime

/// A clock that steps through a schedule, for a transport that must be told of every step.
///
/// It goes by the wall clock whatever the schedule says: with packets under way there is no
/// latency that stands apart from the transfer.
struct StepClock: Sendable {
  private var base: LinkConditions
  private var schedule: RateSchedule?
  private var plan: RatePlan
  private var cursor: RatePlan.Cursor
  private var anchor = Instant.zero

  init(_ conditions: LinkConditions, _ schedule: RateSchedule?, _ plan: RatePlan) {
    base = conditions
    self.schedule = schedule
    self.plan = plan
    cursor = plan.start
    findNextStep()
  }

  private mutating func findNextStep() {
    nextStep = schedule == nil ? .distantFuture : anchor + TimeSpan(nanoseconds: cursor.left)
  }

  var conditions: LinkConditions {
    guard let schedule else { return base }
    var now = base
    // In the plan of the link nothing moves where loss takes everything.
    let step =
      plan.isMerged
      ? (plan.isBarred ? schedule.plan ?? plan : plan).bandwidth(of: cursor.index)
      : schedule.steps[cursor.index].bandwidth
    now.downlink.bandwidth = min(base.downlink.bandwidth, step)
    return now
  }

  /// The latency that the step adds to a request made now.
  func latency(at now: Instant) -> TimeSpan {
    schedule == nil ? .zero : plan.latency(from: place(at: now))
  }

  func place(at now: Instant) -> RatePlan.Cursor {
    plan.place((now - anchor).nanoseconds, after: cursor)
  }

  /// The start of the next step; never without a schedule.
  private(set) var nextStep = Instant.distantFuture

  /// Goes on to an instant; true if another step is in force.
  mutating func advance(to now: Instant) -> Bool {
    if now < nextStep { return false }
    let before = cursor.index
    move(to: now)
    return cursor.index != before
  }

  private mutating func move(to now: Instant) {
    _ = plan.carried(over: (now - anchor).nanoseconds, from: &cursor, ceiling: 0)
    anchor = now
    findNextStep()
  }

  mutating func change(
    to conditions: LinkConditions, _ schedule: RateSchedule?, _ plan: RatePlan, keepsPlace: Bool,
    at now: Instant
  ) {
    move(to: now)
    base = conditions
    self.schedule = schedule
    self.plan = plan
    if !keepsPlace { cursor = plan.start }
    findNextStep()
  }
}
