import Testing
import VirtualTime

@Suite struct RunLimitsTests {
  @Test func `a payload holds its parts, which are zero unless named`() {
    let plain = EventPayload(kind: 7)
    #expect(plain.kind == 7 && plain.subject == 0 && plain.argument == 0)
    let whole = EventPayload(kind: .max, subject: 0x8001, argument: .max - 1)
    #expect(whole.kind == .max && whole.subject == 0x8001 && whole.argument == .max - 1)
  }

  @Test(arguments: [Int32(1), 2, 1_000, RunLimits.mostRoundsPerInstant])
  func `a cycle without delay ends as budget after the last round`(rounds: Int32) {
    var queue = EventQueue(limits: RunLimits(roundsPerInstant: rounds))
    queue.schedule(EventPayload(kind: 0), at: .zero, phase: Phase(4))
    var last: Int32 = -1
    while let event = queue.next() {
      last = event.round
      queue.schedule(EventPayload(kind: 0), at: queue.now, phase: Phase(4))
    }
    let (fired, reason) = (queue.firedCount, queue.endReason)
    #expect(last == rounds - 1)
    #expect(fired == Int64(rounds))
    #expect(reason == .budget)
  }

  @Test func `an instant has a million rounds at most`() async {
    #expect(RunLimits.mostRoundsPerInstant == 1_000_000)
    #expect(RunLimits(roundsPerInstant: 1_000_000).roundsPerInstant == 1_000_000)
    await #expect(processExitsWith: .failure) {
      _ = RunLimits(roundsPerInstant: 1_000_001)
    }
    await #expect(processExitsWith: .failure) {
      _ = RunLimits(roundsPerInstant: 0)
    }
  }

  @Test func `rounds are counted for each instant by itself`() {
    var queue = EventQueue(limits: RunLimits(roundsPerInstant: 2))
    queue.schedule(EventPayload(kind: 0), at: .zero, phase: Phase(0))
    for _ in 0..<100 {
      _ = queue.next()
      queue.schedule(EventPayload(kind: 0), at: queue.now, phase: Phase(0))
      _ = queue.next()
      queue.schedule(
        EventPayload(kind: 0), at: queue.now + .nanoseconds(1), phase: Phase(0))
    }
    let (fired, reason) = (queue.firedCount, queue.endReason)
    #expect(fired == 200 && reason == nil)
  }

  @Test func `an event budget is spent to the last event`() {
    var queue = EventQueue(limits: RunLimits(eventBudget: 3))
    for instant in Int64(1)...5 {
      queue.schedule(
        EventPayload(kind: 0), at: Instant(nanoseconds: instant), phase: Phase(0))
    }
    var fired = 0
    while queue.next() != nil { fired += 1 }
    let (reason, left) = (queue.endReason, queue.count)
    #expect(fired == 3 && reason == .budget && left == 2)
  }

  @Test(arguments: [Int64(0), 1, 2, 7])
  func `what an event costs beyond itself is taken from the budget`(cost: Int64) {
    var queue = EventQueue(limits: RunLimits(eventBudget: 24))
    for instant in Int64(1)...30 {
      queue.schedule(EventPayload(kind: 0), at: Instant(nanoseconds: instant), phase: Phase(0))
    }
    while queue.next() != nil { queue.charge(cost) }
    let (fired, reason) = (queue.firedCount, queue.endReason)
    #expect(fired == 24 / (1 + cost) && reason == .budget)
  }

  @Test func `the horizon itself still belongs to the run`() {
    let horizon = Instant(nanoseconds: 10)
    var queue = EventQueue(limits: RunLimits(horizon: horizon))
    queue.schedule(EventPayload(kind: 1), at: horizon + .nanoseconds(1), phase: Phase(0))
    queue.schedule(EventPayload(kind: 0), at: horizon, phase: Phase(0))
    let last = queue.next()
    let beyond = queue.next()
    let (now, reason) = (queue.now, queue.endReason)
    #expect(last?.instant == horizon && beyond == nil)
    #expect(now == horizon && reason == .horizon)
  }

  @Test func `limits that are not set let a billion events and 100,000 rounds pass`() {
    let limits = RunLimits()
    #expect(limits.horizon == .distantFuture && limits.eventBudget == 1_000_000_000)
    #expect(limits.roundsPerInstant == 100_000)
  }
}

extension EventQueue {
  /// The reason why the run cannot go on where no event stands beside the queue.
  var endReason: EndReason? {
    let never = StandingEvent(at: .distantFuture, in: Phase(0), EventPayload(kind: 0))
    return endReason(besides: never, never)
  }
}
