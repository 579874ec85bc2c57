import ExactText
import LinkConditioner
import ScenarioFormat

extension Option {
  fileprivate static let traceFormat = Option(
    name: "format", valueName: "format",
    help: "Format of the file. (default: as its content looks)",
    values: TraceFormat.allCases.map { $0.rawValue })
  fileprivate static let interval = Option(
    name: "interval", valueName: "edge",
    help: "Whether a sample's time is where its interval starts or where it ends.",
    values: ["starts", "ends"])
  fileprivate static let then = Option(
    name: "then", valueName: "what",
    help: "Behaviour after the last sample: begin again, or hold the last one.",
    values: ["repeat", "hold"])
  fileprivate static let clock = Option(
    name: "clock", valueName: "clock",
    help: "Whether the trace's time passes while a request waits for its response.",
    values: RateSchedule.Clock.allCases.map { $0.word })
  fileprivate static let answers = Option(
    name: "answers", valueName: "when",
    help: "Whether a response may begin during an outage, or only after it.",
    values: [true, false].map { RateSchedule.answers(inOutages: $0) })
  fileprivate static let payload = Option(
    name: "payload", valueName: "share",
    help: "Payload's share of each rate; Pensieve's own simulator takes 95 %.",
    fallback: "100 %")
  fileprivate static let profileName = Option(
    name: "name", valueName: "name", help: "Name of the profile in a list.")
}

extension Verb {
  static let importTrace = Verb(
    name: "import", subject: "trace",
    overview: "Turn a recorded link into the link of a scenario.",
    discussion: [
      "Reads Sabre's JSON, Pensieve's two columns, mahimahi, raw HSDPA logs, CAdViSE's JSON, "
        + "CSV by its header (else in s and bit/s), and property lists of the Network Link "
        + "Conditioner. Writes the 'link' of a scenario file, and says on standard error how the "
        + "file was read. Without options that is how the format's own tool reads it.",
      "A list of several profiles gives one 'link' for each of them, unless a name is given.",
    ],
    positionals: [Positional(name: "file", help: "A recorded link, or - for standard input.")],
    options: [.traceFormat, .interval, .then, .clock, .answers, .payload, .profileName],
    examples: ["import trace tunnel.csv"]
  ) { (invocation) throws(Failure) in
    let file = InputFile(path: invocation.positionals[0], relativePath: invocation.positionals[0])
    let bytes = try file.read()
    let options = try importOptions(invocation)
    if InputFiles.isWholeScenario(bytes) {
      throw Failure(
        .wrongInput,
        "\(inQuotes(file.title)) is a scenario, not a recorded link: 'goldilocks export link' "
          + "writes its link for other tools.")
    }
    switch try Imported(bytes, of: file, options) {
    case .trace(let trace): try write(trace, of: file, invocation)
    case .profiles(let profiles): try write(profiles, of: file, invocation)
    }
    return .success
  }
}

private func importOptions(_ invocation: Invocation) throws(Failure) -> ImportOptions {
  var options = ImportOptions()
  options.format = invocation.value(of: .traceFormat).flatMap { TraceFormat(rawValue: $0) }
  options.interval = invocation.value(of: .interval).map { $0 == "starts" ? .starts : .ends }
  options.ending = invocation.value(of: .then).map { $0 == "repeat" ? .loops : .holds }
  options.clock = invocation.value(of: .clock).flatMap { RateSchedule.Clock(rawValue: $0) }
  options.answersInOutages = invocation.value(of: .answers).map {
    $0 == RateSchedule.answers(inOutages: true)
  }
  options.payload = try payload(invocation)
  return options
}

private func payload(_ invocation: Invocation) throws(Failure) -> LossRatio {
  let text = invocation.value(of: .payload) ?? ""
  if let share = try? Quantity.lossRatio(text.bytes), !share.isNone { return share }
  throw invocation.refusal(
    "The value \(inQuotes(text)) is invalid for \(inQuotes(Option.payload.usage)). "
      + "Please provide a percentage above 0 % and up to 100 %.")
}

private func write(
  _ trace: ImportedTrace, of file: InputFile, _ invocation: Invocation
) throws(Failure) {
  if let name = invocation.value(of: .profileName) {
    throw invocation.refusal(
      "\(file.title) is a trace (\(trace.format.rawValue)) and has no profile \(inQuotes(name)).")
  }
  let document = LinkDocument(conditions: trace.conditions, schedule: trace.schedule)
  say("read as \(trace.format.rawValue): \(trace.reading.words)", of: file, invocation.console)
  for note in trace.notes + document.notes { say("note: " + note, of: file, invocation.console) }
  try document.write(to: invocation.console)
}

func say(_ words: String, of file: InputFile, _ console: Console) {
  console.say(shown("\(file.title): \(words)") + "\n")
}

extension TraceReading {
  fileprivate var words: String {
    let sample =
      switch interval {
      case .starts: "a sample's interval starts at its time"
      case .ends: "a sample's interval ends at its time"
      case .explicit: "each sample says how long it lasts"
      }
    let end =
      switch ending {
      case .loops: "after the last comes the first"
      case .holds: "the last one holds"
      }
    let time =
      switch clock {
      case .wall: "time passes while requests wait"
      case .pausedDuringLatency: "time stands still while requests wait"
      }
    return "\(sample), \(end), \(time)\(answersInOutages ? ", answers begin in outages" : "")"
  }
}

private func write(
  _ profiles: [ImportedProfile], of file: InputFile, _ invocation: Invocation
) throws(Failure) {
  let format = TraceFormat.networkLinkConditioner.rawValue
  let names = profiles.map { inQuotes($0.name) }.joined(separator: ", ")
  say(
    "read as \(format): \(counted(Int64(profiles.count), "profile")), \(names); "
      + "zero bandwidth is no limit", of: file, invocation.console)
  let readings: [Option] = [.interval, .then, .clock, .answers, .payload]
  for option in readings where invocation.has(option) {
    say("note: \(option.spelling) says nothing about profiles", of: file, invocation.console)
  }
  let wanted = try chosen(of: profiles, invocation)
  let links = wanted.map { profile -> JSONTree in
    [
      "name": wanted.count == 1 ? nil : .string(profile.name),
      "link": LinkDocument(conditions: profile.conditions).tree,
    ]
  }
  try invocation.console.writeDocument { $0.tree(links.count == 1 ? links[0] : .array(links)) }
}

private func chosen(
  of profiles: [ImportedProfile], _ invocation: Invocation
) throws(Failure) -> [ImportedProfile] {
  guard let name = invocation.value(of: .profileName) else { return profiles }
  if let profile = profiles.first(where: { $0.name == name }) { return [profile] }
  let names = profiles.map { $0.name }
  throw invocation.refusal(
    "There is no profile \(inQuotes(name)) in the list, but \(choices(names))."
      + question(nearestWord(to: name, among: names)))
}
