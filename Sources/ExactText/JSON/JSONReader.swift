extension JSONValue {
  /// The deepest nesting that is read: far more than any document a person writes.
  package static let depthLimit = 512

  /// Reads one JSON document (RFC 8259) from UTF-8.
  ///
  /// A leading byte order mark is skipped, as RFC 8259 §8.1 allows: editors on Windows write one.
  package init(parsing text: [UInt8]) throws(JSONError) {
    var reader = JSONReader(text)
    self.init(try reader.document(), 0)
  }

  /// Reads one JSON document from a part of a longer text; positions count from its start.
  package init(parsing text: ArraySlice<UInt8>) throws(JSONError) {
    try self.init(parsing: Array(text))
  }

  /// Reads a document with a long list, empty in the result: its elements are handed on one by one.
  ///
  /// Perf: the rows of a HAR of 200 MB take up to 700 MB, those of one entry a few kilobytes.
  ///
  /// - Parameter path: Names of the members that lead from the outermost object to the list.
  package init(
    parsing text: [UInt8], emptying path: [String], _ take: (JSONValue) -> Void
  ) throws(JSONError) {
    var reader = JSONReader(text, reservesRows: false)
    self.init(try reader.document(emptying: path, take), 0)
  }
}

/// The grammar of RFC 8259 over bytes.
///
/// A container that is still open is known by its row; nothing stands on the call stack, since that
/// of a thread or of a browser may be too small for a document within the limit.
struct JSONReader {
  private var cursor: TextCursor
  private var rows: [JSONDocument.Row] = []
  /// The row of the innermost container that is open.
  private var open = 0
  /// The number of values in that container so far.
  private var openCount: UInt32 = 0
  private var depth = 0

  /// Each value of a list takes two characters, so that no row counts more than it can.
  private static let mostBytes = 2 * Int(JSONDocument.Row.mostValues)

  init(_ text: [UInt8], reservesRows: Bool = true) {
    cursor = TextCursor(text)
    if reservesRows { rows.reserveCapacity(Self.mostRows(text)) }
  }

  /// As many values and keys as a text can hold: each but the first follows one of four characters.
  ///
  /// Counted before, a large list grows no array by doubling, which takes three times the memory.
  /// Invalid text must not reserve more memory than a dense document of its length.
  private static func mostRows(_ text: [UInt8]) -> Int {
    let count = text.withUnsafeBufferPointer { text in
      var (count, index) = (1, 0)
      // Eight at a time: a byte that is one of the four leaves its highest bit.
      while text.count &- index >= 8 {
        let word = UnsafeRawPointer(text.baseAddress.unsafelyUnwrapped + index)
          .loadUnaligned(as: UInt64.self)
        let found =
          marks(of: 0x2C, in: word) | marks(of: 0x3A, in: word)
          // A bracket and a brace differ in one bit.
          | marks(of: 0x7B, in: word | ones &* 0x20)
        count &+= Int(truncatingIfNeeded: ((found &>> 7 & ones) &* ones) &>> 56)
        index &+= 8
      }
      return count &+ text.count &- index
    }
    return min(count, text.count / 4 + 1)
  }

  mutating func document(
    emptying path: [String] = [], _ take: (JSONValue) -> Void = { _ in }
  ) throws(JSONError) -> JSONDocument {
    guard cursor.bytes.count <= Self.mostBytes else {
      throw JSONError(.tooLong, at: .start)
    }
    try cursor.skipByteOrderMark()
    try value()
    while depth > 0 {
      if !path.isEmpty, isOpen(path), openCount > 0 {
        take(JSONValue(JSONDocument(text: cursor.bytes, rows: rows), open + 1))
        rows.removeSubrange((open + 1)...)
        openCount = 0
      }
      try following()
    }
    cursor.skipWhitespace()
    guard cursor.isAtEnd else { throw cursor.unexpected("the end of the text") }
    return JSONDocument(text: cursor.bytes, rows: rows)
  }

  /// Whether the innermost container is the list at a path.
  private func isOpen(_ path: [String]) -> Bool {
    guard depth == path.count + 1, rows[open].kind == .array else { return false }
    var place = open
    return path.reversed().allSatisfy { name in
      guard rows[place - 1].kind == .key else { return false }
      let key = rows[place - 1]
      place = Int(rows[place].parent)
      return cursor.bytes[Int(key.start)..<Int(key.end)].elementsEqual(name.utf8)
    }
  }

  /// Reads what comes after a value inside the innermost container: its next value, or its end.
  private mutating func following() throws(JSONError) {
    cursor.skipWhitespace()
    let isObject = rows[open].kind == .object
    let position = cursor.position
    if cursor.take(",") {
      cursor.skipWhitespace()
      let bracket = isObject ? "}" : "]"
      if cursor.next == UInt8(ascii: isObject ? "}" : "]") {
        throw JSONError(.trailingComma(bracket), at: position)
      }
      if isObject { try key(orEnd: "a key in quotation marks") }
      return try value()
    }
    if cursor.take(isObject ? "}" : "]") { return close() }
    throw cursor.unexpected(isObject ? "“,” or “}”" : "“,” or “]”")
  }

