/// A place in a text that moves forward and knows its line and column.
struct TextCursor {
  let bytes: [UInt8]
  private(set) var index = 0
  private var line = 1
  /// The index at which column 1 of this line would stand if every scalar so far were one byte.
  private var lineStart = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { index == bytes.count }

  /// The byte here; nil at the end.
  @inline(__always)
  var next: UInt8? {
    index < bytes.count ? bytes.withUnsafeBufferPointer { $0[index] } : nil
  }

  /// The same without a check that it fits, for the rows of a text that is not too long.
  var place: (index: UInt32, line: UInt32, column: UInt32) {
    (
      UInt32(truncatingIfNeeded: index), UInt32(truncatingIfNeeded: line),
      UInt32(truncatingIfNeeded: index &- lineStart &+ 1)
    )
  }

  var position: TextPosition {
    TextPosition(line: line, column: index - lineStart + 1)
  }

  /// Passes a byte that is no line's end.
  mutating func advance() {
    index += 1
  }

  mutating func skipByteOrderMark() throws(JSONError) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      index += 3
      lineStart = index
    }
    // A JSON text starts with an ASCII character, so a zero or a mark gives the encoding away.
    let head = bytes.prefix(2)
    if head.contains(0) || head.elementsEqual([0xFE, 0xFF]) || head.elementsEqual([0xFF, 0xFE]) {
      throw JSONError(.otherEncoding, at: position)
    }
  }

  /// Most often there is none.
  @inline(__always)
  mutating func skipWhitespace() {
    if let byte = next, byte <= 0x20 { passWhitespace() }
  }

  private mutating func passWhitespace() {
    var (index, line, lineStart) = (index, line, lineStart)
    bytes.withUnsafeBufferPointer { text in
      while index < text.count {
        let byte = text[index]
        if byte == 0x20 || byte == 0x09 || byte == 0x0D {
          index &+= 1
        } else if byte == 0x0A {
          index &+= 1
          line &+= 1
          lineStart = index
        } else {
          break
        }
      }
    }
    (self.index, self.line, self.lineStart) = (index, line, lineStart)
  }

  /// Passes an ASCII character if it stands here.
  @inline(__always)
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte = next, byte == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Passes a word if all of it stands here.
  mutating func take(word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard bytes.count - index >= length else { return false }
    let stands = word.withUTF8Buffer { $0.elementsEqual(bytes[index..<(index + length)]) }
    if stands { index += length }
    return stands
  }

  /// Passes ASCII digits and returns whether there were any.
  mutating func takeDigits() -> Bool {
    let start = index
    while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
    return index > start
  }

  /// Passes the ASCII characters up to a quotation mark, a backslash or anything special.
  @inline(__always)
  mutating func takePlainCharacters() {
    let start = index
    index = bytes.withUnsafeBufferPointer { text in
      var index = start
      // Eight at a time: a byte whose highest bit is left is special, or stands behind one that is.
      while text.count &- index >= 8 {
        let word = UnsafeRawPointer(text.baseAddress.unsafelyUnwrapped + index)
          .loadUnaligned(as: UInt64.self)
        let (quote, backslash) = (word ^ (ones &* 0x22), word ^ (ones &* 0x5C))
        let special =
          (word | (word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones)) & (ones &* 0x80)
        if special != 0 { return index &+ UInt64(littleEndian: special).trailingZeroBitCount / 8 }
        index &+= 8
      }
      while index < text.count {
        let byte = text[index]
        if byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C { break }
        index &+= 1
      }
      return index
    }
  }

  /// Passes a string without anything special, which begins here; nil, and nothing passed, where
  /// there is none. Returns where its text begins and ends.
  mutating func takePlainString() -> (start: Int, end: Int)? {
    guard next == 0x22 else { return nil }
    let start = index
    index += 1
    takePlainCharacters()
    guard next == 0x22 else {
      index = start
      return nil
    }
    index += 1
    return (start + 1, index - 1)
  }

  /// Passes one well-formed scalar.
  mutating func takeScalar() throws(JSONError) {
    let length = lengthOfUTF8Sequence(in: bytes, at: index)
    guard length > 0 else { throw JSONError(.invalidUTF8, at: position) }
    index += length
    lineStart += length - 1
  }

  /// Four hexadecimal digits as a number; nil, and nothing passed, where they do not stand here.
  mutating func takeFourHexadecimalDigits() -> UInt32? {
    guard bytes.count - index >= 4 else { return nil }
    var number: UInt32 = 0
    for byte in bytes[index..<(index + 4)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      number = number << 4 | UInt32(digit)
    }
    index += 4
    return number
  }

  func unexpected(_ expected: String) -> JSONError {
    guard !isAtEnd else {
      return JSONError(.unexpected(found: "the end of the text", expected: expected), at: position)
    }
    let length = lengthOfUTF8Sequence(in: bytes, at: index)
    if length == 0 { return JSONError(.invalidUTF8, at: position) }
    // Nothing that would move a terminal's cursor.
    let found =
      switch bytes[index] {
      case 0x0A: "the end of the line"
      case 0x00...0x1F, 0x7F: "a control character"
      default: "“" + String(decoding: bytes[index..<(index + length)], as: UTF8.self) + "”"
      }
    return JSONError(.unexpected(found: found, expected: expected), at: position)
  }
}

/// One in each byte of a word.
let ones: UInt64 = 0x0101_0101_0101_0101

/// A word whose bytes have their highest bit where a word's bytes are this one, or one that differs
/// from it in its lowest bit and stands behind one that is; the other bits mean nothing.
func marks(of byte: UInt64, in word: UInt64) -> UInt64 {
  let difference = word ^ (ones &* byte)
  return (difference &- ones) & ~difference
}
