/// Decoders of plain values, to hand to `required`, `optional` and `list`.
///
/// Each returns nil after it has reported why.
package enum Decode {
  /// Any string.
  package static func text(_ node: DocumentNode) -> String? {
    guard case .string(let text) = node.value.content else {
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
    guard case .boolean(let value) = node.value.content else {
      node.refuseKind(expected: "true or false")
      return nil
    }
    return value
  }

  /// One of several words, each with its meaning.
  package static func choice<Value>(
    _ words: [(word: String, value: Value)]
  ) -> (DocumentNode) -> Value? {
    { word($0, among: words) }
  }

  /// What a word means, as one of several.
  static func word<Value>(
    _ node: DocumentNode, among words: [(word: String, value: Value)]
  ) -> Value? {
    guard case .string(let text) = node.value.content else {
      node.refuseKind(expected: alternatives(words.map { $0.word }))
      return nil
    }
    if let match = words.first(where: { isSameText($0.word, text) }) { return match.value }
    let names = words.map { $0.word }
    node.refuse(
      "unknown word \(quotation(of: text))", expected: alternatives(names),
      suggestion: nearestWord(to: text, among: names))
    return nil
  }

  /// A list of at least so many elements.
  package static func list<Value>(
    atLeast least: Int = 0, of decode: @escaping (DocumentNode) -> Value?
  ) -> (DocumentNode) -> [Value]? {
    { $0.list(atLeast: least, of: decode) }
  }

  /// `null` as a value of its own, beside what `decode` takes.
  package static func nullable<Value>(
    _ decode: @escaping (DocumentNode) -> Value?
  ) -> (DocumentNode) -> Value?? {
    { node in
      if node.isNull { return .some(nil) }
      guard let value = decode(node) else { return nil }
      return .some(value)
    }
  }

  /// What `decode` takes, where a condition holds for it.
  package static func checked<Value>(
    _ decode: @escaping (DocumentNode) -> Value?, expected: String,
    where holds: @escaping (Value) -> Bool
  ) -> (DocumentNode) -> Value? {
    { node in
      guard let value = decode(node) else { return nil }
      if holds(value) { return value }
      node.refuse("found \(node.description)", expected: expected)
      return nil
    }
  }
}
