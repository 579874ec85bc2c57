import SimulatedWorld
import TestSupport
import Testing

/// What lies past an item's out point is not loaded; then the next item loads.
///
/// Every figure is held against one that was worked out without a player: bytes from the byte map
/// or the grid of segments, gaps from the times at which transfers end.
@Suite struct OutPointTests {
  /// A scene of a movie, in milliseconds.
  struct Scene {
    var start: Int64
    var end: Int64

    var length: Int64 { end - start }
  }

  struct Setting: CustomTestStringConvertible {
    /// In kbit/s.
    var link: Int64
    var media: Int64
    /// A round trip, in milliseconds.
    var roundTrip: Int64
    /// In milliseconds; of a stream.
    var segment: Int64
    var scenes: [Scene]

    init(
      _ link: Int64, _ media: Int64, roundTrip: Int64, segment: Int64,
      _ scenes: [(Int64, Int64)]
    ) {
      self.link = link
      self.media = media
      self.roundTrip = roundTrip
      self.segment = segment
      self.scenes = scenes.map { Scene(start: $0.0, end: $0.1) }
    }

    var testDescription: String { "\(media) kbit/s on \(link) kbit/s, \(segment) ms" }
  }

  static let settings = [
    Setting(8_000, 2_000, roundTrip: 100, segment: 6_000, [(0, 10_000), (30_000, 40_000)]),
    Setting(4_000, 1_000, roundTrip: 0, segment: 2_000, [(6_000, 13_000), (24_000, 35_000)]),
    Setting(20_000, 1_000, roundTrip: 40, segment: 6_000, [(48_000, 57_000), (6_000, 13_000)]),
    Setting(3_000, 1_500, roundTrip: 60, segment: 1_000, [(500, 9_250), (20_100, 31_900)]),
    Setting(2_500, 2_000, roundTrip: 80, segment: 4_000, [(8_000, 20_000), (40_000, 52_000)]),
    Setting(2_200, 2_000, roundTrip: 200, segment: 5_000, [(0, 5_000), (10_000, 15_000)]),
    Setting(1_000, 900, roundTrip: 300, segment: 3_000, [(1_000, 4_000), (9_000, 12_000)]),
    Setting(50_000, 5_000, roundTrip: 20, segment: 10_000, [(12_345, 23_456), (34_567, 45_678)]),
    Setting(6_000, 3_000, roundTrip: 150, segment: 2_500, [(2_500, 5_000), (7_500, 10_000)]),
    Setting(9_000, 3_000, roundTrip: 10, segment: 7_000, [(0, 3_000), (20_000, 24_000)]),
    Setting(
      8_000, 2_000, roundTrip: 50, segment: 2_000, [(0, 4_000), (20_000, 24_000), (8_000, 12_000)]),
  ]

  private static func link(_ setting: Setting) -> LinkConditions {
    let half = TimeSpan.microseconds(500 * setting.roundTrip)
    return LinkConditions(
      downlink: DirectionConditions(
        bandwidth: .limited(.kilobitsPerSecond(setting.link)), delay: half),
      uplink: DirectionConditions(delay: half))
  }

  private static func source(_ setting: Setting, isStream: Bool) throws -> MediaSource {
    if !isStream {
      return .progressive(
        MediaFile(duration: .seconds(60), bitRate: .kilobitsPerSecond(setting.media)))
    }
    let rung = LadderRung(resolution: nil, bitRate: setting.media * 1_000)
    let ladder = LadderDescription(
      rungs: [rung], segmentDuration: .milliseconds(setting.segment), duration: .seconds(60))
    var presentation = try Presentation(ladder)
    presentation.playlistBytes = 0
    for list in presentation.lists.indices { presentation.lists[list].playlistBytes = 0 }
    return .stream(StreamSettings(presentation: presentation))
  }

  /// A queue of the scenes of one asset, played to its end.
  private final class Session {
    let world: World
    let player: SimulatedQueuePlayer
    var gaps: [TimeSpan] = []

    init(_ setting: Setting, isStream: Bool, fidelity: Fidelity) throws {
      world = try World(
        conditions: link(setting), fidelity: fidelity, seed: 5,
        limits: RunLimits(horizon: .seconds(300)))
      player = world.makeQueuePlayer()
      player.observe { [unowned self] record in
        if case .itemTransition(let transition) = record.observation {
          gaps.append(transition.gap)
        }
      }
      let asset = world.makeAsset()
      let source = try source(setting, isStream: isStream)
      try player.insert(
        setting.scenes.map { scene in
          SimulatedPlayerItem(
            ItemSettings(
              source: source, forwardPlaybackEndTime: .milliseconds(scene.end),
              startTime: .milliseconds(scene.start), asset: asset))
        })
      player.play()
    }
  }

