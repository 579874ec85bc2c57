import StreamingMedia
import Testing
import VirtualTime

@Suite struct LadderTests {
  @Test func `the talk's rungs have the sizes that its table follows from`() throws {
    let made = try Presentation(NamedLadder.talk.description(duration: .seconds(600)))
    // V11: 0.55, 2, 3, 9, 22.5 and 55 s at 2 Mbit/s, for one segment of ten seconds.
    let milliseconds = made.variants.map { made.lists[$0.list].segments[0].bytes * 8 / 2_000 }
    #expect(milliseconds == [550, 2_000, 3_000, 9_000, 22_500, 55_000])
    #expect(
      made.variants.map(\.attributes.bandwidth).map { $0 / 1_000 } == [
        110, 400, 600, 1_800, 4_500, 11_000,
      ])
    #expect(made.renditions.isEmpty)
    #expect(made.lists.map(\.segments.count) == Array(repeating: 60, count: 6))
  }

  @Test func `the tree has three pictures, two sounds and six variants`() throws {
    let made = try Presentation(NamedLadder.tree.description(duration: .seconds(95)))
    #expect(made.lists.count == 5)
    #expect(made.variants.map(\.list) == [0, 0, 1, 1, 2, 2])
    #expect(
      made.variants.map(\.attributes.audioGroup)
        == Array(repeating: ["stereo", "surround"], count: 3).flatMap { $0 })
    #expect(made.variants[1].attributes.bandwidth == 6_384_000)
    #expect(made.rendition(of: .audio, for: 1) == 1)
    #expect(NamedLadder.tree.audio.map(\.sampleRate) == [48_000, 48_000])
    #expect(NamedLadder.tree.audio.map(\.bitRate) == [128_000, 384_000])
    #expect(made.lists[0].segments.last?.duration == .seconds(5))
  }

  @Test(arguments: NamedLadder.allCases)
  func `a named ladder can be built and read back`(ladder: NamedLadder) throws {
    try expectRoundTrip(Presentation(ladder.description(duration: .milliseconds(60_060))))
  }

  @Test func `variable sizes keep the total and the peak, and differ`() throws {
    for seed in 0..<40 as Range<UInt64> {
      var stream = RandomStream(seed: seed, name: "ladder test")
      let percent = stream.next(in: 100...400)
      let rate = stream.next(in: 1...20_000_000)
      let ladder = LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: rate)],
        segmentDuration: MediaTime(nanoseconds: stream.next(in: 500_000_000...10_000_000_000)),
        duration: MediaTime(nanoseconds: stream.next(in: 1_000_000_000...900_000_000_000)),
        sizes: .variable(seed: seed, peakPercent: percent))
      let list = try Presentation(ladder).lists[0]
      #expect(
        list.bytes
          == scaled(rate, by: list.duration.nanoseconds, over: 8_000_000_000, rounding: .down))
      #expect(list.duration == ladder.duration)
      for segment in list.segments {
        let peak = Int128(rate) * Int128(percent) * Int128(segment.duration.nanoseconds)
        #expect(segment.bytes >= 0 && Int128(segment.bytes - 1) * 800_000_000_000 < peak)
      }
    }
  }

  @Test func `variable sizes vary as much as the peak allows, the same for the same seed`() throws {
    func list(_ seed: UInt64) throws -> SegmentList {
      let sizes = LadderSizes.variable(seed: seed, peakPercent: 200)
      return try Presentation(
        NamedLadder.appleH264.description(duration: .seconds(3_600), sizes: sizes)
      ).lists[4]
    }
    let one = try list(1)
    #expect(try list(1) == one)
    #expect(try list(2) != one)
    #expect(one.averageBitRate == 2_000_000)
    let peak = try #require(one.peakBitRate)
    #expect((3_000_000...4_000_000).contains(peak))
    let least = try #require(one.segments.compactMap(\.bitRate).min())
    #expect((500_000...1_300_000).contains(least))
  }

  @Test func `a key that is announced stands in the multivariant playlist`() throws {
    let key = EncryptionKey(
      method: .sampleAES, uri: "skd://film", format: "com.apple.streamingkeydelivery")
    for isAnnounced in [true, false] {
      var ladder = NamedLadder.talk.description(duration: .seconds(30))
      ladder.encryption = LadderEncryption(key: key, isAnnounced: isAnnounced)
      let made = try Presentation(ladder)
      #expect(made.sessionKeys == (isAnnounced ? [key] : []))
      #expect(made.lists[0].segments.allSatisfy { $0.key == 0 })
      try expectRoundTrip(made)
    }
  }

  @Test func `sizes that are given are the segments' own`() throws {
    let rungs = [
      LadderRung(resolution: nil, bitRate: 800, segmentBytes: [100, 300, 50]),
      LadderRung(resolution: nil, bitRate: 8_000),
    ]
    var ladder = LadderDescription(
      rungs: rungs, segmentDuration: .seconds(1), duration: .milliseconds(2_100))
    let made = try Presentation(ladder)
    #expect(made.lists[0].segments.map(\.bytes) == [100, 300, 50])
    #expect(made.lists[1].segments.map(\.bytes) == [1_000, 1_000, 100])
    // The last one is too short to count for the peak.
    #expect(made.variants.map(\.attributes.bandwidth) == [2_400, 8_000])
    ladder.rungs[0].segmentBytes = [1, 2]
    #expect(throws: LadderFault.sizeCount(2, segments: 3)) { try Presentation(ladder) }
    ladder.rungs[0].segmentBytes = [1, 2, -1]
    #expect(throws: LadderFault.sizeOutOfRange(-1)) { try Presentation(ladder) }
  }

  @Test func `subtitles are a third kind of rendition`() throws {
    var ladder = NamedLadder.tree.description(duration: .seconds(20))
    ladder.subtitles = [
      LadderSubtitles(name: "English", language: "en"),
      LadderSubtitles(name: "Signs", language: "en", isForced: true),
    ]
    let made = try Presentation(ladder)
    #expect(made.rendition(of: .subtitles, for: 0) == nil)
    #expect(made.rendition(of: .subtitles, for: 0, language: "en") == 2)
    #expect(made.renditions[3].list == 6)
    #expect(made.lists[6].segments.map(\.bytes) == [1_250, 1_250])
    try expectRoundTrip(made)
  }

  @Test(arguments: [
    (0, 10, 100, LadderFault.bitRateOutOfRange(0)),
    (1, 0, 100, .segmentDurationOutOfRange(.zero)),
    (1, 10, 0, .durationOutOfRange(.zero)),
    (1, 10, 99_999_999_999, .durationOutOfRange(.milliseconds(99_999_999_999))),
    (1, 1, 30_000_000, .tooManySegments(30_000_000, limit: 5_000_000)),
  ])
  func `a ladder that cannot be built is refused`(
    rate: Int64, segment: Int64, duration: Int64, fault: LadderFault
  ) {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: rate)], segmentDuration: .milliseconds(segment),
      duration: .milliseconds(duration))
    #expect(throws: fault) { try Presentation(ladder) }
  }

  /// A rung, and nanoseconds of segment, media and part: the first and last that are allowed, and
  /// their neighbours. A leap year is the longest media.
  @Test(
    arguments: [
      (1, 1_000_000, 1_000_000, nil, nil), (1_000_000_000_000, 1_000_000, 1_000_000, nil, nil),
      (1_000_000_000_001, 1, 1, nil, .bitRateOutOfRange(1_000_000_000_001)),
      (1, 999_999, 1, nil, .segmentDurationOutOfRange(ns(999_999))),
      (1, 3_600_000_000_000, 31_622_400_000_000_000, nil, nil),
      (1, 3_600_000_000_001, 1, nil, .segmentDurationOutOfRange(ns(3_600_000_000_001))),
      (1, 1_000_000, 999_999, nil, .durationOutOfRange(ns(999_999))),
      (
        1, 3_600_000_000_000, 31_622_400_000_000_001, nil,
        .durationOutOfRange(ns(31_622_400_000_000_001))
      ),
      (1, 1_000_000, 5_000_000_000_001, nil, .tooManySegments(5_000_001, limit: 5_000_000)),
      (1, 1_000_000_000, 1_000_000, 9_999_999, .partDurationOutOfRange(ns(9_999_999))),
      (1, 1_000_000_000, 1_000_000, 10_000_000, nil),
      (1, 1_000_000_000, 1_000_000, 1_000_000_000, nil),
      (1, 1_000_000_000, 1_000_000, 1_000_000_001, .partDurationOutOfRange(ns(1_000_000_001))),
    ] as [(Int64, Int64, Int64, Int64?, LadderFault?)])
  func `a ladder may be as long, as short and as fast as this`(
    rate: Int64, segment: Int64, duration: Int64, part: Int64?, fault: LadderFault?
  ) throws {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: rate)], segmentDuration: Self.ns(segment),
      duration: Self.ns(duration), partDuration: part.map(Self.ns))
    #expect(refusal(of: ladder) == fault)
  }

  @Test(
    arguments: [
      (99, 0, .peakPercentOutOfRange(99)), (100, 0, nil), (1_000, 1_000_000_000_000, nil),
      (1_001, 0, .peakPercentOutOfRange(1_001)),
      (100, 1_000_000_000_001, .sizeOutOfRange(1_000_000_000_001)),
    ] as [(Int64, Int64, LadderFault?)])
  func `sizes vary up to ten times, and a segment has a terabyte at most`(
    percent: Int64, bytes: Int64, fault: LadderFault?
  ) {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 9, segmentBytes: [bytes])],
      segmentDuration: .seconds(1), duration: .seconds(1),
      sizes: .variable(seed: 1, peakPercent: percent))
    #expect(refusal(of: ladder) == fault)
  }

  private static func ns(_ count: Int64) -> MediaTime { MediaTime(nanoseconds: count) }

  private func refusal(of ladder: LadderDescription) -> LadderFault? {
    do throws(LadderFault) {
      _ = try Presentation(ladder)
      return nil
    } catch {
      return error
    }
  }

  /// Two groups, of 64 and of 128 kbit/s first; the second rendition of the first group does not
  /// play the rung.
  @Test(
    arguments: [
      (64_000, 0, [], nil), (128_000, 0, [], nil), (96_000, 0, [], 96_000), (65_000, 0, [], 65_000),
      (64_000, 1, [], 64_000), (64_000, 0, [1, 2], 64_000),
    ] as [(Int64, Int64, [Int64], Int64?)])
  func `a rung of sound alone is the first rendition of a group, or is refused`(
    rate: Int64, muxed: Int64, sizes: [Int64], refused: Int64?
  ) throws {
    let ladder = LadderDescription(
      rungs: [
        LadderRung(resolution: PixelSize(width: 640, height: 360), bitRate: 1_000_000),
        LadderRung(
          resolution: nil, bitRate: rate, audioBitRate: muxed, codecs: ["mp4a.40.2"],
          segmentBytes: sizes),
      ],
      audio: [
        LadderAudio(group: "low", name: "a", bitRate: 64_000),
        LadderAudio(group: "low", name: "b", language: "fr", bitRate: 96_000),
        LadderAudio(group: "high", name: "a", bitRate: 128_000),
      ], segmentDuration: .seconds(4), duration: .seconds(8))
    if let refused {
      #expect(throws: LadderFault.soundBesideAudio(refused)) { try Presentation(ladder) }
      return
    }
    let made = try Presentation(ladder)
    let alone = try #require(made.variants.last)
    let place = rate == 64_000 ? 1 : 3
    #expect(made.variants.count == 3 && alone.list == place)
    #expect(alone.attributes.uri == made.lists[place].uri)
    #expect(alone.attributes.codecs == ["mp4a.40.2"] && alone.attributes.subtitleGroup == nil)
    #expect(alone.attributes.audioGroup == (rate == 64_000 ? "low" : "high"))
    // The rates are those of the largest member of the group.
    #expect(alone.attributes.averageBandwidth == (rate == 64_000 ? 96_000 : 128_000))
    #expect(alone.attributes.bandwidth == (rate == 64_000 ? 96_000 : 128_000))
  }
}

