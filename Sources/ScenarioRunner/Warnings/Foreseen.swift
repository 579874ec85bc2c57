import ScenarioFormat

extension Expectation {
  /// Whether it asks for an event, which is then no surprise.
  func foresees(_ event: TraceEvent) -> Bool {
    switch claim {
    case .count(_, .equals(.count(0))): false
    case .count(let pattern, _): event.matches(pattern)
    case .order(let patterns): patterns.contains { event.matches($0) }
    case .properties(.event(let pattern, _, _), _): event.matches(pattern)
    case .properties: false
    }
  }
}
