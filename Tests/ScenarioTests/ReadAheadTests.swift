import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// The choices of players in pages, each worked out by hand.
@Suite struct ReadAheadTests {
  /// 1.2 × 3.490 Mbit/s is less than the 4,194,304 bit/s that are assumed of the link.
  @Test(arguments: [("3490 kbit/s", 1), ("3496 kbit/s", 0)])
  func `VHS begins with the highest variant that times 1.2 is within what it assumes`(
    bitRate: String, variant: Int
  ) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "20 Mbit/s", "delay": "10 ms" },
        "media": { "hls": { "ladder": [ { "bitrate": "500 kbit/s" }, { "bitrate": "\(bitRate)" } ],
          "segmentDuration": "4 s", "duration": "12 s" } },
        "player": { "policy": "VHS 3.17" }, "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.story.firstVariant?.variant == variant)
  }
}
