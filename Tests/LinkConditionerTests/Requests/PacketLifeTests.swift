import LinkConditioner
import Testing
import VirtualTime

/// The same life of a request with packets: 20 ms up, 30 ms down, nothing lost unless it is said.
@Suite struct PacketLifeTests {
  private func driver(
    _ http: HTTPOptions = HTTPOptions(), bandwidth: Bandwidth = .unlimited, dns: Int64 = 0,
    loss: LossRatio = .none, seed: UInt64 = 1, faults: [FaultRule] = [],
    timeouts: RequestTimeouts = .none, queuePackets: Int32 = 100
  ) throws -> LinkDriver {
    let conditions = LinkConditions(
      downlink: DirectionConditions(
        bandwidth: bandwidth, delay: .milliseconds(30), loss: loss, queuePackets: queuePackets),
      uplink: DirectionConditions(delay: .milliseconds(20), loss: loss),
      dnsDelay: .milliseconds(dns))
    return LinkDriver(
      try Link(
        conditions: conditions, fidelity: .tcp, seed: seed,
        requests: RequestOptions(http: http, timeouts: timeouts), faults: FaultPlan(faults)))
  }

  @Test(arguments: zip(HTTPOptions.Security.allCases, [1, 3, 2] as [Int64]))
  func `on a link without width only round trips take time`(
    security: HTTPOptions.Security, handshakes: Int64
  ) throws {
    var driver = try driver(HTTPOptions(security: security), dns: 70)
    // Ten segments, of which the header takes 250 bytes: one flight.
    let cold = driver.start(Request(bytes: 14_480 - 250, thinkTime: .milliseconds(7)))
    driver.run(until: 2_000 * millisecond)
    #expect(driver.completion(of: cold) == (70 + (handshakes + 1) * 50 + 7) * millisecond)
    let first = try #require(driver.timings[cold])
    #expect(first.lookup == .milliseconds(70))
    #expect(first.connect == .milliseconds(50))
    #expect(first.security == (security == .none ? nil : .milliseconds((handshakes - 1) * 50)))
    #expect(first.response == .milliseconds(57))
    #expect(first.bytes == 14_230 && first.waiting == .zero && !first.reusesConnection)

    let warm = driver.start(Request(bytes: 1_000))
    driver.run(until: 9_000 * millisecond)
    #expect(driver.completion(of: warm) == 2_050 * millisecond)
    #expect(driver.timings[warm]?.reusesConnection == true)
    #expect(driver.booksBalance)
  }

  @Test func `a response beyond the first window takes further round trips`() throws {
    var driver = try driver()
    let id = driver.start(Request(bytes: 14_480 - 250 + 1))
    driver.run(until: 9_000 * millisecond)
    #expect(driver.completion(of: id) == 150 * millisecond)
  }

  @Test func `handshake, request and answer are bytes on the wire`() throws {
    // A byte a microsecond: the answer to the SYN has 74 of them on the wire, one segment of
    // header and body 66 more than its payload.
    var driver = try driver(bandwidth: .limited(.megabitsPerSecond(8)))
    let id = driver.start(Request(bytes: 750))
    driver.run(until: 9_000 * millisecond)
    // The acknowledgement of the request may leave before the answer, in the same instant.
    let timings = try #require(driver.timings[id])
    #expect(timings.connect == .nanoseconds(50_000_000 + 74_000))
    let response = try #require(timings.response).nanoseconds - 50_000_000
    #expect(response == (66 + 1_000) * 1_000 || response == (66 + 66 + 1_000) * 1_000)
  }

  @Test func `requests beyond the limit of connections wait`() throws {
    var driver = try driver(HTTPOptions(version: .http1(connections: 1)))
    let ids = (0..<3).map { _ in driver.start(Request(bytes: 10_000)) }
    driver.run(until: 9_000 * millisecond)
    #expect(ids.map { driver.completion(of: $0) } == [100, 150, 200].map { $0 * millisecond })
  }

