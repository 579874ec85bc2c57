package import ExactText

extension [Objective] {
  /// Their values for a session, as a member: null where there is none.
  package func document(of session: ViewedSession) -> JSONTree {
    ["objectives": .members(map { ($0.name, .decimal($0.billionths(session), places: 9)) })]
  }
}

extension Objective {
  /// The value of a session, as a name and words for a screen.
  ///
  /// - Parameter number: Text of billionths on a screen.
  package func fact(
    of session: ViewedSession, _ number: (Int64) -> String
  ) -> (name: String, words: String) {
    (name, billionths(session).map { number($0) + " " + unit } ?? "none")
  }
}
