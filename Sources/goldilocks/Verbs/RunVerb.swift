import ExactText
import HeuristicComparison
import PlayerPolicies
import RunReports
import ScenarioFormat
import ScenarioRunner
import VirtualTime

extension Option {
  fileprivate static let trace = Option(
    name: "trace", valueName: "file",
    help: "File for the trace; with several scenarios a folder for all of them.")
  fileprivate static let panel = Option(
    name: "panel", valueName: "panel",
    help: "Engineering panels to show; json shows none unless asked.",
    values: PanelChoice.allCases.map { $0.rawValue }, fallback: "changes")
  fileprivate static let at = Option(
    name: "at", valueName: "time",
    help: "Show the panel at that time of the run, such as 12.5s, instead of at changes; may be "
      + "repeated.")
  fileprivate static let accessLog = Option(
    name: "access-log",
    help: "Write the access log in the extended log format, instead of the screen.")
  fileprivate static let errorLog = Option(
    name: "error-log",
    help: "Write the error log as well; with json both are members of the document.")
  static let html = Option(
    name: "html", valueName: "file",
    help: "Write a self-contained page with pictures and decisions.")
  static let engine = Option(
    name: "engine", valueName: "file",
    help: "Put this engine into the page, as '.ci/build-for-browser' makes it, or gzipped.")
  fileprivate static let runFormat = formats(
    "text", "json", "svg", help: "Format of the results; svg is the picture of one scenario.")
  fileprivate static let oracle = Option(
    name: "oracle",
    help: "Show the best possible result over this link beside the player's.")
  fileprivate static let objective = Option(
    name: "objective", valueName: "name",
    help: "Say how good the run was by an objective, or by all; may be repeated.",
    values: Objective.all.map { $0.name } + ["all"])
}

extension Verb {
  static let run = Verb(
    name: "run",
    overview: "Run scenarios and show the player's states and figures.",
    discussion: [
      "Shows the engineering panel at each change, a timeline with the buffer, and the figures. "
        + "Whether the scenario's expectations came true is for 'goldilocks test' to say.",
      "The logs have the columns of AVPlayerItemAccessLog and AVPlayerItemErrorLog, with a dash "
        + "where a simulation has no value. Each item has its own log; a remark names the item "
        + "where there are several. The run starts at 1970-01-01 00:00:00. Key performance "
        + "indicators follow as remarks.",
    ],
    positionals: [.scenarios],
    options: [
      .runFormat, .html, .engine, .panel, .at, .accessLog, .errorLog, .heuristic, .oracle,
      .objective, .trace, .set, .allowPath, .allowCommands, .answerTime, .quiet, .jobs,
    ],
    examples: [
      "run start.json", "run start.json --at 12.5s --trace start.trace", "run start.json --oracle",
      "run start.json --html start.html",
    ]
  ) { (invocation) throws(Failure) in try RunVerb(invocation).perform() }

  static let report = Verb(
    name: "report",
    overview: "Show the screen, the figures and the logs of traces, without running anything.",
    discussion: [
      "The trace holds the scenario and the recording: the screen is the one of 'goldilocks run'. "
        + "Warnings are not recorded; 'goldilocks validate' and 'run' give them.",
      "A trace of an older format lacks some parts; a note names them.",
    ],
    positionals: [.traces],
    options: [
      .runFormat, .html, .engine, .panel, .at, .accessLog, .errorLog, .oracle, .objective, .jobs,
    ],
    examples: [
      "report start.trace", "report start.trace --at 12.5s", "report start.trace --html start.html",
    ]
  ) { (invocation) throws(Failure) in try RunVerb(invocation).perform() }

  static let play = Verb(
    name: "play",
    overview: "Run scenarios and show them as a page in a browser.",
    discussion: [
      "Writes the page into the folder for temporary files, or to '--html', prints its address, "
        + "and opens it where there is a desktop."
    ],
    positionals: [.scenarios],
    options: [.html, .engine, .heuristic, .set, .allowPath, .allowCommands, .answerTime, .jobs],
    examples: ["play start.json", "play start.json --engine BrowserEngine.wasm.gz"]
  ) { (invocation) throws(Failure) in try RunVerb(invocation).perform() }
}

struct FinishedRun: Sendable {
  var loaded: LoadedScenario
  var outcome: RunOutcome
  var spool: TraceSpool?
  var oracle: OracleReport?
  /// The same by objectives, of an adaptive run.
  var optima: [OptimumReport] = []
  /// The heuristic that took the place of the scenario's own.
  var heuristic: KeepUpHeuristic?
  /// Facts that its trace lacks, where it was read from one.
  var missing: [String] = []
  /// Format of the log that it was read from; nil for a run.
  var fieldSource: String?
  /// Whether the trace that it was read from has the digest of its lines.
  var hasOwnDigest = true
  /// The same as a predicate of the trace; nil where nothing is missing.
  var lack: String? {
    if missing.isEmpty { return nil }
    if let fieldSource {
      return "was read from a field log (\(fieldSource)), which lacks " + joined(missing, by: ", ")
    }
    return "has an older format, which lacks " + missing.joined(separator: ", ")
      + "; 'goldilocks run --trace' records them"
  }
}

