import SimulatedWorld
import TestSupport
import Testing

/// The gap of each transition, held against what a few maxima make of the latencies, the preroll,
/// the lengths of the items and how deep the queue is.
///
/// The closed forms know no player: an item begins when the one before it has ended and its
/// pipeline is full, and the pipeline is begun when the item is known and near enough.
@Suite struct TransitionGapTests {
  /// What one run is made of, all in milliseconds.
  struct Plan {
    var notification: Int64
    var command: Int64
    var preroll: Int64
    var lengths: [Int64]
    /// How many items are prepared at most; nil for as many as are short.
    var depth: Int32?
    var rounds: Int

    init(seed: UInt64) {
      var random = RandomStream(seed: seed, name: "gaps")
      let isNear = random.next(below: 4) == 0
      notification = isNear ? 0 : random.next(in: 0...400)
      command = isNear ? 0 : random.next(in: 0...300)
      preroll = random.next(below: 6) == 0 ? 0 : random.next(in: 1...1_500)
      lengths = []
      for _ in 0..<random.next(in: 2...6) {
        lengths.append(
          random.next(below: 2) == 0 ? random.next(in: 1...500) : random.next(in: 500...9_000))
      }
      depth = random.next(below: 3) == 0 ? Int32(random.next(in: 0...4)) : nil
      rounds = Int(random.next(in: 3...24))
    }

    var settings: PlayerSettings {
      PlayerSettings(
        pipeline: PipelineCosts(preroll: .milliseconds(preroll), lookAheadDepth: depth),
        latency: AppLatency(
          notification: .milliseconds(notification), command: .milliseconds(command)))
    }

    func item(_ index: Int) -> ItemSettings {
      Bench.item(duration: .milliseconds(lengths[index % lengths.count]), kind: .local)
    }
  }

  /// A queue player before a plan, with the plan's items.
  private struct QueueStage {
    let plan: Plan
    let world: World
    let player: SimulatedQueuePlayer
    let told: Told
    let items: [SimulatedPlayerItem]

    init(_ plan: Plan) throws {
      self.plan = plan
      world = try World()
      player = world.makeQueuePlayer(plan.settings)
      told = Told(player)
      items = plan.lengths.indices.map { SimulatedPlayerItem(plan.item($0)) }
    }
  }

  /// What a run told, in nanoseconds.
  private final class Told {
    var gaps: [Int64] = []

    init(_ player: SimulatedPlayer) {
      player.observe { [self] record in
        guard case .itemTransition(let transition) = record.observation else { return }
        gaps.append(transition.gap.nanoseconds)
      }
    }
  }

  // MARK: Closed forms

  /// When each item of an endless belt begins and ends, given when each is known.
  ///
  /// - Parameter known: When the item at a place of the belt stands in the queue; nil for never.
  private func belt(
    _ plan: Plan, count: Int, known: (Int, _ arrivals: [Int64], _ ends: [Int64]) -> Int64?
  ) -> (gaps: [Int64], ends: [Int64]) {
    var (gaps, currents, ends): ([Int64], [Int64], [Int64]) = ([], [], [])
    var arrivals: [Int64] = []
    for place in 0..<count {
      guard let arrival = known(place, arrivals, ends) else { break }
      arrivals.append(arrival)
      let length = plan.lengths[place % plan.lengths.count]
      guard let last = ends.last else {
        currents.append(0)
        ends.append(plan.preroll + length)
        continue
      }
      let current = max(last, arrival)
      // The earliest place from which this one is near: those between play for less than a preroll.
      var from = place - 1
      var between: Int64 = 0
      while from > 0 {
        between += plan.lengths[from % plan.lengths.count]
        let isDeep = plan.depth.map { place - (from - 1) > Int($0) } ?? false
        if between >= plan.preroll || isDeep { break }
        from -= 1
      }
      var begin = plan.depth == 0 ? current : max(arrival, currents[from])
      // Whoever stands between must be known as well, before anybody looks past it.
      for other in (from + 1)..<max(from + 1, place) { begin = max(begin, arrivals[other]) }
      begin = min(begin, current)
      let start = max(current, begin + plan.preroll)
      gaps.append(start - last)
      currents.append(current)
      ends.append(start + length)
    }
    return (gaps, ends)
  }

  // MARK: Against the player

  /// All of them in a release build, and the first quarter in a debug build.
  private func seeds(_ range: Range<UInt64>) -> Range<UInt64> {
    range.prefix(Seeds.count(range.count / 4, inRelease: range.count))
  }

