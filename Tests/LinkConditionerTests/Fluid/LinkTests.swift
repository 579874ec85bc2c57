import LinkConditioner
import Testing
import VirtualTime

@Suite struct LinkTests {
  @Test func `a response takes a round trip, the server's time and its bits`() throws {
    var conditions = LinkConditions.down(1_000_000, delay: .milliseconds(100))
    conditions.uplink.delay = .milliseconds(30)
    let link = try Link(conditions: conditions)
    let id = link.start(
      Request(bytes: 125_000, owner: 7, thinkTime: .milliseconds(5)), at: .milliseconds(10))
    let told = link.run()
    #expect(told.map(\.event) == [.responded(id, owner: 7), .completed(id, owner: 7)])
    #expect(told.map(\.at) == [.milliseconds(145), .milliseconds(1_145)])
  }

  @Test func `a host is looked up once, and who comes meanwhile waits for the same answer`() throws
  {
    let link = try Link(conditions: LinkConditions(dnsDelay: .seconds(3)))
    let first = link.start(Request(bytes: 1, host: 4), at: .zero)
    let second = link.start(Request(bytes: 1, host: 4), at: .milliseconds(1_000))
    let other = link.start(Request(bytes: 1, host: 2), at: .milliseconds(2_000))
    let told = link.run()
    let done = [first, second, other].map { id in
      told.first { $0.event == .completed(id, owner: 0) }?.at
    }
    #expect(done == [.milliseconds(3_000), .milliseconds(3_000), .milliseconds(5_000)])
    let late = link.start(Request(bytes: 1, host: 4), at: .milliseconds(9_000))
    #expect(link.completion(of: late) == .milliseconds(9_000))
  }

  @Test func `an unlimited link answers in the instant of the request`() throws {
    let link = try Link(conditions: .perfect)
    let ids = (0..<3).map { _ in link.start(Request(bytes: LinkLimits.mostBytes), at: .zero) }
    let told = link.run()
    #expect(told.allSatisfy { $0.at == .zero })
    let expected =
      ids.map { LinkEvent.responded($0, owner: 0) } + ids.map { .completed($0, owner: 0) }
    #expect(told.map(\.event) == expected)
  }

  @Test func `an empty response is complete when it begins, read or not`() throws {
    let link = try Link(conditions: .down(8_000, delay: .milliseconds(20)))
    let id = link.start(Request(bytes: 0), at: .zero)
    link.suspend(id, at: .zero)
    #expect(link.completion(of: id) == .milliseconds(20))
  }

  /// A simulator that counts latency by itself has an answer begin when that has passed, whatever
  /// the rate; the bytes come as they would have.
  @Test(arguments: [Int64(0), 1, 150, 900, 1_900, 1_979, 1_980, 1_999, 2_000, 2_500])
  func `an answer may begin in an outage, and ends no sooner for that`(start: Int64) throws {
    let outage = RateSchedule.Step(duration: .seconds(2), bandwidth: .limited(.zero))
    let after = RateSchedule.Step(
      duration: .seconds(1), bandwidth: .limited(.kilobitsPerSecond(800)))
    func told(answers: Bool) throws -> [Instant] {
      let schedule = try RateSchedule(
        steps: [outage, after], ending: .holds, answersInOutages: answers)
      let link = try Link(
        conditions: .down(800_000, delay: .milliseconds(20)), schedule: schedule)
      _ = link.run(until: .milliseconds(start))
      let id = link.start(Request(bytes: 5_000), at: .milliseconds(start))
      let told = link.run()
      #expect(told.map(\.event) == [.responded(id, owner: 0), .completed(id, owner: 0)])
      return told.map(\.at)
    }
    let (latency, open) = (start + 20, max(start + 20, 2_000))
    #expect(try told(answers: false) == [.milliseconds(open), .milliseconds(open + 50)])
    #expect(try told(answers: true) == [.milliseconds(latency), .milliseconds(open + 50)])
  }

