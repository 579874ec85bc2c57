import ExactText
import HeuristicComparison
import RunReports
import VirtualTime

extension Invocation {
  func show(_ results: StudyResults, remarks: [String] = []) throws(Failure) {
    let warnings = console.note(results.warnings)
    switch value(of: .studyFormat) {
    case "json":
      // A merged study gives the bytes of one that ran in one go.
      var invocation = self
      invocation.verb = .compare
      try invocation.answer(warning: results.study.notes + remarks + warnings) {
        $0.results(results)
      }
    case "csv": try console.write(results.commaSeparated)
    case "markdown": try console.write(StudyScreen(results: results, console: console).markdown)
    default: try console.write(StudyScreen(results: results, console: console).text)
    }
  }
}

extension StudyResults {
  /// Parts of the study that had no effect, and omissions from its results.
  fileprivate var warnings: [String] {
    var warnings: [String] = []
    let seedless = alikeOverSeeds
    if seedless.count == study.contestants.count {
      warnings.append(
        "every session is the same with each of the \(study.seeds.count) seeds: one says as much")
    } else if !seedless.isEmpty {
      let names = seedless.map { study.contestants[$0].name }
      warnings.append(
        "the sessions of \(choices(names)) are the same with each of the \(study.seeds.count) "
          + "seeds: one says as much")
    }
    let varied = study.contestants.indices.filter { !study.contestants[$0].settings.isEmpty }
    for names in alike(varied, { $0.contestant }, { study.contestants[$0].name }) {
      warnings.append(
        "the sessions of \(names) are the same: what varies between them has no effect in this "
          + "study")
    }
    for names in alike(Array(study.links.indices), { $0.link }, { study.links[$0].name }) {
      warnings.append(
        "the sessions over \(names) are the same: each link counts as evidence of its own")
    }
    if hasTooFewDraws {
      let draws = study.resampling.draws(for: study.pairCount)
      warnings.append(
        "of the \(draws) draws too few hold a session for every interval: some are left out, and "
          + "more '--draws' would give them")
    }
    func note(_ end: EndReason, _ words: String) {
      let count = cutCount(by: end)
      if count == 0 { return }
      warnings.append(
        "\(count) of \(counted(Int64(study.sessionCount), "session")) "
          + (count == 1 ? "is" : "are") + " cut by " + words)
    }
    note(.budget, "the event budget: nothing of them counts but a startup")
    note(.horizon, "the horizon during playback: what would come after it counts nowhere")
    return warnings
  }

  /// The names of those places whose sessions all came out alike: two or three, or two and the
  /// number of others.
  private func alike(
    _ places: [Int], _ place: (Study.Session) -> Int, _ name: (Int) -> String
  ) -> [String] {
    guard let last = places.last, places.count > 1 else { return [] }
    var hashers = Array(repeating: Hasher(), count: last + 1)
    for number in 0..<study.sessionCount {
      let place = place(study.session(number))
      if place <= last { hashers[place].combine(rows.row(number)) }
    }
    let groups = Dictionary(grouping: places) { hashers[$0].finalize() }.values
    return groups.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }.map { group in
      let shown = group.prefix(group.count > 3 ? 2 : 3).map { inQuotes(name($0)) }
      return enumeration(
        group.count > 3 ? shown + ["\(group.count - shown.count) others"] : Array(shown))
    }
  }
}

struct StudyScreen {
  let results: StudyResults
  let console: Console

  private var study: Study { results.study }

  var heading: String {
    let parts = [
      counted(Int64(study.scenarios.count), "scenario"),
      counted(Int64(study.links.count), "link"),
      counted(Int64(study.contestants.count), "policy", "policies"),
      counted(Int64(max(1, study.seeds.count)), "seed"),
    ]
    return parts.joined(separator: " × ") + ": " + counted(Int64(study.sessionCount), "session")
  }

  var text: String {
    var text = heading + "\n\n" + summary(results.whole)
    for group in results.groups {
      text += "\n" + console.style.paint("\(group.kind.rawValue) \(shown(group.name))", .title)
      text += "\n\n" + summary(group.summary)
    }
    return text + "\n" + remarks.map { $0 + "\n" }.joined()
  }

