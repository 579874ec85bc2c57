import LinkConditioner
import Testing
import VirtualTime

@Suite struct ScheduleTests {
  static func step(
    _ milliseconds: Int64, _ bitsPerSecond: Int64, latency: Int64 = 0
  ) -> RateSchedule.Step {
    .init(
      duration: .milliseconds(milliseconds), bandwidth: .limited(.bitsPerSecond(bitsPerSecond)),
      latency: .milliseconds(latency))
  }

  static func completion(
    _ schedule: RateSchedule, bytes: Int64, at start: Instant = .zero,
    _ conditions: LinkConditions = .perfect
  ) throws -> Instant? {
    let link = try Link(conditions: conditions, schedule: schedule)
    let id = link.start(Request(bytes: bytes), at: start)
    return link.completion(of: id)
  }

  @Test func `a loop of outages never brings anything, and does not hang`() throws {
    let schedule = try RateSchedule(steps: [Self.step(1, 0), Self.step(2, 0)], ending: .loops)
    #expect(try Self.completion(schedule, bytes: 1) == nil)
  }

  @Test func `a schedule that ends in an outage never brings the rest`() throws {
    let schedule = try RateSchedule(
      steps: [Self.step(1_000, 8_000), Self.step(1, 0)], ending: .holds)
    #expect(try Self.completion(schedule, bytes: 1_000) == .milliseconds(1_000))
    #expect(try Self.completion(schedule, bytes: 1_001) == nil)
  }

  /// A second at 8 Mbit/s, then 800 kbit/s: a delay that changes in between does not bring the
  /// fast second back.
  @Test(arguments: [Fidelity.fluid, .tcp], [500, 900, 1_200, 3_000] as [Int64])
  func `a schedule goes on where it is when conditions change`(
    fidelity: Fidelity, changedAt: Int64
  ) throws {
    let schedule = try RateSchedule(
      steps: [Self.step(1_000, 8_000_000), Self.step(1_000_000, 800_000)], ending: .holds)
    var conditions = LinkConditions(downlink: DirectionConditions(queuePackets: 100_000))
    var driver = LinkDriver(
      try Link(
        conditions: conditions, schedule: schedule, fidelity: fidelity,
        requests: fidelity == .tcp ? RequestOptions(http: HTTPOptions()) : nil))
    let id = driver.start(Request(bytes: 1_500_000))
    driver.run(until: changedAt * millisecond)
    conditions.downlink.delay = .milliseconds(1)
    try driver.link.setConditions(conditions, at: driver.now)
    driver.run(until: 100_000 * millisecond)
    let done = try #require(driver.completion(of: id)) / millisecond
    // 8 of 12 Mbit in the first second, the rest at a tenth of that; packets have heads.
    let wire: Int64 = fidelity == .fluid ? 12_000_000 : 12_000_000 * 1_514 / 1_448
    let expected = 1_000 + (wire - 8_000_000) / 800
    #expect(abs(done - expected) < 100, "\(done) ms, not \(expected)")
  }

