import VirtualTime

extension FluidTransport {
  /// A request and its response as a fluid.
  struct Transfer: Sendable {
    enum Phase: Sendable {
      case waiting(until: Instant)
      /// The response has begun.
      case responding
    }

    let id: TransferID
    let owner: Int32
    let bytes: Int64
    var phase: Phase
    var isSuspended = false
    /// Whether its response would begin, and waits for an outage to end.
    var isHeld = false
    var weight: Int32
    /// Whether its owner wants to be told of a new line.
    let followsLine: Bool
    /// The units that had not arrived at the anchor.
    var missing: Int128
    /// By how much of a nanosecond it is ahead of its instants, in 2⁻³² ns.
    var lead: Int128 = 0
    /// Its line is not the one that was asked for, and nobody has been told.
    var lineChanged = false

    /// Whether it takes a share.
    var isFlowing: Bool {
      switch phase {
      case .waiting: false
      case .responding: !isSuspended
      }
    }

    func responds(at now: Instant) -> Bool {
      switch phase {
      case .waiting(let until): until <= now
      case .responding: false
      }
    }

    /// A response without a body is over whether anybody reads or not.
    func joins(at now: Instant) -> Bool {
      responds(at: now) && (!isSuspended || bytes == 0)
    }
  }
}
