import Recording
import TestSupport
import Testing
import VirtualTime

/// Curves of media over time, against lines that were worked out by hand.
@Suite struct CurveTests {
  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  private func media(_ milliseconds: Int64) -> MediaTime {
    MediaTime(nanoseconds: milliseconds * 1_000_000)
  }

  private func curve(_ points: [(Int64, Int64)], tolerance: Int64 = 0) -> Curve {
    var curve = Curve(tolerance: tolerance)
    for (instant, value) in points { curve.add(media(value), at: at(instant)) }
    return curve
  }

  @Test func `a curve has a value at each instant, before its beginning and behind its end too`() {
    let curve = curve([(2, 1), (10, 5), (10, 17), (20, 17), (30, 7)])
    #expect(curve.points.count == 5)
    let values: [(Int64, Int64)] = [
      (0, 1), (2, 1), (4, 2), (8, 4), (10, 17), (15, 17), (20, 17), (25, 12), (30, 7), (31, 7),
      (99, 7),
    ]
    for (instant, value) in values { #expect(curve.value(at: at(instant)) == media(value)) }
    #expect(Curve().value(at: at(5)) == .zero)
  }

  @Test func `points on a line are left out, and a bend is not`() {
    #expect(curve([(0, 0), (1, 2), (2, 4), (7, 14)]).points.count == 2)
    #expect(curve([(0, 0), (1, 2), (2, 4), (3, 5), (4, 6)]).points.count == 3)
    let bent = curve([(0, 0), (4, 8), (8, 8), (9, 6)]).points
    #expect(bent.map { $0.media } == [media(0), media(8), media(8), media(6)])
  }

  /// A point that is off the line by no more than the tolerance, which is a tenth of a millisecond
  /// where none is named.
  @Test(arguments: [0, 1, 99_999, 100_000, 100_001, 200_000, -100_000, -100_001] as [Int64])
  func `a point is left out within the tolerance`(off: Int64) {
    for tolerance in [nil, 100_000, 99_999] as [Int64?] {
      var curve = tolerance.map { Curve(tolerance: $0) } ?? Curve()
      for (second, nanoseconds) in [(0, 0), (1, 1_000_000_000 + off), (2, 2_000_000_000)] {
        curve.add(MediaTime(nanoseconds: nanoseconds), at: .zero + .seconds(Int64(second)))
      }
      #expect(curve.points.count == (abs(off) <= tolerance ?? 100_000 ? 2 : 3))
    }
  }

  /// A zigzag of which every point is kept, up to 16,384: one more doubles the tolerance, once or
  /// twice, until a line passes all. A step at its end shows the tolerance.
  @Test(
    arguments: [(0, 2, 2), (100, 200, 200), (100, 201, 400)]
      as [(Int64, Int64, Int64)])
  func `too many points double the tolerance`(tolerance: Int64, height: Int64, doubled: Int64) {
    var curve = Curve(tolerance: tolerance)
    func add(_ number: Int64) {
      curve.add(MediaTime(nanoseconds: number % 2 * height), at: at(number))
    }
    for number in 0..<16_384 as Range<Int64> { add(number) }
    #expect(curve.points.count == 16_384)
    add(16_384)
    #expect(curve.points.count == 2)
    for (step, points) in [(doubled, 2), (doubled + 1, 3)] {
      var stepped = curve
      stepped.add(MediaTime(nanoseconds: step), at: at(16_384))
      #expect(stepped.points.count == points)
    }
  }

  /// As an altered trace may have them.
  @Test func `a curve goes up to the largest media time and down to the least`() {
    var curve = Curve()
    let points: [(Int64, Int64)] = [(0, 0), (1, 1_000_000), (2, .max), (3, .max), (4, .min)]
    for (instant, media) in points { curve.add(MediaTime(nanoseconds: media), at: at(instant)) }
    #expect(curve.points.map { $0.media.nanoseconds } == points.map { $0.1 })
    #expect(curve.simplified(within: .max).points.count == 3)
    #expect(curve.value(at: at(2)).nanoseconds == .max)
  }

  /// Of three values at one instant the first and the last count.
  @Test func `a jump has a value before it and one after it`() {
    let curve = curve([(0, 0), (5, 5), (5, 9), (5, 2), (6, 2)])
    #expect(curve.points.map { $0.media } == [media(0), media(5), media(2), media(2)])
    #expect(curve.value(at: at(5)) == media(2))
    #expect(curve.value(at: at(4)) == media(4))
  }

  @Test(arguments: Seeds.first(2, inRelease: 20))
  func `nothing that is left out is further off than the tolerance`(seed: UInt64) {
    var draw = Draw(seed: seed, part: "curve")
    var points: [(Int64, Int64)] = []
    for step in 0..<600 { points.append((Int64(step) * 3, Int64(draw.below(400)))) }
    for tolerance: Int64 in [0, 5_000_000, 60_000_000, 390_000_000] {
      let made = curve(points, tolerance: tolerance)
      for (instant, value) in points {
        let off = (made.value(at: at(instant)) - media(value)).nanoseconds
        #expect(abs(off) <= tolerance + 1)
      }
      let simpler = made.simplified(within: 100_000_000)
      for point in made.points {
        #expect(abs((simpler.value(at: point.instant) - point.media).nanoseconds) <= 100_000_001)
      }
      #expect(simpler.points.count <= made.points.count)
    }
    #expect(curve(points, tolerance: 400_000_000).points.count < 10)
  }

  @Test func `a mean counts each rate for its time`() {
    let spans = [
      CapacitySpan(start: at(0), end: at(10), rate: 4_000),
      CapacitySpan(start: at(10), end: at(40), rate: 1_000),
      CapacitySpan(start: at(40), end: at(50), rate: nil),
      CapacitySpan(start: at(50), end: at(60), rate: 6_000),
    ]
    #expect(spans.mean(from: at(0), to: at(10)) == 4_000)
    #expect(spans.mean(from: at(0), to: at(40)) == 1_750)
    #expect(spans.mean(from: at(5), to: at(15)) == 2_500)
    #expect(spans.mean(from: at(10), to: at(40)) == 1_000)
    #expect(spans.mean(from: at(39), to: at(41)) == nil)
    #expect(spans.mean(from: at(40), to: at(50)) == nil)
    #expect(spans.mean(from: at(50), to: at(60)) == 6_000)
    #expect(spans.mean(from: at(55), to: at(55)) == 0)
    #expect(spans.mean(from: at(55), to: at(50)) == 0)
  }
}
