import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// What becomes of a trace: kept, summed up, cut out or handed on, it is the same trace.
@Suite struct TraceKeepingTests {
  /// What was handed on. One thread runs a scenario, and the test reads when it is done.
  private final class Pieces: @unchecked Sendable {
    var all: [[UInt8]] = []
  }

  private func scenario(_ seed: UInt64) throws -> Scenario {
    try readScenario([UInt8](RandomScenario(seed: seed).document.json.utf8), file: "\(seed).json")
  }

  private func lines(_ trace: [UInt8]) -> [String] {
    String(decoding: trace, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  @Test(arguments: Seeds.first(2, inRelease: 60))
  func `whatever becomes of it, the digest and the bytes are the same`(seed: UInt64) throws {
    let scenario = try scenario(seed)
    var options = RunOptions(folds: .figures)
    let whole = try run(scenario, options: options)
    let pieces = Pieces()
    options.trace = .handedOn { pieces.all.append($0) }
    let handedOn = try run(scenario, options: options)
    #expect(handedOn.digest == whole.digest)
    #expect(handedOn.trace.isEmpty)
    #expect(pieces.all.flatMap { $0 } == whole.trace)
    // A piece, and the line that made it one.
    #expect(pieces.all.allSatisfy { $0.count < 1 << 17 })
    options.trace = .digest
    let digest = try run(scenario, options: options)
    #expect(digest.digest == whole.digest && digest.trace.isEmpty)
    #expect(digest.failures.map { $0.actual } == whole.failures.map { $0.actual })
    options.trace = .nothing
    #expect(try run(scenario, options: options).digest == nil)
  }

  /// Nobody looks at each packet then, and the run goes on from one event to the next.
  @Test func `a run over tcp without a trace comes to the same end`() throws {
    var count = 0
    for seed in Seeds.first(20, inRelease: 400) {
      var document = RandomScenario(seed: seed).document
      document["fidelity"] = "tcp"
      document["eventBudget"] = .number(seed % 3 == 0 ? "\(1_000 + 97 * seed)" : "60000")
      let text = [UInt8](document.json.utf8)
      guard let scenario = try? readScenario(text, file: "\(seed).json") else { continue }
      count += 1
      let whole = try run(scenario, options: RunOptions(folds: .figures))
      let lean = try run(scenario, options: RunOptions(keepsTrace: false, folds: .figures))
      #expect(lean.player == whole.player, "\(seed)")
      #expect(lean.end == whole.end && lean.ended == whole.ended, "\(seed)")
      #expect(lean.eventCount == whole.eventCount, "\(seed)")
      #expect(lean.failures.map { $0.actual } == whole.failures.map { $0.actual }, "\(seed)")
      #expect(lean.stepInstants == whole.stepInstants, "\(seed)")
    }
    #expect(count > Seeds.first(20, inRelease: 400).count / 3)
  }

  @Test(arguments: Seeds.first(2, inRelease: 60))
  func `the lines around a failure are those of the whole trace`(seed: UInt64) throws {
    var document = RandomScenario(seed: seed).document
    var draw = Draw(seed: seed, part: "failures")
    document["expect"] = .array(
      (0..<5).map { _ in ["at": "\(draw.below(90_000)) ms", "stallCount": 999] }
        + [
          ["count": "requestStart", "is": 999_999],
          ["order": ["app do=play", "app do=removeAllItems"]],
        ])
    let scenario = try readScenario([UInt8](document.json.utf8), file: "\(seed).json")
    let whole = try run(scenario, options: RunOptions(folds: .figures))
    let lean = try runForExpectations(scenario)
    #expect(lean.trace.isEmpty && lean.digest == whole.digest)
    #expect(lean.failures == whole.failures)
    #expect(try runForExpectations(scenario, wantsDigest: false).failures == whole.failures)
    let all = Set(lines(whole.trace).dropFirst())
    for failure in lean.failures {
      // Of an event that occurs often the first three are shown.
      #expect(failure.context.count <= 6 * failure.instants.count + 2)
      #expect(failure.context.allSatisfy { all.contains($0) || $0 == "…" })
      #expect((1...3).contains(failure.instants.count))
    }
  }
}
