import LinkConditioner
import Testing
import VirtualTime

/// Faults, timeouts, and what is left on the link after them.
@Suite struct PatienceTests {
  private func driver(
    _ rules: [FaultRule] = [], timeouts: RequestTimeouts = .none,
    http: HTTPOptions = HTTPOptions(version: .http1(connections: 1))
  ) throws -> LinkDriver {
    LinkDriver(
      try Link(
        conditions: .path(), requests: RequestOptions(http: http, timeouts: timeouts),
        faults: FaultPlan(rules)))
  }

  @Test func `an error of the server costs a round trip and leaves the connection`() throws {
    var driver = try driver([FaultRule(.status(404), numbers: 1...1)])
    let first = driver.start(Request(bytes: 1_000))
    let second = driver.start(Request(bytes: 1_000))
    driver.run()
    let failure = try #require(driver.failure(of: first))
    #expect(failure.at == 100 * millisecond && failure.reason == .httpStatus(404))
    #expect(driver.completion(of: second) == 151 * millisecond)
    #expect(driver.timings[second]?.reusesConnection == true)
    #expect(driver.link.books(at: driver.now).abandoned == 1_000)
    #expect(driver.booksBalance)
  }

  @Test(arguments: [(0, 100), (5_000, 105)] as [(Int64, Int64)])
  func `a reset comes behind its bytes and takes the connection with it`(
    after: Int64, at: Int64
  ) throws {
    var driver = try driver([FaultRule(.reset(afterBytes: after), numbers: 1...1)])
    let first = driver.start(Request(bytes: 10_000, thinkTime: after == 0 ? .seconds(9) : .zero))
    let second = driver.start(Request(bytes: 1_000))
    driver.run()
    let failure = try #require(driver.failure(of: first))
    #expect(failure.at == at * millisecond && failure.reason == .connectionReset)
    #expect(driver.timings[first]?.bytes == after)
    #expect(driver.completion(of: second) == (at + 101) * millisecond)
    #expect(driver.link.books(at: driver.now).delivered == after + 1_000)
    #expect(driver.booksBalance)
  }

  @Test func `a reset behind the last byte of a response comes too late`() throws {
    for after: Int64 in [1_000, 2_000] {
      var driver = try driver([FaultRule(.reset(afterBytes: after), numbers: 1...1)])
      let first = driver.start(Request(bytes: 1_000))
      driver.run()
      #expect(driver.completion(of: first) == 101 * millisecond)
      #expect(driver.failure(of: first) == nil && driver.booksBalance)
    }
  }

  @Test func `a reset with HTTP/2 takes every stream of the connection`() throws {
    var driver = try driver(
      [FaultRule(.reset(afterBytes: 5_000), numbers: 2...2)],
      http: HTTPOptions(version: .http2(streams: 9)))
    let first = driver.start(Request(bytes: 100_000))
    let second = driver.start(Request(bytes: 100_000))
    driver.run()
    for id in [first, second] {
      let failure = try #require(driver.failure(of: id))
      #expect(failure.at == 110 * millisecond && failure.reason == .connectionReset)
      #expect(driver.timings[id]?.bytes == 5_000)
    }
    #expect(driver.booksBalance)
  }

  @Test func `a response that stalls is given up when the client has waited long enough`() throws {
    var driver = try driver(
      [FaultRule(.stall(afterBytes: 5_000), numbers: 1...1)],
      timeouts: RequestTimeouts(idle: .seconds(10)))
    let id = driver.start(Request(bytes: 10_000))
    driver.run(until: 1_000 * millisecond)
    let flow = try #require(driver.link.flow(of: id, at: driver.now))
    #expect(flow.flow.bytes(at: driver.now) == 5_000)
    #expect(flow.flow.unitsPerNanosecond == 0)
    driver.run()
    let failure = try #require(driver.failure(of: id))
    #expect(failure.at == 10_105 * millisecond && failure.reason == .timedOut)
    #expect(driver.timings[id]?.bytes == 5_000)
  }

  @Test func `without a timeout a stall lasts, and the books stay balanced`() throws {
    var driver = try driver([FaultRule(.stall(afterBytes: 5_000))])
    _ = driver.start(Request(bytes: 10_000))
    driver.run()
    #expect(driver.link.nextWake == .distantFuture)
    let books = driver.link.books(at: driver.now)
    #expect(books.delivered == 5_000 && books.outstanding == 5_000 && books.balance)
  }

  @Test func `a slow first byte is waited for, or not`() throws {
    let rule = FaultRule(.slowFirstByte(.seconds(4)))
    var patient = try driver([rule])
    let kept = patient.start(Request(bytes: 1_000))
    patient.run()
    #expect(patient.completion(of: kept) == 4_101 * millisecond)
    var hasty = try driver([rule], timeouts: RequestTimeouts(firstByte: .seconds(3)))
    let lost = hasty.start(Request(bytes: 1_000))
    hasty.run()
    #expect(hasty.failure(of: lost)?.at == 3_000 * millisecond)
    #expect(hasty.link.books(at: hasty.now).abandoned == 1_000)
  }

