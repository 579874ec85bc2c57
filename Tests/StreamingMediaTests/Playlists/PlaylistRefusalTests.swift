import StreamingMedia
import Testing

@Suite struct PlaylistRefusalTests {
  static let target = "#EXT-X-TARGETDURATION:10\n"

  private static func keys(of formats: Int) -> String {
    (0..<formats).map {
      "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"format \($0)\"\n"
    }.joined()
  }

  static let broken: [(String, [PlaylistFault.Problem])] = [
    ("", [.neitherKind]),
    ("#EXT-X-VERSION:3", [.neitherKind]),
    ("a.ts", [.neitherKind]),
    ("#EXTINF:1,\na.ts", [.missingTargetDuration]),
    (target + "a.ts", [.segmentWithoutDuration]),
    (target + "#EXTINF:-1,\na.ts", [.malformedValue(expected: "a duration in decimal seconds")]),
    (target + "#EXTINF:1.2.3,\na.ts", [.malformedValue(expected: "a duration in decimal seconds")]),
    (target + "#EXTINF:99999999999,\na.ts", [.outOfRange]),
    (target + target, [.repeatedTag]),
    (target + "#EXT-X-VERSION:3\n#EXT-X-VERSION:3", [.repeatedTag]),
    (target + "#EXT-X-VERSION:14", [.unsupportedVersion(14)]),
    (target + "#EXT-X-VERSION:0", [.unsupportedVersion(0)]),
    (target + "#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8", [.bothKinds, .segmentWithoutDuration]),
    (target + "#EXTINF:1,\n#EXT-X-BYTERANGE:5\na.ts", [.byteRangeWithoutPredecessor]),
    (
      target + "#EXTINF:1,\n#EXT-X-BYTERANGE:5@9223372036854775807\na.ts", [.outOfRange]
    ),
    (
      target + "#EXTINF:1,\n#EXT-X-BYTERANGE:5@0\na.ts\n#EXTINF:1,\n#EXT-X-BYTERANGE:5\nb.ts",
      [.byteRangeWithoutPredecessor]
    ),
    (target + "#EXT-X-KEY:METHOD=AES-128", [.missingAttribute("URI")]),
    (target + "#EXT-X-MAP:URI=\"a", [.malformedAttributes("a quoted string is not closed")]),
    (target + "#EXT-X-MAP:URI=\"a\",URI=\"b\"", [.repeatedAttribute("URI")]),
    (target + "#EXT-X-MAP:URI=a", [.malformedAttribute("URI", expected: "a quoted string")]),
    (target + "#EXT-X-PART:DURATION=1,URI=\"a\"", [.partWithoutPartInformation]),
    (
      target + "#EXT-X-PROGRAM-DATE-TIME:2024-02-30T00:00:00Z",
      [.malformedValue(expected: "a date and time such as 2024-03-04T23:02:17.684Z")]
    ),
    ("#EXT-X-TARGETDURATION:9223372036854775807", [.outOfRange]),
    (target + "#EXT-X-MEDIA-SEQUENCE:4611686018427387903", []),
    (target + "#EXT-X-MEDIA-SEQUENCE:4611686018427387904", [.outOfRange]),
    (target + keys(of: 16), []),
    (target + keys(of: 17), [.tooMany("key formats", limit: 16)]),
    (
      target + "#EXT-X-PART-INF:PART-TARGET=-1",
      [.malformedAttribute("PART-TARGET", expected: "a decimal number")]
    ),
    ("#EXT-X-TARGETDURATION:1000000000", []),
    ("#EXT-X-TARGETDURATION:1000000001", [.outOfRange]),
    ("#EXT-X-TARGETDURATION:0", [.malformedValue(expected: "a positive number of seconds")]),
    ("#EXT-X-STREAM-INF:BANDWIDTH=1", [.variantWithoutURI]),
    ("#EXT-X-STREAM-INF:CODECS=\"a\"\na.m3u8", [.missingAttribute("BANDWIDTH")]),
    ("#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\nb.m3u8", [.uriWithoutVariant]),
    (
      "#EXT-X-STREAM-INF:BANDWIDTH=99999999999999999999\na.m3u8",
      [.attributeOutOfRange("BANDWIDTH")]
    ),
    ("#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"a\"", [.missingAttribute("GROUP-ID")]),
  ]

  @Test(arguments: broken)
  func `a playlist that breaks a rule is refused for it`(
    text: String, problems: [PlaylistFault.Problem]
  ) {
    #expect(faults(text) == problems)
  }

