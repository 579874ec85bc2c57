public import VirtualTime

/// HTTP settings of a host: the connections for its requests, and the cost of opening one.
public struct HTTPOptions: Hashable, Sendable {
  public enum Version: Hashable, Sendable {
    /// One request at a time on a connection, and at most so many connections to a host.
    case http1(connections: Int32)
    /// One connection to a host, which at most so many requests share.
    case http2(streams: Int32)

    /// The maximum number of connections to a host.
    package var mostConnections: Int32 {
      switch self {
      case .http1(let connections): max(1, connections)
      case .http2: 1
      }
    }

    /// The maximum number of requests under way on one connection.
    var mostStreams: Int32 {
      switch self {
      case .http1: 1
      case .http2(let streams): max(1, streams)
      }
    }

    /// Whether one request can end early and leave the connection to the others.
    var resetsStreams: Bool { if case .http2 = self { true } else { false } }
  }

  public enum Security: Hashable, Sendable, CaseIterable {
    case none
    /// RFC 5246 §7.3: two round trips.
    case tls12
    /// RFC 8446 §2: one round trip.
    case tls13
  }

  public var version: Version
  public var security: Security
  /// Whether connections must be opened; else every request finds one open. `tcp` always opens.
  public var opensConnections: Bool
  /// The time that an unused connection stays open; our assumption, servers differ.
  public var idleTimeout: TimeSpan
  /// The number of connections open from the beginning, secured, with nothing sent on them yet.
  public var standingConnections: Int32 = 0

  public init(
    version: Version = .http1(connections: 6), security: Security = .none,
    opensConnections: Bool = true, idleTimeout: TimeSpan = .seconds(60)
  ) {
    self.version = version
    self.security = security
    self.opensConnections = opensConnections
    self.idleTimeout = idleTimeout
  }

  /// No connections: the address of the host, and a round trip a request.
  public static let plain = HTTPOptions(version: .http1(connections: .max), opensConnections: false)

  /// The round trips after the connection stands and before a request can be sent.
  var securityRoundTrips: Int64 {
    switch security {
    case .none: 0
    case .tls13: 1
    case .tls12: 2
    }
  }
}

/// The sizes of the messages around a body; `fluid` counts their round trips alone.
///
/// Typical sizes, an assumption each: a server's flight is mostly its certificates.
package enum MessageSizes {
  package static let clientHello: Int64 = 517
  /// TLS 1.2: ServerHello, Certificate, ServerKeyExchange, ServerHelloDone.
  package static let serverFlight12: Int64 = 3_600
  /// TLS 1.2: ClientKeyExchange, ChangeCipherSpec, Finished.
  package static let clientFinished12: Int64 = 126
  /// TLS 1.2: NewSessionTicket, ChangeCipherSpec, Finished.
  package static let serverFinished12: Int64 = 258
  /// TLS 1.3: ServerHello to Finished in one.
  package static let serverFlight13: Int64 = 3_400
  /// TLS 1.3: Finished; the request follows without waiting.
  package static let clientFinished13: Int64 = 80
  package static let request: Int64 = 400
  package static let responseHeader: Int64 = 250
  /// HTTP/2: the most that one stream sends in its turn; RFC 9113 §6.5.2 says 16,384 at first.
  package static let frame: Int64 = 16_384
  /// RFC 9113 §4.1.
  package static let frameHeader: Int64 = 9
  /// RFC 9113 §6.4 and §6.9: RST_STREAM and WINDOW_UPDATE, with their header.
  package static let streamControl: Int64 = 13
}
