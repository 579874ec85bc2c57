import LinkConditioner
import Testing
import VirtualTime

@Suite struct BooksTests {
  @Test(arguments: Array(1...12) as [UInt64])
  func `every packet and byte is accounted for at every moment`(_ seed: UInt64) {
    var conditions = link(
      down: mebibits(2), up: mebibits(1), delayMilliseconds: 30, loss: LossRatio(4, over: 100),
      queue: 12)
    var session = PacketSession(conditions, seed: seed)
    conditions.downlink.bandwidth = .limited(.kilobitsPerSecond(300))
    session.changes = [.init(at: milliseconds(700), to: conditions)]
    for moment in stride(from: Int64(100), to: 2_000, by: 171) {
      var cut = session
      cut.fetch([120_000], until: milliseconds(moment))
      #expect(cut.transport.downlinkCounters.balances)
      #expect(cut.transport.uplinkCounters.balances)
    }
    session.fetch([60_000, 60_000])
    session.drain()
    #expect(session.completions.count == 2)
    #expect(session.transport.downlinkCounters.balances)
    #expect(session.transport.uplinkCounters.balances)
    #expect(session.transport.downlinkCounters.inFlight == PacketCount())
  }

  @Test func `bytes arrive in order, once, and not one too many`() {
    var session = PacketSession(
      link(down: mebibits(2), delayMilliseconds: 30, loss: LossRatio(8, over: 100)))
    session.fetch([200_000])
    var before: Int64 = 0
    for logged in session.log {
      guard case .delivered(_, let bytes) = logged.event else { continue }
      #expect(bytes > before)
      before = bytes
    }
    #expect(before == 200_250)
  }

  @Test func `the same seed gives the same events and another seed others`() {
    func log(_ seed: UInt64) -> [PacketSession.LoggedEvent] {
      var session = PacketSession(
        link(down: mebibits(2), delayMilliseconds: 30, loss: LossRatio(5, over: 100)), seed: seed)
      session.fetch([100_000, 50_000])
      return session.log
    }
    #expect(log(7) == log(7))
    #expect(log(7) != log(8))
  }

  @Test func `how far an advance reaches at a time changes nothing`() {
    let conditions = link(down: mebibits(2), delayMilliseconds: 30, loss: LossRatio(5, over: 100))
    var whole = PacketSession(conditions)
    whole.fetch([100_000])
    var stepped = PacketTransport(conditions, seed: 1)
    var log: [PacketSession.LoggedEvent] = []
    let id = stepped.open(ConnectionOptions(), at: .zero)
    while log.last?.event != .delivered(id, streamBytes: 100_250) {
      var events: [TransportEvent] = []
      let now = stepped.advance(to: stepped.nextWake, into: &events)
      for event in events {
        log.append(.init(at: now, event: event))
        if event == .established(id) {
          stepped.send(400, answeredBy: 100_250, on: id, at: now)
        }
      }
    }
    #expect(log == whole.log)
  }
}
