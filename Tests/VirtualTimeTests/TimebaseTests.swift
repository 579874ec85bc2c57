import Testing
import VirtualTime

@Suite struct TimebaseTests {
  @Test func `a position is the anchor plus the rate times the span`() {
    let timebase = Timebase(at: .zero + .seconds(2), time: .seconds(10), rate: .init(3, over: 2))
    #expect(timebase.time(at: .zero + .seconds(4)) == .seconds(13))
    #expect(timebase.instant(reaching: .seconds(13)) == .zero + .seconds(4))
  }

  @Test func `the instant that reaches a position is the first`() {
    var random = RandomStream(seed: 41, name: "timebases")
    var wrong = 0
    for _ in 0..<3_000 {
      let timebase = Timebase(
        at: Instant(nanoseconds: random.next(in: 0...4_000_000_000_000)),
        time: MediaTime(nanoseconds: random.next(in: 0...4_000_000_000_000)),
        rate: PlaybackRate(
          Int32(random.next(in: 1...3_000)), over: Int32(random.next(in: 1...1_000))))
      let ahead = MediaTime(nanoseconds: random.next(in: 1...1 << 42))
      let wanted = timebase.anchorTime + ahead
      let instant = timebase.instant(reaching: wanted)
      let before = instant - .nanoseconds(1)
      if timebase.time(at: instant) < wanted || timebase.time(at: before) >= wanted { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `moving the anchor of a whole rate changes no position`() {
    var random = RandomStream(seed: 42, name: "anchors")
    for _ in 0..<500 {
      let timebase = Timebase(
        at: .zero, time: .seconds(1), rate: PlaybackRate(Int32(random.next(in: 0...8))))
      let (early, late) = (random.next(in: 0...1 << 40), random.next(in: 0...1 << 40))
      let middle = Instant(nanoseconds: early)
      let end = middle + TimeSpan(nanoseconds: late)
      var moved = timebase
      moved.set(time: timebase.time(at: middle), rate: timebase.rate, at: middle)
      #expect(moved.time(at: end) == timebase.time(at: end))
    }
  }

  @Test func `a position that is already past is reached at the anchor`() {
    let anchor = Instant.zero + .seconds(5)
    let timebase = Timebase(at: anchor, time: .seconds(10), rate: .normal)
    #expect(timebase.instant(reaching: .seconds(10)) == anchor)
    #expect(timebase.instant(reaching: .seconds(3)) == anchor)
    #expect(timebase.time(at: .zero) == .seconds(5))
  }

  @Test func `media that stands still stays where it is and reaches nothing`() {
    let timebase = Timebase(at: .zero - .seconds(1), time: .seconds(10))
    #expect(timebase.time(at: .distantFuture) == .seconds(10))
    #expect(timebase.instant(reaching: .seconds(10) + MediaTime(nanoseconds: 1)) == .distantFuture)
  }

  @Test func `the ends of time do not trap`() {
    let edges = [Int64.min, -1, 0, 1, .max]
    let rates = [PlaybackRate.zero, .normal, PlaybackRate(.max), PlaybackRate(1, over: .max)]
    for rate in rates {
      for anchor in edges {
        for other in edges {
          let timebase = Timebase(
            at: Instant(nanoseconds: anchor), time: MediaTime(nanoseconds: other), rate: rate)
          let first = timebase.time(at: .zero)
          let last = timebase.time(at: .distantFuture)
          #expect(first <= last || rate.isZero)
          #expect(timebase.instant(reaching: .distantFuture) >= timebase.anchor)
        }
      }
    }
  }

  @Test func `a position that stands is reached at its anchor, and none behind it ever`() {
    let standing = Timebase(at: .zero + .seconds(2), time: .seconds(10))
    #expect(standing.instant(reaching: .seconds(10)) == .zero + .seconds(2))
    #expect(standing.instant(reaching: .seconds(9)) == .zero + .seconds(2))
    #expect(standing.instant(reaching: .seconds(10) + .init(nanoseconds: 1)) == .distantFuture)
    #expect(standing.time(at: .zero + .seconds(90)) == .seconds(10))
  }

  @Test func `a timebase that is set runs on from there`() {
    var timebase = Timebase(at: .zero, time: .zero, rate: .normal)
    timebase.set(time: .seconds(30), rate: PlaybackRate(2), at: .zero + .seconds(4))
    #expect(timebase.anchor == .zero + .seconds(4) && timebase.anchorTime == .seconds(30))
    #expect(timebase.rate == PlaybackRate(2))
    #expect(timebase.time(at: .zero + .seconds(5)) == .seconds(32))
    #expect(timebase.time(at: .zero + .seconds(3)) == .seconds(28))
    timebase.set(time: .seconds(32), rate: .zero, at: .zero + .seconds(5))
    #expect(timebase.time(at: .zero + .seconds(6)) == .seconds(32))
  }
}
