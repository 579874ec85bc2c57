import ExactText
import RunReports
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

extension Verb {
  static let diff = Verb(
    name: "diff",
    overview: "Compare two traces event by event and say in words what first differs.",
    discussion: [
      "Where the players decided differently, it names the first decision at which the two runs "
        + "part, with the clause of either and what followed; decisions that differ in their "
        + "times alone are passed over. Ends with 1 if they differ.",
      "Of two folders it compares the traces of the same name.",
      "Of the recording of a field session and a trace it says request by request and stall by "
        + "stall what the run explains. Ends with 1 where stalls differ, or the start by more than "
        + "5 % and 50 ms.",
    ],
    positionals: [
      Positional(name: "first", help: "A trace, or - for standard input."),
      Positional(name: "second", help: "The trace that it is compared with."),
    ],
    options: [.format],
    examples: ["diff before.trace after.trace"]
  ) { (invocation) throws(Failure) in try invocation.diff() }
}

extension Invocation {
  fileprivate func diff() throws(Failure) -> ExitCode {
    if positionals.allSatisfy({ (try? InputFiles.isFolder($0)) == true }) {
      return try compareFolders()
    }
    let files = positionals.map { InputFile(path: $0, relativePath: $0) }
    let traces = try files.map { (file) throws(Failure) in try readTrace(file) }
    for (file, trace) in zip(files, traces) {
      try rethrowing(try checkTrace(trace)) { (error: TraceError) in
        Failure(.wrongInput, "\(file.title): \(error.text).")
      }
    }
    if let diff = try FieldDiff(traces, files) {
      try answer(diff.document, orText: diff.text)
      return diff.comparison.isExplained ? .success : .different
    }
    let parting = try TraceParting(traces[0], traces[1], files)
    try answer(parting.document, orText: parting.text)
    return parting.code
  }

  /// Compares the files of one name, and names those that stand in one folder alone.
  private func compareFolders() throws(Failure) -> ExitCode {
    let folders = try positionals.map { (path) throws(Failure) in
      try InputFiles.files(at: path, endingIn: "", called: "trace")
    }
    let output = wantsJSON ? Envelope(self) : nil
    try output?.open("files")
    var (code, same) = (ExitCode.success, 0)
    let names = Set(folders.flatMap { $0 }.map { $0.relativePath }).sorted()
    for name in names {
      let pair = folders.compactMap { $0.first { $0.relativePath == name } }
      if pair.count < 2 {
        code = .different
        try output?.add(["file": .string(name), "only": .string(pair[0].title)])
        if output == nil { try console.write("\(pair[0].title) alone\n") }
        continue
      }
      let parting = try TraceParting(try pair[0].read(), try pair[1].read(), pair)
      code = max(code, parting.code)
      if parting.code == .success { same += 1 }
      try output?.add(["file": .string(name)] + parting.document)
      if output == nil, parting.code != .success {
        try console.write("\(shown(name))\n\(parting.text)\n")
      }
    }
    try output?.closeList()
    try output?.end()
    if output == nil {
      try console.write("\(same) of \(counted(Int64(names.count), "trace")) the same\n")
    }
    return code
  }
}

/// First difference of two traces, and the first decision that differs.
struct TraceParting {
  let files: [InputFile]
  let difference: TraceDifference
  /// Nil where all decisions are the same.
  fileprivate let decision: DecisionParting?
  /// Both runs as their traces tell them, where these can be read.
  private let runs: [ReportedRun]
  private let settled: SettledStall?

  init(
    _ first: [UInt8], _ second: [UInt8], _ files: [InputFile], ofDeeds: Bool = false
  ) throws(Failure) {
    self.files = files
    do throws(TraceError) {
      difference = try compareTraces(first, second, ofDeeds: ofDeeds)
      if case .first = difference {
        decision = try compareDecisions(first, second, ofDeeds: ofDeeds)
      } else {
        decision = nil
      }
    } catch {
      throw Failure(.wrongInput, "\(choices(files.map { $0.title })): \(error.text).")
    }
    let both = decision == nil ? [] : [(first, files[0]), (second, files[1])]
    let read = both.compactMap { try? report(on: $0.0, file: $0.1.title) }
    runs = read.count == 2 ? read : []
    settled = runs.isEmpty ? nil : SettledStall(runs)
  }

