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
    if source.firstVisibleByte == UInt8(ascii: "<") {
      self = try PropertyList.fromXML(&scanner)
    } else {
      self = try PropertyList.oldStyle(&scanner, depth: 0)
      scanner.skipBlanks()
      if !scanner.isAtEnd { throw scanner.unexpected("the end of the file") }
    }
  }
}

// MARK: - Old style

extension PropertyList {
  private static func oldStyle(
    _ scanner: inout ByteScanner, depth: Int
  ) throws(ImportError) -> PropertyList {
    if depth > deepest { throw ImportError(line: scanner.line, .nestedTooDeeply) }
    try skipComments(&scanner)
    switch scanner.peek {
    case UInt8(ascii: "{"):
      scanner.advance()
      return .dictionary(try oldEntries(&scanner, depth: depth))
    case UInt8(ascii: "("):
      scanner.advance()
      return .array(try oldElements(&scanner, depth: depth))
    default: return .scalar(try oldScalar(&scanner))
    }
  }

  private static func oldEntries(
    _ scanner: inout ByteScanner, depth: Int
  ) throws(ImportError) -> [Entry] {
    var entries: [Entry] = []
    while true {
      try skipComments(&scanner)
      if scanner.takes("}") { return entries }
      let line = scanner.line
      let key = String(decoding: try oldScalar(&scanner), as: UTF8.self)
      try skipComments(&scanner)
      guard scanner.takes("=") else { throw scanner.unexpected("'='") }
      let value = try oldStyle(&scanner, depth: depth + 1)
      try skipComments(&scanner)
      guard scanner.takes(";") else { throw scanner.unexpected("';'") }
      entries.append(Entry(key: key, value: value, line: line))
    }
  }

  private static func oldElements(
    _ scanner: inout ByteScanner, depth: Int
  ) throws(ImportError) -> [PropertyList] {
    var elements: [PropertyList] = []
    while true {
      try skipComments(&scanner)
      if scanner.takes(")") { return elements }
      elements.append(try oldStyle(&scanner, depth: depth + 1))
      try skipComments(&scanner)
      if !scanner.takes(",") && scanner.peek != UInt8(ascii: ")") {
        throw scanner.unexpected("',' or ')'")
      }
    }
  }

  private static func oldScalar(
    _ scanner: inout ByteScanner
  ) throws(ImportError) -> ArraySlice<UInt8> {
    if scanner.takes("\"") {
      guard let content = scanner.skip(past: "\"") else { throw scanner.unexpected("'\"'") }
      return content
    }
    let word = scanner.take { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "%"), UInt8(ascii: "$"), UInt8(ascii: ":"):
        true
      default: false
      }
    }
    if word.isEmpty { throw scanner.unexpected("a word, a string, '{' or '('") }
    return word
  }

  private static func skipComments(_ scanner: inout ByteScanner) throws(ImportError) {
    scanner.skipBlanks()
    while true {
      if scanner.takes("/*") {
        guard scanner.skip(past: "*/") != nil else { throw scanner.unexpected("'*/'") }
      } else if scanner.takes("//") {
        _ = scanner.take { !isLineEnd($0) }
      } else {
        return
      }
      scanner.skipBlanks()
    }
  }
}

// MARK: - XML

extension PropertyList {
  private static func fromXML(_ scanner: inout ByteScanner) throws(ImportError) -> PropertyList {
    try skipProlog(&scanner)
    guard scanner.takes("<plist") else { throw scanner.unexpected("'<plist'") }
    guard scanner.skip(past: ">") != nil else { throw scanner.unexpected("'>'") }
    let root = try element(&scanner, depth: 0)
    try skipProlog(&scanner)
    guard scanner.takes("</plist>") else { throw scanner.unexpected("'</plist>'") }
    return root
  }

  private static func skipProlog(_ scanner: inout ByteScanner) throws(ImportError) {
    scanner.skipBlanks()
    while true {
      if scanner.takes("<!--") {
        guard scanner.skip(past: "-->") != nil else { throw scanner.unexpected("'-->'") }
      } else if scanner.takes("<?") || scanner.takes("<!") {
        guard scanner.skip(past: ">") != nil else { throw scanner.unexpected("'>'") }
      } else {
        return
      }
      scanner.skipBlanks()
    }
  }

  private static func element(
    _ scanner: inout ByteScanner, depth: Int
  ) throws(ImportError) -> PropertyList {
    if depth > deepest { throw ImportError(line: scanner.line, .nestedTooDeeply) }
    try skipProlog(&scanner)
    guard scanner.takes("<") else { throw scanner.unexpected("an element") }
    let name = scanner.take { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") && !isBlank($0) }
    let tag = String(decoding: name, as: UTF8.self)
    scanner.skipBlanks()
    if scanner.takes("/>") { return empty(tag, name) }
    guard scanner.takes(">") else { throw scanner.unexpected("'>'") }
    switch tag {
    case "dict": return .dictionary(try entries(&scanner, depth: depth))
    case "array": return .array(try elements(&scanner, depth: depth))
    default:
      guard let content = scanner.skip(past: "</\(tag)>") else {
        throw scanner.unexpected("'</\(tag)>'")
      }
      return .scalar(content)
    }
  }

  private static func empty(_ tag: String, _ name: ArraySlice<UInt8>) -> PropertyList {
    switch tag {
    case "dict": .dictionary([])
    case "array": .array([])
    default: .scalar(name)
    }
  }

  private static func entries(
    _ scanner: inout ByteScanner, depth: Int
  ) throws(ImportError) -> [Entry] {
    var entries: [Entry] = []
    while true {
      try skipProlog(&scanner)
      if scanner.takes("</dict>") { return entries }
      let line = scanner.line
      guard scanner.takes("<key>") else { throw scanner.unexpected("'<key>'") }
      guard let key = scanner.skip(past: "</key>") else { throw scanner.unexpected("'</key>'") }
      let value = try element(&scanner, depth: depth + 1)
      entries.append(Entry(key: unescaped(key), value: value, line: line))
    }
  }

  private static func elements(
    _ scanner: inout ByteScanner, depth: Int
  ) throws(ImportError) -> [PropertyList] {
    var elements: [PropertyList] = []
    while true {
      try skipProlog(&scanner)
      if scanner.takes("</array>") { return elements }
      elements.append(try element(&scanner, depth: depth + 1))
    }
  }

  /// The five entities of XML in their characters.
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
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
