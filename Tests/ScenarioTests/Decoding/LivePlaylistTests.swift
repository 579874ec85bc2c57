import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import TestSupport
import Testing
import VirtualTime

/// Real playlists that say how they are served live, and scenarios that say otherwise.
@Suite struct LivePlaylistTests {
  private static let all = """
    #EXT-X-PLAYLIST-TYPE:EVENT
    #EXT-X-SERVER-CONTROL:HOLD-BACK=24,CAN-SKIP-UNTIL=36,PART-HOLD-BACK=4,CAN-BLOCK-RELOAD=YES
    #EXT-X-PART-INF:PART-TARGET=1
    #EXT-X-START:TIME-OFFSET=-30
    """

  private func read(
    _ tags: String, live: String = "{}", second: String? = nil
  ) throws(DocumentError) -> Scenario {
    func media(_ tags: String) -> String {
      "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(tags)\n"
        + String(repeating: "#EXTINF:6,\n#EXT-X-BYTERANGE:9000@0\na.ts\n", count: 20)
    }
    let names = second == nil ? ["v"] : ["v", "w"]
    let files = [
      "main.m3u8": "#EXTM3U\n"
        + names.map { "#EXT-X-STREAM-INF:BANDWIDTH=90000\n\($0).m3u8\n" }.joined(),
      "v.m3u8": media(tags), "w.m3u8": media(second ?? ""),
    ]
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "8 Mbit/s" },
      "media": { "hls": { "playlists": "main.m3u8", "live": \(live) } },
      "script": [ { "at": "0 s", "do": "play" } ] }
      """
    return try readScenario([UInt8](text.utf8), file: "a.json") { path in
      files[path].map { [UInt8]($0.utf8) }
    }
  }

  private func live(
    _ tags: String = Self.all, _ live: String = "{}", second: String? = nil
  ) throws -> LiveStream {
    guard case .stream(let settings) = try read(tags, live: live, second: second).item.source else {
      throw NoStream()
    }
    return try #require(settings.live)
  }

  private struct NoStream: Error {}

  private func mistakes(_ tags: String, _ live: String = "{}", second: String? = nil) -> String {
    do throws(DocumentError) {
      _ = try read(tags, live: live, second: second)
      return ""
    } catch {
      return error.text
    }
  }

  @Test func `the tags are what counts where no key does`() throws {
    let live = try live()
    #expect(live.window == .growing)
    #expect(live.holdBack == .seconds(24) && live.canSkipUntil == .seconds(36))
    #expect(live.start == StartPoint(offset: .zero - .seconds(30)))
    #expect(
      live.parts
        == LiveParts(holdBack: .seconds(4), blocksReload: true, hints: false, reports: false))
  }

  @Test func `a key counts instead of its tag, and of no other`() throws {
    let tags = try live()
    var expected = tags
    expected.holdBack = .seconds(40)
    #expect(try live(Self.all, #"{ "holdBack": "40 s" }"#) == expected)
    expected = tags
    expected.canSkipUntil = .seconds(60)
    #expect(try live(Self.all, #"{ "canSkipUntil": "1 min" }"#) == expected)
    expected = tags
    expected.start = StartPoint(offset: .seconds(3))
    #expect(try live(Self.all, #"{ "start": "3 s" }"#) == expected)
    expected = tags
    expected.parts?.holdBack = .seconds(2)
    #expect(try live(Self.all, #"{ "parts": { "holdBack": "2 s" } }"#) == expected)
    expected = tags
    expected.parts?.blocksReload = false
    #expect(try live(Self.all, #"{ "parts": { "blockingReload": false } }"#) == expected)
    expected = tags
    expected.window = .sliding(.seconds(60))
    #expect(
      try live(Self.all, #"{ "playlistType": "sliding", "window": "60 s", "startsWith": "36 s" }"#)
        .window == expected.window)
  }

  @Test func `null takes away what a tag says`() throws {
    let none = try live(
      Self.all,
      #"{ "holdBack": null, "canSkipUntil": null, "start": null, "parts": null }"#)
    #expect(none.holdBack == nil && none.canSkipUntil == nil)
    #expect(none.start == nil && none.parts == nil)
  }

  @Test(arguments: [
    (#"{ "window": "60 s" }"#, ".window: the playlists are an event's, which keeps everything"),
    (
      #"{ "keepsRemovedSegments": "60 s" }"#,
      ".keepsRemovedSegments: the playlists are an event's, which keeps everything"
    ),
    (#"{ "holdBack": "17 s" }"#, ".holdBack: HOLD-BACK is too short"),
    (#"{ "parts": { "duration": "1 ns" } }"#, ".parts: the parts are too short or too long"),
    (#"{ "parts": { "duration": "7 s" } }"#, ".parts: the parts are too short or too long"),
    (#"{ "parts": { "duration": "3 s" } }"#, ".parts: PART-HOLD-BACK is too short"),
  ]) func `a key that goes with no tag is refused`(live: String, message: String) {
    let text = mistakes(Self.all, live)
    #expect(text.contains(": media.hls.live" + message), "\(text)")
    #expect(text.filter { $0 == "\n" }.count == 1, "\(text)")
  }

  @Test func `parts that nothing gives a length are refused`() {
    #expect(
      mistakes("", #"{ "parts": { "preloadHints": true } }"#).contains(
        ": media.hls.live.parts: “duration” is missing"))
  }

  @Test func `an event beside what is none needs a word of the scenario`() throws {
    let event = "#EXT-X-PLAYLIST-TYPE:EVENT"
    #expect(
      mistakes(event, second: "").hasPrefix(
        "w.m3u8:1:1: media.hls.playlists: EXT-X-PLAYLIST-TYPE is not that of the first variant's "
          + "playlist (§6.2.4) (expected EVENT in every playlist or in none"))
    #expect(try live(event, #"{ "playlistType": "event" }"#, second: "").window == .growing)
  }

  @Test(arguments: [18, 20, 24, 25, 29, 30, 33, 36])
  func `playback begins in the segment that HOLD-BACK reaches`(holdBack: Int64) throws {
    let scenario = try read(
      "#EXT-X-SERVER-CONTROL:HOLD-BACK=\(holdBack)",
      live: #"{ "window": "60 s", "startsWith": "63 s" }"#)
    let outcome = try run(scenario)
    let begins = (60 - holdBack) / 6 * 6
    let trace = String(decoding: outcome.trace, as: UTF8.self)
    #expect(
      trace.contains(#""event":"livePosition","time":\#(begins),"reason":"holdBack""#), "\(trace)")
  }

  @Test func `the usual window holds what clients are held back`() throws {
    let live = try live("#EXT-X-SERVER-CONTROL:HOLD-BACK=50")
    #expect(live.window == .sliding(.seconds(56)))
  }

  @Test(
    arguments: [
      ("", 36), ("#EXT-X-SERVER-CONTROL:HOLD-BACK=50", 56), ("#EXT-X-START:TIME-OFFSET=-60", 66),
      ("#EXT-X-START:TIME-OFFSET=60", 36), ("#EXT-X-START:TIME-OFFSET=-900", 126),
      ("#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=60", 66),
      ("#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=4", 36),
      ("#EXTINF:0.5,\n#EXT-X-BYTERANGE:9@0\na.ts", 36),
    ] as [(String, Int64)])
  func `the usual window holds six of the longest segments, and what clients are told`(
    tags: String, seconds: Int64
  ) throws {
    #expect(try live(tags).window == .sliding(.seconds(seconds)))
  }

  @Test func `a key that replaces a tag widens no window`() throws {
    let start = "#EXT-X-START:TIME-OFFSET=-60"
    #expect(try live(start, #"{ "start": "-60 s" }"#).window == .sliding(.seconds(36)))
    let held = "#EXT-X-SERVER-CONTROL:HOLD-BACK=50"
    #expect(try live(held, #"{ "holdBack": null }"#).window == .sliding(.seconds(36)))
  }

  /// Lengths of the segments of each kind, and of the window, in seconds.
  @Test(arguments: [
    (variant: 6, audio: 6, subtitles: 60, window: 36), (2, 2, 60, 12), (2, 6, 60, 18),
    (4, 4, 1, 24), (1, 10, 30, 30),
  ])
  func `the window is that of the first variant, whatever its subtitles are`(
    variant: Int, audio: Int, subtitles: Int, window: Int
  ) throws {
    func media(_ length: Int) -> String {
      "#EXTM3U\n#EXT-X-TARGETDURATION:\(length)\n"
        + String(repeating: "#EXTINF:\(length),\na.ts\n", count: 120 / length)
    }
    let files = [
      "main.m3u8": """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="s",LANGUAGE="en",URI="s.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=900000,AUDIO="a",SUBTITLES="s"
      v.m3u8

      """,
      "s.m3u8": media(subtitles), "a.m3u8": media(audio),
      "v.m3u8": media(variant),
    ]
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "8 Mbit/s" },
      "media": { "hls": { "playlists": "main.m3u8", "live": {} } },
      "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario([UInt8](text.utf8), file: "a.json") { path in
      files[path].map { [UInt8]($0.utf8) }
    }
    guard case .stream(let settings) = scenario.item.source else { throw NoStream() }
    #expect(settings.live?.window == .sliding(.seconds(Int64(window))))
  }

  // Each is the value of a tag that comes from nowhere sensible.
  @Test(
    arguments: Seeds.cases(of: [
      "#EXT-X-SERVER-CONTROL:HOLD-BACK=0", "#EXT-X-SERVER-CONTROL:HOLD-BACK=9223372036",
      "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=0.001",
      "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=9223372036",
      "#EXT-X-PART-INF:PART-TARGET=0", "#EXT-X-PART-INF:PART-TARGET=0.000000001",
      "#EXT-X-PART-INF:PART-TARGET=9223372036",
      "#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=0,CAN-BLOCK-RELOAD=YES",
      "#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=9223372036",
      "#EXT-X-START:TIME-OFFSET=9223372036", "#EXT-X-START:TIME-OFFSET=-9223372036",
      "#EXT-X-START:TIME-OFFSET=0",
    ])) func `no value stops the stream from being played to its end`(tags: String) throws
  {
    let outcome = try run(read(tags, live: #"{ "startsWith": "39 s" }"#))
    #expect(outcome.end == .finished && outcome.faults == [])
  }

  // A second of the tiniest parts are ten thousand requests.
  @Test(arguments: Seeds.areMany ? ["0", "0.000000001", "1"] : ["1"])
  func `whoever joins a segment in parts asks for no part twice`(target: String) throws {
    let tags = "#EXT-X-PART-INF:PART-TARGET=\(target)"
    let trace = try run(read(tags, live: #"{ "startsWith": "39 s" }"#)).trace
    #expect(!String(decoding: trace, as: UTF8.self).contains("requestCancel"))
  }

  @Test func `a target duration of decades is not played`() {
    #expect(
      mistakes("#EXT-X-TARGETDURATION:1000000001").contains("EXT-X-TARGETDURATION"))
  }
}
