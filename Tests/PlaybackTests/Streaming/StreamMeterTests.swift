import SimulatedPlayback
import Testing
import VirtualTime

/// The meter counts bytes of media over the time in which any came in.
@Suite struct StreamMeterTests {
  private static func at(_ seconds: Double) -> Instant {
    Instant(nanoseconds: Int64(seconds * 1e9))
  }

  @Test func `a segment in a second is its bits`() {
    var meter = StreamMeter(window: 3)
    #expect(meter.bitsPerSecond == nil)
    meter.begins(at: Self.at(2))
    meter.count(125_000, at: Self.at(3))
    meter.closeSample()
    meter.stops(at: Self.at(3))
    #expect(meter.bitsPerSecond == 1_000_000)
  }

  @Test func `time in which nothing comes in does not count`() {
    var meter = StreamMeter(window: 3)
    for start in [0.0, 10, 100] {
      meter.begins(at: Self.at(start))
      meter.count(125_000, at: Self.at(start + 1))
      meter.closeSample()
      meter.stops(at: Self.at(start + 1))
    }
    #expect(meter.bitsPerSecond == 1_000_000)
  }

  @Test func `time of a segment that is given up counts with its bytes`() {
    var meter = StreamMeter(window: 1)
    meter.begins(at: Self.at(0))
    meter.count(50_000, at: Self.at(1))
    meter.stops(at: Self.at(2))
    meter.begins(at: Self.at(5))
    meter.count(75_000, at: Self.at(6))
    meter.closeSample()
    // 125,000 bytes in the two seconds from 0 and the one from 5.
    #expect(meter.bitsPerSecond == 333_333)
  }

  @Test func `what comes in beside a segment belongs to its sample`() {
    var meter = StreamMeter(window: 1)
    meter.begins(at: Self.at(0))
    meter.count(100_000, at: Self.at(1))
    meter.countBeside(25_000)
    meter.closeSample()
    #expect(meter.bitsPerSecond == 1_000_000)
  }

  @Test func `only the last samples count`() {
    var meter = StreamMeter(window: 2)
    meter.begins(at: Self.at(0))
    for (second, bytes) in [(1.0, 1_000_000), (2, 125_000), (3, 250_000)] as [(Double, Int64)] {
      meter.count(bytes, at: Self.at(second))
      meter.closeSample()
    }
    #expect(meter.bitsPerSecond == 1_500_000)
  }

  @Test func `a busy stretch begins once`() {
    var meter = StreamMeter(window: 1)
    meter.begins(at: Self.at(0))
    meter.begins(at: Self.at(1))
    meter.count(250_000, at: Self.at(2))
    meter.closeSample()
    #expect(meter.bitsPerSecond == 1_000_000)
  }
}
