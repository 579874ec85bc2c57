import SimulatedWorld
import StreamingMedia
import TestSupport
import Testing

/// Conditions of two players that are waited for: many at a time come true as each does alone.
@Suite struct WatchTests {
  /// A condition of a player, asked for at a second of the session, and taken back at another.
  private struct Wait {
    var player: Int
    var condition: PlaybackCondition
    var from: Int64
    var until: Int64?

    init(_ draw: inout Draw) {
      let time = MediaTime(nanoseconds: Int64(draw.within(0...80)) * 500_000_000)
      let count = Int64(draw.within(0...3))
      player = draw.below(2)
      condition = draw.one(of: [
        .loaded(time), .ahead(time), .currentTime(time), .currentTime(time), .loadedAtMost(time),
        .aheadAtMost(time), .currentTimeAtMost(time), .paused, .waiting, .playing,
        .likelyToKeepUp, .bufferFull, .bufferEmpty, .readyToPlay, .failed, .stalls(count),
        .loops(count), .transitions(count),
      ])
      from = draw.chance(50) ? 0 : Int64(draw.within(1...70))
      until = draw.chance(15) ? from + Int64(draw.within(0...20)) : nil
    }
  }

  /// The instants at which the waits of a session of 80 s end.
  private func ends(of waits: [Wait], _ isStream: Bool) throws -> [Instant?] {
    let link = LinkConditions(
      downlink: DirectionConditions(bandwidth: .limited(.kilobitsPerSecond(1_700))))
    let world = try World(conditions: link)
    let players = [world.makePlayer(), world.makePlayer()]
    for player in players {
      player.automaticallyWaitsToMinimizeStalling = player === players[1]
      let file = MediaFile(duration: .seconds(40), bitRate: .megabitsPerSecond(1))
      let stream = StreamSettings(presentation: try StreamTests.ladder(duration: .seconds(40)))
      let source = isStream ? MediaSource.stream(stream) : .progressive(file)
      player.replaceCurrentItem(with: ItemSettings(source: source))
    }
    var ends = [Instant?](repeating: nil, count: waits.count)
    var tokens = [ObservationToken?](repeating: nil, count: waits.count)
    for second in 0...80 as ClosedRange<Int64> {
      for (index, wait) in waits.enumerated() where wait.from == second {
        tokens[index] = world.when(wait.condition, of: players[wait.player]) { [world] in
          #expect(ends[index] == nil)
          ends[index] = world.now
        }
      }
      for (index, wait) in waits.enumerated() where wait.until == second {
        if let token = tokens[index] { world.stopObserving(token) }
      }
      switch second {
      case 2: for player in players { player.play() }
      case 12: players[0].pause()
      case 20: players[0].play()
      case 25: try players[1].seek(to: .seconds(31))
      case 33: try players[1].seek(to: .seconds(3))
      case 50: players[0].rate = PlaybackRate(2)
      default: break
      }
      world.advance(by: .seconds(1))
    }
    return ends
  }

  @Test func `nothing is true of an item that is not there`() throws {
    let world = try World()
    let player = world.makePlayer()
    var called: [String] = []
    let conditions: [PlaybackCondition] = [
      .loaded(.zero), .ahead(.zero), .currentTime(.zero), .loadedAtMost(.seconds(99)),
      .aheadAtMost(.seconds(99)), .currentTimeAtMost(.seconds(99)), .readyToPlay, .failed,
    ]
    for condition in conditions {
      world.when(condition, of: player) { called.append("\(condition)") }
    }
    // Of the player it is true that it is paused, and that nothing is in its buffer.
    for condition in [PlaybackCondition.paused, .bufferEmpty, .bufferFull, .likelyToKeepUp] {
      world.when(condition, of: player) { called.append("\(condition)") }
    }
    world.advance(by: .seconds(1))
    #expect(called == ["paused", "bufferEmpty"])
    called = []
    let file = MediaFile(duration: .seconds(40), bitRate: .megabitsPerSecond(1))
    player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
    world.advance(by: .seconds(1))
    let there = conditions.dropLast().map { "\($0)" } + ["bufferFull", "likelyToKeepUp"]
    #expect(called.count == there.count && Set(called) == Set(there))
  }

  /// More than are looked at at a time, each nearer than those that were asked for before it: those
  /// leave although it is known when they come true, and come back.
  @Test(arguments: [40, 65, 100, 180])
  func `positions that are asked for while it plays come true however many come before them`(
    count: Int
  ) throws {
    let world = try World()
    let player = world.makePlayer()
    let file = MediaFile(duration: .seconds(40), bitRate: .megabitsPerSecond(1))
    player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
    player.playImmediately()
    world.advance(by: .seconds(1))
    let begin = world.now - TimeSpan(nanoseconds: player.currentTime().nanoseconds)
    var passed: [(position: Int64, at: Instant)] = []
    for number in (0..<Int64(count)).reversed() {
      let position = 2_000 + number * 100
      world.when(.currentTime(.milliseconds(position)), of: player) { [world] in
        passed.append((position, world.now))
      }
    }
    world.advance(by: .seconds(60))
    #expect(passed.map { $0.position } == (0..<Int64(count)).map { 2_000 + $0 * 100 })
    #expect(passed.allSatisfy { $0.at == begin + .milliseconds($0.position) })
    let token = world.when(.stalls(9), of: player) {}
    #expect(world.finish() == [])
    // Nobody waits any more.
    world.stopObserving(token)
  }

  @Test(arguments: Seeds.first(2, inRelease: 6))
  func `each of a hundred conditions comes true when it does alone`(seed: UInt64) throws {
    var draw = Draw(seed: seed, part: "conditions")
    let waits = (0..<draw.within(60...300)).map { _ in Wait(&draw) }
    let together = try ends(of: waits, seed % 2 == 0)
    for index in waits.indices.prefix(Seeds.count(30, inRelease: 60)) {
      let alone = try ends(of: [waits[index]], seed % 2 == 0)
      #expect(alone == [together[index]], "\(waits[index])")
    }
    #expect(together.count { $0 != nil } > waits.count / 3)
  }
}
