import ExactText
package import ScenarioFormat
package import ScenarioRunner

/// The screen of a run: what it was about, what the player showed, and what came of it.
package struct RunScreen: Sendable {
  package var scenario: Scenario
  package var outcome: RunOutcome
  package var heuristic: String
  /// Findings of the oracle and of objectives, by name, shown below the run's own outcome.
  package var findings: [(name: String, words: String)] = []

  package init(_ scenario: Scenario, _ outcome: RunOutcome, heuristic: String) {
    self.scenario = scenario
    self.outcome = outcome
    self.heuristic = heuristic
  }

  package func text(panels: PanelChoice, style: TextStyle) -> String {
    let parts = [
      [style.paint(shown(scenario.name), .title)]
        + wrapped(shown(scenario.about), width: style.width),
      RunReports.lines(
        of: ScenarioWords(scenario: scenario, heuristic: heuristic, gaps: outcome.gaps).facts,
        style: style),
      PanelTable(scenario, outcome, choice: panels).lines(style: style),
      Timeline(scenario: scenario, outcome: outcome, width: style.width).lines(style: style),
      Waterfall(outcome, width: style.width)?.lines(style: style) ?? [],
      RunReports.lines(of: OutcomeWords(scenario: scenario, outcome: outcome).facts, style: style),
      RunReports.lines(of: findings.map { Fact($0.name, $0.words) }, style: style),
    ]
    var lines: [String] = []
    for part in parts where !part.isEmpty { lines += lines.isEmpty ? part : [""] + part }
    return RunReports.text(of: lines)
  }
}

struct Fact {
  var name: String
  var words: String
  var tint: Tint?

  init(_ name: String, _ words: String, _ tint: Tint? = nil) {
    self.name = name
    self.words = words
    self.tint = tint
  }

  /// A line for each of the first, under one name, and how many more there are.
  static func list(
    _ name: String, _ lines: [String], of count: Int, most: Int, _ tint: Tint?
  ) -> [Fact] {
    var facts = lines.prefix(most).map { Fact("", $0, tint) }
    if count > most { facts.append(Fact("", "and \(grouped(Int64(count - most))) more")) }
    if !facts.isEmpty { facts[0].name = name }
    return facts
  }
}

/// Facts below each other, their names in a column of their own.
func lines(of facts: [Fact], style: TextStyle) -> [String] {
  let width = max(15, 1 + (facts.map { columns(of: shown($0.name)) }.max() ?? 0))
  return facts.flatMap { fact in
    wrapped(shown(fact.words), width: style.width - width).enumerated().map { index, line in
      style.paint(padded(index == 0 ? shown(fact.name) : "", to: width), .faint)
        + style.paint(line, fact.tint)
    }
  }
}
