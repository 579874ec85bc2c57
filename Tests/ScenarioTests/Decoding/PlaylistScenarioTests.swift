import ExactText
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import Testing
import VirtualTime

/// Scenarios that point at real playlists.
@Suite struct PlaylistScenarioTests {
  private static let media = """
    #EXTM3U
    #EXT-X-TARGETDURATION:4
    #EXTINF:4,
    a.ts
    #EXTINF:3.5,
    b.ts
    #EXT-X-ENDLIST

    """

  private static let master = """
    #EXTM3U
    #EXT-X-STREAM-INF:BANDWIDTH=800000,AVERAGE-BANDWIDTH=640000
    low/list.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=1600000
    high%20rate/list.m3u8?token=1

    """

  private static let files = [
    "s/master.m3u8": master, "s/low/list.m3u8": media, "s/high rate/list.m3u8": media,
  ]

  private func read(
    _ hls: String = #""playlists": "s/master.m3u8""#, _ files: [String: String] = Self.files
  ) throws(DocumentError) -> Scenario {
    let text = """
      {
        "scenario": "Real", "about": "Real.",
        "link": { "bandwidth": "8 Mbit/s" },
        "media": { "hls": { \(hls) } },
        "script": [ { "at": "0 s", "do": "play" } ]
      }
      """
    return try readScenario([UInt8](text.utf8), file: "folder/a.json") { path in
      files[path].map { [UInt8]($0.utf8) }
    }
  }

  private func presentation(_ scenario: Scenario) throws -> Presentation {
    guard case .stream(let settings) = scenario.item.source else { throw NoStream() }
    return settings.presentation
  }

  private struct NoStream: Error {}

  private func mistakes(_ files: [String: String], _ path: String = "s/master.m3u8") -> [String] {
    do throws(DocumentError) {
      _ = try read("\"playlists\": \"\(path)\"", files)
      return []
    } catch {
      return error.diagnostics.map { $0.text }
    }
  }

