import VirtualTime

extension FluidTransport {
  /// A request and its response as a fluid.
  struct Transfer: Sendable {
    let id: TransferID
    let owner: Int32
    let thinkTime: TimeSpan
    let availableAt: Instant?
    let bytes: Int64
    /// The instant of the host's address, then of the response; nil once the response has begun.
    var due: Instant?
    var isLookingUp: Bool
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
    var isFlowing: Bool { due == nil && !isSuspended }

    func responds(at now: Instant) -> Bool {
      guard let due else { return false }
      return due <= now
    }

    /// A response without a body is over whether anybody reads or not.
    func joins(at now: Instant) -> Bool { responds(at: now) && (!isSuspended || bytes == 0) }
  }
}
