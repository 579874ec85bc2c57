import Testing
import VirtualTime

import LinkConditioner

@Suite struct PathDirectionTests {
  private func packet(_ length: Int32) -> Packet {
    var packet = Packet(seat: 0, generation: 0, kind: .segment)
    packet.length = length
    return packet
  }

  private func direction(
    _ bandwidth: Bandwidth, loss: LossRatio = .none, queue: Int32 = 1_000,
    stream: String = "loss/downlink"
  ) -> PathDirection {
    PathDirection(
      DirectionConditions(
        bandwidth: bandwidth, delay: .milliseconds(1), loss: loss, queuePackets: queue),
      options: PathOptions(), seed: 5, stream: stream)
  }

  /// When each packet arrives.
  private func arrivals(_ path: inout PathDirection) -> [Int64] {
    var times: [Int64] = []
    while path.nextWake < .max {
      let now = path.nextWake
      if path.serviceEnd == now {
        path.finishService(at: now)
      } else {
        _ = path.takeDelivery()
        times.append(now)
      }
    }
    return times
  }

  @Test(arguments: [7, 333_333, 1_000_003, 826_531_177] as [Int64])
  func `packets without a gap carry fractions of a nanosecond along`(_ rate: Int64) {
    var path = direction(.limited(BitRate(bitsPerSecond: rate, over: 7)))
    for _ in 0..<200 { path.offer(packet(1_448), at: 0) }
    for (index, time) in arrivals(&path).enumerated() {
      let bits = Int128(index + 1) * 1_514 * 8 * 1_000_000_000 * 7
      let exact = (bits + Int128(rate) - 1) / Int128(rate)
      #expect(Int128(time) == exact + 1_000_000)
    }
  }

  // MARK: A token bucket

  private func bucket(_ bandwidth: Bandwidth, bytes: Int64) -> PathDirection {
    var options = PathOptions(idleLink: .passesAtOnce)
    options.bucketBytes = bytes
    return PathDirection(
      DirectionConditions(
        bandwidth: bandwidth, delay: .milliseconds(1), loss: .none, queuePackets: 100),
      options: options, seed: 5, stream: "loss/downlink")
  }

