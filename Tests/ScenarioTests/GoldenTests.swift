import ExactText
import Foundation
import Recording
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// Every shipped scenario, run: it comes true, says nothing in vain, balances, replays, and its
/// trace is the golden one.
///
/// `UPDATE_GOLDENS=1 swift test` records the traces anew; such a run fails, so that nobody forgets
/// to review the difference.
@Suite struct GoldenTests {
  /// A debug build leaves to the release build what takes it long, hundreds of packets, two of
  /// three of the rest, and five of six that tell players apart.
  static let names = ShippedScenario.all.enumerated()
    .filter { number, shipped in
      Seeds.areMany || isRecording
        || number % (shipped.name.hasPrefix("separating-") ? 6 : 3) == 0 && packets(shipped) < 500
    }
    .map { $0.element.name }
  private static let isRecording = ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil
  private static let replayed = Set(
    names.enumerated().filter { Seeds.areMany || $0.offset % 8 == 0 }.map { $0.element })

  /// Two runs: from the file, and from the trace that came of it. A debug build replays one in
  /// eight.
  @Test(arguments: names)
  func `a shipped scenario comes true, gives its golden trace, and replays`(name: String) throws {
    let shipped = try ShippedScenario.named(name)
    let outcome = try run(shipped.read())
    #expect(outcome.faults == [])
    #expect(outcome.warnings.map { $0.words } == [])
    for failure in outcome.failures {
      Issue.record(
        """
        \(name):\(failure.position.line): expected \(failure.expected); \(failure.actual)
        \(failure.context.joined(separator: "\n"))
        """)
    }
    expectCausesFillTheStart(outcome.startup)
    try compare(outcome.trace, with: Self.golden(of: shipped), name)
    guard Self.replayed.contains(name) else { return }
    guard case .same(let digest, _, _) = try replay(outcome.trace, file: name) else {
      Issue.record("\(name) diverged")
      return
    }
    #expect(digest == outcome.digest)
  }

  private static func golden(of shipped: ShippedScenario) -> URL {
    let path = shipped.path.replacing(".json", with: ".trace")
    return Checkout.at("Tests/ScenarioTests/Goldens/" + path)
  }

  /// How many packets were sent both ways, as the last line of a golden trace has it.
  private static func packets(_ shipped: ShippedScenario) -> Int {
    guard let golden = try? String(contentsOf: golden(of: shipped), encoding: .utf8),
      let summary = golden.split(separator: "\n").last
    else { return 0 }
    return summary.matches(of: /"sent":([0-9]+)/).reduce(0) { $0 + (Int($1.output.1) ?? 0) }
  }

  private func compare(_ trace: [UInt8], with file: URL, _ name: String) throws {
    if Self.isRecording {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(trace).write(to: file)
      Issue.record("recorded; review the diff")
      return
    }
    let golden = try [UInt8](Data(contentsOf: file))
    if golden == trace { return }
    switch try compareTraces(golden, trace) {
    case .none, .digestAlone: Issue.record("\(name) differs from its golden in bytes only")
    case .first(let words, let line, _):
      Issue.record("\(name) differs from its golden in line \(line): \(words)")
    }
  }

  @Test func `every golden trace is one of a scenario that is there`() throws {
    let folder = Checkout.at("Tests/ScenarioTests/Goldens").path
    let goldens = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".trace") }
    let expected = ShippedScenario.all.map { $0.path.replacing(".json", with: ".trace") }
    #expect(goldens.sorted() == expected.sorted())
  }
}
