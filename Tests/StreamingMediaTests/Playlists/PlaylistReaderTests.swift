import StreamingMedia
import Testing
import VirtualTime

/// Reads a text, from its second line on: the header stands before it.
func playlist(
  _ text: String, in context: PlaylistContext = .init()
) throws(PlaylistRefusal) -> PlaylistReading {
  try Playlist.read(Array("#EXTM3U\n\(text)".utf8), in: context)
}

/// What is wrong with a text, first to last.
func faults(_ text: String, in context: PlaylistContext = .init()) -> [PlaylistFault.Problem] {
  do {
    _ = try playlist(text, in: context)
    return []
  } catch {
    return error.faults.map(\.problem)
  }
}

extension PlaylistFixture {
  func media(in context: PlaylistContext = .init()) throws -> MediaPlaylist {
    guard case .media(let playlist) = try Playlist.read(bytes, in: context).playlist else {
      throw FixtureMismatch()
    }
    return playlist
  }

  func multivariant() throws -> MultivariantPlaylist {
    guard case .multivariant(let playlist) = try Playlist.read(bytes).playlist else {
      throw FixtureMismatch()
    }
    return playlist
  }
}

struct FixtureMismatch: Error {}

@Suite struct PlaylistReaderTests {
  @Test func `attributes of variants and renditions are read`() throws {
    let main = try PlaylistFixture.multivariantSeparateAudio.multivariant()
    #expect(main.variants.map(\.uri) == ["video/540.m3u8", "video/1080.m3u8"])
    let high = main.variants[1]
    #expect(high.bandwidth == 8_700_125)
    #expect(high.averageBandwidth == 7_920_000)
    #expect(high.score == 9_000_000)
    #expect(high.codecs == ["hvc1.2.4.L123.B0", "ec-3"])
    #expect(high.supplementalCodecs == ["dvh1.08.07/db4h"])
    #expect(high.resolution == PixelSize(width: 1920, height: 1080))
    #expect(main.variants[0].frameRate == 59_940)
    #expect(high.copyProtection == .type1)
    #expect(high.videoRange == .perceptualQuantiser)
    #expect(high.closedCaptionGroup == nil)
    #expect(main.renditions.map(\.channelCount) == [2, 2, 16, nil, nil])
    #expect(main.renditions[2].bitDepth == 24)
    #expect(main.renditions[1].name == "Français")
    #expect(main.renditions[4].inStreamIdentifier == "CC1")
    #expect(main.sessionKeys.map(\.uri) == ["skd://film"])
    #expect(main.start?.offset == MediaTime(nanoseconds: -18_500_000_000))
    #expect(main.iFrameVariants.map(\.uri) == ["video/frames.m3u8"])
  }

  @Test func `byte ranges without an offset go on where the last one ended`() throws {
    let media = try PlaylistFixture.vodByteRanges.media()
    let ranges = media.segments.compactMap(\.byteRange)
    #expect(ranges.map(\.offset) == [719, 1_508_719, 3_018_963])
    let last = try #require(media.segments.last)
    #expect(last.start + last.duration == MediaTime(nanoseconds: 14_512_000_000))
    #expect(media.maps[0].byteRange == ByteRange(offset: 0, length: 719))
  }

  /// Maps of segments in turn, and how many there are.
  @Test(arguments: [
    (["i"], 1), (["i", "i", "i"], 1), (["i", "j", "j"], 2), (["i\",BYTERANGE=\"9@0", "i"], 2),
    (["i\",BYTERANGE=\"9@0", "i\",BYTERANGE=\"9@9"], 2),
    (["i\",BYTERANGE=\"9@0", "i\",BYTERANGE=\"9"], 1),
  ])
  func `a map that is named again holds on`(maps: [String], count: Int) throws {
    let segments = maps.map { "#EXT-X-MAP:URI=\"\($0)\"\n#EXTINF:4,\na\n" }.joined()
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + segments
    guard case .media(let media) = try Playlist.read(Array(text.utf8)).playlist else {
      throw FixtureMismatch()
    }
    #expect(media.maps.count == count)
    for (segment, map) in zip(media.segments, maps) {
      let place = try #require(segment.map)
      #expect(map.hasPrefix(media.maps[Int(place)].uri))
    }
    #expect(media.segments.last?.map == Int32(count - 1))
  }

