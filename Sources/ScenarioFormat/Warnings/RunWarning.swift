package import ExactText

/// Something in a scenario that has no effect, or that its author should think over.
package struct RunWarning: Hashable, Sendable {
  /// Where it stands in the file; nil where it is about the whole.
  package var position: TextPosition?
  package var message: String

  package init(position: TextPosition? = nil, message: String) {
    self.position = position
    self.message = message
  }

  /// With its line.
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
}

extension JSONWriter {
  /// Warnings with their places; nothing where there are none.
  package mutating func warnings(_ warnings: [RunWarning]) {
    if warnings.isEmpty { return }
    key("warnings")
    beginArray()
    for warning in warnings {
      beginObject()
      for (name, number) in [
        ("line", warning.position?.line), ("column", warning.position?.column),
      ] {
        key(name)
        if let number { integer(Int64(number)) } else { null() }
      }
      key("message")
      string(warning.message)
      endObject()
    }
    endArray()
  }
}
