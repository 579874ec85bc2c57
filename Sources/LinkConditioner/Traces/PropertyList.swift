/// A property list's dictionaries and scalars, as XML or in the old style.
indirect enum PropertyList {
  struct Entry {
    var key: String
    var value: PropertyList
    var line: Int
  }

  case dictionary([Entry])
  case array([PropertyList])
  case scalar(ArraySlice<UInt8>)

  static let deepest = 32

  init(_ source: SourceText) throws(ImportError) {
    var scanner = ByteScanner(source.bytes)
    if source.bytes.first(where: { !isBlank($0) && !isLineEnd($0) }) == UInt8(ascii: "<") {
      try Self.skip(Self.xmlComments, &scanner)
      guard scanner.takes("<plist") else { throw scanner.unexpected("'<plist'") }
      _ = try scanner.take(past: ">")
      self = try Self.element(&scanner, depth: 0)
      try Self.skip(Self.xmlComments, &scanner)
      guard scanner.takes("</plist>") else { throw scanner.unexpected("'</plist>'") }
    } else {
      self = try PropertyList.oldStyle(&scanner, depth: 0)
      scanner.skipBlanks()
      if !scanner.isAtEnd { throw scanner.unexpected("the end of the file") }
    }
  }

  /// Texts that mean nothing, by the words that begin and end them; nil is the end of the line.
  private typealias Comments = [(start: String, end: String?)]

  private static func skip(_ comments: Comments, _ scanner: inout ByteScanner) throws(ImportError) {
    scanner.skipBlanks()
    while let comment = comments.first(where: { scanner.takes($0.start) }) {
      if let end = comment.end {
        _ = try scanner.take(past: end)
      } else {
        _ = scanner.take { !isLineEnd($0) }
      }
      scanner.skipBlanks()
    }
  }

  /// The parts of a list up to the word that ends it.
  private static func parts<Part>(
    upTo end: String, _ comments: Comments, _ scanner: inout ByteScanner,
    _ part: (inout ByteScanner) throws(ImportError) -> Part
  ) throws(ImportError) -> [Part] {
    var parts: [Part] = []
    while true {
      try skip(comments, &scanner)
      if scanner.takes(end) { return parts }
      parts.append(try part(&scanner))
    }
  }

  private static let oldComments: Comments = [("/*", "*/"), ("//", nil)]

  private static func oldStyle(
    _ scanner: inout ByteScanner, depth: Int
  ) throws(ImportError) -> PropertyList {
    if depth > deepest { throw ImportError(line: scanner.line, .nestedTooDeeply) }
    try skip(oldComments, &scanner)
    if scanner.takes("{") {
      let entries = try parts(upTo: "}", oldComments, &scanner) { scanner throws(ImportError) in
        let line = scanner.line
        let key = String(decoding: try oldScalar(&scanner), as: UTF8.self)
        try skip(oldComments, &scanner)
        guard scanner.takes("=") else { throw scanner.unexpected("'='") }
        let value = try oldStyle(&scanner, depth: depth + 1)
        try skip(oldComments, &scanner)
        guard scanner.takes(";") else { throw scanner.unexpected("';'") }
        return Entry(key: key, value: value, line: line)
      }
      return .dictionary(entries)
    }
    guard scanner.takes("(") else { return .scalar(try oldScalar(&scanner)) }
    let elements = try parts(upTo: ")", oldComments, &scanner) { scanner throws(ImportError) in
      let element = try oldStyle(&scanner, depth: depth + 1)
      try skip(oldComments, &scanner)
      if !scanner.takes(",") && scanner.peek != UInt8(ascii: ")") {
        throw scanner.unexpected("',' or ')'")
      }
      return element
    }
    return .array(elements)
  }

  private static func oldScalar(
    _ scanner: inout ByteScanner
  ) throws(ImportError) -> ArraySlice<UInt8> {
    if scanner.takes("\"") { return try scanner.take(past: "\"") }
    let word = scanner.take { byte in
      0x30...0x39 ~= byte || 0x41...0x5A ~= byte & 0xDF || ".-_%$:".utf8.contains(byte)
    }
    if word.isEmpty { throw scanner.unexpected("a word, a string, '{' or '('") }
    return word
  }

  private static let xmlComments: Comments = [("<!--", "-->"), ("<?", ">"), ("<!", ">")]

  private static func element(
    _ scanner: inout ByteScanner, depth: Int
  ) throws(ImportError) -> PropertyList {
    if depth > deepest { throw ImportError(line: scanner.line, .nestedTooDeeply) }
    try skip(xmlComments, &scanner)
    guard scanner.takes("<") else { throw scanner.unexpected("an element") }
    let name = scanner.take { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") && !isBlank($0) }
    let tag = String(decoding: name, as: UTF8.self)
    scanner.skipBlanks()
    let isEmpty = scanner.takes("/>")
    guard isEmpty || scanner.takes(">") else { throw scanner.unexpected("'>'") }
    switch tag {
    case "dict":
      if isEmpty { return .dictionary([]) }
      let entries = try parts(upTo: "</dict>", xmlComments, &scanner) {
        scanner throws(ImportError) in
        let line = scanner.line
        guard scanner.takes("<key>") else { throw scanner.unexpected("'<key>'") }
        let key = unescaped(try scanner.take(past: "</key>"))
        return Entry(key: key, value: try element(&scanner, depth: depth + 1), line: line)
      }
      return .dictionary(entries)
    case "array":
      if isEmpty { return .array([]) }
      let elements = try parts(upTo: "</array>", xmlComments, &scanner) {
        scanner throws(ImportError) in
        try element(&scanner, depth: depth + 1)
      }
      return .array(elements)
    default: return .scalar(isEmpty ? name : try scanner.take(past: "</\(tag)>"))
    }
  }

  /// The character of a numeric reference at the start of a text, and the rest of the text.
  private static func referenced(
    _ text: ArraySlice<UInt8>
  ) -> (character: Unicode.Scalar, rest: ArraySlice<UInt8>)? {
    guard text.starts(with: "&#".utf8), let end = text.prefix(12).firstIndex(of: UInt8(ascii: ";"))
    else { return nil }
    let isHexadecimal = text.dropFirst(2).first == UInt8(ascii: "x")
    let digits = text[..<end].dropFirst(isHexadecimal ? 3 : 2)
    // `UInt32` takes a sign, which XML does not have here.
    guard let first = digits.first, ![0x2B, 0x2D].contains(first) else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
      .flatMap { Unicode.Scalar($0) }.map { ($0, text[(end + 1)...]) }
  }

  /// The five entities of XML, and numeric references, in their characters.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
    let entities = [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ]
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.first {
      if let (entity, character) = entities.first(where: { rest.starts(with: $0.0.utf8) }) {
        result += Array(character.utf8)
        rest = rest.dropFirst(entity.utf8.count)
      } else if let (character, after) = referenced(rest) {
        result += Array(String(character).utf8)
        rest = after
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