  @Test func `streams take equal turns`() throws {
    var driver = try driver(
      HTTPOptions(version: .http2(streams: 9)), bandwidth: .limited(.megabitsPerSecond(8)))
    let ids = (0..<3).map { _ in driver.start(Request(bytes: 400_000)) }
    for _ in 0..<60 {
      driver.run(until: driver.now.nanoseconds + 20 * millisecond)
      let counts = ids.compactMap { id in
        driver.link.flow(of: id, at: driver.now)?.flow.bytes(at: driver.now)
      }
      guard counts.count == 3, let least = counts.min(), let most = counts.max() else { continue }
      #expect(most - least <= 16_384)
    }
    driver.run(until: 9_000 * millisecond)
    let done = ids.compactMap { driver.completion(of: $0) }
    #expect(done.count == 3 && Set(driver.timings.values.map(\.connection)) == [1])
    // 1.2 MB and what is around it: headers of 66 in 1,514, and the handshakes.
    let last = try #require(done.max())
    #expect(last > 1_250 * millisecond && last < 1_600 * millisecond)
    #expect(driver.booksBalance)
  }

  @Test func `a stream that was reset gives the link to the others`() throws {
    func finish(cancels: Bool) throws -> Int64 {
      var driver = try driver(
        HTTPOptions(version: .http2(streams: 9)), bandwidth: .limited(.megabitsPerSecond(8)))
      let other = driver.start(Request(bytes: 5_000_000))
      let id = driver.start(Request(bytes: 1_000_000))
      driver.run(until: 1_000 * millisecond)
      if cancels { driver.link.cancel(other, at: driver.now) }
      driver.run(until: 60_000 * millisecond)
      #expect(driver.booksBalance)
      return try #require(driver.completion(of: id))
    }
    let (alone, shared) = (try finish(cancels: true), try finish(cancels: false))
    #expect(shared > 2_000 * millisecond)
    // Less than half is there after a second; the rest comes at twice the pace.
    #expect(alone < 1_750 * millisecond)
  }

  @Test(arguments: [HTTPOptions.Version.http1(connections: 6), .http2(streams: 9)])
  func `who stops reading holds the sender back, and reads on where it stopped`(
    version: HTTPOptions.Version
  ) throws {
    var driver = try driver(
      HTTPOptions(version: version), bandwidth: .limited(.megabitsPerSecond(8)))
    let id = driver.start(Request(bytes: 3_000_000))
    driver.run(until: 1_000 * millisecond)
    driver.link.suspend(id, at: driver.now)
    let before = driver.link.flow(of: id, at: driver.now)?.flow.bytes(at: driver.now)
    driver.run(until: 60_000 * millisecond)
    #expect(driver.link.flow(of: id, at: driver.now)?.flow.bytes(at: driver.now) == before)
    #expect(driver.link.nextWake > driver.now + .seconds(60))
    driver.link.resume(id, at: driver.now)
    driver.run(until: 90_000 * millisecond)
    // Something had come meanwhile, but not everything.
    let end = try #require(driver.completion(of: id))
    #expect(end > 60_500 * millisecond && end < 62_300 * millisecond)
    #expect(driver.booksBalance)
  }

  @Test(arguments: 0..<12)
  func `with loss everything arrives, in every order of events, and the books balance`(
    seed: Int
  ) throws {
    var random = SeededGenerator(UInt64(seed) + 5_000)
    let version: HTTPOptions.Version = seed % 2 == 0 ? .http1(connections: 2) : .http2(streams: 4)
    var driver = try driver(
      HTTPOptions(version: version, security: .tls13),
      bandwidth: .limited(.megabitsPerSecond(6)), loss: LossRatio(2, over: 100),
      seed: UInt64(seed))
    var open: [TransferID] = []
    var cancelled: [TransferID] = []
    for _ in 0..<12 {
      driver.run(until: driver.now.nanoseconds + random.next(in: 1...300) * millisecond)
      let id = open.isEmpty ? nil : open[Int(random.next(in: 0...Int64(open.count - 1)))]
      switch (random.next(in: 0...5), id) {
      case (0, let id?):
        driver.link.suspend(id, at: driver.now)
        driver.run(until: driver.now.nanoseconds + random.next(in: 1...900) * millisecond)
        driver.link.resume(id, at: driver.now)
      case (1, let id?):
        driver.link.cancel(id, at: driver.now)
        cancelled.append(id)
      default:
        open.append(driver.start(Request(bytes: random.next(in: 0...120_000))))
      }
    }
    driver.run(until: 600_000 * millisecond)
    for id in open where !cancelled.contains(id) {
      #expect(driver.completion(of: id) != nil, "seed \(seed), \(id)")
    }
    #expect(driver.booksBalance)
    #expect(driver.link.books(at: driver.now).outstanding == 0)
    let packets = try #require(driver.link.packetBooks)
    #expect(packets.downlink.balances && packets.uplink.balances)
    #expect(packets.downlink.lost.packets > 0 && packets.downlink.inFlight.packets == 0)
  }

