import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

/// A start that waits for so many bytes: the link's rate says when they are there.
@Suite struct ByteMarkTests {
  @Test(
    arguments: [
      (500, 125, 2_000), (500, 62, 992), (800, 100, 1_000), (1_000, 500, 4_000), (250, 10, 320),
      (4_000, 1_000, 2_000), (80, 30, 3_000), (640, 160, 2_000), (1_600, 20, 100),
      (400, 450, 9_000),
    ] as [(Int64, Int64, Int64)])
  func `playback starts when so many bytes are ahead`(
    kilobits: Int64, kilobytes: Int64, milliseconds: Int64
  ) throws {
    for bitrate in ["700 kbit/s", "2 Mbit/s"] {
      let text = """
        { "scenario": "a", "about": "b", "link": { "bandwidth": "\(kilobits) kbit/s" },
          "media": { "progressive": { "duration": "20 s", "bitrate": "\(bitrate)" } },
          "player": { "policy": { "start": { "bytes": "\(kilobytes) KB" } } },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """
      let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
      let delay = try #require(outcome.player.startupDelay)
      #expect(delay >= .milliseconds(milliseconds), "\(bitrate)")
      #expect(delay <= .milliseconds(milliseconds) + .milliseconds(1), "\(bitrate): \(delay)")
    }
  }
}
