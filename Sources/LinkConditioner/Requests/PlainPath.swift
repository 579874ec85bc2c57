import VirtualTime

/// Requests without connections: the address of the host, a round trip, and the bytes.
struct PlainPath: Sendable {
  var transport: FluidTransport
  var hosts = HostTable()
  private(set) var closedBooks = LinkBooks()

  mutating func start(_ id: TransferID, _ request: Request, dnsDelay: TimeSpan, at now: Instant) {
    closedBooks.requested += request.bytes
    let lookup = hosts.wait(for: request.host, delay: dnsDelay, at: now)
    transport.start(id, request, lookup: lookup, at: now)
  }

  mutating func cancel(_ id: TransferID, at now: Instant) {
    guard let (arrived, missing) = transport.cancel(id, at: now) else { return }
    closedBooks.delivered += arrived
    closedBooks.abandoned += missing
  }

  // Perf: `mutating`, or the transport is copied for each question.
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
