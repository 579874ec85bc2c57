import LinkConditioner
import TestSupport
import Testing
import VirtualTime

/// Links on which seeds make up what is asked for, paused, given up and changed, held to what came
/// of it when that was last reviewed: every event, line, timing and book.
@Suite struct MadeUpLinkTests {
  private static let links = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/links", seeds: 1_440)
  private static let downloads = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/downloads", seeds: 6_000)

  @Test func `a made-up link does what it did`() async throws {
    let lines = await Self.links.lines(few: 3) { seed in
      var link = MadeUpLink(seed)
      return link.answer()
    }
    #expect(try Self.links.differences(from: lines) == [])
  }

  @Test func `made-up downloads arrive when they did`() async throws {
    let lines = await Self.downloads.lines(few: 16) { Self.download($0) }
    #expect(try Self.downloads.differences(from: lines) == [])
  }

  /// One to four objects over one connection whose link changes.
  private static func download(_ seed: Int) -> String {
    var draw = LinkDraw(seed, part: "download", isRound: false)
    var path = PathOptions(
      lossPosition: seed % 2 == 0 ? .beforeQueue : .afterQueue,
      idleLink: seed % 5 == 0 ? .passesAtOnce : .serialises)
    path.bucketBytes = Int64(draw.below(20_000) + 100)
    let options = ConnectionOptions(
      congestionControl: [.bbr, .cubic, .reno][seed % 3],
      initialWindow: seed % 4 == 0 ? Int32(draw.below(60)) : 10, slowStartAfterIdle: seed % 7 != 0)
    var session = PacketSession(
      draw.conditions(), path: path, options: options, seed: UInt64(seed))
    var changed = Instant.zero
    session.changes = (0..<draw.below(4)).map { _ in
      changed = changed + .microseconds(Int64(draw.below(4_000_000)))
      return PacketSession.Change(at: changed, to: draw.conditions())
    }
    let count = draw.below(4) + 1
    session.fetch(
      (0..<count).map { _ in Int64(draw.below(1 << (draw.below(12) + 8))) },
      pauses: (0..<count).map { _ in .microseconds(Int64(draw.below(1 << draw.below(23)))) },
      until: .zero + .seconds(60))
    var print = Fingerprint()
    for logged in session.log { print.add("\(logged.at.nanoseconds) \(logged.event)") }
    print.add("\(session.transport.downlinkCounters) \(session.transport.uplinkCounters)")
    return print.text
  }
}

/// The draws of one link; where they are round, much of it falls on one instant.
private struct LinkDraw {
  private var draw: Draw
  private let isRound: Bool

  init(_ seed: Int, part: String, isRound: Bool) {
    draw = Draw(seed: UInt64(seed), part: part)
    self.isRound = isRound
  }

  mutating func below(_ bound: Int) -> Int { draw.below(bound) }

  /// A number below a bound, small ones as often as large ones; round ones are powers of two.
  mutating func size(_ most: Int) -> Int64 {
    isRound ? 1 << below(most) : Int64(below(1 << below(most)))
  }

  /// A time below a bound in microseconds; round ones are milliseconds, in which a power of two of
  /// bytes arrives at a round rate.
  mutating func span(_ most: Int) -> TimeSpan {
    if !isRound { return .microseconds(size(most)) }
    return below(3) == 0 ? .zero : .milliseconds(1 << below(most - 9))
  }

  mutating func bandwidth() -> Bandwidth {
    switch below(12) {
    case 0: .unlimited
    case 1: .limited(.zero)
    case 2:
      .limited(BitRate(bitsPerSecond: Int64(below(1 << 34)), over: Int64(below(9_999) + 9_000)))
    default:
      .limited(
        .kilobitsPerSecond(
          isRound ? 256 << below(5) : Int64(below(1 << (below(8) + 5)) + 200)))
    }
  }

  mutating func conditions() -> LinkConditions {
    func direction(_ draw: inout LinkDraw, isSlow: Bool) -> DirectionConditions {
      DirectionConditions(
        bandwidth: isSlow ? draw.bandwidth() : .unlimited,
        delay: draw.span(18),
        loss: draw.below(2) == 0 ? .none : LossRatio(Int64(draw.below(80)), over: 1_000),
        queuePackets: Int32(draw.size(8)) + 1)
    }
    return LinkConditions(
      downlink: direction(&self, isSlow: true), uplink: direction(&self, isSlow: below(3) == 0),
      dnsDelay: below(2) == 0 ? .zero : span(17))
  }

  mutating func schedule() -> RateSchedule? {
    let hasLatency = below(2) == 0
    let steps = (0..<(below(5) + 1)).map { _ in
      RateSchedule.Step(
        duration: isRound ? .milliseconds(1 << below(12)) : span(22) + .milliseconds(1),
        bandwidth: bandwidth(),
        latency: hasLatency ? span(17) : .zero)
    }
    let last = RateSchedule.Step(
      duration: .milliseconds(700), bandwidth: .limited(.kilobitsPerSecond(800)))
    return try? RateSchedule(
      steps: steps + [last], ending: below(2) == 0 ? .holds : .loops,
      clock: below(3) == 0 ? .pausedDuringLatency : .wall, offset: span(22))
  }

