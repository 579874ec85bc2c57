import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// A live stream of which a segment does not come, while its playlist is to be read again.
@Suite struct RetryBesideReloadTests {
  /// The only variant waits for its retry; a playlist that is due meanwhile is read then, and not
  /// in one instant without end.
  @Test(arguments: Seeds.pairs(of: [8, 11, 12, 14, 17], and: ["fluid", "tcp"]))
  func `a reload that is due while the list waits for its retry is done`(
    segment: Int, fidelity: String
  ) throws {
    let text = """
      { "scenario": "a", "about": "b", "horizon": "60 s", "fidelity": "\(fidelity)",
        "link": { "bandwidth": "20 Mbit/s" },
        "media": { "hls": { "ladder": [ { "bitrate": "500 kbit/s" } ], "duration": "90 s",
          "segmentDuration": "2 s", "live": { "startsWith": "20 s" } } },
        "faults": [ { "status": 503, "url": "*segment\(segment).*" } ],
        "player": { "retry": { "attempts": 9, "backOff": "1 s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
    let summary = try #require(lines.last)
    #expect(summary.contains(#""end":"horizon""#), "\(summary)")
    // It waits one second, two, four and eight each time: nine times at most, and then no more.
    let retries = lines.count { $0.contains(#""event":"requestError""#) }
    #expect((5...10).contains(retries), "\(retries)")
  }
}
