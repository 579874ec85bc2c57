package import ExactText

/// Collects the mistakes that the decoders of one file find; a class, because all parts of a
/// document report to the one list while each goes on decoding.
package final class DiagnosticLog {
  package let file: String
  let shelf: FileShelf
  private var collected: [Diagnostic] = []
  var scopedKeys: [ScopedKey] = []

  package init(file: String, beside shelf: FileShelf = FileShelf { _ in nil }) {
    self.file = file
    self.shelf = shelf
  }

  package var isEmpty: Bool { collected.isEmpty }

  /// - Parameter other: The file that the document names, where the mistake is in one.
  package func add(
    in other: String? = nil, at position: TextPosition?, _ path: DocumentPath, _ message: String,
    expected: String? = nil, suggestion: String? = nil
  ) {
    let isAbsolute = other?.utf8.first == UInt8(ascii: "/")
    let folder = file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[...$0]) } ?? ""
    collected.append(
      Diagnostic(
        file: other.map { isAbsolute ? $0 : folder + $0 } ?? file, position: position, path: path,
        message: message, expected: expected, suggestion: suggestion))
  }

  /// The diagnostics in the order of the text; those at one position in the order they were found.
  /// Diagnostics of other files come last, in the order they were found.
  package var diagnostics: [Diagnostic] {
    collected.enumerated().sorted { a, b in
      let (isOwnA, isOwnB) = (isSameText(a.element.file, file), isSameText(b.element.file, file))
      if isOwnA != isOwnB { return isOwnA }
      guard isOwnA, let placeA = a.element.position, let placeB = b.element.position,
        placeA != placeB
      else { return a.offset < b.offset }
      return placeA < placeB
    }.map { $0.element }
  }
}

/// Reads a JSON file and decodes it, or says everything that is wrong with it.
///
/// - Precondition: `decode` reports to the log whatever makes it return nil.
package func decodeDocument<Value>(
  _ text: ArraySlice<UInt8>, file: String, beside shelf: FileShelf = FileShelf { _ in nil },
  as decode: (DocumentNode) -> Value?
) throws(DocumentError) -> Value {
  let document = try rethrowing(try JSONValue(parsing: text)) { (error: JSONError) in
    DocumentError([
      Diagnostic(
        file: file, position: error.position, message: error.message, expected: error.expected)
    ])
  }
  let log = DiagnosticLog(file: file, beside: shelf)
  let value = decode(DocumentNode(document, in: log))
  guard log.isEmpty, let value else {
    precondition(!log.isEmpty, "a decoder that finds nothing says why")
    throw DocumentError(log.diagnostics)
  }
  return value
}
