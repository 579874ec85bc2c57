import LinkConditioner
import TestSupport
import Testing
import VirtualTime

/// Schedules of a few microseconds and whole bytes, so that responses end with steps, cycles and
/// runs of very short steps, held to what came of them when that was last reviewed.
@Suite struct MadeUpScheduleTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/schedules", seeds: 3_000)

  @Test func `bytes over a schedule of microseconds arrive when they did`() async throws {
    let lines = await Self.file.lines(few: 120) { seed in
      var this = MadeUpSchedule(seed)
      return this.answer()
    }
    #expect(try Self.file.differences(from: lines) == [])
  }

  /// A link that is asked again and again tells what it tells when it is asked once.
  @Test func `a link that is asked at each microsecond ends a response where it did`() throws {
    for seed in 0..<Seeds.count(40, inRelease: 2_000) {
      var this = MadeUpSchedule(30_000 + seed)
      guard let schedule = this.schedule() else { continue }
      let (bytes, start) = (this.bytes(), this.instant())
      let once = try Self.end(of: bytes, from: start, over: schedule, every: nil)
      let often = try Self.end(of: bytes, from: start, over: schedule, every: 1_000)
      #expect(once == often, "\(seed)")
    }
  }

  /// The end of a response within two milliseconds; nil where it ends later.
  private static func end(
    of bytes: Int64, from start: Instant, over schedule: RateSchedule, every step: Int64?
  ) throws -> Int64? {
    var driver = LinkDriver(try Link(conditions: .perfect, schedule: schedule))
    driver.run(until: start.nanoseconds)
    let id = driver.start(Request(bytes: bytes))
    var now = start.nanoseconds
    while now < 2_000_000 {
      now += step ?? 2_000_000
      driver.run(until: now)
      _ = driver.link.arrivedBytes(of: id, at: driver.now)
    }
    return driver.completion(of: id)
  }
}

private struct MadeUpSchedule {
  private var draw: Draw
  /// Whether it is searched and not walked.
  private let isLong: Bool

  init(_ seed: Int) {
    draw = Draw(seed: UInt64(seed), part: "schedule of microseconds")
    isLong = seed % 3 == 2
  }

  mutating func bytes() -> Int64 {
    let sizes = isLong ? [250, 300, 400, 500, 600, 800] : [0, 1, 2, 5, 10, 20, 40, 100, 200]
    return Int64(draw.one(of: sizes))
  }

  mutating func instant() -> Instant { .zero + .microseconds(Int64(draw.below(60))) }

  /// Bytes in a microsecond.
  private mutating func bandwidth() -> Bandwidth {
    switch draw.below(10) {
    case 0 where !isLong: .unlimited
    case 0...2: .limited(.zero)
    default:
      .limited(BitRate(bitsPerSecond: 8_000_000 * Int64(draw.one(of: [1, 1, 2, 4])), over: 1))
    }
  }

  mutating func schedule() -> RateSchedule? {
    let count = isLong ? draw.within(50...80) : draw.one(of: [1, 2, 3, 5, 8, 9, 32, 33, 40])
    let durations =
      isLong || draw.chance(50) ? [10, 10, 20, 40] : [1, 2, 5, 9, 10, 10, 11, 20]
    let hasLatency = draw.chance(20)
    var steps = (0..<count).map { _ in
      RateSchedule.Step(
        duration: .microseconds(Int64(draw.one(of: durations))), bandwidth: bandwidth(),
        latency: .microseconds(hasLatency ? Int64(draw.below(4)) : 0))
    }
    steps.append(
      RateSchedule.Step(
        duration: .microseconds(10), bandwidth: .limited(BitRate(bitsPerSecond: 8_000_000))))
    return try? RateSchedule(
      steps: steps, ending: draw.chance(70) ? .loops : .holds,
      clock: draw.chance(20) ? .pausedDuringLatency : .wall,
      offset: .microseconds(Int64(draw.one(of: [0, 0, 1, 10, 20, draw.below(400)]))))
  }

  mutating func answer() -> String {
    guard let schedule = schedule(), var driver = try? link(schedule) else { return "refused" }
    var print = Fingerprint()
    var ids: [TransferID] = []
    for _ in 0..<draw.within(1...4) {
      driver.run(until: driver.now.nanoseconds + Int64(draw.one(of: [0, 1, 10, 20, 45])) * 1_000)
      ids.append(driver.start(Request(bytes: bytes())))
      let link = driver.link
      for id in ids {
        let line = link.flow(of: id, at: driver.now)
        print.add(line.map { "\($0.flow) \($0.validUntil.nanoseconds)" } ?? "")
        print.add(link.lastArrival(of: id, at: driver.now).map { "\($0.nanoseconds)" } ?? "")
      }
      link.tellRates(from: driver.now, until: driver.now + .microseconds(60)) { instant, rate in
        print.add("\(instant.nanoseconds) \(rate ?? -1)")
      }
    }
    driver.run(until: driver.now.nanoseconds + Int64(draw.one(of: [1, 10, 100])) * 1_000)
    if draw.chance(30), let id = ids.last { driver.link.suspend(id, at: driver.now) }
    driver.run(until: driver.now.nanoseconds + 400_000)
    for id in ids { driver.link.resume(id, at: driver.now) }
    driver.run(until: driver.now.nanoseconds + 4_000_000)
    for news in driver.news { print.add("\(news.at) \(news.event)") }
    print.add("\(driver.booksBalance) \(driver.link.stepCount)")
    return print.text
  }

  private mutating func link(_ schedule: RateSchedule) throws -> LinkDriver {
    var conditions = LinkConditions.perfect
    if draw.chance(30) { conditions.downlink.bandwidth = bandwidth() }
    if draw.chance(20) { conditions.downlink.delay = .microseconds(Int64(draw.below(30))) }
    return LinkDriver(try Link(conditions: conditions, schedule: schedule))
  }
}
