import ExactText
import SimulatedWorld
import VirtualTime

// Holding what was so against what was expected.

extension RunSession {
  /// The expectations that did not come true, in the order of the file.
  func judge(end: EndReason) -> [ExpectationFailure] {
    var failures: [ExpectationFailure] = []
    for (index, expectation) in scenario.expectations.enumerated() {
      switch expectation.claim {
      case .properties(let moment, let claims):
        if case .end = moment { sight(index, end: end) }
        failures += judge(expectation, moment, claims, moments.sightings[index])
      case .order(let patterns):
        if let failure = judgeOrder(patterns, expectation, tally.progress[index]) {
          failures.append(failure)
        }
      case .count(let pattern, let matcher):
        if let failure = judgeCount(pattern, matcher, expectation, tally.progress[index]) {
          failures.append(failure)
        }
      }
    }
    return failures
  }

  private func judge(
    _ expectation: Expectation, _ moment: Moment, _ claims: [PropertyClaim],
    _ sighting: MomentKeeper.Sighting?
  ) -> [ExpectationFailure] {
    guard let sighting else {
      let failure = ExpectationFailure(
        position: expectation.position, expected: "a moment \(moment.words)",
        actual: "the run ended at \(words(world.now)) without it",
        instant: world.now, context: context(around: world.now))
      return [failure]
    }
    var failures: [ExpectationFailure] = []
    for (claim, value) in zip(claims, sighting.values) {
      let value = value ?? .null
      if claim.matcher.accepts(value) { continue }
      failures.append(
        ExpectationFailure(
          position: claim.position,
          expected: "\(claim.property.name) \(moment.words) to be \(claim.matcher.words)",
          actual: "it was \(value.words) (at \(words(sighting.instant)))",
          instant: sighting.instant, context: context(around: sighting.instant)))
    }
    return failures
  }

  private func judgeOrder(
    _ patterns: [EventPattern], _ expectation: Expectation, _ progress: EventTally.Progress
  ) -> ExpectationFailure? {
    let (next, reached) = (Int(progress.count), progress.last)
    if next == patterns.count { return nil }
    let before = next == 0 ? "from the start" : "after \(patterns[next - 1].words)"
    return ExpectationFailure(
      position: expectation.position,
      expected: "in order: " + joined(patterns.map { $0.words }, by: ", then "),
      actual: "there was no \(patterns[next].words) \(before) (at \(words(reached)))",
      instant: reached, context: context(around: reached))
  }

  private func judgeCount(
    _ pattern: EventPattern, _ matcher: Matcher, _ expectation: Expectation,
    _ progress: EventTally.Progress
  ) -> ExpectationFailure? {
    let (count, last) = (progress.count, progress.last)
    if matcher.accepts(.count(count)) { return nil }
    return ExpectationFailure(
      position: expectation.position,
      expected: "\(pattern.words) to occur \(matcher.words) times",
      actual: "it occurred \(count) times", instant: last, context: context(around: last))
  }

  private func context(around instant: Instant) -> [String] {
    owner.trace.context(around: instant)
  }
}

func words(_ instant: Instant) -> String {
  PropertyValue.time(instant.nanoseconds).words
}

/// Texts with something between them: the standard library's own needs Foundation in places.
func joined(_ texts: [String], by separator: String) -> String {
  var whole = ""
  for (index, text) in texts.enumerated() {
    if index > 0 { whole += separator }
    whole += text
  }
  return whole
}

extension Moment {
  var words: String {
    switch self {
    case .at(let instant): "at \(ScenarioRunner.words(instant))"
    case .after(let step, let span):
      "\(PropertyValue.time(span.nanoseconds).words) after “\(step)”"
    case .event(let pattern, let number, let span):
      "\(PropertyValue.time(span.nanoseconds).words) after \(pattern.words) number \(number)"
    case .end: "at the end"
    }
  }
}

extension EventPattern {
  var words: String {
    joined([event] + members.map { "\($0.name)=\($0.quotedValue)" }, by: " ")
  }
}

extension EventPattern.Member {
  /// The value as a pattern writes it: in quotation marks where it holds a space.
  fileprivate var quotedValue: String {
    guard value.isEmpty || value.utf8.contains(0x20) else { return value }
    return value.utf8.contains(UInt8(ascii: "'")) ? "\"\(value)\"" : "'\(value)'"
  }
}
