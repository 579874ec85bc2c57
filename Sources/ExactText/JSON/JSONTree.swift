/// A JSON document that is made rather than read: the examples and the parts of a schema.
package indirect enum JSONTree: Sendable {
  case null
  case boolean(Bool)
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([(key: String, value: JSONTree)])

  package static func strings(_ texts: [String]) -> JSONTree { .array(texts.map { .string($0) }) }
}

extension JSONTree: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  /// Members in the order in which they are written; nil leaves one out.
  package init(dictionaryLiteral members: (String, JSONTree?)...) {
    self = .members(members)
  }

  package init(arrayLiteral elements: JSONTree...) { self = .array(elements) }

  package init(stringLiteral text: String) { self = .string(text) }

  package init(booleanLiteral flag: Bool) { self = .boolean(flag) }

  package init(integerLiteral number: Int64) { self = .whole(number) }

  package static func members(_ members: [(String, JSONTree?)]) -> JSONTree {
    .object(members.compactMap { key, value in value.map { (key: key, value: $0) } })
  }

  @inlinable package static func list<Parts: Sequence>(
    _ parts: Parts, _ tree: (Parts.Element) -> JSONTree
  ) -> JSONTree {
    .array(parts.map(tree))
  }

  package static func text(_ text: String?) -> JSONTree { text.map { .string($0) } ?? .null }

  package static func whole<Number: BinaryInteger>(_ number: Number?) -> JSONTree {
    number.map { .number("\($0)") } ?? .null
  }

  /// Units × 10⁻ᵖˡᵃᶜᵉˢ, or null.
  package static func decimal(_ units: Int64?, places: Int) -> JSONTree {
    guard let units else { return .null }
    var bytes: [UInt8] = []
    bytes.append(decimal: units, places: places)
    return .number(String(decoding: bytes, as: UTF8.self))
  }

  package static func seconds(_ nanoseconds: Int64?) -> JSONTree {
    .decimal(nanoseconds, places: 9)
  }

  /// Nanoseconds as exact seconds with their unit: "6.1 s".
  package static func secondsText(_ nanoseconds: Int64) -> String {
    seconds(nanoseconds).json + " s"
  }

  /// The text of a file: indented, with the end of its last line.
  package var fileText: [UInt8] {
    var writer = JSONWriter(.indented)
    writer.tree(self)
    writer.endLine()
    return writer.bytes
  }

  /// The members of one object and then those of another.
  package static func + (first: JSONTree, second: JSONTree) -> JSONTree {
    guard case .object(let start) = first, case .object(let rest) = second else { return first }
    return .object(start + rest)
  }

  package func without(_ key: String) -> JSONTree {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !isSameText($0.key, key) })
  }
}
