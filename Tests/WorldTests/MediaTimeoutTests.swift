import SimulatedWorld
import Testing

/// How long nothing may come of a media file: counted from the last of it that came.
@Suite struct MediaTimeoutTests {
  /// Segments of 5 MB over 8 Mbit/s: the first would take five seconds.
  private static func settings(_ patience: TimeSpan) throws -> StreamSettings {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 4_000_000)], segmentDuration: .seconds(10),
      duration: .seconds(60))
    var settings = StreamSettings(
      presentation: try Presentation(ladder), initialRule: .firstEligible)
    settings.errors.mediaTimeout = patience
    return settings
  }

  private static func conditions(_ bandwidth: Bandwidth) -> LinkConditions {
    LinkConditions(downlink: .init(bandwidth: bandwidth))
  }

  /// When the first request broke.
  private func firstFailure(_ world: World, _ patience: TimeSpan) throws -> Instant? {
    try firstSegment(world, patience).failed
  }

  /// When the first segment was asked for, and when the first request broke.
  private func firstSegment(
    _ world: World, _ patience: TimeSpan
  ) throws -> (asked: Instant?, failed: Instant?) {
    let player = world.makePlayer(.withoutRescue)
    var (asked, failed): (Instant?, Instant?)
    player.observe { record in
      switch record.observation {
      case .resourceRequested(_, .mediaSegment, _, _): asked = asked ?? record.instant
      case .requestFailed: failed = failed ?? record.instant
      default: break
      }
    }
    player.replaceCurrentItem(with: ItemSettings(source: .stream(try Self.settings(patience))))
    player.play()
    _ = world.run { failed != nil }
    return (asked, failed)
  }

  @Test(
    arguments: [RequestOptions?.none, .plain],
    [Int64(1_500), 2_000, 2_900, 3_000, 4_000, 15_000])
  func `a silence counts from the last byte before an outage of the trace`(
    requests: RequestOptions?, patience: Int64
  ) throws {
    let fast = Bandwidth.limited(.megabitsPerSecond(8))
    let none = Bandwidth.limited(.zero)
    let schedule = try RateSchedule(
      steps: [
        .init(duration: .seconds(1), bandwidth: fast),
        .init(duration: .seconds(2), bandwidth: .limited(.megabitsPerSecond(4))),
        .init(duration: .seconds(4), bandwidth: none),
        .init(duration: .seconds(100), bandwidth: none),
      ], ending: .holds)
    let world = try World(conditions: .perfect, schedule: schedule, requests: requests)
    #expect(
      try firstFailure(world, .milliseconds(patience)) == .zero + .milliseconds(3_000 + patience))
  }

  @Test(arguments: [Int64(2_000), 3_500, 8_000])
  func `a silence counts from the last byte before a link is switched off`(patience: Int64) throws {
    let world = try World(conditions: Self.conditions(.limited(.megabitsPerSecond(8))))
    world.at(.zero + .milliseconds(2_500)) {
      try? world.setConditions(Self.conditions(.limited(.zero)))
    }
    // Nothing comes whatever the link is said to be then.
    world.at(.zero + .milliseconds(3_000)) {
      var lost = Self.conditions(.limited(.megabitsPerSecond(1)))
      lost.downlink.loss = .total
      try? world.setConditions(lost)
    }
    #expect(
      try firstFailure(world, .milliseconds(patience)) == .zero + .milliseconds(2_500 + patience))
  }

  @Test(arguments: [Int64(1_000), 1_999])
  func `a silence that is shorter than the time gives nothing up`(patience: Int64) throws {
    let world = try World(conditions: Self.conditions(.limited(.megabitsPerSecond(8))))
    for start in [Int64(1_000), 3_000] {
      world.at(.zero + .milliseconds(start)) {
        try? world.setConditions(Self.conditions(.limited(.zero)))
      }
      world.at(.zero + .milliseconds(start + patience)) {
        try? world.setConditions(Self.conditions(.limited(.megabitsPerSecond(8))))
      }
    }
    // At the very end of the time the link is there again, and its first byte is not.
    #expect(try firstFailure(world, .milliseconds(patience + 1)) == nil)
  }

  @Test(arguments: [Int64(700_000), 2_345_678], [Int64(2_000), 9_000])
  func `a silence counts from the last byte of a server that falls silent`(
    bytes: Int64, patience: Int64
  ) throws {
    let world = try World(
      conditions: Self.conditions(.limited(.megabitsPerSecond(8))), requests: .plain,
      faults: FaultPlan([FaultRule(.stall(afterBytes: bytes), label: LabelPattern("*segment0*"))]))
    let (asked, failed) = try firstSegment(world, .milliseconds(patience))
    // A byte takes a microsecond.
    #expect(
      failed == (try #require(asked)) + .microseconds(bytes) + .milliseconds(patience))
  }

  @Test(arguments: [Int64(2_000), 5_000])
  func `a silence counts from the last packet`(patience: Int64) throws {
    let delay = TimeSpan.milliseconds(20)
    var conditions = Self.conditions(.limited(.megabitsPerSecond(8)))
    conditions.downlink.delay = delay
    let world = try World(conditions: conditions, fidelity: .tcp)
    world.at(.zero + .milliseconds(2_500)) {
      conditions.downlink.bandwidth = .limited(.zero)
      try? world.setConditions(conditions)
    }
    let failed = try #require(try firstFailure(world, .milliseconds(patience)))
    // What had left the queue by then arrives, a packet of 1.5 ms and the delay later at most.
    #expect(failed <= .zero + .milliseconds(2_500 + patience) + delay)
    #expect(failed > .zero + .milliseconds(2_498 + patience))
  }
}
