import LinkConditioner

/// Runs a scenario from its text to its trace: what a page asks of the engine.
///
/// Never fails: what is wrong with the scenario comes back as text, a line a mistake, each
/// beginning with the file's name.
public func runScenario(_ text: [UInt8]) -> [UInt8] {
  let scenario: Scenario
  do throws(DocumentError) {
    scenario = try readScenario(text, file: "scenario.json")
  } catch {
    return Array((error.text + "\n").utf8)
  }
  do throws(LinkError) {
    return try run(scenario, options: RunOptions(keepsScreen: false)).trace
  } catch {
    return Array("scenario.json: \(error.description)\n".utf8)
  }
}
