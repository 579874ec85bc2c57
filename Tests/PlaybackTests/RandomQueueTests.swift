import SimulatedWorld
import TestSupport
import Testing

/// Whatever an app does with a play queue, in whatever order, over whatever link.
@Suite struct RandomQueueTests {
  private struct Run {
    var random: RandomStream
    let world: World
    let player: SimulatedQueuePlayer
    private let notes = Bench.Notes()
    private var pool: [SimulatedPlayerItem] = []
    private var looper: SimulatedPlayerLooper?
    private(set) var calls: Int64 = 0
    let seed: UInt64

    init(seed: UInt64) throws {
      self.seed = seed
      random = RandomStream(seed: seed, name: "queue")
      let speed = random.next(in: 200...4_000)
      let hasFaults = random.next(below: 4) == 0
      world = try World(
        conditions: Bench.conditions(speed, delay: .milliseconds(random.next(in: 0...200))),
        limits: RunLimits(eventBudget: 20_000),
        faults: hasFaults
          ? FaultPlan([FaultRule(.status(404), label: LabelPattern("bad"))]) : .none)
      let pipeline = PipelineCosts(
        build: .milliseconds(random.next(in: 0...50)),
        preroll: .milliseconds(random.next(below: 3) == 0 ? 0 : random.next(in: 1...900)),
        parse: .milliseconds(random.next(in: 0...40)),
        lookAheadDepth: random.next(below: 3) == 0 ? Int32(random.next(in: 0...3)) : nil)
      player = world.makeQueuePlayer(
        PlayerSettings(
          contract: random.next(below: 5) == 0 ? .legacy : .current,
          evaluationPeriod: random.next(below: 4) == 0 ? .milliseconds(150) : .zero,
          pipeline: pipeline))
      player.observe { [notes] in notes.records.append($0) }
      let asset = world.makeAsset()
      for _ in 0..<8 { pool.append(SimulatedPlayerItem(item(asset))) }
    }

    private mutating func item(_ asset: AssetID) -> ItemSettings {
      let isShared = random.next(below: 2) == 0
      let length: Int64 = isShared ? 4_000 : random.next(in: 1...6_000)
      let kind: MediaKind = random.next(below: 4) == 0 && !isShared ? .local : .progressive
      let end = random.next(below: 4) == 0 ? MediaTime.milliseconds(length / 2 + 1) : nil
      let start = MediaTime.milliseconds(
        random.next(below: 3) == 0 ? random.next(in: 0...(length / 2)) : 0)
      let isBad = random.next(below: 5) == 0 && !isShared
      return Bench.item(duration: .milliseconds(length), kind: kind) {
        ($0.forwardPlaybackEndTime, $0.startTime) = (end, start)
        if isShared { $0.asset = asset }
        if isBad { ($0.label, $0.retry) = ("bad", .never) }
      }
    }

    private mutating func any() -> SimulatedPlayerItem {
      pool[Int(random.next(below: 8))]
    }

    private mutating func call() {
      calls += 1
      switch random.next(below: 18) {
      case 0...2: player.play()
      case 3: player.pause()
      case 4: player.playImmediately(atRate: PlaybackRate(3, over: 2))
      case 5...8: try? player.insert([any()], after: random.next(below: 2) == 0 ? any() : nil)
      case 9: player.remove(any())
      case 10: player.advanceToNextItem()
      case 11: if random.next(below: 3) == 0 { player.removeAllItems() }
      case 12: try? player.seek(any(), to: .milliseconds(random.next(in: 0...6_000)))
      case 13:
        let actions = ActionAtItemEnd.allCases
        try? player.setActionAtItemEnd(actions[Int(random.next(below: 4)) % actions.count])
      case 14: player.forwardPlaybackEndTime = .milliseconds(random.next(in: 0...6_000))
      case 15: player.automaticallyWaitsToMinimizeStalling.toggle()
      case 16: loop()
      default: player.replaceCurrentItem(with: Bench.item(duration: .seconds(1)))
      }
    }

    private mutating func loop() {
      if let looper, looper.status == .ready || looper.status == .unknown {
        looper.disableLooping()
      } else {
        looper = try? SimulatedPlayerLooper(
          player: player, templateItem: Bench.item(duration: .seconds(2)),
          durationLoadedAfter: .milliseconds(random.next(in: 0...300)))
      }
    }

    mutating func go(steps: Int) {
      for _ in 0..<steps {
        world.advance(by: .microseconds(random.next(in: 0...2_000_000)))
        check()
        call()
        check()
        if world.eventCount >= 20_000 { Issue.record("polls: seed \(seed), call \(calls)"); return }
      }
    }

    private func check() {
      let core = player.core
      let items = player.items()
      var isSound = core.booksBalance(at: world.now) && core.mediaBalances(at: world.now)
      isSound = isSound && core.nextWake > world.now && world.link.books(at: world.now).balance
      isSound = isSound && items.first === player.currentItem
      isSound = isSound && items.allSatisfy { $0.isEnqueued }
      isSound =
        isSound
        && pool.allSatisfy { item in
          item.isEnqueued == items.contains { $0 === item }
        }
      isSound = isSound && (!core.awaitsPipeline || core.nextWake < .distantFuture)
      isSound = isSound && player.books.totalGap <= world.now - .zero
      if !isSound { Issue.record("seed \(seed), call \(calls), \(world.now.nanoseconds) ns") }
    }

    var records: [PlaybackRecord] { notes.records }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a queue stays consistent, and nothing polls, through random calls`(
    _ part: UInt64
  ) throws {
    for seed in Seeds.first(12, inRelease: 400) where seed % 4 == part {
      var run = try Run(seed: seed)
      run.go(steps: 100)
      #expect(run.world.finish() == [], "seed \(seed)")
      Bench.expectNoPolling(
        run.world, records: run.records.count, calls: run.calls, seed: seed)
    }
  }

  @Test func `the same calls tell the same twice`() throws {
    for seed in Seeds.first(2, inRelease: 6) {
      var (one, other) = (try Run(seed: seed), try Run(seed: seed))
      one.go(steps: 50)
      other.go(steps: 50)
      #expect(one.records == other.records && one.world.eventCount == other.world.eventCount)
    }
  }
}
