import ExactText
import HeuristicComparison
import RunReports
import ScenarioFormat
import ScenarioRunner
import VirtualTime

extension Option {
  fileprivate static let every = Option(
    name: "every", valueName: "time",
    help: "Distance of the moments. (default: whole seconds that make at most 60 moments)")
  fileprivate static let dip = Option(
    name: "dip", valueName: "time", help: "Duration of a dip.", fallback: "10 s")
  fileprivate static let resilienceFormat = formats("text", "json", "csv")
}

extension Verb {
  static let resilience = Verb(
    name: "resilience",
    overview: "Find short outages and shallow dips that make playback stall or fail.",
    discussion: [
      "Runs the scenario with one more outage or dip of its link at each moment of playback. The "
        + "outage shown makes the player stall or fail, and one a millisecond shorter does not; "
        + "recovery is the time from its end until media moves again. The dip is a rate that, held "
        + "for some time, does the same; one a kilobit per second higher does not.",
      "A stall counts where the undisturbed run has none within a second after it or earlier. "
        + "More can be harmless, as the player then chooses otherwise: of outages, sixteen lengths "
        + "are tried, and a shorter harmful one between two of them is not found.",
    ],
    positionals: [.scenario],
    options: [
      .policies, .every, .dip, .resilienceFormat, .html, .engine, .set, .allowPath, .allowCommands,
      .answerTime, .jobs,
    ],
    examples: [
      "resilience start.json", "resilience start.json --policies avfoundation,BOLA --every 5s",
    ]
  ) { (invocation) throws(Failure) in
    var page = try PageOutput(invocation)
    var study = try ResilienceStudy(invocation)
    try page?.keep(study.inputs)
    try study.search()
    try study.draw(on: &page)
    try page?.write()
    switch invocation.value(of: .resilienceFormat) {
    case "json": try invocation.answer { $0.members(study.document) }
    case "csv": try invocation.console.write(study.commaSeparated)
    default: try invocation.console.write(study.text)
    }
    return .success
  }
}

private struct ResilienceStudy {
  private let invocation: Invocation
  private let title: String
  private let scenario: Scenario
  private let dip: TimeSpan
  private var isComplete = true
  private var policies:
    [(name: String, loaded: LoadedScenario, search: ResilienceSearch, found: [Resilience])] = []

