/// The reason a text is not what was asked for, such as a quantity of a kind.
package struct QuantityProblem: Error, Hashable, Sendable {
  package var message: String
  package var expected: String?
  package var suggestion: String?

  package init(_ message: String, expected: String? = nil, suggestion: String? = nil) {
    self.message = message
    self.expected = expected
    self.suggestion = suggestion
  }

  package var text: String {
    var text = message
    if let expected { text += ", expected " + expected }
    if let suggestion { text += "; did you mean “\(suggestion)”?" }
    return text
  }
}

/// The finest step and the largest value of a kind of quantity, in words.
struct QuantityLimits {
  /// The finest step, as in “is finer than a nanosecond”.
  let step: String
  let largest: String
}