  @Test func `a packet waits for the missing tokens alone`() {
    // RFC 2697 §3: 3,000 tokens; two packets of 1,000 bytes pass at once, and so does a third.
    var path = bucket(mebibits(1), bytes: 3_000)
    for _ in 0..<5 { path.offer(packet(934), at: 0) }
    // Then one for each 8 ms; a packet of 500 bytes waits for 500 tokens.
    path.offer(packet(434), at: 0)
    #expect(
      arrivals(&path) == [
        1_000_000, 1_000_000, 1_000_000, 9_000_000, 17_000_000, 21_000_000,
      ])
    // 10 ms after the bucket was empty it holds 1,250: one packet passes, and one waits 6 ms.
    path.offer(packet(934), at: 30_000_000)
    path.offer(packet(934), at: 30_000_000)
    #expect(arrivals(&path) == [31_000_000, 37_000_000])
  }

  @Test func `a bucket fills up to its depth and a larger packet waits until it is full`() {
    var path = bucket(mebibits(1), bytes: 1_000)
    path.offer(packet(1_434), at: 0)
    path.offer(packet(1_434), at: 0)
    // 1,500 bytes leave the bucket 500 below empty: it is full after 1,500 more.
    #expect(arrivals(&path) == [1_000_000, 13_000_000])
    path.offer(packet(434), at: 900_000_000)
    path.offer(packet(434), at: 900_000_000)
    path.offer(packet(434), at: 900_000_000)
    #expect(arrivals(&path) == [901_000_000, 901_000_000, 905_000_000])
  }

  @Test func `a bucket keeps its tokens when the rate changes and passes nothing in an outage`() {
    var path = bucket(mebibits(1), bytes: 1_000)
    path.offer(packet(934), at: 0)
    path.offer(packet(934), at: 0)
    var conditions = path.conditions
    conditions.bandwidth = .limited(.zero)
    // Half of the tokens are there.
    path.change(to: conditions, at: 4_000_000)
    #expect(path.serviceEnd == .max)
    path.offer(packet(34), at: 5_000_000)
    conditions.bandwidth = mebibits(4)
    path.change(to: conditions, at: 50_000_000)
    #expect(path.serviceEnd == 51_000_000)
    #expect(arrivals(&path) == [1_000_000, 52_000_000, 52_200_000])
    #expect(path.counters.balances)
  }

  @Test func `a rate that changes in the middle of a packet serves the rest at the new rate`() {
    var path = direction(mebibits(1))
    path.offer(packet(1_434), at: 0)
    // 1,500 bytes: half at 8 µs a byte, half at 2.
    var conditions = path.conditions
    conditions.bandwidth = mebibits(4)
    path.change(to: conditions, at: 6_000_000)
    #expect(path.serviceEnd == 6_000_000 + 1_500_000)
  }

  @Test func `an outage holds the packet in service and loses nothing`() {
    var path = direction(mebibits(1))
    path.offer(packet(1_434), at: 0)
    var conditions = path.conditions
    conditions.bandwidth = .limited(.zero)
    path.change(to: conditions, at: 6_000_000)
    #expect(path.nextWake == .max)
    conditions.bandwidth = mebibits(2)
    path.change(to: conditions, at: 20_000_000)
    #expect(path.serviceEnd == 20_000_000 + 3_000_000)
  }

  /// 104 bytes at 7 bit/s take 118,857,142,857 ns and a seventh, which is rounded up.
  @Test func `a link that is unlimited for no time carries no fraction over to the next packet`() {
    var path = direction(.limited(BitRate(bitsPerSecond: 7, over: 1)))
    for _ in 0..<3 { path.offer(packet(38), at: 0) }
    var conditions = path.conditions
    for bandwidth in [.unlimited, conditions.bandwidth] {
      conditions.bandwidth = bandwidth
      path.change(to: conditions, at: 5)
    }
    #expect(path.serviceEnd == 5)
    #expect(arrivals(&path) == [1_000_005, 118_858_142_863, 237_715_285_720])
  }

  @Test func `the limit counts those who wait and not the one in service`() {
    var path = direction(mebibits(1), queue: 3)
    for _ in 0..<10 { path.offer(packet(100), at: 0) }
    #expect(path.counters.overflowed.packets == 6)
    #expect(arrivals(&path).count == 4)
  }

  @Test func `a delay that shrinks lets nobody overtake`() {
    var path = direction(.unlimited)
    path.offer(packet(100), at: 0)
    var conditions = path.conditions
    conditions.delay = .microseconds(10)
    path.change(to: conditions, at: 100_000)
    path.offer(packet(100), at: 100_000)
    #expect(arrivals(&path) == [1_000_000, 1_000_000])
  }

  @Test func `one direction's draws leave the other's alone`() {
    func lost(offeringUp count: Int) -> [Int64] {
      var down = direction(.unlimited, loss: LossRatio(1, over: 10))
      var up = direction(.unlimited, loss: LossRatio(1, over: 10), stream: "loss/uplink")
      return (0..<200).map { _ in
        for _ in 0..<count { up.offer(packet(0), at: 0) }
        down.offer(packet(100), at: 0)
        return down.counters.lost.packets
      }
    }
    #expect(lost(offeringUp: 0) == lost(offeringUp: 3))
    #expect(lost(offeringUp: 0).last != 0)
  }

  @Test func `packets are lost as often as the ratio says`() {
    var path = direction(.unlimited, loss: LossRatio(3, over: 100))
    for _ in 0..<20_000 { path.offer(packet(100), at: 0) }
    // Three percent of 20,000, within four standard deviations.
    #expect(abs(path.counters.lost.packets - 600) < 97)
  }
}
