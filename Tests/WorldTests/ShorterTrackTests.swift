import SimulatedPlayback
import SimulatedWorld
import StreamingMedia
import Testing

/// Playlists that end before the longest, and segments that no server has: playback goes on with
/// what the others bring.
@Suite struct ShorterTrackTests {
  struct Setting: Sendable, CustomTestStringConvertible {
    /// The lengths of the segments of pictures and of sound, in milliseconds.
    var pictures: [Int64]
    var sound: [Int64]
    /// Into what a seek goes after three seconds, in milliseconds.
    var seek: Int64?
    var rate = PlaybackRate.normal
    var fidelity = Fidelity.fluid

    var testDescription: String {
      "\(pictures), \(sound), \(seek.map { "\($0)" } ?? "no seek"), \(fidelity)"
    }
  }

  private static func list(
    _ uri: String, _ lengths: [Int64], bitRate: Int64, keys: [EncryptionKey] = []
  ) -> SegmentList {
    var place = MediaTime.zero
    let segments = lengths.indices.map { index in
      defer { place = place + .milliseconds(lengths[index]) }
      return MediaSegment(
        start: place, duration: .milliseconds(lengths[index]),
        bytes: bitRate / 8 * lengths[index] / 1_000,
        key: keys.isEmpty ? nil : index % keys.count)
    }
    return SegmentList(
      uri: uri, segments: segments, naming: .listed(segments.indices.map { "\(uri)-\($0)" }),
      keys: keys, targetDuration: .seconds(8))
  }