  // MARK: Worked out without a player

  /// What is loaded of a scene, in pieces that come one after the other, each in its own request.
  private static func pieces(_ scene: Scene, _ setting: Setting, isStream: Bool) -> [Int64] {
    if isStream {
      let first = scene.start / setting.segment
      let past = (scene.end + setting.segment - 1) / setting.segment
      return (first..<past).map { index in
        let end = min(60_000, (index + 1) * setting.segment)
        return (end - index * setting.segment) * setting.media / 8
      }
    }
    // kbit/s times ms are bits.
    let first = scene.start * setting.media / 8
    let past = (scene.end * setting.media + 7) / 8
    return [past - first]
  }

  /// What was played before each scene began: from the times at which pieces have come.
  ///
  /// A file plays while its bytes come in, on a link that is faster than it; a segment of a stream
  /// plays when it is whole, and its scene begins as soon as no segment of it will be late.
  private static func expectedGaps(_ setting: Setting, isStream: Bool) -> [Double] {
    let trip = Double(setting.roundTrip) * 1e6
    func transfer(_ bytes: Int64) -> Double { Double(bytes) * 8e6 / Double(setting.link) }
    // A stream reads two playlists before, once for all.
    var free = isStream ? 2 * trip : 0
    var ended: Double?
    var gaps: [Double] = []
    for scene in setting.scenes {
      let pieces = pieces(scene, setting, isStream: isStream)
      var begins = free + trip + transfer(isStream ? pieces[0] : 1)
      var offset = 0.0
      for (number, piece) in pieces.enumerated() {
        free += trip + transfer(piece)
        if isStream { begins = max(begins, free - offset) }
        let (start, end) =
          isStream
          ? span(of: Int64(number), scene, setting.segment) : (scene.start, scene.end)
        offset += Double(end - start) * 1e6
      }
      if let ended {
        gaps.append(max(0, begins - ended))
        begins = max(begins, ended)
      }
      ended = begins + offset
    }
    return gaps
  }

  /// What of a segment is played, in milliseconds of the movie.
  private static func span(of number: Int64, _ scene: Scene, _ length: Int64) -> (Int64, Int64) {
    let index = scene.start / length + number
    return (max(scene.start, index * length), min(scene.end, (index + 1) * length))
  }

  @Test(arguments: Seeds.pairs(of: settings, and: [false, true]))
  func `scenes load up to their out points, and follow each other as soon as they can`(
    setting: Setting, isStream: Bool
  ) throws {
    let session = try Session(setting, isStream: isStream, fidelity: .fluid)
    #expect(session.world.run() == .finished)
    let bytes = setting.scenes.flatMap { Self.pieces($0, setting, isStream: isStream) }
      .reduce(0, +)
    #expect(session.player.core.bytesTransferred(at: session.world.now) == bytes)
    let expected = Self.expectedGaps(setting, isStream: isStream)
    #expect(session.player.books.stallCount == 0)
    #expect(session.gaps.count == expected.count)
    for (gap, expected) in zip(session.gaps, expected) {
      #expect(abs(Double(gap.nanoseconds) - expected) < 20_000, "\(gap), not \(expected) ns")
    }
    #expect(session.world.finish() == [])
  }

  @Test(arguments: Seeds.pairs(of: settings, and: [false, true]))
  func `the same bytes come in packets, without a gap where the link is fast enough`(
    setting: Setting, isStream: Bool
  ) throws {
    let session = try Session(setting, isStream: isStream, fidelity: .tcp)
    #expect(session.world.run() == .finished)
    let bytes = setting.scenes.flatMap { Self.pieces($0, setting, isStream: isStream) }
      .reduce(0, +)
    #expect(session.player.core.bytesTransferred(at: session.world.now) == bytes)
    if setting.link >= 4 * setting.media, setting.roundTrip <= 100 {
      #expect(session.gaps.allSatisfy { $0 == .zero }, "\(session.gaps)")
    }
    #expect(session.world.finish() == [])
  }
}

// MARK: - An out point that moves

extension OutPointTests {
  /// 60 s of 1 Mbit/s alone on 4 Mbit/s, without delay; the out point is at 20 s.
  private func player(isStream: Bool, end: Int64?) throws -> (World, SimulatedPlayer) {
    let setting = Setting(4_000, 1_000, roundTrip: 0, segment: 4_000, [])
    let world = try World(conditions: Self.link(setting))
    let player = world.makePlayer()
    player.replaceCurrentItem(
      with: ItemSettings(
        source: try Self.source(setting, isStream: isStream),
        forwardPlaybackEndTime: end.map { .seconds($0) }))
    return (world, player)
  }

