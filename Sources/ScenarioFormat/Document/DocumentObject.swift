import ExactText

/// An object that is being decoded: it hands out values by key and notes which keys have a meaning.
///
/// `DocumentNode.object` makes one and finishes it.
package struct DocumentObject {
  package let node: DocumentNode
  private let members: JSONMembers
  private var tableKeys: [String] = []
  private var askedKeys: [String] = []
  private var taken = MemberSet()
  /// Missing keys: each entry lists the keys of which one is required.
  private var missing: [[String]] = []
  private var isComplete = true
  private var isRepeated = false

  init(_ node: DocumentNode, _ members: JSONMembers) {
    self.node = node
    self.members = members
  }

  /// Whether the key is there; it has a meaning from now on.
  package mutating func has(_ key: String) -> Bool {
    member(key) != nil
  }

  package mutating func required<Value>(
    _ key: String, as decode: (DocumentNode) -> Value?
  ) -> Value? {
    guard let node = child(key) else {
      missing.append([key])
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

  /// Gives keys a meaning that are not looked at here.
  package mutating func know(_ names: [String]) {
    for name in names { _ = member(name) }
  }

  /// Reports a mistake at a key that is there, or at the object.
  package mutating func refuse(key: String, _ message: String, expected: String? = nil) {
    isComplete = false
    let position = member(key)?.keyPosition ?? node.value.position
    node.log.add(at: position, node.path.appending(key: key), message, expected: expected)
  }

  /// The value of a key as a node; it has a meaning from now on.
  mutating func refuse<Value>(
    key: String, _ message: String, expected: String? = nil
  ) -> Value? {
    refuse(key: key, message, expected: expected)
    return nil
  }

  package mutating func child(_ key: String) -> DocumentNode? {
    guard let member = member(key) else { return nil }
    return DocumentNode(member.value, in: node.log)
  }

  /// Whether a key is there that nobody has asked for yet.
  package var hasUnknownKeys: Bool { taken.count < members.count }

  private mutating func member(_ key: String) -> JSONMember? {
    if isKnown(key) { return members.first { $0.isCalled(key) } }
    askedKeys.append(key)
    var first: JSONMember?
    for (index, member) in members.enumerated() where member.isCalled(key) {
      taken.insert(index)
      if first == nil { first = member } else { isRepeated = true }
    }
    return first
  }

  private func isKnown(_ key: String) -> Bool {
    tableKeys.contains { isSameText($0, key) } || askedKeys.contains { isSameText($0, key) }
  }
}

// MARK: - Tables

extension DocumentObject {
  /// Reads the keys of a table into a part, in the order of the file.
  mutating func read<Part>(_ table: KeyTable<Part>, into part: inout Part) {
    read(table.roster) { place, node in table.keys[place].read(node, &part) }
  }

  /// - Parameter readKey: reads the value of the key at a place of the table; false where that
  ///   reported a mistake.
  private mutating func read(_ table: KeyRoster, _ readKey: (Int, DocumentNode) -> Bool) {
    if tableKeys.isEmpty { tableKeys = table.names } else { tableKeys += table.names }
    var found = KeySet()
    for (index, member) in members.enumerated() {
      guard let place = table.place(of: member.keyBytes) else { continue }
      taken.insert(index)
      if found.contains(place) {
        isRepeated = true
        continue
      }
      found.insert(place)
      let node = DocumentNode(member.value, in: node.log)
      if let scope = table.keys[place].scope {
        node.log.scopedKeys.append(ScopedKey(member: member, scope: scope))
      }
      if !readKey(place, node) { isComplete = false }
    }
    checkPresence(table, found)
    checkNeighbours(table, found)
  }

  private mutating func checkPresence(_ table: KeyRoster, _ found: KeySet) {
    let chosen = table.choices.intersection(found)
    var isChosen = !chosen.isEmpty
    if table.required.subtracting(found).isEmpty && (isChosen || table.choices.isEmpty)
      && !chosen.hasSeveral
    {
      return
    }
    let choices = table.keys.indices.filter(table.choices.contains).map { table.keys[$0].name }
    var first: String?
    for (place, key) in table.keys.enumerated() {
      if table.required.contains(place), !found.contains(place) {
        missing.append([key.name])
      }
      guard table.choices.contains(place) else { continue }
      if !isChosen { missing.append(choices) }
      isChosen = true
      guard found.contains(place) else { continue }
      if let first {
        refuse(
          key: key.name, "cannot stand beside \(quotation(of: first))",
          expected: "only one of " + alternatives(choices))
      } else {
        first = key.name
      }
    }
  }

  private mutating func checkNeighbours(_ table: KeyRoster, _ found: KeySet) {
    let restricted = table.restricted.intersection(found)
    if restricted.isEmpty { return }
    // A missing one-of key is reported as that, and not again as another key's companion.
    let isOpen = !table.choices.isEmpty && table.choices.intersection(found).isEmpty
    for (place, key) in table.keys.enumerated() where restricted.contains(place) {
      if let companion = key.companion, !has(companion),
        !(isOpen && table.isChoice(companion))
      {
        if let alone = key.alone {
          refuse(key: key.name, alone.message, expected: alone.expected)
        } else {
          missing.append([companion])
        }
      }
      for rival in key.rivals where has(rival) {
        refuse(
          key: key.name, "cannot stand beside \(quotation(of: rival))",
          expected: "only one of " + alternatives([rival, key.name]))
      }
    }
  }
}

private struct MemberSet {
  private(set) var count = 0
  /// The first 64, which is all of them as a rule.
  private var first: UInt64 = 0
  private var later: [Bool] = []

  func contains(_ place: Int) -> Bool {
    if place < 64 { return first & 1 << UInt64(place) != 0 }
    return place - 64 < later.count && later[place - 64]
  }

  mutating func insert(_ place: Int) {
    if contains(place) { return }
    count += 1
    if place < 64 {
      first |= 1 << UInt64(place)
      return
    }
    while later.count <= place - 64 { later.append(false) }
    later[place - 64] = true
  }
}

// MARK: - Unknown keys

extension DocumentObject {
  /// Reports keys that are unknown, repeated or missing; false if anything was wrong.
  mutating func finish() -> Bool {
    if isRepeated || taken.count < members.count { reportRepetitions() }
    if taken.count < members.count { reportUnknownKeys() }
    for absent in missing {
      let words = alternatives(absent)
      node.log.add(
        at: node.value.position, node.path,
        absent.count == 1 ? "\(words) is missing" : "one of \(words) is missing")
    }
    return isComplete && missing.isEmpty
  }

  private mutating func reportUnknownKeys() {
    let known = tableKeys + askedKeys
    for (index, member) in members.enumerated() where !taken.contains(index) {
      isComplete = false
      let suggestion =
        Hints.key(member.key, among: known) ?? nearestWord(to: member.key, among: known)
      let remark = Hints.remark(on: member.key, member.value, among: known)
      // A misspelled key is one mistake, not an unknown key and a missing one.
      if let suggestion {
        missing.removeAll { $0.contains { isSameText($0, suggestion) } }
      }
      let expected =
        known.isEmpty ? "no keys here" : alternatives(to: member.key, among: known)
      node.log.add(
        at: member.keyPosition, node.path, "unknown key \(quotation(of: member.key))",
        expected: remark ?? (suggestion == nil ? expected : nil),
        suggestion: remark == nil ? suggestion : nil)
    }
  }

  private mutating func reportRepetitions() {
    let members = Array(members)
    for (first, later) in repetitions(of: members.map { $0.key }) {
      isComplete = false
      let place = members[first].keyPosition
      node.log.add(
        at: members[later].keyPosition, node.path,
        "\(quotation(of: members[later].key)) is repeated; it stands first at line \(place.line), "
          + "column \(place.column)", expected: "each key once")
    }
  }

  /// The members that repeat the key of an earlier one.
  ///
  /// By sorting, since a file may hold a hundred thousand keys.
  private func repetitions(of keys: [String]) -> [(first: Int, later: Int)] {
    let order = keys.indices.sorted { a, b in
      if isSameText(keys[a], keys[b]) { return a < b }
      return keys[a].utf8.lexicographicallyPrecedes(keys[b].utf8)
    }
    var found: [(first: Int, later: Int)] = []
    var first = 0
    for index in order.indices.dropFirst() {
      if isSameText(keys[order[index]], keys[order[first]]) {
        found.append((order[first], order[index]))
      } else {
        first = index
      }
    }
    return found
  }
}