  @Test func `millions of loops are skipped, not walked`() throws {
    // A bit per loop of two milliseconds.
    let schedule = try RateSchedule(steps: [Self.step(1, 1_000), Self.step(1, 0)], ending: .loops)
    #expect(try Self.completion(schedule, bytes: 1_000_000_000) == .milliseconds(15_999_999_999))
    #expect(
      try Self.completion(schedule, bytes: 1, at: .milliseconds(1_000_000_000_001))
        == .milliseconds(1_000_000_000_017))
  }

  @Test func `steps without duration cover nothing, and nothing else is not a schedule`() throws {
    let some = try RateSchedule(steps: [Self.step(0, 5), Self.step(9, 8_000)], ending: .loops)
    #expect(some.steps == [Self.step(9, 8_000)])
    #expect(throws: LinkError.emptySchedule) {
      try RateSchedule(steps: [Self.step(0, 5)], ending: .loops)
    }
    #expect(throws: LinkError.emptySchedule) { try RateSchedule(steps: [], ending: .holds) }
    let held = try RateSchedule(steps: [Self.step(0, 8_000)], ending: .holds)
    #expect(try Self.completion(held, bytes: 1_000) == .milliseconds(1_000))
    let century = RateSchedule.Step(duration: .forever, bandwidth: .unlimited)
    #expect(throws: LinkError.scheduleTooLong) {
      try RateSchedule(steps: [century], ending: .holds)
    }
  }

  @Test func `an unlimited step brings everything in the instant it begins`() throws {
    let steps = [
      Self.step(100, 8_000), RateSchedule.Step(duration: .milliseconds(1), bandwidth: .unlimited),
    ]
    let schedule = try RateSchedule(steps: steps, ending: .loops)
    #expect(try Self.completion(schedule, bytes: 100) == .milliseconds(100))
    #expect(try Self.completion(schedule, bytes: 101) == .milliseconds(100))
    #expect(try Self.completion(schedule, bytes: 10, at: .milliseconds(101)) == .milliseconds(111))
  }

  @Test func `the narrower of the schedule and the conditions holds`() throws {
    let steps = [Self.step(1_000, 8_000), Self.step(1_000, 80_000)]
    let schedule = try RateSchedule(steps: steps, ending: .loops)
    // 1,000 bytes in the first second, 2,000 in the second.
    let limit = LinkConditions.down(16_000)
    #expect(try Self.completion(schedule, bytes: 3_000, limit) == .milliseconds(2_000))
  }

  @Test func `a schedule may begin in its midst`() throws {
    let steps = [Self.step(1_000, 8_000), Self.step(1_000, 80_000)]
    let schedule = try RateSchedule(steps: steps, ending: .loops, offset: .milliseconds(2_900))
    #expect(try Self.completion(schedule, bytes: 200) == .milliseconds(110))
  }

  @Test func `a clock that is paused during latency is late by it`() throws {
    let steps = [Self.step(1_000, 8_000), Self.step(1_000, 80_000)]
    let delayed = LinkConditions(downlink: .init(delay: .milliseconds(400)))
    let wall = try RateSchedule(steps: steps, ending: .loops)
    #expect(try Self.completion(wall, bytes: 1_000, delayed) == .milliseconds(1_040))
    let paused = try RateSchedule(steps: steps, ending: .loops, clock: .pausedDuringLatency)
    #expect(try Self.completion(paused, bytes: 1_000, delayed) == .milliseconds(1_400))
    // It runs while nothing is asked for.
    #expect(
      try Self.completion(paused, bytes: 1_000, at: .milliseconds(500), delayed)
        == .milliseconds(1_450))
  }

  @Test func `a latency that outlasts its step goes on at the next one's pace`() throws {
    let steps = [Self.step(100, 8_000, latency: 400), Self.step(900, 8_000, latency: 40)]
    let schedule = try RateSchedule(steps: steps, ending: .loops)
    // A quarter of it is over after 100 ms; three quarters of 40 ms are left.
    #expect(try Self.completion(schedule, bytes: 1) == .milliseconds(131))
    #expect(try Self.completion(schedule, bytes: 1, at: .milliseconds(100)) == .milliseconds(141))
  }

  @Test func `latencies that outlast every step end`() throws {
    let steps = [Self.step(1, 8_000, latency: 1_000_000), Self.step(1, 8_000, latency: 2)]
    let schedule = try RateSchedule(steps: steps, ending: .loops)
    #expect(try Self.completion(schedule, bytes: 1) != nil)
  }

  @Test func `rates without a common denominator are refused`() {
    let steps = [1_000_003, 1_000_033].map { (denominator: Int64) in
      RateSchedule.Step(
        duration: .seconds(1),
        bandwidth: .limited(BitRate(bitsPerSecond: 1, over: denominator)))
    }
    #expect(throws: LinkError.ratesTooFine(BitRate(bitsPerSecond: 1, over: 1_000_033))) {
      try RateSchedule(steps: steps, ending: .loops)
    }
  }

  @Test func `a schedule is switched on from its beginning, and off`() throws {
    let schedule = try RateSchedule(
      steps: [Self.step(1_000, 8_000), Self.step(1_000, 0)], ending: .loops)
    let link = try Link(conditions: .down(80_000))
    let id = link.start(Request(bytes: 6_000), at: .zero)
    _ = link.run(until: .zero)
    try link.setSchedule(schedule, at: .milliseconds(300))
    #expect(link.run(until: .milliseconds(300)).map(\.event) == [.flowChanged(id, owner: 0)])
    // 3,000 by now, 1,000 until 1,300, nothing until 2,300, then unconditioned.
    try link.setSchedule(nil, at: .milliseconds(1_500))
    #expect(link.completion(of: id) == .milliseconds(1_700))
  }

  @Test func `conditions of another denominator go on where they were`() throws {
    let link = try Link(conditions: .down(8_000))
    let id = link.start(Request(bytes: 1_000), at: .zero)
    _ = link.run(until: .zero)
    let third = BitRate(bitsPerSecond: 8_000, over: 3)
    try link.setConditions(
      LinkConditions(downlink: .init(bandwidth: .limited(third))), at: .milliseconds(400))
    _ = link.run(until: .milliseconds(400))
    let seventh = BitRate(bitsPerSecond: 24_000, over: 7)
    try link.setConditions(
      LinkConditions(downlink: .init(bandwidth: .limited(seventh))), at: .milliseconds(700))
    // 400 bytes, 100 bytes, and 500 at 3000/7 bytes per second.
    #expect(link.completion(of: id) == .milliseconds(700) + .nanoseconds(1_166_666_667))
  }
}
