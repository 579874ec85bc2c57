import LinkConditioner
import Testing
import VirtualTime

/// A round trip of 50 ms, and a thousand bytes a millisecond.
@Suite struct LifeCycleTests {
  private func driver(
    _ http: HTTPOptions, dns: Int64 = 0, timeouts: RequestTimeouts = .none
  ) throws -> LinkDriver {
    LinkDriver(
      try Link(
        conditions: .path(dns: dns), requests: RequestOptions(http: http, timeouts: timeouts)))
  }

  @Test(arguments: zip(HTTPOptions.Security.allCases, [1, 3, 2] as [Int64]))
  func
    `a cold request pays the address, the handshakes and a round trip; a warm one the last alone`(
      security: HTTPOptions.Security, handshakes: Int64
    ) throws
  {
    var driver = try driver(HTTPOptions(security: security), dns: 70)
    let cold = driver.start(Request(bytes: 10_000, thinkTime: .milliseconds(7)))
    driver.run(until: 2_000 * millisecond)
    let arrived = (70 + handshakes * 50 + 50 + 7 + 10) * millisecond
    #expect(driver.completion(of: cold) == arrived)
    let warm = driver.start(Request(bytes: 10_000))
    driver.run(until: 3_000 * millisecond)
    #expect(driver.completion(of: warm) == (2_000 + 50 + 10) * millisecond)

    let first = try #require(driver.timings[cold])
    #expect(first.lookup == .milliseconds(70))
    #expect(first.connect == .milliseconds(50))
    #expect(
      first.security == (security == .none ? nil : .milliseconds((handshakes - 1) * 50)))
    #expect(first.waiting == .zero)
    #expect(first.response == .milliseconds(57))
    #expect(first.transfer == .milliseconds(10))
    #expect(first.bytes == 10_000 && !first.reusesConnection && first.outcome == .completed)
    let second = try #require(driver.timings[warm])
    #expect(second.lookup == .zero && second.connect == nil && second.reusesConnection)
    #expect(second.connection == first.connection)
    #expect(driver.booksBalance)
  }

  @Test func `an address is looked up once, and who asks meanwhile waits for the same answer`()
    throws
  {
    var driver = try driver(.plain, dns: 3_000)
    let first = driver.start(Request(bytes: 1_000))
    driver.run(until: 1_000 * millisecond)
    let second = driver.start(Request(bytes: 1_000))
    let other = driver.start(Request(bytes: 1_000, host: 1))
    driver.run(until: 9_000 * millisecond)
    let third = driver.start(Request(bytes: 1_000))
    driver.run()
    #expect(driver.completion(of: first) == 3_052 * millisecond)
    #expect(driver.completion(of: second) == 3_052 * millisecond)
    #expect(driver.completion(of: other) == 4_051 * millisecond)
    #expect(driver.completion(of: third) == 9_051 * millisecond)
  }

  @Test func `with HTTP/1.1 requests beyond the limit wait in order, and reuse connections`()
    throws
  {
    var driver = try driver(HTTPOptions(version: .http1(connections: 1), security: .tls13))
    let ids = (0..<4).map { _ in driver.start(Request(bytes: 20_000)) }
    driver.run()
    for (index, id) in ids.enumerated() {
      // Two round trips of handshakes once, then a round trip and 20 ms of bytes each.
      let expected = (100 + (Int64(index) + 1) * 70) * millisecond
      #expect(driver.completion(of: id) == expected)
      // Only the first waits for handshakes of its own.
      let waiting = index == 0 ? 0 : 100 + Int64(index) * 70
      #expect(driver.timings[id]?.waiting == .milliseconds(waiting))
      #expect(driver.timings[id]?.reusesConnection == (index > 0))
    }
  }

  @Test func `two connections halve the queue`() throws {
    var driver = try driver(HTTPOptions(version: .http1(connections: 2)))
    let ids = (0..<4).map { _ in driver.start(Request(bytes: 20_000)) }
    driver.run()
    // Two share the link for 40 ms, then two more a round trip later.
    let done = ids.map { driver.completion(of: $0) }
    #expect(done == [140, 140, 230, 230].map { $0 * millisecond })
  }

  @Test func `with HTTP/2 all requests share one connection and its handshakes`() throws {
    var driver = try driver(HTTPOptions(version: .http2(streams: 100), security: .tls12))
    let ids = (0..<3).map { _ in driver.start(Request(bytes: 10_000)) }
    driver.run()
    for id in ids {
      #expect(driver.completion(of: id) == (150 + 50 + 30) * millisecond)
      #expect(driver.timings[id]?.connection == 1)
    }
    #expect(ids.map { driver.timings[$0]?.reusesConnection } == [false, true, true])
  }

  @Test func `streams beyond the limit of a connection wait`() throws {
    var driver = try driver(HTTPOptions(version: .http2(streams: 2)))
    let ids = (0..<3).map { _ in driver.start(Request(bytes: 10_000)) }
    driver.run()
    let done = ids.map { driver.completion(of: $0) }
    #expect(done == [120, 120, 180].map { $0 * millisecond })
  }

  @Test(arguments: [(59_999, true), (60_000, false)] as [(Int64, Bool)])
  func `a connection that nobody used for the idle timeout is gone`(
    pause: Int64, isReused: Bool
  ) throws {
    var driver = try driver(HTTPOptions())
    let first = driver.start(Request(bytes: 0))
    driver.run(until: 100 * millisecond)
    #expect(driver.completion(of: first) == 100 * millisecond)
    driver.run(until: (100 + pause) * millisecond)
    let second = driver.start(Request(bytes: 0))
    driver.run()
    #expect(driver.timings[second]?.reusesConnection == isReused)
    #expect(driver.timings[second]?.connection == (isReused ? 1 : 2))
  }

  /// The second request opens a connection, and takes the first one's as soon as that is free: the
  /// other is ready at 110 ms, unused, and a minute later it is gone.
  @Test(arguments: [(60_109, true), (60_110, false)] as [(Int64, Bool)])
  func `a connection that nobody took is idle since it was ready, not since it was opened`(
    at: Int64, isThere: Bool
  ) throws {
    var driver = try driver(HTTPOptions(version: .http1(connections: 2)))
    let first = driver.start(Request(bytes: 0))
    driver.run(until: 60 * millisecond)
    let second = driver.start(Request(bytes: 0))
    driver.run(until: 160 * millisecond)
    #expect(driver.completion(of: first) == 100 * millisecond)
    #expect(driver.completion(of: second) == 150 * millisecond)
    #expect(driver.timings[second]?.connection == 1)
    // One that goes on for more than a minute, on the connection that was used last.
    let third = driver.start(Request(bytes: 90_000_000))
    driver.run(until: at * millisecond)
    let fourth = driver.start(Request(bytes: 0))
    driver.run()
    #expect(driver.timings[third]?.connection == 1)
    // A round trip, and another one for a handshake.
    #expect(driver.timings[fourth]?.connection == (isThere ? 2 : 3))
    #expect(driver.completion(of: fourth) == (at + (isThere ? 50 : 100)) * millisecond)
  }

  @Test func `a cancelled request closes its connection, and the next one opens another`() throws {
    var driver = try driver(HTTPOptions(version: .http1(connections: 1)))
    let first = driver.start(Request(bytes: 1_000_000))
    let second = driver.start(Request(bytes: 1_000))
    driver.run(until: 150 * millisecond)
    driver.link.cancel(first, at: driver.now)
    #expect(driver.link.timings(of: first)?.bytes == 50_000)
    #expect(driver.link.timings(of: first)?.outcome == .cancelled)
    driver.run()
    #expect(driver.completion(of: first) == nil)
    #expect(driver.completion(of: second) == (150 + 100 + 1) * millisecond)
    #expect(driver.timings[second]?.connection == 2)
    #expect(driver.link.books(at: driver.now).abandoned == 950_000)
    #expect(driver.booksBalance)
  }

  @Test func `a cancelled stream leaves the connection to the others`() throws {
    var driver = try driver(HTTPOptions(version: .http2(streams: 100)))
    let first = driver.start(Request(bytes: 1_000_000))
    let second = driver.start(Request(bytes: 100_000))
    driver.run(until: 200 * millisecond)
    driver.link.cancel(first, at: driver.now)
    driver.run()
    // 50,000 bytes at half the link, the rest at all of it.
    #expect(driver.completion(of: second) == (200 + 50) * millisecond)
  }

  @Test func `a request that has not got its connection is cancelled without a trace on the link`()
    throws
  {
    var driver = try driver(HTTPOptions(version: .http1(connections: 1)), dns: 10)
    let first = driver.start(Request(bytes: 1_000))
    let second = driver.start(Request(bytes: 1_000))
    let third = driver.start(Request(bytes: 1_000))
    driver.run(until: 5 * millisecond)
    driver.link.cancel(second, at: driver.now)
    driver.run()
    #expect(driver.completion(of: first) == 111 * millisecond)
    #expect(driver.completion(of: third) == 162 * millisecond)
    #expect(driver.timings.count == 2)
  }

  @Test func `hosts have connections of their own, and options where they are given`() throws {
    var options = RequestOptions(http: HTTPOptions(version: .http1(connections: 1)))
    options.set(.plain, forHost: 2)
    var driver = LinkDriver(try Link(conditions: .path(), requests: options))
    let one = driver.start(Request(bytes: 1_000, host: 1))
    let two = driver.start(Request(bytes: 1_000, host: 2))
    driver.run()
    #expect(driver.completion(of: one) == 101 * millisecond)
    #expect(driver.completion(of: two) == 51 * millisecond)
    #expect(driver.timings[two]?.connection == 0)
  }

  @Test func `handshakes take the round trip that the link has by then`() throws {
    for (up, down) in [(20, 180), (150, 50), (1, 4)] as [(Int64, Int64)] {
      var driver = try driver(HTTPOptions(security: .tls13))
      let first = driver.start(Request(bytes: 1_000))
      driver.run(until: 1_000 * millisecond)
      #expect(driver.completion(of: first) == 151 * millisecond)
      try driver.link.setConditions(.path(up: up, down: down), at: driver.now)
      // Another host: two round trips of handshakes, one for the request, and a byte a microsecond.
      let second = driver.start(Request(bytes: 1_000, host: 1))
      driver.run()
      #expect(driver.completion(of: second) == (1_000 + 3 * (up + down) + 1) * millisecond)
    }
  }

  @Test func `handshakes wait for the end of an outage`() throws {
    var driver = try driver(HTTPOptions(security: .tls13))
    let id = driver.start(Request(bytes: 1_000))
    driver.run(until: 20 * millisecond)
    try driver.link.setConditions(.path(rate: .zero), at: driver.now)
    driver.run(until: 500 * millisecond)
    try driver.link.setConditions(.path(), at: driver.now)
    driver.run()
    #expect(driver.completion(of: id) == (500 + 50 + 50 + 1) * millisecond)
  }

  @Test func `handshakes wait for a schedule's outage to pass`() throws {
    let schedule = try RateSchedule(
      steps: [
        .init(duration: .milliseconds(300), bandwidth: .limited(.zero)),
        .init(duration: .seconds(9), bandwidth: .limited(.megabitsPerSecond(8))),
      ], ending: .holds)
    var driver = LinkDriver(
      try Link(conditions: .path(), schedule: schedule, requests: RequestOptions()))
    let id = driver.start(Request(bytes: 1_000))
    driver.run()
    #expect(driver.completion(of: id) == (300 + 50 + 1) * millisecond)
  }
}
