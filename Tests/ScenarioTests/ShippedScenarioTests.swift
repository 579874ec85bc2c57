import Foundation
import ScenarioRunner
import TestSupport
import Testing

/// Every scenario that is shipped.
@Suite struct ShippedScenarioTests {
  static let files: [String] = {
    let folder = Checkout.at("Scenarios").path
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return all.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
  }()

  static func outcome(of file: String) throws -> RunOutcome {
    let bytes = [UInt8](try Data(contentsOf: Checkout.at("Scenarios/" + file)))
    do throws(DocumentError) {
      let scenario = try readScenario(bytes, file: file)
      return try run(scenario)
    } catch {
      Issue.record("\(error.text)")
      throw error
    }
  }

  @Test(arguments: files) func `a shipped scenario comes true`(file: String) throws {
    let outcome = try ShippedScenarioTests.outcome(of: file)
    #expect(outcome.faults == [])
    for failure in outcome.failures {
      Issue.record(
        """
        \(file):\(failure.position.line): expected \(failure.expected); \(failure.actual)
        \(failure.context.joined(separator: "\n"))
        """)
    }
  }

  @Test(arguments: files) func `a trace replays to the same bytes`(file: String) throws {
    let outcome = try ShippedScenarioTests.outcome(of: file)
    guard case .same(let digest, _) = try replay(outcome.trace, file: file) else {
      Issue.record("\(file) diverged")
      return
    }
    #expect(digest == outcome.digest)
  }
}
