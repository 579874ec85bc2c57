import LinkConditioner
import Testing
import VirtualTime

/// The long-run rate that loss leaves, by whole bits per second.
@Suite struct LossTests {
  struct Case {
    var roundTrip: Int64
    var loss: LossRatio
    var bitsPerSecond: Int64
  }

  // 1.22 × 1448 × 8 ÷ (round trip × √loss), with more digits than it takes.
  static let cases = [
    // Very Bad Network.
    Case(roundTrip: 1_000, loss: LossRatio(1, over: 10), bitsPerSecond: 44_690),
    Case(roundTrip: 100, loss: LossRatio(1, over: 100), bitsPerSecond: 1_413_248),
    Case(roundTrip: 40, loss: LossRatio(1, over: 1_000), bitsPerSecond: 11_172_706),
    Case(roundTrip: 7, loss: LossRatio(3, over: 7), bitsPerSecond: 3_083_959),
    // Hours, and the root of 2.2.
    Case(roundTrip: 10_000_000, loss: LossRatio(9, over: 10), bitsPerSecond: 1),
  ]

  @Test(arguments: cases)
  func `loss leaves a transfer its long-run rate`(example: Case) throws {
    var conditions = LinkConditions.perfect
    conditions.uplink.delay = .milliseconds(example.roundTrip)
    conditions.downlink.loss = example.loss
    let link = try Link(conditions: conditions)
    let id = link.start(Request(bytes: 1_000_000), at: .zero)
    let begin = Instant.milliseconds(example.roundTrip)
    let expected = ByteFlow(
      anchor: begin, bytes: 0, rate: .bitsPerSecond(example.bitsPerSecond))
    #expect(link.completion(of: id) == expected.instant(reaching: 1_000_000))
  }

  /// 1.22 × 1448 × 8 ÷ (0.1 s × √loss) for the loss of the downlink: the server sends again what it
  /// has no acknowledgement of, and the next one that comes covers those that were lost.
  @Test(arguments: [0, 1, 3, 10, 50, 200, 500, 999] as [Int64])
  func `what the downlink loses decides, and lost acknowledgements cost nothing`(
    up: Int64
  ) throws {
    for (down, rate) in [(10, 1_413_248), (1, 4_469_082), (250, 282_649)] as [(Int64, Int64)] {
      var conditions = LinkConditions.perfect
      conditions.downlink.delay = .milliseconds(100)
      conditions.downlink.loss = LossRatio(down, over: 1_000)
      conditions.uplink.loss = LossRatio(up, over: 1_000)
      let link = try Link(conditions: conditions)
      let id = link.start(Request(bytes: 176_656), at: .zero)
      let expected = ByteFlow(
        anchor: .milliseconds(100), bytes: 0, rate: .bitsPerSecond(rate))
      #expect(link.completion(of: id) == expected.instant(reaching: 176_656))
    }
    var conditions = LinkConditions.perfect
    conditions.downlink.delay = .milliseconds(100)
    conditions.uplink.loss = LossRatio(up, over: 1_000)
    let link = try Link(conditions: conditions)
    let id = link.start(Request(bytes: 176_656), at: .zero)
    #expect(link.completion(of: id) == .milliseconds(100))
  }

  @Test func `transfers that loss holds back do not hold back each other`() throws {
    // 1413248 bit/s each; four of them fit, the fifth does not.
    var conditions = LinkConditions.down(6_000_000, delay: .milliseconds(100))
    conditions.downlink.loss = LossRatio(1, over: 100)
    let link = try Link(conditions: conditions)
    let first = link.start(Request(bytes: 1_766_560), at: .zero)
    var told = link.run(until: .milliseconds(500))
    for _ in 0..<3 { _ = link.start(Request(bytes: 176_656), at: .milliseconds(500)) }
    told += link.run()
    #expect(!told.contains { if case .flowChanged = $0.event { true } else { false } })
    #expect(told.last?.event == .completed(first, owner: 0))
    #expect(told.last?.at == .milliseconds(10_100))
    for _ in 0..<5 { _ = link.start(Request(bytes: 150_000), at: .milliseconds(20_000)) }
    #expect(link.run().last?.at == .milliseconds(21_100))
  }

  @Test func `without a round trip loss costs nothing`() throws {
    let link = try Link(
      conditions: LinkConditions(downlink: .init(loss: LossRatio(1, over: 2))))
    let id = link.start(Request(bytes: 1_000), at: .zero)
    #expect(link.completion(of: id) == .zero)
  }

  @Test func `a round trip of centuries is slow, not an outage and not an overflow`() throws {
    var conditions = LinkConditions.perfect
    conditions.downlink.delay = .nanoseconds(.max / 2)
    conditions.downlink.loss = LossRatio(999_999_999, over: 1_000_000_000)
    let link = try Link(conditions: conditions)
    _ = link.start(Request(bytes: 1), at: .zero)
    let begin = Instant.zero + .nanoseconds(.max / 2)
    #expect(link.run().last?.at == begin + .seconds(8))
  }
}
