/// Settings of `tcp` below the requests; `fluid` ignores them.
public struct TransportOptions: Hashable, Sendable {
  public var connection = ConnectionOptions()
  public var path = PathOptions()

  public init() {}
}
