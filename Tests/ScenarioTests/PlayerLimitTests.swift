import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Players at their limits: a cap of bytes, a live edge, a section that comes back.
@Suite struct PlayerLimitTests {
  private func outcome(_ text: String) throws -> RunOutcome {
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    return outcome
  }

  private func count(_ event: String, _ outcome: RunOutcome) -> Int {
    String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
      .count { $0.contains("\"event\":\"\(event)\"") }
  }

  /// With so much of the link the start comes before 4.3 MB are there; reading is suspended while
  /// it plays.
  @Test(
    arguments: Seeds.cases(
      of: [
        (20, 8, 0), (20, 10, 20), (50, 12, 20), (50, 40, 5), (8, 4, 100), (100, 2, 0), (9, 8, 10),
      ] as [(Int, Int, Int)]))
  func `Chromium cancels no request while it plays`(link: Int, media: Int, delay: Int) throws {
    for way in ["autoplay", "play"] {
      let outcome = try outcome(
        """
        { "scenario": "a", "about": "b",
          "link": { "bandwidth": "\(link) Mbit/s", "delay": "\(delay) ms" },
          "media": { "progressive": { "duration": "60 s", "bitrate": "\(media) Mbit/s" } },
          "player": { "policy": "Chromium 156 \(way)" },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """)
      #expect(outcome.player.books.stallCount == 0, "\(way)")
      #expect(count("requestStart", outcome) == 1 && count("requestCancel", outcome) == 0, "\(way)")
    }
  }

  /// The cap is full after 34.4 Mbit, when it starts; with 4.4 s played it reads on to the end.
  @Test(arguments: Seeds.cases(of: [500, 700, 800, 900, 950, 1_000] as [Int64]))
  func `Chromium cancels one request at its cap before the start`(rate: Int64) throws {
    let outcome = try outcome(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "\(rate) kbit/s", "delay": "20 ms" },
        "media": { "progressive": { "duration": "100 s", "bitrate": "2 Mbit/s" } },
        "player": { "policy": "Chromium 156 autoplay" },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """)
    #expect(count("requestStart", outcome) == 2 && count("requestCancel", outcome) == 1)
    let startup = try #require(outcome.player.startupDelay)
    let full = TimeSpan.milliseconds(40 + 34_400_000 / rate)
    #expect(startup >= full && startup < full + .milliseconds(2), "\(startup) not \(full)")
  }

  /// With little left at the live edge a stall would end as it begins, since nothing is loading.
  @Test(
    arguments: Seeds.cases(
      of: [
        "hls.js 1.6", "Shaka 5.2", "dash.js 5.1", "VHS 3.17", "mpv 0.35", "Chromium 156 MSE",
        "Firefox 153 MSE", "WebKit MSE autoplay", "Kodi 21", "Media3 1.6", "avfoundation",
      ], few: 3), [2, 4, 6])
  func `no stall ends as it begins`(player: String, segment: Int) throws {
    for (pause, window) in [(50, "60.5 s"), (20, "30 s"), (7, "24.7 s"), (0, "18 s")] {
      let again = #", { "at": "10 s", "do": "pause" }, { "at": "\#(10 + pause) s", "do": "play" }"#
      let outcome = try outcome(
        """
        { "scenario": "a", "about": "b", "horizon": "100 s",
          "link": { "bandwidth": "20 Mbit/s", "delay": "20 ms" },
          "media": { "hls": { "duration": "10 min", "segmentDuration": "\(segment) s", "audio": [],
            "ladder": [ { "bitrate": "1 Mbit/s" } ], "live": { "startsWith": "\(window)" } } },
          "player": { "policy": "\(player)" },
          "script": [ { "at": "0 s", "do": "play" }\(pause > 0 ? again : "") ] }
        """)
      let stalls = outcome.player.books.stalls
      #expect(stalls.allSatisfy { $0.length > .zero }, "\(pause) \(window): \(stalls)")
    }
  }

  /// An advertisement has an initialization section of its own, and what follows the old one.
  @Test(arguments: [2, 3, 5, 8])
  func `an initialization section that comes back is not fetched again`(blocks: Int) throws {
    let files = [
      "v.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        + (0..<blocks).map { block in
          let place = block % 2 * 500
          return "#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"500@\(place)\"\n"
            + "#EXTINF:4,\na\(block).mp4\n"
        }.joined() + "#EXT-X-ENDLIST\n"
    ]
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s", "delay": "50 ms" },
        "media": { "hls": { "playlists": "v.m3u8" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json") { name in
      files[name].map { Array($0.utf8) }
    }
    let outcome = try run(scenario)
    #expect(outcome.player.outcome == .played)
    let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
    #expect(lines.count { $0.contains("\"resource\":\"mapSegment\"") } == 2)
  }
}
