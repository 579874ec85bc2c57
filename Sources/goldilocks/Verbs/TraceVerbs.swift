import ExactText
import LinkConditioner
import RunReports
import ScenarioFormat
import ScenarioRunner

extension Verb {
  static let replay = Verb(
    name: "replay",
    overview: "Run traces again from their own headers and report the first line that differs.",
    discussion: ["Ends with 1 if any trace came out differently."],
    positionals: [
      Positional(name: "trace", help: "A trace, or - for standard input.", count: 1...Int.max)
    ],
    options: [.format, .jobs],
    examples: ["replay start.trace"]
  ) { (invocation) throws(Failure) in try replayAll(invocation) }

  static let diff = Verb(
    name: "diff",
    overview: "Compare two traces event by event and say in words what first differs.",
    discussion: [
      "Where the players decided differently, it names the first decision at which the two runs "
        + "part, with the clause of either and what followed. Ends with 1 if they differ."
    ],
    positionals: [
      Positional(name: "first", help: "A trace, or - for standard input."),
      Positional(name: "second", help: "The trace that it is compared with."),
    ],
    options: [.format],
    examples: ["diff before.trace after.trace"]
  ) { (invocation) throws(Failure) in try difference(invocation) }
}

// MARK: - Replay

private func replayAll(_ invocation: Invocation) throws(Failure) -> ExitCode {
  let files = invocation.positionals.map { InputFile(path: $0, relativePath: $0) }
  let console = invocation.console
  let output = invocation.wantsJSON ? Envelope(invocation) : nil
  try output?.open("traces")
  var worst = ExitCode.success
  try WorkCrew<Result<ReplayVerdict, Failure>>.run(
    count: files.count, hands: try invocation.jobCount(),
    work: { index in attempt { () throws(Failure) in try verdict(on: files[index]) } },
    receive: { (index, result) throws(Failure) in
      let file = files[index]
      switch result {
      case .success(let verdict):
        if let output {
          try output.add { $0.replayed(file.title, verdict) }
        } else {
          try console.write(words(of: verdict, on: file.title, console.style))
        }
        if case .diverged = verdict { worst = max(worst, .different) }
      case .failure(let failure):
        try output?.add { $0.unreadable(file.title, "same", failure) }
        try console.flush()
        console.say(failure)
        worst = max(worst, failure.code)
      }
      console.progress(index + 1, of: files.count)
    })
  console.clearProgress()
  try output?.closeList()
  try output?.end()
  return worst
}

private func verdict(on file: InputFile) throws(Failure) -> ReplayVerdict {
  let bytes = try file.read()
  let title = file.title
  if InputFiles.isWholeScenario(bytes) {
    throw Failure(
      .wrongInput,
      "\(inQuotes(title)) is a scenario, not a trace: 'goldilocks run' plays it, and its '--trace' "
        + "writes one.")
  }
  do throws(ReplayError) {
    return try replay(bytes, file: title)
  } catch {
    switch error {
    case .trace(let error): throw Failure(.wrongInput, "\(title): \(error.text).")
    case .scenario(let error): throw Failure(wrongInput: error.diagnostics, in: title)
    case .heuristic(let message): throw Failure(.wrongInput, "\(title): \(message).")
    case .run(let error): throw Failure(.wrongInput, "\(title): \(error.description).")
    }
  }
}

private func words(of verdict: ReplayVerdict, on title: String, _ style: TextStyle) -> String {
  switch verdict {
  case .same(let digest, let lines, let tool):
    return title + ": " + style.paint("replayed exactly", .good)
      + ", \(counted(Int64(lines), "line")), digest \(shortDigest(digest))\(remark(tool))\n"
  case .diverged(let line, let recorded, let replayed, let tool):
    return title + ":\(line): " + style.paint("diverged", .bad) + "\(remark(tool))\n"
      + "  recorded  " + shown(recorded ?? "nothing more") + "\n"
      + "  replayed  " + shown(replayed ?? "nothing more") + "\n"
  }
}

extension JSONWriter {
  fileprivate mutating func replayed(_ file: String, _ verdict: ReplayVerdict) {
    beginObject()
    key("file")
    string(file)
    key("same")
    switch verdict {
    case .same(let digest, let lines, _):
      boolean(true)
      key("lines")
      integer(Int64(lines))
      key("digest")
      string(digest)
    case .diverged(let line, let recorded, let replayed, _):
      boolean(false)
      key("line")
      integer(Int64(line))
      for (name, text) in [("recorded", recorded), ("replayed", replayed)] {
        key(name)
        if let text { string(text) } else { null() }
      }
    }
    endObject()
  }

