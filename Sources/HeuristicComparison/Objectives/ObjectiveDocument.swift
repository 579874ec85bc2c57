package import ExactText

extension JSONWriter {
  /// Writes objectives of a run, as a member: a value for each, null where there is none.
  package mutating func objectives(_ objectives: [Objective], of session: ViewedSession) {
    key("objectives")
    beginObject()
    for objective in objectives {
      key(objective.name)
      if let value = objective.billionths(session) { decimal(value, places: 9) } else { null() }
    }
    endObject()
  }
}

extension Objective {
  /// What it says of a session, as a name and words for a screen.
  ///
  /// - Parameter number: How a screen writes billionths.
  package func fact(
    of session: ViewedSession, _ number: (Int64) -> String
  ) -> (name: String, words: String) {
    (name, billionths(session).map { number($0) + " " + unit } ?? "none")
  }
}
