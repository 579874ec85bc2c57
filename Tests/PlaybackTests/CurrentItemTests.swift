import SimulatedWorld
import Testing

/// Observations and facts when the current item goes or another takes its place.
@Suite struct CurrentItemTests {
  /// A player that has played two seconds of what is all there, and what was told from then on.
  private func leave(
    _ settings: PlayerSettings = PlayerSettings(), _ call: (SimulatedPlayer) throws -> Void
  ) throws -> [PlaybackObservation] {
    let bench = try Bench(speed: 500, settings: settings, kind: .local)
    bench.player.play()
    bench.pass(2)
    let before = bench.notes.observations.count
    try call(bench.player)
    #expect(bench.world.finish() == [])
    return Array(bench.notes.observations.dropFirst(before))
  }

  /// Those that speak of the buffer, and of the item itself.
  private func ofBuffer(_ observations: [PlaybackObservation]) -> [PlaybackObservation] {
    observations.filter {
      switch $0 {
      case .bufferEmpty, .bufferFull, .currentItem: true
      case .likelyToKeepUp(let isLikely, _, _, _): !isLikely
      default: false
      }
    }
  }

  @Test func `of an item that is taken away nothing holds any more`() throws {
    let gone: [PlaybackObservation] = [
      .timebase(.zero, from: .seconds(2)), .bufferEmpty(true), .bufferFull(false),
      .likelyToKeepUp(false, .nothingLoaded, loadedEnd: .seconds(2), estimate: nil),
      .timeControl(.waiting(.noItemToPlay), .itemRemovedWaits, nil),
      .currentItem(isPresent: false),
    ]
    #expect(try leave { $0.replaceCurrentItem(with: nil) } == gone)
    // Of one that stands no timebase stops.
    let paused = try leave {
      $0.pause()
      $0.replaceCurrentItem(with: nil)
    }
    #expect(ofBuffer(paused) == ofBuffer(gone))
    #expect(paused.count { if case .timebase = $0 { true } else { false } } == 1)
  }

  @Test func `where there is no item none is taken away`() throws {
    let gone = try leave {
      $0.replaceCurrentItem(with: nil)
      $0.replaceCurrentItem(with: nil)
    }
    #expect(gone.count { $0 == .currentItem(isPresent: false) } == 1)
    let bench = try Bench(hasItem: false)
    bench.player.replaceCurrentItem(with: nil)
    #expect(bench.notes.observations.isEmpty)
  }

