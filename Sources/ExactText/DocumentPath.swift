/// The way from the top of a document to a part of it: `script[2].when`.
package struct DocumentPath: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  package let steps: [Step]

  package static let root = DocumentPath(steps: [])

  package func appending(key: String) -> DocumentPath {
    DocumentPath(steps: steps + [.key(key)])
  }

  /// The path as it is written in messages; empty for the whole document.
  package var text: String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key) where !isPlain(key): text += "[\"\(harmless(key))\"]"
      case .key(let key): text += text.isEmpty ? key : "." + key
      }
    }
    return text
  }
}

/// Whether a key can stand in a path without quotation marks.
private func isPlain(_ key: String) -> Bool {
  !key.isEmpty && key.utf8.count <= 40
    && key.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x2D, 0x5F: true
      default: false
      }
    }
}
