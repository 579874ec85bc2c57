import ExactText
import HeuristicComparison
import PlayerPolicies
import RunReports
import ScenarioFormat
import ScenarioRunner

extension Option {
  fileprivate static let keep = Option(
    name: "keep", valueName: "finding",
    help: "The finding to keep: the path of a failing expectation such as expect[1], an "
      + "expectation in JSON, 'warning', 'warning: words', 'error', or 'difference' between two "
      + "'--policies'. (default: the first expectation that fails)")
}

extension Verb {
  static let minimize = Verb(
    name: "minimize",
    overview: "Make a scenario as small as possible while it still fails for the same reason.",
    discussion: [
      "Leaves out steps, list elements and keys, replaces the link's schedule by a constant rate "
        + "and rounds numbers. Each smaller scenario is run; it counts where the finding has the "
        + "same reason: the same property on the same side of its bound, the same warning or "
        + "error apart from its numbers, or the same kind of first decision, and the same outcome "
        + "of playback. In the result no single key or list element can be left out.",
      "The result is the same on every run. Ctrl-C ends the search with the smallest scenario so "
        + "far.",
    ],
    positionals: [
      Positional(name: "scenario", help: "A scenario file, or - for standard input.")
    ],
    options: [.keep, .policies, .format, .set, .allowPath, .allowCommands, .answerTime],
    examples: [
      "minimize incident.json", "minimize incident.json --keep '{\"stallCount\": 0}'",
      "minimize incident.json --keep difference --policies avfoundation,BOLA",
    ]
  ) { (invocation) throws(Failure) in try MinimizeVerb(invocation).perform() }
}

private struct MinimizeVerb {
  let invocation: Invocation
  private var file: InputFile
  private let finding: KeptFinding
  private let words: String

  init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    let path = invocation.positionals[0]
    file = try InputFile(path: path, relativePath: path).allowed(by: invocation)
    let text = invocation.value(of: .keep) ?? ""
    words = text.isEmpty ? "an expectation that fails" : inQuotes(text)
    let isDifference = text == "difference"
    if isDifference != invocation.has(.policies) {
      throw Failure(
        usage: .verb(invocation.verb), "'--keep difference' requires '--policies', and only it.")
    }
    switch text {
    case "": finding = .expectation(nil)
    case "error": finding = .error
    case "warning": finding = .warning("")
    case "difference":
      let policies = try invocation.namedPolicies()
      guard policies.count == 2 else {
        throw Failure(
          usage: invocation.verb, .policies, invocation.value(of: .policies) ?? "",
          "a difference is one between two policies")
      }
      finding = .difference(policies[0].edits, policies[1].edits)
    case _ where text.hasPrefix("warning: "): finding = .warning(String(text.dropFirst(9)))
    case _ where text.hasPrefix("{"):
      let path = "expect[\(try LoadedScenario(file).scenario.expectations.count)]"
      guard case .object? = JSONEdit.value(of: text) else {
        throw Failure(usage: invocation.verb, .keep, text, "it is no valid JSON")
      }
      file.edits.append(JSONEdit(plain: path, JSONEdit.value(of: text)))
      finding = .expectation(DocumentPath(path))
    default:
      guard let path = DocumentPath(text) else {
        throw Failure(
          usage: invocation.verb, .keep, text, "it is neither a path nor an expectation in JSON")
      }
      finding = .expectation(path)
    }
  }

  func perform() throws(Failure) -> ExitCode {
    let (file, console) = (file, invocation.console)
    _ = try LoadedScenario(file)
    guard let text = try? file.edited(try file.read()) else { return .wrongInput }
    let references = References(of: file)
    let interruption = Interruption.shared
    let search = Minimizer(
      text, keeping: finding, policies: file.policies,
      read: { try? readScenario($0, file: file.title) { references.read($0) } },
      goesOn: { bytes in
        console.progress(text.count - bytes, of: text.count)
        return !interruption.isAsked
      })
    guard var search else {
      throw Failure(.wrongInput, "\(file.title): nothing to keep: the run does not show \(words).")
    }
    let bytes = search.document.text.count
    search.search()
    console.clearProgress()
    if interruption.isAsked {
      console.say("note: interrupted: this is the smallest scenario so far\n")
    }
    return try write(search, of: bytes)
  }

  private func write(_ search: Minimizer, of bytes: Int) throws(Failure) -> ExitCode {
    let left = search.document.text.count
    if invocation.wantsJSON {
      try invocation.answer {
        $0.members([
          "file": .string(file.title), "kept": .string(search.reason),
          "isComplete": .boolean(!Interruption.shared.isAsked), "runs": .whole(search.runCount),
          "bytesBefore": .whole(bytes), "bytesAfter": .whole(left), "document": search.document,
        ])
      }
      return .success
    }
    try invocation.console.writeDocument { $0.tree(search.document) }
    try invocation.console.flush()
    let words =
      "\(bytes) → \(left) bytes (−\(100 - 100 * left / bytes) %), "
      + "\(counted(search.runCount, "run")); kept: \(search.reason)"
    invocation.console.say(shown("\(file.title): \(words)") + "\n")
    return .success
  }
}

extension Invocation {
  /// Policies by their names, each with the edits that choose it.
  func namedPolicies() throws(Failure) -> [(name: String, edits: [JSONEdit])] {
    var policies: [(name: String, edits: [JSONEdit])] = []
    for name in values(of: .policies).flatMap({ JSONEdit.split($0) }) {
      let isOwn = name == Contestant.ownName
      guard isOwn || PolicyPreset.named(name) != nil else {
        let meant = nearestName(to: name, among: PolicyPreset.all.map { $0.name })
        throw Failure(
          usage: verb, .policies, name,
          "there is no such policy.\(question(meant)) 'goldilocks heuristics' lists them")
      }
      policies.append((name, isOwn ? [] : JSONEdit.policy(.string(name))))
    }
    return policies
  }
}
