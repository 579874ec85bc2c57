package import ExactText

/// A remark on a part of a scenario for its author.
package struct RunWarning: Hashable, Sendable {
  /// The position in the file; nil for a warning about the whole scenario.
  package var position: TextPosition?
  package var message: String

  package init(position: TextPosition? = nil, message: String) {
    self.position = position
    self.message = message
  }

  package var words: String {
    position.map { "line \($0.line): \(message)" } ?? message
  }
}

extension [RunWarning] {
  /// In the order of the file, those about the whole last.
  package var inOrder: [RunWarning] {
    enumerated().sorted { a, b in
      guard let first = a.element.position, let second = b.element.position, first != second
      else {
        let (isPlacedA, isPlacedB) = (a.element.position != nil, b.element.position != nil)
        return isPlacedA == isPlacedB ? a.offset < b.offset : isPlacedA
      }
      return first < second
    }.map { $0.element }
  }

  /// With their places; nil where there are none.
  package var document: JSONTree? {
    isEmpty
      ? nil
      : .list(self) {
        [
          "line": .whole($0.position?.line), "column": .whole($0.position?.column),
          "message": .string($0.message),
        ]
      }
  }
}
