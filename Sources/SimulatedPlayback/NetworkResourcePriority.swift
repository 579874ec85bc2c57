/// `AVPlayer.networkResourcePriority`: who comes first among the players of an app.
///
/// Apple says no more than that. That the bandwidth is shared by weight, 1 : 2 : 4, and the weights
/// themselves are our assumptions.
public enum NetworkResourcePriority: String, Hashable, Sendable, CaseIterable {
  case low
  case standard = "default"
  case high

  /// The number of shares of the link that a request has.
  package var weight: Int32 {
    switch self {
    case .low: 1
    case .standard: 2
    case .high: 4
    }
  }
}
