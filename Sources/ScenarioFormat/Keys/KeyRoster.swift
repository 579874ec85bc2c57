import ExactText

/// The keys of a table as far as nothing is set: which there are, which have to be there, and which
/// stand beside which others.
struct KeyRoster: Sendable {
  let object: ObjectShape
  let names: [String]
  private let index: KeyIndex
  /// The keys that must be there, those of which one must be, and those with rules of their own.
  private(set) var required = KeySet()
  private(set) var choices = KeySet()
  private(set) var restricted = KeySet()

  init(_ object: ObjectShape) {
    self.object = object
    names = object.keys.map { $0.name }
    index = KeyIndex(names)
    for (place, key) in object.keys.enumerated() {
      switch key.presence {
      case .optional: break
      case .required: required.insert(place)
      case .oneOf: choices.insert(place)
      }
      if key.companion != nil || !key.rivals.isEmpty { restricted.insert(place) }
    }
  }

  var keys: [KeyShape] { object.keys }

  func place(of name: ArraySlice<UInt8>) -> Int? { index.place(of: name) }

  func isChoice(_ name: String) -> Bool {
    place(of: name.bytes).map { choices.contains($0) } ?? false
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

/// Finds a name among some: by its length, then letter by letter.
private struct KeyIndex: Sendable {
  private let names: [[UInt8]]
  /// The places in the order of their names' lengths, and where each length begins.
  private var order: [Int]
  private var starts: [Int]

  init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }
    // Sorted by counting, in loops that call nothing generic: every process begins with it.
    var longest = 0
    for name in self.names { longest = max(longest, name.count) }
    starts = Array(repeating: 0, count: longest + 2)
    for name in self.names { starts[name.count + 1] += 1 }
    for length in 0...longest { starts[length + 1] += starts[length] }
    order = Array(repeating: 0, count: names.count)
    var free = starts
    for (place, name) in self.names.enumerated() {
      order[free[name.count]] = place
      free[name.count] += 1
    }
  }

  func place(of name: ArraySlice<UInt8>) -> Int? {
    guard name.count + 1 < starts.count else { return nil }
    for place in order[starts[name.count]..<starts[name.count + 1]]
    where name.elementsEqual(names[place]) {
      return place
    }
    return nil
  }
}
