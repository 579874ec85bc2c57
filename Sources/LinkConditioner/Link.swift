public import VirtualTime

/// One link with everything that is under way on it.
///
/// The shell owns it, hands it the time, and calls `advance` whenever `nextWake` has come, so that
/// every event is told at its instant. What a transport does between a request and its last byte is
/// behind this face; the books, the numbering and the lookup of hosts are the same for each.
///
/// It is an object, because it is large, and a value would be copied by whoever only looks at it.
@usableFromInline package final class Link {
  package let fidelity: Fidelity
  // Not checked at run time for overlapping accesses: what is told of goes into a list, and nobody
  // is called while one of them changes. A floor above would check all the same: what is read there
  // at every event is a property without storage.
  @exclusivity(unchecked) package private(set) var conditions: LinkConditions
  @exclusivity(unchecked) private var schedule: RateSchedule?
  @exclusivity(unchecked) var path: LinkPath
  @exclusivity(unchecked) var traffic = TrafficTable()
  // Kept: it is asked for after every event, and working it out then would copy the path.
  @exclusivity(unchecked) private var wake = Instant.distantFuture
  @exclusivity(unchecked) private var steps: Int64 = 0
  @exclusivity(unchecked) private var lastID: Int32 = 0
  @exclusivity(unchecked) private var weights = OwnerWeights()
  @exclusivity(unchecked) private var plan: RatePlan
  /// Conditions and plan before the last change: the end of an outage restores them.
  @exclusivity(unchecked) private var earlier: (conditions: LinkConditions, plan: RatePlan)?
  @exclusivity(unchecked) private var refused:
    [(id: TransferID, owner: Int32, failure: TransferFailure, at: Instant)] = []
  /// The end of the rates that are told under the present plan.
  @exclusivity(unchecked) private var ratesEnd = Instant.zero

  /// Makes a link; a schedule's bandwidth holds as far as the conditions' own downlink allows.
  ///
  /// - Parameters:
  ///   - seed: For the random streams of whatever draws.
  ///   - requests: Transport of requests. Without, `fluid` counts the host's address and a round
  ///     trip a request, opens no connections and keeps no timings; `tcp` speaks HTTP/1.1 without
  ///     security.
  ///   - faults: Faults of requests.
  package init(
    conditions: LinkConditions, schedule: RateSchedule? = nil, fidelity: Fidelity = .fluid,
    seed: UInt64 = 0, requests: RequestOptions? = nil, faults: FaultPlan = .none
  ) throws(LinkError) {
    self.fidelity = fidelity
    self.conditions = conditions
    self.schedule = schedule
    readsLabels = faults.rules.contains { $0.label != nil }
    plan = try RatePlan(conditions: conditions, schedule: schedule)
    switch fidelity {
    case .fluid:
      if requests == nil && faults.rules.isEmpty {
        let transport = FluidTransport(conditions, plan: plan)
        path = LinkPath(kind: .plain, plain: [PlainPath(transport: transport)])
      } else {
        let carrier = FluidCarrier(conditions, plan: plan)
        let desk = RequestDesk(carrier, options: requests ?? .plain, faults: faults, seed: seed)
        path = LinkPath(kind: .fluid, fluid: [desk])
      }
    case .tcp:
      let options = requests ?? RequestOptions()
      let carrier = PacketCarrier(conditions, schedule, plan: plan, options: options, seed: seed)
      let desk = RequestDesk(carrier, options: options, faults: faults, seed: seed)
      path = LinkPath(kind: .packets, packets: [desk])
    }
  }

  /// The next instant with something to tell; `distantFuture` if nothing will happen by itself.
  @usableFromInline package var nextWake: Instant { wake }

  /// The number of packet steps (departures, arrivals and timers) so far; zero without packets.
  @usableFromInline package var stepCount: Int64 { steps }

  /// Random decisions so far: all that can differ between two links because of their seeds.
  package var draws: LinkDraws {
    var draws = path.faults?.draws ?? LinkDraws()
    if path.kind == .packets, path.packets[0].carrier.transport.losesByChance {
      draws.areListed = false
    }
    return draws
  }

  package var unmatchedFaults: [(rule: Int, requests: Int64)] { path.faults?.unmatched ?? [] }

  /// Whether a rule of faults looks at what requests are called and where they are.
  package let readsLabels: Bool

  /// Refuses what `init` and the setters would, for conditions read long before they take effect.
  package static func check(_ conditions: LinkConditions) throws(LinkError) {
    _ = try RatePlan(conditions: conditions, schedule: nil)
  }

  /// Sends a request; the delays of each of its steps are those in force when it is taken.
  package func start(_ request: consuming Request, at now: Instant) -> TransferID {
    lastID += 1
    let id = TransferID(rawValue: lastID)
    request.weight = weights.weight(of: request.owner)
    if let failure = refusal(of: request) {
      refused.append((id, request.owner, failure, now))
    } else {
      path.start(id, request, dnsDelay: conditions.dnsDelay, at: now)
    }
    findNextWake()
    return id
  }

  /// Gives an owner's requests, also those under way, so many shares of the bandwidth from now on.
  ///
  /// Only `fluid` without loss shares by weight: there only the others hold a transfer back.
  package func setWeight(_ weight: Int32, ofOwner owner: Int32, others: Int32, at now: Instant) {
    weights.set(weight, of: owner, others: others)
    path.setWeights(weights, at: now)
    findNextWake()
  }

  private func refusal(of request: borrowing Request) -> TransferFailure? {
    if request.bytes < 0 || request.bytes > LinkLimits.mostBytes { return .impossibleSize }
    if path.count >= LinkLimits.mostTransfers { return .tooManyTransfers }
    return nil
  }

  /// Forgets a transfer, of which nothing more is told; without effect on one that is over.
  ///
  /// It stops using the link: with HTTP/1.1 its connection is closed, with HTTP/2 its stream reset.
  package func cancel(_ id: TransferID, at now: Instant) {
    refused.removeAll { $0.id == id }
    path.cancel(id, at: now)
    findNextWake()
  }

  /// Its reader stops reading: the flow stands still, the others get its share.
  package func suspend(_ id: TransferID, at now: Instant) {
    path.setSuspended(true, id, at: now)
    findNextWake()
  }

  package func resume(_ id: TransferID, at now: Instant) {
    path.setSuspended(false, id, at: now)
    findNextWake()
  }

  /// The exact line of a response's bytes, and until when it holds if nothing else happens; nil
  /// before the response begins and after its last byte.
  ///
  /// A line does not know the size: on a fast link it may pass the last byte within the last
  /// nanosecond. Past `validUntil` it says nothing.
  package func flow(of id: TransferID, at now: Instant) -> (flow: ByteFlow, validUntil: Instant)? {
    path.flow(of: id, at: now)
  }

  /// Bytes of a response received so far, rounded down; nil where `flow` is nil.
  package func arrivedBytes(of id: TransferID, at now: Instant) -> Int64? {
    path.arrivedBytes(of: id, at: now)
  }

  /// The last instant at which anything of a response can have come; nil before the first.
  ///
  /// Of a fluid so slow that no whole byte came lately, that is later than its last byte.
  package func lastArrival(of id: TransferID, at now: Instant) -> Instant? {
    path.lastArrival(of: id, at: now)
  }

  /// The instant of each step of a request; nil where the link keeps no timings.
  ///
  /// Timings of a finished request are kept until the link advances again.
  package func timings(of id: TransferID) -> RequestTimings? { path.timings(of: id) }

  /// Changes what the link is like, from now on; a schedule goes on where it is.
  ///
  /// The delays of requests that are on their way stay as they were.
  package func setConditions(_ conditions: LinkConditions, at now: Instant) throws(LinkError) {
    var next: RatePlan
    if let earlier, earlier.conditions == conditions {
      next = earlier.plan
    } else {
      next = try RatePlan(conditions: conditions, schedule: schedule)
    }
    path.setPlan(next, conditions, schedule, keepsPlace: true, at: now)
    swap(&next, &plan)
    ratesEnd = now
    earlier = (self.conditions, next)
    self.conditions = conditions
    findNextWake()
  }

  /// Switches a schedule on, from its beginning, or off.
  package func setSchedule(_ schedule: RateSchedule?, at now: Instant) throws(LinkError) {
    plan = try RatePlan(conditions: conditions, schedule: schedule)
    earlier = nil
    path.setPlan(plan, conditions, schedule, keepsPlace: false, at: now)
    self.schedule = schedule
    ratesEnd = now
    findNextWake()
  }

  /// Tells the rates of the downlink that were not told yet, each with its beginning, from an
  /// instant at which all that is due was done to another before which nothing else happens.
  ///
  /// Rates are in bit/s, nil for unlimited. Steps shorter than a tenth of a second are told by
  /// their mean: more than that neither a screen nor a picture shows.
  package func tellRates(from now: Instant, until end: Instant, _ tell: (Instant, Int64?) -> Void) {
    if end <= ratesEnd { return }
    var start = max(now, ratesEnd)
    var (place, isHeld) = path.place(at: start)
    while start < end {
      let (rate, lasts) = plan.rate(over: isHeld ? 0 : 100_000_000, from: &place)
      tell(start, rate)
      start = isHeld || lasts == .max ? .distantFuture : start + TimeSpan(nanoseconds: lasts)
    }
    // A clock that stops with the next request says nothing of later rates.
    ratesEnd = plan.clock == .wall ? start : end
  }

  /// Works out anew when there is something to tell, and how far packets are.
  func findNextWake() {
    steps = path.stepCount
    wake = min(path.nextWake, traffic.nextDue)
    for refusal in refused { wake = min(wake, refusal.at) }
  }

  /// Tells everything due at or before `now`: by instant; at one instant refusals, completions,
  /// responses and changed lines, each in the order in which the transfers were started.
  package func advance(to now: Instant, into events: inout [LinkEvent]) {
    if !refused.isEmpty {
      for (id, owner, failure, _) in refused { events.append(.failed(id, owner: owner, failure)) }
      refused.removeAll(keepingCapacity: true)
    }
    path.forgetEnded()
    while traffic.nextDue <= now {
      let due = traffic.nextDue
      path.advance(to: due, into: &events)
      attendTraffic(at: due)
    }
    path.advance(to: now, into: &events)
    findNextWake()
  }

  /// Runs packets alone to the first instant with something to tell, before anything else is due.
  ///
  /// - Returns: The instant of the last step; nil where there was none.
  package func run(
    to limit: Instant, steps most: Int64, into events: inout [LinkEvent]
  ) -> Instant? {
    if path.packets.isEmpty || !refused.isEmpty { return nil }
    let end = min(limit, traffic.nextDue - .nanoseconds(1))
    defer { findNextWake() }
    return path.packets[0].run(to: end, steps: most, into: &events)
  }

  /// Packet counts by outcome, in both directions; nil without packets.
  package var packetBooks: (downlink: PathCounters, uplink: PathCounters)? {
    guard let transport = path.packets.first?.carrier.transport else { return nil }
    return (transport.downlinkCounters, transport.uplinkCounters)
  }

  /// Requested bytes by outcome, up to `now`.
  package func books(at now: Instant) -> LinkBooks { path.books(at: now) }
}
