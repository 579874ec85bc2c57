import ScenarioFormat
import ScenarioRunner
import TestSupport

extension ShippedScenario {
  func read() throws(DocumentError) -> Scenario {
    try readScenario(bytes, file: path, files: file)
  }
}
