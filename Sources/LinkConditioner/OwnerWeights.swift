/// The number of shares of a link that the requests of each owner have.
struct OwnerWeights: Sendable {
  /// Those of owners who are not like everybody else.
  private var special: [(owner: Int32, weight: Int32)] = []
  private var standard: Int32 = 1

  mutating func set(_ weight: Int32, of owner: Int32, others: Int32) {
    special.removeAll { $0.owner == owner }
    special.append((owner, Self.allowed(weight)))
    standard = Self.allowed(others)
  }

  @inline(__always)
  func weight(of owner: Int32) -> Int32 {
    for weight in special where weight.owner == owner { return weight.weight }
    return standard
  }

  private static func allowed(_ weight: Int32) -> Int32 { min(max(weight, 1), 1_000) }
}
