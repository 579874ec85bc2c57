import StreamingMedia
import Testing
import VirtualTime

@Suite struct PlaylistRemarkTests {
  static let target = "#EXT-X-TARGETDURATION:4\n"
  static let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n"

  static let twins = """
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="b",DEFAULT=YES
    #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="a",NAME="b",DEFAULT=YES
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="b",DEFAULT=YES
    """

  /// Parts of 0.999 s, to be played so far behind the live edge.
  private static func parts(_ holdBack: String) -> String {
    "#EXT-X-PART-INF:PART-TARGET=0.999\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=\(holdBack)\n"
  }

  static let unusual: [(String, [PlaylistRemark.Problem])] = [
    (target + "#EXTINF:4.499999999,\na.ts", []),
    (target + "#EXTINF:4.5,\na.ts", [.longerThanTarget]),
    (target + "#EXTINF:4\na.ts", [.missingComma]),
    (target + "#EXTINF:4,\t\na.ts\n#EXTINF:4, a title \nb.ts", []),
    (target + "#EXTINF:4,\t\r\na.ts", []),
    (target + "#EXTINF:4 \na.ts", [.whitespace, .missingComma]),
    (target + " #EXTINF:4,\na.ts", [.whitespace]),
    (target + "#EXTINF:4,\na.ts ", [.whitespace]),
    (target + "#EXTINF:1,\na.ts\n#EXT-X-MEDIA-SEQUENCE:5", [.lateTag]),
    (target + "#EXT-X-PLAYLIST-TYPE:LIVE", [.tagIgnored("the type is EVENT or VOD")]),
    (target + "#EXTINF:1,\n#EXTINF:2,\na.ts", [.repeatedSegmentTag]),
    (target + "#EXTINF:1,", [.segmentTagsWithoutURI]),
    (target + "#EXT-X-DISCONTINUITY", [.segmentTagsWithoutURI]),
    (target + "#EXT-X-GAP", [.segmentTagsWithoutURI]),
    (
      target + String(repeating: "#EXT-X-DISCONTINUITY\n", count: 2) + "#EXTINF:1,\na.ts",
      [.repeatedSegmentTag]
    ),
    (
      target + String(repeating: "#EXT-X-GAP\n", count: 2) + "#EXTINF:1,\na.ts",
      [.repeatedSegmentTag]
    ),
    (target + "#EXT-OATCLS-SCTE35:AAA", [.unrecognisedTag("EXT-OATCLS-SCTE35")]),
    (target + "# EXTINF is a comment\n#EXTM3Ux", [.unrecognisedTag("EXTM3Ux")]),
    (
      target + "#EXT-X-MAP:URI=\"a\",FOO=1, BAR=\"2\"",
      [.whitespace, .unrecognisedAttribute("FOO"), .unrecognisedAttribute("BAR")]
    ),
    (
      target + "#EXT-X-SERVER-CONTROL:HOLD-BACK=11.9,CAN-SKIP-UNTIL=20",
      [
        .rule("HOLD-BACK is less than three target durations"),
        .rule("CAN-SKIP-UNTIL is less than six target durations"),
      ]
    ),
    (target + "#EXT-X-SERVER-CONTROL:HOLD-BACK=12,CAN-SKIP-UNTIL=24", []),
    (target + parts("1.998"), []),
    (target + parts("1.997"), [.rule("PART-HOLD-BACK is less than two part targets")]),
    (
      target + "#EXT-X-SERVER-CONTROL:HOLD-BACK=11.999999999,CAN-SKIP-UNTIL=23.999999999",
      [
        .rule("HOLD-BACK is less than three target durations"),
        .rule("CAN-SKIP-UNTIL is less than six target durations"),
      ]
    ),
    (
      variant + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"b\",DEFAULT=\"YES\"",
      [.malformedAttribute("DEFAULT", expected: "an enumerated string")]
    ),
    (
      variant + "#EXT-X-MEDIA:TYPE=SMELL,GROUP-ID=\"a\"",
      [.unrecognisedValue(attribute: "TYPE", value: "SMELL")]
    ),
    (
      target
        + String(
          repeating: "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\","
            + "START-DATE=\"2020-01-01T00:00:00Z\"\n", count: 2),
      [.notSimulated("interstitials play nothing")]
    ),
    (
      target + "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"chapter\","
        + "START-DATE=\"2020-01-01T00:00:00Z\"", []
    ),
    (
      variant + "#EXT-X-CONTENT-STEERING:SERVER-URI=\"s.json\"",
      [.notSimulated("content steering changes no pathway")]
    ),
    (
      variant + "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i.m3u8\"\n"
        + "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=2,URI=\"j.m3u8\"",
      [.notSimulated("I-frame playlists are not loaded")]
    ),
    (
      "#EXT-X-STREAM-INF:BANDWIDTH=1,SCORE=2\na.m3u8\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=2,SCORE=1\nb.m3u8",
      [.notSimulated("SCORE; variants are chosen by bit rate")]
    ),
    (
      "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"none\"\na.m3u8",
      [.unmatchedGroup(attribute: "AUDIO", group: "none")]
    ),
    (
      "#EXT-X-STREAM-INF:BANDWIDTH=1,VIDEO=\"none\"\na.m3u8",
      [.unmatchedGroup(attribute: "VIDEO", group: "none")]
    ),
    (
      "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"none\"\na.m3u8",
      [.unmatchedGroup(attribute: "SUBTITLES", group: "none")]
    ),
    (
      "#EXT-X-STREAM-INF:BANDWIDTH=1,CLOSED-CAPTIONS=\"none\"\na.m3u8",
      [.unmatchedGroup(attribute: "CLOSED-CAPTIONS", group: "none")]
    ),
    (
      variant + twins,
      [
        .notSimulated("VIDEO renditions are not loaded"),
        .rule("another member of the group has the same name"),
        .rule("another member of the group is the default"),
      ]
    ),
    (
      variant + "#EXT-X-SESSION-KEY:METHOD=NONE",
      [.tagIgnored("the method of a session key must not be NONE")]
    ),
    (variant + "#EXT-X-SESSION-DATA:DATA-ID=\"a\"", [.tagIgnored("it needs either VALUE or URI")]),
    (
      "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1280X720\na.m3u8",
      [.malformedAttribute("RESOLUTION", expected: "a width and a height joined by x")]
    ),
  ]

