/// A property list's dictionaries and scalars, as XML.
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
    try PropertyList.skipProlog(&scanner)
    guard scanner.takes("<plist") else { throw scanner.unexpected("'<plist'") }
    guard scanner.skip(past: ">") != nil else { throw scanner.unexpected("'>'") }
    self = try PropertyList.element(&scanner, depth: 0)
    try PropertyList.skipProlog(&scanner)
    guard scanner.takes("</plist>") else { throw scanner.unexpected("'</plist>'") }
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