  /// Of a response without a body the head has to come through.
  @Test(
    arguments: [
      (0, 800), (1, 8), (150, 2_500), (900, 64), (1_900, 56), (1_979, 100_000), (1_980, 1),
      (1_999, 333), (2_000, 4_000), (2_500, 12), (700, 1_000_000),
    ] as [(Int64, Int64)])
  func `an empty answer that begins in an outage ends with it`(
    _ asked: (start: Int64, kilobits: Int64)
  ) throws {
    let schedule = try RateSchedule(
      steps: [
        .init(duration: .seconds(2), bandwidth: .limited(.zero)),
        .init(duration: .seconds(1), bandwidth: .limited(.kilobitsPerSecond(asked.kilobits))),
      ], ending: .holds, answersInOutages: true)
    let link = try Link(conditions: .down(1_000_000, delay: .milliseconds(20)), schedule: schedule)
    _ = link.run(until: .milliseconds(asked.start))
    let id = link.start(Request(bytes: 0), at: .milliseconds(asked.start))
    let told = link.run()
    #expect(told.map(\.event) == [.responded(id, owner: 0), .completed(id, owner: 0)])
    #expect(told.map(\.at)[0] == .milliseconds(asked.start + 20))
    // The least there is of a body takes no time that could be told.
    let late = told.map(\.at)[1] - Instant.milliseconds(max(asked.start + 20, 2_000))
    #expect(late >= .zero && late <= TimeSpan(nanoseconds: 1))
  }

  @Test func `an empty response waits for the end of an outage, and nothing of it is booked`()
    throws
  {
    let outage = RateSchedule.Step(duration: .seconds(2), bandwidth: .limited(.zero))
    let after = RateSchedule.Step(
      duration: .seconds(1), bandwidth: .limited(.kilobitsPerSecond(8)))
    let scheduled = try Link(
      conditions: .down(8_000, delay: .milliseconds(20)),
      schedule: try RateSchedule(steps: [outage, after], ending: .holds))
    let id = scheduled.start(Request(bytes: 0), at: .zero)
    #expect(scheduled.completion(of: id) == Instant(nanoseconds: 2_000_000_000))
    let link = try Link(conditions: .down(0, delay: .milliseconds(20)))
    let (kept, dropped) = (
      link.start(Request(bytes: 0), at: .zero), link.start(Request(bytes: 0), at: .zero)
    )
    _ = link.run(until: .milliseconds(1_000))
    let now = Instant(nanoseconds: 1_000_000_000)
    #expect(link.flow(of: kept, at: now) == nil)
    #expect(link.books(at: now) == LinkBooks())
    link.cancel(dropped, at: now)
    #expect(link.books(at: now) == LinkBooks())
    try link.setConditions(.down(8_000), at: .milliseconds(3_000))
    #expect(link.completion(of: kept) == Instant(nanoseconds: 3_000_000_000))
    #expect(link.completion(of: dropped) == nil)
  }

  @Test(arguments: [Int64(0), 1, 500, 1_000, 2_999, 3_000, 3_001, 4_500, 6_000, 7_250])
  func `no response begins before an outage is over`(asked: Int64) throws {
    // Out from 1 s to 3 s, and so on; a round trip takes 20 ms.
    let open = RateSchedule.Step(duration: .seconds(1), bandwidth: .limited(.kilobitsPerSecond(8)))
    let outage = RateSchedule.Step(duration: .seconds(2), bandwidth: .limited(.zero))
    for bytes in [Int64(0), 1, 100] {
      let link = try Link(
        conditions: .down(8_000, delay: .milliseconds(20)),
        schedule: try RateSchedule(steps: [open, outage], ending: .loops))
      _ = link.run(until: .milliseconds(asked))
      let id = link.start(Request(bytes: bytes), at: .milliseconds(asked))
      let due = asked + 20
      let begins = due % 3_000 < 1_000 ? due : (due / 3_000 + 1) * 3_000
      let first = try #require(link.run(until: .milliseconds(asked + 10_000)).first)
      #expect(first.event == .responded(id, owner: 0))
      #expect(first.at == .milliseconds(begins))
    }
  }

