import ExactText
import HeuristicComparison
import ScenarioRunner
import TestSupport
import Testing

/// Sessions that differ in their seeds alone, and in nothing that was drawn, are run once.
@Suite struct SharedRunTests {
  private static let seeds = 8

  /// What is put into a scenario, and how many runs two policies need for all seeds.
  struct Case: Sendable {
    let parts: String
    let runs: ClosedRange<Int64>

    init(_ parts: String, _ runs: ClosedRange<Int64>) {
      self.parts = parts
      self.runs = runs
    }
  }

  /// A fault of one request either happens or does not, those of two come out in four ways at most;
  /// what is certain and what is never is not drawn, and no two sessions lose the same packets.
  private static let cases = [
    Case(#""faults": [ { "slowFirstByte": "1 s" } ]"#, 2...2),
    Case(#""faults": [ { "slowFirstByte": "1 s", "requests": 3, "chance": "50 %" } ]"#, 4...4),
    Case(
      #""faults": [ { "reset": { "after": "9 KB" }, "requests": 4, "chance": "30 %" } ]"#, 4...4),
    Case(
      #""faults": [ { "slowFirstByte": "2 s", "requests": 2, "chance": "60 %" }, "#
        + #"{ "status": 500, "requests": 5, "chance": "40 %" } ]"#, 5...8),
    Case(#""faults": [ { "slowFirstByte": "1 s", "chance": "50 %" } ]"#, 12...16),
    Case(#""fidelity": "tcp""#, 2...2),
    Case(
      #""fidelity": "tcp", "faults": [ { "status": 503, "requests": 4, "chance": "50 %" } ]"#,
      4...4),
    Case(#""fidelity": "tcp", "link": { "bandwidth": "300 kbit/s", "loss": "5 %" }"#, 16...16),
    Case(
      #""fidelity": "tcp", "link": { "bandwidth": "1 Mbit/s", "loss": "100 %" }, "horizon": "5 s""#,
      2...2),
  ]

  @Test(arguments: Seeds.areMany ? cases : [cases[1], cases[3], cases[5]])
  func `sessions for which the same is drawn are run once`(_ one: Case) throws {
    let link =
      one.parts.contains("link") ? "" : #""link": { "bandwidth": "300 kbit/s" }, "#
    let document = """
      { "scenario": "Drawn", "about": "A stream.", \(link)\(one.parts),
        "media": { "hls": {
          "ladder": [ { "bitrate": "50 kbit/s" }, { "bitrate": "90 kbit/s" } ],
          "duration": "12 s", "segmentDuration": "2 s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let study = Study(
      scenarios: [StudyScenario(file: "s.json", name: "Drawn", seed: 0, fidelity: "")],
      contestants: ["avfoundation", "hls.js 1.6"].map {
        Contestant($0, edits: JSONEdit.policy(.string($0)))
      },
      seeds: (0..<UInt64(Self.seeds)).map { $0 * 7 + 3 }, baseline: 0)
    let sources = StudySources(documents: [Array(document.utf8)], policies: []) { _, _ in nil }
    let runner = StudyRunner(study, sources)
    let rows = try (0..<study.sessionCount).map { try runner.run($0).row }
    #expect(one.runs.contains(runner.runCount), "\(runner.runCount) runs")
    // Whoever runs one session alone finds the same, and who runs them backwards.
    for number in [3, 2 * Self.seeds - 1] {
      #expect(try StudyRunner(study, sources).run(number).row == rows[number])
    }
    let back = StudyRunner(study, sources)
    for number in rows.indices.reversed() { #expect(try back.run(number).row == rows[number]) }
    #expect(back.runCount == runner.runCount)
  }

  /// A policy that changes the player alone is read once, one that changes the script each time.
  @Test func `a policy plays over a second link as if it had been read for it`() throws {
    let document = """
      { "scenario": "Linked", "about": "A stream.", "link": { "bandwidth": "1 Mbit/s" },
        "media": { "hls": {
          "ladder": [ { "bitrate": "50 kbit/s" }, { "bitrate": "90 kbit/s" } ],
          "duration": "24 s", "segmentDuration": "2 s" } },
        "script": [ { "at": "0 s", "do": "play" },
          { "at": "3 s", "do": "changeLink", "to": { "bandwidth": "70 kbit/s" } } ] }
      """
    let late = Contestant("late", edits: [try JSONEdit("script[0].at=2 s")])
    let study = Study(
      scenarios: ["a.json", "b.json"].map {
        StudyScenario(file: $0, name: $0, seed: 0, fidelity: "")
      },
      links: try ["40", "100", "300", "900"].map {
        StudyLink($0, group: $0, edits: [try JSONEdit("link={\"bandwidth\":\"\($0) kbit/s\"}")])
      },
      contestants: [late]
        + ["avfoundation", "hls.js 1.6", "dash.js 5.1"].map {
          Contestant($0, edits: JSONEdit.policy(.string($0)))
        }, baseline: 0)
    let second = document.replacing("24 s", with: "16 s")
    let sources = StudySources(
      documents: [Array(document.utf8), Array(second.utf8)], policies: []
    ) { _, _ in nil }
    let runner = StudyRunner(study, sources)
    let rows = try (0..<study.sessionCount).map { try runner.run($0).row }
    for number in rows.indices {
      #expect(try StudyRunner(study, sources).run(number).row == rows[number])
    }
    #expect(Set(rows.map { "\($0.values)" }).count > study.sessionCount / 2)
  }
}