  /// A variant of 800 kbit/s with sound of 100 kbit/s beside it.
  private static func presentation(_ setting: Setting) throws -> Presentation {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 800_000)],
      audio: [LadderAudio(name: "stereo", bitRate: 100_000)], segmentDuration: .seconds(4),
      duration: .seconds(20))
    var presentation = StreamTests.weightless(try Presentation(ladder))
    presentation.lists = [
      list(presentation.lists[0].uri, setting.pictures, bitRate: 800_000),
      list(presentation.lists[1].uri, setting.sound, bitRate: 100_000),
    ]
    return presentation
  }

  static let whole = [Int64](repeating: 4_000, count: 5)

  static let settings = [
    Setting(pictures: whole, sound: [Int64](repeating: 3_989, count: 5)),
    Setting(pictures: whole, sound: [4_011, 3_989, 4_011, 3_989, 3_999]),
    Setting(pictures: whole, sound: [4_000, 4_000, 4_000]),
    Setting(pictures: whole, sound: [6_000, 6_000, 6_000, 1_500]),
    Setting(pictures: whole, sound: whole + [37]),
    Setting(pictures: [2_002, 2_002, 2_002, 2_002, 2_002], sound: [2_000, 2_000, 6_000]),
    Setting(pictures: whole, sound: [Int64](repeating: 3_989, count: 5), seek: 19_990),
    Setting(pictures: whole, sound: [4_000, 4_000, 4_000], seek: 13_500),
    Setting(pictures: whole, sound: [4_000, 4_000], rate: PlaybackRate(2)),
    Setting(pictures: whole, sound: [Int64](repeating: 3_989, count: 5), fidelity: .tcp),
    Setting(pictures: [4_000, 4_000, 4_000, 4_000, 3_950], sound: [7_900, 8_000], fidelity: .tcp),
  ]

  @Test(arguments: settings)
  func `sound that ends before the pictures lets them play to their end`(
    setting: Setting
  ) throws {
    let down = DirectionConditions(
      bandwidth: .limited(.kilobitsPerSecond(3_000)), delay: .milliseconds(40))
    let world = try World(
      conditions: LinkConditions(
        downlink: down, uplink: DirectionConditions(delay: .milliseconds(40))),
      fidelity: setting.fidelity)
    let player = world.makePlayer()
    let presentation = try Self.presentation(setting)
    player.replaceCurrentItem(
      with: ItemSettings(source: .stream(StreamSettings(presentation: presentation))))
    player.rate = setting.rate
    if let place = setting.seek {
      world.advance(by: .seconds(3))
      try player.seek(to: .milliseconds(place))
    }
    #expect(world.run() == .finished)
    let length = MediaTime.milliseconds(setting.pictures.reduce(0, +))
    #expect(player.currentTime() == length)
    #expect(player.books.stallCount == 0)
    if setting.seek == nil {
      #expect(player.books.played.nanoseconds == setting.rate.span(toPlay: length).nanoseconds)
      let moved = setting.rate.span(toPlay: length)
      #expect(world.now - .zero == player.books.startupDelay.map { $0 + moved })
    }
    #expect(world.finish() == [])
  }

  @Test(
    arguments: [
      ([4_000, 4_000, 4_000, 4_000, 4_000], [3_970, 3_970, 3_970, 3_970, 3_970]),
      ([4_000, 4_000, 4_000, 4_000, 4_000], [4_000, 4_000, 4_000, 4_000, 4_000, 4_000]),
      ([6_000, 6_000], [6_000, 6_000, 3_000]), ([5_000, 5_000], [5_000, 4_999]),
    ] as [([Int64], [Int64])])
  func `a variant that ends before another stops nothing`(high: [Int64], low: [Int64]) throws {
    let ladder = LadderDescription(
      rungs: [1_600_000, 400_000].map { LadderRung(resolution: nil, bitRate: $0) },
      segmentDuration: .seconds(4), duration: .seconds(20))
    var presentation = StreamTests.weightless(try Presentation(ladder))
    presentation.lists = [
      Self.list("high.m3u8", high, bitRate: 1_600_000),
      Self.list("low.m3u8", low, bitRate: 400_000),
    ]
    for kilobits in [450, 700, 2_000, 9_000] as [Int64] {
      let session = try StreamTests.Session(
        StreamSettings(presentation: presentation), kilobits: kilobits)
      session.player.play()
      #expect(session.world.run() == .finished)
      #expect(session.player.currentTime() == presentation.duration)
      #expect(session.player.books.stallCount == 0, "\(kilobits)")
    }
  }

  /// Ten segments on a link of 3 Mbit/s with a round trip of 300 ms.
  @Test(
    arguments: [[0], [9], [0, 1, 2], [3, 4], [1, 3, 5, 7, 9], [8, 9], Array(0..<10)], [true, false])
  func `nothing is asked for where a playlist has a gap`(gaps: [Int], inSound: Bool) throws {
    let lengths = [Int64](repeating: 2_000, count: 10)
    var presentation = try Self.presentation(Setting(pictures: lengths, sound: lengths))
    for gap in gaps {
      presentation.lists[inSound ? 1 : 0].segments[gap].isGap = true
      presentation.lists[inSound ? 1 : 0].segments[gap].bytes = 0
    }
    let session = try StreamTests.Session(
      StreamSettings(presentation: presentation), kilobits: 3_000, delay: .milliseconds(150))
    session.player.play()
    #expect(session.world.run() == .finished)
    #expect(session.requests(.mediaSegment).count == 20 - gaps.count)
    #expect(session.player.currentTime() == .seconds(20))
    #expect(session.player.books.stallCount == 0)
    #expect(session.world.finish() == [])
  }

  @Test func `a key is fetched once for a playlist, whatever the vectors of its segments`() throws {
    var presentation = try Self.presentation(Setting(pictures: Self.whole, sound: Self.whole))
    let keys = ["0x01", "0x02"].map {
      EncryptionKey(method: .aes128, uri: "key.bin", initializationVector: $0)
    }
    presentation.lists = ["video", "audio"].map {
      Self.list("\($0)/list.m3u8", Self.whole, bitRate: 400_000, keys: keys)
    }
    let session = try StreamTests.Session(
      StreamSettings(presentation: presentation), kilobits: 3_000, delay: .milliseconds(20))
    session.player.play()
    #expect(session.world.run() == .finished)
    #expect(session.requests(.contentKey).count == 2)
    #expect(session.player.books.stallCount == 0)
  }
}
