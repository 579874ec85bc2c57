import LinkConditioner
import TestSupport
import Testing
import VirtualTime

/// BBR, held against what its authors say of it.
@Suite struct BottleneckBandwidthTests {
  private func seconds(
    _ bytes: Int64, _ control: CongestionControl, over conditions: LinkConditions, seed: UInt64 = 1
  ) -> Double {
    let options = ConnectionOptions(congestionControl: control)
    let done = fetched(bytes, over: conditions, options: options, seed: seed)
    return done.map { Double($0.nanoseconds) / 1e9 } ?? .infinity
  }

  @Test(arguments: [(2, 20), (10, 50), (10, 200), (40, 10), (100, 25)] as [(Int64, Int64)])
  func `a long download fills the link`(megabits: Int64, milliseconds: Int64) {
    let conditions = link(
      down: mebibits(megabits), up: mebibits(megabits), delayMilliseconds: milliseconds,
      queue: 1_000)
    // Twelve seconds of the link, of which 1,448 bytes in 1,514 are payload.
    let bytes = megabits * 1_500_000 * 1_448 / 1_514
    let taken = seconds(bytes, .bbr, over: conditions)
    // A start that doubles, one drain, and 200 ms of four segments every ten seconds.
    #expect(taken > 12)
    #expect(taken < 12.3 + 0.016 * Double(milliseconds), "\(taken)")
  }

  /// 2.767 and 1.420 s with Linux 6.18. The buffer of the second answer, which holds 1.3 MB of it,
  /// grows as soon as something has left it, for there is window to spare.
  @Test func `an answer that does not fit into the send buffer goes on a round trip long`() throws {
    var long = link(down: mebibits(20), up: mebibits(20), delayMilliseconds: 150)
    long.downlink.queuePackets = 496
    var session = PacketSession(long, options: ConnectionOptions(congestionControl: .bbr))
    session.fetch([1_500_000, 1_500_000])
    try #require(session.completions.count == 2)
    #expect(abs(session.completions[0].nanoseconds - 2_767_000_000) < 5_000_000)
    let second = session.completions[1] - session.completions[0]
    #expect(abs(second.nanoseconds - 1_420_300_000) < 5_000_000, "\(second)")
  }

  @Test(arguments: Seeds.first(2, inRelease: 8))
  func `one loss in a hundred costs it little and Reno most of the link`(_ seed: UInt64) {
    let conditions = link(
      down: mebibits(10), up: mebibits(10), delayMilliseconds: 50, loss: LossRatio(1, over: 100),
      queue: 200)
    // Eight seconds of the link.
    let bytes: Int64 = 10_000_000 * 1_448 / 1_514
    #expect(seconds(bytes, .bbr, over: conditions, seed: seed) < 8 / 0.8)
    #expect(seconds(bytes, .reno, over: conditions, seed: seed) > 8 / 0.5)
  }

  /// Packets in the downlink every ten milliseconds of a download.
  private func inFlight(_ control: CongestionControl, until seconds: Int64) -> [Int64] {
    var transport = PacketTransport(
      link(down: mebibits(10), up: mebibits(10), delayMilliseconds: 50, queue: 1_000), seed: 1)
    let id = transport.open(ConnectionOptions(congestionControl: control), at: .zero)
    transport.send(400, answeredBy: 100_000_000, on: id, at: .zero)
    var events: [TransportEvent] = []
    return (1...100 * seconds).map { step in
      let limit = milliseconds(10 * step)
      while transport.advance(to: limit, into: &events) < limit {}
      return transport.downlinkCounters.inFlight.packets
    }
  }

  @Test func `it keeps a queue short that another law fills`() throws {
    // The link holds 41 segments one way; twice the product of both ways is 166.
    let steady = inFlight(.bbr, until: 9).suffix(600)
    #expect(try #require(steady.max()) <= 120)
    #expect(try #require(inFlight(.reno, until: 9).max()) > 500)
  }

  @Test func `four segments for 200 ms show the round trip again after ten seconds`() throws {
    let counts = inFlight(.bbr, until: 12)
    let first = try #require(counts.indices.first { $0 > 200 && counts[$0] <= 4 })
    #expect((1_000...1_060).contains(first))
    #expect(counts[first..<first + 20].allSatisfy { $0 <= 4 })
    #expect(counts[(first + 50)...].allSatisfy { $0 > 20 })
  }

  @Test func `a rate that the application sets is not taken for the link's`() throws {
    let conditions = link(
      down: mebibits(10), up: mebibits(10), delayMilliseconds: 50, queue: 1_000)
    var session = PacketSession(
      conditions, options: ConnectionOptions(congestionControl: .bbr))
    session.fetch([5_000_000, 20_000, 20_000, 20_000, 20_000, 5_000_000])
    let ends = session.completions
    try #require(ends.count == 6)
    // 5 MB take 4.18 s and a round trip.
    #expect(ends[5] - ends[4] < .milliseconds(4_182 + 100 + 300))
  }
}
