import VirtualTime

/// Requests without connections: the address of the host, a round trip, and the bytes.
struct PlainPath: Sendable {
  var transport: FluidTransport
  var hosts = HostTable()
  private var closedBooks = LinkBooks()

  init(plan: RatePlan) { transport = FluidTransport(plan: plan) }

  mutating func start(
    _ id: TransferID, _ request: Request, under conditions: LinkConditions, at now: Instant
  ) {
    closedBooks.requested += request.bytes
    let lookup = hosts.wait(for: request.host, delay: conditions.dnsDelay, at: now)
    let thinkTime = serverTime(
      request.thinkTime, until: request.availableAt,
      reachedAt: now + lookup + conditions.uplink.delay)
    transport.start(id, request, delay: lookup + conditions.roundTrip + thinkTime, at: now)
  }

  mutating func cancel(_ id: TransferID, at now: Instant) {
    guard let (arrived, missing) = transport.cancel(id, at: now) else { return }
    closedBooks.delivered += arrived
    closedBooks.abandoned += missing
  }

  // Perf: `mutating`, or its 336 bytes are copied for each question.
  mutating func flow(of id: TransferID, at now: Instant) -> (flow: ByteFlow, validUntil: Instant)? {
    transport.flow(of: id, at: now)
  }

  mutating func advance(to now: Instant, into events: inout [LinkEvent]) {
    transport.advance(to: now, into: &events, completed: &closedBooks.delivered)
  }

  func books(at now: Instant) -> LinkBooks {
    var books = closedBooks
    let (arrived, missing) = transport.openBytes(at: now)
    books.delivered += arrived
    books.outstanding = missing
    return books
  }
}
