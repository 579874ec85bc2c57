import VirtualTime

/// Decodes what is expected of a run, given the names of the script's steps.
struct ExpectationDecoding {
  let names: StepNames

  func expectation(_ node: DocumentNode) -> Expectation? {
    node.object { object in
      let claim: Expectation.Claim?
      if object.has("order") {
        claim = object.required("order", as: Decode.list(atLeast: 2, of: Decode.eventPattern))
          .map { .order($0) }
      } else if object.has("count") {
        let event = object.required("count", as: Decode.eventPattern)
        let matcher = object.required("is", as: MatcherDecoding(kind: .count).matcher)
        claim = event.flatMap { event in matcher.map { .count(event, $0) } }
      } else {
        claim = properties(&object)
      }
      return claim.map { Expectation(claim: $0, position: node.value.position) }
    }
  }

  private func properties(_ object: inout DocumentObject) -> Expectation.Claim? {
    let moment = object.optional("at", as: self.moment)
    var claims: [PropertyClaim] = []
    var isExpecting = false
    var isComplete = true
    for property in PlayerProperty.all {
      guard let node = object.child(property.name) else { continue }
      isExpecting = true
      let matcher = MatcherDecoding(kind: property.kind).matcher(node)
      if !isTimely(property, &object, moment) { isComplete = false }
      guard let matcher else {
        isComplete = false
        continue
      }
      claims.append(
        PropertyClaim(property: property, matcher: matcher, position: node.value.position))
    }
    // A misspelled property is reported as that.
    if !isExpecting && !object.hasUnknownKeys {
      object.node.refuse(
        "nothing is expected here",
        expected: "a property such as “\(Figure.stalls.name)”, or “order” or “count”")
      return nil
    }
    return isComplete && !claims.isEmpty ? .properties(moment ?? .end, claims) : nil
  }

  /// Whether a property can be looked at then; reported if not.
  private func isTimely(
    _ property: PlayerProperty, _ object: inout DocumentObject, _ moment: Moment?
  ) -> Bool {
    if property.scope == .moment && !object.has("at") {
      object.refuse(
        key: property.name, "is what it is at a moment",
        expected: "“at” beside it: a time, “end”, or what it follows")
      return false
    }
    if property.scope == .end, let moment, moment != .end {
      object.refuse(
        key: property.name, "is known at the end alone", expected: "no “at” beside it")
      return false
    }
    return true
  }
}

// MARK: - Moments

extension ExpectationDecoding {
  private func moment(_ node: DocumentNode) -> Moment? {
    switch node.value.content {
    case .string(let text) where isSameText(text, "end"): return .end
    case .string(let text):
      if let word = nearestWord(to: text, among: ["end"]) {
        node.refuse(
          "\(quotation(of: text)) is no moment", expected: "a time such as “3 s”, or “end”",
          suggestion: word)
        return nil
      }
      return Decode.runInstant(node).map { .at($0) }
    case .object: return node.object(relativeMoment)
    case .null, .boolean, .number, .array:
      return Decode.runInstant(node).map { .at($0) }
    }
  }

  private func relativeMoment(_ object: inout DocumentObject) -> Moment? {
    let base = object.exactlyOne(of: [
      ("after", { names.reference($0).map { Moment.after(step: $0, .zero) } }),
      (
        "event",
        { Decode.eventPattern($0).map { Moment.event($0, number: 1, after: .zero) } }
      ),
    ])
    let span = object.optional("by", default: .zero, as: Decode.runSpan)
    var number: Int64 = 1
    if object.has("event") || !object.has("after") {
      number = object.optional("number", default: 1, as: Decode.count(in: 1...Int64.max))
    }
    switch base {
    case .after(let step, _): return .after(step: step, span)
    case .event(let event, number: _, after: _):
      return .event(event, number: number, after: span)
    case .at, .end, nil: return nil
    }
  }
}
