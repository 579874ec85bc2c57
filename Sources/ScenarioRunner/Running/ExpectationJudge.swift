import ExactText
import ScenarioFormat
import SimulatedWorld
import VirtualTime

/// Holds what was so against what was expected, after the last event.
struct ExpectationJudge {
  let session: RunSession

  private var scenario: Scenario { session.scenario }
  private var evidence: Evidence { session.evidence }
  private var ended: Instant { session.world.now }
  /// The player in words, where it is a further one.
  private var owner: String { session.name.map { " of \(quotation(of: $0))" } ?? "" }

  /// The expectations that did not come true, in the order of the file.
  func failures(end: EndReason) -> [ExpectationFailure] {
    var failures: [ExpectationFailure] = []
    for (index, expectation) in scenario.expectations.enumerated() {
      switch expectation.claim {
      case .properties(let moment, let claims):
        if case .end = moment { session.readProperties(of: index, end: end) }
        failures += judge(expectation, moment, claims, session.moments.sightings[index])
      case .order(let patterns):
        if let failure = judgeOrder(patterns, expectation, index) { failures.append(failure) }
      case .count(let pattern, let matcher):
        if let failure = judgeCount(pattern, matcher, expectation) { failures.append(failure) }
      }
    }
    return failures
  }

  private func judge(
    _ expectation: Expectation, _ moment: Moment, _ claims: [PropertyClaim],
    _ sighting: MomentKeeper.Sighting?
  ) -> [ExpectationFailure] {
    guard let sighting else {
      let what = enumeration(claims.map { "\($0.property.name)\(owner) \($0.matcher.words)" })
      return [
        failure(
          expectation.position, "\(what) \(moment.words)",
          "there was no such moment: the run ended at \(words(ended))", [ended],
          manner: "no such moment")
      ]
    }
    return zip(claims, sighting.values).compactMap { claim, value in
      let value = value ?? .null
      return claim.matcher.accepts(value) ? nil : failure(claim, value, moment, sighting)
    }
  }

  private func failure(
    _ claim: PropertyClaim, _ value: PropertyValue, _ moment: Moment,
    _ sighting: MomentKeeper.Sighting
  ) -> ExpectationFailure {
    let expected = "\(claim.property.name)\(owner) \(claim.matcher.words)"
    let manner = "\(claim.property.name) \(claim.matcher.miss(of: value))"
    var actual = value == .null ? "there was none" : "it was \(value.words)"
    // A property that sums up the run until now came about earlier.
    let trail = claim.property.evidence.flatMap { evidence.trail(of: $0) }
    let earlier = trail?.first.filter { $0 <= sighting.instant } ?? []
    if let trail, !earlier.isEmpty {
      actual += ": \(trail.pattern.words) \(trail.times(until: sighting.instant))"
    }
    if !earlier.isEmpty || claim.property.scope != .moment {
      return failure(
        claim.position, expected + (moment == .end ? "" : " " + moment.words), actual,
        earlier.isEmpty ? [sighting.instant] : earlier, manner: manner)
    }
    return failure(
      claim.position,
      "\(expected) \(moment.words)\(moment.isNamed ? "" : " (\(words(sighting.instant)))")",
      actual + explanation(of: sighting, moment, besides: value.words), [sighting.instant],
      manner: manner)
  }

  /// The script's steps at the instant of a moment, or the player's state besides what was told.
  private func explanation(
    of sighting: MomentKeeper.Sighting, _ moment: Moment, besides told: String
  ) -> String {
    let done = zip(scenario.script, session.stepsDone).filter { _, instant in
      instant == sighting.instant
    }
    if !done.isEmpty, !moment.isStep {
      let names = enumeration(done.map { step, _ in quotation(of: step.name) })
      return ": the script did \(names) at the same instant"
    }
    let reason = sighting.control.reason.map { " (\($0.word))" } ?? ""
    if isSameText(sighting.control.word, told) { return reason }
    return "; the player was \(sighting.control.word)\(reason)"
  }

  private func judgeOrder(
    _ patterns: [EventPattern], _ expectation: Expectation, _ place: Int
  ) -> ExpectationFailure? {
    let (next, reached) = evidence.progress(of: place)
    if next == patterns.count { return nil }
    let before = next == 0 ? "at all" : "after \(patterns[next - 1].words) (at \(words(reached)))"
    var actual = "there was no \(patterns[next].words) \(before)"
    var instants = [reached]
    if let earlier = evidence.trail(of: patterns[next]) {
      actual += "; before it there was, last at \(words(earlier.last))"
      instants = [earlier.last, reached]
    }
    return failure(
      expectation.position, "in order: " + joined(patterns.map { $0.words }, by: ", then ") + owner,
      actual, instants, manner: "no \(patterns[next].words)")
  }

  private func judgeCount(
    _ pattern: EventPattern, _ matcher: Matcher, _ expectation: Expectation
  ) -> ExpectationFailure? {
    let trail = evidence.trail(of: pattern)
    let count = trail?.count ?? 0
    if matcher.accepts(.count(count)) { return nil }
    let times = count == 1 ? "once" : "\(count) times"
    let wanted = " to occur " + matcher.words
    let isOne = ["1", "at least 1", "at most 1", "not 1"].contains { isSameText($0, matcher.words) }
    return failure(
      expectation.position, pattern.words + owner + wanted + (isOne ? " time" : " times"),
      "it occurred " + times + (trail.map { ", " + $0.times(until: ended) } ?? ""),
      trail?.first ?? [.zero],
      manner: "\(pattern.words) \(matcher.miss(of: .count(count)))")
  }

  private func failure(
    _ position: TextPosition, _ expected: String, _ actual: String, _ instants: [Instant],
    manner: String
  ) -> ExpectationFailure {
    ExpectationFailure(
      position: position, expected: expected, actual: actual, manner: manner, instants: instants,
      context: session.owner.trace.context(around: instants))
  }
}

/// The instants of the events that expectations are about: no event has to be kept for them, and a
/// failure is shown where it came about, at the stalls and not at the end of the run.
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
  /// The expectations of an order, by their place: how many events came in turn, and when the last.
  private var orders: [(place: Int, patterns: [EventPattern], count: Int, last: Instant)] = []

  init(_ expectations: [Expectation]) {
    for pattern in expectations.flatMap({ $0.claim.patterns })
    where !trails.contains(where: { $0.pattern == pattern }) {
      trails.append(Trail(pattern: pattern))
    }
    for (place, expectation) in expectations.enumerated() {
      if case .order(let patterns) = expectation.claim {
        orders.append((place, patterns, 0, .zero))
      }
    }
  }

  mutating func keep(_ event: TraceEvent, at instant: Instant) {
    for index in trails.indices where event.matches(trails[index].pattern) {
      trails[index].count += 1
      trails[index].last = instant
      if trails[index].first.count < Trail.most { trails[index].first.append(instant) }
    }
    for index in orders.indices where orders[index].count < orders[index].patterns.count {
      if !event.matches(orders[index].patterns[orders[index].count]) { continue }
      orders[index].count += 1
      orders[index].last = instant
    }
  }

  /// The events of an order that came in turn, and the instant of the last.
  func progress(of place: Int) -> (count: Int, last: Instant) {
    orders.first { $0.place == place }.map { ($0.count, $0.last) } ?? (0, .zero)
  }

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
