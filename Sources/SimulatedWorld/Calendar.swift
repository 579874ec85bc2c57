import VirtualTime

/// Instants that are all known from the start, of which only the next stand in the event queue.
struct Calendar {
  /// The place is that in the list as it was given.
  typealias Entry = (instant: Instant, place: Int32)

  /// By instant, and of one instant by place.
  private let entries: [Entry]
  private var next = 0
  let firstSequence: UInt64
  let action: (Int) -> Void

  init(
    _ count: Int, of instant: (Int) -> Instant, from now: Instant, sequence: UInt64,
    action: @escaping (Int) -> Void
  ) {
    entries = (0..<count).map { (max(now, instant($0)), Int32($0)) }.sorted { $0 < $1 }
    firstSequence = sequence
    self.action = action
  }

  /// Those of the next instant, which stand in the queue from now on.
  mutating func takeNext() -> ArraySlice<Entry> {
    let first = next
    while next < entries.count, entries[next].instant == entries[first].instant { next += 1 }
    return entries[first..<next]
  }

  /// Whether nothing of the calendar stands in the queue behind this one.
  func isLastPending(_ place: Int) -> Bool { entries[next - 1].place == Int32(place) }
}
