public import VirtualTime

/// When each step of a request's life was taken; nil for a step that it did not take.
public struct RequestTimings: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    case underWay
    case completed
    case cancelled
    case failed(TransferFailure)
  }

  public var host: Int32
  public var started: Instant
  /// The address of the host is known.
  public var lookedUp: Instant?
  /// The connection's first packet left; nil where another request had opened it.
  public var connecting: Instant?
  public var connected: Instant?
  /// The connection is ready for a request; nil without security.
  public var secured: Instant?
  /// The request leaves.
  public var sent: Instant?
  public var firstByte: Instant?
  /// The last byte, or whatever ended it.
  public var ended: Instant?
  /// The bytes of the body that arrived.
  public var bytes: Int64 = 0
  /// The number of the connection on the link, from 1; zero where there was none.
  public var connection: Int32 = 0
  public var reusesConnection = false
  public var outcome = Outcome.underWay

  init(host: Int32, started: Instant) {
    self.host = host
    self.started = started
  }
}

extension RequestTimings {
  /// What looking up the host took.
  public var lookup: TimeSpan? { lookedUp.map { $0 - started } }

  /// What opening the connection took.
  public var connect: TimeSpan? { span(connecting, connected) }

  /// What securing it took.
  public var security: TimeSpan? { span(connected, secured) }

  /// From the address to the request, without opening a connection.
  public var waiting: TimeSpan? {
    guard let lookedUp, let sent else { return nil }
    guard let connecting else { return sent - lookedUp }
    let opening = (secured ?? connected ?? connecting) - max(connecting, lookedUp)
    return (sent - lookedUp) - max(.zero, opening)
  }

  /// From the request to the first byte.
  public var response: TimeSpan? { span(sent, firstByte) }

  /// From the first byte to the last.
  public var transfer: TimeSpan? { span(firstByte, ended) }

  private func span(_ from: Instant?, _ to: Instant?) -> TimeSpan? {
    guard let from, let to else { return nil }
    return to - from
  }
}
