package import ExactText

extension JSONEdit {
  /// The same, where a scenario's key takes text and neither numbers nor truth values, with the
  /// number or the truth value as text: `requests.http=2` means “2”.
  ///
  /// - Throws: Where it takes away the value of a path that no scenario can have.
  package func asKeysTakeIt() throws(Failure) -> JSONEdit {
    var shapes = [ScenarioDescription.keys.shape]
    for step in path.steps {
      let next = shapes.flatMap { $0.shapes(behind: step) }
      if next.isEmpty, value == nil { throw Self.noPath(step, shapes) }
      shapes = next
    }
    let own: Scalar
    let text: String
    switch value {
    case .number(let digits): (own, text) = (.number, digits)
    case .boolean(let isTrue): (own, text) = (.truth, isTrue ? "true" : "false")
    case nil, .null, .string, .array, .object: return self
    }
    let kinds = shapes.flatMap { $0.forms }.compactMap { $0.scalar }
    if !kinds.contains(.text) || kinds.contains(own) || kinds.contains(.all) { return self }
    return JSONEdit(path: path, value: .string(text), text: self.text)
  }

  private static func noPath(_ step: DocumentPath.Step, _ shapes: [Shape]) -> Failure {
    guard case .key(let key) = step else { return Failure("no scenario has a list there") }
    let known = shapes.flatMap { $0.objects }.flatMap { $0.allKeys }.map { $0.name }
    let meant = nearestName(to: key, among: known).map { ", but “\($0)”" } ?? ""
    return Failure("no scenario has the key \(quotation(of: key)) there" + meant)
  }
}

extension JSONValue {
  /// Whether a part of a scenario, or each key of an object, says what its absence means anyway.
  package var isDefaultOfScenario: Bool {
    if let members, !members.isEmpty { return members.allSatisfy { $0.value.isDefaultOfScenario } }
    guard case .key(let key)? = path.steps.last else { return false }
    var shapes = [ScenarioDescription.keys.shape]
    for step in path.steps.dropLast() { shapes = shapes.flatMap { $0.shapes(behind: step) } }
    return shapes.flatMap { $0.keys(called: key) }.contains { absentSame($0.absent) }
  }

  private func absentSame(_ absent: JSONTree?) -> Bool {
    guard let absent else { return isNull }
    if let one = stringBytes, case .string(let other) = absent {
      return one.elementsEqual(other.utf8)
        || [UnitSystem.time, .size, .bitRate, .percentage].contains { system in
          let amounts = [one, other.bytes].map { text in
            try? QuantityText(text, of: system).ratio(
              signed: true, denominatorsUpTo: 1_000_000_000,
              QuantityLimits(step: "", largest: ""))
          }
          return amounts[0] != nil && amounts[0] == amounts[1]
        }
    }
    return (try? JSONValue(parsing: absent.text)).map { hasSameContent(as: $0) } == true
  }
}

/// The type of a value that is neither a list nor an object.
private enum Scalar {
  case text
  case number
  case truth
  case all
}

extension Shape {
  /// The ways to write it, alternatives and names aside.
  fileprivate var forms: [Shape] {
    switch self {
    case .anyOf(let shapes): shapes.flatMap { $0.forms }
    case .either(_, let shape, let other): shape.forms + other.forms
    case .named(_, _, let make): make().forms
    case .examples(let shape, _): shape.forms
    case .boolean, .null, .text, .pattern, .words, .whole, .number, .list, .anything, .map,
      .object, .inline:
      [self]
    }
  }

  var objects: [ObjectShape] {
    forms.flatMap { form -> [ObjectShape] in
      switch form {
      case .object(_, let make), .inline(let make): [make()]
      case .list, .map, .boolean, .null, .text, .pattern, .words, .whole, .number, .anything,
        .anyOf, .either, .named, .examples:
        []
      }
    }
  }

  var words: [String] {
    forms.flatMap { if case .words(let words) = $0 { words } else { [] as [String] } }
  }

  /// The shapes of the value that a path step leads to; `script.0` means `script[0]`.
  fileprivate func shapes(behind step: DocumentPath.Step) -> [Shape] {
    switch step {
    case .index: forms.compactMap { if case .list(let part, _, _) = $0 { part } else { nil } }
    case .key(let key):
      forms.compactMap { if case .map(let part) = $0 { part } else { nil } }
        + keys(called: key).map { $0.shape } + (Int(key) == nil ? [] : shapes(behind: .index(0)))
    }
  }

  fileprivate func keys(called name: String) -> [KeyShape] {
    objects.flatMap { $0.allKeys }.filter { isSameText($0.name, name) }
  }

  /// The type of a scalar; nil for any other shape.
  fileprivate var scalar: Scalar? {
    switch self {
    case .text, .pattern, .words: .text
    case .whole, .number: .number
    case .boolean: .truth
    case .anything: .all
    case .null, .list, .map, .object, .inline, .anyOf, .either, .named, .examples:
      nil
    }
  }
}