  @Test func `what holds of the next item is told, where nothing holds as what no longer does`()
    throws
  {
    let empty = try leave { $0.replaceCurrentItem(with: Bench.item()) }
    #expect(
      ofBuffer(empty) == [
        .bufferEmpty(true), .bufferFull(false),
        .likelyToKeepUp(false, .noThroughput, loadedEnd: .zero, estimate: nil),
        .currentItem(isPresent: true),
      ])
    let there: [PlaybackObservation] = [
      .bufferEmpty(false), .bufferFull(true), .currentItem(isPresent: true),
    ]
    let full = try leave { $0.replaceCurrentItem(with: Bench.item(kind: .local)) }
    #expect(ofBuffer(full) == there)
    let first = try leave {
      $0.replaceCurrentItem(with: nil)
      $0.replaceCurrentItem(with: Bench.item(kind: .local))
    }
    #expect(ofBuffer(first).suffix(3) == there[...])
  }

  /// Before iOS 10 streams are waited for and files are not, whatever the property says.
  @Test func `without an item a player waits as its property says`() throws {
    for waits in [true, false] {
      let world = try World()
      let player = world.makePlayer(
        PlayerSettings(contract: .legacy, waitsAutomatically: waits))
      let stream = try PlainStream.source(segment: 4, hasAudio: false, key: nil)
      for (source, expected) in [(stream, true), (Bench.item().source, false)] {
        player.replaceCurrentItem(with: ItemSettings(source: source))
        #expect(player.core.machine.waitsAutomatically == expected)
        player.replaceCurrentItem(with: nil)
        #expect(player.core.machine.waitsAutomatically == waits)
      }
      #expect(player.automaticallyWaitsToMinimizeStalling == waits)
    }
  }

  @Test func `an item to come says what its buffer holds, and nothing of how it will play`() throws
  {
    let world = try World(conditions: Bench.conditions(2_000))
    let player = world.makeQueuePlayer()
    let items = [
      SimulatedPlayerItem(Bench.item(duration: .seconds(4))),
      SimulatedPlayerItem(Bench.item(duration: .seconds(6))),
      SimulatedPlayerItem(Bench.item(duration: .seconds(40))),
    ]
    try player.insert(items)
    func said(_ item: SimulatedPlayerItem) -> [Bool] {
      [
        item.isPlaybackBufferEmpty, item.isPlaybackBufferFull, item.isPlaybackLikelyToKeepUp,
      ]
    }
    // Four seconds come in two, and six more in three.
    #expect(said(items[1]) == [true, false, false])
    world.advance(by: .seconds(3))
    #expect(said(items[1]) == [false, false, false])
    world.advance(by: .seconds(3))
    #expect(said(items[0]) == [false, true, true])
    #expect(said(items[1]) == [false, true, false])
    #expect(world.finish() == [])
  }

  @Test func `a new rate of a player that plays or waits is no other status`() throws {
    let faster = try leave { $0.rate = PlaybackRate(2) }
    #expect(
      faster == [
        .rate(PlaybackRate(2), previous: .normal, nil),
        .timebase(PlaybackRate(2), from: .seconds(2)),
      ])
    let bench = try Bench(speed: 100)
    bench.player.play()
    bench.pass(1)
    let before = bench.notes.observations.count
    bench.player.rate = PlaybackRate(2)
    let controls = bench.notes.observations.dropFirst(before).filter {
      if case .timeControl = $0 { true } else { false }
    }
    #expect(controls.isEmpty)
  }

  @Test func `an item that no player has says how long it is, and nothing of a buffer`() throws {
    let stream = try PlainStream.source(segment: 4, hasAudio: true, key: nil)
    for source in [stream, Bench.item(duration: .seconds(24)).source] {
      let item = SimulatedPlayerItem(ItemSettings(source: source))
      #expect(item.knownDuration == .seconds(24) && item.mediaDuration == .seconds(24))
      #expect(item.status == .unknown && item.number == nil && item.seekableTimeRanges.isEmpty)
      #expect(item.isPlaybackBufferEmpty && !item.isPlaybackBufferFull && !item.isAtEnd)
      #expect(item.loadedTimeRanges(at: .zero).isEmpty && !item.comesAlongLine)
      #expect(item.instant(loading: .seconds(1), after: .zero) == .distantFuture)
      #expect(item.instant(leading: .seconds(1), after: .zero) == .distantFuture)
      #expect(item.variant == nil && item.indicatedBitRate == nil && !item.isFreeOfMedia)
      #expect(item.timeOffsetFromLive(at: .zero) == nil && item.recommendedOffset == nil)
      item.place(at: .seconds(30), .zero)
      #expect(item.time(at: .seconds(5)) == .seconds(24))
      item.place(at: .seconds(-1), .zero)
      #expect(item.time(at: .seconds(5)) == .zero)
    }
  }

  // MARK: The order of a queue

  /// Seconds at which the first byte of each item was asked for; nil where none was.
  private struct Told {
    var asked: [Int32: Int64] = [:]
    var cancelled = 0
  }

  /// Items of 4 s behind one that is there: each comes in two seconds.
  private func queue(
    _ count: Int, last: Int64 = 4, _ change: (World, SimulatedQueuePlayer) throws -> Void
  ) throws -> Told {
    let world = try World(conditions: Bench.conditions(2_000))
    let player = world.makeQueuePlayer()
    var told = Told()
    player.observe { record in
      switch record.observation {
      case .requestStarted:
        let item = record.item ?? -1
        told.asked[item] = told.asked[item] ?? record.instant.nanoseconds / 1_000_000_000
      case .requestCancelled: told.cancelled += 1
      default: break
      }
    }
    try player.insert([SimulatedPlayerItem(Bench.item(duration: .seconds(90), kind: .local))])
    try player.insert(
      (1...count).map {
        SimulatedPlayerItem(Bench.item(duration: .seconds($0 == count ? last : 4)))
      })
    player.play()
    try change(world, player)
    world.advance(by: .seconds(20))
    #expect(world.finish() == [])
    return told
  }

  @Test func `an item that comes before others is loaded before them`() throws {
    let told = try queue(2, last: 40) { world, player in
      world.advance(by: .seconds(3))
      try player.insert([SimulatedPlayerItem(Bench.item())], after: player.items()[0])
    }
    #expect(told.asked == [1: 0, 2: 2, 3: 3] && told.cancelled == 1)
  }

  @Test func `an item that is taken out leaves what comes for the others`() throws {
    for place in 1...2 {
      let told = try queue(3, last: 20) { world, player in
        world.advance(by: .seconds(5))
        player.remove(player.items()[place])
        world.advance(by: .seconds(20))
        #expect(player.items()[2].isPlaybackBufferFull)
      }
      #expect(told.asked == [1: 0, 2: 2, 3: 4] && told.cancelled == 0)
    }
  }

  @Test func `an item that is told to play more of its media asks for it`() throws {
    for seeks in [true, false] {
      var requests: [Instant] = []
      let world = try World(conditions: Bench.conditions(2_000))
      let player = world.makeQueuePlayer()
      player.observe { if case .requestStarted = $0.observation { requests.append($0.instant) } }
      let scene = SimulatedPlayerItem(
        Bench.item {
          ($0.startTime, $0.forwardPlaybackEndTime) = (.seconds(20), .seconds(24))
        })
      try player.insert([
        SimulatedPlayerItem(Bench.item(duration: .seconds(90), kind: .local)), scene,
      ])
      world.advance(by: .seconds(5))
      if seeks {
        try player.seek(scene, to: .seconds(3))
      } else {
        player.change(scene) { $0.forwardPlaybackEndTime = .seconds(30) }
      }
      world.advance(by: .seconds(20))
      #expect(requests == [.zero, .seconds(5)])
      #expect(scene.isPlaybackBufferFull)
      // From 3 s to 24 s, or to 30 s from 20 s on.
      #expect(player.core.bytesTransferred(at: world.now) == 125_000 * (seeks ? 21 : 10))
    }
  }

  // MARK: What is kept

  @Test func `a file keeps its ranges and its request`() throws {
    let bench = try Bench(speed: 1_000, duration: .seconds(20))
    var kept = [bench.player.core.keptCount]
    bench.pass(1)
    kept.append(bench.player.core.keptCount)
    try bench.player.seek(to: .seconds(10))
    kept.append(bench.player.core.keptCount)
    bench.pass(15)
    kept.append(bench.player.core.keptCount)
    // A request; the same; what came and another one; what came of both.
    #expect(kept == [1, 1, 2, 2])
  }
}
