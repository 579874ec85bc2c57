import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// What model-predictive control does where the media ends.
@Suite struct PredictiveEndTests {
  private func played(
    _ sizes: String, rate: Int64, segment: Int64, count: Int64
  ) throws -> (stalled: TimeSpan, last: Substring) {
    let rungs = [600, 1_800, 4_500, 11_000].map { rate -> String in
      let bytes = (0..<count).map { _ in "\"\(Int64(rate) * segment * 125) B\"" }
      return "{ \"bitrate\": \"\(rate) kbit/s\", \"segmentBytes\": [ "
        + bytes.joined(separator: ", ") + " ] }"
    }
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "\(rate) kbit/s", "delay": "20 ms" },
        "media": { "hls": { "ladder": [ \(rungs.joined(separator: ", ")) ],
          "segmentDuration": "\(segment) s", "duration": "\(segment * count) s",
          "playlistsAreThere": true } },
        "player": { "policy": { "like": "RobustMPC",
          "nextVariant": { "predictive": { "clock": "request", "sizes": "\(sizes)" } } } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
    let last = lines.last { $0.contains("\"requestStart\"") && $0.contains("mediaSegment") }
    return (outcome.player.books.stalled, last ?? "")
  }

  /// With segments of one size it makes no difference whose size each has, to the last of them: one
  /// that cost nothing would be taken at the highest.
  @Test(
    arguments: Seeds.cases(of: [700, 900, 1_500, 1_900, 2_500, 3_300, 4_700, 6_000, 8_000, 12_000]))
  func `the last segment has its own size where none follows`(rate: Int64) throws {
    for (segment, count) in [(2, 10), (6, 7)] as [(Int64, Int64)] {
      let own = try played("own", rate: rate, segment: segment, count: count)
      let following = try played("following", rate: rate, segment: segment, count: count)
      #expect(own.last == following.last, "\(segment) s")
      #expect(own.stalled == following.stalled, "\(segment) s")
    }
  }
}
