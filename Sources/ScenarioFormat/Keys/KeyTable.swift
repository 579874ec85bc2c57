import ExactText

/// The one description of the keys of an object: reader, schema, page and the words of messages
/// come from its rows.
///
/// Rules that join several keys stand beside the table, in what makes a value of the part.
package struct KeyTable<Part>: Sendable {
  let name: String
  let about: String
  let keys: [Key<Part>]
  let names: [String]
  /// How many keys an object has at least, for the schema.
  let least: Int
  private let index: KeyIndex
  /// The keys that must be there, those of which one must be, and those with rules of their own.
  private(set) var required = KeySet()
  private(set) var choices = KeySet()
  private(set) var restricted = KeySet()

  package init(
    _ name: String, _ about: String, least: Int = 0, @KeyRows<Part> keys: () -> [Key<Part>]
  ) {
    self.name = name
    self.about = about
    self.least = least
    self.keys = keys()
    names = self.keys.map { $0.name }
    index = KeyIndex(names)
    for (place, key) in self.keys.enumerated() {
      switch key.shape.presence {
      case .optional: break
      case .required: required.insert(place)
      case .oneOf: choices.insert(place)
      }
      if key.shape.companion != nil || key.shape.rival != nil { restricted.insert(place) }
    }
  }

  /// How such an object is written.
  var shape: Shape { .object(name) { objectShape } }

  /// The keys as the schema and the page of keys want them.
  var objectShape: ObjectShape {
    ObjectShape(name: name, about: about, keys: keys.map { $0.shape }, least: least)
  }

  /// Where in the table a key stands; nil where it does not.
  func place(of name: ArraySlice<UInt8>) -> Int? { index.place(of: name) }

  /// Whether a key is one of several of which one has to be there.
  func isChoice(_ name: String) -> Bool {
    place(of: name.bytes).map { choices.contains($0) } ?? false
  }

  /// An object whose keys become a part, and the part a value.
  ///
  /// - Parameter make: nil where it has reported a mistake. It is called although a key may be
  ///   missing or wrong, so that all mistakes are reported at once; its value is then not used.
  package func form<Value>(
    _ part: @escaping @Sendable @autoclosure () -> Part,
    _ make: @escaping @Sendable (Part, inout DocumentObject) -> Value?
  ) -> Form<Value> {
    Form(shape) { read($0, part(), make) }
  }

  /// The same, where the part is the value.
  package func form(_ part: @escaping @Sendable @autoclosure () -> Part) -> Form<Part> {
    Form(shape) { read($0, part()) { part, _ in part } }
  }

  /// What is expected where a text stands for an object.
  private func objectWords(for text: String) -> String {
    let needed = keys.filter { $0.shape.presence == .required }.map { $0.name }
    let isAddress = text.utf8.starts(with: "http".utf8) || text.utf8.starts(with: "file:".utf8)
    let remark = isAddress ? "; nothing is fetched from an address here" : ""
    if needed.count == 1 {
      return "an object, such as { \"\(needed[0])\": \"\(harmless(text))\" }" + remark
    }
    let names =
      needed.isEmpty
      ? keys.filter { choices.contains(place(of: $0.name.bytes) ?? 0) }
        .map { $0.name } : needed
    let words = names.isEmpty ? "" : " with " + alternatives(to: text, among: names)
    return "an object\(words)\(remark)"
  }

  /// The value of an object, given what its part knows from elsewhere.
  func read<Value>(
    _ node: DocumentNode, _ part: Part, _ make: (Part, inout DocumentObject) -> Value?
  ) -> Value? {
    if case .string(let text) = node.content {
      node.refuseKind(expected: objectWords(for: text))
      return nil
    }
    return node.object { object in
      var part = part
      object.read(self, into: &part)
      return make(part, &object)
    }
  }
}

/// Places in a table of at most 128 keys.
struct KeySet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  var isEmpty: Bool { low == 0 && high == 0 }

  /// Whether it has more than one place.
  var hasSeveral: Bool { low.nonzeroBitCount + high.nonzeroBitCount > 1 }

  func contains(_ place: Int) -> Bool {
    place < 64 ? low & 1 << UInt64(place) != 0 : high & 1 << UInt64(place - 64) != 0
  }

  mutating func insert(_ place: Int) {
    precondition(place < 128, "a table has at most 128 keys")
    if place < 64 { low |= 1 << UInt64(place) } else { high |= 1 << UInt64(place - 64) }
  }

  func intersection(_ other: KeySet) -> KeySet {
    var both = self
    both.low &= other.low
    both.high &= other.high
    return both
  }

  func subtracting(_ other: KeySet) -> KeySet {
    var rest = self
    rest.low &= ~other.low
    rest.high &= ~other.high
    return rest
  }
}

/// Finds a name among some: by its length, then letter by letter.
private struct KeyIndex: Sendable {
  private let names: [[UInt8]]
  /// The places in the order of their names' lengths, and where each length begins.
  private var order: [Int] = []
  private var starts: [Int] = [0]

  init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }
    let longest = names.reduce(0) { max($0, $1.utf8.count) }
    for length in 0...longest {
      order += names.indices.filter { names[$0].utf8.count == length }
      starts.append(order.count)
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