  @Test func `an outage has no wake-up of its own, and ends when the conditions change`() throws {
    let link = try Link(conditions: .down(8_000))
    let id = link.start(Request(bytes: 1_000), at: .zero)
    _ = link.run(until: .milliseconds(250))
    try link.setConditions(.down(0), at: .milliseconds(250))
    #expect(link.run().map(\.event) == [.flowChanged(id, owner: 0)])
    #expect(link.nextWake == .distantFuture)
    #expect(link.flow(of: id, at: .milliseconds(900))?.flow.bytes(at: .milliseconds(900)) == 250)
    try link.setConditions(.down(16_000), at: .milliseconds(1_000))
    #expect(link.completion(of: id) == .milliseconds(1_375))
  }

  @Test(arguments: [true, false])
  func `losing everything either way is an outage`(isDownlink: Bool) throws {
    var conditions = LinkConditions.perfect
    if isDownlink { conditions.downlink.loss = .total } else { conditions.uplink.loss = .total }
    let link = try Link(conditions: conditions)
    _ = link.start(Request(bytes: 1), at: .zero)
    #expect(link.run().isEmpty)
    #expect(link.nextWake == .distantFuture)
  }

  @Test func `who stops reading gives its share away and gets it back`() throws {
    let link = try Link(conditions: .down(8_000))
    let a = link.start(Request(bytes: 1_000), at: .zero)
    let b = link.start(Request(bytes: 1_000), at: .zero)
    _ = link.run(until: .zero)
    link.suspend(a, at: .milliseconds(500))
    #expect(link.nextWake == .milliseconds(500))
    let told = link.run(until: .milliseconds(1_000))
    #expect(told.map(\.event) == [.flowChanged(b, owner: 0)])
    let flow = try #require(link.flow(of: a, at: .milliseconds(1_000)))
    #expect(flow.flow.bytes(at: .milliseconds(1_000)) == 250)
    #expect(flow.flow.unitsPerNanosecond == 0 && flow.validUntil == .distantFuture)
    link.resume(a, at: .milliseconds(1_000))
    // b has 250 bytes to go and then a 500 more.
    let rest = link.run()
    #expect(rest.map(\.event).contains(.flowChanged(b, owner: 0)))
    #expect(rest.first { $0.event == .completed(b, owner: 0) }?.at == .milliseconds(1_500))
    #expect(rest.first { $0.event == .completed(a, owner: 0) }?.at == .milliseconds(2_000))
  }

  @Test func `who follows no line is told of none, and nobody is woken for it`() throws {
    let link = try Link(conditions: .down(8_000))
    let a = link.start(Request(bytes: 1_000), at: .zero)
    let b = link.start(Request(bytes: 1_000, followsLine: false), at: .zero)
    _ = link.run(until: .zero)
    link.suspend(a, at: .milliseconds(500))
    #expect(link.nextWake == .milliseconds(1_250))
    #expect(link.flow(of: b, at: .milliseconds(1_000))?.flow.bytes(at: .milliseconds(1_000)) == 750)
    link.resume(a, at: .milliseconds(1_000))
    let told = link.run().map(\.event)
    #expect(told == [.completed(b, owner: 0), .flowChanged(a, owner: 0), .completed(a, owner: 0)])
  }

  @Test func `a cancelled transfer is silent and its bytes are booked`() throws {
    let link = try Link(conditions: .down(8_000))
    let a = link.start(Request(bytes: 1_000), at: .zero)
    let b = link.start(Request(bytes: 1_000), at: .zero)
    _ = link.run(until: .zero)
    link.cancel(a, at: .milliseconds(501))
    link.cancel(a, at: .milliseconds(501))
    let told = link.run()
    #expect(told.map(\.event) == [.flowChanged(b, owner: 0), .completed(b, owner: 0)])
    #expect(link.flow(of: a, at: .milliseconds(2_000)) == nil)
    let books = link.books(at: .milliseconds(2_000))
    #expect(books.requested == 2_000 && books.delivered == 1_250 && books.abandoned == 750)
    #expect(books.outstanding == 0)
  }