  /// Reads up to the end of the next value that is complete, opening containers on the way.
  private mutating func value() throws(JSONError) {
    while true {
      cursor.skipWhitespace()
      switch cursor.next {
      case UInt8(ascii: "["):
        try begin(.array)
        if cursor.take("]") { return close() }
      case UInt8(ascii: "{"):
        try begin(.object)
        if cursor.take("}") { return close() }
        try key(orEnd: "a key in quotation marks or “}”")
      case UInt8(ascii: "\""): return try string(.string)
      case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
      case .some, nil: return try word()
      }
    }
  }

  private mutating func begin(_ kind: JSONDocument.Kind) throws(JSONError) {
    guard depth < JSONValue.depthLimit else {
      throw JSONError(.tooDeep(limit: JSONValue.depthLimit), at: cursor.position)
    }
    let row = row(kind)
    add(row)
    // The count of the one around it waits in its row.
    if depth > 0 { rows[open].count = openCount }
    open = rows.count - 1
    openCount = 0
    depth += 1
    cursor.advance()
    cursor.skipWhitespace()
  }

  private mutating func close() {
    rows[open].end = UInt32(truncatingIfNeeded: cursor.index)
    rows[open].next = UInt32(truncatingIfNeeded: rows.count)
    rows[open].count = openCount
    open = Int(rows[open].parent)
    openCount = rows[open].count
    depth -= 1
  }

  private mutating func key(orEnd expected: String) throws(JSONError) {
    guard cursor.next == UInt8(ascii: "\"") else { throw cursor.unexpected(expected) }
    try string(.key)
    cursor.skipWhitespace()
    guard cursor.take(":") else { throw cursor.unexpected("“:” after the key") }
  }

  /// A row of what begins here.
  @inline(__always)
  private func row(_ kind: JSONDocument.Kind) -> JSONDocument.Row {
    let place = cursor.place
    var row = JSONDocument.Row(
      start: place.index, end: place.index, next: UInt32(truncatingIfNeeded: rows.count &+ 1),
      parent: UInt32(truncatingIfNeeded: open), index: openCount, line: place.line,
      column: place.column)
    row.kind = kind
    return row
  }

  @inline(__always)
  private mutating func add(_ row: JSONDocument.Row) {
    rows.append(row)
    if row.kind != .key { openCount &+= 1 }
  }

  /// Adds a row whose text ends here.
  private mutating func finish(_ row: JSONDocument.Row) {
    var row = row
    row.end = UInt32(cursor.index)
    add(row)
  }

  private mutating func string(_ kind: JSONDocument.Kind) throws(JSONError) {
    var row = row(kind)
    if let (start, end) = cursor.takePlainString() {
      row.start = UInt32(truncatingIfNeeded: start)
      row.end = UInt32(truncatingIfNeeded: end)
      return add(row)
    }
    cursor.advance()
    row.start += 1
    while true {
      cursor.takePlainCharacters()
      switch cursor.next {
      case UInt8(ascii: "\""):
        finish(row)
        return cursor.advance()
      case UInt8(ascii: "\\"):
        row.isEscaped = true
        _ = try cursor.takeEscape()
      case .some(let byte) where byte < 0x20:
        throw JSONError(.controlCharacter(byte), at: cursor.position)
      case .some: try cursor.takeScalar()
      case nil: throw cursor.unexpected("a closing quotation mark")
      }
    }
  }

  /// A number in RFC 8259 §6's grammar.
  private mutating func number() throws(JSONError) {
    let row = row(.number)
    _ = cursor.take("-")
    if cursor.take("0") {
      if let byte = cursor.next, (0x30...0x39).contains(byte) {
        throw cursor.unexpected("no digit after a leading zero")
      }
    } else if !cursor.takeDigits() {
      throw cursor.unexpected("a digit")
    }
    if cursor.take("."), !cursor.takeDigits() {
      throw cursor.unexpected("a digit after the decimal point")
    }
    if cursor.take("e") || cursor.take("E") {
      _ = cursor.take("+") || cursor.take("-")
      if !cursor.takeDigits() { throw cursor.unexpected("a digit of the exponent") }
    }
    finish(row)
  }

  private mutating func word() throws(JSONError) {
    var row = row(.null)
    if cursor.take(word: "true") {
      row.kind = .yes
    } else if cursor.take(word: "false") {
      row.kind = .no
    } else if !cursor.take(word: "null") {
      throw cursor.unexpected("a value")
    }
    finish(row)
  }
}
