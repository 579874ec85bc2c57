import SimulatedWorld
import TestSupport
import Testing

/// An item in place of another of the same asset: what both need is there, or goes on coming.
@Suite struct ReplacedItemTests {
  struct Setting: Sendable, CustomTestStringConvertible {
    /// In kbit/s.
    var link: Int64
    var segment: Int64
    /// When items take the place of the one before, in milliseconds.
    var replaced: [Int64]
    var delay: Int64 = 20
    var hasAudio = false
    var key: PlainStream.Key?
    var fidelity = Fidelity.fluid
    /// Whether the player has a queue.
    var hasQueue = false
    /// Whether one of another asset comes between.
    var passesAnother = false

    var testDescription: String { "\(segment) s on \(link) kbit/s at \(replaced), \(fidelity)" }
  }

  static let settings = [
    Setting(link: 4_000, segment: 6, replaced: [5_000]),
    // Before the multivariant playlist is there, and before the media playlist is.
    Setting(link: 4_000, segment: 6, replaced: [500], delay: 800),
    Setting(link: 4_000, segment: 4, replaced: [2_400, 3_000], delay: 900, hasAudio: true),
    Setting(link: 9_000, segment: 2, replaced: [1, 2, 3, 9_000], key: .announced),
    Setting(link: 2_500, segment: 3, replaced: [7_000, 19_000], hasAudio: true, key: .preloaded),
    Setting(link: 20_000, segment: 5, replaced: [300, 600], delay: 120, key: .unannounced),
    Setting(link: 4_000, segment: 6, replaced: [4_000], fidelity: .tcp),
    Setting(link: 6_000, segment: 4, replaced: [250, 9_000], hasAudio: true, fidelity: .tcp),
    Setting(
      link: 3_000, segment: 2, replaced: [700, 5_000], delay: 300, key: .announced,
      fidelity: .tcp),
    Setting(link: 4_000, segment: 6, replaced: [3_000, 8_000], hasQueue: true),
    Setting(link: 5_000, segment: 6, replaced: [500], delay: 700, hasAudio: true, hasQueue: true),
    Setting(link: 8_000, segment: 3, replaced: [4_000, 8_000], passesAnother: true),
    Setting(
      link: 8_000, segment: 3, replaced: [6_000, 12_000], key: .preloaded, fidelity: .tcp,
      passesAnother: true),
  ]

  private func source(_ setting: Setting, bitRate: Int64 = 800_000) throws -> MediaSource {
    try PlainStream.source(
      segment: setting.segment, bitRate: bitRate, hasAudio: setting.hasAudio, key: setting.key)
  }

  private func world(_ setting: Setting) throws -> World {
    let direction = DirectionConditions(delay: .milliseconds(setting.delay))
    var downlink = direction
    downlink.bandwidth = .limited(.kilobitsPerSecond(setting.link))
    return try World(
      conditions: LinkConditions(downlink: downlink, uplink: direction),
      fidelity: setting.fidelity, seed: 9, limits: RunLimits(horizon: .seconds(200)))
  }

  @Test(arguments: Seeds.cases(of: settings))
  func `each playlist and each key is asked for once, whoever takes whose place`(
    setting: Setting
  ) throws {
    let world = try world(setting)
    let player = setting.hasQueue ? world.makeQueuePlayer() : world.makePlayer()
    var requests: [ResourceKind: Int] = [:]
    player.observe { record in
      guard case .resourceRequested(_, let kind, _, _) = record.observation else { return }
      requests[kind, default: 0] += 1
    }
    let settings = ItemSettings(source: try source(setting), asset: world.makeAsset())
    let other = ItemSettings(
      source: try source(setting, bitRate: 600_000), asset: world.makeAsset())
    try player.makeCurrent(SimulatedPlayerItem(settings))
    player.play()
    for (index, instant) in setting.replaced.enumerated() {
      world.advance(to: .zero + .milliseconds(instant))
      let passes = setting.passesAnother && index.isMultiple(of: 2)
      try player.makeCurrent(SimulatedPlayerItem(passes ? other : settings))
    }
    #expect(world.run() == .finished)
    let assets = setting.passesAnother ? 2 : 1
    #expect(requests[.multivariantPlaylist] == assets)
    #expect(requests[.mediaPlaylist] == assets * (setting.hasAudio ? 2 : 1))
    #expect(requests[.contentKey] == setting.key.map { _ in assets })
    // A queue gives the last item up when it has ended.
    #expect(setting.hasQueue ? player.currentItem == nil : player.currentTime() == .seconds(24))
    #expect(world.finish() == [])
  }

  /// A file is read on, not anew: what is there of it is there for the next item.
  @Test(
    arguments: Seeds.pairs(
      of: [(2_000, 3_000), (4_000, 500), (1_500, 9_000), (9_000, 100)] as [(Int64, Int64)],
      and: [Fidelity.fluid, .tcp]))
  func `a file is loaded once, whoever takes whose place`(
    setting: (link: Int64, instant: Int64), fidelity: Fidelity
  ) throws {
    let world = try World(conditions: Bench.conditions(setting.link), fidelity: fidelity)
    let player = world.makePlayer()
    var requests = 0
    player.observe { record in
      if case .requestStarted = record.observation { requests += 1 }
    }
    var settings = Bench.item(duration: .seconds(30))
    settings.asset = world.makeAsset()
    try player.makeCurrent(SimulatedPlayerItem(settings))
    player.play()
    world.advance(by: .milliseconds(setting.instant))
    try player.makeCurrent(SimulatedPlayerItem(settings))
    #expect(world.run() == .finished)
    #expect(requests == 1)
    #expect(player.currentTime() == .seconds(30))
    #expect(world.finish() == [])
  }
}