  static let brokenBytes: [([UInt8], PlaylistFault.Problem)] = [
    ([0xEF, 0xBB, 0xBF] + Array("#EXTM3U\n".utf8), .byteOrderMark),
    (Array("#EXTM3U\n#\u{7F}".utf8), .controlCharacter(0x7F)),
    (Array("#EXTM3U\n#\u{85}".utf8), .controlCharacter(0x85)),
    (Array("#EXTM3U\n#".utf8) + [0], .controlCharacter(0)),
    (Array("#EXTM3U\n#".utf8) + [0xC0, 0x80], .notUTF8),
    (Array("#EXTM3U\n#".utf8) + [0xED, 0xA0, 0x80], .notUTF8),
    (Array("#EXTM3U\n#".utf8) + [0xF4, 0x90, 0x80, 0x80], .notUTF8),
    (Array("#EXTM3U\n#".utf8) + [0xE2, 0x82], .notUTF8),
    (Array("# first\n#EXTM3U\n".utf8), .missingHeader),
    ([], .missingHeader),
  ]

  @Test(arguments: brokenBytes)
  func `bytes that are not a playlist's are refused`(
    bytes: [UInt8], problem: PlaylistFault.Problem
  ) {
    #expect(throws: PlaylistRefusal.self) { try Playlist.read(bytes) }
    do {
      _ = try Playlist.read(bytes)
    } catch {
      #expect(error.faults.first?.problem == problem)
    }
  }

  @Test func `all faults are collected, each with its line and its rule`() {
    let text = "#EXT-X-TARGETDURATION:x\na.ts\n#EXT-X-KEY:METHOD=AES-128\n#EXTINF:1,\nb.ts\n"
    do {
      _ = try playlist(text)
      Issue.record("nothing was refused")
    } catch {
      #expect(
        error.description(file: "live.m3u8") == """
          live.m3u8:2: EXT-X-TARGETDURATION: expected a decimal integer (§4.4.3.1)
          live.m3u8:3: the segment has no EXTINF (§4.4.4.1)
          live.m3u8:4: EXT-X-KEY: the attribute URI is missing (§4.4.4.4)
          """)
    }
  }

  @Test func `a fault of the whole file stands in its first line`() {
    for (text, words) in [
      ("#EXTM3U\n", "neither a media playlist nor a multivariant playlist (§4.1)"),
      ("#EXTM3U\n#EXT-X-ENDLIST\n", "a media playlist needs EXT-X-TARGETDURATION (§4.4.3.1)"),
    ] {
      do {
        _ = try playlist(text)
        Issue.record("nothing was refused")
      } catch {
        #expect(error.description(file: "live.m3u8") == "live.m3u8:1: " + words)
      }
    }
  }

  private static func limits(_ change: (inout PlaylistLimits) -> Void) -> PlaylistLimits {
    var limits = PlaylistLimits.standard
    change(&limits)
    return limits
  }

  @Test(arguments: [
    (limits { $0.bytes = 10 }, PlaylistFault.Problem.fileTooLong(limit: 10)),
    (limits { $0.lineBytes = 20 }, .lineTooLong(limit: 20)),
    (limits { $0.items = 2 }, .tooMany("segments", limit: 2)),
  ])
  func `a limit that is passed is a fault`(
    limits: PlaylistLimits, problem: PlaylistFault.Problem
  ) {
    do {
      _ = try Playlist.read(PlaylistFixture.vodTenSeconds.bytes, limits: limits)
      Issue.record("nothing was refused")
    } catch {
      #expect(error.faults.first?.problem == problem)
    }
  }

  @Test func `as many bytes as the limit says are read`() throws {
    let bytes = PlaylistFixture.vodTenSeconds.bytes
    _ = try Playlist.read(bytes, limits: Self.limits { $0.bytes = bytes.count })
    #expect(throws: PlaylistRefusal.self) {
      _ = try Playlist.read(bytes, limits: Self.limits { $0.bytes = bytes.count - 1 })
    }
    #expect(PlaylistLimits.standard.bytes == 67_108_864)
    #expect(PlaylistLimits.standard.lineBytes == 1_048_576)
    #expect(PlaylistLimits.standard.items == 1_000_000)
    #expect(PlaylistLimits.standard.attributes == 256)
    #expect(PlaylistLimits.standard.faults == 100 && PlaylistLimits.standard.remarks == 1_000)
  }

  @Test func `faults stop being collected at their limit`() {
    let text = Self.target + String(repeating: "a.ts\n", count: 1_000)
    #expect(faults(text).count == PlaylistLimits.standard.faults)
  }
}
