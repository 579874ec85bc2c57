import TestSupport
import Testing
import VirtualTime

/// Values without the descriptions that other modules may give them.
private func plain(_ values: Any...) -> String {
  values.map { value in
    let parts = Mirror(reflecting: value).children.map { $0.value }
    return parts.isEmpty || value is any BinaryInteger
      ? "\(value)" : "(" + parts.map { plain($0) }.joined(separator: " ") + ")"
  }.joined(separator: " ")
}

/// Times, rates and flows of every order of magnitude, held to the results that they had when they
/// were last reviewed.
@Suite struct MadeUpArithmeticTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/arithmetic", seeds: 400)

  /// Numbers at which something changes, and any others.
  private struct Numbers {
    var draw: Draw

    private static let edges: [Int64] = [
      0, 1, 2, 3, 5, 7, 10, 59, 60, 999_999_999, 1_000_000_000, 1 << 31, 1 << 47, (1 << 47) - 1,
      (1 << 47) + 1, .max - 1, .max,
    ]

    /// A number that is not negative.
    mutating func natural() -> Int64 {
      if draw.chance(30) { return draw.one(of: Self.edges) }
      return Int64(truncatingIfNeeded: draw.next() >> (1 + UInt64(draw.below(62))))
    }

    mutating func positive() -> Int64 { max(1, natural()) }
    mutating func signed() -> Int64 { draw.chance(30) ? -natural() : natural() }
    mutating func small() -> Int32 { Int32(truncatingIfNeeded: natural() % 100) }
    mutating func span() -> TimeSpan { TimeSpan(nanoseconds: signed()) }
    mutating func instant() -> Instant { Instant(nanoseconds: natural()) }
    mutating func media() -> MediaTime { MediaTime(nanoseconds: signed()) }
    mutating func bitRate() -> BitRate {
      BitRate(bitsPerSecond: natural(), over: draw.chance(50) ? 1 : positive())
    }
    mutating func wide() -> Int128 {
      Int128(signed()) * (draw.chance(50) ? 1 : Int128(positive()))
    }
    mutating func rounding() -> Rounding { draw.chance(50) ? .down : .up }
  }

  private static func line(of seed: Int) -> String {
    var numbers = Numbers(draw: Draw(seed: UInt64(seed), part: "arithmetic"))
    var (sums, rates, flows) = (Fingerprint(), Fingerprint(), Fingerprint())
    for _ in 0..<40 {
      add(&numbers, sums: &sums)
      add(&numbers, rates: &rates)
      add(&numbers, flows: &flows)
    }
    return [sums.text, rates.text, flows.text, dates(&numbers)].joined(separator: " ")
  }

  private static func add(_ numbers: inout Numbers, sums print: inout Fingerprint) {
    let (a, b, c) = (numbers.signed(), numbers.signed(), numbers.positive())
    print.add(plain(scaled(a, by: b, over: c, rounding: numbers.rounding())))
    print.add(plain(quotient(numbers.wide(), Int128(c), rounding: numbers.rounding())))
    print.add(plain(saturatingSum(a, b), greatestCommonDivisor(abs(a), c)))
    let (p, q) = (numbers.wide(), numbers.wide())
    let (r, s) = numbers.draw.chance(30) ? (q, p) : (numbers.wide(), numbers.wide())
    print.add(plain(isProduct(p, q, greaterThan: r, s), saturatingProduct(p, q)))
    let (span, other, instant, media) = (
      numbers.span(), numbers.span(), numbers.instant(), numbers.media()
    )
    var sum = span
    sum += other
    print.add(plain(span + other, span - other, span * b, sum, span < other))
    print.add(plain(instant + span, instant - span, instant - numbers.instant()))
    print.add(plain(media + numbers.media(), media - numbers.media(), media < numbers.media()))
  }

  private static func add(_ numbers: inout Numbers, rates print: inout Fingerprint) {
    let (rate, other) = (numbers.bitRate(), numbers.bitRate())
    print.add(plain(rate, rate < other, rate == other, rate.isZero, rate.roundedDown))
    let speed = PlaybackRate(numbers.small() - 9, over: numbers.small() - 3)
    let (span, media) = (numbers.span(), numbers.media())
    print.add(plain(speed, speed.media(in: span), speed.span(toPlay: media), speed.roundedDown))
    var timebase = Timebase(at: numbers.instant(), time: media, rate: speed)
    print.add(
      plain(timebase.time(at: numbers.instant()), timebase.instant(reaching: media + media)))
    timebase.set(time: numbers.media(), rate: .normal, at: numbers.instant())
    print.add(plain(timebase.time(at: numbers.instant()), timebase.instant(reaching: media)))
    var stream = RandomStream(seed: UInt64(numbers.natural()), name: "\(numbers.small())")
    let (low, high) = (numbers.signed(), numbers.signed())
    print.add(plain(stream.next(), stream.next(below: UInt64(numbers.positive()))))
    print.add(plain(stream.next(in: min(low, high)...max(low, high))))
    let whole = numbers.positive()
    print.add(plain(stream.chance(numerator: min(whole, numbers.natural()), denominator: whole)))
  }

  private static func add(_ numbers: inout Numbers, flows print: inout Fingerprint) {
    let flow = ByteFlow(
      anchor: numbers.instant(), bytes: numbers.natural(), rate: numbers.bitRate())
    let later = flow.anchor + TimeSpan(nanoseconds: numbers.natural())
    print.add(plain(flow.bytes(at: later), flow.instant(reaching: numbers.natural())))
    print.add(plain(flow.anchored(at: later), flow.units(at: later)))
    let moved = flow.anchored(at: later).continued(at: numbers.bitRate())
    print.add(plain(moved, moved.instant(reaching: numbers.natural())))
    var knot = DemandCurve.Knot(time: .zero, bytes: numbers.natural() % 1_000)
    var knots = [knot]
    for _ in 0..<numbers.draw.below(5) {
      knot.time = knot.time + MediaTime(nanoseconds: numbers.positive() % 10_000 + 1)
      knot.bytes += numbers.natural() % 10_000
      knots.append(knot)
    }
    let curve = DemandCurve(knots: numbers.draw.chance(10) ? [] : knots)
    for _ in 0..<3 {
      let time = numbers.draw.chance(40) ? knot.time : MediaTime(nanoseconds: numbers.natural())
      let near = MediaTime(nanoseconds: time.nanoseconds % 20_000)
      print.add(plain(curve.bytes(before: near), curve.firstIndex(after: near)))
    }
  }

  /// Dates of every form, valid or not.
  private static func dates(_ numbers: inout Numbers) -> String {
    var print = Fingerprint()
    for _ in 0..<60 {
      func two(_ most: Int) -> String {
        let number = numbers.draw.within(0...most)
        return number < 10 ? "0\(number)" : "\(number)"
      }
      let year = numbers.draw.one(of: [
        "0000", "1600", "1900", "1969", "1970", "2000", "2024", "2026",
      ])
      var text = "\(year)-\(two(13))-\(two(32))T\(two(25)):\(two(60)):\(two(61))"
      if numbers.draw.chance(40) {
        text += numbers.draw.one(of: [".", ",", ""]) + "\(numbers.natural())"
      }
      text += numbers.draw.one(of: ["Z", "", "+01:30", "-0800", "+24:00", "-02", "+1", "z"])
      print.add(plain(calendarInstant(Array(text.utf8)[...]) ?? -1))
    }
    return print.text
  }

  @Test func `sums, rates, flows and dates are what they were`() async throws {
    let lines = await Self.file.lines(few: 40) { Self.line(of: $0) }
    #expect(try Self.file.differences(from: lines) == [])
  }
}
