/// A document of which one list is long: its elements are read one at a time.
///
/// Perf: the rows of a HAR of 200 MB take up to 700 MB; those of one entry a few kilobytes.
package struct JSONLongList {
  private let text: [UInt8]
  /// The document with an empty list in the list's place.
  package private(set) var frame: JSONValue
  private var elements: [Range<Int>] = []

  package var count: Int { elements.count }

  /// - Parameter path: Names of the members that lead from the outermost object to the list.
  /// - Throws: The error of the frame; an element is checked where it is read.
  package init(_ text: [UInt8], at path: [StaticString]) throws(JSONError) {
    self.text = text
    let list = text.withUnsafeBufferPointer { text in
      var scan = Scan(text: text)
      return scan.list(at: path)
    }
    elements = list?.elements ?? []
    let (open, close) = list.map { ($0.open, $0.close) } ?? (text.count, text.count)
    do throws(JSONError) {
      frame = try JSONValue(parsing: Array(text[..<open]) + text[close...])
    } catch {
      let cut = Self.position(of: open, in: text)
      if error.position < cut { throw error }
      // A string that does not end makes elements of what are none: the first mistake counts.
      for element in elements { _ = try Self.value(in: text, element) }
      throw error.moved(from: cut, to: Self.position(of: close, in: text))
    }
  }

  package subscript(index: Int) -> JSONValue {
    get throws(JSONError) { try Self.value(in: text, elements[index]) }
  }

  private static func value(in text: [UInt8], _ element: Range<Int>) throws(JSONError) -> JSONValue
  {
    do throws(JSONError) {
      return try JSONValue(parsing: text[element])
    } catch {
      throw error.moved(from: .start, to: position(of: element.lowerBound, in: text))
    }
  }

  private static func position(of place: Int, in text: [UInt8]) -> TextPosition {
    var (line, start) = (1, 0)
    for index in 0..<place where text[index] == 0x0A { (line, start) = (line + 1, index + 1) }
    return TextPosition(line: line, column: text[start..<place].count { $0 & 0xC0 != 0x80 } + 1)
  }

  /// Goes over a text by its brackets and strings, whatever else stands between.
  private struct Scan {
    let text: UnsafeBufferPointer<UInt8>
    var index = 0
    var depth = 0

    init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The ends of a list within its brackets, and its elements; nil where there is none.
    mutating func list(
      at path: [StaticString]
    ) -> (open: Int, close: Int, elements: [Range<Int>])? {
      var matched = 0
      while let byte = next() {
        matched = min(matched, max(0, depth))
        guard byte == UInt8(ascii: "\""), depth == matched + 1, let key = string(),
          key.says(path[matched]), next() == UInt8(ascii: ":"), let bracket = next()
        else { continue }
        if bracket == UInt8(ascii: "\"") { _ = string() }
        guard matched < path.count - 1 else {
          return bracket == UInt8(ascii: "[") ? rest() : nil
        }
        if bracket == UInt8(ascii: "{") { matched += 1 }
      }
      return nil
    }

    private mutating func rest() -> (open: Int, close: Int, elements: [Range<Int>])? {
      let (open, inner) = (index, depth)
      var (start, elements): (Int, [Range<Int>]) = (index, [])
      while let byte = next() {
        if byte == UInt8(ascii: "\"") { _ = string() }
        let isEnd = depth < inner
        if !isEnd, depth > inner || byte != UInt8(ascii: ",") { continue }
        let isEmpty = isEnd && elements.isEmpty && text[start..<index - 1].allSatisfy { $0 <= 0x20 }
        if !isEmpty { elements.append(start..<index - 1) }
        if isEnd { return (open, index - 1, elements) }
        start = index
      }
      return nil
    }

    /// The next byte that is no white space; brackets count into the depth.
    private mutating func next() -> UInt8? {
      while index < text.count, text[index] <= 0x20 { index += 1 }
      guard index < text.count else { return nil }
      let byte = text[index]
      index += 1
      // A bracket and a brace differ in one bit.
      if byte | 0x20 == UInt8(ascii: "{") { depth += 1 }
      if byte | 0x20 == UInt8(ascii: "}") { depth -= 1 }
      return byte
    }

    /// A string up to its closing quotation mark, which is passed.
    private mutating func string() -> UnsafeBufferPointer<UInt8>? {
      let start = index
      while index < text.count, text[index] != UInt8(ascii: "\"") {
        index += text[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard index < text.count else { return nil }
      index += 1
      return UnsafeBufferPointer(rebasing: text[start..<index - 1])
    }
  }
}

extension JSONError {
  /// The same in a text before which another part stands.
  fileprivate func moved(from old: TextPosition, to new: TextPosition) -> JSONError {
    let place = TextPosition(
      line: position.line - old.line + new.line,
      column: position.line == old.line
        ? position.column - old.column + new.column : position.column)
    return JSONError(problem, at: place)
  }
}
