import Foundation
import SimulatedWorld
import TestSupport
import Testing

/// Whatever the app does, in whatever order, over whatever link.
@Suite struct RandomSequenceTests {
  /// A run of random calls, with everything that was told.
  struct Run {
    var random: RandomStream
    let world: World
    let player: SimulatedPlayer
    var records: [PlaybackRecord] { notes.records }
    private let notes = Bench.Notes()
    private var loaded: [Range<MediaTime>] = []
    /// How many times something was done from outside.
    private(set) var calls: Int64 = 0
    let seed: UInt64

    init(seed: UInt64) throws {
      self.seed = seed
      random = RandomStream(seed: seed, name: "sequence")
      let contract = random.next(below: 5) == 0 ? Contract.legacy : .current
      let evaluation = random.next(below: 4) == 0 ? TimeSpan.milliseconds(200) : .zero
      let steps = (0..<random.next(in: 1...4)).map { [random] _ in
        var random = random
        return RateSchedule.Step(
          duration: .milliseconds(random.next(in: 200...9_000)),
          bandwidth: random.next(below: 4) == 0
            ? .limited(.zero) : .limited(.bitsPerSecond(random.next(in: 50_000...3_000_000))))
      }
      let delay = TimeSpan.milliseconds(random.next(below: 2) == 0 ? 0 : random.next(in: 1...400))
      world = try World(
        conditions: LinkConditions(downlink: DirectionConditions(delay: delay)),
        schedule: RateSchedule(steps: steps, ending: .loops),
        limits: RunLimits(eventBudget: 20_000))
      let pipeline = random.next(below: 3) == 0 ? Run.pipeline(&random) : .none
      player = world.makePlayer(
        PlayerSettings(contract: contract, evaluationPeriod: evaluation, pipeline: pipeline))
      player.observe { [notes] in notes.records.append($0) }
    }

    private static func pipeline(_ random: inout RandomStream) -> PipelineCosts {
      PipelineCosts(
        build: .milliseconds(random.next(in: 0...300)),
        stillFrame: .milliseconds(random.next(in: 0...30)),
        preroll: .milliseconds(random.next(in: 0...700)))
    }

    private mutating func item() -> ItemSettings {
      let seconds = random.next(in: 1...20)
      var sizes = (0..<seconds).map { _ in random.next(in: 0...250_000) }
      sizes[Int(seconds) - 1] += 1
      let head = random.next(below: 3) == 0 ? random.next(in: 1...40_000) : 0
      let file = MediaFile(
        map: ByteMap(duration: .seconds(seconds), stretch: .seconds(1), sizes: sizes),
        headAtomBytes: head, headAtomPosition: random.next(below: 2) == 0 ? .front : .end)
      let heuristics: [KeepUpHeuristic] = [
        .standard, .playThrough(safety: SafetyFactor(11, over: 10)), .standard,
        .everythingLoaded, .thresholds(start: .seconds(1), resume: .seconds(2)),
      ]
      var item = ItemSettings(
        source: random.next(below: 6) == 0 ? .local(file) : .progressive(file),
        heuristic: heuristics[Int(random.next(below: 5))])
      if random.next(below: 4) == 0 { item.bufferByteCap = random.next(in: 0...400_000) }
      if random.next(below: 4) == 0 {
        item.preferredForwardBufferDuration = .milliseconds(random.next(in: 1...6_000))
      }
      return item
    }

    private mutating func time() -> MediaTime {
      MediaTime(nanoseconds: random.next(in: 0...nanoseconds))
    }
    private var nanoseconds: Int64 {
      (player.currentItem?.knownDuration ?? .seconds(10)).nanoseconds
    }

    private mutating func rate() -> PlaybackRate {
      [PlaybackRate(1, over: 2), .normal, .normal, PlaybackRate(3, over: 2), PlaybackRate(2)][
        Int(random.next(below: 5))]
    }

    private mutating func call() {
      calls += 1
      switch random.next(below: 21) {
      case 0...3: player.play()
      case 4, 5: player.pause()
      case 6, 7: player.rate = rate()
      case 8, 9: player.playImmediately(atRate: rate())
      case 10: player.automaticallyWaitsToMinimizeStalling.toggle()
      case 11...13: try? player.seek(to: time())
      case 14: player.forwardPlaybackEndTime = random.next(below: 2) == 0 ? nil : time()
      case 15: try? player.setActionAtItemEnd(random.next(below: 2) == 0 ? .none : .pause)
      case 16: hostTime()
      case 17: player.preferredForwardBufferDuration = .milliseconds(random.next(in: 0...8_000))
      case 18: player.defaultRate = rate()
      case 19: player.rebuildPipeline(for: .milliseconds(random.next(in: 0...900)))
      default:
        player.replaceCurrentItem(with: random.next(below: 4) == 0 ? nil : item())
        loaded = []
      }
    }

    private mutating func hostTime() {
      let offset = TimeSpan.milliseconds(random.next(in: -2_000...2_000))
      let isNamed = random.next(below: 3) != 0
      let time = random.next(below: 2) == 0 ? time() : nil
      var refusal: PlayerError? = player.currentItem == nil ? .needsItem : nil
      if player.automaticallyWaitsToMinimizeStalling { refusal = .waitsAutomatically }
      do throws(PlayerError) {
        try player.setRate(rate(), time: time, atHostTime: isNamed ? world.now + offset : nil)
        #expect(refusal == nil)
      } catch {
        #expect(error == refusal)
      }
    }

