import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner
import SystemLibrary

extension Verb {
  static let test = Verb(
    name: "test",
    overview: "Run scenarios and say which of their expectations failed.",
    discussion: [
      "Writes a line for each scenario, and for each expectation that failed its place in the "
        + "file, the expected value, the actual one, and the trace around it. Other JSON in a "
        + "folder is left alone. The default path is the folder Scenarios or scenarios, else the "
        + "working folder.",
      "Budgets are limits in a file of their own; of several rules that fit, the last one that "
        + "names a figure decides. A baseline holds recorded figures. 'goldilocks schema --for "
        + "budgets' and '--for baseline' describe both files.",
      "Ends with 0 if all passed, 1 if any failed or a baseline was recorded, 65 if a file is "
        + "wrong.",
    ],
    positionals: [Positional(name: "path", help: Positional.scenarios.help, count: 0...Int.max)],
    options: [
      .testFormat, .junit, .html, .engine, .failedTraces, .budgets, .baseline, .updateBaseline,
      .allowBetter, .filter, .tag, .exceptTag, .lastFailed, .links, .sessionSeeds, .shard, .list,
      .failFast, .watch, .strict, .quiet, .durations, .set, .allowPath, .allowCommands,
      .answerTime, .jobs,
    ],
    examples: [
      "test", "test scenarios --budgets budgets.json --junit results.xml",
      "test --format github --shard 2/4", "test --links 3G,traces --seeds 5 --tag cellular",
    ]
  ) { (invocation) throws(Failure) in
    var invocation = invocation
    if invocation.positionals.isEmpty {
      let usual = ["Scenarios", "scenarios", "."].first { (try? InputFiles.isFolder($0)) == true }
      invocation.positionals = [usual].compactMap { $0 }
    }
    if invocation.has(.watch) { try watch(invocation) }
    return try performTest(invocation)
  }

  private static func performTest(_ invocation: Invocation) throws(Failure) -> ExitCode {
    var work = try ScenarioWork(invocation)
    let selection = try TestSelection(invocation)
    try selection.apply(to: &work)
    if invocation.has(.list) { return try listTests(of: &work, invocation) }
    return try TestVerb(invocation: invocation, selection: selection).perform(&work)
  }

  /// Tests again when a file below the paths, or one a scenario names, has changed, until Ctrl-C.
  private static func watch(_ invocation: Invocation) throws(Failure) {
    if invocation.positionals.contains("-") {
      throw invocation.refusal("Standard input cannot change: 'test -' takes no '--watch'.")
    }
    let named = invocation.positionals
    let standards = [Option.budgets, .baseline].compactMap { invocation.value(of: $0) }
    while true {
      let files = named.flatMap { (try? InputFiles.files(at: $0, areTraces: false))?.files ?? [] }
      let read = files.flatMap { (try? LoadedScenario($0.allowed(by: invocation)))?.inputs ?? [] }
      // A word of a command may be a folder, which is not walked.
      let paths =
        named + standards
        + read.map { $0.path }.filter { (try? InputFiles.isFolder($0)) == false }
      let before = InputFiles.changes(below: paths)
      do throws(Failure) {
        _ = try performTest(invocation)
      } catch let error where error.code < .inputOutput && error.code != .usage {
        invocation.console.say(error)
      }
      try invocation.console.flush()
      invocation.console.say("note: waiting for a change below \(choices(named))\n")
      while InputFiles.changes(below: paths) == before { usleep(200_000) }
    }
  }
}

extension Option {
  fileprivate static let testFormat = formats(
    "text", "json", "github", "tap",
    help: "Format of the results: for a person, for programs, as annotations of GitHub, or in "
      + "the Test Anything Protocol.")
  static let junit = Option(
    name: "junit", valueName: "file", help: "Write the results as JUnit's XML as well.")
  static let filter = Option(
    name: "filter", valueName: "text",
    help: "Only scenarios with these whole words in their path or name, in upper or lower case; * "
      + "stands for anything: new* also matches news. May be repeated.")
  fileprivate static let list = Option(name: "list", help: "List the scenarios, and run none.")
  fileprivate static let failFast = Option(
    name: "fail-fast", help: "Stop after the first scenario that fails.")
  static let strict = Option(
    name: "strict",
    help: "Fail where there is a warning, and where a scenario of the baseline is gone.")
  fileprivate static let watch = Option(
    name: "watch", help: "Test again whenever a file changes, until Ctrl-C.")
  static let durations = Option(
    name: "durations", valueName: "count",
    help: "Show the time of all runs, and of this many of the longest. Without it the same "
      + "scenarios give the same output, but for the times of JUnit's XML.")
}

private struct TestVerb {
  let invocation: Invocation
  let selection: TestSelection

