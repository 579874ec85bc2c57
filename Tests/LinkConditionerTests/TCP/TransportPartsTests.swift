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
        #expect(queue.isEmpty == (waiting == 0) && queue.byteCount == waiting)
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
    // An hour: two minutes are the most.
    varied.add(3_600_000_000_000, acknowledged: 2, next: 2)
    #expect(varied.timeout == 120_000_000_000)
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

  /// A round trip, the least one before it, and whether slow start ends: RFC 9406 §4.2 has an
  /// eighth of the least, between 4 and 16 ms.
  @Test(
    arguments: [
      (20_000_000, 16_000_000, false), (20_000_001, 16_000_000, true),
      (90_000_000, 80_000_000, false), (90_000_001, 80_000_000, true),
      (216_000_000, 200_000_000, false), (216_000_001, 200_000_000, true),
    ] as [(Int64, Int64, Bool)])
  func `slow start ends when a round trip has grown by its margin`(
    roundTrip: Int64, least: Int64, ends: Bool
  ) {
    var window = CongestionWindow(.cubic, initial: 16)
    window.begin(next: 10, at: 0)
    window.hear(roundTrip: least, acknowledged: 1, next: 10, at: 0)
    window.begin(next: 20, at: 1_000_000_000)
    for _ in 0..<8 {
      window.hear(roundTrip: roundTrip, acknowledged: 11, next: 20, at: 1_000_000_000)
    }
    #expect(window.isInSlowStart)
    window.hear(roundTrip: roundTrip, acknowledged: 11, next: 20, at: 1_000_000_000)
    #expect(window.isInSlowStart == !ends)
  }

  /// Acknowledgements two milliseconds apart are one train, and half a round trip and half a
  /// millisecond is long; below sixteen segments there is too little to measure.
  @Test(
    arguments: [
      (16, 2_000_000, true), (16, 2_000_001, false), (15, 2_000_000, false),
    ] as [(Int64, Int64, Bool)])
  func `slow start ends with a train of half a round trip`(
    size: Int64, gap: Int64, ends: Bool
  ) {
    var window = CongestionWindow(.cubic, initial: size)
    window.begin(next: 10, at: 0)
    for number in 0...50 as ClosedRange<Int64> {
      window.hear(roundTrip: 199_000_001, acknowledged: 1, next: 10, at: number * gap)
    }
    #expect(window.isInSlowStart)
    window.hear(roundTrip: 199_000_001, acknowledged: 1, next: 10, at: 50 * gap + 1)
    #expect(window.isInSlowStart == !ends)
  }

  @Test(arguments: [(999_999_999, true), (1_000_000_000, false)] as [(Int64, Bool)])
  func `a second after a recovery round trips count again`(after: Int64, isUnheard: Bool) {
    var window = CongestionWindow(.cubic, initial: 20)
    window.threshold = 10
    window.grow(by: 1, at: 0)
    window.threshold = .max
    window.hear(roundTrip: 10_000_000, acknowledged: 1, next: 10, at: after)
    window.begin(next: 20, at: 9_000_000_000)
    // They have grown if the one before was heard.
    for _ in 0..<9 {
      window.hear(roundTrip: 40_000_000, acknowledged: 11, next: 20, at: 9_000_000_000)
    }
    #expect(window.isInSlowStart == isUnheard)
  }

  @Test(arguments: [(28_000_000, 700), (28_000_001, 701)] as [(Int64, Int64)])
  func `the curve of CUBIC is looked at every 28 ms`(after: Int64, size: Int64) {
    var window = CongestionWindow(.cubic, initial: 1_000)
    window.threshold = window.thresholdAfterLoss()
    window.size = window.threshold
    window.grow(by: 1, at: 0)
    window.grow(by: 400, at: after)
    #expect(window.size == size)
  }

  @Test func `the curve of CUBIC levels out below the last loss when losses come earlier`() {
    var window = CongestionWindow(.cubic, initial: 1_000)
    window.threshold = window.thresholdAfterLoss()
    window.size = 500
    window.threshold = window.thresholdAfterLoss()
    window.size = window.threshold
    #expect(window.size == 350)
    window.grow(by: 1, at: 0)
    // RFC 9438 §4.7: 500 × (1 + beta) ÷ 2 is 425, at which the curve is level for seconds.
    window.size = 424
    window.grow(by: 424, at: 5_700_000_000)
    #expect(window.size == 425)
    window.size = 425
    window.grow(by: 425, at: 5_750_000_000)
    #expect(window.size == 425)
  }

  @Test(arguments: [(199, 80_199), (200, 80_200)] as [(Int64, Int64)])
  func `the curve of CUBIC is 400 segments up after ten seconds`(
    acknowledged: Int64, size: Int64
  ) {
    var window = CongestionWindow(.cubic, initial: 80_199)
    _ = window.thresholdAfterLoss()
    window.threshold = 10
    window.grow(by: 0, at: 0)
    // 0.4 × 10³ more: a segment for each 200.
    window.grow(by: acknowledged, at: 10_000_000_000)
    #expect(window.size == size)
  }

  @Test(arguments: [(19, 1_000), (20, 1_001)] as [(Int64, Int64)])
  func `before a loss CUBIC opens by a twentieth of what is acknowledged`(
    acknowledged: Int64, size: Int64
  ) {
    var window = CongestionWindow(.cubic, initial: 1_000)
    window.threshold = 10
    #expect(window.currentThreshold == 750)
    window.grow(by: acknowledged, at: 0)
    #expect(window.size == size)
  }

  @Test func `CUBIC opens by no more than a segment for two`() {
    var window = CongestionWindow(.cubic, initial: 10)
    window.threshold = 10
    window.grow(by: 1, at: 0)
    window.grow(by: 4, at: 100_000_000_000)
    #expect(window.size == 12)
  }

  /// RFC 9438 §4.3: Reno with the same reduction opens by one in 15/8 windows, here 131 segments,
  /// and by two once there is more than twice that.
  @Test(arguments: [(262, 73), (263, 77)] as [(Int64, Int64)])
  func `CUBIC is no slower than Reno`(acknowledged: Int64, size: Int64) {
    var window = CongestionWindow(.cubic, initial: 100)
    window.threshold = window.thresholdAfterLoss()
    window.size = window.threshold
    window.grow(by: acknowledged, at: 0)
    #expect(window.size == size)
  }
}
