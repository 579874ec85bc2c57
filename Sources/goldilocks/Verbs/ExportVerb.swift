import ExactText
import HeuristicComparison
import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import VirtualTime

extension Option {
  fileprivate static let exportFormat = Option(
    name: "as", valueName: "tool", help: "For which tool the link is written.",
    values: ExportFormat.allCases.map { $0.rawValue }, isRequired: true)
  fileprivate static let folder = Option(
    name: "out", valueName: "folder",
    help: "Folder for the files; a single one goes to standard output without.")
}

extension Verb {
  static let exportLink = Verb(
    name: "export", subject: "link",
    overview: "Write the link of a scenario for a tool that puts it before a real player.",
    discussion: [
      "Writes tc and netem commands, traces for mahimahi, a property list of the Network Link "
        + "Conditioner, or network conditions of Chrome DevTools, and says on standard error what "
        + "the tool cannot express."
    ],
    positionals: [.scenario],
    options: [.exportFormat, .folder, .allowPath],
    examples: ["export link start.json --as tc"]
  ) { (invocation) throws(Failure) in
    let name = invocation.value(of: .exportFormat)
    guard let format = name.flatMap({ ExportFormat(rawValue: $0) }) else {
      throw invocation.refusal(
        "Missing expected option \(inQuotes(Option.exportFormat.usage)): one of "
          + "\(choices(Option.exportFormat.values)).")
    }
    try OutputFiles.keepApart([.folder], of: invocation)
    let loaded = try LoadedScenario(try invocation.scenarioFile())
    let link = ExportedLink(loaded.scenario)
    let export = LinkExport(
      link.conditions, schedule: link.schedule, stopsUplink: link.stopsUplink,
      name: loaded.scenario.name, as: format)
    try write(export.files, invocation)
    try invocation.console.flush()
    for omission in link.omissions + export.omissions {
      invocation.console.say("\(format.rawValue) does not express \(omission)\n")
    }
    return .success
  }

  static let exportP1203 = Verb(
    name: "export", subject: "p1203",
    overview: "Run a scenario and write its session as the input of ITU-T P.1203.",
    discussion: [
      "Writes what the standard's public software reads at mode 0: bit rates and lengths of "
        + "segments, and where playback waited for how long. The model itself is not part of this "
        + "command: its licence does not allow that. Codecs, frame rates and resolutions that the "
        + "scenario does not name are H.264, AAC, 24 frames a second and 1920x1080."
    ],
    positionals: [.scenario],
    options: [.set, .allowPath, .allowCommands, .answerTime],
    examples: ["export p1203 start.json"]
  ) { (invocation) throws(Failure) in
    let loaded = try LoadedScenario(try invocation.scenarioFile())
    let input = P1203Input(try loaded.run(RunOptions(keepsTrace: false)))
    var notes = input.unnamedCodecs.map { "P.1203 has no name for the codec \(inQuotes($0))" }
    if input.resolutions.isEmpty { notes.append("nothing was played: I13 has no segments") }
    if input.resolutions.contains(nil) { notes.append("1920x1080 is assumed as the resolution") }
    for note in notes { say("note: " + note, of: loaded.file, invocation.console) }
    try invocation.console.writeDocument { $0.tree(input.document) }
    return .success
  }

  static let exportPerfetto = Verb(
    name: "export", subject: "perfetto",
    overview: "Write a run as trace events, which Perfetto and Chrome draw.",
    discussion: [
      "Runs a scenario, or takes the trace of a run. States of playback are slices, requests are "
        + "asynchronous events, the rate of the link, the buffer and the estimate are counters, "
        + "and the remaining records are instants with all their members."
    ],
    positionals: [Positional(name: "file", help: "A scenario or a trace.")],
    options: [.set, .allowPath, .allowCommands, .answerTime],
    examples: ["export perfetto start.json > start.perfetto.json"]
  ) { (invocation) throws(Failure) in try writeTraceEvents(invocation) }
}

private func writeTraceEvents(_ invocation: Invocation) throws(Failure) -> ExitCode {
  let file = try invocation.scenarioFile()
  var trace = try file.read()
  if InputFiles.isTrace(trace) {
    invocation.note([.set, .allowPath, .allowCommands, .answerTime], haveNoEffectBeside: "a trace")
  } else {
    trace = try LoadedScenario(file).run(RunOptions(folds: .figures)).trace
  }
  let broken = { (error: TraceError) in Failure(.wrongInput, "\(file.title): \(error.text)") }
  var document = try rethrowing(try TraceEventDocument(trace), as: broken)
  let digest = try rethrowing(try document.digest(), as: broken)
  if !isDigest(digest, of: trace) {
    say("note: " + wordsOfAlteredTrace, of: file, invocation.console)
  }
  while try rethrowing(try document.readLine(), as: broken) {
    invocation.console.progress.tell(document.line, of: document.lineCount)
    try invocation.console.takeBytes(of: &document.writer)
  }
  try invocation.console.takeBytes(of: &document.writer)
  return .success
}

private func write(_ files: [LinkExport.File], _ invocation: Invocation) throws(Failure) {
  if let folder = invocation.value(of: .folder) {
    return try OutputFiles.write(files.map { (joinedPath(folder, $0.name), Array($0.text.utf8)) })
  }
  if files.count == 1 { return try invocation.console.write(files[0].text) }
  throw invocation.refusal(
    "There are \(files.count) files to write (\(files.map { $0.name }.joined(separator: ", "))): "
      + "please provide \(inQuotes(Option.folder.usage)).")
}

/// The link of a scenario as far as it is known before the run.
private struct ExportedLink {
  let conditions: LinkConditions
  private(set) var schedule: RateSchedule?
  /// Whether the schedule is that of outages, which stop both directions.
  private(set) var stopsUplink = false
  /// Parts of the scenario that no format expresses.
  private(set) var omissions: [String] = []

  init(_ scenario: Scenario) {
    let plan = scenario.link
    conditions = plan.conditions
    schedule = plan.schedule
    if plan.isExpensive { omissions.append("that the network is expensive") }
    if !plan.isSwitchedOn { omissions.append("that the link is perfect until it is switched on") }
    if scenario.script.contains(where: { $0.action.changesLink }) {
      omissions.append("how the script changes the link")
    }
    if !scenario.traffic.isEmpty || !scenario.leakedPlayers.isEmpty {
      omissions.append("competing traffic")
    }
    if !scenario.faults.rules.isEmpty { omissions.append("what goes wrong with requests") }
    if plan.outages.isEmpty { return }
    if schedule == nil, let outages = scheduled(plan.outages) {
      (schedule, stopsUplink) = (outages, true)
    } else {
      omissions.append("outages beside a schedule")
    }
  }

  private func scheduled(_ outages: [LinkPlan.Outage]) -> RateSchedule? {
    let usual = conditions.downlink.bandwidth
    var steps: [RateSchedule.Step] = []
    var now = Instant.zero
    for outage in outages.sorted(by: { $0.start < $1.start }) {
      let end = outage.start + outage.duration
      if end <= now { continue }
      let start = max(outage.start, now)
      steps.append(RateSchedule.Step(duration: start - now, bandwidth: usual))
      steps.append(RateSchedule.Step(duration: end - start, bandwidth: .limited(.zero)))
      now = end
    }
    steps.append(RateSchedule.Step(duration: .seconds(1), bandwidth: usual))
    return try? RateSchedule(steps: steps, ending: .holds)
  }
}
