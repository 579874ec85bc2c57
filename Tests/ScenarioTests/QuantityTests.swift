import ExactText
import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

@Suite struct QuantityTests {
  @Test(arguments: [
    ("100 ms", 100_000_000), ("3.5 s", 3_500_000_000), ("2 min", 120_000_000_000),
    ("1 h", 3_600_000_000_000), ("250 us", 250_000), ("250 µs", 250_000), ("5 ns", 5),
    ("5ns", 5), ("0 s", 0), ("-0 s", 0), ("0.000000001 s", 1), ("0.5 us", 500),
    ("1.50000000000000000000000000000000000000000000000 s", 1_500_000_000),
    ("000000000000000000000000000000000000000000000000001 s", 1_000_000_000),
    ("9223372036.854775807 s", Int64.max), ("0.0000000000002777777777777777777 h", nil),
    ("0.002777777775 h", 9_999_999_990), ("2 days", 172_800_000_000_000),
    ("292 years", 9_208_512_000_000_000_000), ("3   s", 3_000_000_000),
  ])
  func `a time is exact in nanoseconds`(text: String, nanoseconds: Int64?) {
    #expect((try? Quantity.timeSpan(text.bytes))?.nanoseconds == nanoseconds)
    #expect((try? Quantity.mediaTime(text.bytes))?.nanoseconds == nanoseconds)
  }

  @Test func `a signed time reaches the lower end`() throws {
    #expect(try Quantity.nanoseconds("-9223372036.854775808 s".bytes, signed: true) == .min)
    #expect(throws: QuantityProblem.self) {
      try Quantity.nanoseconds("-9223372036.854775809 s".bytes, signed: true)
    }
  }

  @Test(arguments: [
    ("1.5 MB", 1_500_000), ("64 KB", 64_000), ("200 bytes", 200), ("1 byte", 1), ("7 B", 7),
    ("2 MiB", 2_097_152), ("0.5 KiB", 512), ("1 GiB", 1_073_741_824), ("1.5GB", 1_500_000_000),
    ("9223372036854775807 B", Int64.max),
  ])
  func `a size is exact in bytes`(text: String, bytes: Int64) throws {
    #expect(try Quantity.bytes(text.bytes) == bytes)
  }

  @Test(arguments: [
    ("780 kbit/s", BitRate.kilobitsPerSecond(780)), ("2 Mbit/s", .megabitsPerSecond(2)),
    ("1.5 Gbit/s", .megabitsPerSecond(1_500)), ("0 bit/s", .zero),
    ("0.826531177829 Mbit/s", BitRate(bitsPerSecond: 826_531_177_829, over: 1_000_000)),
    ("0.000000001 bit/s", BitRate(bitsPerSecond: 1, over: 1_000_000_000)),
    ("1000000000 Gbit/s", .bitsPerSecond(1_000_000_000_000_000_000)),
  ])
  func `a bit rate is an exact ratio`(text: String, rate: BitRate) throws {
    #expect(try Quantity.bitRate(text.bytes) == rate)
    #expect(try Quantity.bandwidth(text.bytes) == .limited(rate))
  }

  @Test(arguments: [
    ("10 %", 1, 10), ("0 %", 0, 1), ("100%", 1, 1), ("0.000000001 %", 1, 100_000_000_000),
    ("12.5 %", 1, 8),
  ])
  func `a percentage is an exact ratio`(text: String, numerator: Int64, denominator: Int64) throws {
    #expect(try Quantity.percentage(text.bytes) == Ratio(numerator, over: denominator))
    let loss = try Quantity.lossRatio(text.bytes)
    #expect(loss == LossRatio(numerator, over: denominator))
  }

  @Test(arguments: [
    ("1", 1, 1), ("0", 0, 1), ("1.25", 5, 4), ("2e0", 2, 1), ("5E-1", 1, 2), ("0.500", 1, 2),
    ("0.000000001", 1, 1_000_000_000), ("2147483647", Int32.max, 1), ("0e999999999999", 0, 1),
  ])
  func `a playback rate is an exact ratio`(text: String, numerator: Int32, denominator: Int32)
    throws
  {
    #expect(try Quantity.playbackRate(text.bytes) == PlaybackRate(numerator, over: denominator))
  }

  @Test func `unlimited is a bandwidth`() throws {
    #expect(try Quantity.bandwidth("unlimited".bytes) == .unlimited)
  }

  @Test func `every multiple of a nanosecond reads back`() throws {
    var state: UInt64 = 7
    for _ in 0..<2_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let nanoseconds = Int64(state >> (1 + state % 40))
      var text: [UInt8] = []
      text.append(decimal: nanoseconds, places: 9)
      let read = try Quantity.timeSpan((String(decoding: text, as: UTF8.self) + " s").bytes)
      #expect(read.nanoseconds == nanoseconds)
    }
  }
}
