import SimulatedWorld
import Testing

/// What is told, when, and to whom.
@Suite struct ObserverTests {
  let world: World
  let player: SimulatedPlayer

  init() throws {
    let bandwidth = Bandwidth.limited(.kilobitsPerSecond(800))
    world = try World(
      conditions: LinkConditions(downlink: DirectionConditions(bandwidth: bandwidth)))
    player = world.makePlayer()
    let file = MediaFile(duration: .seconds(40), bitRate: .megabitsPerSecond(1))
    player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
  }

  @Test func `keeping up, status and timebase change at one instant, in this order`() throws {
    var told: [PlaybackRecord] = []
    player.observe { told.append($0) }
    player.play()
    world.advance(by: .seconds(20))
    let index = try #require(
      told.firstIndex { $0.observation == .timeControl(.playing, .waitedEnough, .everyByteInTime) })
    let start = told[index].instant
    #expect(told[index - 1].instant == start && told[index + 1].instant == start)
    guard case .likelyToKeepUp(true, .everyByteInTime, _, _) = told[index - 1].observation else {
      Issue.record("told \(told[index - 1].observation)")
      return
    }
    #expect(told[index + 1].observation == .timebase(.normal, from: .zero))
  }

  @Test func `two hundred positions that are waited for come in their order`() {
    var random = RandomStream(seed: 5, name: "positions")
    var positions = (0..<200).map { 40 * Int64($0) }
    for index in positions.indices.reversed() {
      positions.swapAt(index, Int(random.next(below: UInt64(index) + 1)))
    }
    var passed: [Int64] = []
    for position in positions {
      world.when(.currentTime(.milliseconds(position)), of: player) { passed.append(position) }
    }
    player.playImmediately()
    world.advance(by: .seconds(60))
    #expect(passed == positions.sorted())
  }

  @Test func `whoever is told reads what is so when all of it is done`() {
    var read: [TimeControlStatus] = []
    var rates: [PlaybackRate] = []
    player.observe { [player] record in
      if case .likelyToKeepUp(true, _, _, _) = record.observation {
        read.append(player.timeControlStatus)
        rates.append(player.timebaseRate)
      }
    }
    player.play()
    world.advance(by: .seconds(20))
    #expect(read == [.playing] && rates == [.normal])
  }

  @Test func `a handler that calls the player is told the rest first, and then what it caused`() {
    var (one, other): ([PlaybackRecord], [PlaybackRecord]) = ([], [])
    player.observe { [player] record in
      one.append(record)
      if case .likelyToKeepUp(true, _, _, _) = record.observation { player.pause() }
    }
    player.observe { other.append($0) }
    player.play()
    world.advance(by: .seconds(20))
    #expect(one == other)
    let controls = one.compactMap {
      if case .timeControl(_, let rule, _) = $0.observation { rule } else { nil }
    }
    #expect(controls == [.waitsForBuffer, .waitedEnough, .pausedByApp])
    #expect(zip(one, one.dropFirst()).allSatisfy { $0.instant <= $1.instant })
  }

  @Test func `each player's observer is told of that player alone, the world's of all`() {
    let second = world.makePlayer()
    var (first, all): ([Int32], [Int32]) = ([], [])
    player.observe { first.append($0.player) }
    world.observe { all.append($0.player) }
    player.play()
    second.play()
    #expect(Set(first) == [0] && Set(all) == [0, 1])
  }

  /// The link brings 0.8 of the media's bit rate: enough for half speed, and not for twice.
  @Test func `what a player that stands would play at is judged at once`() {
    player.defaultRate = PlaybackRate(1, over: 2)
    world.advance(by: .seconds(5))
    #expect(player.core.isPlaybackLikelyToKeepUp)
    player.defaultRate = PlaybackRate(2, over: 1)
    #expect(!player.core.isPlaybackLikelyToKeepUp)
    player.defaultRate = PlaybackRate(1, over: 2)
    #expect(player.core.isPlaybackLikelyToKeepUp)
    #expect(player.timeControlStatus == .paused && player.currentTime() == .zero)
  }

  @Test func `each request of a stream is told with its URI`() throws {
    let stream = StreamSettings(presentation: try StreamTests.ladder(duration: .seconds(40)))
    let world = try World()
    let player = world.makePlayer()
    var origins: [RequestOrigin] = []
    player.observe { record in
      if case .resourceRequested(_, _, _, let origin) = record.observation {
        origins.append(origin)
      }
    }
    player.replaceCurrentItem(with: ItemSettings(source: .stream(stream)))
    player.play()
    #expect(world.run() == .finished)
    #expect(origins.count > 4 && origins.allSatisfy { !$0.uri.isEmpty })
  }
}
