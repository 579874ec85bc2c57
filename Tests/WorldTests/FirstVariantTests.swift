import SimulatedWorld
import Testing

/// The trade between the first picture and the time to it.
@Suite struct FirstVariantTests {
  /// When playback begins with a rung, and nothing but that rung is ever played.
  private func startup(
    rung: Int, kilobits: Int64, roundTrip: Int64
  ) throws -> TimeSpan {
    let presentation = try Presentation(
      NamedLadder.talk.description(duration: .seconds(60), sizes: .constant)
    ).preferring(rung)
    let half = TimeSpan.milliseconds(roundTrip / 2)
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(
          bandwidth: .limited(.kilobitsPerSecond(kilobits)), delay: half),
        uplink: DirectionConditions(delay: half)))
    let player = world.makePlayer()
    player.replaceCurrentItem(
      with: ItemSettings(
        source: .stream(
          StreamSettings(
            presentation: presentation, initialRule: .firstEligible, adaptation: .fixed))))
    player.play()
    _ = world.run { player.timebaseRate != .zero }
    return try #require(player.books.startupDelay)
  }

  // V10: "A higher bitrate first segment takes longer to download" (WWDC16 503).
  @Test(arguments: [500, 2_000, 12_000, 80_000] as [Int64], [0, 100, 1_500] as [Int64])
  func `a better first picture never comes sooner`(kilobits: Int64, roundTrip: Int64) throws {
    let startups = try (0..<6).map {
      try startup(rung: $0, kilobits: kilobits, roundTrip: roundTrip)
    }
    for (lower, higher) in zip(startups, startups.dropFirst()) { #expect(lower < higher) }
  }

  // V8: "It has to choose some variant, but it does not know what bitrate it's going to get."
  @Test(arguments: [100, 700, 3_000, 90_000] as [Int64])
  func `the first choice is the same on every link`(kilobits: Int64) throws {
    let presentation = try Presentation(
      NamedLadder.talk.description(duration: .seconds(60), sizes: .constant))
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(bandwidth: .limited(.kilobitsPerSecond(kilobits)))))
    let player = world.makePlayer()
    var first: InitialVariant?
    player.observe { if case .variantChosen(let choice) = $0.observation { first = choice } }
    player.replaceCurrentItem(
      with: ItemSettings(source: .stream(StreamSettings(presentation: presentation))))
    world.advance(by: .seconds(5))
    #expect(first?.variant == 3 && first?.reason == .sustainedByAssumption)
  }

  /// Of an asset that was asked about before an item was made of it, the item's own words count.
  @Test func `an item goes by its own rules, whatever its asset was asked about with`() throws {
    let presentation = try Presentation(
      LadderDescription(
        rungs: [500_000, 1_000_000].map { LadderRung(resolution: nil, bitRate: $0) },
        segmentDuration: .seconds(4), duration: .seconds(60)))
    func settings(_ adaptation: AdaptationRule) -> ItemSettings {
      ItemSettings(
        source: .stream(
          StreamSettings(
            presentation: presentation, initialRule: .firstEligible, adaptation: adaptation)))
    }
    let rules = [AdaptationRule.fixed, .throughput]
    for (first, second) in [(0, 1), (1, 0)] {
      let world = try World(
        conditions: LinkConditions(
          downlink: DirectionConditions(bandwidth: .limited(.megabitsPerSecond(20)))))
      let player = world.makePlayer()
      var (switches, masters) = (0, 0)
      player.observe { record in
        switch record.observation {
        case .variantSwitched: switches += 1
        case .resourceRequested(_, .multivariantPlaylist, _, _): masters += 1
        default: break
        }
      }
      player.loadValues(of: settings(rules[first]))
      world.advance(by: .seconds(1))
      player.replaceCurrentItem(with: settings(rules[second]))
      player.play()
      #expect(world.run() == .finished)
      #expect(switches == second && masters == 1)
    }
  }

  // V13: "Figure out a minimum acceptable quality level … on a particular size of screen".
  @Test(
    arguments: [
      // The least picture has half of each side of the screen.
      (1280, 720, 50, nil, 2), (1920, 1080, 50, nil, 3), (3840, 2160, 50, nil, 5),
      // All of it, or any of it.
      (1280, 720, 100, nil, 4), (1280, 720, 1, nil, 0),
      // What was observed raises it, as far as the screen shows it.
      (1280, 720, 50, 3_000_000, 3), (1280, 720, 50, 50_000_000, 4), (640, 360, 50, 50_000_000, 2),
      // It never lowers it.
      (1920, 1080, 50, 100_000, 3),
    ] as [(Int32, Int32, Int64, Int64?, Int)])
  func `a start is acceptable on its screen`(
    width: Int32, height: Int32, percent: Int64, observed: Int64?, variant: Int
  ) throws {
    let presentation = try Presentation(
      NamedLadder.talk.description(duration: .seconds(60), sizes: .constant))
    let policy = AcceptableStart(
      screen: PixelSize(width: width, height: height), leastPercent: percent,
      lastBitRate: observed)
    #expect(presentation.variant(startingAt: policy) == variant)
  }

  @Test func `half of each side of the screen is acceptable where the app names no share`() throws {
    let policy = AcceptableStart(screen: PixelSize(width: 1280, height: 720))
    #expect(policy == AcceptableStart(screen: policy.screen, leastPercent: 50, lastBitRate: nil))
  }

  @Test func `sound alone is no acceptable picture`() throws {
    let presentation = try Presentation(
      LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: 64_000, codecs: ["mp4a.40.2"])],
        segmentDuration: .seconds(6), duration: .seconds(60)))
    let policy = AcceptableStart(screen: PixelSize(width: 640, height: 360))
    #expect(presentation.variant(startingAt: policy) == nil)
  }
}
