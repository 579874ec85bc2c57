import Testing
import VirtualTime

@Suite struct EventQueueTests {
  /// Fires everything and returns the arguments in the order in which they fired.
  private func arguments(firedBy queue: inout EventQueue) -> [UInt32] {
    var fired: [UInt32] = []
    while let event = queue.next() {
      fired.append(event.payload.argument)
    }
    return fired
  }

  private func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

  private func payload(_ argument: UInt32) -> EventPayload {
    EventPayload(kind: 0, argument: argument)
  }

  @Test func `events fire by instant, then phase, then in the order they were scheduled`() {
    var queue = EventQueue()
    queue.schedule(payload(5), at: at(20), phase: Phase(0))
    queue.schedule(payload(2), at: at(10), phase: Phase(1))
    queue.schedule(payload(3), at: at(10), phase: Phase(1))
    queue.schedule(payload(1), at: at(10), phase: Phase(0))
    queue.schedule(payload(4), at: at(10), phase: Phase(255))
    queue.schedule(payload(0), at: .zero, phase: Phase(9))
    #expect(arguments(firedBy: &queue) == [0, 1, 2, 3, 4, 5])
  }

  @Test func `a payload comes back as it went in`() {
    var queue = EventQueue()
    let sent = EventPayload(kind: 0xFFFE, subject: 0xABCD, argument: 0xFFFF_FFFD)
    queue.schedule(sent, at: at(3), phase: Phase(2))
    let event = queue.next()
    #expect(event?.payload == sent)
    #expect(sent.kind == 0xFFFE && sent.subject == 0xABCD && sent.argument == 0xFFFF_FFFD)
    #expect(event?.instant == at(3) && event?.phase == Phase(2) && event?.round == 0)
  }

  @Test(arguments: [
    // The phase of the event that fires, the phase it wakes, the round that one enters.
    (fired: 3, woken: 4, round: 0), (fired: 3, woken: 255, round: 0),
    (fired: 3, woken: 3, round: 1), (fired: 3, woken: 0, round: 1),
    (fired: 0, woken: 0, round: 1), (fired: 0, woken: 1, round: 0),
    (fired: 255, woken: 255, round: 1), (fired: 255, woken: 0, round: 1),
  ])
  func `a later phase joins the round, the same or an earlier one the next`(
    row: (fired: UInt8, woken: UInt8, round: Int32)
  ) {
    var queue = EventQueue()
    queue.schedule(payload(0), at: at(7), phase: Phase(row.fired))
    _ = queue.next()
    queue.schedule(payload(1), at: at(7), phase: Phase(row.woken))
    let woken = queue.next()
    #expect(woken?.round == row.round && woken?.phase == Phase(row.woken))
    let (now, round) = (queue.now, queue.currentRound)
    #expect(now == at(7) && round == row.round)
  }

  @Test func `a round is completed before the next one begins`() {
    var queue = EventQueue()
    queue.schedule(payload(1), at: at(5), phase: Phase(1))
    queue.schedule(payload(3), at: at(5), phase: Phase(3))
    _ = queue.next()
    queue.schedule(payload(10), at: at(5), phase: Phase(0))
    queue.schedule(payload(2), at: at(5), phase: Phase(2))
    queue.schedule(payload(11), at: at(5), phase: Phase(1))
    #expect(arguments(firedBy: &queue) == [2, 3, 10, 11])
  }

  @Test func `before anything fires at an instant every phase belongs to its first round`() {
    var queue = EventQueue()
    queue.schedule(payload(0), at: .zero, phase: Phase(0))
    let first = queue.next()
    #expect(first?.round == 0)
    queue.schedule(payload(1), at: .zero, phase: Phase(0))
    let second = queue.next()
    #expect(second?.round == 1)
    queue.advance(to: at(4))
    queue.schedule(payload(2), at: at(4), phase: Phase(0))
    let third = queue.next()
    #expect(third?.round == 0)
  }

  @Test func `an event can be cancelled by another one of its instant`() {
    var queue = EventQueue()
    queue.schedule(payload(0), at: at(5), phase: Phase(0))
    let token = queue.schedule(payload(1), at: at(5), phase: Phase(1))
    queue.schedule(payload(2), at: at(5), phase: Phase(2))
    _ = queue.next()
    let cancelled = queue.cancel(token)
    #expect(cancelled)
    #expect(arguments(firedBy: &queue) == [2])
  }

  @Test func `the token of an event that fired or was cancelled does nothing`() {
    var queue = EventQueue()
    let fired = queue.schedule(payload(0), at: at(1), phase: Phase(0))
    let cancelled = queue.schedule(payload(1), at: at(1), phase: Phase(0))
    queue.schedule(payload(2), at: at(1), phase: Phase(0))
    _ = queue.next()
    let answers = [queue.cancel(fired), queue.cancel(cancelled), queue.cancel(cancelled)]
    #expect(answers == [false, true, false])
    #expect(arguments(firedBy: &queue) == [2])
  }

  @Test func `nothing fires after the instant that was asked for`() {
    var queue = EventQueue()
    queue.schedule(payload(0), at: at(10), phase: Phase(0))
    let early = queue.next(notAfter: at(9))
    let (now, reason) = (queue.now, queue.endReason)
    #expect(early == nil && now == .zero && reason == nil)
    let due = queue.next(notAfter: at(10))
    #expect(due?.instant == at(10))
  }