  init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    let file = try invocation.scenarioFile()
    (title, scenario) = (file.title, try LoadedScenario(file).scenario)
    dip = try invocation.span(of: .dip) ?? .seconds(10)
    let named = try invocation.namedPolicies()
    for policy in named.isEmpty ? [.own] : named {
      var own = file
      own.edits += policy.edits
      let loaded = try LoadedScenario(own)
      let search = try rethrowing(
        try ResilienceSearch(loaded.scenario, policies: file.policies, dip: dip, beat: file.beat)
      ) { (error: RunError) in Failure(error, in: file.title) }
      policies.append((policy.name, loaded, search, []))
    }
  }

  var inputs: [InputFile] { policies.flatMap { [$0.loaded.file] + $0.loaded.inputs } }

  /// Each piece of work is a few moments, for which it plays the undisturbed run again.
  mutating func search() throws(Failure) {
    let (distance, wasInterrupted) = (try invocation.span(of: .every), listenForInterruption())
    var pieces: [(policy: Int, moments: [Instant])] = []
    for (index, policy) in policies.enumerated() {
      let moments = policy.search.moments(every: distance)
      if moments.count > ResilienceSearch.mostMoments {
        let (verb, value) = (invocation.verb, invocation.value(of: .every) ?? "")
        throw Failure(
          usage: verb, .every, value, "it makes more than \(ResilienceSearch.mostMoments) moments")
      }
      for start in stride(from: 0, to: moments.count, by: 4) {
        pieces.append((index, Array(moments[start...].prefix(4))))
      }
    }
    let (work, searches) = (pieces, policies.map { $0.search })
    try WorkCrew<Result<[Resilience], RunError>>.run(
      count: work.count, hands: try invocation.jobCount(), telling: invocation.console.progress,
      work: { index in
        let (policy, moments) = work[index]
        return Result { () throws(RunError) in try searches[policy].resilience(at: moments) }
      },
      while: { (index, result) throws(Failure) in
        policies[work[index].policy].found += try result.mapError { Failure($0, in: title) }.get()
        return !wasInterrupted()
      })
    isComplete = !wasInterrupted()
    if !isComplete { invocation.console.say("note: interrupted: later moments are missing\n") }
  }

  /// A run of each policy on a page, with what makes it stall or fail.
  func draw(on page: inout PageOutput?) throws(Failure) {
    if page == nil { return }
    for policy in policies {
      let outcome = try policy.loaded.run(RunOptions(keepsTrace: false, keepsCurves: true))
      let name = policies.count > 1 ? "\(scenario.name) [\(policy.name)]" : nil
      page?.add(policy.loaded, outcome, name: name, policy: policy.name, resilience: policy.found)
    }
  }

  var text: String {
    let style = invocation.console.style
    let text =
      style.paint(shown(scenario.name), .title)
      + "\nThe shortest outage found and the highest rate found of a dip of "
      + "\(shownSpan(dip.nanoseconds)) that make playback stall or fail.\n\n"
    let instants = Set(policies.flatMap { $0.found }.map { $0.moment }).sorted()
    if instants.isEmpty {
      let plays = policies.contains { $0.search.plays }
      return text + (plays ? "No moment looked at lies in playback.\n" : "Nothing ever plays.\n")
    }
    let groups = policies.map { policy in
      TextTable.Group(
        heading: policies.count > 1 ? shown(policy.name) : "",
        columns: resilienceColumns.dropFirst().map { column in
          TextTable.Column(
            heading: column.heading,
            cells: instants.map { instant in
              policy.found.first { $0.moment == instant }.map { column.cell($0) } ?? ""
            })
        })
    }
    let names = TextTable.Column(heading: "at", cells: instants.map { bareSeconds($0.nanoseconds) })
    let lines = TextTable(names: names, groups: groups)
      .lines(width: invocation.console.tableWidth, style: style)
    return text + lines.map { $0 + "\n" }.joined()
  }

  var document: JSONTree {
    [
      "scenario": .string(scenario.name), "seed": .whole(scenario.seed),
      "fidelity": .string(scenario.fidelity.word), "dipSeconds": .seconds(dip.nanoseconds),
      "isComplete": .boolean(isComplete),
      "policies": .list(policies) { policy in
        [
          "policy": .string(policy.name),
          "moments": .list(policy.found) { moment in
            .members(resilienceColumns.map { ($0.key, $0.value(moment)) })
          },
        ]
      },
    ]
  }

  var commaSeparated: String {
    let rows = policies.flatMap { policy in
      policy.found.map { moment in
        let cells = resilienceColumns.map { $0.value(moment).shown }
        return [policy.name] + cells.map { $0 == "null" ? "" : $0 }
      }
    }
    return ([["policy"] + resilienceColumns.map { $0.key }] + rows)
      .map { StudyResults.line($0) + "\n" }.joined()
  }
}

private typealias ResilienceColumn = (
  key: String, heading: String, value: (Resilience) -> JSONTree, cell: (Resilience) -> String
)

private var resilienceColumns: [ResilienceColumn] {
  func span(
    _ key: String, _ heading: String, _ nanoseconds: @escaping (Resilience) -> Int64?
  ) -> ResilienceColumn {
    (
      key, heading, { .seconds(nanoseconds($0)) },
      { nanoseconds($0).map { bareSeconds($0) } ?? "–" }
    )
  }
  return [
    span("seconds", "at") { $0.moment.nanoseconds },
    span("mediaSeconds", "media") { $0.media.nanoseconds },
    span("aheadSeconds", "ahead") { $0.ahead.nanoseconds },
    span("outageSeconds", "outage") { $0.outage?.nanoseconds },
    span("recoverySeconds", "recovery") { $0.recovery?.nanoseconds },
    (
      "dipBitsPerSecond", "dip", { .whole($0.dip?.roundedDown) },
      { $0.dip.map { shownRate($0) } ?? "–" }
    ),
  ]
}
