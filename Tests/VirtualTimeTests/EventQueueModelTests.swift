import TestSupport
import Testing
import VirtualTime

/// The queue again, written so plainly that it can be believed: a sorted array and the round rule.
private struct ModelQueue {
  struct Event {
    let place: [Int64]
    let payload: EventPayload
  }

  private(set) var events: [Event] = []
  private(set) var now: Int64 = 0
  private var round: Int64 = 0
  private var phase: Int64 = -1
  private var sequence: Int64 = 0

  mutating func schedule(_ payload: EventPayload, at instant: Int64, phase wanted: Int64) -> [Int64]
  {
    var entered: Int64 = 0
    if instant == now { entered = wanted > phase ? round : round + 1 }
    let place = [instant, entered, wanted, sequence]
    sequence += 1
    let index =
      events.firstIndex { place.lexicographicallyPrecedes($0.place) } ?? events.endIndex
    events.insert(Event(place: place, payload: payload), at: index)
    return place
  }

  mutating func cancel(_ place: [Int64]) -> Bool {
    guard let index = events.firstIndex(where: { $0.place == place }) else { return false }
    events.remove(at: index)
    return true
  }

  mutating func next(notAfter latest: Int64) -> Event? {
    guard let event = events.first, event.place[0] <= latest else { return nil }
    events.removeFirst()
    (now, round, phase) = (event.place[0], event.place[1], event.place[2])
    return event
  }
}

/// Both queues under the same operations, and every disagreement between them.
private struct QueuePair: ~Copyable {
  var queue = EventQueue()
  var model = ModelQueue()
  var tokens: [(EventToken, [Int64])] = []
  var disagreements = 0
  var random: RandomStream

  init(seed: UInt64) {
    random = RandomStream(seed: seed, name: "operations")
  }

  mutating func schedule(spread: Int64) {
    // One in three at the current instant: there the rounds are.
    let delay = random.chance(numerator: 1, denominator: 3) ? 0 : random.next(in: 0...spread)
    let instant = model.now + delay
    let phase = random.next(in: 0...5)
    let payload = EventPayload(
      kind: 1, subject: 2, argument: UInt32(truncatingIfNeeded: random.next()))
    let token = queue.schedule(
      payload, at: Instant(nanoseconds: instant), phase: Phase(UInt8(phase)))
    tokens.append((token, model.schedule(payload, at: instant, phase: phase)))
  }

  mutating func cancel() {
    // Any token ever given, newer ones rather, so that fired ones are among them.
    if tokens.isEmpty { return }
    let oldest = max(0, tokens.count - 40)
    let index = Int(random.next(in: Int64(oldest)...Int64(tokens.count - 1)))
    let (token, place) = tokens[index]
    if queue.cancel(token) != model.cancel(place) { disagreements += 1 }
  }

  mutating func next(spread: Int64) {
    let latest = model.now + random.next(in: 0...spread)
    let event = queue.next(notAfter: Instant(nanoseconds: latest))
    let expected = model.next(notAfter: latest)
    if !agree(event, expected) { disagreements += 1 }
  }

  func agree(_ event: ScheduledEvent?, _ expected: ModelQueue.Event?) -> Bool {
    guard queue.count == model.events.count, queue.now.nanoseconds == model.now else {
      return false
    }
    guard let event, let expected else { return event == nil && expected == nil }
    let place = [event.instant.nanoseconds, Int64(event.round), Int64(event.phase.ordinal)]
    // The payload tells events apart that differ in their sequence numbers alone.
    return place == Array(expected.place.prefix(3)) && event.payload == expected.payload
  }
}

@Suite struct EventQueueModelTests {
  @Test(arguments: [
    // Pending settles where about as many are scheduled as fire and are cancelled.
    (seed: 1, schedules: 50, cancels: 20, spread: 40),
    (seed: 2, schedules: 40, cancels: 5, spread: 9),
    (seed: 3, schedules: 53, cancels: 4, spread: 1_000),
    (seed: 4, schedules: 60, cancels: 30, spread: 0),
    (seed: 5, schedules: 52, cancels: 45, spread: 100_000),
  ])
  func `the queue does what a sorted array does`(
    row: (seed: UInt64, schedules: Int64, cancels: Int64, spread: Int64)
  ) {
    var pair = QueuePair(seed: row.seed)
    for _ in 0..<Seeds.count(1_500, inRelease: 3_000) {
      let choice = pair.random.next(in: 0...99)
      if choice < row.schedules {
        pair.schedule(spread: row.spread)
      } else if choice < row.schedules + row.cancels {
        pair.cancel()
      } else {
        pair.next(spread: row.spread)
      }
    }
    while !pair.model.events.isEmpty { pair.next(spread: 1_000_000) }
    let (disagreements, left) = (pair.disagreements, pair.queue.count)
    #expect(disagreements == 0)
    #expect(left == 0)
  }

  @Test func `hundreds of pending events can all be cancelled in any order`() {
    var queue = EventQueue()
    var random = RandomStream(seed: 11, name: "instants")
    var tokens: [EventToken] = []
    for round in 0..<3 {
      for _ in 0..<700 {
        let instant = Instant(nanoseconds: random.next(in: 0...500))
        tokens.append(queue.schedule(EventPayload(kind: 0), at: instant, phase: Phase(0)))
      }
      var refused = 0
      while !tokens.isEmpty {
        let token = tokens.remove(at: Int(random.next(below: UInt64(tokens.count))))
        if !queue.cancel(token) { refused += 1 }
      }
      let left = queue.count
      #expect(refused == 0 && left == 0, "round \(round)")
    }
  }
}
