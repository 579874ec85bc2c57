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

  /// Calls of the kinds that change nothing of what is booked here, and those that do.
  private var all: [Call] {
    let none: (Int64, Int64, Int64) = (0, 0, 0)
    return [
      Call("plays", none) { $0.play() }, Call("pauses", none) { $0.pause() },
      Call("has another rate", none) { $0.rate = PlaybackRate(2) },
      Call("has another default rate", none) { $0.defaultRate = PlaybackRate(2) },
      Call("plays at once", none) { $0.playImmediately() },
      Call("does not wait", none) { $0.automaticallyWaitsToMinimizeStalling = false },
      Call("pauses at the end", none) { $0.actionAtItemEnd = .pause },
      Call("cancels seeks", none) { try $0.perform(.cancelPendingSeeks) },
      Call("is interrupted", none) { try $0.perform(.halt(.audioSessionInterrupted)) },
      Call("is held up", none) { try $0.setSuspended(true, by: .coordinatedPlayback) },
      Call("loads values", none) { $0.loadValues(of: Bench.item(duration: .seconds(7))) },
      Call("enqueues", none) { try $0.insert([SimulatedPlayerItem(Bench.item())]) },
      Call("takes the last out", none) { $0.remove($0.items()[1]) },
      Call("takes the current one out", none) { $0.remove($0.items()[0]) },
      Call("empties the queue", none) { $0.removeAllItems() },
      Call("goes on to the next", none) { $0.advanceToNextItem() },
      Call("seeks in the last", none) { try $0.seek($0.items()[1], to: .seconds(3)) },
      Call("seeks", none) { try $0.seek(to: .seconds(3)) },
      Call("takes another item", none) { $0.replaceCurrentItem(with: Bench.item()) },
      Call("takes no item", none) { $0.replaceCurrentItem(with: nil) },
      Call("changes the last", none) {
        $0.change($0.items()[1]) { $0.preferredForwardBufferDuration = .seconds(9) }
      },
      Call("has a layer", none) { $0.setLayer(PixelSize(width: 640, height: 360)) },
      Call("pays for its path", none) { $0.world.isNetworkExpensive = true },
      Call("has its pipeline set up anew", none) { $0.rebuildPipeline(for: .seconds(1)) },
    ]
  }

  /// The books after a call at an instant without an event miss nothing.
  @Test func `a call brings the books up to the instant, whatever it changes`() throws {
    for call in all {
      let (world, player) = try playing(PlayerSettings())
      world.advance(to: .seconds(4))
      world.at(.zero + .milliseconds(5_250)) {
        #expect(!player.core.booksBalance(at: world.now), "\(call.name) at an instant of an event")
        do { try call.call(player) } catch { Issue.record(error) }
        #expect(player.core.booksBalance(at: world.now), "\(call.name)")
      }
      world.advance(to: .seconds(6))
    }
  }

  @Test func `a start on a timeline outside brings the books up to the instant`() throws {
    let world = try World()
    let player = world.makePlayer(PlayerSettings(waitsAutomatically: false))
    player.replaceCurrentItem(with: Bench.item(kind: .local))
    for hostTime in [nil, Instant.seconds(3), .seconds(9)] {
      world.at(world.now + .seconds(2)) {
        do {
          try player.setRate(.normal, time: .zero, atHostTime: hostTime)
        } catch {
          Issue.record(error)
        }
        #expect(player.core.booksBalance(at: world.now))
      }
      world.advance(by: .seconds(3))
    }
    #expect(world.finish() == [])
  }

  /// An observer of what the link brings reads them as well, before anything follows from it.
  @Test func `the books are up to the instant whenever something is told`() throws {
    for media in 0..<2 {
      let world = try World(conditions: Bench.conditions(1_700, delay: .milliseconds(30)))
      let player = world.makeQueuePlayer()
      var (told, late) = (0, [PlaybackObservation]())
      player.observe { record in
        told += 1
        if !player.core.booksBalance(at: record.instant) { late.append(record.observation) }
      }
      let source =
        media == 0
        ? Bench.item(duration: .seconds(12)).source
        : try PlainStream.source(segment: 4, hasAudio: true, key: .announced)
      try player.insert((0..<2).map { _ in SimulatedPlayerItem(ItemSettings(source: source)) })
      player.play()
      #expect(world.run() == .finished)
      #expect(told > 20 && late == [])
    }
  }
}
