import Testing
import VirtualTime

import LinkConditioner

@Suite struct TransportPartsTests {
  @Test func `a cube root is the largest integer whose cube fits`() {
    var random = RandomStream(seed: 3, name: "cubes")
    var values = Array(Int64(0)...1_000)
    for bits in 10..<62 as Range<UInt64> {
      for _ in 0..<20 { values.append(Int64(random.next(below: 1 << bits))) }
    }
    for value in values {
      let root = cubeRoot(value)
      #expect(root * root * root <= value)
      let next = Int128(root + 1)
      #expect(next * next * next > Int128(value))
    }
  }

  @Test func `a coarse timer is never early and at most an eighth and two ticks late`() {
    var random = RandomStream(seed: 3, name: "timers")
    for _ in 0..<2_000 {
      let now = Int64(random.next(below: 100_000_000_000))
      let span = Int64(random.next(below: 200_000_000_000))
      let late = CoarseTimer.deadline(span, from: now) - (now + span)
      #expect(late >= 0)
      #expect(late <= span / 7 + 3 * CoarseTimer.tick)
      #expect((now + span + late).isMultiple(of: CoarseTimer.tick))
    }
  }

  @Test func `a reassembly queue agrees with a set of bytes`() {
    var random = RandomStream(seed: 3, name: "reassembly")
    for _ in 0..<200 {
      var queue = ReassemblyQueue()
      var edge: Int64 = 0
      var bytes: Set<Int64> = []
      for _ in 0..<60 {
        let start = edge + Int64(random.next(below: 60))
        let range = ByteRange(start: start, end: start + 1 + Int64(random.next(below: 10)))
        if range.start > edge {
          let isNew = !(range.start..<range.end).allSatisfy(bytes.contains)
          #expect(queue.insert(range) == isNew)
          bytes.formUnion(range.start..<range.end)
        } else {
          bytes.formUnion(range.start..<range.end)
          var reached = edge
          while bytes.contains(reached) { reached += 1 }
          edge = queue.remove(reachedBy: max(edge, range.end))
          #expect(edge == reached)
        }
        let waiting = queue.ranges.reduce(0) { $0 + ($1.end - $1.start) }
        #expect(waiting == Int64(bytes.count { $0 >= edge }))
        #expect(queue.isEmpty == (waiting == 0))
      }
    }
  }

  @Test func `the range heard of last is reported first`() {
    var queue = ReassemblyQueue()
    for start in [10, 30, 50, 70, 90] as [Int64] {
      _ = queue.insert(ByteRange(start: start, end: start + 5))
    }
    _ = queue.insert(ByteRange(start: 35, end: 40))
    #expect(queue.recent(0) == ByteRange(start: 30, end: 40))
    #expect(queue.recent(1) == ByteRange(start: 90, end: 95))
    #expect(queue.recent(4) == nil)
  }

  @Test func `the timeout is the round trip and at least 200 ms`() {
    var estimator = RoundTripEstimator()
    #expect(estimator.timeout == 1_000_000_000)
    for _ in 0..<200 { estimator.add(50_000_000, acknowledged: 1, next: 1) }
    #expect(estimator.smoothed == 50_000_000)
    // Rounded up to a tick of four milliseconds.
    #expect(estimator.timeout == 252_000_000)
    var varied = RoundTripEstimator()
    // RFC 6298 §2.2: R + 4 × R/2.
    varied.add(400_000_000, acknowledged: 1, next: 1)
    #expect(varied.timeout == 1_200_000_000)
  }

  @Test func `a ring keeps order and positions while it grows`() {
    var ring = Ring(filler: 0)
    var expected: Int64 = 0
    for value in 0..<1_000 {
      ring.append(value)
      #expect(ring[Int64(value)] == value)
      if value.isMultiple(of: 3) {
        #expect(ring.first == expected)
        #expect(ring.removeFirst() == Int(expected))
        expected += 1
      }
    }
    #expect(ring.count == 1_000 - expected)
  }

  @Test func `cubic returns to where the loss was and Reno to where half of it was`() {
    var cubic = CongestionWindow(.cubic, initial: 1_000)
    #expect(cubic.thresholdAfterLoss() == 700)
    cubic.size = 500
    // Fast convergence: a smaller loss window remembers (1 + beta) ÷ 2 of itself.
    #expect(cubic.thresholdAfterLoss() == 350)
    var reno = CongestionWindow(.reno, initial: 1_000)
    #expect(reno.thresholdAfterLoss() == 500)
  }
}
