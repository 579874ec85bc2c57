import Foundation
import TestSupport
import Testing

/// What sessions count for that were cut, never started, or began long before the tap.
@Suite(.besideOthers) struct StudyCountTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
  }

  private func write(seconds: Int, megabits: Double, tap: Int) throws {
    try place.write(
      """
      { "scenario": "A file", "about": "2 Mbit/s.", "link": { "bandwidth": "\(megabits) Mbit/s" },
        "media": { "progressive": { "duration": "\(seconds) s", "bitrate": "2 Mbit/s" } },
        "script": [ { "at": "\(tap) s", "do": "play" } ] }
      """, to: "file.json")
  }

  /// The figures of each policy, and the warnings.
  private func compare(
    _ arguments: String...
  ) throws -> (figures: [[String: [String: Any]]], warnings: [String]) {
    let run = try place.run(["compare", "file.json", "--format", "json"] + arguments)
    #expect(run.exitCode == 0, "\(run.errorText)")
    let found = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
    let policies = try #require(found["policies"] as? [[String: Any]])
    return (
      policies.compactMap { $0["figures"] as? [String: [String: Any]] },
      found["warnings"] as? [String] ?? []
    )
  }

  /// All of D seconds is there D × 2/rate after the file is asked for, which is before the tap:
  /// the best begins D earlier than that, or with the tap.
  @Test(
    arguments: Seeds.cases(of: [
      (30, 1.6, 0, 30.0), (30, 1.6, 5, 30.0), (30, 1.6, 10, 27.5), (30, 1.6, 40, 0.0),
      (12, 0.5, 30, 12.0), (12, 0.5, 40, 8.0), (20, 2.5, 3, 13.0),
    ]))
  func `what is loaded before the tap is loaded for the best as well`(
    seconds: Int, megabits: Double, tap: Int, regret: Double
  ) throws {
    try write(seconds: seconds, megabits: megabits, tap: tap)
    let found = try compare("--heuristics", "everythingLoaded,playThrough", "--regret")
    #expect(found.figures[0]["regretSeconds"]?["mean"] as? Double == regret)
    #expect(found.figures[1]["regretSeconds"]?["mean"] as? Double == 0)
  }

  /// At 1.6 Mbit/s playback lasts until 37.5 s.
  @Test(arguments: [(20, 2), (37, 2), (45, 0)])
  func `a session that the horizon cuts has no regret, and is named`(
    horizon: Int, count: Int
  ) throws {
    try write(seconds: 30, megabits: 1.6, tap: 0)
    let found = try compare(
      "--heuristics", "playThrough,thresholds 1 s/2 s", "--regret", "--set",
      "horizon=\(horizon) s")
    // What stalls just then goes on at no time that is known.
    let cut = found.figures.reduce(0) { $0 + ($1["regretSeconds"]?["unknown"] as? Int ?? 0) }
    let broken = found.figures.reduce(0) { $0 + ($1["regretSeconds"]?["never"] as? Int ?? 0) }
    #expect(cut + broken == count)
    #expect(found.warnings.contains { $0.hasPrefix("\(cut) of 2 sessions") } == (cut > 0))
    for figures in found.figures where figures["regretSeconds"]?["known"] as? Int == 1 {
      #expect(figures["regretSeconds"]?["mean"] as? Double ?? -1 >= 0)
    }
  }

  /// One plays until 37.5 s, the other from then on.
  @Test(arguments: [(45, " 0 |"), (90, nil)])
  func `where not all sessions have a value, a table says how many have`(
    horizon: Int, count: String?
  ) throws {
    try write(seconds: 30, megabits: 1.6, tap: 0)
    let study = [
      "compare", "file.json", "--heuristics", "playThrough,everythingLoaded", "--regret", "--set",
      "horizon=\(horizon) s",
    ]
    let markdown = try place.run(study + ["--format=markdown"]).text
    let rows = markdown.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows[0].hasSuffix(" regret, s: n |") == (count != nil))
    if let count { #expect(rows[2].hasSuffix(" 1 |") && rows[3].hasSuffix(count)) }
    let screen = try place.run(study).text
    #expect(screen.contains("\nn: how many sessions have a value") == (count != nil))
  }

  @Test func `what is live lasts to its horizon, and is cut by nothing`() throws {
    for (live, isCut) in [(#", "live": { "startsWith": "63 s" }"#, false), ("", true)] {
      try place.write(
        """
        { "scenario": "A stream", "about": "Ten minutes.", "horizon": "60 s",
          "link": { "bandwidth": "8 Mbit/s" },
          "media": { "hls": {
            "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "10 min"\(live) } },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """, to: "file.json")
      let note = "2 of 2 sessions are cut by the horizon during playback"
      let found = try compare("--policies", "avfoundation,hls.js 1.6")
      #expect(found.warnings.contains { $0.hasPrefix(note) } == isCut)
      let part = ["compare", "file.json", "--policies", "avfoundation,hls.js 1.6"]
      try place.write(try place.run(part + ["--shard", "1/1"]).text, to: "part.jsonl")
      let merged = try place.run("merge", "part.jsonl")
      #expect(merged.exitCode == 0 && merged.errorText.contains(note) == isCut)
    }
  }

  @Test(arguments: [20, 40])
  func `a session that its event budget cuts is not taken for a good one`(budget: Int) throws {
    try write(seconds: 30, megabits: 1.6, tap: 0)
    let found = try compare(
      "--heuristics", "immediate,playThrough", "--set", "eventBudget=\(budget)")
    let isCut = budget == 20
    #expect(found.warnings.contains { $0.contains("1 of 2 sessions is cut by the event budget") })
    #expect(isCut || found.warnings.count == 1)
    let figures = try #require(found.figures.first)
    #expect(figures["startupDelaySeconds"]?["known"] as? Int == 1)
    for name in ["stalledSeconds", "rebufferRatio", "stallShare", "neverRecoveredShare"] {
      #expect(figures[name]?["unknown"] as? Int == 1 && figures[name]?["mean"] is NSNull)
    }
    let arguments = ["--heuristics", "immediate,own", "--set", "eventBudget=\(budget)"]
    let screen = try place.run(["compare", "file.json"] + arguments)
    #expect(screen.errorText.contains("note: 1 of 2 sessions is cut by the event budget"))
  }

  /// 1.2 Mbit come in two seconds, and nothing after: less than is waited for, or a stall for ever.
  @Test func `a stall without an end has no length, and who never starts is not better`() throws {
    try write(seconds: 30, megabits: 1.6, tap: 0)
    try place.write("0,600k\n2,0\n90000,0\n", to: "dead.csv")
    let found = try compare(
      "--heuristics", "immediate,everythingLoaded", "--links", "dead.csv", "--set",
      "horizon=50 s", "--objective", "rebufferPercentage", "--objective", "meanRebuffer",
      "--objective", "rebufferFrequency")
    let (stalled, silent) = (found.figures[0], found.figures[1])
    for name in ["rebufferPercentage", "meanRebuffer", "rebufferFrequency", "rebufferRatio"] {
      #expect(stalled[name]?["never"] as? Int == 1 && stalled[name]?["mean"] is NSNull)
    }
    #expect(stalled["stallShare"]?["mean"] as? Double == 1)
    #expect(silent["stallShare"]?["never"] as? Int == 1)
    #expect(silent["neverRecoveredShare"]?["unknown"] as? Int == 1)
    let table = try place.run(
      "compare", "file.json", "--links", "dead.csv", "--heuristics", "everythingLoaded",
      "--set", "horizon=50 s")
    #expect(!table.text.contains("0.0 %"))
  }
}
