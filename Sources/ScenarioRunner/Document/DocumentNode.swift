package import ExactText

/// A value of a document on its way to a meaning: it knows its place and reports what is wrong.
///
/// A decoder is a function from a node to an optional: nil says that it has reported why. Decoding
/// goes on after that, so that one pass finds all mistakes.
package struct DocumentNode {
  package let value: JSONValue
  package let path: DocumentPath
  package let log: DiagnosticLog

  package init(_ value: JSONValue, at path: DocumentPath = .root, in log: DiagnosticLog) {
    self.value = value
    self.path = path
    self.log = log
  }

  package var isNull: Bool {
    if case .null = value.content { true } else { false }
  }

  /// The files that the document names.
  var shelf: FileShelf { log.shelf }

  /// The value of a key, for a look that reports nothing.
  func member(_ key: String) -> DocumentNode? {
    value[key].map { DocumentNode($0, at: path.appending(key: key), in: log) }
  }

  /// The elements of a list; nil where it is none.
  var elements: [DocumentNode]? {
    guard case .array(let elements) = value.content else { return nil }
    return elements.enumerated().map { index, element in
      DocumentNode(element, at: path.appending(index: index), in: log)
    }
  }

  /// Reports elements of a list that have the name of an earlier one.
  ///
  /// - Parameter kind: what one of them is called in a message.
  func checkNames(_ kind: String) {
    var names: [String] = []
    for element in elements ?? [] {
      guard let name = element.member("name")?.plainText else { continue }
      if names.contains(where: { isSameText($0, name) }) {
        element.refuse(
          "two \(kind)s are called \(quotation(of: name))", expected: "a name for each")
      }
      names.append(name)
    }
  }

  /// What a string says; nil where it is none.
  var plainText: String? {
    if case .string(let text) = value.content { text } else { nil }
  }

  /// Reports a mistake here.
  package func refuse(_ message: String, expected: String? = nil, suggestion: String? = nil) {
    log.add(at: value.position, path, message, expected: expected, suggestion: suggestion)
  }

  /// Reports a mistake in a file that is named here, in one of its lines or in the whole.
  package func refuse(file: String, line: Int? = nil, _ message: String, expected: String? = nil) {
    log.add(in: file, line: line, path, message, expected: expected)
  }

  /// Reports that something of another kind was expected here.
  package func refuseKind(expected: String) {
    refuse("found \(description)", expected: expected)
  }

  /// The value in a few words.
  package var description: String {
    switch value.content {
    case .null: "null"
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .number(let text): "the number " + shortened(text)
    case .string(let text): "the string " + quotation(of: text)
    case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
    case .object(let members): members.isEmpty ? "an empty object" : "an object"
    }
  }

  /// Decodes an object by its keys; keys that `decode` does not ask for are reported.
  package func object<Value>(_ decode: (inout DocumentObject) -> Value?) -> Value? {
    guard case .object(let members) = value.content else {
      refuseKind(expected: "an object")
      return nil
    }
    var object = DocumentObject(self, members)
    let decoded = decode(&object)
    return object.finish() ? decoded : nil
  }

  /// Decodes every element of a list; nil if one cannot be.
  package func list<Value>(
    atLeast least: Int = 0, of decode: (DocumentNode) -> Value?
  ) -> [Value]? {
    guard case .array(let elements) = value.content else {
      refuseKind(expected: "a list")
      return nil
    }
    guard elements.count >= least else {
      refuse(
        elements.isEmpty ? "the list is empty" : "the list has \(elements.count) elements",
        expected: least == 1 ? "at least one element" : "at least \(least) elements")
      return nil
    }
    var decoded: [Value] = []
    for (index, element) in elements.enumerated() {
      let node = DocumentNode(element, at: path.appending(index: index), in: log)
      if let value = decode(node) { decoded.append(value) }
    }
    return decoded.count == elements.count ? decoded : nil
  }
}

/// A number's text, which has no end in a file that means harm.
private func shortened(_ number: String) -> String {
  number.utf8.count <= 40 ? number : String(number.unicodeScalars.prefix(40)) + "…"
}
