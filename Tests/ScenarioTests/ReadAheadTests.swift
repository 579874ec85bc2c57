import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// The read-ahead of players of streams, counted in segments before play is asked for.
@Suite struct ReadAheadTests {
  /// The segments that are asked for in the first minute, on a link that brings all of them.
  private func segments(
    _ player: String, _ rungs: [String], of seconds: Int64, bandwidth: String = "100 Mbit/s"
  ) throws -> Int {
    let ladder = rungs.map { "{ \"bitrate\": \"\($0)\" }" }.joined(separator: ", ")
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "\(bandwidth)" },
        "media": { "hls": { "ladder": [ \(ladder) ], "segmentDuration": "\(seconds) s",
          "duration": "720 s", "playlistBytes": "0 B" } },
        "player": { \(player) }, "horizon": "61 s",
        "script": [ { "at": "60 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
    return lines.prefix { !$0.contains("\"event\":\"app\"") }.count {
      $0.contains("\"event\":\"requestStart\"") && $0.contains("\"mediaSegment\"")
    }
  }

  private static let hls = #""policy": "hls.js 1.6""#
  private static let dash = #""policy": "dash.js 5.1""#
  private static let own = """
    "policy": { "like": "avfoundation", "nextVariant": "fixed", "streamFetch": {
      "media": "600 s", "bytes": "60 MB", "leastMedia": "30 s" } }
    """

  /// The next segment of 4 s is asked for while less than the limit is ahead: 480 s at 1 Mbit/s,
  /// 30 s at 18 Mbit/s, where 60 MB are 26.7 s, and 600 s at 500 kbit/s.
  @Test(
    arguments: Seeds.cases(
      of: [
        (hls, "18 Mbit/s", 8), (hls, "1 Mbit/s", 120), (hls, "500 kbit/s", 150),
        (own, "18 Mbit/s", 8), (own, "1 Mbit/s", 120), (own, "500 kbit/s", 150),
        // As much as the app asks for, and no more bytes: one segment is about to play.
        (hls + #", "preferredForwardBufferDuration": "100 s""#, "1 Mbit/s", 25),
        (hls + #", "preferredForwardBufferDuration": "10 s""#, "1 Mbit/s", 3),
        (hls + #", "bufferCap": "2 MB""#, "1 Mbit/s", 5),
      ] as [(String, String, Int)], few: 4))
  func `hls.js reads 60 MB ahead, at the bit rate of its variant`(
    player: String, bitRate: String, count: Int
  ) throws {
    #expect(try segments(player, [bitRate], of: 4, bandwidth: "200 Mbit/s") == count)
  }

  /// The first segment is of the lowest variant, which is worth 480 s of media, or 600 s.
  @Test(
    arguments: [
      (["1 Mbit/s", "18 Mbit/s"], 8), (["1 Mbit/s", "4 Mbit/s"], 30),
      (["500 kbit/s", "8 Mbit/s"], 15),
    ] as [([String], Int)])
  func `after a switch as much is read ahead as the new variant is worth`(
    rungs: [String], count: Int
  ) throws {
    #expect(try segments(Self.hls, rungs, of: 4, bandwidth: "200 Mbit/s") == count)
  }

  /// There are 18 s at most with the next segment: the last is asked for with 16 s, or with 12 s.
  @Test(
    arguments: Seeds.cases(
      of: [
        (dash, ["1 Mbit/s", "5 Mbit/s"], 2, 9), (dash, ["1 Mbit/s", "5 Mbit/s"], 4, 4),
        (dash, ["1 Mbit/s"], 2, 9), (dash, ["1 Mbit/s"], 4, 4), (dash, ["1 Mbit/s"], 6, 3),
        (
          dash + #", "preferredForwardBufferDuration": "40 s""#, ["1 Mbit/s", "5 Mbit/s"], 4, 10
        ),
      ] as [(String, [String], Int64, Int)], few: 4))
  func `dash.js reads 18 s ahead with the next segment`(
    player: String, rungs: [String], seconds: Int64, count: Int
  ) throws {
    #expect(try segments(player, rungs, of: seconds, bandwidth: "3 Mbit/s") == count)
  }

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
