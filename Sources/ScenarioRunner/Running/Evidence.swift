import ExactText
import ScenarioFormat
import VirtualTime

/// The instants of the events that expectations are about, so that a failure is shown where it came
/// about: at the stalls, not at the end of the run.
struct Evidence {
  /// The first of the events that fit a pattern, how many there were, and the last.
  struct Trail {
    let pattern: EventPattern
    var count: Int64 = 0
    var first: [Instant] = []
    var last = Instant.zero

    static let most = 3
  }

  private var trails: [Trail] = []

  init(_ expectations: [Expectation]) {
    for pattern in expectations.flatMap({ $0.claim.patterns })
    where !trails.contains(where: { $0.pattern == pattern }) {
      trails.append(Trail(pattern: pattern))
    }
  }

  mutating func keep(_ event: TraceEvent, at instant: Instant) {
    for index in trails.indices where event.matches(trails[index].pattern) {
      trails[index].count += 1
      trails[index].last = instant
      if trails[index].first.count < Trail.most { trails[index].first.append(instant) }
    }
  }

  /// The trail of a pattern; nil where no event matched.
  func trail(of pattern: EventPattern) -> Trail? {
    trails.first { $0.pattern == pattern && $0.count > 0 }
  }
}

extension Expectation.Claim {
  /// The events that show why it is met or not.
  fileprivate var patterns: [EventPattern] {
    switch self {
    case .properties(_, let claims): claims.compactMap { $0.property.evidence }
    case .order(let patterns): patterns
    case .count(let pattern, _): [pattern]
    }
  }
}

extension PlayerProperty {
  /// The events that make a figure what it is.
  var evidence: EventPattern? {
    Figure.all.first { isSameText($0.name, name) }?.evidence
  }
}

extension Evidence.Trail {
  /// The instants in words: “at 1 s, 2 s and 5 s”.
  func times(until instant: Instant) -> String {
    var texts = first.filter { $0 <= instant }.map { words($0) }
    if count > Int64(first.count), last <= instant {
      let more = count - Int64(first.count)
      texts.append(more == 1 ? "once more" : "\(more) times more")
    }
    return "at " + enumeration(texts)
  }
}

/// Parts of a sentence: “a, b and c”.
func enumeration(_ texts: [String]) -> String {
  guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
  return joined(Array(texts.dropLast()), by: ", ") + " and " + last
}

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
