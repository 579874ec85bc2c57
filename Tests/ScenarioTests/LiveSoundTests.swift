import Foundation
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing

/// A live stream whose sound is cut elsewhere than its pictures: it is played where both are.
@Suite struct LiveSoundTests {
  /// Milliseconds: of segments of pictures and of sound, of the stream, and of what is listed.
  struct Layout {
    var pictures: Int64
    var sound: Int64
    var whole: Int64 = 400_000
    var exists: Int64
    var window: Int64

    func list(_ length: Int64, _ kilobits: Int64) -> String {
      "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:\((length + 500) / 1_000)\n"
        + (0..<whole / length).map {
          "#EXTINF:\(seconds(length)),\n#EXT-X-BITRATE:\(kilobits)\n\(kilobits)-\($0).mp4\n"
        }.joined() + "#EXT-X-ENDLIST\n"
    }

    /// The start of what is listed of segments of a length.
    func first(_ length: Int64) -> Int64 {
      let edge = min(exists / length, whole / length) * length
      return (max(0, edge - window) + length - 1) / length * length
    }

    func run(_ script: String = "") throws -> [[String: Any]] {
      let files = [
        "main.m3u8": """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1100000,AUDIO="a"
        v.m3u8

        """, "v.m3u8": list(pictures, 1_000), "a.m3u8": list(sound, 96),
      ]
      let text = """
        { "scenario": "a", "about": "b", "horizon": "90 s",
          "link": { "bandwidth": "8 Mbit/s", "delay": "20 ms" },
          "media": { "hls": { "playlists": "main.m3u8", "live": {
            "startsWith": "\(seconds(exists)) s", "window": "\(seconds(window)) s" } } },
          "script": [ { "at": "0 s", "do": "play" } \(script) ] }
        """
      let outcome = try ScenarioRunner.run(
        readScenario(Array(text.utf8), file: "a.json") { files[$0].map { Array($0.utf8) } })
      #expect(outcome.faults == [] && outcome.player.outcome == .played)
      return try outcome.trace.split(separator: UInt8(ascii: "\n")).map {
        try #require(JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
      }
    }
  }

  /// Three segments are listed of each, and the start is three target durations back: at the first.
  static let layouts = [
    Layout(pictures: 6_006, sound: 6_016, exists: 63_000, window: 24_000),
    Layout(pictures: 6_006, sound: 6_016, exists: 100_000, window: 20_000),
    Layout(pictures: 4_000, sound: 4_100, exists: 50_000, window: 16_000),
    Layout(pictures: 8_000, sound: 2_500, exists: 95_000, window: 26_000),
    Layout(pictures: 4_000, sound: 4_400, exists: 44_500, window: 13_000),
    // They have ended.
    Layout(pictures: 6_006, sound: 6_016, whole: 70_000, exists: 69_900, window: 24_000),
    Layout(pictures: 10_000, sound: 9_000, whole: 100_000, exists: 99_900, window: 31_000),
    // Sound begins first.
    Layout(pictures: 6_006, sound: 5_900, exists: 77_000, window: 25_000),
    Layout(pictures: 2_002, sound: 1_984, exists: 33_000, window: 8_000),
  ]

  @Test(arguments: layouts) func `it begins where both are listed, and plays`(layout: Layout) throws
  {
    let events = try layout.run()
    let moves = events.filter { $0["event"] as? String == "livePosition" }
    // The playlist of the pictures may come first.
    #expect(moves.count <= 2 && moves.allSatisfy { number($0["t"]) < 0.2 }, "\(moves)")
    let both = max(layout.first(layout.pictures), layout.first(layout.sound))
    #expect(number(moves.last?["time"]) >= Double(both) / 1_000)
    let starts = events.first { $0["event"] as? String == "timebase" }
    #expect(number(starts?["t"]) < 3)
  }

  /// Of 37 s, pictures are listed from 24.024 s on at 4 s, and sound from 24.064 s on.
  @Test(
    arguments: [
      ("24.03", 0, nil), ("24.063", 0, nil), ("24.064", 0, 24.064), ("24.07", 0, 24.07),
      ("24.07", 1, 24.07), ("27", 4, 27), ("30.02", 0, 30.02), ("30.05", 1, 30.03),
    ] as [(String, Int, Double?)])
  func `what is listed of the pictures alone cannot be sought`(
    to: String, tolerance: Int, place: Double?
  ) throws {
    let layout = Layout(pictures: 6_006, sound: 6_016, exists: 63_000, window: 37_000)
    let events = try layout.run(
      #", { "at": "4 s", "do": "seek", "to": "\#(to) s", "toleranceBefore": "\#(tolerance) s" }"#)
    let ends = events.filter { $0["event"] as? String == "seekDidComplete" }
    #expect(ends.map { $0["finished"] as? Bool } == [place != nil], "\(ends)")
    if let place { #expect(number(ends.first?["to"]) == place) }
    #expect(events.count { $0["event"] as? String == "livePosition" } == 1)
  }

  private func number(_ value: Any?) -> Double { value as? Double ?? .infinity }
}

private func seconds(_ milliseconds: Int64) -> String {
  "\(milliseconds / 1_000).\(String(milliseconds % 1_000 + 1_000).dropFirst())"
}