  mutating func options() -> RequestOptions {
    func http(_ draw: inout LinkDraw) -> HTTPOptions {
      var http = HTTPOptions()
      http.version =
        draw.below(2) == 0
        ? .http1(connections: Int32(draw.below(7))) : .http2(streams: Int32(draw.below(5)))
      http.security = [.none, .tls12, .tls13][draw.below(3)]
      http.opensConnections = draw.below(4) != 0
      http.idleTimeout = .milliseconds(draw.size(14))
      http.standingConnections = draw.below(4) == 0 ? Int32(draw.below(4)) : 0
      return http
    }
    func patience(_ draw: inout LinkDraw) -> TimeSpan? {
      draw.below(4) == 0 ? .milliseconds(draw.size(13) + 1) : nil
    }
    var options = RequestOptions(
      http: http(&self),
      timeouts: RequestTimeouts(
        firstByte: patience(&self), idle: patience(&self), whole: patience(&self)))
    if below(2) == 0 { options.set(http(&self), forHost: 1) }
    options.transport.connection.congestionControl = [.bbr, .cubic, .reno][below(3)]
    return options
  }

  mutating func faults() -> FaultPlan {
    FaultPlan(
      (0..<below(4)).map { _ in
        let fault: Fault =
          switch below(4) {
          case 0: .status(503)
          case 1: .reset(afterBytes: size(18))
          case 2: .stall(afterBytes: size(18))
          default: .slowFirstByte(.milliseconds(size(10)))
          }
        let first = Int64(below(4) + 1)
        return FaultRule(
          fault, numbers: below(2) == 0 ? nil : first...(first + Int64(below(3))),
          owner: below(3) == 0 ? Int32(below(2)) : nil,
          label: below(3) == 0 ? LabelPattern(["a*", "*b", "ab", "*"][below(4)]) : nil,
          chance: below(2) == 0 ? .total : LossRatio(1, over: 2))
      })
  }
}

/// A link and whoever uses it.
private struct MadeUpLink {
  private var draw: LinkDraw
  private var driver: LinkDriver?
  private var ids: [TransferID] = []
  private var traffic: [TrafficID] = []
  private var print = Fingerprint()

  init(_ seed: Int) {
    draw = LinkDraw(seed, part: "link", isRound: seed >= 720)
    let isPlain = draw.below(3) == 0
    let link = try? Link(
      conditions: draw.conditions(), schedule: draw.below(2) == 0 ? draw.schedule() : nil,
      fidelity: seed % 4 == 3 ? .tcp : .fluid, seed: UInt64(seed),
      requests: isPlain ? nil : draw.options(), faults: isPlain ? .none : draw.faults())
    driver = link.map { LinkDriver($0) }
  }

  mutating func answer() -> String {
    guard var driver else { return "refused" }
    for _ in 0..<24 {
      act(on: &driver)
      driver.run(until: driver.now.nanoseconds + Int64(draw.below(1 << (draw.below(12) + 19))))
      look(at: driver)
    }
    driver.run(until: driver.now.nanoseconds + 2_000_000_000)
    for id in ids { driver.link.cancel(id, at: driver.now) }
    driver.run(until: driver.now.nanoseconds)
    look(at: driver)
    for news in driver.news { print.add("\(news.at) \(news.event)") }
    for id in ids { print.add(driver.timings[id].map { "\($0)" } ?? "none") }
    print.add("\(driver.link.draws) \(driver.booksBalance)")
    return print.text
  }

  private mutating func look(at driver: LinkDriver) {
    let (link, now) = (driver.link, driver.now)
    for id in ids {
      let line = link.flow(of: id, at: now).map { "\($0.flow) \($0.validUntil.nanoseconds)" }
      let arrived = link.arrivedBytes(of: id, at: now).map { "\($0)" } ?? ""
      let last = link.lastArrival(of: id, at: now).map { "\($0.nanoseconds)" } ?? ""
      print.add("\(line ?? "") \(arrived) \(last)")
    }
    print.add("\(link.books(at: now)) \(link.nextWake.nanoseconds) \(link.stepCount)")
    link.tellRates(from: now, until: now + .milliseconds(300)) { instant, rate in
      print.add("\(instant.nanoseconds) \(rate ?? -1)")
    }
  }

  private mutating func act(on driver: inout LinkDriver) {
    let (link, now) = (driver.link, driver.now)
    let id = ids.isEmpty ? nil : ids[draw.below(ids.count)]
    switch draw.below(14) {
    case 0...4: start(on: &driver)
    case 5: if let id { link.cancel(id, at: now) }
    case 6: if let id { link.suspend(id, at: now) }
    case 7, 8: if let id { link.resume(id, at: now) }
    case 9:
      link.setWeight(
        Int32(draw.below(5) + 1), ofOwner: Int32(draw.below(2)), others: Int32(draw.below(3) + 1),
        at: now)
    case 10: try? link.setConditions(draw.conditions(), at: now)
    case 11: try? link.setSchedule(draw.below(3) == 0 ? nil : draw.schedule(), at: now)
    case 12: if let id = traffic.last { link.setTrafficSuspended(draw.below(2) == 0, id, at: now) }
    default: changeTraffic(on: link, at: now)
    }
  }

  private mutating func start(on driver: inout LinkDriver) {
    let held = draw.below(6) == 0 ? driver.now + draw.span(21) : nil
    ids.append(
      driver.start(
        Request(
          bytes: draw.size(18), host: Int32(draw.below(2)), owner: Int32(draw.below(2)),
          thinkTime: draw.below(3) == 0 ? draw.span(17) : .zero, availableAt: held,
          label: ["a", "ab", "b"][draw.below(3)], followsLine: draw.below(3) != 0,
          track: Int32(draw.below(3)))))
  }

  private mutating func changeTraffic(on link: Link, at now: Instant) {
    if let id = traffic.last, draw.below(3) == 0 { return link.stopTraffic(id, at: now) }
    var new = CompetingTraffic(
      connections: Int32(draw.below(3) + 1), begins: now + draw.span(21),
      ends: draw.below(2) == 0 ? nil : now + draw.span(23),
      bytes: draw.size(18))
    new.sharesConnections = draw.below(2) == 0
    traffic.append(link.startTraffic(new, at: now))
  }
}