  private func loaded(_ player: SimulatedPlayer) -> Int64 {
    player.core.bytesTransferred(at: player.world.now) / 125_000
  }

  @Test(arguments: [false, true])
  func `one that moves back while loading stops it there`(isStream: Bool) throws {
    let (world, player) = try player(isStream: isStream, end: nil)
    player.play()
    // Four seconds of media come in a second.
    world.advance(by: .milliseconds(1_500))
    player.forwardPlaybackEndTime = .seconds(10)
    #expect(world.run() == .finished)
    #expect(loaded(player) == (isStream ? 12 : 10))
    #expect(player.currentTime() == .seconds(10))
    #expect(world.finish() == [])
  }

  @Test(arguments: [false, true])
  func `one that moves back behind what is loaded stops it at once`(isStream: Bool) throws {
    let (world, player) = try player(isStream: isStream, end: nil)
    player.play()
    world.advance(by: .milliseconds(2_500))
    player.forwardPlaybackEndTime = .seconds(6)
    // Of a stream half a segment was under way, and is given up.
    #expect(loaded(player) == 10)
    #expect(world.run() == .finished)
    #expect(loaded(player) == 10)
    #expect(player.currentTime() == .seconds(6))
    #expect(world.finish() == [])
  }

  @Test(arguments: [false, true])
  func `one that moves on lets loading go on`(isStream: Bool) throws {
    let (world, player) = try player(isStream: isStream, end: 20)
    player.play()
    world.advance(by: .seconds(10))
    #expect(loaded(player) == 20)
    #expect(player.core.isPlaybackBufferFull)
    player.forwardPlaybackEndTime = .seconds(30)
    #expect(!player.core.isPlaybackBufferFull)
    #expect(world.run() == .finished)
    #expect(loaded(player) == (isStream ? 32 : 30))
    #expect(player.books.stallCount == 0)
    #expect(player.currentTime() == .seconds(30))
    #expect(world.finish() == [])
  }

  @Test(arguments: [false, true])
  func `one that is taken away lets everything come in`(isStream: Bool) throws {
    let (world, player) = try player(isStream: isStream, end: 20)
    player.play()
    world.advance(by: .seconds(15))
    player.forwardPlaybackEndTime = nil
    #expect(world.run() == .finished)
    #expect(loaded(player) == 60)
    #expect(player.books.mediaAdvanced == .seconds(60))
    #expect(world.finish() == [])
  }

  /// The item after the current one shares its file, and comes first again with nothing lost.
  @Test func `one that moves on comes before the next item of the same file`() throws {
    let setting = Setting(1_200, 1_000, roundTrip: 0, segment: 4_000, [])
    let world = try World(conditions: Self.link(setting))
    let player = world.makeQueuePlayer()
    let asset = world.makeAsset()
    let source = try Self.source(setting, isStream: false)
    try player.insert(
      [(0, 10), (40, 50)].map { start, end in
        SimulatedPlayerItem(
          ItemSettings(
            source: source, forwardPlaybackEndTime: .seconds(end), startTime: .seconds(start),
            asset: asset))
      })
    player.play()
    // 10 s of media have come after 8.333 s; the next item has begun to load.
    world.advance(by: .seconds(9))
    #expect(player.core.isLoadingAhead)
    player.forwardPlaybackEndTime = .seconds(20)
    #expect(!player.core.isLoadingAhead)
    #expect(world.run() == .finished)
    #expect(loaded(player) == 30)
    #expect(player.books.stallCount == 0)
    #expect(world.finish() == [])
  }

  /// What was being loaded for an item that leaves the queue is given up.
  @Test func `what nobody wants any more does not come`() throws {
    let setting = Setting(1_000, 1_000, roundTrip: 0, segment: 4_000, [])
    let world = try World(conditions: Self.link(setting))
    let player = world.makeQueuePlayer()
    let asset = world.makeAsset()
    let source = try Self.source(setting, isStream: false)
    let items = [(0, 4), (20, 30), (40, 44)].map { start, end in
      SimulatedPlayerItem(
        ItemSettings(
          source: source, forwardPlaybackEndTime: .seconds(end), startTime: .seconds(start),
          asset: asset))
    }
    try player.insert(items)
    player.play()
    world.advance(by: .seconds(6))
    #expect(loaded(player) == 6)
    player.remove(items[1])
    #expect(world.run() == .finished)
    #expect(loaded(player) == 10)
    #expect(world.finish() == [])
  }
}
