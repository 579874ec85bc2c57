import ExactText
import ScenarioRunner

enum Goldilocks {
  // Perf: a process makes the verbs up to the one that it is asked for.
  static let makers: [@Sendable () -> Verb] = [
    { .initialise }, { .run }, { .play }, { .test }, { .compare }, { .merge }, { .minimize },
    { .explore }, { .resilience }, { .validate }, { .replay }, { .report }, { .diff }, { .schema },
    { .profiles }, { .heuristics }, { .importTrace }, { .importPlaylists },
    { FieldVerbs.importHAR }, { FieldVerbs.importAccessLog }, { FieldVerbs.importMetrics },
    { .exportLink }, { FieldVerbs.exportHAR }, { .exportP1203 }, { .exportPerfetto },
    { .checkGapless }, { .accuracy }, { .completions }, { .manual },
  ]

  static var verbs: [Verb] { makers.map { $0() } }

  static func run(_ arguments: [String]) -> ExitCode {
    let console = Console()
    do throws(Failure) {
      let code = try perform(arguments, console)
      try console.flush()
      return code
    } catch {
      // Results found before the error are still worth reading.
      try? console.flush()
      console.say(error)
      return error.code
    }
  }

  private static func perform(
    _ arguments: [String], _ console: Console
  ) throws(Failure) -> ExitCode {
    switch try ArgumentParser(console: console).parse(arguments) {
    case .help(let verb):
      try console.write(verb.map { HelpText.detail(of: $0) } ?? HelpText.overall(verbs))
    case .version: try console.write("goldilocks \(Tool.version)\n")
    case .perform(let invocation):
      for path in invocation.values(of: .allowPath) where (try? InputFiles.isFolder(path)) == nil {
        console.say("note: there is nothing at \(inQuotes(path)), which --allow-path names\n")
      }
      let edits = (try? invocation.edits()) ?? []
      for (place, edit) in edits.enumerated() where edit.isReplaced(by: edits[(place + 1)...]) {
        console.note(["\(inQuotes(shown(edit.text))) has no effect: a later '--set' replaces it"])
      }
      return try invocation.verb.perform(invocation)
    }
    return .success
  }
}
