import VirtualTime

/// The way of requests over a link: exactly one of these is there.
///
/// A link that is asked for nothing but round trips and bytes does nothing else.
struct LinkPath: Sendable {
  private var plain: PlainPath?
  private var fluid: RequestDesk<FluidCarrier>?
  private var packets: RequestDesk<PacketCarrier>?

  init(plain plan: RatePlan) {
    plain = PlainPath(plan: plan)
  }

  init(fluid desk: RequestDesk<FluidCarrier>) {
    fluid = desk
  }

  init(packets desk: RequestDesk<PacketCarrier>) {
    packets = desk
  }

  var count: Int { plain?.count ?? fluid?.jobs.count ?? packets?.jobs.count ?? 0 }

  var nextWake: Instant {
    plain?.nextWake ?? fluid?.nextWake ?? packets?.nextWake ?? .distantFuture
  }

  var options: RequestOptions? { fluid?.options ?? packets?.options }

  mutating func setOptions(_ options: RequestOptions) {
    fluid?.options = options
    packets?.options = options
  }

  /// Takes a host's address as known.
  mutating func know(_ host: Int32, at now: Instant) {
    plain?.know(host, at: now)
    fluid?.hosts.know(host, at: now)
    packets?.hosts.know(host, at: now)
  }

  mutating func start(
    _ id: TransferID, _ request: Request, under conditions: LinkConditions, at now: Instant
  ) {
    plain?.start(id, request, under: conditions, at: now)
    fluid?.start(id, request, dnsDelay: conditions.dnsDelay, at: now)
    packets?.start(id, request, dnsDelay: conditions.dnsDelay, at: now)
  }

  mutating func cancel(_ id: TransferID, at now: Instant) {
    plain?.cancel(id, at: now)
    fluid?.cancel(id, at: now)
    packets?.cancel(id, at: now)
  }

  mutating func setSuspended(_ suspended: Bool, _ id: TransferID, at now: Instant) {
    plain?.setSuspended(suspended, id, at: now)
    fluid?.setSuspended(suspended, id, at: now)
    packets?.setSuspended(suspended, id, at: now)
  }

  func flow(of id: TransferID, at now: Instant) -> (flow: ByteFlow, validUntil: Instant)? {
    if let plain { return plain.flow(of: id, at: now) }
    return fluid?.flow(of: id, at: now) ?? packets?.flow(of: id, at: now)
  }

  func estimate(of id: TransferID, at now: Instant) -> BitRate? {
    packets?.carrier.estimate(of: id, at: now)
  }

  func timings(of id: TransferID) -> RequestTimings? {
    fluid?.timings(of: id) ?? packets?.timings(of: id)
  }

  mutating func setPlan(
    _ plan: RatePlan, _ conditions: LinkConditions, _ schedule: RateSchedule?, keepsPlace: Bool,
    at now: Instant
  ) {
    plain?.setPlan(plan, keepsPlace: keepsPlace, at: now)
    fluid?.setConditions(conditions, schedule, plan, keepsPlace: keepsPlace, at: now)
    packets?.setConditions(conditions, schedule, plan, keepsPlace: keepsPlace, at: now)
  }

  /// Forgets the timings of what has ended.
  mutating func forgetEnded() {
    fluid?.ended.removeAll(keepingCapacity: true)
    packets?.ended.removeAll(keepingCapacity: true)
  }

  mutating func advance(to now: Instant, into events: inout [LinkEvent]) {
    plain?.advance(to: now, into: &events)
    fluid?.advance(to: now, into: &events)
    packets?.advance(to: now, into: &events)
  }

  var packetBooks: (downlink: PathCounters, uplink: PathCounters)? {
    packets.map { ($0.carrier.transport.downlinkCounters, $0.carrier.transport.uplinkCounters) }
  }

  func books(at now: Instant) -> LinkBooks {
    plain?.books(at: now) ?? fluid?.books(at: now) ?? packets?.books(at: now) ?? LinkBooks()
  }
}
