import ExactText
import PlayerPolicies
import RunReports
import ScenarioFormat
import ScenarioRunner
import TestSupport
import VirtualTime

/// Digests of everything that is said of a run.
enum AnswerPrint {
  /// Those of the trace, of the screens, of the page and of the test reports; where a scenario is
  /// refused, or its run, that of the error's words.
  static func line(_ file: String, reading: () throws -> Scenario) -> String {
    do {
      return try line(reading(), file: file)
    } catch {
      return "refused " + Fingerprint.text(of: "\(error)")
    }
  }

  private static func line(_ scenario: Scenario, file: String) throws -> String {
    var options = RunOptions()
    options.keepsCurves = true
    options.moments = (1...3).map { .zero + .milliseconds(Int64($0) * 1_234) }
    let outcome = try run(scenario, options: options)
    return [
      String((outcome.digest ?? "").prefix(16)), screens(scenario, outcome),
      page(scenario, outcome), tests(scenario, outcome, file),
    ].joined(separator: " ")
  }

  static func screens(_ scenario: Scenario, _ outcome: RunOutcome) -> String {
    var print = Fingerprint()
    let screen = RunScreen(scenario, outcome, heuristic: "own")
    for (panels, width) in [(PanelChoice.all, 100), (.changes, 60), (.end, 33), (.changes, 200)] {
      let style = TextStyle(width: width, isColoured: width == 100)
      print.add(screen.text(panels: panels, style: style))
    }
    let logs = LogChoice(accessLog: true, errorLog: true)
    print.add(
      ExtendedLog(of: scenario).text(outcome, logs)
        .replacing("goldilocks/\(Tool.version)", with: ""))
    var writer = JSONWriter(.indented)
    writer.tree(
      outcome.document(of: scenario, file: "a", heuristic: "own", panels: .all, logs: logs))
    print.add(writer.text)
    return print.text
  }

  static func page(_ scenario: Scenario, _ outcome: RunOutcome) -> String {
    var print = Fingerprint()
    var page = RunPage()
    page.add(
      scenario, outcome, policy: "own", problems: outcome.failures.map { $0.actual },
      remark: "a remark")
    print.add(page.bytes(PageTexts(style: [], script: [1], engine: ([2], [3]))))
    return print.text
  }

  private static func tests(
    _ scenario: Scenario, _ outcome: RunOutcome, _ file: String
  ) -> String {
    var print = Fingerprint()
    let report = TestReport(scenario, outcome, file: file)
    var tally = TestTally()
    tally.add(report)
    var document = JUnitDocument()
    document.add(report)
    print.add(document.text)
    var protocolled = TAPReport(hasDurations: false)
    print.add(protocolled.text(report) + protocolled.end(tally))
    print.add(GitHubAnnotations.text(report))
    let screen = TestScreen(style: TextStyle(width: 70, isColoured: true), hasSymbols: true)
    print.add(screen.text(report) + screen.text(tally))
    return print.text
  }
}
