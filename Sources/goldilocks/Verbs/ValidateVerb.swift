import RunReports
import ScenarioRunner

extension Verb {
  static let validate = Verb(
    name: "validate",
    overview: "Read scenarios without running them and report every mistake.",
    positionals: [.scenarios],
    options: [.format, .jobs]
  ) { (invocation) throws(Failure) in
    let console = invocation.console
    var work = try ScenarioWork(invocation)
    let output = JSONList(console, isSingle: false)
    if invocation.wantsJSON { try output.begin() }
    try work.forEach(
      work: { file in
        attempt { () throws(Failure) in try LoadedScenario(file).scenario.name }
      },
      receive: { (file, result) throws(Failure) in
        if invocation.wantsJSON {
          try output.add { $0.validity(of: file.title, result) }
        } else if case .success = result {
          try console.write(file.title + ": valid\n")
        }
        guard case .failure(let failure) = result else { return .success }
        try console.flush()
        console.say(failure.text)
        return failure.code
      })
    if invocation.wantsJSON { try output.end() }
    return work.code
  }
}

extension JSONWriter {
  fileprivate mutating func validity(of file: String, _ result: Result<String, Failure>) {
    beginObject()
    key("file")
    string(file)
    key("valid")
    switch result {
    case .success(let name):
      boolean(true)
      key("scenario")
      string(name)
    case .failure(let failure):
      boolean(false)
      key("error")
      string(failure.message ?? "")
      key("diagnostics")
      diagnostics(failure.diagnostics)
    }
    endObject()
  }
}
