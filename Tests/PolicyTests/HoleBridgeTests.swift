import PlayerPolicies
import Testing
import VirtualTime

/// Packets of 1,250 bytes every 10 ms, which is 1 Mbit/s, after a trip of 200 ms.
@Suite struct HoleBridgeTests {
  private static let packet: Int64 = 1_250

  private var estimator: Estimator
  private var now = Instant.zero + .milliseconds(200)
  private var bytes: Int64 = 0

  init() {
    estimator = Estimator(
      EstimatorDescription(
        .history(.leastMean(over: [.seconds(2), .seconds(8)], every: .milliseconds(100)))))
    estimator.watchLosses()
    estimator.hear(.requested(RequestNumber(1), .main), at: .zero)
    estimator.hear(.responded(RequestNumber(1), trip: .milliseconds(200)), at: now)
    flow(for: 10_000)
  }

  private mutating func flow(for milliseconds: Int64) {
    for _ in 0..<milliseconds / 10 { read(1, after: 10) }
  }

  /// So many packets can be read at once.
  private mutating func read(_ packets: Int64, after milliseconds: Int64) {
    now = now + .milliseconds(milliseconds)
    bytes += Self.packet * packets
    estimator.hear(.received(RequestNumber(1), bytes: bytes), at: now)
  }

  private mutating func estimate(after milliseconds: Int64) -> Estimate {
    estimator.estimate(at: now + .milliseconds(milliseconds))
  }

  @Test(arguments: [350, 400, 900, 1_500, 2_300] as [Int64])
  func `in a hole the link is what it was and what came meanwhile is owed`(hole: Int64) throws {
    var link = self
    let estimate = link.estimate(after: hole)
    #expect(estimate.bitsPerSecond == 1_000_000)
    // It looks every 100 ms.
    let owed = hole * 125
    #expect((owed - 12_500...owed).contains(estimate.owed), "\(estimate.owed) of \(owed)")
    // All that was held back can be read with the packet that was missing.
    link.read(hole / 10, after: hole)
    let after = link.estimate(after: 0)
    #expect(after.owed == 0 && after.bitsPerSecond == 1_000_000)
    link.flow(for: 8_000)
    #expect(link.estimate(after: 0).bitsPerSecond == 1_000_000)
  }

  // In 2.4 s: 200 kB at 1 Mbit/s, and four trips.
  @Test func `what lasts longer than a full queue takes is no hole`() {
    var link = self
    #expect(link.estimate(after: 2_390).bitsPerSecond == 1_000_000)
    let estimate = link.estimate(after: 2_600)
    #expect(estimate.owed == 0)
    // Nothing in two seconds.
    #expect(estimate.bitsPerSecond == 0)
  }

  @Test func `a shorter stretch than a trip and a fifth is none`() {
    var link = self
    let estimate = link.estimate(after: 230)
    #expect(estimate.owed == 0)
    // Two seconds with 200 ms of nothing.
    #expect(estimate.bitsPerSecond == 900_000)
  }

  @Test func `what was held back may come piece by piece for three times as long as the hole`() {
    var link = self
    link.read(20, after: 1_000)
    #expect(link.estimate(after: 0).owed == 80 * Self.packet)
    // As usual, and a third more.
    for step in 1...10 as ClosedRange<Int64> {
      link.read(16, after: 120)
      let owed = max(0, 80 - 4 * step)
      #expect(link.estimate(after: 0).owed == owed * Self.packet)
      #expect(link.estimate(after: 0).bitsPerSecond == 1_000_000)
    }
    // After three seconds and a trip the rest is not waited for: it was lost time.
    link.flow(for: 1_500)
    let after = link.estimate(after: 0)
    #expect(after.owed == 0)
    #expect(after.bitsPerSecond.map { $0 < 1_000_000 } == true)
  }

  @Test func `who does not hear of packets counts a hole as time in which nothing came`() {
    var deaf = Estimator(
      EstimatorDescription(
        .history(.leastMean(over: [.seconds(2), .seconds(8)], every: .milliseconds(100)))))
    deaf.hear(.requested(RequestNumber(1), .main), at: .zero)
    deaf.hear(.responded(RequestNumber(1), trip: .milliseconds(200)), at: .zero)
    for step in 1...1_000 as ClosedRange<Int64> {
      let now = Instant.zero + .milliseconds(step * 10)
      deaf.hear(.received(RequestNumber(1), bytes: step * Self.packet), at: now)
    }
    let estimate = deaf.estimate(at: .zero + .seconds(11))
    #expect(estimate.owed == 0)
    #expect(estimate.bitsPerSecond == 500_000)
  }
}
