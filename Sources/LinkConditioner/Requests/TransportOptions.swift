/// Settings of `tcp` below the requests; `fluid` ignores them.
public struct TransportOptions: Hashable, Sendable {
  public var connection: ConnectionOptions
  public var path: PathOptions

  public init(
    connection: ConnectionOptions = ConnectionOptions(), path: PathOptions = PathOptions()
  ) {
    self.connection = connection
    self.path = path
  }
}
