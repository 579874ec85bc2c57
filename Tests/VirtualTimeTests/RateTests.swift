import Testing
import VirtualTime

@Suite struct RateTests {
  @Test func `rates are in lowest terms, so that equal rates are equal values`() {
    #expect(PlaybackRate(6, over: 4) == PlaybackRate(3, over: 2))
    #expect(PlaybackRate(0, over: 9) == .zero)
    #expect(PlaybackRate(.max, over: .max) == .normal)
    #expect(BitRate(bitsPerSecond: 826_531_177_829, over: 1_000_000).denominator == 1_000_000)
    #expect(BitRate(bitsPerSecond: 2_000_000, over: 2) == .megabitsPerSecond(1))
    #expect(BitRate(bitsPerSecond: 0, over: 12) == .zero)
    #expect(BitRate(bitsPerSecond: .max, over: .max) == .bitsPerSecond(1))
  }

  @Test func `bit rates compare as fractions do`() {
    #expect(BitRate(bitsPerSecond: 1, over: 3) < BitRate(bitsPerSecond: 1, over: 2))
    #expect(BitRate(bitsPerSecond: .max - 1, over: .max) < .bitsPerSecond(1))
    #expect(BitRate(bitsPerSecond: 7, over: 2).roundedDown == 3)
    #expect(BitRate.zero < BitRate(bitsPerSecond: 1, over: .max))
    #expect(BitRate.zero.isZero && !BitRate.bitsPerSecond(1).isZero)
  }

  @Test func `the span to play some media is the shortest in which it passes`() {
    var random = RandomStream(seed: 31, name: "rates")
    var wrong = 0
    for _ in 0..<3_000 {
      let rate = PlaybackRate(
        Int32(random.next(in: 1...4_000)), over: Int32(random.next(in: 1...4_000)))
      let media = MediaTime(nanoseconds: random.next(in: 1...10_000_000_000_000))
      let span = rate.span(toPlay: media)
      let before = span - .nanoseconds(1)
      if rate.media(in: span) < media || rate.media(in: before) >= media { wrong += 1 }
      let exact = Int128(span.nanoseconds) * Int128(rate.numerator) / Int128(rate.denominator)
      if Int128(rate.media(in: span).nanoseconds) != exact { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `at rate zero no media passes and none is ever played`() {
    #expect(PlaybackRate.zero.media(in: .seconds(9)) == .zero)
    #expect(PlaybackRate.zero.media(in: .forever) == .zero)
    #expect(PlaybackRate.zero.span(toPlay: .milliseconds(1)) == .forever)
    #expect(PlaybackRate.zero.span(toPlay: .zero) == .zero)
  }

  @Test func `the fastest rate over the longest span is clamped`() {
    let fastest = PlaybackRate(.max)
    #expect(fastest.media(in: .forever) == .distantFuture)
    #expect(PlaybackRate(1, over: .max).span(toPlay: .distantFuture) == .forever)
  }
}
