/// A JSON document, or a part of one, that knows where it stood.
///
/// Members keep their order and may repeat a key, which JSON allows; whoever gives the document a
/// meaning decides about that.
package struct JSONValue: Sendable {
  package var content: Content
  package var position: TextPosition

  package init(_ content: Content, at position: TextPosition = .start) {
    self.content = content
    self.position = position
  }

  /// What a value is.
  package enum Content: Sendable {
    case null
    case boolean(Bool)
    /// The number as it was written: a tool that is exact to the nanosecond may not read a decimal
    /// fraction as a binary one.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
  }
}

/// One key of an object with its value.
package struct JSONMember: Sendable {
  package var key: String
  package var keyPosition: TextPosition
  package var value: JSONValue

  package init(_ key: String, at keyPosition: TextPosition = .start, _ value: JSONValue) {
    self.key = key
    self.keyPosition = keyPosition
    self.value = value
  }
}

extension JSONValue {
  /// The kind of value in words, for messages.
  package var kind: String {
    switch content {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The value of a key, the first one where it is repeated; nil where there is none.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { isSameText($0.key, key) }?.value
  }

  /// The same object without one of its members.
  package func without(_ key: String) -> JSONValue {
    guard case .object(let members) = content else { return self }
    return JSONValue(.object(members.filter { !isSameText($0.key, key) }), at: position)
  }

  /// Whether two documents say the same thing in the same order, wherever it stands.
  package func hasSameContent(as other: JSONValue) -> Bool {
    switch (content, other.content) {
    case (.null, .null):
      true
    case (.boolean(let a), .boolean(let b)):
      a == b
    case (.number(let a), .number(let b)):
      isSameText(a, b) || NumberText(a) == NumberText(b)
    case (.string(let a), .string(let b)):
      isSameText(a, b)
    case (.array(let a), .array(let b)):
      a.elementsEqual(b) { $0.hasSameContent(as: $1) }
    case (.object(let a), .object(let b)):
      a.elementsEqual(b) { isSameText($0.key, $1.key) && $0.value.hasSameContent(as: $1.value) }
    case (.null, _), (.boolean, _), (.number, _), (.string, _), (.array, _), (.object, _):
      false
    }
  }
}

/// Whether two strings hold the same scalars.
///
/// `==` takes a composed and a decomposed letter for the same, which two keys are not (RFC 8259
/// §8.3), and it needs the Unicode tables that the browser build would rather not carry.
package func isSameText(_ a: String, _ b: String) -> Bool {
  a.utf8.elementsEqual(b.utf8)
}