  private func state(_ run: Int, at decision: TracedDecision) -> DecisionState? {
    // A log tells of some decisions, and not of what was known then.
    if runs.isEmpty || decision.player != nil || !runs[run].outcome.gaps.isEmpty { return nil }
    return DecisionState(of: runs[run], at: decision.instant)
  }

  var code: ExitCode {
    if case .none = difference { return .success }
    return .different
  }

  var text: String {
    switch difference {
    case .none(let lines, let isSpeltAlike):
      return "The traces tell the same: \(counted(Int64(lines), "line")).\n"
        + (isSpeltAlike ? "" : "They differ in white space or in how a value is written.\n")
    case .digestAlone(let line):
      return "\(files[0].title):\(line) and \(files[1].title):\(line): the traces tell the same, "
        + "and only their digests differ: one of them is not its trace's own.\n"
    case .first(let words, let lineA, let lineB):
      return "\(files[0].title):\(lineA) and \(files[1].title):\(lineB): \(shown(words))\n"
        + (decision.map { text(of: $0) } ?? "")
    }
  }

  /// The decision at which two runs part, with what followed in either.
  private func text(of parting: DecisionParting) -> String {
    var text = ""
    if let earlier = parting.earlier {
      text +=
        "\nDecisions differ in their times alone from \(earlier.first.time) s and "
        + "\(earlier.second.time) s on: \(shown(earlier.first.words))\n"
    }
    text +=
      parting.isInTimeOnly
      ? "\nThe first decision that differs, in its time alone:\n"
      : "\nThe first decision at which they part:\n"
    for (run, decision) in [parting.first, parting.second].enumerated() {
      let file = files[run]
      guard let decision else {
        text += "  \(file.title): nothing more is decided\n"
        continue
      }
      let state = state(run, at: decision).map { ", " + $0.words } ?? ""
      text += "  \(file.title):\(decision.line): \(shown(decision.words))\(state)\n"
      if !decision.consequence.isEmpty { text += "    then \(shown(decision.consequence))\n" }
    }
    guard let settled else { return text }
    text +=
      "\nThe first stall that only one of them has is at "
      + "\(exactSeconds(settled.stall.start)) in \(files[settled.run].title), "
      + "\(exactSeconds(settled.stall.place)) into the media; its decisions:\n"
    for (file, choice) in zip(files, settled.choices) {
      text += "  \(file.title): \(choice.map { shown($0.words) } ?? "never asked for it")\n"
    }
    return text
  }

  var document: JSONTree {
    switch difference {
    case .none(let lines, _): ["same": true, "lines": .whole(lines)] + decisions
    case .digestAlone(let line): document("only the digests differ", line, line) + decisions
    case .first(let words, let lineA, let lineB): document(words, lineA, lineB) + decisions
    }
  }

  private func document(_ words: String, _ first: Int, _ second: Int) -> JSONTree {
    [
      "same": false, "difference": .string(words),
      "first": ["file": .string(files[0].title), "line": .whole(first)],
      "second": ["file": .string(files[1].title), "line": .whole(second)],
    ]
  }

  /// The decision at which two runs part, null where one of them decides nothing more.
  private var decisions: JSONTree {
    guard let decision else { return [:] }
    func document(_ decision: TracedDecision?, _ run: Int) -> JSONTree {
      guard let decision else { return .null }
      return [
        "file": .string(files[run].title), "line": .whole(decision.line),
        "event": .string(decision.event), "clause": .string(decision.clause),
        "recorded": .string(decision.text), "then": .string(decision.consequence),
      ] + (state(run, at: decision)?.document ?? [:])
    }
    let parted: JSONTree = [
      "decision": ["first": document(decision.first, 0), "second": document(decision.second, 1)]
    ]
    guard let settled else { return parted }
    return parted + [
      "settledStall": [
        "file": .string(files[settled.run].title),
        "startSeconds": .seconds(settled.stall.start.nanoseconds),
        "mediaSeconds": .seconds(settled.stall.place.nanoseconds),
        "choices": .list(settled.choices) { choice in
          choice.map {
            ["seconds": .seconds($0.instant.nanoseconds), "words": .string($0.words)]
              + $0.state.document
          } ?? .null
        },
      ]
    ]
  }
}

extension DecisionState {
  fileprivate var document: JSONTree {
    ["aheadSeconds": .seconds(ahead.nanoseconds), "estimate": .whole(estimate)]
  }
}
