import SimulatedWorld
import TestSupport
import Testing

/// Players over packets.
@Suite struct PacketPlaybackTests {
  private func world(
    _ rate: BitRate, loss: LossRatio = .none, seed: UInt64 = 1
  ) throws -> World {
    try World(
      conditions: LinkConditions(
        downlink: .init(bandwidth: .limited(rate), delay: .milliseconds(20), loss: loss),
        uplink: .init(delay: .milliseconds(20))),
      fidelity: .tcp, seed: seed)
  }

  private func load(_ seconds: Int64, in world: World, cap: Int64? = nil) -> SimulatedPlayer {
    let player = world.makePlayer()
    let file = MediaFile(duration: .seconds(seconds), bitRate: .megabitsPerSecond(1))
    player.replaceCurrentItem(
      with: ItemSettings(source: .progressive(file), bufferByteCap: cap))
    return player
  }

  @Test func `on a fast link playback begins soon and never stalls`() throws {
    let world = try world(.megabitsPerSecond(4))
    let player = load(10, in: world)
    player.play()
    #expect(world.run() == .finished)
    let startup = try #require(player.books.startupDelay)
    // A margin of a second and two waits for the first byte is there before.
    #expect(startup > .milliseconds(80) && startup < .milliseconds(900))
    #expect(player.books.stallCount == 0)
    #expect(player.books.played == .seconds(10))
    #expect(world.finish() == [])
  }

  @Test(arguments: [nil, 9_000_000_000_000, 300_000_000] as [Int64?])
  func `what never rests over a link without limit and delay ends the run`(bytes: Int64?) throws {
    var transport = TransportOptions()
    transport.path.stepsPerInstant = Seeds.count(5_000, inRelease: 20_000)
    let world = try World(
      fidelity: .tcp, limits: RunLimits(roundsPerInstant: 1_000),
      requests: RequestOptions(transport: transport))
    load(10, in: world).play()
    world.after(.seconds(2)) { _ = world.startTraffic(CompetingTraffic(bytes: bytes)) }
    #expect(world.run() == .budget)
    #expect(world.now == .zero + .seconds(2))
    #expect(world.finish() == [])
  }

  /// Each nanosecond brings a window of packets, which are as many steps of one event.
  @Test(arguments: [Int64(1), 3, 250])
  func `somebody else's packets are taken from the budget of events`(delay: Int64) throws {
    let budget = Int64(Seeds.count(10_000, inRelease: 40_000))
    let conditions = LinkConditions(
      downlink: .init(delay: .nanoseconds(delay)), uplink: .init(delay: .nanoseconds(delay)))
    let world = try World(
      conditions: conditions, fidelity: .tcp, limits: RunLimits(eventBudget: budget))
    _ = world.startTraffic(CompetingTraffic(connections: 3))
    #expect(world.run() == .budget)
    let steps = world.link.stepCount
    // One event too many at most: a window of each connection, and what answers it.
    #expect(steps >= budget * 7 / 8 && steps < budget * 7 / 4)
    #expect(world.eventCount >= max(steps, budget) && world.eventCount < budget * 7 / 4)
    #expect(world.finish() == [])
  }

  @Test func `a download that takes no time but many packets is none of them`() throws {
    let world = try World(fidelity: .tcp)
    let player = load(10, in: world)
    player.play()
    _ = world.startTraffic(CompetingTraffic(bytes: 20_000_000))
    #expect(world.run() == .finished)
    #expect(player.books.played == .seconds(10))
    #expect(world.finish() == [])
  }

  @Test func `on a link that is too slow play waits for about what is missing`() throws {
    let world = try world(.kilobitsPerSecond(800))
    let player = load(20, in: world)
    player.play()
    #expect(world.run() == .finished)
    // 20 s of media take about 26.3 s, headers included.
    let startup = try #require(player.books.startupDelay)
    // A second is kept clear of, and another for what stands in a full queue; then a hole comes.
    #expect(startup > .seconds(6) && startup < .seconds(12))
    #expect(player.books.stallCount == 0)
    #expect(world.finish() == [])
  }

  @Test(arguments: Seeds.first(1, inRelease: 4))
  func `with loss the whole file is played, and the books balance`(seed: UInt64) throws {
    let world = try world(
      .megabitsPerSecond(2), loss: LossRatio(2, over: 100), seed: seed)
    let player = load(10, in: world)
    player.play()
    #expect(world.run() == .finished)
    #expect(player.books.played == .seconds(10))
    #expect(world.finish() == [])
  }

  @Test func `a buffer with a limit stops reading and goes on`() throws {
    let world = try world(.megabitsPerSecond(4))
    let player = load(20, in: world, cap: 400_000)
    var suspensions = 0
    player.observe { record in
      if case .readingSuspended(true, _) = record.observation { suspensions += 1 }
    }
    player.play()
    #expect(world.run() == .finished)
    #expect(suspensions >= 2)
    #expect(player.books.stallCount == 0 && player.books.played == .seconds(20))
    #expect(world.finish() == [])
  }

  @Test func `two players share the link, and a third party too`() throws {
    let world = try world(.megabitsPerSecond(3))
    let players = (0..<2).map { _ in load(10, in: world) }
    let traffic = world.startTraffic(CompetingTraffic(connections: 2, bytes: 500_000))
    for player in players { player.play() }
    #expect(world.run() == .finished)
    for player in players { #expect(player.books.played == .seconds(10)) }
    world.stopTraffic(traffic)
    #expect(world.finish() == [])
  }

  @Test func `an outage that outlasts the buffer stalls, and playback resumes`() throws {
    let world = try world(.megabitsPerSecond(2))
    let player = load(20, in: world)
    player.play()
    world.advance(to: Instant(nanoseconds: 3_000_000_000))
    var none = world.link.conditions
    none.downlink.bandwidth = .limited(.zero)
    let before = world.link.conditions
    try world.setConditions(none)
    world.after(.seconds(8)) { try? world.setConditions(before) }
    #expect(world.run() == .finished)
    #expect(player.books.stallCount >= 1)
    #expect(player.books.played == .seconds(20))
    #expect(world.finish() == [])
  }
}
