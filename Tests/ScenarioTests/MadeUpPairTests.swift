import ExactText
import PlayerPolicies
import RunReports
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Two runs of a session that a seed makes up, each with a policy of its own, held to what was said
/// of their differences when they were last reviewed.
@Suite struct MadeUpPairTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/pairs", seeds: 160)

  private struct Pair {
    var texts: [[UInt8]] = []
    var scenarios: [Scenario] = []
    var outcomes: [RunOutcome] = []

    init(_ seed: Int) throws {
      let random = RandomScenario(seed: UInt64(5_060 + seed))
      for place in [seed, seed + 1 + seed % 7] {
        let policy = PolicyPreset.all[place % PolicyPreset.all.count].name
        let text = Array(random.document(following: policy).json.utf8)
        let scenario = try readScenario(text, file: "\(seed).json")
        texts.append(text)
        scenarios.append(scenario)
        outcomes.append(try run(scenario))
      }
    }

    /// The first difference of the traces, of the decisions, and of the stalls.
    func differences() throws -> String {
      var print = Fingerprint()
      let (one, other) = (outcomes[0].trace, outcomes[1].trace)
      for ofDeeds in [true, false] {
        print.add("\(try compareTraces(one, other, ofDeeds: ofDeeds))")
        guard let parting = try compareDecisions(one, other, ofDeeds: ofDeeds) else { continue }
        print.add("\(parting.isInTimeOnly)")
        for decision in [parting.first, parting.second, parting.earlier?.first] {
          print.add(decision.map { "\($0.line) \($0.words) \($0.consequence)" } ?? "")
        }
      }
      let runs = [try report(on: one, file: "one"), try report(on: other, file: "other")]
      if let settled = SettledStall(runs) {
        print.add("\(settled.run) \(settled.stall)")
        for choice in settled.choices {
          print.add(choice.map { "\($0.instant) \($0.words) \($0.state.words)" } ?? "")
        }
      }
      return print.text
    }

    /// The second run against a baseline of the first, and both against budgets.
    func standards() throws -> String {
      var print = Fingerprint()
      let runs = [0, 1].compactMap { TestReport(scenarios[$0], outcomes[$0], file: "a.json").run }
      var baseline = Baseline(file: "baseline.json")
      baseline.record(runs[0], at: "a.json")
      print.add(baseline.bytes)
      var read = try readBaseline(baseline.bytes, file: "baseline.json")
      for allowsBetter in [false, true] {
        read.allowsBetter = allowsBetter
        for place in ["a.json", "b.json"] {
          var report = TestReport(scenarios[1], outcomes[1], file: place)
          report.add(read.comparison(of: runs[1], at: place))
          print.add(GitHubAnnotations.text(report))
          var document = JUnitDocument()
          document.add(report)
          print.add(document.text)
          var protocolled = TAPReport(hasDurations: false)
          print.add(protocolled.text(report))
        }
      }
      let budgets = try readBudgets(Array(Self.budgets.utf8), file: "budgets.json", beside: .none)
      for place in ["a/b.json", nil] {
        for problem in budgets.problems(of: runs[1], at: place) { print.add("\(problem)") }
      }
      return print.text
    }

    private static let budgets = """
      { "budgets": [
        { "startupDelay": "900 ms", "stallCount": 0, "rebufferRatio": "1 %",
          "bytesTransferred": "200 KB" },
        { "folder": "a", "startupDelay": "300 ms", "stalled": "1 s" } ] }
      """

    /// The answer to a page's question, drawn for every third seed.
    func answer(_ seed: Int) -> String {
      var print = Fingerprint()
      let drawn = seed % 3 == 0 ? #","drawn":true,"number":7"# : ""
      let edits = seed % 2 == 0 ? #","edits":["horizon=9 s"]"# : ""
      let question =
        #"{"scenario":\#(String(decoding: texts[0], as: UTF8.self))\#(drawn)\#(edits)}"#
      print.add(answerPage(Array(question.utf8)))
      return print.text
    }
  }

  @Test func `two made-up runs differ in what they differed in`() async throws {
    let lines = await Self.file.lines(few: 8) { seed in
      do {
        let pair = try Pair(seed)
        return [try pair.differences(), try pair.standards(), pair.answer(seed)]
          .joined(separator: " ")
      } catch {
        return "refused \(error)".replacing("\n", with: " ")
      }
    }
    #expect(try Self.file.differences(from: lines) == [])
    #expect(lines.count { $0.contains("refused") } * 5 < lines.count)
  }
}

extension Neighbourhood {
  fileprivate static var none: Neighbourhood { Neighbourhood { ($0, $0 == "." ? ["a"] : []) } }
}
