package import ExactText

/// A value of a document on its way to a meaning: it knows its place and reports what is wrong.
///
/// A decoder is a function from a node to an optional: nil says that it has reported why. Decoding
/// goes on after that, so that one pass finds all mistakes.
package struct DocumentNode {
  package let value: JSONValue
  package let log: DiagnosticLog
  /// A part of its text that is read as a value of its own.
  private var part: ArraySlice<UInt8>?

  package init(_ value: JSONValue, in log: DiagnosticLog) {
    self.value = value
    self.log = log
  }

  package var path: DocumentPath { value.path }

  package var isNull: Bool { value.isNull }

  /// A part of its text as a value of its own; what is wrong with that is reported at the text.
  func reading(_ part: String) -> DocumentNode { changed(self) { $0.part = part.bytes } }

  /// The UTF-8 of a string; nil for any other value.
  var stringBytes: ArraySlice<UInt8>? { part ?? value.stringBytes }

  var content: JSONValue.Content { plainText.map { .string($0) } ?? value.content }

  var shelf: FileShelf { log.shelf }

  /// The value of a key, for a look that reports nothing.
  func member(_ key: String) -> DocumentNode? { value[key].map { DocumentNode($0, in: log) } }

  /// The elements of a list; nil where it is none.
  package var elements: [DocumentNode]? { value.elements?.map { DocumentNode($0, in: log) } }

  /// Reports elements of a list that have the name of an earlier one.
  func checkNames(_ kind: String) {
    var names: Set<[UInt8]> = []
    for element in elements ?? [] {
      guard let name = element.member("name")?.plainText else { continue }
      if names.insert(Array(name.utf8)).inserted { continue }
      element.refuse("two \(kind)s are called \(quotation(of: name))", expected: "a name for each")
    }
  }

  var plainText: String? { stringBytes.map { String(decoding: $0, as: UTF8.self) } }

  package func refuse(_ message: String, expected: String? = nil, suggestion: String? = nil) {
    log.add(at: value.position, path, message, expected: expected, suggestion: suggestion)
  }

  /// The same, with the nil that a decoder returns then.
  package func refuse<Value>(
    _ message: String, expected: String? = nil, suggestion: String? = nil
  ) -> Value? {
    log.add(at: value.position, path, message, expected: expected, suggestion: suggestion)
    return nil
  }

  func refuse<Value>(_ problem: QuantityProblem) -> Value? {
    refuse(problem.message, expected: problem.expected, suggestion: problem.suggestion)
  }

  /// The value of a text that stands here; nil where that is a problem, which is reported.
  func value<Text, Value>(
    of text: Text, by read: (Text) throws(QuantityProblem) -> Value
  ) -> Value? {
    do throws(QuantityProblem) {
      return try read(text)
    } catch {
      return refuse(error)
    }
  }

  /// Reports a mistake in a file that is named here, in one of its lines or in the whole.
  package func refuse(
    file: String, line: Int? = nil, column: Int = 1, _ message: String, expected: String? = nil
  ) {
    log.add(
      in: file, at: line.map { TextPosition(line: $0, column: column) }, path, message,
      expected: expected)
  }

  func refuse<Value>(
    file: String, line: Int? = nil, column: Int = 1, _ message: String, expected: String? = nil
  ) -> Value? {
    refuse(file: file, line: line, column: column, message, expected: expected)
    return nil
  }

  package func refuseKind<Value>(expected: String) -> Value? {
    refuse("found \(description)", expected: expected)
  }

  package var description: String {
    switch content {
    case .null: "null"
    case .boolean(let isTrue): isTrue ? "true" : "false"
    // In a file that means harm a number has no end.
    case .number(let text):
      "the number " + (text.utf8.count <= 40 ? text : String(text.unicodeScalars.prefix(40)) + "…")
    case .string(let text): "the string " + quotation(of: text)
    case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
    case .object(let members): members.isEmpty ? "an empty object" : "an object"
    }
  }

  /// Decodes an object by its keys; keys that `decode` does not ask for are reported.
  package func object<Value>(_ decode: (inout DocumentObject) -> Value?) -> Value? {
    guard let members = value.members else { return refuseKind(expected: "an object") }
    var object = DocumentObject(self, members)
    let decoded = decode(&object)
    return object.finish() ? decoded : nil
  }

  /// Decodes every element of a list; nil if one cannot be.
  package func list<Value>(
    atLeast least: Int = 0, of decode: (DocumentNode) -> Value?
  ) -> [Value]? {
    guard let elements = value.elements else { return refuseKind(expected: "a list") }
    guard elements.count >= least else {
      let count = counted(Int64(elements.count), "element")
      return refuse(
        elements.isEmpty ? "the list is empty" : "the list has \(count)",
        expected: least == 1 ? "at least one element" : "at least \(least) elements")
    }
    var decoded: [Value] = []
    decoded.reserveCapacity(elements.count)
    for element in elements {
      if let value = decode(DocumentNode(element, in: log)) { decoded.append(value) }
    }
    return decoded.count == elements.count ? decoded : nil
  }
}