  @Test(arguments: unusual)
  func `what is unusual is remarked upon and read`(
    text: String, problems: [PlaylistRemark.Problem]
  ) throws {
    #expect(try playlist(text).remarks.map(\.problem) == problems)
  }

  @Test func `a segment that is too long is remarked upon at its EXTINF`() throws {
    let segments = "#EXTINF:1,\na.ts\n#EXTINF:9,\n#EXT-X-GAP\n\nb.ts\n#EXT-X-GAP\n#EXTINF:8,\nc.ts"
    let alone = try playlist(Self.target + "#EXTINF:9,\na.ts").remarks.map(\.place.line)
    let lines = try playlist(Self.target + segments).remarks.map(\.place.line)
    let first = try #require(alone.first ?? nil)
    #expect(lines == [first + 2, first + 7])
  }

  @Test(arguments: [
    ("CLASS=\"a\",END-ON-NEXT=YES", false), ("END-ON-NEXT=YES", true),
    ("CLASS=\"a\",END-ON-NEXT=YES,DURATION=1", true),
    ("CLASS=\"a\",END-ON-NEXT=YES,END-DATE=\"2020-01-01T00:00:01Z\"", true),
    ("CLASS=\"a\",DURATION=1", false), ("CLASS=\"a\",END-ON-NEXT=YES,PLANNED-DURATION=1", false),
  ])
  func `a date range that ends with the next has a class and no end of its own`(
    attributes: String, isRemarked: Bool
  ) throws {
    let rule = PlaylistRemark.Problem.rule(
      "END-ON-NEXT needs CLASS and goes with neither DURATION nor END-DATE")
    let range = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2020-01-01T00:00:00Z\",\(attributes)"
    #expect(try playlist(Self.target + range).remarks.map(\.problem) == (isRemarked ? [rule] : []))
  }

  @Test func `a variant of the future goes with its URI`() throws {
    let text = "#EXT-X-STREAM-INF:BANDWIDTH=9,VIDEO-RANGE=XYZ\nfuture.m3u8\n" + Self.variant
    guard case .multivariant(let main) = try playlist(text).playlist else {
      throw FixtureMismatch()
    }
    #expect(main.variants.map(\.uri) == ["a.m3u8"])
  }

  @Test(
    arguments: [
      ("2024-02-29T00:00:00Z", 1_709_164_800_000_000_000),
      ("1970-01-01T00:00:00.000000001Z", 1),
      ("1969-12-31T23:59:59.5", -500_000_000),
      ("2024-03-04T23:02:17.684+0530", 1_709_573_537_684_000_000),
      ("2024-03-04T23:02:17-08:00", 1_709_622_137_000_000_000),
    ] as [(String, Int64)])
  func `a date is nanoseconds since 1970`(text: String, nanoseconds: Int64) throws {
    let tags = "\(Self.target)#EXT-X-PROGRAM-DATE-TIME:\(text)\n#EXTINF:1,\na.ts"
    guard case .media(let media) = try playlist(tags).playlist else { throw FixtureMismatch() }
    #expect(media.segments[0].programDateTime == nanoseconds)
  }

  @Test(arguments: [
    "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01T00:60:00Z",
    "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+1", "9999-01-01T00:00:00Z", "2024-01-01T00:00Z",
    "2024-01-01T00:00:00Zx",
  ])
  func `what is no date is refused`(text: String) {
    #expect(
      faults("\(Self.target)#EXT-X-PROGRAM-DATE-TIME:\(text)\n#EXTINF:1,\na.ts") == [
        .malformedValue(expected: "a date and time such as 2024-03-04T23:02:17.684Z")
      ])
  }

  @Test(
    arguments: [
      ("9.0000000005", 9_000_000_001), ("9.00000000049", 9_000_000_000), ("10.", 10_000_000_000),
      (".25", 250_000_000), ("007", 7_000_000_000),
      ("9223372036.8547758", 9_223_372_036_854_775_800),
    ] as [(String, Int64)])
  func `a duration is exact to the nanosecond`(text: String, nanoseconds: Int64) throws {
    let tags = "#EXT-X-TARGETDURATION:1000000000\n#EXTINF:\(text),\na.ts"
    guard case .media(let media) = try playlist(tags).playlist else { throw FixtureMismatch() }
    #expect(media.segments[0].duration.nanoseconds == nanoseconds)
  }
}
