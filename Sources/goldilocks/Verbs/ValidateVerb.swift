import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner

extension Verb {
  static let validate = Verb(
    name: "validate",
    overview: "Read scenarios without running them and report every mistake.",
    positionals: [.scenarios],
    options: [.effects, .format, .allowPath, .allowCommands, .answerTime, .jobs],
    examples: ["validate scenarios", "validate --effects scenario.json"]
  ) { (invocation) throws(Failure) in
    let console = invocation.console
    var work = try ScenarioWork(invocation)
    let output = invocation.wantsJSON ? Envelope(invocation) : nil
    let measures = invocation.has(.effects)
    try work.answer(
      to: output, verdict: "valid",
      work: { (file) throws(Failure) in
        let loaded = try LoadedScenario(file)
        return (loaded.scenario, effects: measures ? try loaded.partsWithoutEffect() : [])
      },
      receive: { (file, found) throws(Failure) in
        let (scenario, effects) = found
        let warnings = scenario.warnings
        try console.flush()
        let notes = console.note(scenario.notes(in: file.title))
        output?.warnings += notes
        guard let output else {
          try console.write(file.title + ": valid\n")
          for warning in warnings {
            let place = TestPlace(file: file.title, warning.position)
            try console.flush()
            console.say(shown("\(place.text): warning: \(warning.message)") + "\n")
          }
          for effect in effects {
            let place = TestPlace(file: file.title, effect.position)
            try console.write(shown("\(place.text): \(effect.message)") + "\n")
          }
          return .success
        }
        try output.add([
          "file": .string(file.title), "valid": true, "scenario": .string(scenario.name),
          "warnings": warnings.document, "withoutEffect": effects.document,
        ])
        for warning in warnings { output.warnings.append("\(scenario.name): \(warning.words)") }
        return .success
      })
    return work.code
  }
}

extension Option {
  fileprivate static let effects = Option(
    name: "effects",
    help: "Run each scenario, leave out one part after the other, and name those without effect "
      + "in this run.")
}

extension LoadedScenario {
  fileprivate func partsWithoutEffect() throws(Failure) -> [RunWarning] {
    let references = References(of: file)
    let text = try file.read()
    return try rethrowing(
      try MeasuredEffects(of: scenario, text, policies: file.policies) { text in
        try? readScenario(text, file: file.title) { references.read($0) }
      }.remarks
    ) { (error: RunError) in Failure(error, in: file.title) }
  }
}
