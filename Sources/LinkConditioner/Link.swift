public import VirtualTime

/// One link with everything that is under way on it.
///
/// The shell owns it, hands it the time, and calls `advance` whenever `nextWake` has come, so that
/// every event is told at its instant. What a transport does between a request and its last byte is
/// behind this face; the books, the numbering and the lookup of hosts are the same for each.
public struct Link: Sendable {
  public let fidelity: Fidelity
  public private(set) var conditions: LinkConditions
  public private(set) var schedule: RateSchedule?
  private var transport: FluidTransport
  private var hosts = HostTable()
  private var lastID: Int32 = 0
  private var refused: [(id: TransferID, owner: Int32, failure: TransferFailure, at: Instant)] = []
  private var closedBooks = LinkBooks()

  /// Makes a link; a schedule's bandwidth holds as far as the conditions' own downlink allows.
  ///
  /// - Parameter seed: for the random streams of a transport that draws; `fluid` does not.
  public init(
    conditions: LinkConditions, schedule: RateSchedule? = nil, fidelity: Fidelity = .fluid,
    seed: UInt64 = 0
  ) throws(LinkError) {
    switch fidelity {
    case .fluid: break
    case .tcp: throw .unavailable(.tcp)
    }
    self.fidelity = fidelity
    self.conditions = conditions
    self.schedule = schedule
    transport = FluidTransport(plan: try RatePlan(conditions: conditions, schedule: schedule))
  }

  /// Refuses what `init` and the setters would refuse, for whoever reads conditions long before
  /// they come into force.
  public static func check(
    _ conditions: LinkConditions, schedule: RateSchedule? = nil
  ) throws(LinkError) {
    _ = try RatePlan(conditions: conditions, schedule: schedule)
  }
}

// MARK: - Transfers

extension Link {
  /// Sends a request; its delays are those in force now.
  public mutating func start(_ request: Request, at now: Instant) -> TransferID {
    lastID += 1
    let id = TransferID(rawValue: lastID)
    if let failure = refusal(of: request) {
      refused.append((id, request.owner, failure, now))
      return id
    }
    closedBooks.requested += request.bytes
    let lookup = hosts.wait(for: request.host, delay: conditions.dnsDelay, at: now)
    let roundTrip = conditions.uplink.delay + conditions.downlink.delay
    let thinkTime = max(.zero, request.thinkTime)
    transport.start(id, request, delay: lookup + roundTrip + thinkTime, at: now)
    return id
  }

  private func refusal(of request: Request) -> TransferFailure? {
    if request.bytes < 0 || request.bytes > LinkLimits.mostBytes { return .impossibleSize }
    if transport.transfers.count >= LinkLimits.mostTransfers { return .tooManyTransfers }
    return nil
  }

  /// Forgets a transfer, of which nothing more is told; without effect on one that is over.
  public mutating func cancel(_ id: TransferID, at now: Instant) {
    refused.removeAll { $0.id == id }
    guard let (arrived, missing) = transport.cancel(id, at: now) else { return }
    closedBooks.delivered += arrived
    closedBooks.abandoned += missing
  }

  /// Its reader stops reading: the flow stands still, the others get its share.
  public mutating func suspend(_ id: TransferID, at now: Instant) {
    transport.setSuspended(true, id, at: now)
  }

  public mutating func resume(_ id: TransferID, at now: Instant) {
    transport.setSuspended(false, id, at: now)
  }

  /// The exact line of a response's bytes, and until when it holds if nothing else happens; nil
  /// before the response begins and after its last byte.
  ///
  /// A line does not know the size: on a fast link it may pass the last byte within the last
  /// nanosecond. Past `validUntil` it says nothing.
  public func flow(
    of id: TransferID, at now: Instant
  ) -> (flow: ByteFlow, validUntil: Instant)? {
    transport.flow(of: id, at: now)
  }
}

// MARK: - Conditions

extension Link {
  /// Changes what the link is like, from now on; a schedule goes on where it is.
  ///
  /// The delays of requests that are on their way stay as they were.
  public mutating func setConditions(
    _ conditions: LinkConditions, at now: Instant
  ) throws(LinkError) {
    let plan = try RatePlan(conditions: conditions, schedule: schedule)
    transport.setPlan(plan, keepsPlace: true, at: now)
    self.conditions = conditions
  }

  /// Switches a schedule on, from its beginning, or off.
  public mutating func setSchedule(
    _ schedule: RateSchedule?, at now: Instant
  ) throws(LinkError) {
    let plan = try RatePlan(conditions: conditions, schedule: schedule)
    transport.setPlan(plan, keepsPlace: false, at: now)
    self.schedule = schedule
  }
}

// MARK: - Time

extension Link {
  /// The next instant at which there is something to tell; `distantFuture` if nothing will happen
  /// by itself.
  public var nextWake: Instant {
    refused.reduce(transport.nextWake) { min($0, $1.at) }
  }

  /// Tells everything due at or before `now`: by instant; at one instant refusals, then
  /// completions, responses and changed lines, each in the order the transfers were started.
  public mutating func advance(to now: Instant, into events: inout [LinkEvent]) {
    if !refused.isEmpty {
      for (id, owner, failure, _) in refused { events.append(.failed(id, owner: owner, failure)) }
      refused.removeAll(keepingCapacity: true)
    }
    transport.advance(to: now, into: &events, completed: &closedBooks.delivered)
  }

  /// What became of every byte that was asked for, up to `now`.
  public func books(at now: Instant) -> LinkBooks {
    var books = closedBooks
    let (arrived, missing) = transport.openBytes(at: now)
    books.delivered += arrived
    books.outstanding = missing
    return books
  }
}