/// Expects that the playlists of a presentation, read again, make the same presentation.
func expectRoundTrip(_ made: Presentation) throws {
  let main = made.multivariantText()
  #expect(Int64(main.utf8.count) == made.playlistBytes)
  guard case .multivariant(let multivariant) = try Playlist.read(Array(main.utf8)).playlist else {
    throw FixtureMismatch()
  }
  var media: [String: LoadedPlaylist] = [:]
  for list in made.lists {
    let reading = try Playlist.read(Array(list.text().utf8))
    #expect(reading.remarks.isEmpty)
    guard case .media(let playlist) = reading.playlist else { throw FixtureMismatch() }
    #expect(Int64(list.text().utf8.count) == list.playlistBytes)
    media[list.uri] = LoadedPlaylist(playlist, bytes: list.playlistBytes)
  }
  let again = try Presentation(
    multivariant, uri: made.uri, bytes: Int64(main.utf8.count), media: media)
  #expect(again.multivariantText() == main)
  #expect(again.duration == made.duration)
  #expect(again.isLive == made.isLive)
  for variant in made.variants.indices {
    let (one, other) = (
      made.lists[made.variants[variant].list], again.lists[again.variants[variant].list]
    )
    #expect(other.text() == one.text())
    #expect(other.segments.map(\.start) == one.segments.map(\.start))
  }
}
