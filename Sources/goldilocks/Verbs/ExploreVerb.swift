import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner

extension Option {
  fileprivate static let find = Option(
    name: "keep", valueName: "finding",
    help: "The finding to look for, as in 'goldilocks minimize'. (default: an inconsistency of a "
      + "run with its trace, or an expectation that fails)")
  fileprivate static let worst = Option(
    name: "worst", valueName: "figure",
    help: "Look for the worst value of a figure instead, such as stalled or startupDelay.")
  fileprivate static let variations = Option(
    name: "count", valueName: "number", help: "Number of variations.", fallback: "200")
  fileprivate static let seed = Option(
    name: "seed", valueName: "number", help: "Seed of the variations.", fallback: "1")
}

extension Verb {
  static let explore = Verb(
    name: "explore",
    overview: "Run random variations of a scenario, and make the first finding small.",
    discussion: [
      "A variation has another link or an outage, further steps of the script, and other settings "
        + "of the player. The scenario itself is tried first. The first variation with a finding "
        + "is made as small as 'goldilocks minimize' can and printed as a scenario.",
      "With '--worst' every variation is run. The worst one is kept with an expectation that it "
        + "fails: half of the way from the scenario's own figure to the worst.",
      "The result depends on the seed alone. Ends with 1 if there is a finding. Ctrl-C ends the "
        + "search; what was found so far is printed.",
    ],
    positionals: [.scenario],
    options: [
      .find, .worst, .variations, .seed, .twoPolicies, .format, .set, .allowPath, .allowCommands,
      .answerTime, .jobs,
    ],
    examples: [
      "explore start.json", "explore start.json --keep '{\"stallCount\": 0}' --count 1000",
      "explore start.json --worst stalled",
    ]
  ) { (invocation) throws(Failure) in
    try Exploration(invocation).perform(invocation)
  }
}

private struct Exploration: Sendable {
  private let file: InputFile
  private let variations: Variations
  private let count: Int
  /// Findings that are looked for in this order.
  private let findings: [KeptFinding]
  /// The figure whose worst value is looked for, and its value in the scenario itself.
  private let figure: Figure?
  private let own: PropertyValue

  init(_ invocation: Invocation) throws(Failure) {
    var file = try invocation.scenarioFile()
    if invocation.has(.worst), invocation.has(.find) {
      throw invocation.refusal("'--worst' and '--keep' exclude each other.")
    }
    findings =
      invocation.has(.find) || invocation.has(.policies)
      ? [try finding(invocation, in: &file)] : [.inconsistency, .expectation(nil)]
    count = try invocation.number(of: .variations, in: 1...1_000_000)
    let seed = try invocation.number(of: .seed, in: 0...Int(Int32.max))
    let loaded = try LoadedScenario(file)
    let outcome = try loaded.run(RunOptions(keepsTrace: false, folds: .figures))
    variations = Variations(
      of: JSONTree(loaded.scenario.document), seed: UInt64(seed), ended: outcome.ended)
    let name = invocation.value(of: .worst)
    figure = Figure.all.first { $0.better != nil && $0.name == name }
    if let name, figure == nil {
      throw Failure(usage: invocation.verb, .worst, name, "there is no such figure")
    }
    own = figure?.value(outcome.player) ?? .boolean(false)
    self.file = file
  }

  func perform(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let (console, wasInterrupted) = (invocation.console, listenForInterruption())
    var (worst, found, tried, invalid) = (own, Int?.none, 0, Int64(0))
    try WorkCrew<PropertyValue?>.run(
      count: count + 1, hands: try invocation.jobCount(), work: { value(of: $0) },
      while: { number, value in
        tried = number
        if value == nil { invalid += 1 }
        if let value, isWorse(value, than: worst) { (worst, found) = (value, number) }
        console.progress.tell(number, of: count)
        return !wasInterrupted() && (found == nil || figure != nil)
      })
    console.progress.clear()
    var search: Minimizer?
    if let found {
      let document = variations.document(found)
      let bounded = figure.map { document.expecting($0, between: own, and: worst) } ?? document
      search =
        findings.lazy.compactMap {
          file.minimizer(bounded.text, $0, console, wasInterrupted)
        }.first
      search?.search()
      console.progress.clear()
    }
    if invocation.wantsJSON {
      try invocation.answer {
        $0.members([
          "file": .string(file.title), "variations": .whole(tried), "invalid": .whole(invalid),
          "found": .whole(found), "kept": .text(search?.reason),
          "isComplete": .boolean(!wasInterrupted()), "document": search?.document ?? .null,
        ])
      }
    } else {
      if let search { try console.writeDocument { $0.tree(search.document) } }
      try console.flush()
      let words =
        found.map { $0 == 0 ? "the scenario itself" : "variation \($0)" } ?? "nothing found"
      let isCut = wasInterrupted()
      let scope =
        (isCut ? "interrupted: \(grouped(Int64(tried))) of " : "")
        + counted(Int64(isCut ? count : tried), "variation")
      let refused = invalid == 0 ? "" : ", \(grouped(invalid)) of them no valid scenario"
      let reason = search.map { ": " + $0.reason } ?? ""
      console.say(shown("\(file.title): \(scope)\(refused); \(words)\(reason)") + "\n")
    }
    return found == nil ? .success : .different
  }

  /// Whether a variation has a finding, or its figure; nil where it is no valid scenario.
  private func value(of number: Int) -> PropertyValue? {
    let (text, references) = (variations.document(number).text, References(of: file))
    let read = { references.read($0) }
    guard let scenario = try? readScenario(text, file: file.title, files: read) else { return nil }
    guard let figure else { return .boolean(findings.contains { file.minimizer(text, $0) != nil }) }
    let options = RunOptions(keepsTrace: false, folds: .figures, policies: file.policies)
    return (try? run(scenario, options: options)).map { figure.value($0.player) }
  }

  private func isWorse(_ value: PropertyValue, than before: PropertyValue) -> Bool {
    guard let figure else { return value == .boolean(true) }
    // A start that never came has no value.
    if value == .null { return before != .null }
    return figure.isBetter(before, than: value)
  }
}

extension JSONTree {
  /// The document with the one expectation that a figure is better than the middle of two values.
  fileprivate func expecting(
    _ figure: Figure, between own: PropertyValue, and worst: PropertyValue
  ) -> JSONTree {
    var bound = own
    if let a = own.magnitude, let b = worst.magnitude {
      bound = PropertyValue(like: own, Int64(clamping: a + (b - a) / 2))
    }
    let side = figure.better == .more ? "atLeast" : "atMost"
    let claim: JSONTree = .members([(figure.name, .members([(side, figure.written(bound))]))])
    return without("expect") + ["expect": [claim]]
  }
}
