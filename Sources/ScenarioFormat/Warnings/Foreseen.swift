import ExactText

// What an expectation speaks of, its author has thought of: no warning is needed.

extension Scenario {
  /// Whether something is expected of a figure or a property.
  package func expects(_ property: String) -> Bool {
    expectations.contains { expectation in
      guard case .properties(_, let claims) = expectation.claim else { return false }
      return claims.contains { isSameText($0.property.name, property) }
    }
  }
}
