import SimulatedWorld
import Testing

/// The play queue and the looper, where scenarios do not reach.
@Suite struct QueueTests {
  private func items(_ count: Int, seconds: Int64 = 2, kind: MediaKind = .local)
    -> [SimulatedPlayerItem]
  {
    (0..<count).map { _ in
      SimulatedPlayerItem(Bench.item(duration: .seconds(seconds), kind: kind))
    }
  }

  private func world(_ speed: Int64 = 4_000) throws -> World {
    try World(conditions: Bench.conditions(speed))
  }

  @Test func `what cannot be enqueued is refused, and changes nothing`() throws {
    let world = try world()
    let player = world.makeQueuePlayer()
    let (first, second, third) = (items(1)[0], items(1)[0], items(1)[0])
    try player.insert([first, second])
    #expect(throws: PlayerError.alreadyEnqueued) { try player.insert([second]) }
    #expect(throws: PlayerError.alreadyEnqueued) { try player.insert([third, first]) }
    #expect(throws: PlayerError.notEnqueued) { try player.insert([third], after: items(1)[0]) }
    #expect(!player.canInsert(first) && player.canInsert(third, after: second))
    #expect(player.items().count == 2 && !third.isEnqueued)
    let other = world.makeQueuePlayer()
    #expect(throws: PlayerError.belongsToAnotherPlayer) { try other.insert([first]) }
    let single = world.makePlayer()
    #expect(throws: PlayerError.needsQueue) {
      var stage = Stage(link: world.link, log: PlaybackLog())
      try single.core.insert([third], at: world.now, on: &stage)
    }
  }

  @Test func `an item that was played can be enqueued again where it was left`() throws {
    let world = try world()
    let player = world.makeQueuePlayer()
    let all = items(2)
    try player.insert(all)
    player.play()
    world.advance(by: .seconds(1))
    player.advanceToNextItem()
    try player.insert([all[0]])
    world.advance(by: .milliseconds(2_500))
    #expect(player.currentItem === all[0])
    #expect(player.currentTime() == .milliseconds(1_500))
    #expect(world.run() == .finished)
    #expect(player.books.mediaAdvanced == .seconds(4))
    #expect(world.finish() == [])
  }

  @Test func `under pause and none the queue stays where it is`() throws {
    for action in [ActionAtItemEnd.pause, .none] {
      let world = try world()
      let player = world.makeQueuePlayer()
      try player.insert(items(2))
      try player.setActionAtItemEnd(action)
      player.play()
      world.advance(by: .seconds(3))
      #expect(player.items().count == 2)
      #expect(player.currentTime() == (action == .none ? .seconds(3) : .seconds(2)))
      #expect(player.rate == (action == .none ? .normal : .zero))
      // "Switching later to another action takes effect at once."
      try player.setActionAtItemEnd(.advance)
      #expect(player.items().count == (action == .none ? 1 : 2))
      #expect(world.finish() == [])
    }
  }

  /// The first item ends at 2 s, and the app asks for the second at 7 s.
  @Test func `a gap after a pause at the end is said to come from the pause`() throws {
    let world = try world()
    let player = world.makeQueuePlayer()
    try player.insert(items(2))
    try player.setActionAtItemEnd(.pause)
    var transitions: [ItemTransition] = []
    player.observe { record in
      guard case .itemTransition(let transition) = record.observation else { return }
      transitions.append(transition)
    }
    player.play()
    world.advance(by: .seconds(4))
    player.advanceToNextItem()
    world.advance(by: .seconds(3))
    player.play()
    world.advance(by: .seconds(1))
    #expect(transitions.map { $0.gap } == [.seconds(5)])
    #expect(transitions.map { $0.reason } == [.pausedAtEnd])
    #expect(world.finish() == [])
  }

  @Test func `an empty queue waits for the next item, and goes on with it`() throws {
    let world = try world()
    let player = world.makeQueuePlayer()
    try player.insert(items(1))
    player.play()
    #expect(world.run() == .finished)
    #expect(player.reasonForWaitingToPlay == .noItemToPlay && player.rate == .normal)
    world.advance(by: .seconds(1))
    try player.insert(items(1))
    #expect(player.timeControlStatus == .playing)
    #expect(world.run() == .finished)
    #expect(player.books.totalGap == .seconds(1) && player.books.stallCount == 0)
    #expect(world.finish() == [])
  }

  @Test func `a bad item in the middle is dropped`() throws {
    let world = try World(
      conditions: Bench.conditions(4_000),
      faults: FaultPlan([FaultRule(.status(404), label: LabelPattern("bad"))]))
    let player = world.makeQueuePlayer()
    let bad = SimulatedPlayerItem(
      Bench.item(duration: .seconds(2)) { ($0.label, $0.retry) = ("bad", .never) })
    let good = items(2, kind: .progressive)
    try player.insert([good[0], bad, good[1]])
    player.play()
    #expect(world.run() == .finished)
    #expect(player.books.mediaAdvanced == .seconds(4))
    #expect(!player.core.hasItem)
    if case .failed = bad.status {} else { Issue.record("it has not failed") }
    #expect(world.finish() == [])
  }

  @Test func `a seek back into what is not loaded brings the current item's media first`() throws {
    let world = try world(2_000)
    let player = world.makeQueuePlayer()
    let first = SimulatedPlayerItem(
      Bench.item(duration: .seconds(20)) { $0.startTime = .seconds(10) })
    try player.insert([first] + items(1, seconds: 20, kind: .progressive))
    world.advance(by: .milliseconds(5_500))
    #expect(player.core.isLoadingAhead)
    try player.seek(to: .zero)
    #expect(!player.core.isLoadingAhead)
    #expect(world.run() == .finished)
    #expect(world.link.books(at: world.now).balance)
  }

  @Test func `queues of no length at all come to an end`() throws {
    let world = try world()
    let player = world.makeQueuePlayer()
    let empty = (0..<200).map { _ in
      SimulatedPlayerItem(
        Bench.item(duration: .seconds(2), kind: .local) {
          ($0.startTime, $0.forwardPlaybackEndTime) = (.seconds(1), .seconds(1))
        })
    }
    try player.insert(empty)
    player.play()
    #expect(world.run() == .finished)
    #expect(!player.core.hasItem && world.now == .zero)
  }

  // MARK: The looper

  @Test func `a looper refuses what cannot be looped`() throws {
    let world = try world()
    let player = world.makeQueuePlayer()
    let item = Bench.item(duration: .seconds(2), kind: .local)
    func make(_ range: Range<MediaTime>?, copies: Int = 3) throws {
      _ = try SimulatedPlayerLooper(
        player: player, templateItem: item, timeRange: range, replicaCount: copies)
    }
    #expect(throws: LooperError.rangeOutsideMedia) { try make(.seconds(1)..<(.seconds(3))) }
    #expect(throws: LooperError.emptyRange) { try make(.seconds(1)..<(.seconds(1))) }
    #expect(throws: LooperError.tooFewReplicas) { try make(nil, copies: 2) }
    #expect(throws: LooperError.rangeOutsideMedia) {
      try make(MediaTime(nanoseconds: -1)..<(.seconds(1)))
    }
    #expect(throws: LooperError.rangeOutsideMedia) {
      try make(.zero..<MediaTime(nanoseconds: 2_000_000_001))
    }
    #expect(player.items().isEmpty)
    for (start, end) in [(0, 2), (0, 1), (1, 2)] as [(Int64, Int64)] {
      #expect(throws: Never.self) { try make(.seconds(start)..<(.seconds(end))) }
    }
  }

  @Test func `media of no length is no loop, and a range of it is empty`() throws {
    let world = try world()
    let player = world.makeQueuePlayer()
    guard case .stream(var stream) = try PlainStream.source(segment: 4, hasAudio: false, key: nil)
    else { return }
    for list in stream.presentation.lists.indices {
      stream.presentation.lists[list].segments = []
    }
    #expect(throws: LooperError.emptyMedia) {
      _ = try SimulatedPlayerLooper(
        player: player, templateItem: ItemSettings(source: .stream(stream)))
    }
    var item = Bench.item(duration: .seconds(2), kind: .local)
    item.forwardPlaybackEndTime = .zero
    #expect(throws: LooperError.emptyRange) {
      _ = try SimulatedPlayerLooper(player: player, templateItem: item)
    }
  }

  /// An app that puts a copy back before the looper does.
  @Test func `a looper whose copy stands in the queue already has failed, and gives up`() throws {
    let world = try world()
    let player = world.makeQueuePlayer()
    try player.setActionAtItemEnd(.pause)
    var looper: SimulatedPlayerLooper?
    var isMeddling = false
    player.observe { record in
      guard isMeddling, case .currentItem(true) = record.observation, let looper else { return }
      try? player.insert([looper.loopingPlayerItems[1]])
    }
    looper = try SimulatedPlayerLooper(
      player: player, templateItem: Bench.item(duration: .seconds(2), kind: .local))
    player.play()
    world.advance(by: .seconds(3))
    #expect(looper?.status == .ready && looper?.loopCount == 1)
    #expect(player.actionAtItemEnd == .advance)
    isMeddling = true
    world.advance(by: .seconds(2))
    #expect(looper?.status == .failed && looper?.loopCount == 2)
    #expect(player.actionAtItemEnd == .pause)
    world.advance(by: .seconds(9))
    #expect(looper?.loopCount == 2 && world.finish() == [])
  }

  // MARK: The treadmill

  /// The app puts back what the treadmill is about to put back.
  @Test func `a treadmill whose item stands in the queue already has ended`() throws {
    let world = try world()
    let latency = AppLatency(command: .milliseconds(500))
    let player = world.makeQueuePlayer(PlayerSettings(latency: latency))
    let all = items(2)
    let treadmill = try Treadmill(player, items: all)
    player.play()
    world.at(.zero + .milliseconds(2_250)) { try? player.insert([all[0]]) }
    world.advance(by: .milliseconds(2_499))
    #expect(!treadmill.hasEnded && treadmill.callCount == 1)
    world.advance(by: .milliseconds(1))
    #expect(treadmill.hasEnded)
    #expect(world.run() == .finished)
    // The item that was put back is played, and nothing after it.
    #expect(player.books.mediaAdvanced == .seconds(6) && treadmill.callCount == 1)
    #expect(world.finish() == [])
  }

  /// Three items of 2 s go round, and a fourth stands behind them. Disabled while the third plays,
  /// the treadmill takes the first two out: the third ends at 6 s, and the fourth at 8 s.
  @Test func `a treadmill that is disabled takes its other items out of the queue`() throws {
    let world = try world()
    let player = world.makeQueuePlayer()
    let treadmill = try Treadmill(player, items: items(3))
    try player.insert(items(1))
    player.play()
    world.advance(by: .seconds(5))
    #expect(player.items().count == 4)
    treadmill.disableLooping()
    #expect(player.items().count == 2 && treadmill.hasEnded)
    #expect(world.run() == .finished)
    #expect(player.books.mediaAdvanced == .seconds(8) && world.now == .seconds(8))
    #expect(world.finish() == [])
  }

  @Test func `a looper gives the action and the rate back`() throws {
    let world = try world()
    let player = world.makeQueuePlayer()
    try player.insert(items(1, seconds: 5))
    try player.setActionAtItemEnd(.pause)
    player.rate = PlaybackRate(2)
    world.advance(by: .seconds(1))
    let looper = try SimulatedPlayerLooper(
      player: player, templateItem: Bench.item(duration: .seconds(2), kind: .local),
      durationLoadedAfter: .seconds(1))
    #expect(looper.status == .unknown && player.rate == .zero)
    world.advance(by: .seconds(1))
    #expect(looper.status == .ready && player.rate == PlaybackRate(2))
    #expect(player.actionAtItemEnd == .advance)
    #expect(player.items().count == 4 && player.currentItem === looper.loopingPlayerItems[0])
    world.advance(by: .milliseconds(2_500))
    #expect(looper.loopCount == 2)
    looper.disableLooping()
    #expect(looper.status == .cancelled && player.items().count == 2)
    // The current copy is played to its end; then comes the rest of what was there.
    world.advance(by: .seconds(1))
    #expect(player.actionAtItemEnd == .pause)
    #expect(player.currentTime() == .seconds(3))
    #expect(world.run() == .finished)
    #expect(player.currentTime() == .seconds(5) && player.rate == .zero)
    #expect(world.finish() == [])
  }

  /// The three copies are prerolled one after the other, and the first again at 4.3 s, when the
  /// third begins.
  @Test func `a looper that is disabled prerolls none of the copies that it takes out`() throws {
    let world = try world()
    let player = world.makeQueuePlayer(
      PlayerSettings(pipeline: PipelineCosts(preroll: .milliseconds(300))))
    let looper = try SimulatedPlayerLooper(
      player: player, templateItem: Bench.item(duration: .seconds(2), kind: .local))
    player.play()
    world.advance(by: .seconds(5))
    #expect(player.currentItem === looper.loopingPlayerItems[2])
    #expect(player.core.pipeline.prerollCount == 4)
    looper.disableLooping()
    #expect(player.items().count == 1 && player.core.pipeline.prerollCount == 4)
    #expect(world.finish() == [])
  }

  @Test func `a looper whose media does not come has failed`() throws {
    let world = try World(
      conditions: Bench.conditions(4_000), faults: FaultPlan([FaultRule(.status(404))]))
    let player = world.makeQueuePlayer()
    let looper = try SimulatedPlayerLooper(
      player: player, templateItem: Bench.item(duration: .seconds(2)) { $0.retry = .never })
    player.play()
    #expect(world.run() == .finished)
    #expect(looper.status == .failed && player.items().isEmpty && looper.loopCount == 0)
    let other = world.makeQueuePlayer()
    try other.setActionAtItemEnd(.pause)
    let paused = try SimulatedPlayerLooper(
      player: other, templateItem: Bench.item(duration: .seconds(2)) { $0.retry = .never })
    other.play()
    #expect(world.run() == .finished)
    #expect(paused.status == .failed && other.actionAtItemEnd == .pause)
  }
}
