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
          try output.add(["file": .string(file.title)] + verdict.document)
        } else {
          try console.write(words(of: verdict, on: file.title, console.style))
        }
        if case .diverged = verdict { worst = max(worst, .different) }
      case .failure(let failure):
        try output?.add(.unreadable(file.title, "same", failure))
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
  let bytes = try readTrace(file)
  do throws(ReplayError) {
    return try replay(bytes, file: file.title)
  } catch {
    throw Failure(error, in: file.title)
  }
}

func readTrace(_ file: InputFile) throws(Failure) -> [UInt8] {
  let bytes = try file.read()
  if InputFiles.isWholeScenario(bytes) {
    throw Failure(
      .wrongInput,
      "\(inQuotes(file.title)) is a scenario, not a trace: 'goldilocks run' plays it, and its "
        + "'--trace' writes one.")
  }
  return bytes
}

extension Failure {
  /// A trace that cannot be read or run again.
  init(_ error: ReplayError, in title: String) {
    switch error {
    case .trace(let error): self.init(.wrongInput, "\(title): \(error.text).")
    case .scenario(let error): self.init(wrongInput: error.diagnostics, in: title)
    case .heuristic(let message): self.init(.wrongInput, "\(title): \(message).")
    case .run(let error): self.init(.wrongInput, "\(title): \(error.description).")
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

extension ReplayVerdict {
  fileprivate var document: JSONTree {
    switch self {
    case .same(let digest, let lines, _):
      ["same": true, "lines": .whole(lines), "digest": .string(digest)]
    case .diverged(let line, let recorded, let replayed, _):
      [
        "same": false, "line": .whole(line), "recorded": .text(recorded),
        "replayed": .text(replayed),
      ]
    }
  }
}

/// A note with the version that recorded the trace, if it is not this version.
private func remark(_ tool: String) -> String {
  tool == Tool.version
    ? "" : ", recorded by version \(shown(tool)) and replayed by \(Tool.version)"
}
