import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner

extension Verb {
  static let replay = Verb(
    name: "replay",
    overview: "Run traces again from their own headers and report the first line that differs.",
    discussion: ["Ends with 1 if any trace came out differently."],
    positionals: [.traces],
    options: [.format, .jobs],
    examples: ["replay start.trace"]
  ) { (invocation) throws(Failure) in try replayAll(invocation) }
}

private func replayAll(_ invocation: Invocation) throws(Failure) -> ExitCode {
  let console = invocation.console
  let output = invocation.wantsJSON ? Envelope(invocation) : nil
  var work = try ScenarioWork(invocation)
  try work.answer(
    to: output, list: "traces", verdict: "same",
    work: { (file) throws(Failure) in
      let bytes = try readTrace(file)
      return try rethrowing(try replay(bytes, file: file.title, beat: file.beat)) {
        (error: ReplayError) in Failure(error, in: file.title)
      }
    },
    receive: { (file, verdict) throws(Failure) in
      if let output {
        try output.add(["file": .string(file.title)] + verdict.document)
      } else {
        try console.write(words(of: verdict, on: file.title, console.style))
      }
      if case .diverged = verdict { return .different }
      return .success
    })
  return work.code
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
