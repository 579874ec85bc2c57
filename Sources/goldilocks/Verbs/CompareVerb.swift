import ExactText
import HeuristicComparison
import RunReports
import ScenarioRunner
import VirtualTime

extension Option {
  fileprivate static let heuristics = Option(
    name: "heuristics", valueName: "heuristics",
    help: "Parted by commas; see 'goldilocks heuristics'. What a scenario has itself is own.",
    fallback: Contender.usual.map { $0.name }.joined(separator: ","))
}

extension Verb {
  static let compare = Verb(
    name: "compare",
    overview: "Run scenarios under several heuristics and put the figures side by side.",
    discussion: [
      "For each scenario and heuristic: the startup delay, the number of stalls and the time "
        + "stalled. Startup and stalls are never booked together."
    ],
    positionals: [.scenarios],
    options: [.heuristics, .format, .allowPath, .allowCommands, .answerTime, .jobs],
    examples: ["compare start.json", "compare start.json --heuristics immediate"]
  ) { (invocation) throws(Failure) in try CompareVerb(invocation: invocation).perform() }
}

private struct CompareVerb {
  let invocation: Invocation

  func perform() throws(Failure) -> ExitCode {
    let contenders = try contenders()
    var work = try ScenarioWork(invocation)
    var loaded: [LoadedScenario] = []
    try work.forEach(
      work: { file in attempt { () throws(Failure) in try LoadedScenario(file) } },
      receive: { (_, result) throws(Failure) in
        switch result {
        case .success(let scenario): loaded.append(scenario)
        case .failure(let failure):
          invocation.console.say(failure)
          return failure.code
        }
        return .success
      })
    let plan = ComparisonPlan(
      scenarios: loaded.map { $0.scenario }, contenders: contenders,
      policies: loaded.map { $0.file.policies })
    let matrix = try run(plan, of: loaded, jobs: work.jobs)
    for fault in matrix.faults {
      invocation.console.say("Error: the books do not balance: \(fault).\n")
      work.note(.different)
    }
    if !loaded.isEmpty { try show(matrix, files: loaded.map { $0.file.title }) }
    return work.code
  }

  private func contenders() throws(Failure) -> [Contender] {
    let list = invocation.value(of: .heuristics) ?? ""
    var contenders: [Contender] = []
    for part in list.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let name = withoutSpaces(String(Substring(part)))
      let isOwn = isSameText(name, Contender.ownName)
      let contender = Contender(isOwn ? nil : try invocation.heuristic(name, of: .heuristics))
      if contenders.contains(contender) {
        throw Failure(
          usage: .verb(invocation.verb), help: HelpText.row(of: .heuristics),
          "The heuristic \(inQuotes(contender.name)) is named twice.")
      }
      contenders.append(contender)
    }
    return contenders
  }

  private func withoutSpaces(_ text: String) -> String {
    let scalars = text.unicodeScalars.drop { $0 == " " }
    let end = scalars.lastIndex { $0 != " " }
    return end.map { String(scalars[...$0]) } ?? ""
  }

  private func run(
    _ plan: ComparisonPlan, of loaded: [LoadedScenario], jobs: Int
  ) throws(Failure) -> ComparisonMatrix {
    var matrix = ComparisonMatrix(plan)
    let console = invocation.console
    try WorkCrew<Result<SessionResult, RunError>>.run(
      count: plan.sessionCount, hands: jobs,
      work: { number in
        do throws(RunError) { return .success(try plan.run(number)) } catch {
          return .failure(error)
        }
      },
      receive: { (number, result) throws(Failure) in
        switch result {
        case .success(let result): matrix.record(result, of: number)
        case .failure(let error):
          let file = loaded[plan.session(number).scenario].file
          throw Failure(error, in: file.title)
        }
        console.progress(number + 1, of: plan.sessionCount)
      })
    console.clearProgress()
    return matrix
  }

  private func show(_ matrix: ComparisonMatrix, files: [String]) throws(Failure) {
    let console = invocation.console
    if invocation.wantsJSON {
      return try invocation.answer { $0.comparison(matrix, files: files) }
    }
    try console.write("Startup delay in seconds, stalls, seconds stalled.\n\n")
    let width = console.tableWidth
    let lines = ComparisonTable.table(of: matrix).lines(
      width: width, namesWidth: max(20, width / 100 * 28), style: console.style)
    for line in lines { try console.write(line + "\n") }
  }
}

/// A comparison as a table: a row for each scenario, three columns for each heuristic.
enum ComparisonTable {
  static func table(of matrix: ComparisonMatrix) -> TextTable {
    TextTable(
      names: TextTable.Column(
        heading: "scenario", cells: matrix.plan.scenarios.map { shown($0.name) }),
      groups: matrix.plan.contenders.indices.map { group($0, of: matrix) })
  }

  private static func group(_ contender: Int, of matrix: ComparisonMatrix) -> TextTable.Group {
    let results = matrix.plan.scenarios.indices.map {
      matrix.result(scenario: $0, contender: contender)
    }
    return TextTable.Group(
      heading: matrix.plan.contenders[contender].name,
      columns: Figure.headlines.map { figure in
        TextTable.Column(
          heading: figure.name, alignment: .right,
          cells: results.map { $0.map { cell(figure.value($0.player)) } ?? "-" })
      })
  }

  private static func cell(_ value: PropertyValue) -> String {
    switch value {
    case .null: "never"
    case .count(let count): grouped(count)
    case .time(let nanoseconds): bareSeconds(nanoseconds)
    case .boolean, .text, .rate, .ranges, .share, .entries: value.words
    }
  }
}