  func perform(_ work: inout ScenarioWork) throws(Failure) -> ExitCode {
    try keepFiles(work.files)
    let output = try TestOutput(invocation)
    var standards = try TestStandards(invocation)
    let traces = try invocation.value(of: .failedTraces).map { (path) throws(Failure) in
      try TracePlaces(path, files: work.files, isSingle: false)
    }
    var (run, failed): ([String], [String]) = ([], [])
    try output.begin()
    for (path, failure) in work.missing {
      try output.show(TestReport(unreadable: path, failure), nil)
    }
    let wanted = (
      isStrict: invocation.has(.strict),
      digest: invocation.wantsJSON || invocation.value(of: .baseline) != nil,
      picture: output.page != nil
    )
    let stops = invocation.has(.failFast)
    try work.forEach(
      stoppingWhere: { stops && $0 != .success },
      work: { (file) throws(Failure) in try test(file, wanted) },
      receive: { (file, result) throws(Failure) in
        let title = file.inCell(file.title)
        run.append(title)
        switch result {
        case .failure(let failure):
          failed.append(title)
          var report = TestReport(unreadable: file.title, failure)
          report.name = file.inCell(report.name)
          try output.show(report, failure)
          return failure.code
        case .success((var report, let drawn)):
          report.name = file.inCell(report.name)
          standards.judge(&report, of: file)
          try output.show(report, nil, drawn)
          if report.passed { return .success }
          failed.append(title)
          try writeTrace(of: file, traces)
          return .different
        }
      })
    for report in standards.gone {
      try output.show(report, nil)
      work.code = max(work.code, .different)
    }
    try selection.keep(failed: failed, of: run)
    try output.end(notRun: Int64(work.files.count - run.count))
    return max(work.code, try standards.end(invocation.console))
  }

  /// Runs a scenario that failed again for its trace, where that is wanted.
  private func writeTrace(of file: InputFile, _ places: TracePlaces?) throws(Failure) {
    let loaded = try LoadedScenario(file)
    guard let spool = try places?.spool(for: file, reading: loaded.inputs) else { return }
    var options = RunOptions(folds: .figures)
    options.trace = .handedOn { spool.take($0) }
    _ = try loaded.run(options)
    try spool.place()
  }

  private func keepFiles(_ files: [InputFile]) throws(Failure) {
    let written = [Option.junit, .html, .lastFailed]
    try OutputFiles.keepApart(written + [.baseline], of: invocation)
    let standards = [Option.budgets, .baseline].compactMap { invocation.value(of: $0) }
    let read = files + standards.map { InputFile(path: $0, relativePath: $0) }
    for option in written {
      guard let path = invocation.value(of: option) else { continue }
      // Files that scenarios name are read only where an output could overwrite them.
      let isThere = isSameFile(path, path)
      let inputs = isThere ? files.flatMap { (try? LoadedScenario($0))?.inputs ?? [] } : []
      try OutputFiles.keep(read + inputs, from: path, of: option)
    }
    try selection.keepOtherFile()
  }
}

private func test(
  _ file: InputFile, _ wanted: (isStrict: Bool, digest: Bool, picture: Bool)
) throws(Failure) -> (TestReport, drawn: FinishedRun?) {
  let start = nanosecondsNow()
  let loaded = try LoadedScenario(file)
  if loaded.scenario.skip != nil {
    return (TestReport(skipped: loaded.scenario, file: file.title), nil)
  }
  let outcome = try loaded.runForExpectations(wantsDigest: wanted.digest)
  var report = TestReport(loaded.scenario, outcome, file: file.title)
  report.notes = loaded.scenario.notes(in: file.title)
  if wanted.isStrict { report.refuseWarnings() }
  report.nanoseconds = nanosecondsNow() - start
  if !wanted.picture { return (report, nil) }
  var options = RunOptions(keepsCurves: true)
  options.trace = .digest
  return (report, FinishedRun(loaded: loaded, outcome: try loaded.run(options), heuristic: nil))
}

extension TestReport {
  fileprivate init(unreadable file: String, _ failure: Failure) {
    self.init(unreadable: file, failure.message ?? "", failure.diagnostics)
  }
}

private func listTests(
  of work: inout ScenarioWork, _ invocation: Invocation
) throws(Failure) -> ExitCode {
  invocation.note(
    [.junit, .html, .failedTraces, .budgets, .baseline], haveNoEffectBeside: "'--list'")
  let output = invocation.wantsJSON ? Envelope(invocation) : nil
  try work.answer(
    to: output,
    work: { (file) throws(Failure) in file.inCell(try LoadedScenario(file).scenario.name) },
    receive: { (file, name) throws(Failure) in
      if let output {
        try output.add(["file": .string(file.title), "scenario": .string(name)])
      } else {
        try invocation.console.write("\(file.title)  \(shown(name))\n")
      }
      return .success
    })
  return work.code
}
