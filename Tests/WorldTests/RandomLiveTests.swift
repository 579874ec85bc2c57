import SimulatedWorld
import TestSupport
import Testing

/// Whatever the app does with a live stream, however it is served, over whatever link.
@Suite struct RandomLiveTests {
  struct Run {
    var random: RandomStream
    let world: World
    let player: SimulatedPlayer
    let live: LiveStream
    let item: ItemSettings
    private let notes = Notes()

    final class Notes {
      var records: [PlaybackRecord] = []
    }

    var records: [PlaybackRecord] { notes.records }

    init(seed: UInt64) throws {
      random = RandomStream(seed: seed, name: "live")
      live = Run.stream(&random)
      item = try Run.item(live, &random)
      var steps: [RateSchedule.Step] = []
      for _ in 0..<random.next(in: 1...5) {
        let rate = random.next(in: 200_000...6_000_000)
        steps.append(
          RateSchedule.Step(
            duration: .milliseconds(random.next(in: 200...40_000)),
            bandwidth: .limited(random.next(below: 4) == 0 ? .zero : .bitsPerSecond(rate))))
      }
      let delay = TimeSpan.milliseconds(random.next(below: 3) == 0 ? 0 : random.next(in: 1...300))
      let hasFaults = random.next(below: 3) == 0
      world = try World(
        conditions: LinkConditions(
          downlink: DirectionConditions(delay: delay), uplink: DirectionConditions(delay: delay)),
        schedule: RateSchedule(steps: steps, ending: .loops), seed: seed,
        limits: RunLimits(eventBudget: 30_000),
        requests: random.next(below: 2) == 0 ? nil : RequestOptions(),
        faults: hasFaults ? Run.faults : .none)
      player = world.makePlayer(
        PlayerSettings(contract: random.next(below: 4) == 0 ? Contract(major: 8) : .current))
      player.observe { [notes] in notes.records.append($0) }
    }

    private static let faults = FaultPlan([
      FaultRule(.status(404), chance: LossRatio(1, over: 30)),
      FaultRule(.reset(afterBytes: 300), chance: LossRatio(1, over: 20)),
      FaultRule(.slowFirstByte(.seconds(9)), chance: LossRatio(1, over: 30)),
    ])

    private static func stream(_ random: inout RandomStream) -> LiveStream {
      var stops: [EncoderStop] = []
      var begins = Instant.zero
      for _ in 0..<random.next(below: 4) {
        begins = begins + .milliseconds(random.next(in: 0...60_000))
        let span = TimeSpan.milliseconds(random.next(in: 1...50_000))
        stops.append(EncoderStop(begins: begins, span: span))
        begins = begins + span
      }
      let holdBack = MediaTime.milliseconds(random.next(in: 2_000...8_000))
      var live = LiveStream(
        window: random.next(below: 3) == 0
          ? .growing : .sliding(.milliseconds(random.next(in: 12_000...60_000))),
        startsWith: .milliseconds(random.next(in: 0...70_000)), stops: stops,
        holdBack: random.next(below: 3) == 0
          ? .milliseconds(random.next(in: 12_000...40_000)) : nil,
        start: random.next(below: 4) == 0
          ? StartPoint(
            offset: .milliseconds(random.next(in: -90_000...90_000)),
            isPrecise: random.next(below: 2) == 0) : nil,
        parts: random.next(below: 3) == 0
          ? LiveParts(
            holdBack: holdBack, blocksReload: random.next(below: 2) == 0,
            hints: random.next(below: 2) == 0, reports: random.next(below: 3) != 0) : nil,
        playlistBytes: random.next(below: 3) == 0 ? random.next(in: 0...900) : nil)
      if random.next(below: 2) == 0 {
        live.canSkipUntil = .milliseconds(random.next(in: 12_000...40_000))
      }
      if random.next(below: 3) == 0 {
        live.keepsRemovedSegments = .milliseconds(random.next(in: 0...30_000))
      }
      if random.next(below: 3) == 0 {
        var stale = StalePlaylist.none
        stale.begins = .zero + .milliseconds(random.next(in: 0...90_000))
        stale.span = .milliseconds(random.next(in: 1...90_000))
        live.stalePlaylists = [stale]
      }
      return live
    }

    private static func item(
      _ live: LiveStream, _ random: inout RandomStream
    ) throws -> ItemSettings {
      var ladder = LadderDescription(
        rungs: [300_000, 900_000, 2_500_000].prefix(Int(random.next(in: 1...3))).map {
          LadderRung(resolution: nil, bitRate: $0)
        }, segmentDuration: .milliseconds(random.next(in: 2_000...4_000)),
        duration: .milliseconds(random.next(in: 20_000...400_000)))
      if random.next(below: 3) == 0 {
        ladder.audio = [LadderAudio(name: "stereo", bitRate: 64_000)]
      }
      if live.parts != nil { ladder.partDuration = .milliseconds(random.next(in: 300...1_900)) }
      let settings = StreamSettings(presentation: try Presentation(ladder), live: live)
      let preferences = LivePreferences(
        preservesOffset: random.next(below: 2) == 0,
        configuredOffset: random.next(below: 4) == 0
          ? .milliseconds(random.next(in: 0...50_000)) : nil,
        usesNetworkWhilePaused: random.next(below: 3) == 0 ? true : nil)
      return ItemSettings(
        source: .stream(settings),
        startTime: random.next(below: 4) == 0 ? .milliseconds(random.next(in: 0...90_000)) : nil,
        live: preferences)
    }

    mutating func act() {
      world.advance(by: .milliseconds(random.next(in: 0...30_000)))
      switch random.next(below: 12) {
      case 0...3: player.play()
      case 4, 5: player.pause()
      case 6: player.playImmediately()
      case 7: player.rate = PlaybackRate(2)
      case 8:
        // A time that is not negative is never refused.
        try? player.seek(to: .milliseconds(random.next(in: 0...200_000)))
      case 9: player.seekToLive()
      case 10: player.automaticallyWaitsToMinimizeStalling = random.next(below: 3) != 0
      default: player.replaceCurrentItem(with: random.next(below: 4) == 0 ? nil : item)
      }
    }
  }

  @Test(arguments: Seeds.first(10, inRelease: 300))
  func `the books balance, and nothing comes before it is encoded`(seed: UInt64) throws {
    var run = try Run(seed: seed)
    run.player.replaceCurrentItem(with: run.item)
    for _ in 0..<12 { run.act() }
    run.world.advance(by: .seconds(60))
    #expect(run.world.finish() == [])
    for range in run.player.loadedTimeRanges {
      #expect(range.upperBound <= run.live.produced(at: run.world.now))
    }
    for record in run.records {
      if case .live(.playlistRead(_, let reading)) = record.observation {
        #expect(reading.edge <= run.live.produced(at: record.instant))
      }
    }
    // Nobody goes round in circles: seven minutes are at most a few events a part.
    #expect(run.world.eventCount < 30_000)
  }

  @Test func `the same seed tells the same`() throws {
    for seed in Seeds.first(3, inRelease: 10) {
      var first = try Run(seed: seed)
      var second = try Run(seed: seed)
      first.player.replaceCurrentItem(with: first.item)
      second.player.replaceCurrentItem(with: second.item)
      for _ in 0..<12 {
        first.act()
        second.act()
      }
      #expect(first.records == second.records)
    }
  }
}