extension FinishedRun {
  init(reportOn file: InputFile, moments: [Instant]) throws(Failure) {
    let bytes = try readTrace(file)
    let run = try rethrowing(
      try ScenarioRunner.report(on: bytes, file: file.title, moments: moments, beat: file.beat)
    ) { (error: ReplayError) in Failure(error, in: file.title) }
    self.init(
      loaded: LoadedScenario(file: file, scenario: run.scenario), outcome: run.outcome,
      heuristic: run.heuristic, missing: run.missing, fieldSource: run.fieldSource,
      hasOwnDigest: isDigest(run.outcome.digest, of: bytes))
  }
}

private struct RunVerb {
  let invocation: Invocation
  private var work: ScenarioWork
  private let heuristic: KeepUpHeuristic?
  private let traces: TracePlaces?
  private let logs: LogChoice
  private let isQuiet: Bool
  private let page: PageOutput?
  private let wantsPicture: Bool
  private let objectives: [Objective]

  init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    heuristic = try invocation.value(of: .heuristic).map { (text) throws(Failure) in
      try StudyWords(verb: invocation.verb).heuristic(text, of: .heuristic)
    }
    if invocation.wantsJSON { invocation.note([.quiet], haveNoEffectBeside: "'--format json'") }
    let isPlay = invocation.verb.name == Verb.play.name
    isQuiet = isPlay || invocation.has(.quiet) && !invocation.wantsJSON
    if isQuiet, !isPlay {
      invocation.note([.runFormat, .accessLog, .errorLog], haveNoEffectBeside: "'--quiet'")
    }
    wantsPicture = invocation.value(of: .runFormat) == "svg" && !isQuiet
    page = try PageOutput(invocation)
    try OutputFiles.keepApart([.html, .trace], of: invocation)
    try Self.refuseWithoutScreen(invocation)
    let named = invocation.values(of: .objective)
    objectives = Objective.all.filter { named.contains("all") || named.contains($0.name) }
    logs = LogChoice(accessLog: invocation.has(.accessLog), errorLog: invocation.has(.errorLog))
    work = try ScenarioWork(invocation)
    // One file was named and no folder: its trace needs no folder either.
    let isSingle =
      invocation.positionals.count == 1 && work.files.count == 1
      && work.files[0].path == invocation.positionals[0]
    let files = work.files
    traces = try invocation.value(of: .trace).map { (path) throws(Failure) in
      try TracePlaces(path, files: files, isSingle: isSingle)
    }
  }

  /// Refuses options that print beside logs or a picture, which are then the only output.
  private static func refuseWithoutScreen(_ invocation: Invocation) throws(Failure) {
    if invocation.wantsJSON { return }
    let isPicture = invocation.value(of: .runFormat) == "svg"
    let logs = [Option.accessLog, .errorLog].filter { invocation.has($0) }
    let screens = [Option.panel, .at, .oracle, .objective].filter { invocation.has($0) }
    let others = isPicture ? logs + screens : screens
    guard let other = others.first, let own = isPicture ? "--format svg" : logs.first?.spelling
    else { return }
    throw invocation.refusal(
      "\(inQuotes(own)) takes the place of the screen, on which \(inQuotes(other.spelling)) would "
        + "show something; '--format json' has \(isPicture ? "it" : "both").")
  }

  func perform() throws(Failure) -> ExitCode {
    var work = work
    var page = page
    let plain = try runOptions()
    let (places, objectives) = (traces, objectives)
    let asksOracle = invocation.has(.oracle) && !isQuiet
    let isReport = invocation.verb.name == Verb.report.name
    let output = invocation.wantsJSON ? Envelope(invocation) : nil
    var isFirst = true
    try work.answer(
      to: output,
      work: { (file) throws(Failure) in
        var run =
          isReport
          ? try FinishedRun(reportOn: file, moments: plain.moments)
          : try Self.run(file, plain, places)
        if asksOracle {
          run.oracle = OracleReport(run.loaded.scenario, run.outcome)
          run.optima = OptimumReport.all(of: objectives, run.loaded.scenario, run.outcome)
        }
        return run
      },
      receive: { (_, run) throws(Failure) in
        try run.spool?.place()
        page?.add(run)
        try show(run, output, isFirst: isFirst)
        noteLateMoments(plain.moments, run)
        let title = run.loaded.file.title
        var notes = isReport || isQuiet ? [] : run.loaded.scenario.notes(in: title)
        if !run.hasOwnDigest { notes.append(shown("\(title): \(wordsOfAlteredTrace)")) }
        if let lack = run.lack { invocation.console.note([shown("\(title): the trace \(lack)")]) }
        invocation.console.note(notes)
        output?.warnings += notes
        isFirst = false
        for fault in run.outcome.faults {
          invocation.console.say("Error: \(title): the books do not balance: \(fault).\n")
        }
        return run.outcome.faults.isEmpty ? .success : .different
      })
    try page?.write()
    return work.code
  }

  private static func run(
    _ file: InputFile, _ options: RunOptions, _ places: TracePlaces?
  ) throws(Failure) -> FinishedRun {
    let loaded = try LoadedScenario(file)
    var options = options
    let spool = try places?.spool(for: file, reading: loaded.inputs)
    if let spool { options.trace = .handedOn { spool.take($0) } }
    return FinishedRun(
      loaded: loaded, outcome: try loaded.run(options), spool: spool, heuristic: options.heuristic)
  }

  private func runOptions() throws(Failure) -> RunOptions {
    if wantsPicture, work.files.count > 1 {
      throw invocation.refusal("'--format svg' draws one scenario at a time.")
    }
    try page?.keep(work.files)
    if invocation.has(.at) { invocation.note([.panel], haveNoEffectBeside: "'--at'") }
    let isQuiet = isQuiet && page == nil
    var options = RunOptions(heuristic: heuristic, folds: isQuiet ? .figures : .all)
    options.keepsCurves = page != nil || wantsPicture
    options.trace = isQuiet ? .nothing : .digest
    options.moments = try invocation.spans(of: .at).map { .zero + $0 }.sorted()
    return options
  }

  private func show(_ run: FinishedRun, _ output: Envelope?, isFirst: Bool) throws(Failure) {
    if isQuiet { return }
    let (scenario, outcome) = (run.loaded.scenario, run.outcome)
    let panels = invocation.value(of: .panel).flatMap { PanelChoice(rawValue: $0) } ?? .changes
    if let output {
      let chosen = invocation.options.contains { $0.name == Option.panel.name } ? panels : nil
      let findings =
        (run.oracle?.document ?? [:]) + (run.optima.isEmpty ? [:] : run.optima.document)
        + (objectives.isEmpty ? [:] : objectives.document(of: ViewedSession(outcome)))
      try output.add(
        outcome.document(
          of: scenario, file: run.loaded.file.title,
          heuristic: scenario.nameOfPolicy(under: run.heuristic), panels: chosen, logs: logs,
          findings: findings))
      output.warnings += outcome.warnings.map { "\(scenario.name): \($0.words)" }
      return
    }
    if wantsPicture { return try invocation.console.write(RunPicture(scenario, outcome).document) }
    if !logs.isEmpty {
      return try invocation.console.write(ExtendedLog(of: scenario).text(outcome, logs))
    }
    let style = invocation.console.style
    if !isFirst {
      try invocation.console.write("\n" + String(repeating: "─", count: style.width) + "\n\n")
    }
    var screen = RunScreen(
      scenario, outcome, heuristic: scenario.wordsOfPolicy(under: run.heuristic))
    let viewed = ViewedSession(outcome)
    screen.findings = run.oracle?.facts { exactSeconds($0) } ?? []
    for objective in objectives.isEmpty ? run.optima.map({ $0.objective }) : objectives {
      screen.findings.append(objective.fact(of: viewed) { bareSeconds($0) })
      if let best = run.optima.first(where: { $0.objective.name == objective.name }) {
        screen.findings.append(best.fact { bareSeconds($0) })
      }
    }
    try invocation.console.write(screen.text(panels: panels, style: style))
  }

  /// Says where a panel is that of the run's end because the run was over.
  private func noteLateMoments(_ moments: [Instant], _ run: FinishedRun) {
    if isQuiet || !moments.contains(where: { $0 > run.outcome.ended }) { return }
    let end = shownSpan((run.outcome.ended - Instant.zero).nanoseconds)
    let words = "the run ends at \(end), before what '--at' names; the panel is that of its end"
    invocation.console.note([shown("\(run.loaded.file.title): \(words)")])
  }
}

/// The files of traces, of which no two are one.
struct TracePlaces: Sendable {
  private let path: String
  private let isFolder: Bool

  init(_ path: String, files: [InputFile], isSingle: Bool) throws(Failure) {
    self.path = path
    let isThere = (try? InputFiles.isFolder(path)) == true
    isFolder = !isSingle || isThere || path.utf8.last == UInt8(ascii: "/")
    if !isFolder {
      try OutputFiles.keep(files, from: path, of: .trace)
      return
    }
    let names = files.map { $0.traceName }.sorted()
    for (name, next) in zip(names, names.dropFirst()) where name == next {
      throw Failure(.usage, "Two of the scenarios would write \(inQuotes(name)) into one folder.")
    }
  }

  /// Spool that takes the trace of a scenario, which names some inputs, while it runs.
  func spool(for file: InputFile, reading inputs: [InputFile]) throws(Failure) -> TraceSpool {
    let target = isFolder ? joinedPath(path, file.traceName) : path
    try OutputFiles.keep(inputs, from: target, of: .trace)
    return TraceSpool(for: target)
  }
}
