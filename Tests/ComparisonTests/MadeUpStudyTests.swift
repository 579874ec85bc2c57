import ExactText
import Foundation
import HeuristicComparison
import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import SimulatedWorld
import TestSupport
import Testing

/// Studies of sessions that seeds make up, held to the results that they had when they were last
/// reviewed: digests of the sessions' rows, of the tables, and of the bounds.
@Suite struct MadeUpStudyTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/studies", seeds: 480)

  private struct Case {
    var study: Study
    var sources: StudySources

    init(_ seed: Int) {
      let documents = [2 * seed, 2 * seed + 1].prefix(seed % 3 == 0 ? 1 : 2).map { number in
        // A player that each policy can take the place of.
        var document = RandomScenario(seed: UInt64(1_000 + number)).document(following: nil)
        document["players"] = nil
        document["leakedPlayers"] = nil
        return Array((seed < 240 ? document : document.withRoundNumbers).json.utf8)
      }
      let presets = PolicyPreset.all
      var contestants = [Contestant(.standard), Contestant(.everythingLoaded)]
      for place in [seed, seed + 17] {
        let name = presets[place % presets.count].name
        contestants.append(Contestant(name, edits: JSONEdit.policy(.string(name))))
      }
      let links =
        seed % 2 == 0
        ? [StudyLink.own]
        : [
          .own,
          StudyLink(
            "slow", group: "made", edits: [JSONEdit(plain: "link.delay", .string("70 ms"))]),
        ]
      study = Study(
        scenarios: documents.indices.map {
          StudyScenario(
            file: "\($0).json", name: "S\($0)", seed: UInt64($0), fidelity: "fluid",
            isLive: $0 == 1)
        }, links: links, contestants: contestants,
        seeds: (0..<UInt64(seed % 4)).map { $0 * 5 + 1 }, baseline: seed % 5 == 0 ? nil : seed % 3,
        objectives: Objective.all, asksRegret: seed % 4 == 1)
      study.resampling.draws = 60
      study.keepsDigests = seed % 7 == 3
      sources = StudySources(documents: documents, policies: []) { _, _ in nil }
    }

    /// The rows, the results in each form, and what a part of the study says.
    func results() throws -> [String] {
      let runner = StudyRunner(study, sources)
      var rows = StudyRows(width: SessionRow.width(of: study), count: study.sessionCount)
      var (values, remarks) = (Fingerprint(), Fingerprint())
      let header = StudyHeader(
        study: study, digest: "study", shard: StudyShard(), by: StudyResults.Grouping.allCases)
      var part = JSONWriter()
      for number in 0..<study.sessionCount {
        let row = try runner.run(number).row
        values.add(row.values.map { "\($0)" }.joined(separator: " "))
        rows.record(row, of: number)
        part.session(number, row, of: header)
        if study.asksRegret, number < 4 {
          for remark in try runner.regretRemarks(of: number).words { remarks.add(remark) }
        }
      }
      remarks.add(part.text)
      let results = StudyResults(study, rows, digest: "study", by: StudyResults.Grouping.allCases)
      var tables = Fingerprint()
      tables.add(results.commaSeparated)
      var writer = JSONWriter(.indented)
      writer.results(results)
      tables.add(writer.text)
      for summary in [results.whole] + results.groups.map({ $0.summary }) {
        tables.add(StudyTable(summary, of: study).markdown)
        tables.add(StudyTable(differences: summary, of: study)?.markdown ?? "")
        expectHonestDecimals(summary)
      }
      return [values.text, remarks.text, tables.text]
    }

    /// The ends of an interval have as many decimals as other draws would give them too: twice the
    /// noise is no more than one of the last.
    private func expectHonestDecimals(_ summary: StudySummary) {
      guard let table = StudyTable(differences: summary, of: study) else { return }
      let others = study.contestants.indices.filter { $0 != study.baseline }
      let rate = StudyFigure.averageBitrate.name
      let places = [StudyFigure.startup.name: 9, StudyFigure.stalled.name: 9, rate: 6]
      let shown = table.columns.filter { $0.heading == "95 %" }
      let compared = summary.figures.indices.filter { places[summary.figures[$0].name] != nil }
      #expect(shown.count == compared.count)
      for (column, place) in zip(shown, compared) {
        let name = summary.figures[place].name
        for (cell, other) in zip(column.cells, others) {
          let mean = summary.contestants[other].differences[place].mean
          guard let interval = mean?.interval else {
            #expect(cell == "-")
            continue
          }
          var decimals = 3
          while decimals > 0,
            Double(2 * interval.error) > pow(10, Double((places[name] ?? 0) - decimals))
          { decimals -= 1 }
          if name == rate { decimals = min(decimals, 2) }
          for end in cell.split(separator: "…") {
            let digits = end.split(separator: ".").dropFirst().first?.count ?? 0
            #expect(digits == decimals, "\(name) \(cell) \(interval)")
          }
        }
      }
    }

    /// The best that was possible in the first session, and the judgement of viewers about it.
    func bounds() throws -> String {
      var print = Fingerprint()
      let scenario = try readScenario(sources.documents[0], file: "0.json")
      let outcome = try run(scenario)
      let viewed = ViewedSession(outcome)
      let oracle = OracleReport(scenario, outcome)
      let optima = OptimumReport.all(of: Objective.all, scenario, outcome)
      for tree in [Objective.all.document(of: viewed), oracle.document, optima.document] {
        print.add(tree.json)
      }
      let facts =
        oracle.facts { "\($0)" } + optima.map { $0.fact { "\($0)" } }
        + Objective.all.map { $0.fact(of: viewed) { "\($0)" } }
      for fact in facts { print.add(fact.name + fact.words) }
      return print.text
    }
  }

  @Test func `a made-up study has the results that it had`() async throws {
    let lines = await Self.file.lines(few: 3) { seed in
      do {
        let one = Case(seed)
        return (try one.results() + [try one.bounds()]).joined(separator: " ")
      } catch {
        return "refused"
      }
    }
    #expect(try Self.file.differences(from: lines) == [])
    #expect(lines.count { $0.hasSuffix("refused") } * 3 < lines.count)
  }
}