  @Test func `a playlist without an end is remarked on, unless a live stream grows from it`()
    throws
  {
    let words = "a playlist without EXT-X-ENDLIST is played as far as it goes; with “live” it grows"
    let open = Self.files.mapValues { $0.replacing("#EXT-X-ENDLIST\n", with: "") }
    let media = #""playlists": "s/master.m3u8""#
    let remarks = try read(media, open).warnings.filter { $0.message == words }
    #expect(remarks.map { $0.position?.line } == [4])
    let live = try read(media + #", "live": {}"#, open)
    #expect(!live.warnings.contains { $0.message == words })
    #expect(try !read().warnings.contains { $0.message == words })
  }

  /// The variants last 7.5 s.
  @Test(arguments: [("3.5", false), ("3.6", false), ("3.61", true), ("40", true)])
  func `separate audio that is longer than every variant is remarked on`(
    last: String, isLonger: Bool
  ) throws {
    var files = Self.files
    files["s/audio.m3u8"] = Self.media.replacing("3.5", with: last)
      .replacing("DURATION:4", with: "DURATION:40")
    files["s/master.m3u8"] =
      Self.master.replacing(":BANDWIDTH=", with: ":AUDIO=\"a\",BANDWIDTH=")
      + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"En\",URI=\"audio.m3u8\"\n"
    let words = "separate audio is longer than every variant: its end is not played"
    let remarks = try read(#""playlists": "s/master.m3u8""#, files).warnings
      .filter { $0.message == words }
    #expect(remarks.map { $0.position?.line } == (isLonger ? [4] : []))
  }

  @Test func `a multivariant playlist brings those that it names`() throws {
    let scenario = try read()
    let presentation = try presentation(scenario)
    #expect(presentation.variants.count == 2)
    #expect(presentation.duration == .milliseconds(7_500))
    #expect(presentation.playlistBytes == Int64(Self.master.utf8.count))
    #expect(scenario.files.map { $0.path }.sorted() == Self.files.keys.sorted())
    // 640 kbit/s over 7.5 s, and 1600 kbit/s of which nothing says the average.
    #expect(presentation.lists.map { $0.bytes } == [600_000, 1_500_000])
    let report = try #require(presentation.sizeReport)
    #expect(report.variantSources == [.averageBandwidth, .peakBandwidth])
    #expect(report.variants == .peakBandwidth && report.audio == nil)
    #expect(presentation.lists[1].uri(of: 1) == "s/high%20rate/b.ts")
  }

  @Test func `a folder is its multivariant playlist`() throws {
    for path in ["s", "s/"] {
      let scenario = try read("\"playlists\": \"\(path)\"")
      #expect(try presentation(scenario).variants.count == 2)
    }
  }

  @Test func `a media playlist alone is one variant`() throws {
    let scenario = try read(#""playlists": "s/low/list.m3u8""#)
    let presentation = try presentation(scenario)
    #expect(presentation.variants.count == 1 && presentation.duration == .milliseconds(7_500))
    #expect(presentation.sizeReport?.variants == .assumed)
    let outcome = try run(scenario)
    #expect(outcome.faults == [] && outcome.player.books.played == .milliseconds(7_500))
    // It is fetched once, as what it is; then come its two segments.
    #expect(outcome.player.media.requests == 3)
    #expect(!String(decoding: outcome.trace, as: UTF8.self).contains("multivariantPlaylist"))
  }

  @Test func `the best source of a size is taken`() throws {
    let byRange = Self.media.replacing("a.ts", with: "#EXT-X-BYTERANGE:1234@0\na.ts")
    let byRate = Self.media.replacing("a.ts", with: "#EXT-X-BITRATE:100\na.ts")
    var files = Self.files
    files["s/low/list.m3u8"] = byRange
    files["s/high rate/list.m3u8"] = byRate
    let lists = try presentation(read(#""playlists": "s/master.m3u8""#, files)).lists
    #expect(lists[0].segments.map { $0.sizeSource } == [.exact, .averageBandwidth])
    #expect(lists[0].segments[0].bytes == 1_234)
    #expect(lists[1].segments.map { $0.sizeSource } == [.segmentBitRate, .segmentBitRate])
    #expect(lists[1].segments.map { $0.bytes } == [50_000, 43_750])
  }

  @Test func `a trace replays by itself, and its summary says where sizes come from`() throws {
    let outcome = try run(try read())
    let text = String(decoding: outcome.trace, as: UTF8.self)
    #expect(text.contains(#""segmentSizes":{"variants":"BANDWIDTH"}"#))
    guard case .same = try replay(outcome.trace, file: "elsewhere.jsonl") else {
      Issue.record("the trace needs something beside it")
      return
    }
  }

  @Test func `what is wrong with a playlist is said with its file and line`() throws {
    var files = Self.files
    files["s/low/list.m3u8"] = "#EXTM3U\n#EXT-X-TARGETDURATION:x\n#EXTINF:4,\na.ts\n"
    #expect(
      mistakes(files).contains {
        $0.hasPrefix("folder/s/low/list.m3u8:2:23: media.hls.playlists: EXT-X-TARGETDURATION")
      })
    files = Self.files
    files["s/high rate/list.m3u8"] = nil
    #expect(
      mistakes(files) == [
        "folder/s/master.m3u8:4:1: media.hls.playlists: the playlist "
          + "“high%20rate/list.m3u8?token=1” cannot be read "
          + "(expected a file at “s/high rate/list.m3u8”)"
      ])
    files = Self.files
    files["s/low/list.m3u8"] = Self.master
    #expect(
      mistakes(files).first?.hasPrefix(
        "folder/s/master.m3u8:2:1: media.hls.playlists: “low/list.m3u8” is a multivariant playlist")
        == true)
    files["s/low/list.m3u8"] = "#EXTM3U\n#EXT-X-ENDLIST\n"
    #expect(
      mistakes(files).contains {
        $0.hasPrefix("folder/s/low/list.m3u8:1:1: media.hls.playlists: a media playlist needs EXT")
      })
    files["s/master.m3u8"] = Self.master.replacing("low/", with: "https://cdn.example/low/")
    #expect(
      mistakes(files).first?.hasPrefix(
        "folder/s/master.m3u8:2:1: media.hls.playlists: “https://cdn.example/low/list.m3u8” is no "
      ) == true)
  }

  @Test func `a delta update is no playlist to begin with`() {
    var files = Self.files
    files["s/low/list.m3u8"] = Self.media.replacing(
      "#EXTINF:4,\n", with: "#EXT-X-SKIP:SKIPPED-SEGMENTS=12\n#EXTINF:4,\n")
    let expected =
      "folder/s/low/list.m3u8:3:1: media.hls.playlists: EXT-X-SKIP leaves out 12 segments that no "
      + "playlist here has (§4.4.5.2) (expected the whole playlist, as it is without _HLS_skip)"
    #expect(mistakes(files) == [expected])
    #expect(mistakes(files, "s/low/list.m3u8") == [expected])
  }

  @Test(arguments: [
    "", "#EXTM3U\n", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-ENDLIST\n", "GIF89a",
    "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n",
  ])
  func `what cannot be played is refused`(text: String) {
    #expect(mistakes(["s/master.m3u8": text]).first?.hasPrefix("folder/s/master.m3u8:") == true)
  }

