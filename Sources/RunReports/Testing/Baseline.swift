import ExactText
package import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback

/// The recorded results of scenarios: their figures, and the digests of their traces.
package struct Baseline: Sendable {
  package let file: String
  var schema: String?
  var tolerance = BaselineTolerance()
  package var entries: [BaselineEntry] = []

  /// Whether what changed for the better is told and passes.
  package var allowsBetter = false

  package init(file: String) { self.file = file }

  package func gone(where isGone: (String) -> Bool) -> [TestReport] {
    entries.filter { isGone($0.place) }.map { entry in
      let problem = TestProblem(
        .baseline, in: file, at: entry.position, "it is gone; --update-baseline forgets it",
        expected: "the scenario \(quotation(of: entry.place))")
      return TestReport(file: entry.place, name: entry.place, verdict: .failed, problems: [problem])
    }
  }

  package func comparison(of run: TestRun, at place: String) -> BaselineComparison {
    guard let entry = entries.first(where: { isSameText($0.place, place) }) else {
      let problem = TestProblem(
        .baseline, in: file, at: nil, "the baseline has none; --update-baseline records them",
        expected: "figures of \(quotation(of: place))")
      return BaselineComparison(problems: [problem])
    }
    var comparison = BaselineComparison()
    for (player, summary) in run.outcome.players {
      let known = entry.players.first { isSameName($0.name, player) }
      if let known { compare(summary, player, known.figures, entry, &comparison) }
    }
    func missing(_ some: [String?], among all: [String?]) -> [String] {
      some.filter { name in !all.contains { isSameName($0, name) } }.map { quotation(of: $0 ?? "") }
    }
    let (recorded, played) = (entry.players.map { $0.name }, run.outcome.players.map { $0.name })
    let further = missing(played, among: recorded).map { "there is a further one, \($0)" }
    for actual in further + missing(recorded, among: played).map({ "\($0) is gone" }) {
      comparison.problems.append(
        TestProblem(
          .baseline, in: file, at: entry.position, actual,
          expected: "the players that are recorded"))
    }
    comparison.changedInputs = entry.changes(in: run.scenario)
    if let digest = entry.digest, let now = run.outcome.digest, digest.text != now {
      if entry.tolerance.wantsSameTrace ?? tolerance.wantsSameTrace ?? false {
        comparison.problems.append(
          TestProblem(
            .baseline, in: file, at: digest.position,
            "it differs; 'goldilocks diff' says where two traces part",
            expected: "the recorded trace"))
      } else if comparison.problems.isEmpty, comparison.remarks.isEmpty {
        comparison.remarks.append("the trace is not the recorded one; its figures are")
      }
    }
    return comparison
  }

  private func compare(
    _ summary: PlayerSummary, _ player: String?, _ recorded: RecordedFigures,
    _ entry: BaselineEntry, _ comparison: inout BaselineComparison
  ) {
    for (index, figure) in Figure.all.enumerated() {
      let value = figure.value(summary)
      if recorded.values[index] == nil {
        // Skips a figure absent from both, and text that was not recorded: it was unknown then.
        if !figure.isInResults(summary) { continue }
        if case .text = value { continue }
      }
      let before =
        recorded.values[index] ?? (value.magnitude == nil ? .null : PropertyValue(like: value, 0))
      if value == before { continue }
      let tolerance = entry.tolerance.figures[index] ?? self.tolerance.figures[index]
      let words = figure.change(value, from: before)
      if tolerance?.accepts(value, recorded: before) ?? false {
        comparison.remarks.append("\(title(figure, of: player)) \(words), which is tolerated")
        continue
      }
      if allowsBetter, figure.isBetter(value, than: before) {
        comparison.remarks.append("\(title(figure, of: player)) \(words), which is allowed")
        continue
      }
      var expected = "\(title(figure, of: player)) \(figure.words(before, beside: value))"
      if let tolerance { expected += " within \(figure.words(tolerance))" }
      let position = recorded.positions[index] ?? entry.position
      comparison.problems.append(
        TestProblem(.baseline, in: file, at: position, words, expected: expected))
    }
  }

  package mutating func record(_ run: TestRun, at place: String) {
    let index = entries.firstIndex { isSameText($0.place, place) }
    var entry = BaselineEntry(place: place)
    if let index { entry.tolerance = entries[index].tolerance }
    entry.digest = run.outcome.digest.map { ($0, .start) }
    entry.inputs = run.scenario.inputs
    for (player, summary) in run.outcome.players {
      let values = Figure.all.map { $0.isInResults(summary) ? $0.value(summary) : nil }
      entry.players.append((player, RecordedFigures(values: values)))
    }
    if let index { entries[index] = entry } else { entries.append(entry) }
  }
}

