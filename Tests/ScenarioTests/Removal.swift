import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// A shipped scenario without the behaviour that it shows, where that is an input of the scenario.
struct Removal: Sendable, CustomTestStringConvertible {
  var scenario: String
  var text: String
  var replacement: String

  init(_ scenario: String, _ text: String, _ replacement: String) {
    self.scenario = scenario
    self.text = text
    self.replacement = replacement
  }

  var testDescription: String { "\(scenario): \(text) → \(replacement)" }

  /// Takes it away, and expects that the scenario fails.
  func expectFailure() throws {
    let shipped = try ShippedScenario.named(scenario)
    let changed = shipped.text.replacing(text, with: replacement, maxReplacements: 1)
    #expect(changed != shipped.text)
    // What is refused fails as well.
    guard
      let scenario = try? readScenario(
        [UInt8](changed.utf8), file: shipped.path, files: shipped.file)
    else { return }
    let outcome = try run(scenario)
    #expect(!outcome.failures.isEmpty)
    #expect(outcome.faults == [])
  }
}
