import SimulatedWorld
import Testing

/// One asset: each playlist, each key and each initialization section comes once, however many
/// items, loopers and look-aheads use it.
@Suite struct SharedAssetTests {
  struct Setting: CustomTestStringConvertible {
    /// How many items stand in the queue; nil for a looper with three copies.
    var items: Int?
    var scene: Range<Int64>?
    var segment: Int64
    /// In kbit/s.
    var link: Int64
    var hasAudio = false
    var key: PlainStream.Key?
    var fidelity = Fidelity.fluid
    var loadsValues = false

    var testDescription: String {
      "\(items.map { "\($0) items" } ?? "a looper") of \(segment) s on \(link) kbit/s, \(fidelity)"
    }
  }

  static let settings = [
    Setting(items: 2, segment: 6, link: 4_000),
    Setting(items: 3, scene: 6..<13, segment: 6, link: 20_000, hasAudio: true),
    Setting(items: nil, scene: 0..<9, segment: 2, link: 8_000, key: .unannounced),
    Setting(items: nil, segment: 4, link: 3_000, hasAudio: true, key: .announced),
    Setting(items: 5, scene: 3..<4, segment: 1, link: 2_500, key: .preloaded),
    Setting(items: 4, scene: 5..<12, segment: 5, link: 1_200, hasAudio: true, key: .preloaded),
    Setting(items: 2, segment: 6, link: 4_000, hasAudio: true, fidelity: .tcp),
    Setting(items: nil, scene: 2..<8, segment: 3, link: 6_000, key: .announced, fidelity: .tcp),
    Setting(
      items: 3, scene: 1..<20, segment: 10, link: 9_000, key: .unannounced, loadsValues: true),
    Setting(items: 8, scene: 7..<8, segment: 2, link: 50_000, hasAudio: true, key: .announced),
    Setting(items: 1, segment: 6, link: 4_000, hasAudio: true, key: .preloaded, loadsValues: true),
  ]

  private func source(_ setting: Setting) throws -> MediaSource {
    try PlainStream.source(
      segment: setting.segment, hasAudio: setting.hasAudio, key: setting.key)
  }

  @Test(arguments: settings)
  func `each playlist and each key is asked for once`(setting: Setting) throws {
    let direction = DirectionConditions(delay: .milliseconds(20))
    var downlink = direction
    downlink.bandwidth = .limited(.kilobitsPerSecond(setting.link))
    let world = try World(
      conditions: LinkConditions(downlink: downlink, uplink: direction),
      fidelity: setting.fidelity, seed: 6, limits: RunLimits(horizon: .seconds(200)))
    let player = world.makeQueuePlayer()
    var requests: [ResourceKind: Int] = [:]
    var media = 0
    player.observe { record in
      guard case .resourceRequested(_, let kind, _, _) = record.observation else { return }
      if kind == .mediaSegment { media += 1 } else { requests[kind, default: 0] += 1 }
    }
    let settings = ItemSettings(
      source: try source(setting),
      forwardPlaybackEndTime: setting.scene.map { .seconds($0.upperBound) },
      startTime: setting.scene.map { .seconds($0.lowerBound) }, asset: world.makeAsset())
    if setting.loadsValues {
      player.loadValues(of: settings)
      world.advance(by: .seconds(1))
    }
    var looper: SimulatedPlayerLooper?
    if let count = setting.items {
      try player.insert((0..<count).map { _ in SimulatedPlayerItem(settings) })
      player.play()
      #expect(world.run() == .finished)
    } else {
      looper = try SimulatedPlayerLooper(player: player, templateItem: settings)
      player.play()
      world.advance(by: .seconds(60))
      #expect((looper?.loopCount ?? 0) >= 2)
      looper?.disableLooping()
      #expect(world.run() == .finished)
    }
    #expect(requests[.multivariantPlaylist] == 1)
    #expect(requests[.mediaPlaylist] == (setting.hasAudio ? 2 : 1))
    #expect(requests[.contentKey] == (setting.key == nil ? nil : 1))
    // Segments are each item's own.
    let scene = setting.scene ?? 0..<24
    let segments = Int(
      (scene.upperBound + setting.segment - 1) / setting.segment - scene.lowerBound
        / setting.segment)
    let items = setting.items ?? 0
    if items > 0 { #expect(media == items * segments * (setting.hasAudio ? 2 : 1)) }
    #expect(world.finish() == [])
  }

  @Test func `two assets of the same stream are two`() throws {
    let setting = Self.settings[0]
    let world = try World(conditions: Bench.conditions(4_000))
    let player = world.makeQueuePlayer()
    var masters = 0
    player.observe { record in
      if case .resourceRequested(_, .multivariantPlaylist, _, _) = record.observation {
        masters += 1
      }
    }
    let source = try source(setting)
    try player.insert(
      (0..<3).map { _ in
        SimulatedPlayerItem(ItemSettings(source: source, asset: world.makeAsset()))
      })
    player.play()
    #expect(world.run() == .finished)
    #expect(masters == 3)
  }

  /// A playlist that is under way for an item that leaves goes on for the next of the same asset.
  @Test func `what is under way for an item that leaves comes for the next`() throws {
    let world = try World(conditions: Bench.conditions(4_000, delay: .seconds(1)))
    let player = world.makeQueuePlayer()
    var requests: [ResourceKind] = []
    var cancelled = 0
    player.observe { record in
      switch record.observation {
      case .resourceRequested(_, let kind, _, _): requests.append(kind)
      case .requestCancelled: cancelled += 1
      default: break
      }
    }
    let settings = ItemSettings(source: try source(Self.settings[0]), asset: world.makeAsset())
    try player.insert((0..<2).map { _ in SimulatedPlayerItem(settings) })
    player.play()
    world.advance(by: .milliseconds(500))
    player.advanceToNextItem()
    #expect(world.run() == .finished)
    #expect(requests.count { $0 == .multivariantPlaylist } == 1)
    #expect(cancelled == 0)
    #expect(player.books.mediaAdvanced == .seconds(24))
    #expect(world.finish() == [])
  }

  /// The queue goes to another asset and back: what is under way is given up, and asked for again.
  @Test func `what is under way for nobody is given up`() throws {
    let world = try World(conditions: Bench.conditions(4_000, delay: .seconds(1)))
    let player = world.makeQueuePlayer()
    let shared = ItemSettings(source: try source(Self.settings[0]), asset: world.makeAsset())
    let other = ItemSettings(source: try source(Self.settings[2]), asset: world.makeAsset())
    try player.insert([shared, other, shared].map { SimulatedPlayerItem($0) })
    player.play()
    world.advance(by: .milliseconds(500))
    player.advanceToNextItem()
    #expect(world.run() == .finished)
    #expect(player.books.mediaAdvanced == .seconds(48))
    #expect(world.finish() == [])
  }
}
