import ExactText
package import VirtualTime

/// Readers of plain values, of which forms are made: each returns nil after it has reported why.
package enum Decode {
  package static func text(_ node: DocumentNode) -> String? {
    node.plainText ?? node.refuseKind(expected: "a string")
  }

  package static func nonEmptyText(_ node: DocumentNode) -> String? {
    guard let text = text(node) else { return nil }
    guard text.utf8.contains(where: { $0 != 0x20 }) else {
      return node.refuse("the string is empty", expected: "some text")
    }
    return text
  }

  package static func boolean(_ node: DocumentNode) -> Bool? {
    node.value.flag ?? node.refuseKind(expected: "true or false")
  }

  static func word<Value>(
    _ node: DocumentNode, among words: [(word: String, value: Value)]
  ) -> Value? {
    guard let text = node.plainText else {
      return node.refuseKind(expected: alternatives(words.map { $0.word }))
    }
    // AVFoundation's word for what has a shorter one here.
    let own = isSameText(text, "waitingToPlayAtSpecifiedRate") ? "waiting" : text
    if let match = words.first(where: { isSameText($0.word, own) }) { return match.value }
    let names = words.map { $0.word }
    if let meant = Hints.call(text, among: names) {
      return node.refuse(
        "\(quotation(of: text)) is a call",
        expected: "the word alone, and what it takes as keys beside it", suggestion: meant)
    }
    return node.refuse(
      "unknown word \(quotation(of: text))", expected: alternatives(to: text, among: names),
      suggestion: nearestName(to: text, among: names))
  }

  package static func count(_ node: DocumentNode) -> Int64? {
    whole(node, in: 0...Int64.max, expected: "a whole number from 0 up")
  }

  /// A whole number within bounds, written as 20, 20.0 or 2e1.
  static func whole(_ node: DocumentNode, in bounds: ClosedRange<Int64>) -> Int64? {
    whole(
      node, in: bounds,
      expected: "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
  }

  /// The seed of a run: any 64 bits.
  package static func seed(_ node: DocumentNode) -> UInt64? {
    whole(node, in: 0...UInt64.max, expected: "a whole number from 0 up")
  }

  /// A playback rate from zero up, as a number or as decimal text: 1.5 or "1.5".
  package static func playbackRate(_ node: DocumentNode) -> PlaybackRate? {
    guard let text = node.stringBytes ?? node.value.numberBytes else {
      return node.refuseKind(expected: "a playback rate, such as 1.5")
    }
    return node.value(of: text, by: Quantity.playbackRate)
  }

  private static func whole<Number: FixedWidthInteger>(
    _ node: DocumentNode, in bounds: ClosedRange<Number>, expected: String
  ) -> Number? {
    var isTooLarge = false
    if let text = node.value.numberBytes {
      do throws(ExactDecimal.Failure) {
        let (number, denominator) = try ExactDecimal(json: text).ratio(times: 1)
        if denominator == 1, let whole = Number(exactly: number), bounds ~= whole { return whole }
        isTooLarge = denominator == 1 && number > Int128(bounds.upperBound)
      } catch {
        isTooLarge = error == .tooLarge
      }
    }
    return node.refuseKind(
      expected: isTooLarge ? "a whole number of at most \(bounds.upperBound)" : expected)
  }
}
