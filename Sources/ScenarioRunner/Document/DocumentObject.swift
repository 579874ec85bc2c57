/// An object that is being decoded: it hands out values by key and notes which keys have a meaning.
///
/// `DocumentNode.object` makes one and finishes it.
package struct DocumentObject {
  package let node: DocumentNode
  private let members: [JSONMember]
  /// The keys that have been asked for.
  private var known: [String] = []
  private var missing: [Missing] = []
  private var isComplete = true
  /// Whether the file chooses the keys, so that none is unknown.
  private var takesAnyKey = false

  /// What must be there and is not: one of these keys.
  private struct Missing {
    let keys: [String]
  }

  init(_ node: DocumentNode, _ members: [JSONMember]) {
    self.node = node
    self.members = members
  }

  /// Whether the key is there; it has a meaning from now on.
  package mutating func has(_ key: String) -> Bool {
    member(key) != nil
  }

  /// The value of a key that must be there.
  package mutating func required<Value>(
    _ key: String, as decode: (DocumentNode) -> Value?
  ) -> Value? {
    guard let node = child(key) else {
      missing.append(Missing(keys: [key]))
      return nil
    }
    return decode(node)
  }

  /// The value of a key that may be there; nil also where it is wrong, which has been reported.
  @discardableResult
  package mutating func optional<Value>(
    _ key: String, as decode: (DocumentNode) -> Value?
  ) -> Value? {
    guard let node = child(key) else { return nil }
    let value = decode(node)
    if value == nil { isComplete = false }
    return value
  }

  /// The value of a key that may be there, or what its absence means.
  package mutating func optional<Value>(
    _ key: String, default absent: Value, as decode: (DocumentNode) -> Value?
  ) -> Value {
    optional(key, as: decode) ?? absent
  }

  /// Gives keys a meaning that are not looked at here.
  package mutating func know(_ names: [String]) {
    for name in names where !isKnown(name) { known.append(name) }
  }

  /// The value of the one key that is there among several that exclude each other.
  package mutating func exactlyOne<Value>(
    of choices: [(key: String, decode: (DocumentNode) -> Value?)]
  ) -> Value? {
    var found: (key: String, value: Value?)?
    for choice in choices {
      guard let node = child(choice.key) else { continue }
      let value = choice.decode(node)
      if let found {
        refuse(
          key: choice.key, "cannot stand beside \(quotation(of: found.key))",
          expected: "only one of " + alternatives(choices.map { $0.key }))
      } else {
        found = (choice.key, value)
      }
    }
    if found == nil { missing.append(Missing(keys: choices.map { $0.key })) }
    return found?.value
  }

  /// A value that another key's makes necessary; nil where it is missing or wrong.
  package mutating func need<Value>(_ key: String, _ value: Value?) -> Value? {
    if !has(key) { missing.append(Missing(keys: [key])) }
    return value
  }

  /// All values by keys that the file chooses, in its order; nil if one cannot be decoded.
  package mutating func everyKey<Value>(
    as decode: (DocumentNode) -> Value?
  ) -> [(name: String, value: Value)]? {
    takesAnyKey = true
    var decoded: [(name: String, value: Value)] = []
    for member in members {
      let path = node.path.appending(key: member.key)
      if let value = decode(DocumentNode(member.value, at: path, in: node.log)) {
        decoded.append((member.key, value))
      }
    }
    return decoded.count == members.count ? decoded : nil
  }

  /// Reports a mistake at a key that is there, or at the object.
  package mutating func refuse(key: String, _ message: String, expected: String? = nil) {
    isComplete = false
    let position = member(key)?.keyPosition ?? node.value.position
    node.log.add(at: position, node.path.appending(key: key), message, expected: expected)
  }

  /// The value of a key as a node; it has a meaning from now on.
  package mutating func child(_ key: String) -> DocumentNode? {
    guard let member = member(key) else { return nil }
    return DocumentNode(member.value, at: node.path.appending(key: key), in: node.log)
  }

  /// Whether a key is there that nobody has asked for yet.
  package var hasUnknownKeys: Bool { members.contains { !isKnown($0.key) } }

  private mutating func member(_ key: String) -> JSONMember? {
    if !isKnown(key) { known.append(key) }
    return members.first { isSameText($0.key, key) }
  }

  private func isKnown(_ key: String) -> Bool {
    known.contains { isSameText($0, key) }
  }
}

// MARK: - What nobody asked for

extension DocumentObject {
  /// Reports keys that are unknown, repeated or missing; false if anything was wrong.
  mutating func finish() -> Bool {
    reportRepetitions()
    if !takesAnyKey { reportUnknownKeys() }
    for absent in missing {
      let words = alternatives(absent.keys)
      node.log.add(
        at: node.value.position, node.path,
        absent.keys.count == 1 ? "\(words) is missing" : "one of \(words) is missing")
    }
    return isComplete && missing.isEmpty
  }

  private mutating func reportUnknownKeys() {
    for member in members where !isKnown(member.key) {
      isComplete = false
      let suggestion = nearestWord(to: member.key, among: known)
      // A misspelled key is one mistake, not an unknown key and a missing one.
      if let suggestion {
        missing.removeAll { $0.keys.contains { isSameText($0, suggestion) } }
      }
      let expected = known.isEmpty ? "no keys here" : alternatives(known)
      node.log.add(
        at: member.keyPosition, node.path, "unknown key \(quotation(of: member.key))",
        expected: suggestion == nil ? expected : nil, suggestion: suggestion)
    }
  }

  private mutating func reportRepetitions() {
    for (first, later) in repetitions {
      isComplete = false
      let place = members[first].keyPosition
      node.log.add(
        at: members[later].keyPosition, node.path,
        "\(quotation(of: members[later].key)) is repeated; it stands first at line \(place.line), "
          + "column \(place.column)", expected: "each key once")
    }
  }

  /// Which members repeat the key of an earlier one.
  ///
  /// By sorting, since a file may hold a hundred thousand keys.
  private var repetitions: [(first: Int, later: Int)] {
    let order = members.indices.sorted { a, b in
      if isSameText(members[a].key, members[b].key) { return a < b }
      return members[a].key.utf8.lexicographicallyPrecedes(members[b].key.utf8)
    }
    var found: [(first: Int, later: Int)] = []
    var first = 0
    for index in order.indices.dropFirst() {
      if isSameText(members[order[index]].key, members[order[first]].key) {
        found.append((order[first], order[index]))
      } else {
        first = index
      }
    }
    return found
  }
}
