import HeuristicComparison

extension Option {
  static let shard = Option(
    name: "shard", valueName: "part",
    help: "Do only that part of the work, such as 2/4: the parts together are the whole.")
}

extension Invocation {
  /// The part of the work that is asked for; nil for all of it.
  func shard() throws(Failure) -> StudyShard? {
    guard let text = value(of: .shard) else { return nil }
    if let shard = StudyShard(text) { return shard }
    throw Failure(
      usage: .verb(verb),
      "The value \(inQuotes(text)) is invalid for \(inQuotes(Option.shard.usage)). "
        + "Please provide a part and how many there are, such as 2/4.")
  }
}