  @Test func `an outage is given up after the idle timeout, one that ends in time is not`() throws {
    for (outage, survives) in [(4_999, true), (5_001, false)] as [(Int64, Bool)] {
      var driver = try driver(timeouts: RequestTimeouts(idle: .seconds(5)))
      let id = driver.start(Request(bytes: 100_000))
      driver.run(until: 150 * millisecond)
      try driver.link.setConditions(.path(rate: .zero), at: driver.now)
      driver.run(until: (150 + outage) * millisecond)
      try driver.link.setConditions(.path(), at: driver.now)
      driver.run()
      #expect(driver.completion(of: id) == (survives ? (200 + outage) * millisecond : nil))
      #expect(driver.failure(of: id)?.at == (survives ? nil : 5_150 * millisecond))
      #expect(driver.booksBalance)
    }
  }

  @Test func `a schedule's outages count one by one`() throws {
    let schedule = try RateSchedule(
      steps: [
        .init(duration: .milliseconds(110), bandwidth: .limited(.megabitsPerSecond(8))),
        .init(duration: .seconds(3), bandwidth: .limited(.zero)),
      ], ending: .loops)
    let options = RequestOptions(timeouts: RequestTimeouts(idle: .milliseconds(3_001)))
    var driver = LinkDriver(
      try Link(conditions: .path(), schedule: schedule, requests: options))
    let id = driver.start(Request(bytes: 200_000))
    driver.run()
    // 10,000 bytes in the first loop, 110,000 in the second, 80,000 in the third.
    #expect(driver.completion(of: id) == (2 * 3_110 + 80) * millisecond)
  }

  @Test func `who does not read does not wait`() throws {
    var driver = try driver(timeouts: RequestTimeouts(idle: .seconds(1)))
    let id = driver.start(Request(bytes: 100_000))
    driver.run(until: 150 * millisecond)
    driver.link.suspend(id, at: driver.now)
    driver.run(until: 60_000 * millisecond)
    driver.link.resume(id, at: driver.now)
    driver.run()
    #expect(driver.completion(of: id) == 60_050 * millisecond)
  }

  @Test func `with every packet lost nothing comes, and the whole request is given up`() throws {
    let conditions = LinkConditions(downlink: DirectionConditions(loss: .total))
    for options in [RequestOptions(), .plain] {
      var options = options
      options.timeouts = RequestTimeouts(whole: .seconds(30))
      var driver = LinkDriver(try Link(conditions: conditions, requests: options))
      let id = driver.start(Request(bytes: 1))
      driver.run()
      #expect(driver.failure(of: id)?.at == 30_000 * millisecond)
      #expect(driver.timings[id]?.bytes == 0)
    }
  }

  @Test func `the first rule that fits decides, and every rule counts what it is about`() throws {
    var driver = try driver([
      FaultRule(.status(503), numbers: 2...3, label: LabelPattern("seg*.m4s")),
      FaultRule(.status(404), owner: 7),
      FaultRule(.status(500), numbers: 5...5),
    ])
    let asked: [(String, Int32)] = [
      ("seg1.m4s", 0), ("seg2.m4s", 7), ("index.m3u8", 7), ("index.m3u8", 0), ("key", 0),
      ("seg3.m4s", -1),
    ]
    let ids = asked.map { driver.start(Request(bytes: 1, owner: $0.1, label: $0.0)) }
    driver.run()
    let reasons = ids.map { driver.failure(of: $0)?.reason }
    #expect(
      reasons == [
        nil, .httpStatus(503), .httpStatus(404), nil, .httpStatus(500), nil,
      ])
  }

  @Test func `each rule that draws has a stream of its own`() throws {
    func outcomes(_ rules: [FaultRule]) throws -> [Bool] {
      var driver = LinkDriver(
        try Link(conditions: .perfect, seed: 11, requests: .plain, faults: FaultPlan(rules)))
      let ids = (0..<64).map { _ in driver.start(Request(bytes: 1, label: "a")) }
      driver.run()
      return ids.map { driver.failure(of: $0)?.reason == .httpStatus(500) }
    }
    let half = FaultRule(.status(500), chance: LossRatio(1, over: 2))
    let rare = FaultRule(.status(404), label: LabelPattern("b"), chance: LossRatio(1, over: 3))
    let alone = try outcomes([half])
    #expect(alone.contains(true) && alone.contains(false))
    #expect(try outcomes([half, rare]) == alone)
    #expect(try outcomes([half]) == alone)
  }

  @Test(arguments: [
    ("*", "", true), ("", "", true), ("", "a", false), ("a*c", "abbc", true),
    ("a*c", "abcd", false), ("*.ts", "a.ts.ts", true), ("a**b", "ab", true),
    ("a*b*c", "axbxbc", true),
    ("abc", "ab", false), ("*b", "aba", false),
  ])
  func `patterns fit whole labels`(pattern: String, label: String, fits: Bool) {
    #expect(LabelPattern(pattern).matches(label) == fits)
  }
}
