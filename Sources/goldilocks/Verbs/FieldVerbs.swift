import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner
import StreamingMedia
import VirtualTime

extension Option {
  fileprivate static let output = Option(
    name: "output", short: "o", valueName: "file",
    help: "File for the scenario, which must not exist yet; playlists go into a folder beside it. "
      + "(default: standard output)")
  fileprivate static let fieldTrace = Option(
    name: "trace", valueName: "file",
    help: "File for the recording of the session, which 'goldilocks report' and 'diff' read.")
  fileprivate static let duration = Option(
    name: "duration", valueName: "time", help: "Duration of a file, where the log does not tell it."
  )
  fileprivate static let segmentDuration = Option(
    name: "segment-duration", valueName: "time",
    help: "Duration of segments, where the log holds no playlist. (default: 6s)")
}

/// The verbs for sessions that were not run.
enum FieldVerbs {
  static let importHAR = Verb(
    name: "import", subject: "har",
    overview: "Turn the HAR of a playback session into a scenario and a recording.",
    discussion: [
      "Reads HARs of Chrome, Safari, Firefox, Charles, Proxyman, mitmproxy and WebPageTest. The "
        + "media are the playlists and sizes that were seen, the link is the rate at which they "
        + "arrived, and the script is what requests show of the app. Whatever cannot be known is "
        + "assumed, and said on standard error and in the scenario's 'about'.",
      "Playlists count where the HAR holds their bodies; without them segments are told apart by "
        + "the numbers in their names. '_playback' of a page tells when playback began and "
        + "stalled, in milliseconds: { \"play\": 0, \"firstMotion\": 812, \"stalls\": [ "
        + "{ \"start\": 9000, "
        + "\"duration\": 750 } ] }.",
    ],
    positionals: [Positional(name: "file", help: "A HAR, or - for standard input.")],
    options: [.output, .fieldTrace, .duration, .segmentDuration],
    examples: ["import har incident.har --output incident.json --trace incident.trace"]
  ) { (invocation) throws(Failure) in
    try FieldImport(invocation).perform { (text) throws(Diagnostic) in
      try FieldLog(har: text)
    }
  }

  static let exportHAR = Verb(
    name: "export", subject: "har",
    overview: "Write the requests of a run as a HAR.",
    discussion: [
      "Runs a scenario, or reads a trace. '_chunks' says when bytes arrived where the rate of the "
        + "link changed, as WebPageTest does, and '_playback' when playback began and stalled. The "
        + "run starts at 1970-01-01 00:00:00."
    ],
    positionals: [
      Positional(name: "file", help: "A scenario or a trace, or - for standard input.")
    ],
    options: [.allowPath],
    examples: ["export har start.json", "export har start.trace"]
  ) { (invocation) throws(Failure) in
    let (scenario, outcome) = try invocation.playedSession()
    var writer = JSONWriter(.lines)
    HARDocument(scenario, outcome).write(to: &writer)
    try invocation.console.write(writer.bytes)
    return .success
  }
}

extension Invocation {
  /// The session of a trace, or of a scenario that is run for it.
  fileprivate func playedSession() throws(Failure) -> (Scenario, RunOutcome) {
    let file = InputFile(path: positionals[0], relativePath: positionals[0])
    if try file.read().starts(with: Array("{\"trace\":".utf8)) {
      let run = try FinishedRun(reportOn: file, moments: [])
      return (run.loaded.scenario, run.outcome)
    }
    let loaded = try LoadedScenario(try scenarioFile())
    var options = RunOptions(keepsTrace: false)
    options.keepsCurves = true
    options.keepsURIs = true
    return (loaded.scenario, try loaded.run(options))
  }
}

/// Writes what is made of a field log: a scenario, its playlists and the recording.
private struct FieldImport {
  let invocation: Invocation
  private let file: InputFile
  private let output: String?
  private let trace: String?

  init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    file = InputFile(path: invocation.positionals[0], relativePath: invocation.positionals[0])
    output = invocation.value(of: .output)
    trace = invocation.value(of: .fieldTrace)
    try OutputFiles.keepApart([(.output, output), (.fieldTrace, trace)])
    for path in [output, trace] { try OutputFiles.keep([file], from: path, of: .output) }
    if let output, (try? InputFiles.kind(of: output)) != nil, !OutputFiles.isSpecial(output) {
      throw OutputFiles.isThereAlready(output)
    }
  }

  func perform(_ read: ([UInt8]) throws(Diagnostic) -> FieldLog) throws(Failure) -> ExitCode {
    let text = try file.read()
    let (length, pace) = (try media(.duration), try media(.segmentDuration))
    let session: FieldSession
    do throws(Diagnostic) {
      session = try FieldSession(
        try read(text), name: file.isStandardInput ? "field session" : lastPart(of: file.path),
        folder: folder, duration: length, segmentDuration: pace)
    } catch {
      var mistake = error
      mistake.file = file.title
      // A screen of a text this long costs more than the text.
      if text.count < 1 << 24 { throw Failure(wrongInput: [mistake], in: file.title, text) }
      throw Failure(
        .wrongInput, details: [mistake.text], "\(inQuotes(file.title)) has a mistake.")
    }
    for note in session.notes {
      invocation.console.say(shown("\(file.title): note: \(note)") + "\n")
    }
    var writer = JSONWriter(.indented)
    writer.tree(session.document)
    writer.endLine()
    try write(writer.bytes, session.media.files)
    if let trace { try OutputFiles.write(session.trace(writer.bytes), to: trace) }
    return .success
  }

  private func media(_ option: Option) throws(Failure) -> MediaTime? {
    try invocation.span(of: option).map { MediaTime(nanoseconds: $0.nanoseconds) }
  }

  /// Folder of the playlists, as the scenario names it: of letters that a URI has as they are.
  private var folder: String {
    let name = lastPart(of: output ?? "field")
    let stem = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[..<$0]) } ?? name
    let letters = stem.unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic && scalar.isASCII
        || "0123456789_".unicodeScalars.contains(scalar)
        ? String(scalar) : "-"
    }
    return letters.joined() + "-media/"
  }

  private func write(_ scenario: [UInt8], _ playlists: [ScenarioFile]) throws(Failure) {
    guard let output else {
      if playlists.isEmpty { return try invocation.console.write(scenario) }
      throw invocation.refusal(
        "There are \(counted(Int64(playlists.count), "playlist")) to write beside the scenario: "
          + "please provide \(inQuotes(Option.output.usage)).")
    }
    let base = folderPart(of: output)
    for playlist in playlists {
      try OutputFiles.makeFolder(of: base + playlist.path)
      try OutputFiles.write(Array(playlist.text.utf8), to: base + playlist.path)
    }
    try OutputFiles.write(scenario, to: output)
  }
}
