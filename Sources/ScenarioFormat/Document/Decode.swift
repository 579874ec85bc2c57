import ExactText

/// Readers of plain values, of which forms are made.
///
/// Each returns nil after it has reported why.
package enum Decode {
  /// Any string.
  package static func text(_ node: DocumentNode) -> String? {
    guard let text = node.plainText else {
      node.refuseKind(expected: "a string")
      return nil
    }
    return text
  }

  /// A string that says something.
  package static func nonEmptyText(_ node: DocumentNode) -> String? {
    guard let text = text(node) else { return nil }
    guard text.utf8.contains(where: { $0 != 0x20 }) else {
      node.refuse("the string is empty", expected: "some text")
      return nil
    }
    return text
  }

  /// `true` or `false`.
  package static func boolean(_ node: DocumentNode) -> Bool? {
    guard case .boolean(let value) = node.content else {
      node.refuseKind(expected: "true or false")
      return nil
    }
    return value
  }

  /// What a word means, as one of several.
  static func word<Value>(
    _ node: DocumentNode, among words: [(word: String, value: Value)]
  ) -> Value? {
    guard let text = node.plainText else {
      node.refuseKind(expected: alternatives(words.map { $0.word }))
      return nil
    }
    if let match = words.first(where: { isSameText($0.word, text) }) { return match.value }
    let own = Hints.ownWord(for: text)
    if let match = words.first(where: { isSameText($0.word, own) }) { return match.value }
    let names = words.map { $0.word }
    if let meant = Hints.call(text, among: names) {
      node.refuse(
        "\(quotation(of: text)) is a call",
        expected: "the word alone, and what it takes as keys "
          + "beside it", suggestion: meant)
      return nil
    }
    node.refuse(
      "unknown word \(quotation(of: text))", expected: alternatives(to: text, among: names),
      suggestion: nearestName(to: text, among: names))
    return nil
  }
}
