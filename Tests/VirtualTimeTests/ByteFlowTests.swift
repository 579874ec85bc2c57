import Testing
import VirtualTime

@Suite struct ByteFlowTests {
  private func rate(
    _ random: inout RandomStream, upTo bits: Int64 = 1_000_000_000, over most: Int64 = 1_000_000
  ) -> BitRate {
    BitRate(bitsPerSecond: random.next(in: 1...bits), over: random.next(in: 1...most))
  }

  @Test func `bytes that have arrived are the exact line rounded down`() {
    var random = RandomStream(seed: 61, name: "flows")
    var wrong = 0
    for _ in 0..<3_000 {
      let start = random.next(in: 0...1 << 40)
      let bytes = random.next(in: 0...1 << 36)
      let rate = rate(&random)
      let flow = ByteFlow(anchor: Instant(nanoseconds: start), bytes: bytes, rate: rate)
      let span = random.next(in: 0...1 << 44)
      let arrived = flow.bytes(at: Instant(nanoseconds: start + span))
      // Bits are rate × seconds; eight of them are a byte.
      let whole =
        Int128(rate.numerator) * Int128(span) / (Int128(rate.denominator) * 1_000_000_000 * 8)
      if Int128(arrived) != Int128(bytes) + whole { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `the instant that reaches an amount is the first`() {
    var random = RandomStream(seed: 62, name: "arrivals")
    var wrong = 0
    for _ in 0..<3_000 {
      let bytes = random.next(in: 0...1 << 30)
      let flow = ByteFlow(
        anchor: Instant(nanoseconds: random.next(in: 0...1 << 40)), bytes: bytes,
        rate: BitRate(
          bitsPerSecond: random.next(in: 1_000_000...1 << 40), over: random.next(in: 1...1_000)))
      let wanted = bytes + random.next(in: 1...1 << 30)
      let instant = flow.instant(reaching: wanted)
      let before = instant - .nanoseconds(1)
      if flow.bytes(at: instant) < wanted || flow.bytes(at: before) >= wanted { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `moving the anchor moves no byte`() {
    var random = RandomStream(seed: 63, name: "anchors")
    var wrong = 0
    for _ in 0..<2_000 {
      let flow = ByteFlow(
        anchor: .zero, bytes: random.next(in: 0...1 << 30), rate: rate(&random))
      let middle = Instant(nanoseconds: random.next(in: 0...1 << 40))
      let end = middle + TimeSpan(nanoseconds: random.next(in: 0...1 << 40))
      let moved = flow.anchored(at: middle)
      let wanted = moved.bytes(at: end) + 1
      if moved.units(at: end) != flow.units(at: end) { wrong += 1 }
      if moved.instant(reaching: wanted) != flow.instant(reaching: wanted) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `a prediction goes on exactly from what has arrived`() {
    var random = RandomStream(seed: 64, name: "predictions")
    var wrong = 0
    for _ in 0..<2_000 {
      let (now, next) = (rate(&random, over: 10_000), rate(&random, over: 10_000))
      let (first, second) = (random.next(in: 0...1 << 36), random.next(in: 0...1 << 36))
      let turn = Instant(nanoseconds: first)
      let flow = ByteFlow(anchor: .zero, bytes: 0, rate: now).anchored(at: turn).continued(at: next)
      let arrived = flow.bytes(at: turn + TimeSpan(nanoseconds: second))
      // Both shares over the common denominator, in bits × 10⁹.
      let bits =
        Int128(now.numerator) * Int128(first) * Int128(next.denominator)
        + Int128(next.numerator) * Int128(second) * Int128(now.denominator)
      let whole = bits / (Int128(now.denominator) * Int128(next.denominator) * 8_000_000_000)
      if Int128(arrived) != whole { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `any number of predictions in a row stays within a byte and never traps`() {
    var random = RandomStream(seed: 65, name: "chains")
    for _ in 0..<100 {
      var flow = ByteFlow(anchor: .zero, bytes: 123_456_789, rate: .megabitsPerSecond(1))
      for _ in 0..<30 {
        flow = flow.continued(at: rate(&random, upTo: .max, over: .max))
        #expect(flow.bytes(at: .zero) >= 123_456_788 && flow.bytes(at: .zero) <= 123_456_789)
      }
      let onward = flow.continued(at: .megabitsPerSecond(8))
      let span: TimeSpan = onward.instant(reaching: 124_456_789) - Instant.zero
      #expect(span >= .seconds(1) && span <= .seconds(1) + .microseconds(1))
    }
  }

  @Test func `a flow that stands still brings nothing ever`() {
    let flow = ByteFlow(anchor: .zero + .seconds(1), bytes: 10, rate: .zero)
    #expect(flow.bytes(at: .distantFuture) == 10)
    #expect(flow.instant(reaching: 10) == .zero + .seconds(1))
    #expect(flow.instant(reaching: 11) == .distantFuture)
  }

  @Test func `the largest and the smallest numbers do not trap`() {
    let counts: [Int64] = [0, 1, 1 << 40, .max]
    let rates = [
      BitRate.zero, .bitsPerSecond(.max), BitRate(bitsPerSecond: 1, over: .max),
      BitRate(bitsPerSecond: .max, over: .max - 1), .bitsPerSecond(1),
    ]
    for bytes in counts {
      for rate in rates {
        let flow = ByteFlow(anchor: .zero, bytes: bytes, rate: rate)
        #expect(flow.bytes(at: .distantFuture) >= flow.bytes(at: .zero))
        for next in rates {
          let onward = flow.continued(at: next)
          #expect(onward.bytes(at: .distantFuture) >= onward.bytes(at: .zero))
          #expect(onward.instant(reaching: .max) >= onward.instant(reaching: 0))
        }
      }
    }
  }

  @Test func `a rate too fine to be counted in is rounded down by less than can be seen`() {
    let fine = BitRate(bitsPerSecond: .max, over: 9_223_372_036_855)
    let flow = ByteFlow(anchor: .zero, bytes: 0, rate: fine)
    let plain = ByteFlow(anchor: .zero, bytes: 0, rate: .bitsPerSecond(fine.roundedDown))
    let end = Instant.zero + .seconds(8)
    #expect(flow.bytes(at: end) >= plain.bytes(at: end))
    #expect(flow.bytes(at: end) <= plain.bytes(at: end) + 1)
  }

  /// Denominators near a thousand million have no unit in common that so much could be counted in.
  @Test func `between rates without a common unit less than a thousandth of a bit is lost`() {
    let primes: [Int64] = [1_000_000_007, 1_000_000_009, 999_999_937, 998_244_353, 1_000_003]
    var random = RandomStream(seed: 68, name: "primes")
    for first in primes {
      for second in primes where second != first {
        let turn = Instant(nanoseconds: random.next(in: 1...90_000_000_000))
        let flow = ByteFlow(
          anchor: .zero, bytes: random.next(in: 0...500),
          rate: BitRate(bitsPerSecond: random.next(in: 1...90) * first + 1, over: first)
        ).anchored(at: turn)
        let rate = BitRate(bitsPerSecond: random.next(in: 1...90) * second + 1, over: second)
        let onward = flow.continued(at: rate)
        let lost =
          Double(flow.units) / Double(flow.unitsPerByte)
          - Double(onward.units) / Double(onward.unitsPerByte)
        #expect(lost > -1e-9 && lost < 1.0 / 8_000, "\(first), \(second): \(lost) bytes")
        // A byte is the same time away, at the new rate.
        let wanted = flow.bytes(at: turn) + 1
        let missing = Double(wanted) - Double(flow.units) / Double(flow.unitsPerByte)
        let span = Double((onward.instant(reaching: wanted) - turn).nanoseconds) / 1e9
        let expected = missing * 8 * Double(rate.denominator) / Double(rate.numerator)
        #expect(abs(span - expected) < 1e-3, "\(first), \(second)")
      }
    }
  }

  @Test func `what has arrived is the same at another rate, to the last part of a bit`() {
    var random = RandomStream(seed: 67, name: "rates")
    for _ in 0..<1_000 {
      let before = ByteFlow(
        anchor: .zero, bytes: random.next(in: 0...1_000), rate: rate(&random, over: 100)
      ).anchored(at: Instant(nanoseconds: random.next(in: 0...1_000)))
      let after = before.continued(at: rate(&random, over: 100))
      #expect(before.units * after.unitsPerByte == after.units * before.unitsPerByte)
    }
  }

  @Test func `a denominator of 2⁴⁷ is brought below it, and smaller ones stay`() {
    let limit: Int64 = 1 << 47
    // 3 and 2⁻⁴⁷ bits a second: over 2⁴⁷ − 1 they are 3 and less than one part.
    let coarse = ByteFlow(
      anchor: .zero, bytes: 0, rate: BitRate(bitsPerSecond: 3 * limit + 1, over: limit))
    #expect(coarse.unitsPerByte == 8_000_000_000 && coarse.unitsPerNanosecond == 3)
    let fine = ByteFlow(
      anchor: .zero, bytes: 0, rate: BitRate(bitsPerSecond: 3 * limit - 2, over: limit - 1))
    #expect(fine.unitsPerByte == 8_000_000_000 * Int128(limit - 1))
    #expect(fine.unitsPerNanosecond == Int128(3 * limit - 2))
  }

  @Test func `an amount that cannot be counted is the largest, and its bytes are never there`() {
    let flow = ByteFlow(anchor: .zero, units: .max - 5, unitsPerByte: 1, unitsPerNanosecond: 1)
    #expect(flow.units(at: .zero + .nanoseconds(5)) == .max)
    #expect(flow.units(at: .zero + .nanoseconds(6)) == .max)
    #expect(flow.bytes(at: .zero + .nanoseconds(6)) == .max)
    let coarse = ByteFlow(
      anchor: .zero + .seconds(1), units: 0, unitsPerByte: 1 << 66, unitsPerNanosecond: 1 << 66)
    #expect(coarse.instant(reaching: 1 << 60) == .zero + .seconds(1) + .nanoseconds(1 << 60))
    #expect(coarse.instant(reaching: .max) == .distantFuture)
    #expect(coarse.instant(reaching: .min) == .zero + .seconds(1))
    #expect(coarse.instant(reaching: 0) == .zero + .seconds(1))
    let behind = ByteFlow(anchor: .zero, units: .min + 1, unitsPerByte: 1, unitsPerNanosecond: 1)
    #expect(behind.instant(reaching: 3) == .distantFuture)
  }

  @Test func `a flow that stands has what it has, at its anchor`() {
    let flow = ByteFlow(anchor: .zero + .seconds(1), bytes: 9, rate: .zero)
    #expect(flow.instant(reaching: 9) == .zero + .seconds(1))
    #expect(flow.instant(reaching: 10) == .distantFuture)
    #expect(flow.bytes(at: .zero + .seconds(99)) == 9)
  }
}
