import VirtualTime

/// The way of requests over a link.
///
/// A link that is asked for nothing but round trips and bytes does nothing else.
struct LinkPath: Sendable {
  enum Kind: Sendable {
    case plain
    case fluid
    case packets
  }

  let kind: Kind
  // The array of the kind holds one path: in its own memory a part can be read without copying all.
  var plain: [PlainPath] = []
  var fluid: [RequestDesk<FluidCarrier>] = []
  var packets: [RequestDesk<PacketCarrier>] = []

  /// The server that media comes from.
  static let mediaHost: Int32 = 0

  /// The number of requests under way.
  var count: Int {
    switch kind {
    case .plain: plain[0].transport.transfers.count
    case .fluid: fluid[0].jobs.count
    case .packets: packets[0].jobs.count
    }
  }

  var nextWake: Instant {
    switch kind {
    case .plain: plain[0].transport.nextWake
    case .fluid: fluid[0].nextWake
    case .packets: packets[0].nextWake
    }
  }

  var faults: FaultPicker? {
    switch kind {
    case .plain: nil
    case .fluid: fluid[0].faults
    case .packets: packets[0].faults
    }
  }

  /// Adds a host whose address is known.
  mutating func add(_ host: Int32, connections: Int32, at now: Instant) {
    switch kind {
    case .plain: plain[0].hosts.know(host, at: now)
    case .fluid: fluid[0].add(host, connections: connections, at: now)
    case .packets: packets[0].add(host, connections: connections, at: now)
    }
  }

  mutating func start(
    _ id: TransferID, _ request: consuming Request, dnsDelay: TimeSpan, at now: Instant
  ) {
    switch kind {
    case .plain: plain[0].start(id, request, dnsDelay: dnsDelay, at: now)
    case .fluid: fluid[0].start(id, request, dnsDelay: dnsDelay, at: now)
    case .packets: packets[0].start(id, request, dnsDelay: dnsDelay, at: now)
    }
  }

  mutating func cancel(_ id: TransferID, at now: Instant) {
    switch kind {
    case .plain: plain[0].cancel(id, at: now)
    case .fluid: fluid[0].cancel(id, at: now)
    case .packets: packets[0].cancel(id, at: now)
    }
  }

  mutating func setSuspended(_ suspended: Bool, _ id: TransferID, at now: Instant) {
    switch kind {
    case .plain: plain[0].transport.setSuspended(suspended, id, at: now)
    case .fluid: fluid[0].setSuspended(suspended, id, at: now)
    case .packets: packets[0].setSuspended(suspended, id, at: now)
    }
  }

  /// Packets know no weights.
  mutating func setWeights(_ weights: OwnerWeights, at now: Instant) {
    switch kind {
    case .plain: plain[0].transport.setWeights(weights, at: now)
    case .fluid: fluid[0].setWeights(weights, at: now)
    case .packets: break
    }
  }

  mutating func flow(of id: TransferID, at now: Instant) -> (flow: ByteFlow, validUntil: Instant)? {
    switch kind {
    case .plain: plain[0].flow(of: id, at: now)
    // Parts alone are read: a call on an element of an array would copy the whole of it.
    case .fluid:
      RequestDesk<FluidCarrier>.flow(of: id, in: fluid[0].jobs, at: now) {
        fluid[0].carrier.transport.flow(of: id, at: now)
      }
    case .packets:
      RequestDesk<PacketCarrier>.flow(of: id, in: packets[0].jobs, at: now) {
        PacketCarrier.flow(of: id, among: packets[0].carrier.responses, at: now)
      }
    }
  }

  mutating func arrivedBytes(of id: TransferID, at now: Instant) -> Int64? {
    switch kind {
    case .plain: plain[0].transport.arrivedBytes(of: id, at: now)
    case .fluid, .packets: flow(of: id, at: now)?.flow.bytes(at: now)
    }
  }

  func lastArrival(of id: TransferID, at now: Instant) -> Instant? {
    switch kind {
    case .plain: plain[0].transport.lastArrival(of: id, at: now)
    case .fluid: fluid[0].lastArrival(of: id, at: now)
    case .packets: packets[0].lastArrival(of: id, at: now)
    }
  }

  func timings(of id: TransferID) -> RequestTimings? {
    switch kind {
    case .plain: nil
    case .fluid: fluid[0].timings(of: id)
    case .packets: packets[0].timings(of: id)
    }
  }

  mutating func setPlan(
    _ plan: RatePlan, _ conditions: LinkConditions, _ schedule: RateSchedule?, keepsPlace: Bool,
    at now: Instant
  ) {
    switch kind {
    case .plain: plain[0].transport.setPlan(plan, conditions, keepsPlace: keepsPlace, at: now)
    case .fluid:
      fluid[0].carrier.setConditions(conditions, plan, keepsPlace: keepsPlace, at: now)
    case .packets:
      packets[0].carrier.setConditions(conditions, schedule, plan, keepsPlace: keepsPlace, at: now)
    }
  }

  func place(at now: Instant) -> (place: RatePlan.Cursor, isHeld: Bool) {
    switch kind {
    case .plain: plain[0].transport.place(at: now)
    case .fluid: fluid[0].carrier.transport.place(at: now)
    case .packets: (packets[0].carrier.clock.place(at: now), false)
    }
  }

  mutating func forgetEnded() {
    switch kind {
    case .plain: break
    case .fluid:
      if !fluid[0].ended.isEmpty { fluid[0].ended.removeAll(keepingCapacity: true) }
    case .packets:
      if !packets[0].ended.isEmpty { packets[0].ended.removeAll(keepingCapacity: true) }
    }
  }

  mutating func advance(to now: Instant, into events: inout [LinkEvent]) {
    switch kind {
    case .plain: plain[0].advance(to: now, into: &events)
    case .fluid: fluid[0].advance(to: now, into: &events)
    case .packets: packets[0].advance(to: now, into: &events)
    }
  }

  var stepCount: Int64 { packets.isEmpty ? 0 : packets[0].carrier.transport.stepCount }

  func books(at now: Instant) -> LinkBooks {
    switch kind {
    case .plain: plain[0].books(at: now)
    case .fluid: fluid[0].books(at: now)
    case .packets: packets[0].books(at: now)
    }
  }
}
