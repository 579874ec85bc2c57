import LinkConditioner
import Testing
import VirtualTime

@Suite struct TrafficTests {
  /// A round trip of 50 ms and a thousand bytes a millisecond, with and without connections.
  static let links: [RequestOptions?] = [nil, .plain]

  private func driver(_ options: RequestOptions?) throws -> LinkDriver {
    LinkDriver(try Link(conditions: .path(dns: 500), requests: options))
  }

  @Test(arguments: links)
  func `traffic takes an equal share from its beginning to its end`(
    options: RequestOptions?
  ) throws {
    var driver = try driver(options)
    let traffic = CompetingTraffic(
      connections: 3, begins: Instant(nanoseconds: 600 * millisecond),
      ends: Instant(nanoseconds: 850 * millisecond))
    _ = driver.link.startTraffic(traffic, at: driver.now)
    let id = driver.start(Request(bytes: 200_000))
    driver.run()
    // Alone from 550 to 650, a quarter until 850, then the rest: 100,000 + 50,000 + 50,000.
    #expect(driver.completion(of: id) == 900 * millisecond)
    let own = driver.news.filter { $0.event == .flowChanged(id, owner: 0) }
    #expect(own.map(\.at) == [650, 850].map { $0 * millisecond })
    #expect(driver.booksBalance)
    #expect(driver.link.books(at: driver.now).delivered == 350_000)
  }

  /// It begins at 600 ms, or with the call at 700 ms.
  @Test(arguments: links, [(600, 599, 0), (600, 600, 1), (650, 699, 0), (650, 700, 1)])
  func `traffic whose end has passed asks for nothing`(
    options: RequestOptions?, times: (begins: Int64, ends: Int64, asks: Int64)
  ) throws {
    var driver = try driver(options)
    if times.begins == 650 { driver.run(until: 700 * millisecond) }
    let traffic = CompetingTraffic(
      begins: Instant(nanoseconds: times.begins * millisecond),
      ends: Instant(nanoseconds: times.ends * millisecond), bytes: 1_000)
    _ = driver.link.startTraffic(traffic, at: driver.now)
    driver.run()
    #expect(driver.link.nextWake == .distantFuture && driver.booksBalance)
    #expect(driver.link.books(at: driver.now).requested == times.asks * 1_000)
  }

  @Test(arguments: links)
  func `traffic of so many bytes ends by itself`(options: RequestOptions?) throws {
    var driver = try driver(options)
    _ = driver.link.startTraffic(
      CompetingTraffic(connections: 1, bytes: 100_000), at: driver.now)
    driver.run(until: 100 * millisecond)
    let id = driver.start(Request(bytes: 100_000, host: TrafficTests.knownHost))
    driver.run()
    // 100,000 of the other's bytes are through by 150 ms; the address takes until 600 ms.
    #expect(driver.completion(of: id) == 750 * millisecond)
    #expect(driver.link.books(at: driver.now).delivered == 200_000)
  }

  /// A connection is there after 50 ms, its first byte 50 ms later, and 100,000 bytes take 100 ms:
  /// what others do on the link says nothing of how it is secured.
  @Test(arguments: HTTPOptions.Security.allCases)
  func `traffic opens its connections without securing them`(
    _ security: HTTPOptions.Security
  ) throws {
    var driver = LinkDriver(
      try Link(
        conditions: .path(), requests: RequestOptions(http: HTTPOptions(security: security))))
    _ = driver.link.startTraffic(CompetingTraffic(bytes: 100_000), at: driver.now)
    driver.run(until: 199 * millisecond)
    #expect(driver.link.books(at: driver.now).delivered == 99_000)
    driver.run(until: 200 * millisecond)
    #expect(driver.link.books(at: driver.now).delivered == 100_000)
  }

  private static let knownHost: Int32 = 0

  @Test(arguments: links)
  func `suspended traffic leaves the link to the others`(options: RequestOptions?) throws {
    var driver = try driver(options)
    let traffic = driver.link.startTraffic(CompetingTraffic(connections: 1), at: driver.now)
    let id = driver.start(Request(bytes: 200_000))
    driver.run(until: 650 * millisecond)
    driver.link.setTrafficSuspended(true, traffic, at: driver.now)
    driver.run(until: 700 * millisecond)
    driver.link.setTrafficSuspended(false, traffic, at: driver.now)
    driver.run(until: 750 * millisecond)
    driver.link.stopTraffic(traffic, at: driver.now)
    driver.run()
    // Half for 100 ms, all for 50, half for 50, then alone: 50 + 50 + 25 + 75.
    #expect(driver.completion(of: id) == 825 * millisecond)
    #expect(driver.booksBalance)
  }

  @Test func `traffic is its own shell's business: it can be stopped before it begins`() throws {
    var driver = try driver(nil)
    let traffic = driver.link.startTraffic(
      CompetingTraffic(begins: Instant(nanoseconds: 9_000)), at: driver.now)
    driver.link.stopTraffic(traffic, at: driver.now)
    driver.link.stopTraffic(TrafficID(rawValue: 99), at: driver.now)
    driver.run()
    #expect(driver.news.isEmpty)
    #expect(driver.link.nextWake == .distantFuture)
  }
}
