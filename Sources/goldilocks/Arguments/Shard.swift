/// One of several parts of some work, which machines share: the second of four is `2/4`.
struct Shard: Hashable, Sendable {
  let number: Int
  let count: Int

  private static let most = 10_000

  /// Nil for what is no number, a slash and a number that is not less.
  init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(Substring(parts[0])),
      let count = Int(Substring(parts[1])), (1...Self.most).contains(count),
      (1...count).contains(number)
    else { return nil }
    self.number = number
    self.count = count
  }

  /// Whether a piece of work is in this part: every piece is in exactly one, and neighbours, which
  /// often take equally long, are in different ones.
  func holds(_ index: Int) -> Bool { index % count == number - 1 }
}

extension Option {
  static let shard = Option(
    name: "shard", valueName: "part",
    help: "Do only that part of the work, such as 2/4: the parts together are the whole.")
}

extension Invocation {
  /// The part of the work that is asked for; nil for all of it.
  func shard() throws(Failure) -> Shard? {
    guard let text = value(of: .shard) else { return nil }
    if let shard = Shard(text) { return shard }
    throw Failure(
      usage: .verb(verb),
      "The value \(inQuotes(text)) is invalid for \(inQuotes(Option.shard.usage)). "
        + "Please provide a part and how many there are, such as 2/4.")
  }
}
