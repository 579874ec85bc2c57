import SimulatedWorld
import Testing

/// The mean bit rates of what was played, held against the segments in their order.
@Suite struct PlayedQualityTests {
  struct Setting: Sendable {
    /// What the link brings in kbit/s, each for so many seconds.
    var steps: [(seconds: Int64, kilobits: Int64)]
    /// In seconds.
    var segment: Int64
    var duration: Int64
    /// When it is looked, in milliseconds.
    var looks: [Int64]
  }

  /// In bit/s; a segment tells by its bytes which it is of.
  private static let rates: [Int64] = [600_000, 2_000_000, 20_000_000]

  static let settings = [
    Setting(
      steps: [(4, 5_000), (1, 60_000)], segment: 6, duration: 60,
      looks: [900, 7_000, 30_001, 50_100]),
    Setting(
      steps: [(20, 3_000), (30, 700), (1, 30_000)], segment: 4, duration: 120,
      looks: [5_000, 21_777, 64_000, 90_000]),
    Setting(
      steps: [(7, 40_000), (60, 1_000), (1, 4_000)], segment: 10, duration: 90,
      looks: [12_345, 40_000]),
    Setting(steps: [(2, 900), (1, 2_600)], segment: 2, duration: 31, looks: [10_000, 20_500]),
  ]

  private static func world(_ setting: Setting) throws -> World {
    let steps = setting.steps.map {
      RateSchedule.Step(
        duration: .seconds($0.seconds), bandwidth: .limited(.kilobitsPerSecond($0.kilobits)))
    }
    return try World(
      conditions: LinkConditions(downlink: .init(delay: .milliseconds(40))),
      schedule: try RateSchedule(steps: steps, ending: .holds))
  }

  private static func item(_ setting: Setting) throws -> ItemSettings {
    let ladder = LadderDescription(
      rungs: rates.map { LadderRung(resolution: nil, bitRate: $0) },
      segmentDuration: .seconds(setting.segment), duration: .seconds(setting.duration))
    return ItemSettings(
      source: .stream(
        StreamSettings(
          presentation: try Presentation(ladder), initialRule: .firstEligible,
          adaptation: .throughput)))
  }

  @Test(arguments: settings)
  func `each instant counts for the variant whose media was under the playhead`(
    setting: Setting
  ) throws {
    let world = try Self.world(setting)
    let player = world.makePlayer()
    var (media, sizes): (Set<TransferID>, [Int64]) = ([], [])
    player.observe { record in
      switch record.observation {
      case .resourceRequested(let id, .mediaSegment, _, _): media.insert(id)
      case .requestCompleted(let id, let bytes) where media.contains(id): sizes.append(bytes)
      default: break
      }
    }
    player.replaceCurrentItem(with: try Self.item(setting))
    player.play()
    /// The mean of the segments' own rates up to the playhead.
    func check() throws {
      let played = player.currentTime().nanoseconds
      var (start, sum): (Int64, Int128) = (0, 0)
      for bytes in sizes where start < played {
        let end = min(start + setting.segment * 1_000_000_000, setting.duration * 1_000_000_000)
        sum +=
          Int128(bytes) * 8_000_000_000 * Int128(min(end, played) - start) / Int128(end - start)
        start = end
      }
      #expect(start >= played && played > 0)
      let mean = Int64(sum / Int128(played))
      let found = try #require(player.indicators.timeWeightedIndicatedBitrate)
      #expect(abs(found - mean) <= 8, "\(found) and \(mean)")
    }
    for look in setting.looks {
      world.advance(to: .zero + .milliseconds(look))
      try check()
    }
    #expect(world.run() == .finished)
    #expect(Set(sizes).count > 1)
    try check()
  }

  /// The playhead goes back into media that is there, which was played and is played again.
  @Test(arguments: settings, [false, true])
  func `what is played again after a seek counts again`(setting: Setting, isFar: Bool) throws {
    var random = RandomStream(seed: UInt64(setting.duration), name: "seeks back")
    let world = try Self.world(setting)
    let player = world.makePlayer()
    player.replaceCurrentItem(with: try Self.item(setting))
    player.play()
    for _ in 0..<12 {
      world.advance(by: .milliseconds(random.next(in: 900...11_000)))
      let here = player.currentTime().nanoseconds / 1_000_000
      try player.seek(
        to: .milliseconds(
          isFar
            ? random.next(in: 0...(setting.duration * 1_000 - 500))
            : max(0, here - random.next(in: 100...9_000))))
    }
    #expect(world.run() == .finished)
    let indicators = player.indicators
    let media = indicators.playedVariants.reduce(0) { $0 + $1.media.nanoseconds }
    #expect(abs(media - indicators.durationWatched.nanoseconds) < 100)
    #expect(indicators.playedVariants.count > 1)
    #expect(player.books.played.nanoseconds == indicators.durationWatched.nanoseconds)
  }

  /// Segments of 100,001 bytes of pictures for 16 s, and of 2,000 bytes of sound: of 51,000.5 bits
  /// a second the half is rounded up.
  @Test func `the bits of pictures and sound in a second are rounded to the nearest`() throws {
    let ladder = LadderDescription(
      rungs: [
        LadderRung(
          resolution: nil, bitRate: 50_001, segmentBytes: Array(repeating: 100_001, count: 4))
      ], audio: [LadderAudio(name: "stereo", bitRate: 1_000)], segmentDuration: .seconds(16),
      duration: .seconds(64))
    let presentation = StreamTests.weightless(try Presentation(ladder))
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(bandwidth: .limited(.kilobitsPerSecond(816)))))
    let player = world.makePlayer()
    player.replaceCurrentItem(
      with: ItemSettings(source: .stream(StreamSettings(presentation: presentation))))
    player.play()
    #expect(player.indicators.averageBitrate == nil)
    // A segment of each takes a second and eight microseconds to come.
    for (seconds, played) in [(9, 8), (21, 20), (90, 64)] as [(Int64, Int64)] {
      world.advance(to: .zero + .seconds(seconds) + .microseconds(10))
      let indicators = player.indicators
      #expect(indicators.averageBitrate == 51_001)
      let media = indicators.playedVariants.map(\.media.nanoseconds)
      #expect(media.count == 1 && media[0] / 1_000_000_000 == played)
      let attributes = presentation.variants[0].attributes
      #expect(indicators.playedVariants.map(\.bitRate) == [attributes.bandwidth])
      #expect(indicators.playedVariants.map(\.nominal) == [attributes.nominalBandwidth])
      #expect(indicators.timeWeightedIndicatedBitrate == attributes.bandwidth)
      #expect(indicators.shownVariants.map(\.variant) == [0])
      let start = indicators.shownVariants[0].start - Instant.zero
      #expect(start == player.books.startupDelay)
      #expect(start > .seconds(1) && start < .seconds(1) + .microseconds(20))
    }
  }
}
