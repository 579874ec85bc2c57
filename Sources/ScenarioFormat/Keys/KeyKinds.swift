package import ExactText

extension JSONEdit {
  /// The same, where a scenario's key takes text and neither numbers nor truth values, with the
  /// number or the truth value as text: `requests.http=2` means “2”.
  package var asKeysTakeIt: JSONEdit {
    let own: Scalar
    let text: String
    switch value {
    case .number(let digits): (own, text) = (.number, digits)
    case .boolean(let isTrue): (own, text) = (.truth, isTrue ? "true" : "false")
    case nil, .null, .string, .array, .object: return self
    }
    var shapes = [ScenarioDescription.keys.shape]
    for step in path.steps { shapes = shapes.flatMap { $0.shapes(behind: step) } }
    let kinds = shapes.flatMap { $0.forms }.compactMap { $0.scalar }
    if !kinds.contains(.text) || kinds.contains(own) || kinds.contains(.all) { return self }
    return JSONEdit(path: path, value: .string(text), text: self.text)
  }
}

/// What a value is that is neither a list nor an object.
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
    case .named(_, _, let make), .whenNeeded(let make): make().forms
    case .examples(let shape, _): shape.forms
    case .boolean, .null, .text, .pattern, .words, .whole, .number, .list, .anything, .map,
      .object, .inline:
      [self]
    }
  }

  /// How what a step leads to can be written.
  fileprivate func shapes(behind step: DocumentPath.Step) -> [Shape] {
    forms.flatMap { form -> [Shape] in
      switch form {
      case .list(let element, _, _): step.key == nil ? [element] : []
      case .map(let element): step.key == nil ? [] : [element]
      case .object(_, let make), .inline(let make): step.key.map { make().shapes(of: $0) } ?? []
      case .boolean, .null, .text, .pattern, .words, .whole, .number, .anything, .anyOf, .either,
        .named, .whenNeeded, .examples:
        []
      }
    }
  }

  /// Which scalar it is; nil for all else.
  fileprivate var scalar: Scalar? {
    switch self {
    case .text, .pattern, .words: .text
    case .whole, .number: .number
    case .boolean: .truth
    case .anything: .all
    case .null, .list, .map, .object, .inline, .anyOf, .either, .named, .whenNeeded, .examples:
      nil
    }
  }
}

extension DocumentPath.Step {
  fileprivate var key: String? {
    switch self {
    case .key(let key): key
    case .index: nil
    }
  }
}

extension ObjectShape {
  fileprivate func shapes(of key: String) -> [Shape] {
    let branched = branches?.branches.flatMap { $0.keys } ?? []
    return (keys + branched).filter { isSameText($0.name, key) }.map { $0.shape }
  }
}
