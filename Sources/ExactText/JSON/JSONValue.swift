/// A JSON document that was read, or a part of one: it knows where it stands.
///
/// Members keep their order and may repeat a key, which JSON allows; whoever gives the document a
/// meaning decides about that.
package struct JSONValue: JSONItem, Sendable {
  let document: JSONDocument
  /// The row of the document.
  let place: Int

  package static let rowsBeforeValue = 0

  package init(_ document: JSONDocument, _ place: Int) {
    self.document = document
    self.place = place
  }

  package enum Content: Sendable {
    case null
    case boolean(Bool)
    /// The number as it was written: a tool that is exact to the nanosecond may not read a decimal
    /// fraction as a binary one.
    case number(String)
    case string(String)
    case array(JSONElements)
    case object(JSONMembers)
  }

  package var content: Content {
    switch document.rows[place].kind {
    case .null: .null
    case .no: .boolean(false)
    case .yes: .boolean(true)
    case .number: .number(document.string(of: place))
    case .string, .key: .string(document.string(of: place))
    case .array: .array(JSONElements(whole: self))
    case .object: .object(JSONMembers(whole: self))
    }
  }

  package var position: TextPosition { document.position(of: place) }

  /// The characters of a string, as UTF-8; nil for any other value.
  package var stringBytes: ArraySlice<UInt8>? {
    document.rows[place].kind == .string ? document.bytes(of: place) : nil
  }

  /// The text of a number as it was written, as UTF-8; nil for any other value.
  package var numberBytes: ArraySlice<UInt8>? {
    document.rows[place].kind == .number ? document.bytes(of: place) : nil
  }

  /// Its text as it stands in the document; of a string without the quotation marks.
  package var text: ArraySlice<UInt8> {
    let row = document.rows[place]
    return document.text[Int(row.start)..<Int(row.end)]
  }

  package var isNull: Bool { document.rows[place].kind == .null }

  /// Its elements; nil where it is no list.
  package var elements: JSONElements? {
    document.rows[place].kind == .array ? JSONElements(whole: self) : nil
  }

  package var members: JSONMembers? {
    document.rows[place].kind == .object ? JSONMembers(whole: self) : nil
  }

  /// The kind of value in words, for messages.
  package var kind: String {
    switch document.rows[place].kind {
    case .null: "null"
    case .no, .yes: "a boolean"
    case .number: "a number"
    case .string, .key: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The value of a key, the first one where it is repeated; nil where there is none.
  package subscript(key: String) -> JSONValue? {
    members?.first { $0.isCalled(key) }?.value
  }

  /// The way to it from the top of its document.
  package var path: DocumentPath {
    var steps: [DocumentPath.Step] = []
    var place = place
    while place > 0 {
      let row = document.rows[place]
      let isMember = document.rows[place - 1].kind == .key
      steps.append(isMember ? .key(document.string(of: place - 1)) : .index(Int(row.index)))
      place = Int(row.parent)
    }
    return DocumentPath(steps: steps.reversed())
  }

  /// Whether two documents say the same thing in the same order, wherever it stands.
  ///
  /// - Parameter keys: Members of the outermost objects that do not count.
  package func hasSameContent(as other: JSONValue, apartFrom keys: String...) -> Bool {
    var (a, b) = (place, other.place)
    let ends = (document.rows[a].next, other.document.rows[b].next)
    while true {
      a = row(from: a, passing: keys)
      b = other.row(from: b, passing: keys)
      if a == ends.0 || b == ends.1 { return a == ends.0 && b == ends.1 }
      guard saysSame(at: a, as: other.document, at: b, isOutermost: a == place) else {
        return false
      }
      (a, b) = (a + 1, b + 1)
    }
  }

  /// The counterpart of a position within it, in another value of the same content.
  package func counterpart(of position: TextPosition?, in other: JSONValue) -> TextPosition? {
    (place..<Int(document.rows[place].next)).first { document.position(of: $0) == position }
      .map { other.document.position(of: $0 - place + other.place) }
  }

  /// Goes behind the members of some names, where one begins in a row.
  private func row(from start: Int, passing keys: [String]) -> Int {
    var row = start
    while !keys.isEmpty, row < document.rows.count, document.rows[row].kind == .key,
      Int(document.rows[row].parent) == place,
      keys.contains(where: { JSONMember(document, row).isCalled($0) })
    {
      row = Int(document.rows[row + 1].next)
    }
    return row
  }

  /// Whether two rows are the same but for what they hold.
  private func saysSame(at a: Int, as other: JSONDocument, at b: Int, isOutermost: Bool) -> Bool {
    let (first, second) = (document.rows[a], other.rows[b])
    if first.kind != second.kind { return false }
    switch first.kind {
    case .null, .no, .yes: return true
    case .array, .object: return first.count == second.count || isOutermost
    case .string, .key: return document.bytes(of: a) == other.bytes(of: b)
    case .number:
      let (text, otherText) = (document.bytes(of: a), other.bytes(of: b))
      return text == otherText || isSameNumber(text, otherText)
    }
  }

  package var string: String? { if case .string(let text) = content { text } else { nil } }

  package var flag: Bool? { if case .boolean(let flag) = content { flag } else { nil } }

  /// A number in units of 10⁻ᵖˡᵃᶜᵉˢ; nil for anything else.
  package func units(places: Int) -> Int64? {
    numberBytes.flatMap { try? ExactDecimal(json: $0) }?.units(places: places)
  }
}

package struct JSONMember: JSONItem, Sendable {
  private let document: JSONDocument
  private let place: Int

  package static let rowsBeforeValue = 1

  package init(_ document: JSONDocument, _ place: Int) {
    self.document = document
    self.place = place
  }

  package var key: String { document.string(of: place) }

  package var keyBytes: ArraySlice<UInt8> { document.bytes(of: place) }

  package var keyPosition: TextPosition { document.position(of: place) }

  package var value: JSONValue { JSONValue(document, place + 1) }

  package func isCalled(_ name: String) -> Bool { keyBytes.elementsEqual(name.utf8) }
}

/// An element of a list or a member of an object, in the rows of a document.
package protocol JSONItem {
  init(_ document: JSONDocument, _ row: Int)
  /// The rows from its first to that of its value.
  static var rowsBeforeValue: Int { get }
}

package typealias JSONElements = JSONItems<JSONValue>
package typealias JSONMembers = JSONItems<JSONMember>

/// The elements of a list, or the members of an object.
package struct JSONItems<Item: JSONItem>: Sequence, Sendable {
  let whole: JSONValue

  package var count: Int { Int(whole.document.rows[whole.place].count) }

  package var isEmpty: Bool { count == 0 }

  package func makeIterator() -> Iterator {
    Iterator(document: whole.document, row: whole.place + 1, left: count)
  }

  package struct Iterator: IteratorProtocol {
    let document: JSONDocument
    var row: Int
    var left: Int

    package mutating func next() -> Item? {
      if left == 0 { return nil }
      defer {
        row = Int(document.rows[row + Item.rowsBeforeValue].next)
        left -= 1
      }
      return Item(document, row)
    }
  }
}

/// Whether two strings hold the same scalars.
///
/// `==` takes a composed and a decomposed letter for the same, which two keys are not (RFC 8259
/// §8.3), and it needs the Unicode tables that the browser build would rather not carry.
package func isSameText(_ a: String, _ b: String) -> Bool {
  guard a.utf8.count == b.utf8.count else { return false }
  // Nothing generic is called: a debug build holds each line of a trace against its description.
  var (left, right) = (a.utf8.makeIterator(), b.utf8.makeIterator())
  while let one = left.next(), let other = right.next() {
    if one != other { return false }
  }
  return true
}

/// The same of names of which either may be absent.
package func isSameName(_ a: String?, _ b: String?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return isSameText(a, b)
}

/// Whether two numbers have one value, however they are written: 0.04 and 4e-2.
private func isSameNumber(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
  guard let one = try? ExactDecimal(json: a).ratio(times: 1),
    let other = try? ExactDecimal(json: b).ratio(times: 1)
  else { return false }
  return one == other
}
