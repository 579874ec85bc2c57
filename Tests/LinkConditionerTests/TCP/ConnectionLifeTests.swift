import LinkConditioner
import Testing
import VirtualTime

@Suite struct ConnectionLifeTests {
  private let conditions = link(down: mebibits(10), up: mebibits(10), delayMilliseconds: 20)

  /// Runs until nothing is left to happen; the events and their times.
  private func events(_ transport: inout PacketTransport) -> [TransportEvent] {
    var events: [TransportEvent] = []
    while transport.nextWake < .distantFuture {
      transport.advance(to: transport.nextWake, into: &events)
    }
    return events
  }

  private func advance(_ transport: inout PacketTransport, to limit: Instant) {
    var events: [TransportEvent] = []
    while transport.advance(to: limit, into: &events) < limit { events.removeAll() }
  }

  @Test func `the server answers a request once all of it is there`() {
    var transport = PacketTransport(conditions, seed: 1)
    let id = transport.open(ConnectionOptions(), at: .zero)
    transport.send(400, answeredBy: 1_000, on: id, at: .zero)
    var all: [TransportEvent] = []
    var last = Instant.zero
    while transport.nextWake < .distantFuture {
      let now = transport.advance(to: transport.nextWake, into: &all)
      if all.last == .delivered(id, streamBytes: 1_000), last == .zero { last = now }
    }
    #expect(all.contains(.requestArrived(id, streamBytes: 400)))
    #expect(last > milliseconds(80) && last < milliseconds(83))
  }

  @Test func `a closed connection stops the server one way later`() {
    var transport = PacketTransport(conditions, seed: 1)
    let id = transport.open(ConnectionOptions(), at: .zero)
    transport.send(400, answeredBy: 10_000_000, on: id, at: .zero)
    advance(&transport, to: milliseconds(1_000))
    transport.close(id, at: milliseconds(1_000))
    advance(&transport, to: milliseconds(1_025))
    let sent = transport.downlinkCounters.sent.packets
    let rest = events(&transport)
    #expect(transport.downlinkCounters.sent.packets == sent)
    #expect(!rest.contains(.failed(id, .connectionReset)))
    #expect(transport.downlinkCounters.balances)
  }

  @Test func `a reset by the server is heard after what was sent before it`() {
    var transport = PacketTransport(conditions, seed: 1)
    let id = transport.open(ConnectionOptions(), at: .zero)
    transport.send(400, on: id, at: .zero)
    advance(&transport, to: milliseconds(70))
    transport.respond(5_000, on: id, at: milliseconds(70))
    transport.close(id, byServer: true, at: milliseconds(70))
    #expect(
      events(&transport).suffix(2) == [
        .delivered(id, streamBytes: 5_000), .failed(id, .connectionReset),
      ])
  }

  @Test func `a seat that is used again does not hear its former owner's packets`() {
    var transport = PacketTransport(conditions, seed: 1)
    let first = transport.open(ConnectionOptions(), at: .zero)
    transport.send(400, answeredBy: 100_000, on: first, at: .zero)
    advance(&transport, to: milliseconds(120))
    transport.close(first, at: milliseconds(120))
    _ = events(&transport)
    let second = transport.open(ConnectionOptions(), at: milliseconds(400))
    #expect(second.seat == first.seat && second != first)
    transport.send(400, answeredBy: 2_000, on: second, at: milliseconds(400))
    #expect(events(&transport).last == .delivered(second, streamBytes: 2_000))
  }

  @Test func `two downloads share the link and the last ends when it has carried both`() throws {
    var transport = PacketTransport(conditions, seed: 1)
    let ids = (0..<2).map { _ in transport.open(ConnectionOptions(), at: .zero) }
    for id in ids {
      transport.send(400, answeredBy: 1_448_000, on: id, at: .zero)
    }
    var all: [TransportEvent] = []
    var end = Instant.zero
    while transport.nextWake < .distantFuture {
      let before = all.count
      let now = transport.advance(to: transport.nextWake, into: &all)
      for event in all[before...] {
        if case .delivered(_, 1_448_000) = event { end = now }
      }
    }
    let fluid = TimeSpan.microseconds(2_000 * 1_514 * 8 / 10)
    #expect(end - .zero > fluid)
    #expect(end - .zero < fluid + .milliseconds(200))
  }
}
