import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

extension Option {
  fileprivate static let output = Option(
    name: "output", short: "o", valueName: "file",
    help: "File for the scenario, which must not exist yet; playlists go into a folder beside it. "
      + "(default: standard output)")
  fileprivate static let fieldTrace = Option(
    name: "trace", valueName: "file",
    help: "File for the recording of the session, which 'report' and 'diff' read as a trace.")
  fileprivate static let fit = Option(
    name: "fit",
    help: "Fit forward buffer, delay, think time and the estimator's start to every other request, "
      + "and say how far off the others are.")
  fileprivate static let duration = Option(
    name: "duration", valueName: "time",
    help: "Duration of the media, where the log does not tell it.")
  fileprivate static let segmentDuration = Option(
    name: "segment-duration", valueName: "time",
    help: "Duration of segments, where the log does not tell it. (default: 6s)")
}

/// The verbs for sessions that were not run here, and for runs in their form.
enum FieldVerbs {
  static let exportHAR = Verb(
    name: "export", subject: "har",
    overview: "Run a scenario and write its requests as a HAR.",
    discussion: [
      "Writes the requests of the first player as HAR 1.2, with the texts of playlists, from the "
        + "start of 1970 on. When playback was asked for, began and stalled stands in "
        + "'_playback' of the page, which 'import har' reads."
    ],
    positionals: [.scenario],
    options: [.set, .allowPath, .allowCommands, .answerTime],
    examples: ["export har start.json > start.har"]
  ) { (invocation) throws(Failure) in
    let loaded = try LoadedScenario(try invocation.scenarioFile())
    let outcome = try loaded.run(RunOptions(keepsCurves: true))
    var omissions = outcome.others.filter { $0.player.media.requests > 0 }.map {
      "the \(counted($0.player.media.requests, "request")) of the player \(inQuotes($0.name))"
    }
    if loaded.scenario.isLive { omissions.append("the texts of the live stream's playlists") }
    var notes = omissions.map { "left out: " + $0 }
    if outcome.player.media.requests == 0 { notes.append("the session has no requests") }
    for note in notes { say("note: " + note, of: loaded.file, invocation.console) }
    try invocation.console.writeDocument { $0.tree(HARDocument(loaded.scenario, outcome).document) }
    return .success
  }

  static let importHAR = verb(
    "har", "a HAR",
    [
      "Reads HARs of Chrome, Safari, Firefox, Charles, Proxyman, mitmproxy and WebPageTest. The "
        + "media are the playlists and sizes that were seen, the link is the rate at which they "
        + "arrived, and the script is what requests show of the app. Whatever cannot be known is "
        + "assumed, and said on standard error and in the scenario's 'about'.",
      "Playlists count where the HAR holds their bodies; without them segments are told apart by "
        + "the numbers in their names. '_playback' of a page tells when playback began and "
        + "stalled, in milliseconds: { \"play\": 0, \"firstMotion\": 812, \"stalls\": [ "
        + "{ \"start\": 9000, \"duration\": 750 } ] }; the scenario expects the same.",
      "The recording is a trace of what the log shows: 'report' makes screens, figures and the "
        + "page of it, and 'diff' compares it with the trace of a run.",
    ], example: "incident.har"
  ) { (text) throws(Diagnostic) in try FieldLog(har: text) }

  static let importAccessLog = verb(
    "access-log", "the access log of a player item",
    [
      "Reads the extended log data of AVPlayerItemAccessLog, or its events as JSON under the "
        + "names of AVPlayerItemAccessLogEvent. Each entry gives a variant, the rate of its "
        + "transfers and its stalls. No request shows in it: sizes of segments are assumed, and "
        + "that is said."
    ], example: "session.log", canFit: false
  ) { (text) throws(Diagnostic) in try FieldLog(accessLog: text) }