  @Test func `a key holds until the next one of its format`() throws {
    let media = try PlaylistFixture.encryptedRotating.media()
    let uris = media.segments.map { media.keySets[Int($0.keySet)].map(\.uri) }
    #expect(
      uris == [
        ["https://keys.example.com/52"], ["https://keys.example.com/52"],
        ["skd://53", "https://keys.example.com/53"], [], [],
      ])
    #expect(media.segments.map(\.isDiscontinuity) == [false, false, false, true, false])
    #expect(media.segments[2].programDateTime == 1_709_593_337_684_000_000)
    #expect(!media.hasEnd)
  }

  @Test func `an enumerated value of the future makes its tag void`() throws {
    let remarks = try Playlist.read(PlaylistFixture.encryptedRotating.bytes).remarks
    #expect(
      remarks == [
        PlaylistRemark(
          .unrecognisedValue(attribute: "METHOD", value: "AES-256-GCM"),
          at: PlaylistPlace(line: 20, tag: .key))
      ])
  }

  @Test func `parts, hints and reports of a low-latency playlist are read`() throws {
    let media = try PlaylistFixture.liveLowLatency.media()
    #expect(media.partCount == 4)
    #expect(media.partTarget == .milliseconds(500))
    #expect(media.serverControl?.partHoldBack == .milliseconds(1_500))
    #expect(media.preloadHints == [.part])
    #expect(media.renditionReports.map(\.lastPart) == [1, nil])
  }

  @Test func `a delta update names what it leaves out`() throws {
    let media = try PlaylistFixture.liveDeltaUpdate.media()
    #expect(media.skip?.count == 3)
    #expect(media.dateRangeClasses == ["com.apple.hls.interstitial"])
    let remarks = try Playlist.read(PlaylistFixture.liveDeltaUpdate.bytes).remarks
    // The attributes that clients define for themselves are known.
    #expect(
      !remarks.contains {
        if case .unrecognisedAttribute = $0.problem { true } else { false }
      })
  }

  @Test func `bit rates hold until the next one`() throws {
    let media = try PlaylistFixture.vodBitRates.media()
    #expect(media.segments.map(\.kilobitsPerSecond) == [800, 800, 1_201, 1_201])
    #expect(media.segments.map(\.isGap) == [false, false, false, true])
  }

  @Test func `what a client tolerates is remarked upon`() throws {
    let reading = try Playlist.read(PlaylistFixture.vodTenSeconds.bytes)
    #expect(
      reading.remarks.map(\.problem) == [
        .unrecognisedTag("EXT-X-ALLOW-CACHE"), .missingComma, .finerThanNanosecond,
      ])
    #expect(reading.remarks.map(\.place.line) == [3, 9, 9])
  }

  @Test(arguments: [
    ("1.1234567891", true), ("1.123456789", false), ("1.1234567890", false), ("-3", false),
  ])
  func `an attribute in nanoseconds with finer digits is remarked upon`(
    text: String, isFiner: Bool
  ) throws {
    let media = "#EXT-X-TARGETDURATION:10\n#EXT-X-START:TIME-OFFSET=\(text)\n#EXTINF:9,\na.ts\n"
    let remarks = try playlist(media).remarks.map(\.problem)
    #expect(remarks.contains(.finerThanNanosecond) == isFiner)
    // A frame rate has three places, and finer digits are common.
    let rates = "#EXT-X-STREAM-INF:BANDWIDTH=9,FRAME-RATE=29.97002997\nv.m3u8\n"
    #expect(try !playlist(rates).remarks.map(\.problem).contains(.finerThanNanosecond))
  }

  @Test func `carriage returns and white space around a line are skipped`() throws {
    let media = try PlaylistFixture.liveCarriageReturns.media()
    #expect(media.mediaSequence == 7_180)
    #expect(media.segments.map(\.uri) == ["/tv/one.ts", "//cdn.example.com/two.ts"])
  }
}

@Suite struct PlaylistVariableTests {
  let context = PlaylistContext(
    uri: "https://example.com/live.m3u8?a=1&session=x%2Dy&b",
    imports: [PlaylistVariable(name: "token", value: "T=9")])

  @Test func `variables come from the playlist, from its parent and from its URI`() throws {
    let media = try PlaylistFixture.eventWithVariables.media(in: context)
    #expect(media.maps[0].uri == "https://edge-7.example.com/init.mp4?T=9")
    #expect(media.keySets[1][0].uri == "https://edge-7.example.com/key/x-y")
    #expect(
      media.segments.map(\.uri) == [
        "https://edge-7.example.com/0.m4s?t=T=9&s=x-y", "https://edge-7.example.com/1.m4s",
      ])
  }

  @Test(arguments: [
    ("#EXT-X-DEFINE:NAME=\"a\"", PlaylistFault.Problem.missingAttribute("VALUE")),
    (
      "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\"\n#EXT-X-DEFINE:QUERYPARAM=\"a\"",
      .repeatedVariable("a")
    ),
    ("#EXT-X-DEFINE:IMPORT=\"nobody\"", .importWithoutDefinition("nobody")),
    ("#EXT-X-DEFINE:QUERYPARAM=\"b\"", .queryParameterMissing("b")),
    ("#EXT-X-DEFINE:QUERYPARAM=\"c\"", .queryParameterMissing("c")),
    (
      "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\",IMPORT=\"token\"",
      .contradictoryAttributes("one of NAME, IMPORT and QUERYPARAM is needed")
    ),
    (
      "#EXT-X-MAP:URI=\"{$later}\"\n#EXT-X-DEFINE:NAME=\"later\",VALUE=\"\"",
      .undefinedVariable("later")
    ),
  ])
  func `a variable that is not to be had refuses the playlist`(
    text: String, problem: PlaylistFault.Problem
  ) {
    #expect(faults("#EXT-X-TARGETDURATION:1\n\(text)", in: context).first == problem)
  }

  @Test func `a playlist that multiplies a variable is refused before memory runs out`() {
    let long = String(repeating: "x", count: 100_000)
    let references = String(repeating: "{$a}", count: 10_000)
    let text = "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\(long)\"\n#EXT-X-MAP:URI=\"\(references)\"\n"
    #expect(faults(text + "#EXT-X-TARGETDURATION:1") == [.lineTooLong(limit: 1 << 20)])
  }
}
