/// A place in a text, as editors count it.
///
/// Both numbers start at 1. A line ends with a line feed (a carriage return before it belongs to
/// the line); a column is a Unicode scalar, so that the count agrees with what an editor shows
/// rather than with the bytes of the file.
package struct TextPosition: Hashable, Comparable, Sendable {
  // Long lists keep the place of each of their values.
  private var packedLine: UInt32
  private var packedColumn: UInt32

  package var line: Int { Int(packedLine) }
  package var column: Int { Int(packedColumn) }

  package init(line: Int, column: Int) {
    packedLine = UInt32(clamping: line)
    packedColumn = UInt32(clamping: column)
  }

  package static let start = TextPosition(line: 1, column: 1)

  package static func < (a: TextPosition, b: TextPosition) -> Bool {
    a.line != b.line ? a.line < b.line : a.column < b.column
  }
}