    mutating func go(steps: Int) {
      player.replaceCurrentItem(with: item())
      for _ in 0..<steps {
        let before = (player.currentTime(), world.now, player.timebaseRate)
        world.advance(by: .microseconds(random.next(in: 0...3_000_000)))
        check(since: before)
        call()
        check(since: nil)
        if world.eventCount == 20_000 { Issue.record("polls: seed \(seed), call \(calls)"); return }
      }
    }

    private mutating func check(since before: (MediaTime, Instant, PlaybackRate)?) {
      let core = player.core
      let control = core.machine.control
      let place = Comment(rawValue: "seed \(seed), call \(calls), \(world.now.nanoseconds) ns")
      expect(player.rate.isZero == (control == .paused), place)
      let isHeld = core.awaitsPipeline || !core.hasItem
      expect(isHeld || player.timebaseRate == core.machine.timebaseRate, place)
      expect(!core.awaitsPipeline || core.nextWake < .distantFuture, place)
      let awaitsMedia = control == .awaitingMedia
      expect((player.reasonForWaitingToPlay != nil) == (isWaiting && !awaitsMedia), place)
      expect(core.booksBalance(at: world.now), place)
      expect(core.mediaBalances(at: world.now), place)
      expect(core.nextWake > world.now, place)
      expect(world.link.books(at: world.now).balance, place)
      expect(core.machine.waitsAutomatically ? !awaitsMedia : !isWaiting || awaitsMedia, place)
      let ranges = player.loadedTimeRanges
      expect(isCovered(loaded, by: ranges), place)
      loaded = ranges
      checkPlayhead(place)
      if let before, before.2.isZero, player.timebaseRate.isZero, !moved(since: before.1) {
        expect(player.currentTime() == before.0, place)
      }
    }

    /// Nothing plays that is not there, but for the two cases that have a name.
    private func checkPlayhead(_ place: Comment) {
      let core = player.core
      guard core.machine.control == .playing, player.currentItem?.isFreeOfMedia != true else {
        return
      }
      // At the end, where an external timeline may sit, an empty buffer is no want.
      expect(
        !player.core.isPlaybackBufferEmpty || player.currentItem?.isAtEnd == true, place)
      // The byte that is just arriving is as much as the slowest second has between two bytes.
      let margin = MediaTime.seconds(1)
      let edge = core.loadedEnd(at: world.now)
      expect(player.currentTime() <= edge + margin, place)
    }

    private var isWaiting: Bool { player.timeControlStatus == .waitingToPlayAtSpecifiedRate }

    private func moved(since instant: Instant) -> Bool {
      records.reversed().prefix { $0.instant >= instant }.contains {
        switch $0.observation {
        case .timebase, .timeJumped, .seek, .currentItem: true
        default: false
        }
      }
    }

    private func isCovered(_ old: [Range<MediaTime>], by new: [Range<MediaTime>]) -> Bool {
      old.allSatisfy { range in
        range.isEmpty
          || new.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
      }
    }

    /// The macro is slow where it holds.
    private func expect(_ holds: Bool, _ place: Comment, _ line: SourceLocation = #_sourceLocation)
    {
      if !holds { Issue.record(place, sourceLocation: line) }
    }
  }

  /// `SEQUENCES=10000` in the environment tries that many.
  static let sequences =
    ProcessInfo.processInfo.environment["SEQUENCES"].flatMap { UInt64($0) } ?? 64

  @Test(arguments: Seeds.cases(of: 0..<8))
  func `every property stays consistent, and nothing polls, through ten thousand random calls`(
    _ part: UInt64
  ) throws {
    // The ninetieth once asked for wake-ups for ever.
    for seed in (0..<Self.sequences).filter({ $0 % 8 == part }) + (part == 2 ? [90] : []) {
      var run = try Run(seed: seed)
      run.go(steps: 150)
      #expect(run.world.finish() == [], "seed \(seed)")
      Bench.expectNoPolling(
        run.world, records: run.records.count, calls: run.calls, seed: seed)
    }
  }

  @Test func `the same sequence tells the same twice`() throws {
    for seed in UInt64(0)..<10 {
      var (one, other) = (try Run(seed: seed), try Run(seed: seed))
      one.go(steps: 60)
      other.go(steps: 60)
      #expect(one.records == other.records && one.world.eventCount == other.world.eventCount)
      #expect(one.player.books == other.player.books)
    }
  }

  @Test func `an observed run and an unobserved one come to the same`() throws {
    for speed in [300, 858, 1_500] as [Int64] {
      let observed = try Bench(speed: speed)
      observed.player.playImmediately()
      let world = try World(conditions: Bench.conditions(speed))
      let player = world.makePlayer()
      player.replaceCurrentItem(with: Bench.item())
      player.playImmediately()
      #expect(observed.world.run() == world.run())
      #expect(player.books == observed.player.books)
    }
  }
}
