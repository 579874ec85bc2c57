public import VirtualTime

/// A downlink whose bandwidth changes by itself: a recorded trace, or a pattern.
public struct RateSchedule: Hashable, Sendable {
  public struct Step: Hashable, Sendable {
    public var duration: TimeSpan
    public var bandwidth: Bandwidth
    /// The wait of a request sent in this step before its bytes flow, on top of the link's delays.
    /// If it outlasts the step, the fraction left goes on as one of the next step's latency.
    public var latency: TimeSpan

    public init(duration: TimeSpan, bandwidth: Bandwidth, latency: TimeSpan = .zero) {
      self.duration = duration
      self.bandwidth = bandwidth
      self.latency = latency
    }
  }

  /// The continuation of the schedule after its last step.
  public enum Ending: String, Hashable, Sendable, CaseIterable {
    /// The first step follows.
    case loops = "repeat"
    /// The last step goes on for ever.
    case holds = "hold"
  }

  /// The condition under which the schedule's own time passes.
  public enum Clock: String, Hashable, Sendable, CaseIterable {
    /// Always.
    case wall
    /// Not while a request waits for its response and nothing else is transferred.
    case pausedDuringLatency
  }

  package let steps: [Step]
  package let ending: Ending
  package let clock: Clock
  /// The offset into the steps at which the schedule begins.
  package let offset: TimeSpan
  /// Whether an answer begins although nothing gets through at that instant, as in a simulator
  /// that counts the latency by itself; as a rule its first byte waits for the end of the outage.
  package let answersInOutages: Bool
  /// The plan of a link that has no limit of its own, shared by all that follow the schedule.
  private(set) var plan: RatePlan?

  /// Makes a schedule out of at least one step that lasts.
  ///
  /// A step without duration covers nothing and is left out, but for the last of a schedule that
  /// holds. A loop of nothing but outages is a link on which nothing ever arrives.
  public init(
    steps: [Step], ending: Ending, clock: Clock = .wall, offset: TimeSpan = .zero,
    answersInOutages: Bool = false
  ) throws(LinkError) {
    var kept: [Step] = []
    kept.reserveCapacity(steps.count)
    var length = TimeSpan.zero
    for (index, step) in steps.enumerated() {
      if step.duration < .zero { throw .negativeTime(step.duration) }
      if step.latency < .zero { throw .negativeTime(step.latency) }
      if step.duration == .zero && (ending != .holds || index < steps.count - 1) { continue }
      length += step.duration
      kept.append(step)
    }
    if kept.isEmpty { throw .emptySchedule }
    if length == .forever { throw .scheduleTooLong }
    if offset < .zero { throw .negativeTime(offset) }
    self.steps = kept
    self.ending = ending
    self.clock = clock
    self.offset = offset
    self.answersInOutages = answersInOutages
    // Whether the rates can stand side by side on one link is known here, so it is said here.
    plan = try RatePlan(conditions: .perfect, schedule: self)
  }

  /// The time from the first step's beginning to the last one's end.
  package var length: TimeSpan {
    steps.reduce(.zero) { $0 + $1.duration }
  }
}
