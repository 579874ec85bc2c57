import ScenarioFormat
import ScenarioRunner
import StreamingMedia
import TestSupport
import Testing
import VirtualTime

/// Loopers that a scenario made by hand asks for, and that no document can.
@Suite struct RefusedLooperTests {
  private static let text = """
    { "scenario": "a", "about": "b", "link": { "bandwidth": "8 Mbit/s" },
      "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
      "looping": { "way": "looper", "begins": "byScript" }, "horizon": "6 s",
      "script": [ { "at": "1 s", "do": "startLooping" }, { "at": "2 s", "do": "play" } ] }
    """

  @Test(
    arguments: [
      (3, 0..<4, nil), (2, 0..<4, "a looper makes at least three copies"),
      (0, 0..<4, "a looper makes at least three copies"), (3, 1..<3, nil),
      (3, 1..<5, "a looper's range lies within the media"),
      (3, 2..<2, "a looper needs a range that is not empty"),
    ] as [(Int, Range<Int64>, String?)])
  func `a looper that cannot be is refused by the player`(
    copies: Int, range: Range<Int64>, words: String?
  ) throws {
    var scenario = try ShippedScenario(path: "a.json", bytes: [UInt8](Self.text.utf8)).read()
    scenario.looping?.copies = copies
    scenario.looping?.timeRange = .seconds(range.lowerBound)..<(.seconds(range.upperBound))
    let outcome = try run(scenario)
    let refusals = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("\"event\":\"refused\"") }
    #expect(refusals.count == (words == nil ? 0 : 1))
    #expect(refusals.allSatisfy { $0.contains(words ?? "") }, "\(refusals)")
    #expect(outcome.warnings.contains { $0.message.contains("was refused") } == (words != nil))
  }
}