package struct BaselineComparison: Sendable {
  package var problems: [TestProblem] = []
  /// The changes that are tolerated.
  package var remarks: [String] = []
  /// The parts of the scenario that changed since it was recorded; nil where that is not known.
  package var changedInputs: [String]?
}

package struct BaselineEntry: Sendable {
  /// The scenario's path, as seen from the file of the baseline.
  package var place: String
  var position = TextPosition.start
  var digest: (text: String, position: TextPosition)?
  /// The parts of the scenario and its files, each with the beginning of its digest.
  var inputs: [(name: String, digest: String)] = []
  var tolerance = BaselineTolerance()
  /// The first has no name.
  var players: [(name: String?, figures: RecordedFigures)] = []

  /// The parts that are other ones than when they were recorded; nil where none was recorded.
  func changes(in scenario: Scenario) -> [String]? {
    if inputs.isEmpty { return nil }
    let now = scenario.inputs
    let changed = now.filter { part in
      !inputs.contains { isSameText($0.name, part.name) && isSameText($0.digest, part.digest) }
    }
    let lost = inputs.filter { part in !now.contains { isSameText($0.name, part.name) } }
    return (changed + lost).map { $0.name }
  }
}

/// The figures of a player, by their places among all; nil where there was nothing to record.
struct RecordedFigures: Sendable {
  var values: [PropertyValue?] = Array(repeating: nil, count: Figure.all.count)
  var positions: [TextPosition?] = Array(repeating: nil, count: Figure.all.count)
}

struct BaselineTolerance: Sendable {
  /// By the figure's place among all; nil where it has to be the same.
  var figures: [FigureTolerance?] = Array(repeating: nil, count: Figure.all.count)
  var wantsSameTrace: Bool?

  var isEmpty: Bool { wantsSameTrace == nil && figures.allSatisfy { $0 == nil } }
}

extension Figure {
  /// The change of a value in words, with whether it is better or worse for a viewer.
  func change(_ value: PropertyValue, from before: PropertyValue) -> String {
    let names: (more: String, less: String) =
      switch better {
      case .less: ("worse", "better")
      case .more: ("better", "worse")
      case nil: ("more", "less")
      }
    return words(value, against: before, more: names)
  }

  func words(_ tolerance: FigureTolerance) -> String {
    switch tolerance {
    case .distance(let value): words(value)
    case .share(let millionths): PropertyValue.share(millionths).words
    }
  }

  /// Whether a viewer prefers a value. A number beats null where less is better: null never came.
  /// The order of outcomes is played, stalled, failed, never played.
  package func isBetter(_ value: PropertyValue, than before: PropertyValue) -> Bool {
    guard let better else {
      let order: [PlaybackOutcome] = [.played, .stalled, .failed, .neverPlayed]
      let words = order.map { PropertyValue.text($0.word) }
      let places = [value, before].compactMap { words.firstIndex(of: $0) }
      return places.count == 2 && places[0] < places[1]
    }
    guard let now = value.magnitude else { return false }
    guard let then = before.magnitude else { return better == .less && before == .null }
    return better == .less ? now < then : now > then
  }
}

extension Scenario {
  /// The parts of a scenario that decide a run, and the files that it names.
  fileprivate var inputs: [(name: String, digest: String)] {
    func digest(_ bytes: [UInt8]) -> String {
      var hash = SHA256()
      hash.update(bytes[...])
      return String(decoding: Array(hash.finish().utf8.prefix(12)), as: UTF8.self)
    }
    var parts: [(name: String, digest: String)] = []
    guard let members = document.members else { return [] }
    for member in members where !Scenario.isForReaders(member.key) {
      guard let inner = member.value.members else {
        parts.append((member.key, digest(JSONTree(member.value).text)))
        continue
      }
      parts += inner.map { (member.key + "." + $0.key, digest(JSONTree($0.value).text)) }
    }
    return parts + files.map { ($0.path, digest(Array($0.text.utf8))) }
  }
}