  @Test func `the same seed gives the same news, another seed others`() throws {
    func news(_ seed: UInt64, _ faults: [FaultRule] = []) throws -> [LinkDriver.News] {
      var driver = try driver(
        bandwidth: .limited(.megabitsPerSecond(6)), loss: LossRatio(2, over: 100), seed: seed,
        faults: faults)
      for _ in 0..<5 { _ = driver.start(Request(bytes: 60_000)) }
      driver.run(until: 60_000 * millisecond)
      return driver.news
    }
    let first = try news(3)
    #expect(try news(3) == first)
    #expect(try news(4) != first)
    // Draws of faults are no draws of losses.
    let rule = FaultRule(.slowFirstByte(.zero), chance: LossRatio(1, over: 2))
    #expect(try news(3, [rule]) == first)
  }

  @Test func `faults are what they are in fluid`() throws {
    var driver = try driver(
      HTTPOptions(version: .http1(connections: 1)),
      faults: [
        FaultRule(.status(404), numbers: 1...1),
        FaultRule(.reset(afterBytes: 5_000), numbers: 2...2),
        FaultRule(.stall(afterBytes: 3_000), numbers: 3...3),
        FaultRule(.slowFirstByte(.seconds(2)), numbers: 4...4),
      ], timeouts: RequestTimeouts(idle: .seconds(10)))
    let ids = (0..<5).map { _ in driver.start(Request(bytes: 10_000)) }
    driver.run(until: 60_000 * millisecond)
    let failures = ids.map { driver.failure(of: $0) }
    #expect(failures[0]?.at == 100 * millisecond && failures[0]?.reason == .httpStatus(404))
    #expect(failures[1]?.at == 150 * millisecond && failures[1]?.reason == .connectionReset)
    // Another connection, then ten seconds of nothing.
    #expect(failures[2]?.at == 10_250 * millisecond && failures[2]?.reason == .timedOut)
    #expect(driver.completion(of: ids[3]) == 12_350 * millisecond)
    #expect(driver.completion(of: ids[4]) == 12_400 * millisecond)
    #expect(ids[1...2].map { driver.timings[$0]?.bytes } == [5_000, 3_000])
    #expect(driver.link.books(at: driver.now).outstanding == 0 && driver.booksBalance)
  }

  @Test func `with every packet lost the client gives up, by itself or when it is told to`() throws
  {
    var patient = try driver(loss: .total)
    let lost = patient.start(Request(bytes: 1))
    patient.run(until: 3_600_000 * millisecond)
    #expect(patient.failure(of: lost)?.reason == .timedOut)
    var hasty = try driver(loss: .total, timeouts: RequestTimeouts(firstByte: .seconds(5)))
    let id = hasty.start(Request(bytes: 1))
    hasty.run(until: 60_000 * millisecond)
    #expect(hasty.failure(of: id)?.at == 5_000 * millisecond)
  }