  @Test func `rewinding costs both latencies and a preroll each time, in many combinations`()
    throws
  {
    for seed in seeds(0..<150) {
      let plan = Plan(seed: seed)
      let world = try World()
      let player = world.makePlayer(plan.settings)
      player.replaceCurrentItem(with: plan.item(0))
      if seed % 3 == 0 { try player.setActionAtItemEnd(.none) }
      let loop = RewindLoop(player)
      let told = Told(player)
      player.play()
      let gap = plan.notification + plan.command + plan.preroll
      let round = plan.lengths[0] + gap
      let end = plan.preroll + Int64(plan.rounds) * round
      world.advance(to: Instant(nanoseconds: end * 1_000_000))
      #expect(told.gaps.count == plan.rounds, "seed \(seed)")
      #expect(told.gaps.allSatisfy { $0 == gap * 1_000_000 }, "seed \(seed)")
      #expect(loop.rewindCount == Int64(plan.rounds))
      #expect(player.books.loopCount == Int64(plan.rounds))
      #expect(player.books.totalGap == .milliseconds(gap * Int64(plan.rounds)))
      #expect(world.finish() == [])
    }
  }

  /// The end is at 2 s; the app hears of it 300 ms later, and has sought after 200 ms more.
  @Test(arguments: [(1_999, 0), (2_001, 0), (2_499, 0), (2_501, 1)])
  func `who listens no more does not rewind, even with a call on its way`(
    stop: Int64, count: Int64
  ) throws {
    let world = try World()
    let player = world.makePlayer(
      PlayerSettings(
        pipeline: PipelineCosts(preroll: .zero),
        latency: AppLatency(notification: .milliseconds(300), command: .milliseconds(200))))
    player.replaceCurrentItem(with: Bench.item(duration: .seconds(2), kind: .local))
    let loop = RewindLoop(player)
    player.play()
    world.advance(by: .milliseconds(stop))
    loop.stop()
    world.advance(by: .seconds(20))
    #expect(loop.rewindCount == count && player.currentTime() == .seconds(2))
  }

  @Test func `items of a queue are prepared while others play, in many combinations`() throws {
    for seed in seeds(150..<300) {
      let stage = try QueueStage(Plan(seed: seed))
      let (plan, world, player, items) = (stage.plan, stage.world, stage.player, stage.items)
      let count = items.count
      // The last comes late, when the one before it is under way.
      let late = plan.notification + plan.preroll
      try player.insert(Array(items.dropLast()))
      world.after(.milliseconds(late)) {
        try? player.insert([items[count - 1]])
      }
      player.play()
      #expect(world.run() == .finished, "seed \(seed)")
      let expected = belt(plan, count: count) { place, _, _ in place == count - 1 ? late : 0 }
      #expect(stage.told.gaps == expected.gaps.map { $0 * 1_000_000 }, "seed \(seed)")
      let total = expected.gaps.reduce(0, +)
      #expect(player.books.totalGap == .milliseconds(total))
      #expect(
        player.books.mediaAdvanced == .milliseconds(plan.lengths.reduce(0, +)), "seed \(seed)")
      #expect(world.finish() == [])
    }
  }

  @Test func `on the treadmill an item is known again after both latencies, in many combinations`()
    throws
  {
    for seed in seeds(300..<450) {
      let stage = try QueueStage(Plan(seed: seed))
      let (plan, world, player, items) = (stage.plan, stage.world, stage.player, stage.items)
      let count = items.count
      let treadmill = try Treadmill(player, items: items)
      player.play()
      var hasExit = false
      let expected = belt(plan, count: plan.rounds * count) { place, arrivals, ends in
        if place < count { return 0 }
        // The app hears of the end, and puts nothing back where it finds the queue empty.
        let heard = ends[place - count] + plan.notification
        let isFilled = (0..<place).contains { arrivals[$0] <= heard && ends[$0] > heard }
        hasExit = !isFilled
        return isFilled ? heard + plan.command : nil
      }
      let last = expected.ends.last ?? 0
      let grace = hasExit ? plan.notification + plan.command + 1 : -1
      world.advance(to: Instant(nanoseconds: (last + grace) * 1_000_000))
      #expect(stage.told.gaps == expected.gaps.map { $0 * 1_000_000 }, "seed \(seed)")
      #expect(treadmill.hasEnded == hasExit, "seed \(seed)")
      #expect(player.items().count <= count)
      #expect(world.finish() == [])
    }
  }

  @Test func `the looper puts back at once, in many combinations`() throws {
    for seed in seeds(450..<500) {
      var plan = Plan(seed: seed)
      plan.lengths = [plan.lengths[0]]
      let stage = try QueueStage(plan)
      let (world, player) = (stage.world, stage.player)
      let looper = try SimulatedPlayerLooper(player: player, templateItem: plan.item(0))
      player.play()
      let expected = belt(plan, count: plan.rounds * 3) { place, _, ends in
        place < 3 ? 0 : ends[place - 3]
      }
      let last = expected.ends.last ?? 0
      world.advance(to: Instant(nanoseconds: (last - 1) * 1_000_000))
      #expect(stage.told.gaps == expected.gaps.map { $0 * 1_000_000 }, "seed \(seed)")
      #expect(looper.loopCount == Int64(expected.gaps.count), "seed \(seed)")
      #expect(player.items().count == 3)
      #expect(world.finish() == [])
    }
  }
}