  @Test func `a size or a crowd beyond the limits fails, and is told so`() throws {
    let link = try Link(conditions: .down(0))
    let negative = link.start(Request(bytes: -1, owner: 3), at: .milliseconds(5))
    let huge = link.start(Request(bytes: LinkLimits.mostBytes + 1), at: .milliseconds(5))
    #expect(link.nextWake == .milliseconds(5))
    #expect(
      link.run().map(\.event) == [
        .failed(negative, owner: 3, .impossibleSize), .failed(huge, owner: 0, .impossibleSize),
      ])
    for _ in 0..<LinkLimits.mostTransfers {
      _ = link.start(Request(bytes: LinkLimits.mostBytes), at: .milliseconds(5))
    }
    let late = link.start(Request(bytes: 1), at: .milliseconds(5))
    #expect(link.run().first?.event == .failed(late, owner: 0, .tooManyTransfers))
  }

  @Test func `a refused request is told nothing of once it is cancelled, and others are`() throws {
    let link = try Link(conditions: .down(8_000))
    let served = link.start(Request(bytes: 0), at: .zero)
    let (first, second) = (
      link.start(Request(bytes: -1, owner: 1), at: .zero),
      link.start(Request(bytes: -1, owner: 2), at: .zero)
    )
    link.cancel(served, at: .zero)
    link.cancel(first, at: .zero)
    #expect(link.run().map(\.event) == [.failed(second, owner: 2, .impossibleSize)])
  }

  @Test func `a crowd at the limits of the arithmetic is shared without overflow`() throws {
    let rate = BitRate(bitsPerSecond: 999_999_999_999_999_989, over: 1_000_000)
    let link = try Link(
      conditions: LinkConditions(downlink: .init(bandwidth: .limited(rate))))
    let count = LinkLimits.mostTransfers
    for _ in 0..<count { _ = link.start(Request(bytes: LinkLimits.mostBytes), at: .zero) }
    let told = link.run()
    // 256 × 8 × 10¹³ bits at 999999999999.999989 bit/s.
    let done = told.filter { $0.at.nanoseconds == 20_480_000_000_001 }
    #expect(done.count == count)
    #expect(link.books(at: done[0].at).delivered == Int64(count) * LinkLimits.mostBytes)
  }

  @Test func `a fleet of thirteen ends together when it ends together`() throws {
    let link = try Link(conditions: .down(1_000_000))
    for _ in 0..<13 { _ = link.start(Request(bytes: 12_345), at: .zero) }
    let ends = link.run().filter {
      if case .completed = $0.event { true } else { false }
    }
    #expect(ends.count == 13 && ends.allSatisfy { $0.at.nanoseconds == 1_283_880_000 })
  }

  @Test func `what cannot be held is refused by name`() {
    let fast = BitRate(bitsPerSecond: 1_000_000_000_001)
    let fine = BitRate(bitsPerSecond: 1, over: 1_000_000_007)
    let loss = LossRatio(1, over: 3_000_000_000)
    #expect(throws: LinkError.rateTooFast(fast)) { try Link(conditions: limited(fast)) }
    #expect(throws: LinkError.ratesTooFine(fine)) { try Link(conditions: limited(fine)) }
    #expect(throws: LinkError.lossTooFine(loss)) {
      try Link(conditions: LinkConditions(downlink: .init(loss: loss)))
    }
    #expect(throws: LinkError.negativeTime(.nanoseconds(-1))) {
      try Link(conditions: LinkConditions(dnsDelay: .nanoseconds(-1)))
    }
  }

  private func limited(_ rate: BitRate) -> LinkConditions {
    LinkConditions(downlink: .init(bandwidth: .limited(rate)))
  }
}
