import LinkConditioner
import Testing
import VirtualTime

/// Requests on a link that is never the bottleneck: what is left is the queue for connections.
private struct QueueOracle {
  var connections: Int
  /// Milliseconds.
  var opening: Int64
  var roundTrip: Int64

  struct Customer {
    var arrives: Int64
    var thinks: Int64
  }

  private struct Server {
    var ready: Int64
    var busyUntil: Int64 = 0
  }

  /// When each customer is done, tick by tick.
  func completions(_ customers: [Customer]) -> [Int64] {
    var done = Array(repeating: Int64(0), count: customers.count)
    var servers: [Server] = []
    var queue: [Int] = []
    var next = 0
    var tick: Int64 = 0
    while next < customers.count || !queue.isEmpty {
      repeat {
        if next < customers.count, customers[next].arrives == tick {
          queue.append(next)
          next += 1
        }
        while let head = queue.first,
          let free = servers.firstIndex(where: { $0.ready <= tick && $0.busyUntil <= tick })
        {
          done[head] = tick + roundTrip + customers[head].thinks
          servers[free].busyUntil = done[head]
          queue.removeFirst()
        }
        while servers.count < connections, servers.count(where: { $0.ready > tick }) < queue.count {
          servers.append(Server(ready: tick + opening))
        }
      } while next < customers.count && customers[next].arrives == tick
      tick += 1
    }
    return done
  }
}

@Suite struct QueueingTests {
  @Test(arguments: 0..<60)
  func `completions are those of a queue before a few servers`(seed: Int) throws {
    var random = SeededGenerator(UInt64(seed) + 901)
    let (up, down) = (random.next(in: 1...60), random.next(in: 0...60))
    let security = HTTPOptions.Security.allCases[Int(random.next(in: 0...2))]
    let handshakes: Int64 = security == .none ? 1 : security == .tls13 ? 2 : 3
    let limit = random.next(in: 1...5)
    let oracle = QueueOracle(
      connections: Int(limit), opening: handshakes * (up + down), roundTrip: up + down)
    let arrivals = (0..<random.next(in: 1...25)).map { _ in random.next(in: 0...900) }
    let customers = arrivals.sorted().map {
      QueueOracle.Customer(arrives: $0, thinks: random.next(in: 0...150))
    }
    let http = HTTPOptions(
      version: .http1(connections: Int32(limit)), security: security, idleTimeout: .forever)
    var driver = LinkDriver(
      try Link(
        conditions: LinkConditions(
          downlink: .init(delay: .milliseconds(down)), uplink: .init(delay: .milliseconds(up))),
        requests: RequestOptions(http: http)))
    var ids: [TransferID] = []
    for customer in customers {
      driver.run(until: customer.arrives * millisecond)
      ids.append(
        driver.start(
          Request(bytes: random.next(in: 0...9_999), thinkTime: .milliseconds(customer.thinks))))
    }
    driver.run()
    let expected = oracle.completions(customers).map { $0 * millisecond }
    #expect(ids.map { driver.completion(of: $0) } == expected)
    #expect(driver.booksBalance)
  }

  /// What a test does to two links alike.
  private struct Pair {
    var plain: LinkDriver
    var staged: LinkDriver

    mutating func both(_ action: (inout LinkDriver) -> Void) {
      action(&plain)
      action(&staged)
    }
  }

  @Test(arguments: 0..<40)
  func `the plain options are what a link without options does`(seed: Int) throws {
    var random = SeededGenerator(UInt64(seed) + 77)
    let conditions = LinkConditions.path(
      up: random.next(in: 0...50), down: random.next(in: 0...50), dns: random.next(in: 0...90),
      rate: .bitsPerSecond(random.next(in: 1...30_000_000)))
    var pair = Pair(
      plain: LinkDriver(try Link(conditions: conditions)),
      staged: LinkDriver(try Link(conditions: conditions, requests: .plain)))
    for _ in 0..<30 {
      let wait = random.next(in: 0...60_000_000)
      pair.both { $0.run(until: $0.now.nanoseconds + wait) }
      let id = TransferID(rawValue: Int32(random.next(in: 1...12)))
      let request = Request(
        bytes: random.next(in: 0...90_000), host: Int32(random.next(in: 0...2)),
        thinkTime: .milliseconds(random.next(in: 0...20)))
      let choice = random.next(in: 0...5)
      pair.both { driver in
        switch choice {
        case 0: driver.link.cancel(id, at: driver.now)
        case 1: driver.link.suspend(id, at: driver.now)
        case 2: driver.link.resume(id, at: driver.now)
        default: _ = driver.start(request)
        }
      }
      #expect(
        pair.plain.link.flow(of: id, at: pair.plain.now)?.flow
          == pair.staged.link.flow(of: id, at: pair.staged.now)?.flow)
    }
    pair.both { $0.run(until: 200_000_000_000) }
    // At one instant a link without options goes by the order of requests, one with connections
    // by the order in which those were had.
    #expect(Set(pair.plain.news) == Set(pair.staged.news))
    #expect(pair.plain.news.map(\.at) == pair.staged.news.map(\.at))
    let now = pair.plain.now
    #expect(pair.plain.link.books(at: now) == pair.staged.link.books(at: now))
    #expect(pair.staged.booksBalance)
  }
}
