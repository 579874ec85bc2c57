extension JSONValue {
  /// The deepest nesting that is read: far more than any document a person writes.
  package static let depthLimit = 512

  /// Reads one JSON document (RFC 8259) from UTF-8.
  ///
  /// A byte order mark before the document is skipped, as RFC 8259 §8.1 allows: editors on Windows
  /// write one.
  package init(parsing text: [UInt8]) throws(JSONError) {
    try self.init(parsing: text[...])
  }

  /// Reads one JSON document from a part of a longer text; positions count from its start.
  package init(parsing text: ArraySlice<UInt8>) throws(JSONError) {
    var reader = JSONReader(text)
    self = try reader.document()
  }
}

/// The grammar of RFC 8259 over bytes.
///
/// The lists and objects that are still open stand on a stack of its own rather than on the call
/// stack: that of a thread or of a browser may be too small for a document within the limit.
struct JSONReader {
  var cursor: TextCursor
  private var open: [OpenContainer] = []

  init(_ text: ArraySlice<UInt8>) {
    cursor = TextCursor(text)
  }

  mutating func document() throws(JSONError) -> JSONValue {
    try cursor.skipByteOrderMark()
    var value = try self.value()
    while !open.isEmpty {
      value = try following(value)
    }
    cursor.skipWhitespace()
    guard cursor.isAtEnd else { throw cursor.unexpected("the end of the text") }
    return value
  }

  /// What comes after a value inside the innermost container: its next value, or the container
  /// itself, complete.
  private mutating func following(_ value: JSONValue) throws(JSONError) -> JSONValue {
    let last = open.count - 1
    open[last].append(value)
    cursor.skipWhitespace()
    if cursor.take(",") {
      if open[last].isObject { try key(orEnd: "a key in quotation marks") }
      return try self.value()
    }
    if cursor.take(open[last].isObject ? "}" : "]") { return close() }
    throw cursor.unexpected(open[last].isObject ? "“,” or “}”" : "“,” or “]”")
  }

  /// Reads up to the end of the next value that is complete, opening containers on the way.
  private mutating func value() throws(JSONError) -> JSONValue {
    while true {
      cursor.skipWhitespace()
      let start = cursor.position
      if cursor.take("[") {
        try opened(OpenContainer(isObject: false, position: start))
        cursor.skipWhitespace()
        if cursor.take("]") { return close() }
      } else if cursor.take("{") {
        try opened(OpenContainer(isObject: true, position: start))
        cursor.skipWhitespace()
        if cursor.take("}") { return close() }
        try key(orEnd: "a key in quotation marks or “}”")
      } else {
        return JSONValue(try scalar(), at: start)
      }
    }
  }

  private mutating func opened(_ container: OpenContainer) throws(JSONError) {
    guard open.count < JSONValue.depthLimit else {
      throw JSONError(.tooDeep(limit: JSONValue.depthLimit), at: container.position)
    }
    open.append(container)
  }

  private mutating func close() -> JSONValue {
    open.removeLast().value
  }

  private mutating func key(orEnd expected: String) throws(JSONError) {
    cursor.skipWhitespace()
    let position = cursor.position
    guard cursor.take("\"") else { throw cursor.unexpected(expected) }
    let last = open.count - 1
    open[last].key = try string()
    open[last].keyPosition = position
    cursor.skipWhitespace()
    guard cursor.take(":") else { throw cursor.unexpected("“:” after the key") }
  }

  private mutating func scalar() throws(JSONError) -> JSONValue.Content {
    switch cursor.next {
    case UInt8(ascii: "\""):
      _ = cursor.take("\"")
      return .string(try string())
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      return .number(try number())
    default:
      if cursor.take(word: "true") { return .boolean(true) }
      if cursor.take(word: "false") { return .boolean(false) }
      if cursor.take(word: "null") { return .null }
      throw cursor.unexpected("a value")
    }
  }
}

/// A list or an object of which the end has not been read yet.
private struct OpenContainer {
  let isObject: Bool
  let position: TextPosition
  private var elements: [JSONValue] = []
  private var members: [JSONMember] = []
  var key = ""
  var keyPosition = TextPosition.start

  init(isObject: Bool, position: TextPosition) {
    self.isObject = isObject
    self.position = position
  }

  mutating func append(_ value: JSONValue) {
    if isObject {
      members.append(JSONMember(key, at: keyPosition, value))
    } else {
      elements.append(value)
    }
  }

  var value: JSONValue {
    JSONValue(isObject ? .object(members) : .array(elements), at: position)
  }
}
