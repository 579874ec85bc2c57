import Autowait
import SimulatedPlayback
import SimulatedWorld
import Testing

/// Calls of an app change the state at once: the time before is booked under the old one.
@Suite struct CallBooksTests {
  private struct Call: CustomTestStringConvertible {
    var name: String
    /// Milliseconds of playing, waiting and standing: five seconds before the call, and one after.
    var books: (Int64, Int64, Int64)
    var call: (SimulatedQueuePlayer) throws -> Void

    init(
      _ name: String, _ books: (Int64, Int64, Int64),
      _ call: @escaping (SimulatedQueuePlayer) throws -> Void
    ) {
      (self.name, self.books, self.call) = (name, books, call)
    }

    var testDescription: String { name }
  }

  /// A player that waits for a second and a half, and has more than it needs from then on.
  private func playing(_ settings: PlayerSettings) throws -> (World, SimulatedQueuePlayer) {
    let world = try World(conditions: Bench.conditions(2_000))
    let player = world.makeQueuePlayer(settings)
    for heuristic in [
      KeepUpHeuristic.thresholds(start: .seconds(3), resume: .seconds(3)), .everythingLoaded,
    ] {
      try player.insert([
        world.makeItem(Bench.item(duration: .seconds(20)) { $0.heuristic = heuristic })
      ])
    }
    player.play()
    return (world, player)
  }

  /// Makes a call at an instant at which nothing else is due, and goes on for a second.
  private func make(_ call: Call, of player: SimulatedQueuePlayer, in world: World) {
    world.at(.seconds(5)) {
      do { try call.call(player) } catch { Issue.record(error) }
    }
    world.advance(to: .seconds(6))
  }

  private func expect(
    _ books: PlayerBooks, _ expected: (Int64, Int64, Int64), _ name: String
  ) {
    let told = [books.played, books.waiting, books.paused].map { $0.nanoseconds / 1_000_000 }
    let wanted = [expected.0, expected.1, expected.2]
    #expect(zip(told, wanted).allSatisfy { abs($0 - $1) <= 1 }, "\(name) \(told)")
  }

  private var calls: [(PlayerSettings, Call)] {
    [
      (.init(), Call("pauses", (3_500, 1_500, 1_000)) { $0.pause() }),
      (.init(), Call("plays on faster", (4_500, 1_500, 0)) { $0.rate = PlaybackRate(3, over: 2) }),
      (
        .init(), Call("plays on at once", (4_500, 1_500, 0)) { $0.playImmediately(atRate: .normal) }
      ),
      (
        .init(),
        Call("seeks into what comes in half a second", (4_000, 2_000, 0)) {
          try $0.seek(to: .seconds(19))
        }
      ),
      (
        .init(),
        Call("seeks into what is there", (4_500, 1_500, 0)) { try $0.seek(to: .seconds(2)) }
      ),
      (
        .init(), Call("takes the item away", (3_500, 2_500, 0)) { $0.replaceCurrentItem(with: nil) }
      ),
      (.init(), Call("empties the queue", (3_500, 1_500, 1_000)) { $0.removeAllItems() }),
      (
        .init(),
        Call("sets the pipeline up anew", (3_500, 2_500, 0)) {
          $0.rebuildPipeline(for: .seconds(2))
        }
      ),
    ]
  }

  private var others: [(PlayerSettings, Call)] {
    var smooth = PlayerSettings(contract: Contract(major: 9))
    smooth.pipeline.reconfiguration = .seconds(2)
    return [
      (
        .init(),
        Call("is interrupted", (3_500, 1_500, 1_000)) {
          try $0.perform(.halt(.audioSessionInterrupted))
        }
      ),
      (
        .init(),
        Call("is held up", (3_500, 2_500, 0)) { try $0.setSuspended(true, by: .interstitialEvent) }
      ),
      (
        .init(),
        Call("ends where it has been, and the next has nothing yet", (3_500, 2_500, 0)) {
          $0.changeCurrent { $0.forwardPlaybackEndTime = .seconds(3) }
        }
      ),
      (.init(), Call("goes on to the next", (3_500, 2_500, 0)) { $0.advanceToNextItem() }),
      (
        .init(),
        Call("takes the current one out", (3_500, 2_500, 0)) { player in
          if let item = player.currentItem { player.remove(item) }
        }
      ),
      (
        smooth,
        Call("leaves a track out", (5_000, 1_000, 0)) { $0.setTrack(1, enabled: false) }
      ),
    ]
  }

  @Test func `a call that changes what a player does books what it did before`() throws {
    for (settings, call) in calls + others {
      let (world, player) = try playing(settings)
      make(call, of: player, in: world)
      // Three seconds of media took a second and a half; before iOS 10 no file was waited for.
      let startup = settings == PlayerSettings() ? TimeSpan.milliseconds(1_500) : .zero
      expect(player.books, call.books, call.name)
      #expect(player.books.startup - startup < .microseconds(10), "\(call.name)")
      #expect(world.finish() == [], "\(call.name)")
    }
  }

  /// A link of half the bit rate: with automatic waiting it would wait to the end.
  @Test func `a call that ends a wait books what was waited`() throws {
    let calls: [Call] = [
      Call("plays at once", (1_000, 5_000, 0)) { $0.playImmediately(atRate: .normal) },
      Call("does not wait by itself", (1_000, 5_000, 0)) {
        $0.automaticallyWaitsToMinimizeStalling = false
      },
      Call("pauses", (0, 5_000, 1_000)) { $0.pause() },
      Call("takes an item with everything", (1_000, 5_000, 0)) {
        $0.replaceCurrentItem(with: Bench.item(kind: .local))
      },
      Call("waits on", (0, 6_000, 0)) { $0.rate = PlaybackRate(2) },
    ]
    for call in calls {
      let world = try World(conditions: Bench.conditions(500))
      let player = world.makeQueuePlayer(PlayerSettings())
      try player.insert([world.makeItem(Bench.item())])
      player.play()
      make(call, of: player, in: world)
      expect(player.books, call.books, call.name)
      #expect(player.books.startup.isAbout(Double(call.books.1) / 1_000), "\(call.name)")
      #expect(world.finish() == [], "\(call.name)")
    }
  }
}
