import SimulatedWorld
import Testing

/// Each item has logs of its own, and keeps them when another has taken its place.
@Suite struct ItemLogTests {
  private func world(_ kilobits: [(seconds: Int64, rate: Int64)]) throws -> World {
    let steps = kilobits.map {
      RateSchedule.Step(
        duration: .seconds($0.seconds), bandwidth: .limited(.kilobitsPerSecond($0.rate)))
    }
    return try World(
      conditions: LinkConditions(), schedule: try RateSchedule(steps: steps, ending: .holds))
  }

  private func item(_ seconds: Int64, of asset: AssetID? = nil) -> SimulatedPlayerItem {
    let file = MediaFile(duration: .seconds(seconds), bitRate: .megabitsPerSecond(1))
    var settings = ItemSettings(source: .progressive(file))
    settings.asset = asset
    return SimulatedPlayerItem(settings)
  }

  /// Two items of one file, of a megabit a second, in a queue that is told to play.
  private func twoOfOneAsset(
    lasting seconds: Int64, on kilobits: Int64
  ) throws -> (World, SimulatedQueuePlayer, [SimulatedPlayerItem]) {
    let world = try world([(1, kilobits)])
    let player = world.makeQueuePlayer()
    let asset = world.makeAsset()
    let items = [item(seconds, of: asset), item(seconds, of: asset)]
    try player.insert(items)
    player.play()
    return (world, player, items)
  }

  @Test func `items of one asset share out what comes in, and when`() throws {
    let (world, player, items) = try twoOfOneAsset(lasting: 60, on: 1_000)
    world.advance(by: .seconds(20))
    player.advanceToNextItem()
    let first = try #require(player.core.accessLog(of: items[0], at: player.world.now)?.events)
    #expect(first.map(\.numberOfBytesTransferred) == [2_500_000])
    #expect(first.map(\.transferDuration) == [.seconds(20)])
    #expect(world.run() == .finished)
    #expect(player.core.accessLog(of: items[0], at: player.world.now)?.events == first)
    let second = try #require(player.core.accessLog(of: items[1], at: player.world.now)?.events)
    #expect(second.map(\.numberOfBytesTransferred) == [5_000_000])
    #expect(second.map(\.transferDuration) == [.seconds(40)])
    #expect(second.map(\.durationWatched) == [.seconds(60)])
    #expect(player.currentItem == nil && player.accessLog == nil)
  }

  @Test func `what comes for an item that went round is its own again`() throws {
    let (world, player, items) = try twoOfOneAsset(lasting: 30, on: 2_000)
    world.advance(by: .seconds(4))
    player.advanceToNextItem()
    try player.insert([items[0]])
    world.advance(by: .seconds(3))
    player.advanceToNextItem()
    #expect(world.run() == .finished)
    let bytes = items.map { item in
      player.core.accessLog(of: item, at: player.world.now)?.events.reduce(0) {
        $0 + $1.numberOfBytesTransferred
      }
    }
    // Two megabits a second: four seconds, three, and the rest of thirty megabits.
    #expect(bytes == [3_000_000, 750_000])
  }

  /// Segments of 5 s and 625,000 bytes, each of which 8 Mbit/s bring in 0.625 s.
  @Test(arguments: [20, 100, 400])
  func `an item of a queue does not count the time that it stands there as its startup`(
    seconds: Int64
  ) throws {
    let world = try world([(1, 8_000)])
    let player = world.makeQueuePlayer()
    let items = try [seconds, 20].map { length in
      let ladder = LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: 1_000_000)], segmentDuration: .seconds(5),
        duration: .seconds(length))
      return SimulatedPlayerItem(
        ItemSettings(source: .stream(StreamSettings(presentation: try Presentation(ladder)))))
    }
    try player.insert(items)
    player.play()
    #expect(world.run() == .finished)
    let startups = items.map { player.indicators(of: $0).startupTime }
    #expect(startups == [.milliseconds(625), .milliseconds(625)])
    #expect(player.books.stallCount == 0 && world.finish() == [])
  }

  @Test func `a stall is the item's with which it came`() throws {
    let world = try world([(5, 1_500), (20, 100), (1, 4_000)])
    let player = world.makeQueuePlayer()
    let items = [item(10), item(10)]
    try player.insert(items)
    player.play()
    #expect(world.run() == .finished)
    let stalled = items.map { player.indicators(of: $0).stallDuration }
    #expect(stalled[0] > .zero && stalled[0] == player.books.stalled && stalled[1] == .zero)
    #expect(items.map { player.indicators(of: $0).hasFailed } == [false, false])
    #expect(
      player.core.accessLog(of: items[0], at: player.world.now)?.events.map(\.numberOfStalls)
        .reduce(0, +) == 1)
    #expect(
      player.core.accessLog(of: items[1], at: player.world.now)?.events.map(\.numberOfStalls)
        .reduce(0, +) == 0)
  }
}
