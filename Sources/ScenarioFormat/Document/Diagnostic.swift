package import ExactText

/// One mistake in a file: where it is, what is wrong, what would have been right.
package struct Diagnostic: Hashable, Sendable, Error {
  package var file: String
  /// Nil where the whole file is meant.
  package var position: TextPosition?
  /// The part of the document it is about; the root where the text is no JSON.
  package var path: DocumentPath
  package var message: String
  package var expected: String?
  package var suggestion: String?

  package init(
    file: String, position: TextPosition?, path: DocumentPath = .root, message: String,
    expected: String? = nil, suggestion: String? = nil
  ) {
    self.file = file
    self.position = position
    self.path = path
    self.message = message
    self.expected = expected
    self.suggestion = suggestion
  }

  /// The mistake on one line, in the form that editors and CI turn into a link.
  package var text: String {
    var text = file
    if let position { text += ":\(position.line):\(position.column)" }
    return shown(text + ": ") + words
  }

  package var words: String {
    let path = path.text
    let text = path.isEmpty ? message : path + ": " + message
    var hints: [String] = []
    if let expected { hints.append("expected " + expected) }
    if let suggestion { hints.append("did you mean “\(suggestion)”?") }
    return shown(hints.isEmpty ? text : text + " (" + joined(hints, by: "; ") + ")")
  }
}

/// Everything that is wrong with a file, in the order of its text.
package struct DocumentError: Error, Hashable, Sendable {
  package var diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  package var text: String { joined(diagnostics.map { $0.text + "\n" }, by: "") }
}
