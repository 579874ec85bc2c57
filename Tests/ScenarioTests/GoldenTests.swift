import Foundation
import ScenarioRunner
import TestSupport
import Testing

/// Every shipped scenario, run: it comes true, balances, replays, and its trace is the golden one.
///
/// `UPDATE_GOLDENS=1 swift test` records the traces anew; such a run fails, so that nobody forgets
/// to review the difference.
@Suite struct GoldenTests {
  static let names = ShippedScenario.all.map { $0.name }

  private func outcome(of name: String) throws -> RunOutcome {
    try run(ShippedScenario.named(name).read())
  }

  @Test(arguments: names) func `a shipped scenario comes true`(name: String) throws {
    let outcome = try outcome(of: name)
    #expect(outcome.faults == [])
    for failure in outcome.failures {
      Issue.record(
        """
        \(name):\(failure.position.line): expected \(failure.expected); \(failure.actual)
        \(failure.context.joined(separator: "\n"))
        """)
    }
  }

  @Test(arguments: names) func `a trace replays to the same bytes`(name: String) throws {
    let outcome = try outcome(of: name)
    guard case .same(let digest, _) = try replay(outcome.trace, file: name) else {
      Issue.record("\(name) diverged")
      return
    }
    #expect(digest == outcome.digest)
  }

  @Test(arguments: names) func `a trace is the golden one`(name: String) throws {
    let trace = try outcome(of: name).trace
    let path = try ShippedScenario.named(name).path.replacing(".json", with: ".trace")
    let file = Checkout.at("Tests/ScenarioTests/Goldens/" + path)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(trace).write(to: file)
      Issue.record("recorded; review the diff")
      return
    }
    let golden = try [UInt8](Data(contentsOf: file))
    if golden == trace { return }
    switch try compareTraces(golden, trace) {
    case .none: Issue.record("\(name) differs from its golden in bytes only")
    case .first(let words, let line, _):
      Issue.record("\(name) differs from its golden in line \(line): \(words)")
    }
  }
}
