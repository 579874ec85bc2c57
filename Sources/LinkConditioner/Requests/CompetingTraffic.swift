public import VirtualTime

/// Competing downloads over the same link.
///
/// Each connection is one long response. The server's address is known, unless it serves the media.
public struct CompetingTraffic: Hashable, Sendable {
  public package(set) var connections: Int32
  /// The start of the traffic; at once if that instant has passed.
  public var begins: Instant
  /// The instant at which the traffic is aborted; nil if it runs until its bytes are complete.
  public var ends: Instant?
  /// The number of bytes on each connection; nil for a response without an end.
  public var bytes: Int64?
  /// Whether it comes from the server of the media, over the connections of the players: what they
  /// ask for later finds them open, and grown to what the link carries.
  public var sharesConnections = false

  public init(
    connections: Int32 = 1, begins: Instant = .zero, ends: Instant? = nil, bytes: Int64? = nil
  ) {
    self.connections = min(max(0, connections), Int32(LinkLimits.mostTransfers))
    self.begins = begins
    self.ends = ends
    self.bytes = bytes
  }
}

/// Competing traffic on a link; numbered from 1 in the order in which it was started.
public struct TrafficID: Hashable, Sendable {
  public var rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The competing traffic of a link: what is to begin, to end, to pause.
struct TrafficTable: Sendable {
  struct Entry: Sendable {
    enum Phase: Sendable {
      case expected
      case running
      case over
    }

    let traffic: CompetingTraffic
    var phase = Phase.expected
    var isSuspended = false
    var transfers: [TransferID] = []

    /// The instant of the next start or end.
    var due: Instant {
      switch phase {
      case .expected: traffic.begins
      case .running: traffic.ends ?? .distantFuture
      case .over: .distantFuture
      }
    }
  }

  var entries: [Entry] = []
  private(set) var nextDue = Instant.distantFuture

  mutating func findNextDue() { nextDue = entries.reduce(.distantFuture) { min($0, $1.due) } }

  /// Traffic belongs to nobody who listens.
  static func owner(_ index: Int) -> Int32 { -1 - Int32(truncatingIfNeeded: index) }
}
