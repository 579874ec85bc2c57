/// A place in a text, as editors count it.
///
/// Both numbers start at 1. A line ends with a line feed (a carriage return before it belongs to
/// the line); a column is a Unicode scalar, so that the count agrees with what an editor shows
/// rather than with the bytes of the file.
public struct TextPosition: Hashable, Comparable, Sendable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The first character of a text.
  public static let start = TextPosition(line: 1, column: 1)

  public static func < (a: TextPosition, b: TextPosition) -> Bool {
    a.line != b.line ? a.line < b.line : a.column < b.column
  }
}
