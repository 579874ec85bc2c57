/// A binary heap in an array, as anyone would write it: what the event queue is measured against.
struct PlainHeap {
  private var events: [ScheduledEvent] = []

  mutating func push(_ event: ScheduledEvent) {
    var hole = events.count
    events.append(event)
    while hole > 0 {
      let parent = (hole - 1) / 2
      if !isEarlier(event, events[parent]) { break }
      events[hole] = events[parent]
      hole = parent
    }
    events[hole] = event
  }

  mutating func pop() -> ScheduledEvent? {
    guard let last = events.popLast() else { return nil }
    guard let top = events.first else { return last }
    var hole = 0
    while true {
      var child = 2 * hole + 1
      if child >= events.count { break }
      if child + 1 < events.count, isEarlier(events[child + 1], events[child]) { child += 1 }
      if !isEarlier(events[child], last) { break }
      events[hole] = events[child]
      hole = child
    }
    events[hole] = last
    return top
  }

  private func isEarlier(_ a: ScheduledEvent, _ b: ScheduledEvent) -> Bool {
    if a.instant != b.instant { return a.instant < b.instant }
    return a.order.bits < b.order.bits
  }
}