  var remarks: [String] {
    var remarks = ["* Pareto front: none is as good in startup, stalls and rate, and better in one"]
    let isUncertain = results.whole.contestants.contains { contestant in
      contestant.statistics.contains { $0.never > 0 }
    }
    if isUncertain {
      remarks += [
        "≥ sessions that never start or never go on count as longer than any",
        "unfinished: sessions that never started, or whose playback did not go on",
      ]
    }
    if study.pairCount > 1, study.contestants.count > 1, study.baseline != nil {
      remarks.append("decided by: the fewest sessions that make up half of the difference")
    }
    let summaries = [results.whole] + results.groups.map { $0.summary }
    if summaries.contains(where: { StudyTable($0, of: study).hasCounts }) {
      remarks.append("n: how many sessions have a value; a mean is that of these alone")
    }
    var units: [String] = []
    for summary in summaries where !units.contains(summary.drawn.rawValue + "s") {
      let tables = [StudyTable(summary, of: study), StudyTable(differences: summary, of: study)]
      let hasIntervals = tables.contains { $0?.hasIntervals == true }
      if hasIntervals { units.append(summary.drawn.rawValue + "s") }
    }
    if let first = units.first {
      let others = enumeration(Array(units.dropFirst()), by: "or")
      remarks.append(
        "95 %: where the mean lies, by bootstrap of \(first)"
          + (others.isEmpty ? "" : ", in some groups of \(others)"))
    }
    return remarks
  }

  private func summary(_ summary: StudySummary) -> String {
    var text = lines(StudyTable(summary, of: study), "policy")
    if study.pairCount > 1, let baseline = study.baseline,
      let differences = StudyTable(differences: summary, of: study)
    {
      let name = shown(study.contestants[baseline].name)
      text += "\nagainst \(name), session by session\n\n" + lines(differences, "policy")
    }
    return text
  }

  private func lines(_ table: StudyTable, _ heading: String) -> String {
    var groups: [TextTable.Group] = []
    for column in table.filled {
      let cells = TextTable.Column(heading: column.heading, cells: column.cells)
      if let last = groups.indices.last, groups[last].heading == column.group {
        groups[last].columns.append(cells)
      } else {
        groups.append(TextTable.Group(heading: column.group, columns: [cells]))
      }
    }
    let width = console.isOutputTerminal ? console.tableWidth : console.style.width
    let namesWidth = max(20, width / 3)
    let names = TextTable.Column(
      heading: heading,
      cells: study.shortNames(table.names, width: namesWidth - 2).map { shown($0) })
    return TextTable(names: names, groups: groups, marks: table.marks)
      .lines(width: width, namesWidth: namesWidth, style: console.style)
      .map { $0 + "\n" }.joined()
  }

  var markdown: String {
    var text = heading + "\n\n" + markdown(results.whole)
    for group in results.groups {
      let name = StudyTable.harmless(group.name)
      text += "\n### \(group.kind.rawValue) \(name)\n\n" + markdown(group.summary)
    }
    return text + "\n" + remarks.map { "- " + StudyTable.harmless($0) + "\n" }.joined()
  }

  private func markdown(_ summary: StudySummary) -> String {
    let text = StudyTable(summary, of: study).markdown
    guard let differences = StudyTable(differences: summary, of: study) else { return text }
    let name = StudyTable.harmless(study.baseline.map { study.contestants[$0].name } ?? "")
    return text + "\nAgainst \(name), session by session:\n\n" + differences.markdown
  }
}

extension Study {
  /// Names of policies for a narrow column. A setting that varies has the last word of its path and
  /// its value, or its value alone where that is too wide.
  fileprivate func shortNames(_ names: [String], width: Int) -> [String] {
    for hasPaths in [true, false] {
      let labels = contestants.map { $0.label(hasPaths: hasPaths) }
      if Set(labels).count < labels.count { continue }
      if hasPaths, labels.contains(where: { $0.unicodeScalars.count > width }) { continue }
      let known = Dictionary(zip(contestants.map { Array($0.name.utf8) }, labels)) { one, _ in one }
      return names.map { known[Array($0.utf8)] ?? $0 }
    }
    return names
  }
}

extension Contestant {
  fileprivate func label(hasPaths: Bool) -> String {
    if settings.isEmpty { return name }
    let values = settings.map { path, value in
      let text = String(decoding: value.text.filter { !"{}\"".utf8.contains($0) }, as: UTF8.self)
      return hasPaths ? "\(path.split(separator: ".").last ?? "")=\(text)" : text
    }
    return ((isSameText(policy, Self.ownName) ? [] : [policy]) + values).joined(separator: " ")
  }
}
