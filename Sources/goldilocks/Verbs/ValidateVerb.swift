import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner

extension Verb {
  static let validate = Verb(
    name: "validate",
    overview: "Read scenarios without running them and report every mistake.",
    positionals: [.scenarios],
    options: [.format, .allowPath, .jobs],
    examples: ["validate scenarios"]
  ) { (invocation) throws(Failure) in
    let console = invocation.console
    var work = try ScenarioWork(invocation)
    let output = invocation.wantsJSON ? Envelope(invocation) : nil
    try output?.open("scenarios")
    for (path, failure) in work.missing {
      try output?.add { $0.unreadable(path, "valid", failure) }
    }
    try work.forEach(
      work: { file in
        attempt { () throws(Failure) in try LoadedScenario(file).scenario }
      },
      receive: { (file, result) throws(Failure) in
        switch result {
        case .success(let scenario):
          let warnings = scenario.warnings
          guard let output else {
            try console.write(file.title + ": valid\n")
            for warning in warnings {
              let place = TestPlace(file: file.title, warning.position)
              try console.flush()
              console.say(shown("\(place.text): warning: \(warning.message)") + "\n")
            }
            return .success
          }
          try output.add { $0.valid(file.title, scenario.name, warnings) }
          for warning in warnings { output.warn("\(scenario.name): \(warning.words)") }
          return .success
        case .failure(let failure):
          try output?.add { $0.unreadable(file.title, "valid", failure) }
          try console.flush()
          console.say(failure)
          return failure.code
        }
      })
    try output?.closeList()
    try output?.end()
    return work.code
  }
}

extension JSONWriter {
  fileprivate mutating func valid(_ file: String, _ name: String, _ warnings: [RunWarning]) {
    beginObject()
    key("file")
    string(file)
    key("valid")
    boolean(true)
    key("scenario")
    string(name)
    self.warnings(warnings)
    endObject()
  }
}
