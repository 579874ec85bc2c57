/// A text that was read as JSON: a row for each value and each key, in the order of the text.
///
/// One list takes the place of a tree of objects: it is built without an allocation for a value,
/// and strings are made of the text only for those who ask.
package final class JSONDocument: Sendable {
  let text: [UInt8]
  let rows: [Row]

  init(text: [UInt8], rows: [Row]) {
    self.text = text
    self.rows = rows
  }

  enum Kind: UInt8, Sendable {
    case null
    case no
    case yes
    case number
    case string
    case array
    case object
    /// Stands right before the row of its value.
    case key
  }

  struct Row: Sendable {
    /// The start and the end of its text; that of a string without the quotation marks.
    var start: UInt32
    var end: UInt32
    /// The row behind it and all that it holds.
    var next: UInt32
    /// The list or object that holds it; nobody asks this of the outermost value.
    var parent: UInt32
    /// The number of values before it in its parent.
    var index: UInt32
    var line: UInt32
    var column: UInt32
    /// The kind in the upper three bits, then the mark of escapes, and below them the count: a row
    /// is a word shorter for it, and a long list has millions of them.
    fileprivate(set) var packed: UInt32 = 0

    /// The most values that a list or an object can hold.
    static let mostValues: UInt32 = 1 << 28

    @inline(__always)
    var kind: Kind {
      get {
        // Nothing else is ever put there.
        Kind(rawValue: UInt8(truncatingIfNeeded: packed >> 29)) ?? .null
      }
      set { packed = packed & ((1 << 29) - 1) | UInt32(newValue.rawValue) << 29 }
    }

    /// Whether its text holds escapes, so that it is not what it means.
    @inline(__always)
    var isEscaped: Bool {
      get { packed & Self.mostValues != 0 }
      set { packed = newValue ? packed | Self.mostValues : packed & ~Self.mostValues }
    }

    /// The number of values that it holds itself.
    @inline(__always)
    var count: UInt32 {
      get { packed & (Self.mostValues - 1) }
      set { packed = packed & ~(Self.mostValues - 1) | newValue & (Self.mostValues - 1) }
    }
  }

  /// The decoded text of a string or a number, as UTF-8.
  func bytes(of row: Int) -> ArraySlice<UInt8> {
    let slice = text[Int(rows[row].start)..<Int(rows[row].end)]
    return rows[row].isEscaped ? unescaped(slice)[...] : slice
  }

  func string(of row: Int) -> String { String(decoding: bytes(of: row), as: UTF8.self) }

  func position(of row: Int) -> TextPosition {
    TextPosition(line: Int(rows[row].line), column: Int(rows[row].column))
  }
}
