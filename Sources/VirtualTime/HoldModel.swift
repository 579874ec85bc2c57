/// The hold model: each event that fires schedules one, so that the number pending stays.
///
/// It is how event queues are commonly compared. Both functions do the same work and must return
/// the same checksum; a clock is the caller's affair.
package enum HoldModel {
  /// Fires events from the event queue and returns a checksum over their order.
  package static func eventQueue(pending: Int, events: Int64, seed: UInt64) -> UInt64 {
    var workload = HoldWorkload(seed: seed)
    var queue = EventQueue(limits: RunLimits(eventBudget: events))
    for _ in 0..<pending {
      workload.draw(after: .zero)
      queue.schedule(workload.payload, at: workload.instant, phase: workload.phase)
    }
    while let event = queue.next() {
      workload.record(event)
      workload.draw(after: event.instant)
      queue.schedule(workload.payload, at: workload.instant, phase: workload.phase)
    }
    return workload.checksum
  }

  /// Fires the same events from a plain binary heap and returns the same checksum.
  package static func plainHeap(pending: Int, events: Int64, seed: UInt64) -> UInt64 {
    var workload = HoldWorkload(seed: seed)
    var heap = PlainHeap()
    var sequence: UInt64 = 0
    func schedule(after instant: Instant) {
      workload.draw(after: instant)
      let order = EventOrder(round: 0, phase: workload.phase, sequence: sequence)
      heap.push(
        ScheduledEvent(instant: workload.instant, order: order, payload: workload.payload))
      sequence += 1
    }
    for _ in 0..<pending {
      schedule(after: .zero)
    }
    var left = events
    while left > 0, let event = heap.pop() {
      workload.record(event)
      schedule(after: event.instant)
      left -= 1
    }
    return workload.checksum
  }
}

/// What the hold model schedules next, drawn from a seed.
private struct HoldWorkload {
  private var generator: SplitMix64
  private(set) var checksum: UInt64 = 0
  private(set) var instant = Instant.zero
  private(set) var phase = Phase(0)
  private(set) var payload = EventPayload(kind: 0)

  init(seed: UInt64) {
    generator = SplitMix64(state: seed)
  }

  /// Draws an event up to a millisecond later; never at the same instant, which needs rounds.
  mutating func draw(after earlier: Instant) {
    let bits = generator.next()
    instant = Instant(nanoseconds: earlier.nanoseconds &+ 1 &+ Int64(bits >> 44))
    phase = Phase(UInt8(bits & 3))
    payload = EventPayload(kind: 0, argument: UInt32(truncatingIfNeeded: bits))
  }

  mutating func record(_ event: ScheduledEvent) {
    let fired = UInt64(bitPattern: event.instant.nanoseconds) ^ UInt64(event.payload.argument)
    checksum = (checksum &+ fired) &* 0x9E37_79B9_7F4A_7C15
  }
}
