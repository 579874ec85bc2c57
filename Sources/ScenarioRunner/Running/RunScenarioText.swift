import ScenarioFormat

/// Runs a scenario from its text to its trace: what a page asks of the engine.
///
/// A scenario that names files comes as the header of a trace, which embeds them; a whole trace
/// will do. Never fails: what is wrong comes back as text, a line a mistake, each beginning with
/// the file's name.
package func runScenario(_ text: [UInt8]) -> [UInt8] {
  do throws(ReplayError) {
    let recorded = TraceText(text)
    if (try? recorded.header()) != nil {
      return try rerun(recorded, file: "scenario.json").trace
    }
    return try runPlain(text)
  } catch {
    return Array((words(error) + "\n").utf8)
  }
}

private func runPlain(_ text: [UInt8]) throws(ReplayError) -> [UInt8] {
  let scenario: Scenario
  do throws(DocumentError) {
    scenario = try readScenario(text, file: "scenario.json")
  } catch {
    throw .scenario(error)
  }
  do throws(RunError) {
    return try run(scenario, options: RunOptions(folds: .figures)).trace
  } catch {
    throw .run(error)
  }
}

private func words(_ error: ReplayError) -> String {
  switch error {
  case .trace(let error): "scenario.json: " + error.text
  case .scenario(let error): error.text
  case .heuristic(let message): "scenario.json: " + message
  case .run(let error): "scenario.json: " + error.description
  }
}