  fileprivate mutating func difference(_ difference: TraceDifference, of files: [InputFile]) {
    key("same")
    switch difference {
    case .none(let lines, _):
      boolean(true)
      key("lines")
      integer(Int64(lines))
    case .digestAlone(let line):
      self.difference("only the digests differ", of: files, lines: (line, line))
    case .first(let words, let lineA, let lineB):
      self.difference(words, of: files, lines: (lineA, lineB))
    }
  }

  /// The decision at which two runs part, null where one of them decides nothing more.
  fileprivate mutating func parting(_ parting: DecisionParting, of files: [InputFile]) {
    key("decision")
    beginObject()
    for (name, file, decision) in [
      ("first", files[0], parting.first), ("second", files[1], parting.second),
    ] {
      key(name)
      guard let decision else {
        null()
        continue
      }
      beginObject()
      key("file")
      string(file.title)
      key("line")
      integer(Int64(decision.line))
      for (name, text) in [
        ("event", decision.event), ("clause", decision.clause), ("recorded", decision.text),
        ("then", decision.consequence),
      ] {
        key(name)
        string(text)
      }
      endObject()
    }
    endObject()
  }

  private mutating func difference(
    _ words: String, of files: [InputFile], lines: (first: Int, second: Int)
  ) {
    boolean(false)
    key("difference")
    string(words)
    for (name, file, line) in [
      ("first", files[0], lines.first), ("second", files[1], lines.second),
    ] {
      key(name)
      beginObject()
      key("file")
      string(file.title)
      key("line")
      integer(Int64(line))
      endObject()
    }
  }
}

/// Which version recorded it, where that is not this one.
private func remark(_ tool: String) -> String {
  tool == Tool.version
    ? "" : ", recorded by version \(shown(tool)) and replayed by \(Tool.version)"
}

// MARK: - Diff

private func difference(_ invocation: Invocation) throws(Failure) -> ExitCode {
  let files = invocation.positionals.map { InputFile(path: $0, relativePath: $0) }
  return try invocation.tellDifference(try files[0].read(), try files[1].read(), files)
}

extension Invocation {
  /// Says where two traces part.
  func tellDifference(
    _ first: [UInt8], _ second: [UInt8], _ files: [InputFile]
  ) throws(Failure) -> ExitCode {
    try difference(self, first, second, files)
  }
}

private func difference(
  _ invocation: Invocation, _ first: [UInt8], _ second: [UInt8], _ files: [InputFile]
) throws(Failure) -> ExitCode {
  let result: TraceDifference
  var parting: DecisionParting?
  do throws(TraceError) {
    result = try compareTraces(first, second)
    if case .first = result { parting = try compareDecisions(first, second) }
  } catch {
    let which = isTrace(first) ? files[1].title : files[0].title
    throw Failure(.wrongInput, "\(which): \(error.text).")
  }
  if invocation.wantsJSON {
    try invocation.answer { writer in
      writer.difference(result, of: files)
      if let parting { writer.parting(parting, of: files) }
    }
  }
  switch result {
  case .none where invocation.wantsJSON: return .success
  case .first where invocation.wantsJSON, .digestAlone where invocation.wantsJSON:
    return .different
  case .none(let lines, let isSpeltAlike):
    try invocation.console.write(
      "The traces tell the same: \(counted(Int64(lines), "line")).\n"
        + (isSpeltAlike ? "" : "They differ in white space or in how a value is written.\n"))
    return .success
  case .digestAlone(let line):
    try invocation.console.write(
      "\(files[0].title):\(line) and \(files[1].title):\(line): the traces tell the same, and only "
        + "their digests differ: one of them is not its trace's own.\n")
    return .different
  case .first(let words, let lineA, let lineB):
    try invocation.console.write(
      "\(files[0].title):\(lineA) and \(files[1].title):\(lineB): \(shown(words))\n")
    if let parting { try invocation.console.write(text(of: parting, files)) }
    return .different
  }
}

/// The decision at which two runs part, with what followed in either.
private func text(of parting: DecisionParting, _ files: [InputFile]) -> String {
  var text =
    parting.isInTimeOnly
    ? "\nThe first decision that differs, in its time alone:\n"
    : "\nThe first decision at which they part:\n"
  for (file, decision) in [(files[0], parting.first), (files[1], parting.second)] {
    guard let decision else {
      text += "  \(file.title): nothing more is decided\n"
      continue
    }
    text += "  \(file.title):\(decision.line): \(shown(decision.words))\n"
    if !decision.consequence.isEmpty { text += "    then \(shown(decision.consequence))\n" }
  }
  return text
}

/// Whether a text is a trace from its first line to its last.
private func isTrace(_ bytes: [UInt8]) -> Bool {
  (try? compareTraces(bytes, bytes)) != nil
}
