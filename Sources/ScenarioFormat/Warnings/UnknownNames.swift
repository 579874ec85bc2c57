import ExactText

// Names of items and of traffic that are in no part of the scenario: a step that waits for one is
// never done, and a count of one is always 0.

extension Scenario {
  /// A name, and whether it is one of traffic; otherwise it is an item's.
  private typealias Mention = (name: String, isOfTraffic: Bool)

  /// The names that expectations and steps mention, and that nothing has.
  func unknownNames(of host: Scenario) -> [RunWarning] {
    let expected = expectations.flatMap { expectation in
      mentions(of: expectation.claim).map { ($0, expectation.position) }
    }
    let awaited = script.flatMap { step -> [(Mention, TextPosition)] in
      guard case .event(let pattern, _, _) = step.trigger else { return [] }
      return mentions(of: pattern).map { ($0, step.position) }
    }
    return (expected + awaited).compactMap { mention, position in
      let names = mention.isOfTraffic ? host.traffic.map { $0.name } : itemNames
      if names.contains(where: { isSameText($0, mention.name) }) { return nil }
      let kind = mention.isOfTraffic ? "traffic" : "item"
      return RunWarning(
        position: position, message: "no \(kind) is called \(quotation(of: mention.name))")
    }
  }

  /// The names that the trace may use for an item.
  private var itemNames: [String] {
    var names = ["media"]
    for item in namedItems {
      names.append(item.name)
      if item.copies > 1 { names += (1...item.copies).map { "\(item.name)-\($0)" } }
    }
    if looping?.way == .looper { names += (1...1_000).map { "copy-\($0)" } }
    return names
  }

  private func mentions(of claim: Expectation.Claim) -> [Mention] {
    switch claim {
    case .order(let patterns): patterns.flatMap { mentions(of: $0) }
    case .count(let pattern, _): mentions(of: pattern)
    case .properties(let moment, let claims):
      mentions(of: moment)
        + claims.filter { $0.property.namesItems }.flatMap { mentions(of: $0.matcher) }
    }
  }

  private func mentions(of moment: Moment) -> [Mention] {
    if case .event(let pattern, _, _) = moment { mentions(of: pattern) } else { [] }
  }

  private func mentions(of pattern: EventPattern) -> [Mention] {
    pattern.members.compactMap { member in
      let isTraffic =
        isSameText(member.name, "traffic")
        || isSameText(pattern.event, EventShape.traffic.name) && isSameText(member.name, "name")
      let isItem = isSameText(member.name, "item") || isSameText(member.name, "afterItem")
      if !isTraffic && !isItem || isSameText(member.value, "null") { return nil }
      return (member.value, isTraffic)
    }
  }

  private func mentions(of matcher: Matcher) -> [Mention] {
    switch matcher {
    case .equals(.text(let text)):
      return text.split(separator: ",").map { part in
        (String(part.first == " " ? part.dropFirst() : part), false)
      }.filter { !isSameText($0.name, "none") }
    case .not(let other): return mentions(of: other)
    case .equals, .between, .atLeast, .atMost, .about, .entries: return []
    }
  }
}
