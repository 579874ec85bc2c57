import LinkConditioner
import Testing
import VirtualTime

@Suite struct HandshakeTests {
  @Test func `a connection takes one round trip`() {
    var session = PacketSession(link(delayMilliseconds: 50))
    session.fetch([1_000])
    #expect(session.establishedAt == milliseconds(100))
  }

  @Test func `a SYN and its answer are 74 bytes on the wire`() {
    // 74 bytes at 1 Mbit/s are 592 µs each way.
    var session = PacketSession(link(down: mebibits(1), up: mebibits(1), delayMilliseconds: 50))
    session.fetch([1_000])
    #expect(session.establishedAt == microseconds(100_000 + 2 * 592))
  }

  @Test func `a SYN that is lost is sent again after a second and a turn of the timer`() throws {
    let conditions = link(delayMilliseconds: 50)
    var session = PacketSession(conditions.losing(up: true))
    session.changes = [.init(at: milliseconds(500), to: conditions)]
    session.fetch([1_000])
    let established = try #require(session.establishedAt)
    #expect(established >= milliseconds(1_100) && established <= milliseconds(1_136))
  }

  @Test func `an answer to a SYN that is lost is sent again by either end`() throws {
    let conditions = link(delayMilliseconds: 50)
    var session = PacketSession(conditions.losing(down: true))
    session.changes = [.init(at: milliseconds(500), to: conditions)]
    session.fetch([1_000])
    let established = try #require(session.establishedAt)
    #expect(established >= milliseconds(1_100) && established <= milliseconds(1_136))
  }

  @Test func `a client without an answer gives up after finitely many SYNs`() {
    var session = PacketSession(link(delayMilliseconds: 50, loss: .total))
    session.fetch([1_000])
    #expect(session.failure == .timedOut)
    #expect(session.completions.isEmpty)
    #expect(session.transport.uplinkCounters.sent.packets == 11)
    #expect(session.stepCount < 50)
    #expect(session.transport.nextWake == .distantFuture)
  }

  @Test func `a server without an acknowledgement answers a SYN five times more`() {
    let conditions = link(delayMilliseconds: 50)
    var session = PacketSession(conditions.losing(down: true))
    // One SYN comes: what follows it is lost, and so is every answer.
    session.changes = [.init(at: milliseconds(60), to: conditions.losing(down: true, up: true))]
    session.fetch([1_000])
    #expect(session.transport.downlinkCounters.sent.packets == 6)
  }
}
