import ExactText
import Foundation
import LinkConditioner
import Recording
import RunReports
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Lanes of a picture, in tenths of a pixel that are worked out by hand.
///
/// A wide picture has 9,020 of them from 460 to 9,480: over 9.02 s each is a millisecond.
@Suite struct PictureLaneTests {
  private static let text = """
    { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" }, "horizon": "9.02 s",
      "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" } ] }
    """

  private func outcome(_ text: String = Self.text) throws -> (Scenario, RunOutcome) {
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    var options = RunOptions(keepsTrace: false)
    options.keepsCurves = true
    return (scenario, try run(scenario, options: options))
  }

  private func lines(_ picture: RunPicture) -> [String] {
    String(decoding: picture.document, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The number behind a name in the line of an element.
  private func number(_ name: String, in line: String) throws -> Int {
    let parts = line.components(separatedBy: " \(name)=\"")
    return try #require(parts.count > 1 ? Int(parts[1].prefix { $0 != "\"" }) : nil)
  }

  /// Moments a second, a second and a half and more apart: the shortest distance is that of all.
  @Test func `a lane of moments has a step for each that has a value, a distance long`() throws {
    let (scenario, outcome) = try outcome()
    var moments = Array(repeating: try MadeUpDocumentTests.resilience(), count: 4)
    let values: [(Int64, Int64?, Int64?)] = [
      (1_000, 520, nil), (2_000, nil, nil), (3_500, 260, nil), (8_900, 1, nil),
    ]
    for (place, value) in values.enumerated() {
      moments[place].moment = .zero + .milliseconds(value.0)
      moments[place].outage = value.1.map { .milliseconds($0) }
      moments[place].dip = nil
    }
    let lines = lines(RunPicture(scenario, outcome, resilience: moments))
    let title = try #require(lines.firstIndex { $0.contains("the shortest outage that makes") })
    #expect(
      lines[title].hasSuffix(
        ">the shortest outage that makes it stall or fail, at most 0.520 s</text>"))
    let top = try number("y", in: lines[title]) + 70
    #expect(
      Array(lines[(title + 1)...(title + 3)]) == [
        "<path class=\"achieved\" d=\"M1460 \(top)L2460 \(top)M3960 \(top + 260)L4960 \(top + 260)"
          + "M9360 \(top + 519)L9480 \(top + 519)\"/>",
        "<path class=\"frame\" d=\"M460 \(top)L9480 \(top)L9480 \(top + 520)L460 \(top + 520)Z\"/>",
        "<text class=\"title\" x=\"460\" y=\"\(top + 520 + 70 + 120)\">"
          + "the highest rate of a dip that makes it stall or fail: none does</text>",
      ])
    // Without a value the next lane begins 40 below the title's own 190.
    #expect(try number("y", in: lines[title + 4]) == top + 520 + 70 + 190 + 40 + 120)
  }

  @Test(arguments: [
    (#""bandwidth": "0 kbit/s""#, "", "at most 0 bit/s"),
    (#""bandwidth": "1 bit/s""#, "", "at most 1 bit/s"), (#""delay": "50 ms""#, "", "unlimited"),
    (
      #""bandwidth": "400 kbit/s""#, #", { "at": "3 s", "do": "switchLink", "to": "off" }"#,
      "unlimited, or at most 400 kbit/s"
    ),
  ])
  func `the lane of the link says which rates it has`(
    link: String, step: String, words: String
  ) throws {
    let text = Self.text.replacing(#""bandwidth": "2 Mbit/s""#, with: link)
      .replacing(#""do": "play" }"#, with: #""do": "play" }"# + step)
    let (scenario, outcome) = try outcome(text)
    let lines = lines(RunPicture(scenario, outcome))
    #expect(lines.contains { $0.contains(">link: \(words);") }, "\(words)")
  }

  @Test func `of one moment a step lasts a second, and a rate has its own lane`() throws {
    let (scenario, outcome) = try outcome()
    var moment = try MadeUpDocumentTests.resilience()
    (moment.moment, moment.outage) = (.zero + .milliseconds(4_000), nil)
    moment.dip = .bitsPerSecond(1_500_000)
    let lines = lines(RunPicture(scenario, outcome, resilience: [moment]))
    let title = try #require(lines.firstIndex { $0.contains("the highest rate of a dip") })
    #expect(lines[title].hasSuffix("a dip that makes it stall or fail, at most 1.5 Mbit/s</text>"))
    let top = try number("y", in: lines[title]) + 70
    #expect(lines[title + 1] == "<path class=\"achieved\" d=\"M4460 \(top)L5460 \(top)\"/>")
    #expect(
      lines[title - 1].hasSuffix("shortest outage that makes it stall or fail: none does</text>"))
    let plain = self.lines(RunPicture(scenario, outcome))
    #expect(!plain.contains { $0.contains("makes it stall") })
  }

  /// Segments of 4 s take 2 s each. The first starts playback at 2 s: at 9.02 s the playhead is at
  /// 7.02 s of 16 s, which are 3,000 high.
  @Test func `a segment that plays in the end is drawn to the playhead`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" }, "horizon": "9.02 s",
        "media": { "hls": { "duration": "20 s", "segmentDuration": "4 s", "playlistBytes": "0 B",
          "ladder": [ { "bitrate": "1 Mbit/s" } ] } }, "player": { "heuristic": "immediate" },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let (scenario, outcome) = try outcome(text)
    let slabs = lines(RunPicture(scenario, outcome)).first { $0.contains("class=\"v3\" d=") }
    #expect(
      slabs?.contains(
        "M2460 3210L6460 2460L2460 2460ZM4460 2460L6460 2460L9480 1894L9480 1710L4460 1710Z"
          + "M6460 1710L9480 1710L9480 960L6460 960Z") == true, "\(slabs ?? "")")
  }

  /// The second of three schedules is over as soon as it begins, with a step of the first one.
  @Test func `of two rates at one instant the last one counts`() throws {
    func schedule(_ rates: [String], at seconds: String) -> String {
      let steps = rates.map { #"{ "for": "1500 ms", "bandwidth": "\#($0)" }"# }
      return #"{ "at": "\#(seconds) s", "do": "changeSchedule", "to": { "steps": [ "#
        + steps.joined(separator: ", ") + #" ], "then": "repeat" } }"#
    }
    let steps = [
      schedule(["1 Mbit/s", "3 Mbit/s"], at: "3"), schedule(["200 kbit/s", "4 Mbit/s"], at: "4.5"),
      schedule(["500 kbit/s", "0 bit/s"], at: "4.5"),
    ]
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" }, "horizon": "9 s",
        "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" }, \(steps.joined(separator: ", ")) ] }
      """
    let spans = try #require(outcome(text).1.capacity)
    let ends = spans.map { [$0.start, $0.end].map { $0.nanoseconds / 1_000_000 } + [$0.rate] }
    #expect(
      ends == [
        [0, 3_000, 2_000_000], [3_000, 4_500, 1_000_000], [4_500, 6_000, 500_000],
        [6_000, 7_500, 0], [7_500, 9_000, 500_000],
      ])
  }
}
