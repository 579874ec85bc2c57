import ExactText

/// The rows of a table: which keys there are, which have to be there, and which stand beside which
/// others.
final class KeyRoster: Sendable {
  let name: String
  private let about: String
  let rows: [KeyRow]
  let least: Int
  /// The number of bytes of each name.
  private let lengths: [Int]
  /// The keys that must be there, those of which one must be, and those with rules of their own.
  let required: KeySet
  let choices: KeySet
  let restricted: KeySet

  init(_ name: String, _ about: String, _ rows: [KeyRow], least: Int) {
    (self.name, self.about, self.rows, self.least) = (name, about, rows, least)
    var (required, choices, restricted) = (KeySet(), KeySet(), KeySet())
    var lengths: [Int] = []
    lengths.reserveCapacity(rows.count)
    for (place, row) in rows.enumerated() {
      lengths.append(row.shape.name.utf8.count)
      switch row.shape.presence {
      case .optional: break
      case .required: required.insert(place)
      case .oneOf: choices.insert(place)
      }
      if row.shape.companion != nil || !row.shape.rivals.isEmpty { restricted.insert(place) }
    }
    (self.required, self.choices, self.restricted) = (required, choices, restricted)
    self.lengths = lengths
  }

  var object: ObjectShape { ObjectShape(name: name, about: about, keys: keys, least: least) }

  var keys: [KeyShape] { rows.map { $0.shape } }

  var names: [String] { rows.map { $0.shape.name } }

  func place(of name: some Collection<UInt8>) -> Int? {
    let length = name.count
    for place in lengths.indices
    where lengths[place] == length && rows[place].shape.name.utf8.elementsEqual(name) {
      return place
    }
    return nil
  }

  func isChoice(_ name: String) -> Bool {
    place(of: name.utf8).map { choices.contains($0) } ?? false
  }

  /// Reports a text where the object is expected; false where there is none.
  func refusesText(at node: DocumentNode) -> Bool {
    guard case .string(let text) = node.content else { return false }
    node.refuse("found \(node.description)", expected: words(for: text))
    return true
  }

  /// Words for the object expected in place of a text.
  private func words(for text: String) -> String {
    let needed = keys.filter { $0.presence == .required }.map { $0.name }
    let isAddress = text.utf8.starts(with: "http".utf8) || text.utf8.starts(with: "file:".utf8)
    let remark = isAddress ? "; nothing is fetched from an address here" : ""
    if needed.count == 1 {
      return "an object, such as { \"\(needed[0])\": \"\(harmless(text))\" }" + remark
    }
    let names =
      needed.isEmpty
      ? keys.indices.filter { choices.contains($0) }.map { keys[$0].name } : needed
    let words = names.isEmpty ? "" : " with " + alternatives(to: text, among: names)
    return "an object\(words)\(remark)"
  }
}

/// Places in a table of at most 128 keys.
struct KeySet: Sendable {
  fileprivate var bits: UInt128 = 0

  var isEmpty: Bool { bits == 0 }

  var hasSeveral: Bool { bits & (bits &- 1) != 0 }

  func contains(_ place: Int) -> Bool { bits & 1 &<< UInt128(place) != 0 }

  mutating func insert(_ place: Int) {
    precondition(place < 128, "a table has at most 128 keys")
    bits |= 1 &<< UInt128(place)
  }

  func intersection(_ other: KeySet) -> KeySet { KeySet(bits: bits & other.bits) }

  func subtracting(_ other: KeySet) -> KeySet { KeySet(bits: bits & ~other.bits) }
}
