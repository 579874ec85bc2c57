/// A place in a file's bytes that knows its line.
struct ByteScanner {
  private let bytes: [UInt8]
  private var position = 0
  /// From 1.
  private(set) var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  var peek: UInt8? { isAtEnd ? nil : bytes[position] }

  mutating func advance() {
    guard let byte = peek else { return }
    let isPair = byte == 13 && position + 1 < bytes.count && bytes[position + 1] == 10
    if isLineEnd(byte) && !isPair { line += 1 }
    position += 1
  }

  mutating func take(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while let byte = peek, isWanted(byte) { advance() }
    return bytes[start..<position]
  }

  mutating func skipBlanks() { _ = take { isBlank($0) || isLineEnd($0) } }

  mutating func takes(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    for _ in word.utf8 { advance() }
    return true
  }

  /// Takes what stands before the next occurrence of a word, and goes behind that.
  mutating func take(past word: String) throws(ImportError) -> ArraySlice<UInt8> {
    let start = position
    while !isAtEnd {
      let end = position
      if takes(word) { return bytes[start..<end] }
      advance()
    }
    throw unexpected("'\(word)'")
  }

  func unexpected(_ expected: String) -> ImportError {
    let found = bytes[position...].prefix { !isBlank($0) && !isLineEnd($0) }
    let what = isAtEnd ? "the end of the file" : "'\(shortText(found.prefix(12)))'"
    return ImportError(line: line, .unexpected(found: what, expected: expected))
  }
}
