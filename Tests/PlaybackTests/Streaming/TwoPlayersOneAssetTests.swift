import SimulatedWorld
import TestSupport
import Testing

/// One asset at two players: what it needs comes once, whoever asks for it first.
@Suite struct TwoPlayersOneAssetTests {
  struct Setting: Sendable, CustomTestStringConvertible {
    /// In kbit/s.
    var link: Int64
    var segment: Int64
    /// When the second player gets its item, in milliseconds.
    var second: Int64
    var delay: Int64 = 20
    var hasAudio = false
    var key: PlainStream.Key?
    var fidelity = Fidelity.fluid
    /// When the first player gives its item up; nil for never.
    var leaves: Int64?
    /// How many requests are made twice, since whoever made them gave them up.
    var again = 0

    var testDescription: String { "\(segment) s on \(link) kbit/s at \(second), \(fidelity)" }
  }

  static let settings = [
    // Together, while the playlist is under way, and long after.
    Setting(link: 6_000, segment: 6, second: 0),
    Setting(link: 6_000, segment: 6, second: 500, delay: 700),
    Setting(link: 6_000, segment: 4, second: 9_000),
    Setting(link: 8_000, segment: 2, second: 0, hasAudio: true, key: .announced),
    Setting(link: 8_000, segment: 3, second: 1_700, delay: 600, hasAudio: true, key: .preloaded),
    Setting(link: 20_000, segment: 5, second: 100, delay: 120, key: .unannounced),
    Setting(link: 6_000, segment: 6, second: 0, fidelity: .tcp),
    Setting(link: 9_000, segment: 4, second: 250, hasAudio: true, fidelity: .tcp),
    Setting(link: 7_000, segment: 2, second: 3_000, key: .announced, fidelity: .tcp),
    // Whoever has it under way leaves: before the other came, and after.
    Setting(link: 6_000, segment: 6, second: 300, delay: 700, leaves: 900, again: 1),
    Setting(link: 6_000, segment: 6, second: 0, delay: 400, leaves: 1_000, again: 1),
    Setting(link: 6_000, segment: 6, second: 100, leaves: 8_000),
    Setting(link: 6_000, segment: 4, second: 0, delay: 500, fidelity: .tcp, leaves: 4_000),
  ]

  private func source(_ setting: Setting, bitRate: Int64 = 800_000) throws -> MediaSource {
    try PlainStream.source(
      segment: setting.segment, bitRate: bitRate, hasAudio: setting.hasAudio, key: setting.key)
  }

  @Test(arguments: Seeds.cases(of: settings))
  func `each playlist and each key is asked for once, and both play`(setting: Setting) throws {
    let direction = DirectionConditions(delay: .milliseconds(setting.delay))
    var downlink = direction
    downlink.bandwidth = .limited(.kilobitsPerSecond(setting.link))
    let world = try World(
      conditions: LinkConditions(downlink: downlink, uplink: direction),
      fidelity: setting.fidelity, seed: 4, limits: RunLimits(horizon: .seconds(200)))
    let players = [world.makePlayer(), world.makePlayer()]
    var (shared, media) = (0, 0)
    for player in players {
      player.observe { record in
        guard case .resourceRequested(_, let kind, _, _) = record.observation else { return }
        if kind == .mediaSegment { media += 1 } else { shared += 1 }
      }
    }
    let settings = ItemSettings(source: try source(setting), asset: world.makeAsset())
    var steps = [
      (Int64(0), { players[0].replaceCurrentItem(with: settings) }),
      (setting.second, { players[1].replaceCurrentItem(with: settings) }),
    ]
    if let leaves = setting.leaves {
      steps.append((leaves, { players[0].replaceCurrentItem(with: nil) }))
    }
    for player in players { player.play() }
    for (instant, act) in steps {
      world.advance(to: .zero + .milliseconds(instant))
      act()
    }
    if setting.leaves != nil { players[0].pause() }
    #expect(world.run() == .finished)
    let once = 1 + (setting.hasAudio ? 2 : 1) + (setting.key == nil ? 0 : 1)
    #expect(shared == once + setting.again)
    let segments = Int((23 + setting.segment) / setting.segment) * (setting.hasAudio ? 2 : 1)
    if setting.leaves == nil { #expect(media == 2 * segments) } else { #expect(media >= segments) }
    for player in setting.leaves == nil ? players : [players[1]] {
      #expect(player.currentTime() == .seconds(24))
      #expect(player.books.stallCount == 0)
    }
    #expect(world.finish() == [])
  }

  /// What is one player's own, as all that a scenario names, is nobody else's.
  @Test func `an asset with a number of its own is a player's`() throws {
    let world = try World(conditions: Bench.conditions(6_000))
    let players = [world.makePlayer(), world.makePlayer()]
    var masters = 0
    for player in players {
      player.observe { record in
        if case .resourceRequested(_, .multivariantPlaylist, _, _) = record.observation {
          masters += 1
        }
      }
      player.replaceCurrentItem(
        with: ItemSettings(source: try source(Self.settings[0]), asset: AssetID(rawValue: 7)))
      player.play()
    }
    #expect(world.run() == .finished)
    #expect(masters == 2)
  }

  /// Of a live stream too each playlist is read once for both, each time it is due.
  @Test func `two players read a live playlist once`() throws {
    let live = LiveStream(window: .sliding(.seconds(36)), startsWith: .seconds(63))
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 1_000_000)], segmentDuration: .seconds(6),
      duration: .seconds(600))
    let source = MediaSource.stream(
      StreamSettings(presentation: try Presentation(ladder), live: live))
    var reads: [Int] = []
    for count in 1...2 {
      let world = try World(conditions: Bench.conditions(16_000, delay: .milliseconds(20)))
      let asset = world.makeAsset()
      var read = 0
      let players = (0..<count).map { _ in world.makePlayer() }
      for player in players {
        player.observe { record in
          if case .resourceRequested(_, .mediaPlaylist, _, _) = record.observation { read += 1 }
        }
        player.replaceCurrentItem(with: ItemSettings(source: source, asset: asset))
        player.play()
      }
      world.advance(by: .seconds(120))
      for player in players {
        #expect(player.timebaseRate == .normal)
        #expect(player.books.stallCount == 0)
      }
      reads.append(read)
    }
    #expect(reads[0] > 15 && reads[0] == reads[1], "\(reads)")
  }
}
