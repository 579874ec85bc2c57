import ExactText
import RunReports
import ScenarioRunner

extension Verb {
  static let test = Verb(
    name: "test",
    overview: "Run scenarios and say which of their expectations failed.",
    discussion: [
      "A line for each scenario; for each expectation that did not come true its place in the "
        + "file, what was expected, what was so, and the trace around it. Ends with 1 if any "
        + "failed."
    ],
    positionals: [.scenarios],
    options: [.format, .allowPath, .jobs]
  ) { (invocation) throws(Failure) in try TestVerb(invocation: invocation).perform() }
}

private struct TestVerb {
  let invocation: Invocation

  private var console: Console { invocation.console }

  func perform() throws(Failure) -> ExitCode {
    var work = try ScenarioWork(invocation)
    var tally = TestTally()
    tally.unreadable = Int64(work.missing.count)
    let output = invocation.wantsJSON ? Envelope(invocation) : nil
    try output?.open("scenarios")
    for (path, failure) in work.missing {
      try output?.add { $0.unreadable(path, "passed", failure) }
    }
    try work.forEach(
      work: { file in
        attempt { () throws(Failure) in
          let loaded = try LoadedScenario(file)
          let outcome = try loaded.runForExpectations()
          return TestReport(loaded.scenario, outcome, file: file.title)
        }
      },
      receive: { (file, result) throws(Failure) in
        try show(result, of: file, output)
        switch result {
        case .failure(let failure):
          tally.unreadable += 1
          return failure.code
        case .success(let report):
          if report.passed { tally.passed += 1 } else { tally.failed += 1 }
          return report.passed ? .success : .different
        }
      })
    try close(tally, output)
    return work.code
  }

  private func show(
    _ result: Result<TestReport, Failure>, of file: InputFile, _ output: Envelope?
  ) throws(Failure) {
    let style = console.style
    switch result {
    case .success(let report):
      if let output { return try output.add { $0.test(report) } }
      try console.write(report.text(style: style, symbols: console.isOutputTerminal))
    case .failure(let failure):
      if let output {
        try output.add { $0.unreadable(file.title, "passed", failure) }
      } else {
        let mark = TestReport.mark(false, style, console.isOutputTerminal)
        try console.write(mark + file.title + " could not be run\n")
      }
      try console.flush()
      console.say(failure.text)
    }
  }

  private func close(_ tally: TestTally, _ output: Envelope?) throws(Failure) {
    guard let output else { return try console.write(tally.text(style: console.style)) }
    try output.closeList()
    try output.add { writer in
      writer.key("passed")
      writer.integer(tally.passed)
      writer.key("failed")
      writer.integer(tally.failed)
      writer.key("unreadable")
      writer.integer(tally.unreadable)
    }
    try output.end()
  }
}
