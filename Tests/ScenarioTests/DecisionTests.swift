import Autowait
import Foundation
import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Every decision of a player names its clause, and two runs part at the first that differs.
@Suite struct DecisionTests {
  @Test func `in the golden traces every decision names its clause`() throws {
    var counts: [String: Int] = [:]
    for scenario in ShippedScenario.all {
      let path = scenario.path.replacing(".json", with: ".trace")
      let trace = try String(
        contentsOf: Checkout.at("Tests/ScenarioTests/Goldens/" + path), encoding: .utf8)
      for line in trace.split(separator: "\n").dropFirst() where decides(String(line)) {
        #expect(line.contains(#""clause":""#), "\(path): \(line)")
        counts[event(of: String(line)), default: 0] += 1
      }
    }
    for name in [
      "likelyToKeepUp", "timeControlStatus", "stall", "variantChoice", "variantSwitchStart",
      "segmentAbandon",
    ] {
      #expect(counts[name, default: 0] > 5, "\(name)")
    }
  }

  /// Whether a line is a decision that goes by what the policy says.
  private func decides(_ line: String) -> Bool {
    switch event(of: line) {
    case "likelyToKeepUp", "stall", "variantChoice", "variantSwitchStart", "segmentAbandon": true
    // The table's rows for automatic waiting on, in which nothing but the buffer is asked.
    case "timeControlStatus":
      [
        "waitsForBuffer", "startsLikelyOrFull", "evaluatedReady", "evaluatedUnready",
        "waitedEnough",
      ]
      .contains { line.contains(#""rule":"\#($0)""#) }
    default: false
    }
  }

  private func event(of line: String) -> String {
    let parts = line.components(separatedBy: #""event":""#)
    return parts.count < 2 ? "" : String(parts[1].prefix { $0 != "\"" })
  }

  static let pairs: [(scenario: String, one: KeepUpHeuristic?, other: KeepUpHeuristic?)] = [
    ("demo-2-slow-server-play", nil, .thresholds(start: .seconds(1), resume: .seconds(2))),
    ("demo-2-slow-server-play", .immediate, .everythingLoaded),
    ("outage-stalls-and-resumes", nil, .thresholds(start: .seconds(4), resume: .seconds(8))),
    ("outage-stalls-and-resumes-tcp", nil, .immediate),
    ("3g-cold", .everythingLoaded, .thresholds(start: .seconds(3), resume: .seconds(3))),
    ("very-bad-network-tcp", nil, .thresholds(start: .milliseconds(500), resume: .seconds(1))),
    ("hls-talk-rung-4500", nil, .thresholds(start: .seconds(7), resume: .seconds(7))),
    ("hls-goes-down-before-it-stalls", nil, .immediate),
    ("hls-slow-network", .everythingLoaded, nil),
    ("vbr-heavy-tail", .thresholds(start: .seconds(2), resume: .seconds(2)), nil),
  ]

  @Test(arguments: Seeds.cases(of: pairs))
  func `two heuristics part where their decisions first differ`(
    pair: (scenario: String, one: KeepUpHeuristic?, other: KeepUpHeuristic?)
  ) throws {
    let scenario = try ShippedScenario.named(pair.scenario).read()
    let traces = try [pair.one, pair.other].map {
      try run(scenario, options: RunOptions(heuristic: $0, folds: .figures)).trace
    }
    try expectParting(traces)
  }

  /// Whole players, each pair over a file and over a stream.
  static let players: [(one: String, other: String)] = [
    ("avfoundation", "Media3 1.9 local"), ("avfoundation", "hls.js 1.6"),
    ("Media3 1.9 local", "hls.js 1.6"),
    ("Shaka 5.2", "dash.js 5.1"), ("Chromium 156 play", "Firefox 153 play"),
    ("GStreamer 1.22 playbin3", "mpv 0.35"), ("Kodi 21", "ijkplayer 0.8"),
    ("avfoundation", "Shaka 5.2"), ("mpv 0.35", "avfoundation"),
    ("Firefox 153 play", "avfoundation"),
  ]

  private static let media = [
    #""progressive": { "duration": "24 s", "bitrate": "1 Mbit/s" }"#,
    #"""
    "hls": { "duration": "24 s", "segmentDuration": "4 s",
      "ladder": [ { "bitrate": "1200 kbit/s" }, { "bitrate": "400 kbit/s" } ] }
    """#,
  ]

  /// What a pair plays, and how closely its link is followed.
  private static let sessions = ["fluid", "tcp"].flatMap { fidelity in
    media.map { (media: $0, fidelity: fidelity) }
  }

  @Test(arguments: Seeds.pairs(of: players, and: sessions))
  func `two players part where their decisions first differ`(
    pair: (one: String, other: String), session: (media: String, fidelity: String)
  ) throws {
    let traces = try [pair.one, pair.other].map { name in
      let text = """
        { "scenario": "a", "about": "b", "fidelity": "\(session.fidelity)",
          "link": { "bandwidth": "900 kbit/s", "delay": "30 ms" }, "media": { \(session.media) },
          "player": { "policy": "\(name)" },
          "script": [ { "at": "0 s", "do": "play" },
            { "at": "9 s", "do": "changeLink", "to": { "bandwidth": "300 kbit/s" } } ] }
        """
      return try run(readScenario(Array(text.utf8), file: "a.json")).trace
    }
    try expectParting(traces)
  }

  /// A run of which the last decision was left out decides nothing more where the other does.
  @Test func `where one run decides nothing more, it is not in time alone that they part`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "900 kbit/s" },
        "media": { "progressive": { "duration": "9 s", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let whole = try run(readScenario(Array(text.utf8), file: "a.json")).trace
    let last = try #require(decisions(in: whole).last)
    var lines = String(decoding: whole, as: UTF8.self).split(separator: "\n").map { String($0) }
    lines.remove(at: last.line - 1)
    let short = Array((lines.joined(separator: "\n") + "\n").utf8)
    for (traces, isFirst) in [([whole, short], true), ([short, whole], false)] {
      let parting = try #require(try compareDecisions(traces[0], traces[1]))
      #expect(
        (parting.first?.line, parting.second?.line) == (
          isFirst ? last.line : nil, isFirst ? nil : last.line
        ))
      #expect(!parting.isInTimeOnly && parting.earlier == nil)
    }
    // The last decision at another time: the same one, in time alone.
    let time = try #require(last.text.firstMatch(of: /"t":([0-9.]+)/)?.output.1)
    lines.insert(last.text.replacing("\"t\":\(time)", with: "\"t\":99.5"), at: last.line - 1)
    let late = Array((lines.joined(separator: "\n") + "\n").utf8)
    let parting = try #require(try compareDecisions(whole, late))
    #expect(parting.isInTimeOnly && parting.second?.time == "99.5")
  }

  /// Expects that the first decision at which two runs part is named with both clauses.
  private func expectParting(_ traces: [[UInt8]]) throws {
    let parting = try #require(try compareDecisions(traces[0], traces[1]))
    let lists = traces.map { decisions(in: $0) }
    let common = zip(lists[0], lists[1]).prefix { untimed($0.0.text) == untimed($0.1.text) }
    let index = common.reduce(0) { count, _ in count + 1 }
    for (list, decision) in zip(lists, [parting.first, parting.second]) {
      guard list.indices.contains(index) else {
        #expect(decision == nil)
        continue
      }
      #expect(decision?.line == list[index].line)
      #expect(list[index].text.contains(#""clause":"\#(decision?.clause ?? "")""#))
      #expect(decision?.consequence.contains("startupDelaySeconds") == true)
    }
    #expect(try compareDecisions(traces[0], traces[0]) == nil)
  }

  /// A line without its time and its estimate: neither a late decision nor another estimate parts
  /// two runs.
  private func untimed(_ line: String) -> Substring {
    let text = line[(line.firstIndex(of: ",") ?? line.startIndex)...]
    return text.replacing(/,"estimate":\d+/, with: "")
  }

  /// The lines with a clause, found by their text alone.
  private func decisions(in trace: [UInt8]) -> [(line: Int, text: String)] {
    String(decoding: trace, as: UTF8.self).split(separator: "\n").enumerated()
      .filter { $0.offset > 0 && $0.element.contains(#""clause":"#) }
      .map { ($0.offset + 1, String($0.element)) }
  }
}
