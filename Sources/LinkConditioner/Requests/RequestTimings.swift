package import VirtualTime

/// The instant of each step of a request; nil for a step that it did not take.
package struct RequestTimings: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case underWay
    case completed
    case cancelled
    case failed(TransferFailure)
  }

  package var started: Instant
  /// The address of the host is known.
  package var lookedUp: Instant?
  /// The connection's first packet left; nil where another request had opened it.
  package var connecting: Instant?
  package var connected: Instant?
  /// The connection is ready for a request; nil without security.
  package var secured: Instant?
  /// The request leaves.
  package var sent: Instant?
  package var firstByte: Instant?
  /// The last byte, or whatever ended it.
  package var ended: Instant?
  /// The bytes of the body that arrived.
  package var bytes: Int64 = 0
  /// The number of the connection on the link, from 1; zero where there was none.
  package var connection: Int32 = 0
  package var reusesConnection = false
  package var outcome = Outcome.underWay
  package var fault: Fault?

  package var lookup: TimeSpan? { lookedUp.map { $0 - started } }

  package var connect: TimeSpan? { span(connecting, connected) }

  /// The duration of the TLS handshake.
  package var security: TimeSpan? { span(connected, secured) }

  /// From the address to the request, without opening a connection.
  package var waiting: TimeSpan? {
    guard let lookedUp, let sent else { return nil }
    guard let connecting else { return sent - lookedUp }
    let opening = (secured ?? connected ?? connecting) - max(connecting, lookedUp)
    return (sent - lookedUp) - max(.zero, opening)
  }

  package var response: TimeSpan? { span(sent, firstByte) }

  package var transfer: TimeSpan? { span(firstByte, ended) }

  private func span(_ from: Instant?, _ to: Instant?) -> TimeSpan? {
    guard let from, let to else { return nil }
    return to - from
  }
}
