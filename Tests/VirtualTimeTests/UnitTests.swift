import Testing
import VirtualTime

@Suite struct UnitTests {
  @Test func `units of time and of rates are powers of ten`() {
    #expect(TimeSpan.zero.nanoseconds == 0 && TimeSpan.nanoseconds(7).nanoseconds == 7)
    #expect(TimeSpan.microseconds(7).nanoseconds == 7_000)
    #expect(TimeSpan.milliseconds(7).nanoseconds == 7_000_000)
    #expect(TimeSpan.seconds(7).nanoseconds == 7_000_000_000)
    #expect(MediaTime.zero.nanoseconds == 0)
    #expect(MediaTime.milliseconds(7).nanoseconds == 7_000_000)
    #expect(MediaTime.seconds(7).nanoseconds == 7_000_000_000)
    #expect(Instant.zero.nanoseconds == 0 && MediaTime.distantFuture.nanoseconds == .max)
    #expect(BitRate.bitsPerSecond(7).roundedDown == 7)
    #expect(BitRate.kilobitsPerSecond(7).roundedDown == 7_000)
    #expect(BitRate.megabitsPerSecond(7).roundedDown == 7_000_000)
    #expect(BitRate.megabitsPerSecond(7).denominator == 1)
  }

  @Test func `spans are added to in place, and taken so many times`() {
    var span = TimeSpan.seconds(2)
    span += .milliseconds(5)
    #expect(span == .milliseconds(2_005))
    span += .forever
    #expect(span == .forever)
    #expect(TimeSpan.milliseconds(5) * 3 == .milliseconds(15))
    #expect(TimeSpan.milliseconds(5) * 0 == .zero)
    #expect(TimeSpan.seconds(1) * .max == .forever)
  }

  @Test func `a rate that is no forward playback is zero`() {
    for (numerator, denominator): (Int32, Int32) in [(0, 1), (-1, 1), (1, 0), (1, -1), (-1, -1)] {
      let rate = PlaybackRate(numerator, over: denominator)
      #expect(rate == .zero && rate.isZero && rate.denominator == 1)
    }
    #expect(PlaybackRate(1).denominator == 1 && PlaybackRate.normal.numerator == 1)
    #expect(!PlaybackRate(1, over: .max).isZero)
  }

  @Test func `a multiple of real time is rounded down`() {
    for (rate, multiple): (PlaybackRate, Int64) in [
      (.zero, 0), (PlaybackRate(1, over: 2), 0), (.normal, 1), (PlaybackRate(3, over: 2), 1),
      (PlaybackRate(2), 2), (PlaybackRate(5, over: 2), 2),
    ] {
      #expect(rate.roundedDown == multiple)
    }
  }

  @Test func `the first index of a condition is the one that a walk finds`() {
    for count in 0...20 {
      let numbers = Array(0..<count)
      for limit in 0...count {
        #expect(numbers.partitionPoint { $0 >= limit } == limit)
        let slice = numbers[(count / 3)...]
        #expect(slice.partitionPoint { $0 >= limit } == max(limit, slice.startIndex))
      }
    }
  }
}

@Suite struct DemandCurveTests {
  private let curve = DemandCurve(knots: [
    DemandCurve.Knot(time: .seconds(2), bytes: 100),
    DemandCurve.Knot(time: .seconds(4), bytes: 900),
    DemandCurve.Knot(time: .seconds(5), bytes: 900),
    DemandCurve.Knot(time: .seconds(8), bytes: 910),
  ])

  @Test(arguments: [
    (0, 100, 0), (1_999, 100, 0), (2_000, 100, 1), (2_001, 101, 1), (2_500, 300, 1),
    (3_999, 900, 1), (4_000, 900, 2), (4_500, 900, 2), (5_000, 900, 3), (5_001, 901, 3),
    (5_300, 901, 3), (5_301, 902, 3), (7_999, 910, 3), (8_000, 910, 4), (90_000, 910, 4),
  ])
  func `bytes rise between two knots in proportion, rounded up`(
    milliseconds: Int64, bytes: Int64, index: Int
  ) {
    #expect(curve.bytes(before: .milliseconds(milliseconds)) == bytes)
    #expect(curve.firstIndex(after: .milliseconds(milliseconds)) == index)
  }

  @Test func `without knots nothing is needed`() {
    #expect(DemandCurve.empty.bytes(before: .seconds(1)) == 0 && DemandCurve.empty.knots.isEmpty)
  }
}
