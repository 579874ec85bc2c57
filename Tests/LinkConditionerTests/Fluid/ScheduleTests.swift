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

  /// Requests by themselves, and with a timeout that none of them reaches.
  private static let ways: [RequestOptions?] = {
    var timed = RequestOptions.plain
    timed.timeouts.whole = .seconds(3_600)
    return [nil, timed]
  }()

  /// Milliseconds: the first step's length and wait, the second one's wait, the lookup, the answer.
  /// At a step's end the fraction of the wait that is left goes on as one of the next step's.
  @Test(
    arguments: [
      (200, 500, 10, 300, 310), (200, 500, 10, 100, 208), (200, 500, 10, 150, 209),
      (200, 500, 10, 200, 210), (200, 50, 700, 160, 340), (200, 50, 700, 150, 200),
      (200, 0, 700, 150, 150), (200, 0, 700, 201, 901), (400, 100, 300, 0, 100),
      (400, 100, 300, 350, 550), (400, 100, 300, 1_000, 1_300), (10, 90, 45, 0, 50),
    ] as [(Int64, Int64, Int64, Int64, Int64)])
  func `a schedule's wait is the one when the address of the host is known`(
    length: Int64, first: Int64, second: Int64, lookup: Int64, answer: Int64
  ) throws {
    let schedule = try RateSchedule(
      steps: [
        Self.step(length, 8_000, latency: first), Self.step(1_000, 8_000, latency: second),
      ], ending: .holds)
    for requests in Self.ways {
      let link = try Link(
        conditions: LinkConditions(dnsDelay: .milliseconds(lookup)), schedule: schedule,
        requests: requests)
      _ = link.start(Request(bytes: 1_000, thinkTime: .milliseconds(7)), at: .zero)
      #expect(
        link.run().map(\.at) == [.milliseconds(answer + 7), .milliseconds(answer + 1_007)])
    }
  }

  /// A lookup of 300 ms; then the way there and back, of 20 ms at first and of 180 ms later on.
  @Test(
    arguments: [
      (0, 660), (1, 660), (299, 660), (300, 660), (301, 340), (330, 340), (339, 340), (100, 660),
    ] as [(Int64, Int64)])
  func `a delay that changes during a lookup is the one of the answer`(
    changedAt: Int64, answer: Int64
  ) throws {
    func conditions(_ delay: Int64) -> LinkConditions {
      var conditions = LinkConditions.down(8_000, delay: .milliseconds(delay))
      conditions.uplink.delay = .milliseconds(delay)
      conditions.dnsDelay = .milliseconds(300)
      return conditions
    }
    for requests in Self.ways {
      let link = try Link(conditions: conditions(20), requests: requests)
      _ = link.start(Request(bytes: 1_000), at: .zero)
      _ = link.run(until: .milliseconds(changedAt) - .nanoseconds(1))
      try link.setConditions(conditions(180), at: .milliseconds(changedAt))
      #expect(
        link.run().map(\.at) == [.milliseconds(answer), .milliseconds(answer + 1_000)])
    }
  }

  /// A request that waits for an address can be given up, held back and weighed like any other.
  @Test func `a request is cancelled, suspended and resumed during its lookup`() throws {
    for requests in Self.ways {
      var conditions = LinkConditions.down(8_000, delay: .milliseconds(50))
      conditions.dnsDelay = .milliseconds(300)
      let link = try Link(conditions: conditions, requests: requests)
      let given = link.start(Request(bytes: 500), at: .zero)
      let held = link.start(Request(bytes: 1_000), at: .zero)
      link.cancel(given, at: .milliseconds(100))
      link.suspend(held, at: .milliseconds(100))
      #expect(link.books(at: .milliseconds(100)).abandoned == 500)
      #expect(link.books(at: .milliseconds(100)).outstanding == 1_000)
      #expect(link.run(until: .milliseconds(5_000)).map(\.at) == [.milliseconds(350)])
      link.resume(held, at: .milliseconds(5_000))
      #expect(link.completion(of: held) == .milliseconds(6_000))
      #expect(link.books(at: .milliseconds(6_000)).balance)
    }
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
