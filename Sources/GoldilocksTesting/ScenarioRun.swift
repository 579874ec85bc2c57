import ExactText
import Foundation
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback

/// Mistakes in the text of a scenario, a line for each with its place.
public struct ScenarioMistake: Error, CustomStringConvertible {
  public let description: String
}

/// Runs the text of a scenario with its script.
///
///     let run = try scenario(text)
///     #expect(run.stalls.isEmpty, "\(run)")
///
/// Files that it names, such as recordings of links and playlists, are handed in as `files`. A
/// policy fills seats of the player in place of the scenario's own.
public func scenario(
  _ text: String, files: [String: String] = [:], following policy: CustomPolicy? = nil
) throws(ScenarioMistake) -> ScenarioRun {
  try Simulation(text, files: files, following: policy).run()
}

/// Runs a scenario file; the files that it names lie beside it.
public func scenario(
  at path: String, following policy: CustomPolicy? = nil
) throws(ScenarioMistake) -> ScenarioRun {
  guard let bytes = FileManager.default.contents(atPath: path) else {
    throw ScenarioMistake(description: "\(path) cannot be read")
  }
  let folder = (path as NSString).deletingLastPathComponent
  let files = { (name: String) in
    let place = (folder as NSString).appendingPathComponent(name)
    return FileManager.default.contents(atPath: place).map { [UInt8]($0) }
  }
  return try Simulation([UInt8](bytes), file: path, files: files, following: policy).run()
}

/// The runs of scenario files with their own policies, and then with each of these, a row for each.
public func compare(
  _ policies: [CustomPolicy], over paths: [String]
) throws(ScenarioMistake) -> [[ScenarioRun]] {
  try ([nil] + policies).map { (policy: CustomPolicy?) throws(ScenarioMistake) in
    try paths.map { path throws(ScenarioMistake) in try scenario(at: path, following: policy) }
  }
}

/// The scenario files in a folder and below it, sorted: the arguments of a parameterised test.
public func scenarioFiles(in folder: String) -> [String] {
  let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
  return paths.sorted().filter { path in
    path.hasSuffix(".json") && !path.split(separator: "/").contains { $0.hasPrefix(".") }
  }.map { (folder as NSString).appendingPathComponent($0) }
}

/// The outcome of a run: its figures, the expectations that failed, and its trace.
public struct ScenarioRun: Sendable {
  /// The name of the scenario.
  public let name: String
  let outcome: RunOutcome

  /// The reason why the run ended: nothing left to happen, or a limit.
  public var end: EndReason { outcome.end }
  /// The instant of the end.
  public var ended: Instant { outcome.ended }

  /// The first stalls, of which a run of any length keeps some thousands.
  public var stalls: [PlayerBooks.Stall] { outcome.player.books.stalls }
  /// From the app's first request to play until media moved; nil where it never did.
  public var startupDelay: TimeSpan? { outcome.player.startupDelay }
  /// The stalled time of all stalls.
  public var stalled: TimeSpan { outcome.player.books.stalled }
  /// Time that playback progressed, at any rate.
  public var played: TimeSpan { outcome.player.books.played }

  /// The expectations of the scenario that failed, each with the value that it met.
  public var failures: [String] {
    outcome.failures.map { "expected \($0.expected), was \($0.actual)" }
  }

  /// What the run warns its author of.
  public var warnings: [String] { outcome.warnings.map { $0.message } }

  /// The trace as JSON Lines, which `goldilocks report` and `goldilocks diff` read.
  public var trace: String { String(decoding: outcome.trace, as: UTF8.self) }

  /// The hash of the trace: the same on every machine.
  public var digest: String { outcome.digest ?? "" }

  /// A figure in words, by its name in expectations or in results, such as "variantSwitchCount".
  ///
  /// - Returns: Nil where there is no figure of that name.
  public subscript(figure: String) -> String? {
    Figure.all.first { isSameText($0.name, figure) || isSameText($0.resultName, figure) }?
      .value(outcome.player).words
  }
}

extension ScenarioRun: CustomStringConvertible {
  /// The outcome in a few words, for the message of a failed test.
  public var description: String {
    let start = startupDelay.map { "started after \($0)" } ?? "never started"
    let stalls = stalls.map { "\($0.length) at \($0.start)" }.joined(separator: ", ")
    let rest = stalls.isEmpty ? "no stall" : "stalled for " + stalls
    return (["\(name): \(start), \(rest)"] + failures).joined(separator: "; ")
  }
}
