import Testing
import VirtualTime

/// Numbers of every size, the smallest and the largest among them.
func numberOfAnySize(_ random: inout RandomStream) -> Int64 {
  if random.chance(numerator: 1, denominator: 8) {
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, 2, .max - 1, .max]
    return edges[Int(random.next(below: UInt64(edges.count)))]
  }
  return Int64(bitPattern: random.next()) >> random.next(in: 0...63)
}

/// The same, but only above zero.
func positiveNumberOfAnySize(_ random: inout RandomStream) -> Int64 {
  Int64(random.next(in: 1...Int64.max) >> random.next(in: 0...62)) | 1
}

@Suite struct WideArithmeticTests {
  @Test(arguments: [
    (dividend: 7, divisor: 2, down: 3, up: 4), (dividend: -7, divisor: 2, down: -4, up: -3),
    (dividend: 6, divisor: 2, down: 3, up: 3), (dividend: -6, divisor: 2, down: -3, up: -3),
    (dividend: 0, divisor: 9, down: 0, up: 0), (dividend: 1, divisor: 9, down: 0, up: 1),
    (dividend: -1, divisor: 9, down: -1, up: 0), (dividend: .max, divisor: 1, down: .max, up: .max),
    (dividend: .min, divisor: 1, down: .min, up: .min),
  ])
  func `a quotient is rounded as asked`(
    row: (dividend: Int64, divisor: Int64, down: Int64, up: Int64)
  ) {
    let (a, b) = (Int128(row.dividend), Int128(row.divisor))
    #expect(quotient(a, b, rounding: .down) == Int128(row.down))
    #expect(quotient(a, b, rounding: .up) == Int128(row.up))
    // The wide way must agree with the narrow one.
    let far = Int128(1) << 63
    #expect(quotient(a * far, b * far, rounding: .down) == Int128(row.down))
    #expect(quotient(a * far, b * far, rounding: .up) == Int128(row.up))
  }

  @Test func `a rounded quotient is the nearest whole number on its side`() {
    var random = RandomStream(seed: 21, name: "quotients")
    var wrong = 0
    for _ in 0..<5_000 {
      let dividend = Int128(numberOfAnySize(&random)) * Int128(numberOfAnySize(&random))
      let divisor = Int128(positiveNumberOfAnySize(&random))
      let down = quotient(dividend, divisor, rounding: .down)
      let up = quotient(dividend, divisor, rounding: .up)
      // 0 <= dividend - down × divisor < divisor, and likewise from above.
      let over = dividend - down * divisor
      let under = up * divisor - dividend
      if over < 0 || over >= divisor || under < 0 || under >= divisor || up - down > 1 {
        wrong += 1
      }
    }
    #expect(wrong == 0)
  }

  @Test func `a scaled number is clamped and never traps`() {
    #expect(scaled(.max, by: .max, over: 1, rounding: .down) == .max)
    #expect(scaled(.min, by: .max, over: 1, rounding: .down) == .min)
    #expect(scaled(.min, by: .min, over: 1, rounding: .up) == .max)
    #expect(scaled(.max, by: .max, over: .max, rounding: .down) == .max)
    #expect(scaled(10, by: 1, over: 3, rounding: .up) == 4)
  }

  @Test func `a greatest common divisor divides both and leaves nothing in common`() {
    #expect(greatestCommonDivisor(0, 7) == 7)
    #expect(greatestCommonDivisor(7, 0) == 7)
    var random = RandomStream(seed: 22, name: "divisors")
    for _ in 0..<300 {
      let a = positiveNumberOfAnySize(&random)
      let b = positiveNumberOfAnySize(&random)
      let divisor = greatestCommonDivisor(a, b)
      #expect(a % divisor == 0 && b % divisor == 0)
      #expect(greatestCommonDivisor(a / divisor, b / divisor) == 1)
    }
  }

  @Test func `sums and differences of times clamp and never trap`() {
    var random = RandomStream(seed: 23, name: "sums")
    var wrong = 0
    for _ in 0..<5_000 {
      let (a, b) = (numberOfAnySize(&random), numberOfAnySize(&random))
      let sum = Int64(clamping: Int128(a) + Int128(b))
      let difference = Int64(clamping: Int128(a) - Int128(b))
      let (instant, span) = (Instant(nanoseconds: a), TimeSpan(nanoseconds: b))
      let results = [
        (instant + span).nanoseconds == sum,
        (instant - span).nanoseconds == difference,
        (instant - Instant(nanoseconds: b)).nanoseconds == difference,
        (TimeSpan(nanoseconds: a) + span).nanoseconds == sum,
        (TimeSpan(nanoseconds: a) - span).nanoseconds == difference,
        (MediaTime(nanoseconds: a) + MediaTime(nanoseconds: b)).nanoseconds == sum,
        (MediaTime(nanoseconds: a) - MediaTime(nanoseconds: b)).nanoseconds == difference,
      ]
      if results.contains(false) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `never stays never`() {
    #expect(Instant.distantFuture + .seconds(1) == .distantFuture)
    #expect(Instant.zero + .forever == .distantFuture)
    #expect(Instant.distantFuture - Instant.zero == .forever)
    #expect(TimeSpan.forever + .forever == .forever)
  }

  /// 2¹²⁶, the largest power whose double is too large.
  private static let huge = Int128(1) << 126

  @Test func `products are compared however large they are`() {
    let huge = Self.huge
    let rows: [(a: Int128, b: Int128, c: Int128, d: Int128, isGreater: Bool)] = [
      (3, 4, 2, 5, true), (3, 4, 2, 6, false), (3, 4, 13, 1, false), (-3, 4, -13, 1, true),
      (huge, 4, huge, 4, false), (huge, 5, huge, 4, true), (huge, 4, huge, 5, false),
      (huge, 4, 1, 1, true), (1, 1, huge, 4, false), (huge, -4, 1, 1, false),
      (1, 1, huge, -4, true), (huge, huge, huge, huge - 1, true),
      (huge, huge - 1, huge, huge, false), (huge + 1, 9, huge, 9, true),
      (huge, 9, huge + 1, 9, false), (huge, 8, huge, 4, true), (huge, 4, huge, 8, false),
    ]
    for row in rows {
      #expect(isProduct(row.a, row.b, greaterThan: row.c, row.d) == row.isGreater)
    }
  }

  @Test func `a product that does not fit is the largest of its sign`() {
    #expect(saturatingProduct(-6, 7) == -42 && saturatingProduct(0, .min) == 0)
    #expect(saturatingProduct(Self.huge, 2) == .max && saturatingProduct(-Self.huge, -3) == .max)
    #expect(saturatingProduct(-Self.huge, 3) == .min && saturatingProduct(Self.huge, -3) == .min)
    #expect(saturatingProduct(2, Self.huge) == .max && saturatingProduct(-3, Self.huge) == .min)
    #expect(saturatingProduct(-Self.huge, 2) == .min)
  }
}
