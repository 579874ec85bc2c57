/// Settings of the two hosts of a connection.
public struct ConnectionOptions: Hashable, Sendable {
  public var congestionControl: CongestionControl
  /// RFC 6928: the segments a sender may have under way before it has heard anything.
  public var initialWindow: Int32
  /// RFC 5681 §4.1: whether a pause shrinks the window.
  public var slowStartAfterIdle: Bool

  public init(
    congestionControl: CongestionControl = .cubic, initialWindow: Int32 = 10,
    slowStartAfterIdle: Bool = true
  ) {
    self.congestionControl = congestionControl
    self.initialWindow = max(initialWindow, 1)
    self.slowStartAfterIdle = slowStartAfterIdle
  }
}

package struct ConnectionID: Hashable, Sendable {
  /// Seats are used again; the generation tells their owners apart.
  package let seat: Int32
  package let generation: Int32
}

/// Something that the layer above hears of.
package enum TransportEvent: Hashable, Sendable {
  /// The client may send.
  case established(ConnectionID)
  /// This many bytes of the client's stream have reached the server, the end of a request.
  case requestArrived(ConnectionID, streamBytes: Int64)
  /// This many bytes of the server's stream have reached the client in order.
  case delivered(ConnectionID, streamBytes: Int64)
  /// It was reset, or nothing was heard for too long.
  case failed(ConnectionID, TransferFailure)
}
