import Foundation
import ScenarioRunner
import TestSupport

/// A scenario of the checkout, by the name of its file.
func shippedScenario(_ name: String) throws -> Scenario {
  let data = try Data(contentsOf: Checkout.at("Scenarios/\(name).json"))
  return try readScenario(Array(data), file: name)
}
