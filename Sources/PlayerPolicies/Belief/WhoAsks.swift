// The rules that use the throughput estimate. Where none does, the bytes of a request are not
// reported before it ends.

extension PolicyDescription {
  /// Whether a rule goes by what is believed while media comes in from a source.
  func goesByThroughput(of source: SourceKind) -> Bool {
    if start.goesByThroughput || resume.goesByThroughput || stall.goesByThroughput { return true }
    if source != .segmented { return false }
    return firstVariant.goesByThroughput || nextVariant.goesByThroughput
      || abandon.goesByThroughput
  }
}

extension KeepUpHeuristic {
  var goesByThroughput: Bool { start.goesByThroughput || resume.goesByThroughput }
}

extension ReadinessRule {
  fileprivate var goesByThroughput: Bool {
    switch self {
    // A rule that is asked by name may look at everything.
    case .playThrough, .named: true
    case .level, .escalating, .queue, .lateness, .everythingLoaded, .after, .at: false
    case .any, .all, .every: parts.contains { $0.goesByThroughput }
    }
  }
}

extension StallRule {
  fileprivate var goesByThroughput: Bool {
    switch self {
    case .whenDry, .below, .belowWithArriving: false
    case .belowUnlessPlayThrough, .named: true
    }
  }
}

extension FirstVariantRule {
  fileprivate var goesByThroughput: Bool {
    switch self {
    case .firstListed, .lowest, .highest, .place: false
    case .withinEstimate, .probe: true
    }
  }
}

extension NextVariantRule {
  fileprivate var goesByThroughput: Bool { self != .fixed }
}

extension AbandonRule {
  fileprivate var goesByThroughput: Bool { self != .never }
}

extension Subscription {
  /// No more of it than how requests begin and end.
  var ofEndsAlone: Subscription {
    switch self {
    case .nothing: .nothing
    case .ends, .progress: .ends
    }
  }
}
