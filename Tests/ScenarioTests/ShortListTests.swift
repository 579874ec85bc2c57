import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing

/// Players that look for room from time to time, and a playlist that ends before the longest.
@Suite struct ShortListTests {
  private static let policies = [
    "Shaka 5.2", "dash.js 5.1", "RobustMPC", "BOLA", "hls.js 1.6", "ExoPlayer 1.5",
  ]

  private func list(_ name: String, _ lengths: [Int], rate: Int) -> String {
    "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:\(lengths.max() ?? 1)\n"
      + lengths.enumerated().map {
        "#EXTINF:\($1),\n#EXT-X-BITRATE:\(rate)\n\(name)\($0).mp4\n"
      }.joined() + "#EXT-X-ENDLIST\n"
  }

  /// Lengths of the segments of the first variant, of the second, and of the audio, in seconds.
  private static let layouts: [(first: [Int], second: [Int], audio: [Int])] = [
    ([2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2]),
    ([2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2]),
    ([2, 2, 2, 2, 2, 2], [2, 2, 2], [2, 2, 2, 2, 2, 2]), ([6, 6, 6, 1], [6, 6, 6, 1], [6, 6, 6]),
    ([4, 4, 4, 4, 4, 4, 4, 4, 4, 4], [4, 4, 4, 4, 4, 4, 4, 4, 4, 4], [4, 4]),
    ([10, 10, 10], [10, 10, 9], [3, 3, 3, 3]), ([5, 5, 5, 5, 5], [8, 8, 8], [5, 5, 5, 5]),
  ]

  @Test(arguments: policies, layouts)
  func `it is played to the end of the longest`(
    policy: String, layout: (first: [Int], second: [Int], audio: [Int])
  ) throws {
    let files = [
      "main.m3u8": """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="E",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=700000,AUDIO="a"
      v.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=300000,AUDIO="a"
      w.m3u8

      """,
      "v.m3u8": list("v", layout.first, rate: 500), "w.m3u8": list("w", layout.second, rate: 150),
      "a.m3u8": list("a", layout.audio, rate: 100),
    ]
    for ahead in ["2 s", "5 s", "30 s"] {
      let text = """
        { "scenario": "a", "about": "b", "horizon": "5 min",
          "link": { "bandwidth": "5 Mbit/s", "delay": "20 ms" },
          "media": { "hls": { "playlists": "main.m3u8" } },
          "player": { "policy": "\(policy)", "preferredForwardBufferDuration": "\(ahead)" },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """
      let outcome = try ScenarioRunner.run(
        readScenario(Array(text.utf8), file: "a.json") { files[$0].map { Array($0.utf8) } })
      #expect(outcome.player.outcome == .played && outcome.faults == [], "\(ahead)")
    }
  }
}
