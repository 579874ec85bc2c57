import ExactText
import HeuristicComparison
import ScenarioFormat
import ScenarioRunner

extension Option {
  static let keep = Option(
    name: "keep", valueName: "finding",
    help: "The finding to keep: the path of a failing expectation such as expect[1], an "
      + "expectation in JSON, 'warning', 'warning: words', 'error', 'inconsistency' of the run "
      + "with its trace, or 'difference' between two '--policies'. (default: the first "
      + "expectation that fails)")
  static let twoPolicies = Option(
    name: "policies", valueName: "policies",
    help: "The two policies of '--keep difference', separated by a comma.")
}

extension Verb {
  static let minimize = Verb(
    name: "minimize",
    overview: "Make a scenario as small as possible while it still fails for the same reason.",
    discussion: [
      "Leaves out steps, list elements and keys, replaces the link's schedule by a constant rate "
        + "and rounds numbers. Each smaller scenario is run; it counts where the finding has the "
        + "same reason: the same property on the same side of its bound, the same warning "
        + "apart from its numbers, the same error, or the same kind of first decision, and the "
        + "same outcome of playback. In the result no single key or list element can be left out.",
      "The result is the same on every run. Ctrl-C ends the search with the smallest scenario so "
        + "far.",
    ],
    positionals: [.scenario],
    options: [.keep, .twoPolicies, .format, .set, .allowPath, .allowCommands, .answerTime],
    examples: [
      "minimize incident.json", "minimize incident.json --keep '{\"stallCount\": 0}'",
      "minimize start.json --keep difference --policies own,BOLA",
    ]
  ) { (invocation) throws(Failure) in try smallest(invocation) }
}

private func smallest(_ invocation: Invocation) throws(Failure) -> ExitCode {
  var file = try invocation.scenarioFile()
  let finding = try finding(invocation, in: &file)
  _ = try LoadedScenario(file)
  guard let text = try? file.edited(try file.read()) else { return .wrongInput }
  let (console, wasInterrupted) = (invocation.console, listenForInterruption())
  guard var search = file.minimizer(text, finding, console, wasInterrupted) else {
    let wanted = invocation.value(of: .keep).map(inQuotes) ?? "an expectation that fails"
    throw Failure(.wrongInput, "\(file.title): nothing to keep: the run does not show \(wanted).")
  }
  let before = search.document.text.count
  search.search()
  console.progress.clear()
  let after = search.document.text.count
  if invocation.wantsJSON {
    try invocation.answer {
      $0.members([
        "file": .string(file.title), "kept": .string(search.reason),
        "isComplete": .boolean(!wasInterrupted()), "runs": .whole(search.runCount),
        "bytesBefore": .whole(before), "bytesAfter": .whole(after), "document": search.document,
      ])
    }
    return .success
  }
  try console.writeDocument { $0.tree(search.document) }
  try console.flush()
  let words =
    "\(wasInterrupted() ? "interrupted: " : "")\(before) → \(after) bytes "
    + "(−\(100 - 100 * after / before) %), \(counted(search.runCount, "run")); "
    + "kept: \(search.reason)"
  console.say(shown("\(file.title): \(words)") + "\n")
  return .success
}

extension InputFile {
  func minimizer(
    _ text: [UInt8], _ finding: KeptFinding, _ console: Console? = nil,
    _ wasInterrupted: @escaping () -> Bool = { false }
  ) -> Minimizer? {
    let references = References(of: self)
    return Minimizer(
      text, keeping: finding, policies: policies,
      read: { try? readScenario($0, file: title) { references.read($0) } },
      goesOn: { bytes in
        console?.progress.tell(text.count - bytes, of: text.count)
        return !wasInterrupted()
      })
  }
}

/// Reads the finding to keep; an expectation in JSON becomes the last of the file.
func finding(_ invocation: Invocation, in file: inout InputFile) throws(Failure) -> KeptFinding {
  let text = invocation.value(of: .keep) ?? ""
  if (text == "difference") != invocation.has(.policies) {
    throw invocation.refusal("'--keep difference' requires '--policies', and only it.")
  }
  switch text {
  case "": return .expectation(nil)
  case "error": return .error
  case "inconsistency": return .inconsistency
  case "warning": return .warning("")
  case "difference":
    let policies = try invocation.namedPolicies()
    if policies.count == 2 { return .difference(policies[0].edits, policies[1].edits) }
    throw Failure(
      usage: invocation.verb, .policies, invocation.value(of: .policies) ?? "",
      "a difference is one between two policies")
  case _ where text.hasPrefix("warning: "): return .warning(String(text.dropFirst(9)))
  case _ where text.hasPrefix("{"):
    guard case .object? = JSONEdit.value(of: text) else {
      throw Failure(usage: invocation.verb, .keep, text, "it is no valid JSON")
    }
    let path = "expect[\(try LoadedScenario(file).scenario.expectations.count)]"
    file.edits.append(JSONEdit(plain: path, JSONEdit.value(of: text)))
    return .expectation(DocumentPath(path))
  case _:
    if let path = DocumentPath(text), path.steps.contains(.key("expect")) {
      if try LoadedScenario(file).scenario.document[path] != nil { return .expectation(path) }
      throw Failure(.wrongInput, "\(file.title): there is no \(inQuotes(text)).")
    }
    throw Failure(
      usage: invocation.verb, .keep, text,
      "it is neither a path nor an expectation in JSON, and none of 'warning', 'error', "
        + "'inconsistency' and 'difference'; a path leads to an expectation, such as expect[0]")
  }
}
