import ExactText

/// An object that `DocumentNode.object` decodes: gives values by key and notes keys with a meaning.
package struct DocumentObject {
  package let node: DocumentNode
  private let members: JSONMembers
  private var table: KeyRoster?
  private var askedKeys: [String] = []
  /// The number of members whose key has been asked for.
  private var knownCount = 0
  /// Missing keys: each entry lists the keys of which one is required.
  private var missing: [[String]] = []
  private var isComplete = true
  private var isRepeated = false

  init(_ node: DocumentNode, _ members: JSONMembers) {
    self.node = node
    self.members = members
  }

  /// Whether the key is there; it has a meaning from now on.
  package mutating func has(_ key: String) -> Bool { member(key) != nil }

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
  package mutating func know(_ names: [String]) { for name in names { _ = member(name) } }

  /// Reports a mistake at a key that is there, or at the object.
  package mutating func refuse(key: String, _ message: String, expected: String? = nil) {
    isComplete = false
    let position = member(key)?.keyPosition ?? node.value.position
    node.log.add(at: position, node.path.appending(key: key), message, expected: expected)
  }

  mutating func refuse<Value>(key: String, _ message: String, expected: String? = nil) -> Value? {
    refuse(key: key, message, expected: expected)
    return nil
  }

  /// The value of a key as a node; it has a meaning from now on.
  package mutating func child(_ key: String) -> DocumentNode? {
    member(key).map { DocumentNode($0.value, in: node.log) }
  }

  /// Whether a key is there that nobody has asked for yet.
  package var hasUnknownKeys: Bool { knownCount < members.count }

  private mutating func member(_ key: String) -> JSONMember? {
    if isKnown(key) { return members.first { $0.isCalled(key) } }
    askedKeys.append(key)
    var first: JSONMember?
    for member in members where member.isCalled(key) {
      knownCount += 1
      if first == nil { first = member } else { isRepeated = true }
    }
    return first
  }

  private func isKnown(_ key: String) -> Bool {
    table?.place(of: key.utf8) != nil || askedKeys.contains { isSameText($0, key) }
  }

  /// Reads the keys of a table into a part, in the order of the file.
  mutating func read(_ table: KeyRoster, into part: UnsafeMutableRawPointer) {
    precondition(askedKeys.isEmpty, "an object is read by one table, before any other key")
    self.table = table
    var found = KeySet()
    for member in members {
      guard let place = table.place(of: member.keyBytes) else { continue }
      knownCount += 1
      if found.contains(place) {
        isRepeated = true
        continue
      }
      found.insert(place)
      let node = DocumentNode(member.value, in: node.log)
      let row = table.rows[place]
      if let scope = row.shape.scope {
        let isChoice = table.choices.contains(place)
        node.log.scopedKeys.append(ScopedKey(member: member, scope: scope, isChoice: isChoice))
      }
      if !row.read(node, part) { isComplete = false }
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
    let names = table.names
    let choices = names.indices.filter(table.choices.contains).map { names[$0] }
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
    func isThere(_ key: String) -> Bool {
      table.place(of: key.utf8).map { found.contains($0) } ?? has(key)
    }
    for (place, row) in table.rows.enumerated() where restricted.contains(place) {
      let key = row.shape
      if let companion = key.companion, !isThere(companion),
        !(isOpen && table.isChoice(companion))
      {
        if let alone = key.alone {
          refuse(key: key.name, alone.message, expected: alone.expected)
        } else {
          missing.append([companion])
        }
      }
      for rival in key.rivals where isThere(rival) {
        refuse(
          key: key.name, "cannot stand beside \(quotation(of: rival))",
          expected: "only one of " + alternatives([rival, key.name]))
      }
    }
  }

  /// Reports keys that are unknown, repeated or missing; false if anything was wrong.
  mutating func finish() -> Bool {
    if isRepeated || hasUnknownKeys { reportRepetitions() }
    if hasUnknownKeys { reportUnknownKeys() }
    for absent in missing {
      let words = alternatives(absent)
      node.log.add(
        at: node.value.position, node.path,
        absent.count == 1 ? "\(words) is missing" : "one of \(words) is missing")
    }
    return isComplete && missing.isEmpty
  }

  private mutating func reportUnknownKeys() {
    let known = (table?.names ?? []) + askedKeys
    for member in members where !isKnown(member.key) {
      isComplete = false
      let suggestion =
        Hints.key(member.key, among: known) ?? nearestWord(to: member.key, among: known)
      let remark = Hints.remark(on: member.key, member.value, among: known)
      // A misspelled key is one mistake, not an unknown key and a missing one.
      if let suggestion {
        missing.removeAll { $0.contains { isSameText($0, suggestion) } }
      }
      let expected = known.isEmpty ? "no keys here" : alternatives(to: member.key, among: known)
      node.log.add(
        at: member.keyPosition, node.path, "unknown key \(quotation(of: member.key))",
        expected: remark ?? (suggestion == nil ? expected : nil),
        suggestion: remark == nil ? suggestion : nil)
    }
  }

  private mutating func reportRepetitions() {
    var places: [[UInt8]: TextPosition] = [:]
    for member in members {
      let key = Array(member.key.utf8)
      guard let place = places[key] else {
        places[key] = member.keyPosition
        continue
      }
      isComplete = false
      node.log.add(
        at: member.keyPosition, node.path,
        "\(quotation(of: member.key)) is repeated; it stands first at line \(place.line), "
          + "column \(place.column)", expected: "each key once")
    }
  }
}
