import VirtualTime

/// Requests over the fluid transport: what has no bytes is counted in round trips.
///
/// All responses share the bandwidth equally, on whatever connections they come.
struct FluidCarrier: Carrier {
  private struct Opening: Sendable {
    let seat: Int32
    var due: Instant
    /// Round trips of the TLS handshake, which follows the TCP handshake; nil once it has begun.
    var securityRoundTrips: Int64?
    /// Whether it waits for an outage to end.
    var isHeld = false
  }

  static var alwaysOpens: Bool { false }

  var transport: FluidTransport
  private var openings: [Opening] = []
  private var heard: [LinkEvent] = []

  init(_ conditions: LinkConditions, plan: RatePlan) {
    transport = FluidTransport(conditions, plan: plan)
  }

  var isRestless: Bool { false }

  private var roundTrip: TimeSpan { transport.conditions.roundTrip }

  var nextWake: Instant {
    if openings.isEmpty { return transport.nextWake }
    return openings.reduce(transport.nextWake) { min($0, $1.due) }
  }

  mutating func open(_ seat: Int32, _ http: HTTPOptions, at now: Instant) {
    openings.append(
      Opening(
        seat: seat, due: now + roundTrip, securityRoundTrips: http.securityRoundTrips))
  }

  mutating func stand(_ seat: Int32, _ http: HTTPOptions, at now: Instant) {}

  mutating func close(_ seat: Int32, byServer: Bool, at now: Instant) {
    openings.removeAll { $0.seat == seat }
  }

  mutating func send(_ order: Order, at now: Instant) {
    var request = Request(
      bytes: order.bytes, owner: order.owner, thinkTime: order.thinkTime,
      availableAt: order.availableAt, followsLine: order.followsLine)
    request.weight = order.weight
    transport.start(order.id, request, lookup: .zero, at: now)
    if order.isSuspended { transport.setSuspended(true, order.id, at: now) }
  }

  mutating func drop(_ id: TransferID, at now: Instant) -> Int64 {
    transport.cancel(id, at: now)?.arrived ?? 0
  }

  mutating func setSuspended(_ suspended: Bool, _ id: TransferID, at now: Instant) {
    transport.setSuspended(suspended, id, at: now)
  }

  func motion(of id: TransferID, at now: Instant) -> Motion {
    guard let (flow, validUntil) = transport.flow(of: id, at: now) else {
      return .still(since: nil, until: .distantFuture)
    }
    // Unlimited bandwidth has neither a slope nor a duration.
    if flow.unitsPerNanosecond > 0 || validUntil <= now { return .moving(until: validUntil) }
    return .still(since: nil, until: validUntil)
  }

  func lastArrival(of id: TransferID, at now: Instant) -> Instant? {
    transport.lastArrival(of: id, at: now)
  }

  func arrivedBytes(at now: Instant) -> Int64 { transport.openBytes(at: now).arrived }

  mutating func setLatent(_ count: Int, at now: Instant) { transport.setLatent(count, at: now) }

  mutating func setConditions(
    _ conditions: LinkConditions, _ plan: RatePlan, keepsPlace: Bool, at now: Instant
  ) {
    transport.setPlan(plan, conditions, keepsPlace: keepsPlace, at: now)
    // Whatever the outage held is looked at again.
    for index in openings.indices where openings[index].isHeld { openings[index].due = now }
  }

  mutating func advance(to limit: Instant, into events: inout [CarrierEvent]) -> Instant {
    let now = min(limit, nextWake)
    if !openings.isEmpty { advanceOpenings(to: now, into: &events) }
    if transport.nextWake > now { return now }
    var bytes: Int64 = 0
    while heard.popLast() != nil {}
    transport.advance(to: now, into: &heard, completed: &bytes)
    for event in heard {
      switch event {
      case .responded(let id, _): events.append(.responded(id))
      case .completed(let id, _): events.append(.completed(id))
      case .flowChanged(let id, _): events.append(.flowChanged(id))
      case .failed: break
      }
    }
    return now
  }

  private mutating func advanceOpenings(to now: Instant, into events: inout [CarrierEvent]) {
    var index = 0
    while index < openings.count {
      if openings[index].due > now {
        index += 1
        continue
      }
      // Nothing comes back while nothing gets through.
      let opens = transport.opens(at: now)
      if opens > now {
        openings[index].isHeld = true
        openings[index].due = opens
        continue
      }
      openings[index].isHeld = false
      index += pass(index, at: now, into: &events) ? 0 : 1
    }
  }

  /// Takes one step of an opening; true when that was its last.
  private mutating func pass(
    _ index: Int, at now: Instant, into events: inout [CarrierEvent]
  ) -> Bool {
    let seat = openings[index].seat
    let roundTrips = openings[index].securityRoundTrips
    if let roundTrips {
      events.append(.connected(seat: seat))
      openings[index].securityRoundTrips = nil
      if roundTrips > 0 {
        for _ in 0..<roundTrips { openings[index].due = openings[index].due + roundTrip }
        openings[index].due = max(openings[index].due, now)
        return openings[index].due == now ? pass(index, at: now, into: &events) : false
      }
    }
    events.append(.ready(seat: seat))
    openings.remove(at: index)
    return true
  }
}
