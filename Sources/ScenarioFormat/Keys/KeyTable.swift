import ExactText

/// The one description of an object's keys: reader, schema, page and messages come from its rows.
///
/// Rules that join several keys stand beside the table, in what makes a value of the part.
package struct KeyTable<Part>: Sendable {
  /// The table apart from its part, whose code is the same for every part.
  let roster: KeyRoster

  package init(
    _ name: String, _ about: String, least: Int = 0, @KeyRows<Part> keys: () -> KeyRows<Part>
  ) {
    roster = KeyRoster(name, about, keys().rows, least: least)
  }

  var shape: Shape { .object(roster.name) { [roster] in roster.object } }

  /// An object whose keys become a part, and the part a value.
  ///
  /// - Parameter make: nil where it has reported a mistake. It is called although a key may be
  ///   missing or wrong, so that all mistakes are reported at once; its value is then not used.
  package func form<Value>(
    _ part: @escaping @Sendable @autoclosure () -> Part,
    _ make: @escaping @Sendable (Part, inout DocumentObject) -> Value?
  ) -> Form<Value> {
    Form(shape) { read($0, part(), make) }
  }

  /// The same, where the part is the value.
  package func form(_ part: @escaping @Sendable @autoclosure () -> Part) -> Form<Part> {
    Form(shape) { read($0, part()) { part, _ in part } }
  }

  /// The value of a table each of whose keys says all of it.
  func form<Value>() -> Form<Value> where Part == Value? {
    Form(shape) { read($0, nil) { value, _ in value } }
  }

  /// Reads an object's keys over those of a part; false where a mistake was reported.
  func read(_ node: DocumentNode, into part: inout Part) -> Bool {
    read(node, part) { part, _ in part }.map { part = $0 } != nil
  }

  /// The value of an object, given what its part knows from elsewhere.
  func read<Value>(
    _ node: DocumentNode, _ part: Part, _ make: (Part, inout DocumentObject) -> Value?
  ) -> Value? {
    if roster.refusesText(at: node) { return nil }
    return node.object { object in
      var part = part
      withUnsafeMutablePointer(to: &part) { object.read(roster, into: $0) }
      let value = make(part, &object)
      if value != nil, roster.least > 0, node.value.members?.isEmpty == true {
        return node.refuseKind(expected: "one of its keys at least")
      }
      return value
    }
  }
}
