import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner

extension Verb {
  static let test = Verb(
    name: "test",
    overview: "Run scenarios and say which of their expectations failed.",
    discussion: [
      "A line for each scenario; for each expectation that did not come true its place in the "
        + "file, what was expected, what was so, and the trace around it. Of a folder only "
        + "scenarios are taken, whatever other JSON lies in it. Without a path it is the folder "
        + "Scenarios or scenarios, or else the working folder.",
      "Budgets are limits beside the scenarios, of which the last rule that fits and names a "
        + "figure decides. A baseline is what the figures were. 'goldilocks schema --for budgets' "
        + "and '--for baseline' say how both are written.",
      "Ends with 0 if all passed, 1 if any failed or a baseline was recorded, 65 if a file is "
        + "wrong.",
    ],
    positionals: [.scenariosIfAny],
    options: [
      .testFormat, .junit, .budgets, .baseline, .updateBaseline, .filter, .shard, .list, .failFast,
      .strict, .quiet, .durations, .set, .allowPath, .allowCommands, .answerTime, .jobs,
    ],
    examples: [
      "test", "test scenarios --budgets budgets.json --junit results.xml",
      "test --format github --shard 2/4",
    ]
  ) { (invocation) throws(Failure) in
    let work = try ScenarioWork(invocation, defaultFolders: ["Scenarios", "scenarios", "."])
    if invocation.has(.list) { return try listTests(of: work, invocation) }
    return try TestVerb(invocation).perform(work)
  }
}

extension Positional {
  fileprivate static let scenariosIfAny = Positional(
    name: "path", help: Positional.scenarios.help, count: 0...Int.max)
}

extension Option {
  fileprivate static let testFormat = Option(
    name: "format", valueName: "format",
    help: "How results are written: for a person, for programs, as annotations of GitHub, or in "
      + "the Test Anything Protocol.",
    values: ["text", "json", "github", "tap"], fallback: "text")
  static let junit = Option(
    name: "junit", valueName: "file", help: "Write the results as JUnit's XML as well.")
  static let filter = Option(
    name: "filter", valueName: "text",
    help: "Only scenarios whose path or name has it, whatever the case; * stands for anything. "
      + "May be repeated.")
  fileprivate static let list = Option(
    name: "list", help: "Say which scenarios there are, and run none.")
  fileprivate static let failFast = Option(
    name: "fail-fast", help: "Stop after the first scenario that fails.")
  fileprivate static let strict = Option(
    name: "strict", help: "Fail where there is a warning.")
  static let durations = Option(
    name: "durations", valueName: "count",
    help: "Say how long the runs took, and which so many took longest. Without it the same "
      + "scenarios give the same output.")
}

/// Runs scenarios and hands what came of them to whoever writes it down.
private struct TestVerb {
  let invocation: Invocation
  private let isStrict: Bool

  init(_ invocation: Invocation) {
    self.invocation = invocation
    isStrict = invocation.has(.strict)
  }

  /// Whether anybody reads the digests of traces.
  private var wantsDigest: Bool {
    invocation.wantsJSON || invocation.value(of: .baseline) != nil
  }

  func perform(_ selected: ScenarioWork) throws(Failure) -> ExitCode {
    var work = selected
    try OutputFiles.keep(work.files, from: invocation.value(of: .junit), of: .junit)
    let output = try TestOutput(invocation)
    var standards = try TestStandards(invocation)
    var tally = TestTally()
    try output.begin()
    for (path, failure) in work.missing {
      let report = TestReport(unreadable: path, failure)
      tally.add(report)
      try output.show(report, nil)
    }
    let (isStrict, wantsDigest) = (isStrict, wantsDigest)
    let stops = invocation.has(.failFast)
    var done: Int64 = 0
    try work.forEach(
      stoppingWhere: { stops && $0 != .success },
      work: { file in test(file, isStrict: isStrict, wantsDigest: wantsDigest) },
      receive: { (file, result) throws(Failure) in
        done += 1
        switch result {
        case .failure(let failure):
          let report = TestReport(unreadable: file.title, failure)
          tally.add(report)
          try output.show(report, failure)
          return failure.code
        case .success(var report):
          standards.judge(&report, of: file)
          tally.add(report)
          try output.show(report, nil)
          return report.passed ? .success : .different
        }
      })
    tally.notRun = Int64(work.files.count) - done
    try output.end(tally)
    work.note(try standards.end(invocation.console))
    return work.code
  }
}

private func test(
  _ file: InputFile, isStrict: Bool, wantsDigest: Bool
) -> Result<TestReport, Failure> {
  attempt { () throws(Failure) in
    let start = nanosecondsNow()
    let loaded = try LoadedScenario(file)
    let outcome = try loaded.runForExpectations(wantsDigest: wantsDigest)
    var report = TestReport(loaded.scenario, outcome, file: file.title)
    if isStrict { report.refuseWarnings() }
    report.nanoseconds = nanosecondsNow() - start
    return report
  }
}

extension TestReport {
  fileprivate init(unreadable file: String, _ failure: Failure) {
    self.init(unreadable: file, failure.message ?? "", failure.diagnostics)
  }
}

// MARK: - A list

/// Says which scenarios would be run.
private func listTests(
  of selected: ScenarioWork, _ invocation: Invocation
) throws(Failure) -> ExitCode {
  var work = selected
  let output = invocation.wantsJSON ? Envelope(invocation) : nil
  try output?.open("scenarios")
  try work.forEach(
    work: { file in attempt { () throws(Failure) in try LoadedScenario(file).scenario.name } },
    receive: { (file, result) throws(Failure) in
      switch result {
      case .success(let name):
        if let output {
          try output.add { $0.listed(file.title, name) }
        } else {
          try invocation.console.write("\(file.title)  \(shown(name))\n")
        }
        return .success
      case .failure(let failure):
        try output?.add { $0.unreadable(file.title, nil, failure) }
        try invocation.console.flush()
        invocation.console.say(failure)
        return failure.code
      }
    })
  try output?.closeList()
  try output?.end()
  return work.code
}

extension JSONWriter {
  fileprivate mutating func listed(_ file: String, _ name: String) {
    beginObject()
    key("file")
    string(file)
    key("scenario")
    string(name)
    endObject()
  }
}
