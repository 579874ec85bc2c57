/// A change of a JSON document: what stands at a path from now on.
package struct JSONEdit: Sendable {
  package var path: DocumentPath
  /// Nil takes away what stands there.
  package var value: JSONTree?
  /// The edit as it was written, such as `player.rate=1.5`.
  package var text: String

  package init(path: DocumentPath, value: JSONTree?, text: String) {
    self.path = path
    self.value = value
    self.text = text
  }

  package struct Failure: Error, Hashable, Sendable {
    package var message: String
    package var path: DocumentPath

    package init(_ message: String, at path: DocumentPath = .root) {
      (self.message, self.path) = (message, path)
    }
  }

  /// Reads `path=value`; without a value, what stands at the path is taken away.
  package init(_ text: String) throws(Failure) {
    let (path, value) = try JSONEdit.parts(text)
    self.init(path: path, value: JSONEdit.value(of: value), text: text)
  }

  /// Reads `path=a,b,c`: an edit for each of the values.
  ///
  /// Commas inside brackets and quotation marks belong to a value.
  package static func alternatives(_ text: String) throws(Failure) -> [JSONEdit] {
    let (path, list) = try parts(text)
    let values = list.isEmpty ? [] : split(list)
    if values.isEmpty { throw Failure("there are no values behind “=”") }
    return values.map { JSONEdit(path: path, value: value(of: $0), text: path.text + "=" + $0) }
  }

  private static func parts(_ text: String) throws(Failure) -> (DocumentPath, String) {
    let parts = text.utf8.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw Failure("a path, “=” and a value are expected") }
    guard let path = DocumentPath(String(Substring(parts[0]))) else {
      throw Failure("the path is none: names parted by dots are expected, such as player.rate")
    }
    return (path, String(Substring(parts[1])))
  }

  /// The value of a text: JSON where it is valid JSON, else a string.
  package static func value(of text: String) -> JSONTree? {
    if text.isEmpty { return nil }
    if let value = try? JSONValue(parsing: text.bytes) { return JSONTree(value) }
    return .string(text)
  }

  /// Parts a list at the commas that stand outside brackets and quotation marks.
  package static func split(_ list: String) -> [String] {
    var parts: [[UInt8]] = [[]]
    var depth = 0
    var isQuoted = false
    for byte in list.utf8 {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += isQuoted ? 0 : 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= isQuoted ? 0 : 1
      case UInt8(ascii: ",") where depth == 0 && !isQuoted:
        parts.append([])
        continue
      default: break
      }
      parts[parts.count - 1].append(byte)
    }
    return parts.map { trimmedText($0) }
  }
}

extension DocumentPath {
  /// Reads a path as messages write it: `script[2].when`, `link["a key"]`.
  package init?(_ text: String) {
    var steps: [Step] = []
    var rest = text.bytes
    while let byte = rest.first {
      if byte == UInt8(ascii: "[") {
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        guard let step = Step(inBrackets: rest[(rest.startIndex + 1)..<end]) else { return nil }
        steps.append(step)
        rest = rest[(end + 1)...]
        continue
      }
      if !steps.isEmpty {
        guard byte == UInt8(ascii: ".") else { return nil }
        rest.removeFirst()
      }
      let name = rest.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
      if name.isEmpty { return nil }
      steps.append(.key(String(decoding: name, as: UTF8.self)))
      rest = rest.dropFirst(name.count)
    }
    if steps.isEmpty { return nil }
    self.init(steps: steps)
  }
}

extension DocumentPath.Step {
  fileprivate init?(inBrackets text: ArraySlice<UInt8>) {
    if text.count > 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") {
      self = .key(String(decoding: text.dropFirst().dropLast(), as: UTF8.self))
      return
    }
    guard text.count < 10, text.allSatisfy({ (0x30...0x39).contains($0) }),
      let index = Int(String(decoding: text, as: UTF8.self))
    else { return nil }
    self = .index(index)
  }
}

extension JSONTree {
  package init(_ value: JSONValue) {
    switch value.content {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .number(let text): self = .number(text)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .list(elements) { JSONTree($0) }
    case .object(let members):
      self = .object(members.map { (key: $0.key, value: JSONTree($0.value)) })
    }
  }

  package var text: [UInt8] {
    var writer = JSONWriter()
    writer.tree(self)
    return writer.bytes
  }

  package var json: String { String(decoding: text, as: UTF8.self) }

  /// As somebody would write it on a command line.
  package var shown: String {
    if case .string(let text) = self { return text }
    return json
  }
}