  static let importMetrics = verb(
    "metrics", "events of AVMetrics, or a CDN's lines with CMCD,",
    [
      "Events are JSON, in an array or one on a line: a request has \"event\", \"url\", "
        + "\"requestStart\", \"responseStart\", \"responseEnd\", \"bytes\" and "
        + "\"segmentDuration\"; 'play', 'rateChange' with \"rate\", 'stall' and 'seek' with "
        + "\"to\" have their \"date\". The README has the Swift code that writes them.",
      "Lines of a CDN have the columns date, time, time-taken, sc-bytes, cs-uri-stem and "
        + "cs-uri-query, named by #Fields as the extended log format does; 'CMCD' is a part of the "
        + "query. Of several sessions the one with the most lines counts.",
    ], example: "session.json"
  ) { (text) throws(Diagnostic) in try FieldLog(metrics: text) }

  private static func verb(
    _ subject: String, _ log: String, _ discussion: [String], example: String, canFit: Bool = true,
    _ read: @escaping @Sendable ([UInt8]) throws(Diagnostic) -> FieldLog
  ) -> Verb {
    Verb(
      name: "import", subject: subject,
      overview: "Turn \(log) into a scenario and a recording.", discussion: discussion,
      positionals: [Positional(name: "file", help: "The log, or - for standard input.")],
      options: [.output, .fieldTrace] + (canFit ? [.fit] : []) + [.duration, .segmentDuration],
      examples: ["import \(subject) \(example) -o incident.json --trace field.trace"]
    ) { (invocation) throws(Failure) in try perform(invocation, read) }
  }

  private static func perform(
    _ invocation: Invocation, _ read: ([UInt8]) throws(Diagnostic) -> FieldLog
  ) throws(Failure) -> ExitCode {
    let path = invocation.positionals[0]
    let file = InputFile(path: path, relativePath: path)
    let output = invocation.value(of: .output)
    let trace = invocation.value(of: .fieldTrace)
    try OutputFiles.keepApart([.output, .fieldTrace], of: invocation)
    try OutputFiles.keep([file], from: trace, of: .fieldTrace)
    try OutputFiles.keepWhatIsThere(output)
    func media(_ option: Option) throws(Failure) -> MediaTime? {
      try invocation.span(of: option).map { MediaTime(nanoseconds: $0.nanoseconds) }
    }
    let (duration, segmentDuration) = (try media(.duration), try media(.segmentDuration))
    let text = try file.read()
    var session: FieldSession
    do throws(Diagnostic) {
      session = try FieldSession(
        try read(text), name: file.isStandardInput ? "field session" : lastPart(of: path),
        folder: playlistFolder(of: output), duration: duration, segmentDuration: segmentDuration)
      if invocation.has(.fit) { try session.fit() }
    } catch {
      var mistake = error
      mistake.file = file.title
      // A screen of a text this long costs more than the text.
      if text.count < 1 << 24 { throw Failure(wrongInput: [mistake], in: file.title, text) }
      throw Failure(.wrongInput, details: [mistake.text], "\(inQuotes(file.title)) has a mistake.")
    }
    for note in session.notes { say("note: " + note, of: file, invocation.console) }
    try write(session, to: output, invocation)
    if let trace { try OutputFiles.write(session.trace(), to: trace) }
    return .success
  }
}

/// Folder of the playlists, as the scenario names it: of characters that a URI has as they are.
private func playlistFolder(of output: String?) -> String {
  let name = lastPart(of: output ?? "field").utf8
  let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name[...]
  let letters = stem.map { byte in
    0x30...0x39 ~= byte || 0x41...0x5A ~= byte & 0xDF || byte == 0x5F ? byte : 0x2D
  }
  return String(decoding: letters, as: UTF8.self) + "-media/"
}

private func write(
  _ session: FieldSession, to output: String?, _ invocation: Invocation
) throws(Failure) {
  guard let output else {
    if session.media.files.isEmpty {
      return try invocation.console.writeDocument { $0.tree(session.document) }
    }
    let playlists = counted(Int64(session.media.files.count), "playlist")
    throw invocation.refusal(
      "There are \(playlists) to write beside the scenario: please provide "
        + "\(inQuotes(Option.output.usage)).")
  }
  let base = folderPart(of: output)
  for playlist in session.media.files { try OutputFiles.keepWhatIsThere(base + playlist.path) }
  for playlist in session.media.files {
    try OutputFiles.write(Array(playlist.text.utf8), to: base + playlist.path)
  }
  try OutputFiles.write(session.document.fileText, to: output)
}
