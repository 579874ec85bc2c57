import VirtualTime

/// Where a schedule is, for a transport that must be told of every step.
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
  }

  /// What the link is like now.
  var conditions: LinkConditions {
    guard let schedule else { return base }
    var now = base
    let step = schedule.steps[cursor.index].bandwidth
    switch (base.downlink.bandwidth, step) {
    case (.unlimited, _): now.downlink.bandwidth = step
    case (.limited, .unlimited): break
    case (.limited(let limit), .limited(let rate)):
      now.downlink.bandwidth = .limited(min(limit, rate))
    }
    return now
  }

  /// What the step adds to a request made now.
  var latency: TimeSpan { schedule == nil ? .zero : plan.latency(from: cursor) }

  var nextStep: Instant {
    schedule == nil ? .distantFuture : anchor + TimeSpan(nanoseconds: cursor.left)
  }

  /// Goes on to an instant; true if another step is in force.
  mutating func advance(to now: Instant) -> Bool {
    if schedule == nil { return false }
    let before = cursor.index
    _ = plan.carried(over: (now - anchor).nanoseconds, from: &cursor, ceiling: 0)
    anchor = now
    return cursor.index != before
  }

  mutating func change(
    to conditions: LinkConditions, _ schedule: RateSchedule?, _ plan: RatePlan, keepsPlace: Bool,
    at now: Instant
  ) {
    _ = advance(to: now)
    anchor = now
    base = conditions
    self.schedule = schedule
    self.plan = plan
    if !keepsPlace { cursor = plan.start }
  }
}
