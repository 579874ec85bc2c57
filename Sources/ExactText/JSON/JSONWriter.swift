/// Writes JSON whose bytes follow from the calls alone: keys in the order they are given, no
/// spaces, or two for each level if it is indented.
///
/// A trace writes a line, takes `bytes` away and keeps the buffer:
/// `writer.bytes.removeAll(keepingCapacity: true)`.
package struct JSONWriter: Sendable {
  package var bytes: [UInt8] = []
  private let layout: Layout
  private var depth = 0
  private var isFirst = true
  private var followsKey = false

  package enum Layout: Sendable {
    /// All on one line, without spaces: a line of JSON Lines.
    case compact
    /// A line for each value, two spaces for each level.
    case indented
    /// A line for each value, without spaces: what is long, and still read line by line.
    case lines
  }

  package init(_ layout: Layout = .compact) {
    self.layout = layout
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func beginObject() {
    begin(UInt8(ascii: "{"))
  }

  package mutating func endObject() {
    end(UInt8(ascii: "}"))
  }

  package mutating func beginArray() {
    begin(UInt8(ascii: "["))
  }

  package mutating func endArray() {
    end(UInt8(ascii: "]"))
  }

  /// Writes a key, whose value comes next.
  package mutating func key(_ key: String) {
    separate()
    bytes.append(quoted: key)
    endKey()
  }

  /// Writes a key that is in JSON already, whose value comes next.
  package mutating func key(_ key: QuotedText) {
    separate()
    bytes += key.bytes
    endKey()
  }

  private mutating func endKey() {
    bytes.append(UInt8(ascii: ":"))
    if layout == .indented { bytes.append(UInt8(ascii: " ")) }
    followsKey = true
  }

  package mutating func null() {
    separate()
    bytes.append(text: "null")
  }

  package mutating func boolean(_ value: Bool) {
    separate()
    bytes.append(text: value ? "true" : "false")
  }

  package mutating func string(_ value: String) {
    separate()
    bytes.append(quoted: value)
  }

  /// Writes a text that is in JSON already.
  package mutating func string(_ value: QuotedText) {
    separate()
    bytes += value.bytes
  }

  package mutating func integer(_ value: Int64) {
    separate()
    bytes.append(integer: value)
  }

  package mutating func natural(_ value: UInt64) {
    separate()
    bytes.append(natural: value)
  }

  /// Writes `units × 10⁻ᵖˡᵃᶜᵉˢ` exactly.
  package mutating func decimal(_ units: Int64, places: Int) {
    separate()
    bytes.append(decimal: units, places: places)
  }

  package mutating func seconds(_ nanoseconds: Int64) {
    decimal(nanoseconds, places: 9)
  }

  /// Writes a number that is already text, as the reader keeps it.
  package mutating func number(_ text: String) {
    separate()
    bytes.append(text: text)
  }

  /// Writes a document that was read, or a part of one.
  ///
  /// - Parameter key: A member of the outermost object that is left out.
  package mutating func value(_ value: JSONValue, without key: String? = nil) {
    switch value.content {
    case .null, .boolean, .number, .string: tree(JSONTree(value))
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members where key.map({ !member.isCalled($0) }) ?? true {
        self.key(member.key)
        self.value(member.value)
      }
      endObject()
    }
  }

  package mutating func tree(_ tree: JSONTree) {
    switch tree {
    case .null: null()
    case .boolean(let value): boolean(value)
    case .number(let text): number(text)
    case .string(let text): string(text)
    case .array(let elements):
      beginArray()
      for element in elements { self.tree(element) }
      endArray()
    case .object:
      beginObject()
      members(tree)
      endObject()
    }
  }

  /// Writes the members of an object into the one that is open.
  package mutating func members(_ object: JSONTree) {
    guard case .object(let members) = object else { return }
    for (key, value) in members {
      self.key(key)
      tree(value)
    }
  }

  /// Ends a line; what follows is a document of its own.
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    isFirst = true
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    depth += 1
    isFirst = true
  }

  private mutating func end(_ bracket: UInt8) {
    precondition(depth > 0 && !followsKey, "a bracket closes what was opened and complete")
    depth -= 1
    if !isFirst { breakLine() }
    bytes.append(bracket)
    isFirst = false
  }

  /// Puts what belongs between the last value and the next one.
  private mutating func separate() {
    if followsKey {
      followsKey = false
      return
    }
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    if depth > 0 { breakLine() }
  }

  private mutating func breakLine() {
    guard layout != .compact else { return }
    bytes.append(UInt8(ascii: "\n"))
    guard layout == .indented else { return }
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}
