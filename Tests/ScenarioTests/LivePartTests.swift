import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing

/// Low-latency streams with gaps.
@Suite struct LivePartTests {
  /// A playlist of a minute with segments of a length in milliseconds.
  private static func list(
    _ name: String, _ length: Int64, parts: Int64, control: String, gaps: Set<Int64> = []
  ) -> String {
    """
    #EXTM3U
    #EXT-X-VERSION:9
    #EXT-X-TARGETDURATION:\((length + 999) / 1_000)
    #EXT-X-SERVER-CONTROL:PART-HOLD-BACK=\(seconds(3 * parts))\(control)
    #EXT-X-PART-INF:PART-TARGET=\(seconds(parts))

    """
      + (0..<60_000 / length).map {
        (gaps.contains($0) ? "#EXT-X-GAP\n" : "")
          + "#EXTINF:\(seconds(length)),\n#EXT-X-BITRATE:\(name == "w" ? 2000 : 500)\n"
          + "\(name)\($0).mp4\n"
      }.joined()
  }

  private static func run(
    _ files: [String: String], startsWith: Int64, kilobits: Int64 = 15_000
  ) throws -> RunOutcome {
    let text = """
      { "scenario": "a", "about": "b", "horizon": "5 min",
        "link": { "bandwidth": "\(kilobits) kbit/s", "delay": "20 ms" },
        "media": { "hls": { "playlists": "main.m3u8", "live": {
          "startsWith": "\(seconds(startsWith)) s" } } },
        "player": { "startsOnFirstEligibleVariant": true },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    return try ScenarioRunner.run(
      readScenario(Array(text.utf8), file: "a.json") { files[$0].map { Array($0.utf8) } })
  }

  @Test(
    arguments: [[0], [5], [7], [14], [3, 4], [4, 6, 8], Set(3..<15)] as [Set<Int64>],
    ["", ",CAN-BLOCK-RELOAD=YES"])
  func `a gap at the live edge is passed part by part`(gaps: Set<Int64>, control: String) throws {
    for (parts, startsWith) in [(2_000, 12_000), (1_000, 21_500), (500, 0)] as [(Int64, Int64)] {
      for hint in ["", "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"next.mp4\"\n"] {
        let list = Self.list("v", 4_000, parts: parts, control: control, gaps: gaps) + hint
        let outcome = try Self.run(["main.m3u8": list], startsWith: startsWith)
        #expect(outcome.player.outcome == .played && outcome.faults == [])
        let trace = String(decoding: outcome.trace, as: UTF8.self)
        for gap in gaps { #expect(!trace.contains("\"v\(gap).mp4\"")) }
      }
    }
  }
}

private func seconds(_ milliseconds: Int64) -> String {
  "\(milliseconds / 1_000).\(String(milliseconds % 1_000 + 1_000).dropFirst())"
}