  @Test func `a drained queue is idle, its clock stands, and it goes on when asked`() {
    var queue = EventQueue()
    queue.schedule(payload(0), at: at(10), phase: Phase(0))
    _ = queue.next()
    let nothing = queue.next()
    let (now, reason, peek) = (queue.now, queue.endReason, queue.peek)
    #expect(nothing == nil && now == at(10) && reason == .idle && peek == nil)
    queue.schedule(payload(1), at: at(11), phase: Phase(0))
    #expect(arguments(firedBy: &queue) == [1])
  }

  @Test func `what comes next can be seen without firing it`() {
    var queue = EventQueue()
    queue.schedule(payload(1), at: at(2), phase: Phase(0))
    queue.schedule(payload(0), at: at(1), phase: Phase(0))
    let (seen, now) = (queue.peek, queue.now)
    #expect(seen?.payload.argument == 0 && now == .zero)
    let fired = queue.next()
    #expect(fired == seen)
  }

  @Test(arguments: [
    // What is pending, at 7 or at 8, beside what would be done now in phase 1, after phase 0.
    (pending: nil, at: 7, isNext: true), (pending: 2, at: 7, isNext: true),
    (pending: 1, at: 7, isNext: false), (pending: 0, at: 7, isNext: true),
    (pending: 0, at: 8, isNext: true), (pending: 1, at: 8, isNext: true),
  ])
  func `what would come next can be done at once, and counts as fired`(
    row: (pending: UInt8?, at: Int64, isNext: Bool)
  ) {
    var queue = EventQueue()
    queue.schedule(payload(0), at: at(7), phase: Phase(0))
    _ = queue.next()
    if let phase = row.pending {
      queue.schedule(payload(1), at: at(row.at), phase: Phase(phase))
    }
    let isNext = queue.firesNext(at: queue.now, in: Phase(1))
    #expect(isNext == row.isNext)
    let fired = queue.firedCount
    #expect(fired == (isNext ? 2 : 1))
    // Once its phase is over, nothing more belongs to it in this round.
    let isNextAgain = queue.firesNext(at: queue.now, in: Phase(1))
    #expect(!isNextAgain)
  }

  @Test(
    arguments: [
      // Of an event in phase 1 at 20: what is done at another instant, in a phase, up to a limit.
      (10, 0, 99, true), (19, 3, 99, true), (20, 0, 99, true), (20, 1, 99, false),
      (20, 2, 99, false), (21, 0, 99, false), (10, 0, 9, false), (10, 0, 10, true),
    ] as [(Int64, UInt8, Int64, Bool)])
  func `what is done without an event comes where an event would`(
    instant: Int64, phase: UInt8, latest: Int64, comes: Bool
  ) {
    var queue = EventQueue()
    queue.schedule(payload(0), at: at(20), phase: Phase(1))
    let isNext = queue.firesNext(at: at(instant), in: Phase(phase), notAfter: at(latest))
    #expect(isNext == comes)
    let (now, fired, round) = (queue.now, queue.firedCount, queue.currentRound)
    #expect(now == (comes ? at(instant) : .zero) && fired == (comes ? 1 : 0) && round == 0)
    let event = queue.next()
    #expect(event?.instant == at(20) && event?.phase == Phase(1))
  }

  @Test func `rounds are counted from zero where something is done at a later instant`() {
    var queue = EventQueue()
    for _ in 0..<2 {
      queue.schedule(payload(0), at: queue.now, phase: Phase(0))
      _ = queue.next()
    }
    let before = queue.currentRound
    let isNext = queue.firesNext(at: at(5), in: Phase(0))
    let after = queue.currentRound
    #expect(before == 1 && isNext && after == 0)
  }

  @Test func `an event at the horizon itself does not end a run as horizon`() {
    var queue = EventQueue(limits: RunLimits(horizon: at(7), eventBudget: 1))
    queue.schedule(payload(0), at: at(7), phase: Phase(0))
    queue.schedule(payload(1), at: at(7), phase: Phase(1))
    let first = queue.next()?.instant
    let atHorizon = queue.endReason
    #expect(first == at(7) && atHorizon == .budget)
    var later = EventQueue(limits: RunLimits(horizon: at(7), eventBudget: 1))
    later.schedule(payload(2), at: at(8), phase: Phase(1))
    let isBeyond = later.endReason
    #expect(isBeyond == .horizon)
  }

  @Test func `nothing is done at an instant that never comes`() {
    var queue = EventQueue(limits: RunLimits(horizon: .distantFuture))
    let never = queue.firesNext(at: .distantFuture, in: Phase(0))
    let late = queue.firesNext(at: .distantFuture - .nanoseconds(1), in: Phase(0))
    #expect(!never && late)
  }

  @Test func `nothing is done at once beyond the budget`() {
    var queue = EventQueue(limits: RunLimits(eventBudget: 1))
    let first = queue.firesNext(at: queue.now, in: Phase(0))
    let second = queue.firesNext(at: queue.now, in: Phase(1))
    #expect(first && !second)
  }

  @Test func `events that fired and those that are pending are counted`() {
    var queue = EventQueue()
    for index in 0..<100 {
      queue.schedule(payload(UInt32(index)), at: at(Int64(index)), phase: Phase(0))
    }
    for _ in 0..<60 { _ = queue.next() }
    queue.schedule(payload(0), at: at(1_000), phase: Phase(0))
    let (fired, count) = (queue.firedCount, queue.count)
    #expect(fired == 60 && count == 41)
  }

  @Test func `scheduling in the past is refused`() async {
    await #expect(processExitsWith: .failure) {
      var queue = EventQueue()
      queue.advance(to: Instant(nanoseconds: 5))
      queue.schedule(EventPayload(kind: 0), at: Instant(nanoseconds: 4), phase: Phase(0))
    }
  }
}
