/// A text that was read as JSON: a row for each value and each key, in the order of the text.
///
/// One list takes the place of a tree of objects: it is built without an allocation for a value,
/// and strings are made of the text only for those who ask.
final class JSONDocument: Sendable {
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
    var kind: Kind
    /// Whether its text holds escapes, so that it is not what it means.
    var isEscaped = false
    /// Where its text begins and ends; that of a string without the quotation marks.
    var start: UInt32
    var end: UInt32
    /// The row behind it and all that it holds.
    var next: UInt32
    /// The list or object that holds it; nobody asks this of the outermost value.
    var parent: UInt32
    /// How many values its parent holds before it.
    var index: UInt32
    /// How many values it holds itself.
    var count: UInt32 = 0
    var line: UInt32
    var column: UInt32
  }

  /// What a string or a number means, as UTF-8.
  func bytes(of row: Int) -> ArraySlice<UInt8> {
    let slice = text[Int(rows[row].start)..<Int(rows[row].end)]
    return rows[row].isEscaped ? unescaped(slice)[...] : slice
  }

  func string(of row: Int) -> String { String(decoding: bytes(of: row), as: UTF8.self) }

  func position(of row: Int) -> TextPosition {
    TextPosition(line: Int(rows[row].line), column: Int(rows[row].column))
  }
}
