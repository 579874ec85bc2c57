import ExactText
import HeuristicComparison
import ScenarioFormat
import ScenarioRunner
import VirtualTime

extension Positional {
  static let scenarios = Positional(
    name: "path",
    help: "A scenario file, a folder of them, or - for standard input.", count: 1...Int.max)
  static let scenario = Positional(
    name: "scenario", help: "A scenario file, or - for standard input.")
  static let traces = Positional(
    name: "trace", help: "A trace, a folder of them, or - for standard input.", count: 1...Int.max)
}

extension Option {
  static func formats(_ words: String..., help: String = "Format of the results.") -> Option {
    Option(name: "format", valueName: "format", help: help, values: words, fallback: "text")
  }

  static let format = formats("text", "json")
  static let jobs = Option(
    name: "jobs", valueName: "count",
    help: "Number of scenarios that run in parallel. (default: one for each processor)")
  static let heuristic = Option(
    name: "heuristic", valueName: "heuristic",
    help: "Replace the scenario's heuristic; see 'goldilocks heuristics'.")

  static let quiet = Option(name: "quiet", help: "Print only problems.")
  static let set = Option(
    name: "set", valueName: "path=value",
    help: "Set the key at a path in every scenario, such as seed=7; without a "
      + "value, remove the key; may be repeated.")
  static let allowPath = Option(
    name: "allow-path", valueName: "folder",
    help: "A folder whose files a scenario may name, beside its own folder, the one that was "
      + "named and the working folder; may be repeated.")

  static let allowCommands = Option(
    name: "allow-commands",
    help: "Start the commands that scenarios name as policies; they run with your rights.")
  static let answerTime = Option(
    name: "answer-time", valueName: "seconds",
    help: "Longest time of such a command for an answer; a run ends where it takes longer.",
    fallback: "10")
}

extension JSONEdit {
  /// Whether a later edit takes its place; once an element is removed a path may lead elsewhere.
  func isReplaced(by later: some Collection<JSONEdit>) -> Bool {
    let kept = later.prefix { edit in
      if edit.value == nil, case .index? = edit.path.steps.last { false } else { true }
    }
    return value != nil && kept.contains { path.steps.starts(with: $0.path.steps) }
  }
}

extension InputFile {
  /// The same file, which may name what lies in the folders that the command line allows, and
  /// commands if it allows those.
  func allowed(by invocation: Invocation) throws(Failure) -> InputFile {
    var file = self
    file.furtherFolders += invocation.values(of: .allowPath)
    file.edits = try invocation.edits()
    let patience = try invocation.number(of: .answerTime, in: 1...86_400)
    let progress = invocation.console.progress
    file.beat = { now, horizon in progress.tell(of: now, before: horizon) }
    if invocation.has(.allowCommands) { file.commandPatience = Int64(patience) }
    return file
  }

  /// Source of the scenario's policies that are commands.
  var policies: PolicySource {
    guard let commandPatience else { return .none }
    // Standard input lies nowhere: its commands work in the working folder.
    let place = isStandardInput || folder.isEmpty ? "." : folder
    return .opened { (command) throws(PolicyFailure) in
      let folder = try rethrowing(try resolvedPath(place)) { (error: SystemError) in
        PolicyFailure(.broken, "cannot be started: \(error.words)")
      }
      return try PolicyProcess.port(command, in: folder, patience: commandPatience * 1_000_000_000)
    }
  }
}

extension Invocation {
  func edits() throws(Failure) -> [JSONEdit] {
    try values(of: .set).map { (text) throws(Failure) in
      try rethrowing(try JSONEdit(text).asKeysTakeIt()) { (error: JSONEdit.Failure) in
        Failure(usage: verb, .set, text, error.message)
      }
    }
  }

  func namedPolicies() throws(Failure) -> [Contestant] {
    let policies = try words(of: .policies).map { (name) throws(Failure) in
      if let policies = Contestant.named(name) { return policies }
      throw Failure(
        usage: verb, .policies, name,
        "there is no such policy.\(Contestant.question(name)) 'goldilocks heuristics' lists them")
    }.flatMap { $0 }
    try StudyWords(verb: verb).checkApart(
      policies.map { ($0.name, $0.name) }, "policy", under: "policies", .policies)
    let idle = try edits().first { edit in policies.allSatisfy { edit.isReplaced(by: $0.edits) } }
    if let idle, !policies.isEmpty {
      throw refusal("\(inQuotes(idle.text)) has no effect: every policy that is named replaces it.")
    }
    return policies
  }

  func scenarioFile() throws(Failure) -> InputFile {
    try InputFile(path: positionals[0], relativePath: positionals[0]).allowed(by: self)
  }

  func values(of option: Option) -> [String] {
    options.filter { $0.name == option.name }.map { $0.value }
  }

  /// The parts of every value of an option, which commas part.
  func words(of option: Option) -> [String] { values(of: option).flatMap { JSONEdit.split($0) } }

  var wantsJSON: Bool { value(of: .format) == "json" }

  func jobCount() throws(Failure) -> Int {
    value(of: .jobs) == nil ? processorCount() : try number(of: .jobs, in: 1...1_024)
  }

  func number(of option: Option, in range: ClosedRange<Int>) throws(Failure) -> Int {
    let text = value(of: option) ?? ""
    if let number = Int(text), range.contains(number) { return number }
    throw refusal(
      "The value \(inQuotes(text)) is invalid for \(inQuotes(option.usage)). "
        + "Please provide a number from \(range.lowerBound) to \(range.upperBound).")
  }

  func spans(of option: Option) throws(Failure) -> [TimeSpan] {
    try values(of: option).map { (text) throws(Failure) in
      try rethrowing(try Quantity.timeSpan(text.bytes)) { (error: QuantityProblem) in
        Failure(usage: verb, option, text, error.text)
      }
    }
  }

  /// The span of an option that must be above zero; nil where it was not written.
  func span(of option: Option) throws(Failure) -> TimeSpan? {
    let span = try spans(of: option).last
    if let span, span <= .zero {
      throw Failure(usage: verb, option, value(of: option) ?? "", "it must be above zero")
    }
    return span
  }
}
