import ScenarioFormat
import VirtualTime

/// The progress of expectations about events, so that no event has to be kept for them.
struct EventTally {
  struct Progress {
    /// The number of matching events: of an order those that came in turn, of a count all of them.
    var count: Int64 = 0
    /// The instant of the last match.
    var last = Instant.zero
  }

  /// By the place of the expectation.
  private(set) var progress: [Progress]
  /// The expectations that are about an order or a count.
  private let concerned: [Int]

  init(_ expectations: [Expectation]) {
    progress = Array(repeating: Progress(), count: expectations.count)
    concerned = expectations.indices.filter { expectations[$0].isAboutEvents }
  }

  mutating func count(_ event: TraceEvent, at instant: Instant, for expectations: [Expectation]) {
    for index in concerned {
      switch expectations[index].claim {
      case .order(let patterns):
        let next = Int(progress[index].count)
        if next < patterns.count, event.matches(patterns[next]) { advance(index, instant) }
      case .count(let pattern, _):
        if event.matches(pattern) { advance(index, instant) }
      case .properties: break
      }
    }
  }

  private mutating func advance(_ index: Int, _ instant: Instant) {
    progress[index].count += 1
    progress[index].last = instant
  }
}

extension Expectation {
  fileprivate var isAboutEvents: Bool {
    switch claim {
    case .order, .count: true
    case .properties: false
    }
  }
}