  @Test func `a playlist that is not there is wrong in the scenario`() {
    let mistake = mistakes([:]).first ?? ""
    #expect(mistake.hasPrefix("folder/a.json:4:"))
    #expect(mistake.contains("media.hls.playlists: the playlist “s/master.m3u8” cannot be read"))
  }

  @Test func `variables of the multivariant playlist are imported`() throws {
    var files = Self.files
    files["s/master.m3u8"] = Self.master.replacing(
      "#EXTM3U\n", with: "#EXTM3U\n#EXT-X-DEFINE:NAME=\"path\",VALUE=\"deep\"\n")
    files["s/low/list.m3u8"] = Self.media.replacing(
      "#EXTM3U\n", with: "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"path\"\n"
    ).replacing("a.ts", with: "{$path}/a.ts")
    let lists = try presentation(read(#""playlists": "s/master.m3u8""#, files)).lists
    #expect(lists[0].uri(of: 0) == "s/low/deep/a.ts")
  }

  @Test func `the query by which a playlist is named defines its variables`() throws {
    var files = Self.files
    files["s/high rate/list.m3u8"] = Self.media.replacing(
      "#EXTM3U\n", with: "#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"token\"\n"
    ).replacing("a.ts", with: "{$token}/a.ts")
    let lists = try presentation(read(#""playlists": "s/master.m3u8""#, files)).lists
    #expect(lists[1].uri(of: 0) == "s/high%20rate/1/a.ts")
    files["s/master.m3u8"] = Self.master.replacing("?token=1", with: "?tokens=1")
    #expect(mistakes(files).first?.hasPrefix("folder/s/high rate/list.m3u8:2:") == true)
  }

  @Test func `a live playlist is played as far as it goes`() throws {
    var files = Self.files
    files["s/low/list.m3u8"] = Self.media.replacing("#EXT-X-ENDLIST\n", with: "")
    let scenario = try read(#""playlists": "s/low/list.m3u8""#, files)
    let outcome = try run(scenario)
    #expect(outcome.end == .finished && outcome.player.books.played == .milliseconds(7_500))
    #expect(outcome.logs.accessLog?.events.first?.playbackType == .videoOnDemand)
  }

  @Test func `a rung states the sizes of its segments`() throws {
    let hls = """
      "ladder": [ { "bitrate": "1 Mbit/s", "segmentBytes": ["10 KB", "20 KB", "5 KB"] } ],
      "segmentDuration": "4 s", "duration": "10 s"
      """
    let presentation = try presentation(read(hls))
    #expect(presentation.lists[0].segments.map { $0.bytes } == [10_000, 20_000, 5_000])
    #expect(presentation.sizeReport == nil)
    let short = hls.replacing(#", "5 KB""#, with: "")
    #expect(throws: DocumentError.self) { try read(short) }
  }

  /// Ten segments of 4 s. Unless it is precise, all of the segment that contains it is played.
  @Test(arguments: [
    ("12", 12), ("0", 0), ("13.9", 12), ("13.9,PRECISE=YES", 13.9), ("5,PRECISE=NO", 4),
    ("-8", 32), ("-6.5", 32), ("-6.5,PRECISE=YES", 33.5), ("-40", 0), ("-99", 0), ("39", 36),
    ("1.25,PRECISE=YES", 1.25),
  ])
  func `playback on demand begins at EXT-X-START, in either kind of playlist`(
    offset: String, seconds: Double
  ) throws {
    let start = "#EXTM3U\n#EXT-X-START:TIME-OFFSET=\(offset)\n"
    let segments = (0..<10).map { "#EXTINF:4,\n\($0).ts\n" }.joined()
    let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(segments)#EXT-X-ENDLIST\n"
    for isInMedia in [true, false] {
      let list = isInMedia ? media.replacing("#EXTM3U\n", with: start) : media
      let master = isInMedia ? Self.master : Self.master.replacing("#EXTM3U\n", with: start)
      let files = [
        "s/master.m3u8": master, "s/low/list.m3u8": list, "s/high rate/list.m3u8": list,
      ]
      let outcome = try run(read(#""playlists": "s/master.m3u8""#, files))
      #expect(outcome.faults == [] && outcome.player.books.stallCount == 0)
      #expect(outcome.player.books.played == .milliseconds(40_000 - Int64(seconds * 1_000)))
      var scenario = try read(#""playlists": "s/master.m3u8""#, files)
      scenario.item.startTime = .seconds(20)
      #expect(try run(scenario).player.books.played == .seconds(20))
    }
  }
}