  @Test func `a schedule is followed step by step`() throws {
    let schedule = try RateSchedule(
      steps: [
        .init(duration: .seconds(1), bandwidth: .limited(.megabitsPerSecond(8))),
        .init(duration: .seconds(2), bandwidth: .limited(.zero)),
      ], ending: .loops)
    var driver = LinkDriver(
      try Link(conditions: .perfect, schedule: schedule, fidelity: .tcp))
    let id = driver.start(Request(bytes: 1_500_000))
    driver.run(until: 60_000 * millisecond)
    // A second of it, two of nothing, then the rest at the same pace, give or take a timeout.
    let end = try #require(driver.completion(of: id))
    #expect(end > 3_550 * millisecond && end < 6_900 * millisecond)
    #expect(driver.link.nextWake == .distantFuture)
  }

  /// Half a second at 8 Mbit/s bring 478 kB of body and 22 kB of heads; then another schedule is
  /// switched on, from its beginning, with steps of other lengths and rates.
  @Test func `another schedule is followed from its own first step`() throws {
    func schedule(_ steps: [(Int64, Int64)]) throws -> RateSchedule {
      try RateSchedule(
        steps: steps.map {
          .init(
            duration: .milliseconds($0.0), bandwidth: .limited(.kilobitsPerSecond($0.1)))
        }, ending: .holds)
    }
    for (slow, fast) in [(700, 4_000), (1_300, 8_000), (2_100, 1_600)] as [(Int64, Int64)] {
      let before = try schedule([(400, 8_000), (90_000, 8_000)])
      var driver = LinkDriver(
        try Link(
          conditions: LinkConditions(downlink: .init(queuePackets: 100_000)), schedule: before,
          fidelity: .tcp))
      let id = driver.start(Request(bytes: 2_000_000))
      driver.run(until: 500 * millisecond)
      try driver.link.setSchedule(schedule([(slow, 800), (90_000, fast)]), at: driver.now)
      driver.run(until: 90_000 * millisecond)
      let end = try #require(driver.completion(of: id)) / millisecond
      // Bits a millisecond of the whole on the wire: 2 MB of body in segments of 1,448 of 1,514.
      let wire = 2_000_000 * 8 * 1_514 / 1_448 as Int64
      let left = wire - 500 * 8_000 - slow * 800
      let expected = 500 + slow + left / fast
      #expect(abs(end - expected) < 60, "\(slow), \(fast): \(end) ms, not \(expected)")
    }
  }

  @Test func `what goes with a stream is as long as RFC 9113 has it`() {
    let sizes = MessageSizes.self
    // §4.1: a frame begins with nine bytes; §6.4 and §6.9: four of an error code or of a window.
    #expect(sizes.frameHeader == 9 && sizes.streamControl == 9 + 4)
    // §6.5.2, SETTINGS_MAX_FRAME_SIZE.
    #expect(sizes.frame == 1 << 14)
  }

  @Test func `messages have the sizes of a usual handshake and request`() {
    let sizes = MessageSizes.self
    #expect(sizes.clientHello == 517 && sizes.request == 400 && sizes.responseHeader == 250)
    #expect(sizes.serverFlight12 == 3_600 && sizes.clientFinished12 == 126)
    #expect(sizes.serverFinished12 == 258)
    #expect(sizes.serverFlight13 == 3_400 && sizes.clientFinished13 == 80)
    #expect(HTTPOptions().standingConnections == 0)
    #expect(PathOptions().bucketBytes == 1_514 && PathOptions().stepsPerInstant == 4_000_000)
  }

  @Test func `a response's line holds until its next packet, in an outage as well`() throws {
    for megabits in [1, 8, 30] as [Int64] {
      var driver = try driver(bandwidth: .limited(.megabitsPerSecond(megabits)))
      let id = driver.start(Request(bytes: 20_000_000))
      driver.run(until: 4_000 * millisecond)
      let flowing = try #require(driver.link.flow(of: id, at: driver.now))
      #expect(flowing.validUntil == .distantFuture && flowing.flow.unitsPerNanosecond == 0)
      try driver.link.setConditions(.path(rate: .zero), at: driver.now)
      driver.run(until: 5_200 * millisecond)
      let standing = try #require(driver.link.flow(of: id, at: driver.now))
      #expect(standing.validUntil == .distantFuture)
      #expect(standing.flow.bytes(at: driver.now) >= flowing.flow.bytes(at: driver.now))
    }
  }
}
