public import VirtualTime

/// Settings of the requests on a link: HTTP, timeouts and transport.
public struct RequestOptions: Hashable, Sendable {
  /// One host that is not like the others.
  public struct Host: Hashable, Sendable {
    public var host: Int32
    public var http: HTTPOptions
  }

  /// For every host that is not named below.
  public var http: HTTPOptions
  public var hosts: [Host] = []
  public var timeouts: RequestTimeouts
  public var transport: TransportOptions

  public init(
    http: HTTPOptions = HTTPOptions(), timeouts: RequestTimeouts = .none,
    transport: TransportOptions = TransportOptions()
  ) {
    self.http = http
    self.timeouts = timeouts
    self.transport = transport
  }

  /// The options of a plain link: a lookup of the host, and one round trip per request.
  public static let plain = RequestOptions(http: .plain)

  /// The place of a host that is not like the others.
  @inline(__always)
  private func place(of host: Int32) -> Int? {
    for index in hosts.indices where hosts[index].host == host { return index }
    return nil
  }

  @inline(__always)
  subscript(host: Int32) -> HTTPOptions {
    if let place = place(of: host) { return hosts[place].http }
    return http
  }

  /// Makes one host unlike the others, or changes it.
  public mutating func set(_ http: HTTPOptions, forHost host: Int32) {
    if let index = place(of: host) {
      hosts[index].http = http
    } else {
      hosts.append(Host(host: host, http: http))
    }
  }
}

/// Timeouts after which a client gives a request up; nil waits for ever.
public struct RequestTimeouts: Hashable, Sendable {
  /// From the request to the first byte of the response.
  public var firstByte: TimeSpan?
  /// Without a byte while the response is being read; a client that does not read does not wait.
  public var idle: TimeSpan?
  /// From the request to the last byte.
  public var whole: TimeSpan?

  public init(firstByte: TimeSpan? = nil, idle: TimeSpan? = nil, whole: TimeSpan? = nil) {
    self.firstByte = firstByte
    self.idle = idle
    self.whole = whole
  }

  public static let none = RequestTimeouts()
}
