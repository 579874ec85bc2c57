import LinkConditioner
import TestSupport
import Testing
import VirtualTime

/// Whatever is done to a link and its connections, nothing traps, hangs or is lost from the books.
@Suite struct TransportPropertyTests {
  private func conditions(_ random: inout RandomStream) -> LinkConditions {
    func direction() -> DirectionConditions {
      let rates: [Bandwidth] = [
        .unlimited, .limited(.zero), .limited(.kilobitsPerSecond(64)), mebibits(2), mebibits(50),
        .limited(BitRate(bitsPerSecond: 826_531_177_829, over: 1_000_000)),
      ]
      let losses = [LossRatio.none, LossRatio(1, over: 100), LossRatio(1, over: 3), .total]
      return DirectionConditions(
        bandwidth: rates[Int(random.next(below: 6))],
        delay: .milliseconds(Int64(random.next(below: 120))),
        loss: losses[Int(random.next(below: 4))],
        queuePackets: Int32(random.next(below: 60)))
    }
    return LinkConditions(downlink: direction(), uplink: direction())
  }

  private func act(
    _ random: inout RandomStream, on transport: inout PacketTransport, _ ids: inout [ConnectionID],
    at now: Instant
  ) {
    let id = ids.isEmpty ? nil : ids[Int(random.next(below: UInt64(ids.count)))]
    switch random.next(below: 8) {
    case 0, 1:
      let control: CongestionControl = [.reno, .cubic, .bbr][Int(random.next(below: 3))]
      ids.append(transport.open(ConnectionOptions(congestionControl: control), at: now))
    case 2, 3, 4:
      let answer = Int64(random.next(below: 400_000))
      if let id { transport.send(400, answeredBy: answer, on: id, at: now) }
    case 5:
      transport.change(to: conditions(&random), at: now)
    case 6:
      if let id { transport.close(id, at: now) }
    default:
      if let id { transport.close(id, byServer: true, at: now) }
    }
  }

  @Test(arguments: Seeds.first(5, inRelease: 24))
  func `any sequence of changes leaves the books balanced and comes to rest`(_ seed: UInt64) {
    var random = RandomStream(seed: seed, name: "property")
    let path = PathOptions(
      lossPosition: seed.isMultiple(of: 2) ? .beforeQueue : .afterQueue,
      idleLink: seed.isMultiple(of: 3) ? .passesAtOnce : .serialises)
    var transport = PacketTransport(conditions(&random), options: path, seed: seed)
    var ids: [ConnectionID] = []
    var now = Instant.zero
    var events: [TransportEvent] = []
    for _ in 0..<120 {
      act(&random, on: &transport, &ids, at: now)
      let limit = now + .milliseconds(Int64(random.next(below: 900)))
      while transport.advance(to: limit, into: &events) < limit {}
      now = limit
      #expect(transport.downlinkCounters.balances)
      #expect(transport.uplinkCounters.balances)
    }
    // On a good link everything ends; a connection without an answer ends by patience.
    transport.change(to: link(down: mebibits(50), up: mebibits(50), delayMilliseconds: 5), at: now)
    var steps = 0
    while transport.nextWake < .distantFuture, steps < 200_000 {
      transport.advance(to: transport.nextWake, into: &events)
      steps += 1
    }
    #expect(transport.nextWake == .distantFuture)
    #expect(transport.downlinkCounters.inFlight == PacketCount())
    #expect(transport.uplinkCounters.inFlight == PacketCount())
  }
}