extension JSONValue {
  /// The document with changes made in turn, as text in which everything else stays in its line.
  package func edited(_ edits: [JSONEdit]) throws(JSONEdit.Failure) -> [UInt8] {
    var text = document.text
    for (number, edit) in edits.enumerated() {
      guard let value = number == 0 ? self : try? JSONValue(parsing: text) else {
        throw JSONEdit.Failure("\(edit.text) makes it no JSON")
      }
      try rethrowing(try value.splice(edit, into: &text)) { (error: JSONEdit.Failure) in
        JSONEdit.Failure(error.message, at: edit.path)
      }
    }
    return text
  }

  /// The part that a path leads to; nil where there is none.
  package subscript(path: DocumentPath) -> JSONValue? {
    path.steps.reduce(self as JSONValue?) { part, step in part.flatMap { try? $0.part(step) } }
  }

  private func splice(_ edit: JSONEdit, into text: inout [UInt8]) throws(JSONEdit.Failure) {
    var here = self
    var steps = edit.path.steps[...]
    while let step = steps.first, let next = try here.part(step) {
      here = next
      steps.removeFirst()
    }
    guard let value = edit.value else {
      // A key may be absent, an element may not.
      if case .index(let index)? = steps.first, here.elements != nil { throw here.noElement(index) }
      if steps.isEmpty { text.removeSubrange(here.rangeToRemove) }
      return
    }
    guard let first = steps.first else {
      text.replaceSubrange(here.range, with: value.text)
      return
    }
    var made = value
    for step in steps.dropFirst().reversed() {
      switch step {
      case .key(let key): made = .object([(key, made)])
      case .index(0): made = .array([made])
      case .index(let index): throw JSONEdit.Failure("there is no list with an element [\(index)]")
      }
    }
    switch first {
    case .key(let key): here.insert(key, made, into: &text)
    case .index(let index): try here.append(made, at: index, to: &text)
    }
  }

  /// The part that a step leads to; nil where there is room for one.
  private func part(_ step: DocumentPath.Step) throws(JSONEdit.Failure) -> JSONValue? {
    switch step {
    case .key(let key):
      if isNull { return nil }
      // `script.0.at` means `script[0].at`.
      if elements != nil, case .index(let place)? = DocumentPath.Step(inBrackets: key.bytes) {
        if let element = try part(.index(place)) { return element }
        throw noElement(place)
      }
      if elements != nil {
        throw JSONEdit.Failure("\(path.text) is a list: [0] is its first element")
      }
      guard members != nil else { throw JSONEdit.Failure("\(path.text) is no object") }
      return self[key]
    case .index(let index):
      guard let elements else { throw JSONEdit.Failure("\(path.text) is no list") }
      for (place, element) in elements.enumerated() where place == index { return element }
      return nil
    }
  }

  private func noElement(_ place: Int) -> JSONEdit.Failure {
    let elements = counted(Int64(document.rows[self.place].count), "element")
    return JSONEdit.Failure("\(path.text) has \(elements), and no [\(place)]")
  }

  /// Adds a member at the beginning of an object; takes the place of null.
  private func insert(_ key: String, _ value: JSONTree, into text: inout [UInt8]) {
    let object = JSONTree.object([(key, value)]).text
    guard let members, !members.isEmpty else {
      text.replaceSubrange(range, with: object)
      return
    }
    let member = object.dropFirst().dropLast() + [UInt8(ascii: ","), UInt8(ascii: " ")]
    text.insert(contentsOf: member, at: range.lowerBound + 1)
  }

  private func append(
    _ value: JSONTree, at index: Int, to text: inout [UInt8]
  ) throws(JSONEdit.Failure) {
    let count = Int(document.rows[self.place].count)
    guard index == count else { throw noElement(index) }
    let comma = count == 0 ? [] : [UInt8(ascii: ","), UInt8(ascii: " ")]
    text.insert(contentsOf: comma + value.text, at: range.upperBound - 1)
  }

  /// The range of its text, quotation marks and brackets included.
  private var range: Range<Int> {
    let row = document.rows[place]
    let quote = row.kind == .string || row.kind == .key ? 1 : 0
    return (Int(row.start) - quote)..<(Int(row.end) + quote)
  }

  /// The range to remove so that the rest is still a list or an object.
  private var rangeToRemove: Range<Int> {
    let isMember = place > 0 && document.rows[place - 1].kind == .key
    var whole = range
    if isMember { whole = JSONValue(document, place - 1).range.lowerBound..<whole.upperBound }
    let row = document.rows[place]
    if place == 0 { return whole }
    if row.index + 1 < document.rows[Int(row.parent)].count {
      return whole.lowerBound..<JSONValue(document, Int(row.next)).range.lowerBound
    }
    // The last one takes the comma before it away.
    var start = whole.lowerBound
    while row.index > 0, document.text[start] != UInt8(ascii: ",") { start -= 1 }
    return start..<whole.upperBound
  }
}
