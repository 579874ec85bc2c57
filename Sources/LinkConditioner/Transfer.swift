package import VirtualTime

/// One request and its response on a link; numbered from 1 in the order they were started.
public struct TransferID: Hashable, Comparable, Sendable {
  package var rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  public static func < (a: TransferID, b: TransferID) -> Bool { a.rawValue < b.rawValue }
}

/// A request for a response over the link.
package struct Request: Hashable, Sendable {
  /// The body of the response.
  package var bytes: Int64
  /// Looked up once per link; requests to one host may share connections.
  package var host: Int32
  /// The number of the requester, returned in every event about the transfer.
  package var owner: Int32
  /// The server's processing time before it answers.
  package var thinkTime: TimeSpan
  /// Until when the server holds the answer back, thinking included; nil for no such instant.
  package var availableAt: Instant?
  /// The name that fault rules match: a URL, or a part of one.
  package var label: String
  /// The requester's track: its requests follow each other on one connection where that is free.
  package var track: Int32
  /// The weight of the request on a fluid link, in shares; at most 1,000.
  package var weight: Int32 = 1
  /// Whether its owner follows the line of its bytes, and is told when that is another one.
  package var followsLine: Bool
  /// The URI of the resource, where it says more than the label.
  package var uri: String

  package init(
    bytes: Int64, host: Int32 = 0, owner: Int32 = 0, thinkTime: TimeSpan = .zero,
    availableAt: Instant? = nil, label: String = "", uri: String = "", followsLine: Bool = true,
    track: Int32 = 0
  ) {
    self.bytes = bytes
    self.host = host
    self.owner = owner
    self.thinkTime = thinkTime
    self.availableAt = availableAt
    self.label = label
    self.uri = uri
    self.followsLine = followsLine
    self.track = track
  }
}

/// The time that a server keeps a request that reaches it at an instant.
func serverTime(
  _ thinkTime: TimeSpan, until availableAt: Instant?, reachedAt instant: Instant
) -> TimeSpan {
  let thinkTime = max(.zero, thinkTime)
  return availableAt.map { max(thinkTime, $0 - instant) } ?? thinkTime
}

/// The reason a transfer ended without its last byte.
public enum TransferFailure: Hashable, Sendable {
  /// A response of a negative size, or of more than `LinkLimits.mostBytes`.
  case impossibleSize
  /// More than `LinkLimits.mostTransfers` at a time.
  case tooManyTransfers
  /// The server answered with an error.
  case httpStatus(Int32)
  /// The server closed the connection in the middle.
  case connectionReset
  /// The client waited as long as it was willing to.
  case timedOut
}

package enum LinkEvent: Hashable, Sendable {
  /// The response begins: bytes may arrive from now on.
  case responded(TransferID, owner: Int32)
  /// The last byte is there; the link has forgotten the transfer.
  case completed(TransferID, owner: Int32)
  /// Its bytes no longer arrive along the line that was asked for: another transfer came, went,
  /// stopped or went on reading, or the conditions changed.
  ///
  /// Suspending or resuming a transfer sends no such event about that transfer itself, and an owner
  /// that follows no line gets none. A step of a schedule is no event: a line states its end.
  case flowChanged(TransferID, owner: Int32)
  /// It ended without its last byte, after so many; the link has forgotten it.
  case failed(TransferID, owner: Int32, TransferFailure, bytes: Int64 = 0)
}

/// Requested bytes, counted by outcome.
package struct LinkBooks: Hashable, Sendable {
  package var requested: Int64 = 0
  /// Whole bytes that have arrived, of transfers that go on as well.
  package var delivered: Int64 = 0
  /// Missing bytes of the transfers that were cancelled or failed.
  package var abandoned: Int64 = 0
  /// Missing bytes of the transfers that are still in progress.
  package var outstanding: Int64 = 0

  package init() {}

  package var balance: Bool { requested == delivered + abandoned + outstanding }
}

/// The level of detail at which a link is simulated.
public enum Fidelity: String, Hashable, Sendable {
  /// Bytes flow at the bandwidth, shared equally, one round trip a request.
  case fluid
  /// Packets and connections.
  case tcp
}
