/// An array of flat objects of numbers: as much JSON as traces are written in.
///
/// Strict about what it reads; other scalars are read over, further nesting is refused.
struct JSONRows {
  struct Field {
    var key: String
    var value: ExactDecimal
    var text: ArraySlice<UInt8>
    var line: Int
  }

  struct Row {
    var line: Int
    var fields: [Field] = []

    func field(_ key: String) -> Field? {
      fields.first { $0.key == key }
    }

    func required(_ key: String) throws(ImportError) -> Field {
      guard let field = field(key) else { throw ImportError(line: line, .missingKey(key)) }
      return field
    }
  }

  private(set) var rows: [Row] = []
  private var scanner: ByteScanner

  init(_ source: SourceText) throws(ImportError) {
    scanner = ByteScanner(source.bytes)
    try expect(UInt8(ascii: "["), "'['")
    if !takes(UInt8(ascii: "]")) {
      repeat { rows.append(try row()) } while takes(UInt8(ascii: ","))
      try expect(UInt8(ascii: "]"), "',' or ']'")
    }
    scanner.skipBlanks()
    if !scanner.isAtEnd { throw scanner.unexpected("the end of the file") }
  }

  private mutating func row() throws(ImportError) -> Row {
    try expect(UInt8(ascii: "{"), "'{'")
    var row = Row(line: scanner.line)
    if takes(UInt8(ascii: "}")) { return row }
    repeat {
      let key = try string()
      try expect(UInt8(ascii: ":"), "':'")
      if let field = try value(of: key) {
        if row.field(key) != nil { throw ImportError(line: scanner.line, .duplicateKey(key)) }
        row.fields.append(field)
      }
    } while takes(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"), "',' or '}'")
    return row
  }

  private mutating func value(of key: String) throws(ImportError) -> Field? {
    scanner.skipBlanks()
    if scanner.peek == UInt8(ascii: "\"") {
      _ = try string()
      return nil
    }
    let line = scanner.line
    let word = scanner.take { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    if word.isEmpty { throw scanner.unexpected("a number") }
    if JSONRows.words.contains(where: { word.elementsEqual($0.utf8) }) { return nil }
    return Field(key: key, value: try exactDecimal(word, line: line), text: word, line: line)
  }

  private static let words = ["true", "false", "null"]

  private mutating func string() throws(ImportError) -> String {
    try expect(UInt8(ascii: "\""), "'\"'")
    let content = scanner.take { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= 32 }
    guard scanner.peek == UInt8(ascii: "\"") else {
      throw scanner.unexpected("a plain string without escapes")
    }
    scanner.advance()
    return String(decoding: content, as: UTF8.self)
  }

  private mutating func takes(_ byte: UInt8) -> Bool {
    scanner.skipBlanks()
    guard scanner.peek == byte else { return false }
    scanner.advance()
    return true
  }

  private mutating func expect(_ byte: UInt8, _ expected: String) throws(ImportError) {
    if !takes(byte) { throw scanner.unexpected(expected) }
  }
}
