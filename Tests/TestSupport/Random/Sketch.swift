/// A JSON document as a test makes it up, with its keys in order.
package indirect enum Sketch: Equatable {
  case object([Member])
  case array([Sketch])
  case text(String)
  case number(String)
  case boolean(Bool)
  case null

  package struct Member: Equatable {
    package var key: String
    package var value: Sketch

    package init(_ key: String, _ value: Sketch) {
      self.key = key
      self.value = value
    }
  }

  /// The value of a key; nothing is written where it is nil.
  package subscript(key: String) -> Sketch? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.key == key }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let place = members.firstIndex { $0.key == key }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(key, value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }
}

extension Sketch: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  package init(dictionaryLiteral elements: (String, Sketch)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }

  package init(arrayLiteral elements: Sketch...) { self = .array(elements) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .number("\(value)") }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
}

// MARK: - Writing

extension Sketch {
  /// The document as JSON, with a line for each key of the outermost object.
  package var json: String {
    guard case .object(let members) = self else { return compact }
    let lines = members.map { "  \(Sketch.quoted($0.key)): \($0.value.compact)" }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  private var compact: String {
    switch self {
    case .object(let members):
      "{" + members.map { "\(Sketch.quoted($0.key)):\($0.value.compact)" }.joined(separator: ",")
        + "}"
    case .array(let values): "[" + values.map { $0.compact }.joined(separator: ",") + "]"
    case .text(let text): Sketch.quoted(text)
    case .number(let digits): digits
    case .boolean(let value): value ? "true" : "false"
    case .null: "null"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
