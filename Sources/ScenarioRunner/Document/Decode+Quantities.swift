import ExactText
package import LinkConditioner
package import VirtualTime

/// Decoders of quantities: strings with units.
extension Decode {
  /// A length of run time from zero up.
  package static func timeSpan(_ node: DocumentNode) -> TimeSpan? {
    quantity(node, of: .time, Quantity.timeSpan)
  }

  /// A length of media or a place in it, from zero up.
  package static func mediaTime(_ node: DocumentNode) -> MediaTime? {
    quantity(node, of: .time) { (text) throws(QuantityProblem) in try Quantity.mediaTime(text) }
  }

  /// A place in media that may lie before its start.
  package static func signedMediaTime(_ node: DocumentNode) -> MediaTime? {
    quantity(node, of: .time) { (text) throws(QuantityProblem) in
      try Quantity.mediaTime(text, signed: true)
    }
  }

  /// A size in bytes.
  package static func bytes(_ node: DocumentNode) -> Int64? {
    quantity(node, of: .size, Quantity.bytes)
  }

  /// A bit rate; zero is one.
  package static func bitRate(_ node: DocumentNode) -> BitRate? {
    quantity(node, of: .bitRate, Quantity.bitRate)
  }

  /// A bit rate or "unlimited".
  package static func bandwidth(_ node: DocumentNode) -> Bandwidth? {
    quantity(node, of: .bitRate, Quantity.bandwidth)
  }

  /// A percentage from zero up, which may be more than a hundred.
  package static func percentage(_ node: DocumentNode) -> Ratio? {
    quantity(node, of: .percentage, Quantity.percentage)
  }

  /// A probability, "0 %" to "100 %".
  package static func lossRatio(_ node: DocumentNode) -> LossRatio? {
    quantity(node, of: .percentage, Quantity.lossRatio)
  }

  private static func quantity<Value>(
    _ node: DocumentNode, of system: UnitSystem,
    _ read: (String) throws(QuantityProblem) -> Value
  ) -> Value? {
    guard case .string(let text) = node.value.content else {
      refuseBare(node, system)
      return nil
    }
    do throws(QuantityProblem) {
      return try read(text)
    } catch {
      node.refuse(error.message, expected: error.expected, suggestion: error.suggestion)
      return nil
    }
  }

  private static func refuseBare(_ node: DocumentNode, _ system: UnitSystem) {
    if case .number = node.value.content {
      node.refuse(
        "\(node.description) has no unit",
        expected: "a string: " + system.form)
    } else {
      node.refuseKind(expected: "a \(system.quantity) such as “\(system.example)”")
    }
  }
}
