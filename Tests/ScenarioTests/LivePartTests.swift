import Foundation
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing

/// Low-latency streams with gaps, and with playlists whose segments are cut elsewhere.
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

  /// Milliseconds: of the segments of two audio groups, of their parts, and of what exists.
  private static let layouts: [(a: Int64, b: Int64, parts: Int64, exists: Int64)] = [
    (5_900, 6_000, 500, 42_780), (6_016, 5_994, 500, 42_780), (6_000, 4_000, 1_000, 30_300),
    (3_000, 7_500, 500, 20_000), (6_000, 6_000, 500, 42_780), (2_500, 6_000, 400, 29_700),
    (6_000, 1_000, 1_000, 41_200), (5_000, 6_000, 334, 37_000), (6_006, 6_000, 1_001, 25_100),
    (4_000, 4_037, 700, 33_333),
  ]

  @Test(arguments: layouts)
  func `another audio group goes on where the old one ended, amid a segment`(
    a: Int64, b: Int64, parts: Int64, exists: Int64
  ) throws {
    for control in ["", ",CAN-BLOCK-RELOAD=YES"] {
      for startsWith in [exists, exists + 130, exists + parts, exists + 3_700] {
        let files = [
          "main.m3u8": """
          #EXTM3U
          #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="E",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"
          #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="b",NAME="E",DEFAULT=YES,AUTOSELECT=YES,URI="b.m3u8"
          #EXT-X-STREAM-INF:BANDWIDTH=1000000,AUDIO="a"
          v.m3u8
          #EXT-X-STREAM-INF:BANDWIDTH=2500000,AUDIO="b"
          w.m3u8

          """,
          "v.m3u8": Self.list("v", 6_000, parts: parts, control: control),
          "w.m3u8": Self.list("w", 6_000, parts: parts, control: control),
          "a.m3u8": Self.list("a", a, parts: parts, control: control),
          "b.m3u8": Self.list("b", b, parts: parts, control: control),
        ]
        let outcome = try Self.run(files, startsWith: startsWith)
        #expect(outcome.player.outcome == .played && outcome.faults == [])
        var end: Double?
        for line in outcome.trace.split(separator: UInt8(ascii: "\n")) {
          let event = try #require(
            JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
          guard event["event"] as? String == "requestStart", event["track"] as? String == "audio",
            let from = event["from"] as? Double, let to = event["to"] as? Double
          else { continue }
          #expect(from < to && from <= (end ?? from) + 0.05, "\(from) after \(end ?? from)")
          end = max(end ?? to, to)
        }
      }
    }
  }
}

private func seconds(_ milliseconds: Int64) -> String {
  "\(milliseconds / 1_000).\(String(milliseconds % 1_000 + 1_000).dropFirst())"
}
