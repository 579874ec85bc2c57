/// What `tcp` is like below the requests; `fluid` does not look at it.
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
