import Autowait
import PlayerPolicies
import SimulatedWorld
import StreamingMedia
import Testing

/// The facts about a buffer that a policy is told, by the start of playback: worked out by hand.
@Suite struct SeatPlaybackTests {
  private func player(
    start: ReadinessRule, kilobits: Int64, item: ItemSettings,
    change: (inout PolicyDescription) -> Void = { _ in }
  ) throws -> (World, SimulatedPlayer) {
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(bandwidth: .limited(.kilobitsPerSecond(kilobits)))))
    var settings = PlayerSettings()
    (settings.policy.start, settings.policy.resume) = (start, start)
    change(&settings.policy)
    let player = world.makePlayer(settings)
    player.replaceCurrentItem(with: item)
    player.play()
    return (world, player)
  }

  /// A minute of a megabit in a second over half of that: a second brings 62,500 bytes.
  @Test(
    arguments: [
      (.bytes(125_000), 2_000), (.bytes(31_250), 500), (.media(.seconds(3)), 6_000),
      (.playingTime(.seconds(1)), 2_000), (.shareOfMediaLimit(50), 8_000),
      (.shareOfMediaLimit(25), 4_000), (.shareOfByteLimit(50), 4_000),
      (.shareOfByteLimit(10), 800), (.sound(.seconds(1)), 2_000), (.pictures(.seconds(2)), 4_000),
    ] as [(Level, Int64)])
  func `a file begins when what the level speaks of is there`(
    level: Level, milliseconds: Int64
  ) throws {
    let file = MediaFile(duration: .seconds(60), bitRate: .megabitsPerSecond(1))
    // 8 s ahead are a megabyte; half a megabyte is 4 s.
    for isInAny in [false, true] {
      var item = ItemSettings(source: .progressive(file))
      item.preferredForwardBufferDuration = .seconds(8)
      item.bufferByteCap = 500_000
      let rule = isInAny ? ReadinessRule.any([.everythingLoaded, .level(level)]) : .level(level)
      // A wait that is ended by a full buffer would say nothing of a level.
      let (world, player) = try player(start: rule, kilobits: 500, item: item) {
        ($0.exits.whenFull, $0.exits.whenIdle) = (false, false)
      }
      _ = world.run { player.timebaseRate != .zero }
      let delay = try #require(player.books.startupDelay)
      #expect(abs((delay - .milliseconds(milliseconds)).nanoseconds) < 20_000, "\(delay)")
    }
  }

  /// Segments of 4 s: 250,000 bytes of pictures and 62,500 of sound, in that order of tracks.
  private func stream() throws -> ItemSettings {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 625_000)],
      audio: [LadderAudio(name: "stereo", bitRate: 125_000)], segmentDuration: .seconds(4),
      duration: .seconds(80))
    return ItemSettings(
      source: .stream(
        StreamSettings(
          presentation: try Presentation(ladder), initialRule: .firstEligible,
          adaptation: .fixed)))
  }

  @Test func `of a stream each track is told by itself, and both together in bytes`() throws {
    var starts: [Level: TimeSpan] = [:]
    let levels: [Level] = [
      .anything, .segments(1), .segments(2), .sound(.seconds(4)), .sound(.seconds(8)),
      .pictures(.seconds(8)), .media(.seconds(8)), .bytes(1), .bytes(580_000),
      .shareOfMediaLimit(20), .mediaWithArriving(.seconds(6)),
    ]
    for level in levels {
      let (world, player) = try player(
        start: .level(level), kilobits: 1_000, item: try stream()
      ) {
        $0.fetch.ofStreams.media = .seconds(40)
      }
      _ = world.run { player.timebaseRate != .zero }
      starts[level] = player.books.startupDelay
    }
    let one = try #require(starts[.anything])
    let two = try #require(starts[.media(.seconds(8))])
    #expect(one < two)
    // With something of both there is a segment of each; the second of each takes as long again.
    #expect(starts[.segments(1)] == one && starts[.sound(.seconds(4))] == one)
    #expect(starts[.bytes(1)] == one)
    #expect(starts[.segments(2)] == two && starts[.pictures(.seconds(8))] == two)
    #expect(starts[.bytes(580_000)] == two && starts[.shareOfMediaLimit(20)] == two)
    // The sound is there before the pictures, and part of a segment before the whole.
    let sound = try #require(starts[.sound(.seconds(8))])
    #expect(one < sound && sound <= two)
    let arriving = try #require(starts[.mediaWithArriving(.seconds(6))])
    #expect(one < arriving && arriving < two)
  }

  // MARK: A probe

  /// 250,000 bytes of the lowest take two thirds of a second at 3 Mbit/s: 80 % of that sustain 2.
  @Test func `a segment that was a probe is thrown away, and chosen by`() throws {
    let ladder = LadderDescription(
      rungs: [4_000, 500, 2_000, 1_000].map { LadderRung(resolution: nil, bitRate: $0 * 1_000) },
      segmentDuration: .seconds(4), duration: .seconds(40))
    let settings = StreamSettings(presentation: try Presentation(ladder))
    let (world, player) = try player(
      start: .level(.segments(1)), kilobits: 3_000,
      item: ItemSettings(source: .stream(settings))
    ) {
      $0.firstVariant = .probe(percent: 80, within: .seconds(4))
      ($0.nextVariant, $0.abandon) = (.fixed, .never)
    }
    var (chosen, media, switches): ([InitialVariant], [Int32?], Int) = ([], [], 0)
    player.observe { record in
      switch record.observation {
      case .variantChosen(let first): chosen.append(first)
      case .resourceRequested(_, .mediaSegment, _, let origin): media.append(origin.variant)
      case .variantSwitched, .variantSwitchStarted: switches += 1
      default: break
      }
    }
    #expect(world.run() == .finished)
    #expect(chosen.map(\.variant) == [1, 2])
    #expect(chosen.map(\.reason) == [.probe, .sustainedByProbe])
    #expect(chosen[0].bitRate == nil)
    #expect(abs((chosen[1].bitRate ?? 0) - 3_000_000) < 30_000)
    #expect(media == [1] + Array(repeating: 2, count: 10))
    #expect(switches == 0 && player.core.counts.variantSwitches == 0)
    #expect(abs(player.core.counts.bytesDiscarded - 250_000) < 2_500)
    #expect(world.finish() == [])
  }

  // MARK: What outsiders are told

  @Test func `before a stream has any track a closure is told that it is one`() throws {
    final class Told {
      var (streams, files, early, received) = (0, 0, 0, Int64(0))
    }
    nonisolated(unsafe) let told = Told()
    let policy = CustomPolicy(
      name: "told",
      start: { question, _ in
        if question.snapshot.stream == nil { told.files += 1 } else { told.streams += 1 }
        return .decided(question.snapshot.ahead > .zero)
      },
      abandon: { question, _ in
        if question.request.responded == nil {
          told.early += 1
          told.received = max(told.received, question.received + question.request.received)
        }
        return .decided(.goOn)
      })
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(
          bandwidth: .limited(.kilobitsPerSecond(3_000)), delay: .milliseconds(300))))
    let player = world.makePlayer(following: policy)
    let ladder = LadderDescription(
      rungs: [1_000, 500].map { LadderRung(resolution: nil, bitRate: $0 * 1_000) },
      segmentDuration: .seconds(4), duration: .seconds(40))
    player.replaceCurrentItem(
      with: ItemSettings(source: .stream(StreamSettings(presentation: try Presentation(ladder)))))
    player.play()
    #expect(world.run() == .finished)
    #expect(told.streams > 0 && told.files == 0)
    #expect(told.early > 0 && told.received == 0)
  }

  /// A link of a megabit in a second without delay: all that it brings is the player's at once.
  @Test func `what has come of a segment is told while it comes`() throws {
    let (world, player) = try player(
      start: .everythingLoaded, kilobits: 1_000, item: try stream())
    for _ in 0..<20 {
      world.advance(by: .milliseconds(300))
      let bytes = world.now.nanoseconds / 8_000
      #expect(abs(player.core.bytesTransferred(at: world.now) - bytes) <= 4)
    }
  }

  /// 5 Mbit/s sustain the highest variant at normal speed, and the one below it at twice the speed.
  @Test func `an item to come is loaded for the speed at which it will be played`() throws {
    for (rate, variant) in [(1, 2), (2, 1)] as [(Int32, Int)] {
      let world = try World(
        conditions: LinkConditions(
          downlink: DirectionConditions(bandwidth: .limited(.kilobitsPerSecond(5_000)))))
      var settings = PlayerSettings()
      settings.policy.firstVariant = .withinEstimate(percent: 100, assumed: 5_000_000)
      let player = world.makeQueuePlayer(settings)
      var chosen: [Int] = []
      player.observe { record in
        if case .variantChosen(let first) = record.observation { chosen.append(first.variant) }
      }
      let ladder = LadderDescription(
        rungs: [1_000, 2_000, 4_000].map { LadderRung(resolution: nil, bitRate: $0 * 1_000) },
        segmentDuration: .seconds(4), duration: .seconds(40))
      let file = MediaFile(duration: .seconds(30), bitRate: .megabitsPerSecond(1))
      player.rate = PlaybackRate(rate)
      for source in [
        MediaSource.local(file), .stream(StreamSettings(presentation: try Presentation(ladder))),
      ] {
        try player.insert([world.makeItem(ItemSettings(source: source))])
      }
      world.advance(by: .seconds(2))
      #expect(chosen == [variant], "\(rate)")
    }
  }

  // MARK: The outcome

  @Test func `an outcome says how it stood in the end`() throws {
    let file = MediaFile(duration: .seconds(60), bitRate: .megabitsPerSecond(1))
    let item = ItemSettings(source: .progressive(file))
    func outcome(_ steps: (World, SimulatedPlayer) throws -> Void) throws -> PlaybackOutcome {
      let (world, player) = try player(
        start: .level(.media(.seconds(2))), kilobits: 500, item: item)
      try steps(world, player)
      return PlaybackOutcome(of: player.core)
    }
    #expect(try outcome { world, _ in world.advance(by: .seconds(3)) } == .neverPlayed)
    #expect(try outcome { world, _ in world.advance(by: .seconds(5)) } == .played)
    // 2 s are there after 4 s, and played out after 8 with what came meanwhile.
    #expect(try outcome { world, _ in world.advance(by: .seconds(9)) } == .stalled)
    #expect(
      try outcome { world, player in
        world.advance(by: .seconds(5))
        try player.seek(to: .seconds(50))
      } == .stalled)
    // The next item is waited for, asked for or not; without one nothing is.
    #expect(
      try outcome { world, player in
        world.advance(by: .seconds(5))
        player.replaceCurrentItem(with: item)
        world.advance(by: .seconds(1))
      } == .stalled)
    #expect(
      try outcome { world, player in
        world.advance(by: .seconds(5))
        player.pause()
        player.replaceCurrentItem(with: item)
        world.advance(by: .seconds(1))
      } == .played)
    #expect(
      try outcome { world, player in
        world.advance(by: .seconds(5))
        player.replaceCurrentItem(with: nil)
        world.advance(by: .seconds(1))
      } == .played)
    #expect(try outcome { world, _ in _ = world.run() } == .played)
  }

  @Test func `a start on another clock that waits for its first byte is no stall`() throws {
    let file = MediaFile(duration: .seconds(60), bitRate: .megabitsPerSecond(1))
    let world = try World(
      conditions: LinkConditions(downlink: DirectionConditions(delay: .seconds(60))))
    let tied = world.makePlayer(PlayerSettings(waitsAutomatically: false))
    tied.replaceCurrentItem(with: ItemSettings(source: .local(file)))
    tied.play()
    world.advance(by: .seconds(5))
    tied.pause()
    tied.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
    try tied.setRate(.normal, time: nil, atHostTime: nil)
    world.advance(by: .seconds(1))
    #expect(tied.core.machine.waitsOut == .start)
    #expect(PlaybackOutcome(of: tied.core) == .played)
  }
}
