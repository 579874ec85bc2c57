package import ScenarioFormat
package import ScenarioRunner
package import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// The figures kept of a session: a handful of integers.
///
/// A study holds one row for each of its sessions, one behind the other; the places of the row are
/// named here and nowhere else.
package struct SessionRow: Hashable, Sendable {
  /// In the order of the fields; then the endings, regret where it is asked for, objectives, and
  /// where it is asked for the regret by those that have a best; and the digest, if it is kept.
  package var values: [Int64]

  /// Stands for a value that a session has not.
  package static let nothing = Int64.min

  package init(values: [Int64]) {
    self.values = values
  }

  subscript(field: SessionField) -> Int64 { values[field.place] }

  /// The number of values in every row: its fields, and the endings of playback and the run.
  static let fixedWidth = SessionField.all.count + 1

  /// The number of values in a row of a study.
  package static func width(of study: Study) -> Int {
    study.columns.count + 1 + (study.keepsDigests ? digestWidth : 0)
  }

  package init(_ scenario: Scenario, _ outcome: RunOutcome, in study: Study) {
    let player = outcome.player
    let viewed = ViewedSession(outcome)
    values = []
    values.reserveCapacity(SessionRow.width(of: study))
    for field in SessionField.all { values.append(field.read(player, viewed, outcome)) }
    values.append(SessionRow.code(player.outcome, outcome.end))
    if study.asksRegret { values.append(Self.regret(scenario, outcome, viewed)) }
    for objective in study.objectives {
      values.append(objective.billionths(viewed) ?? Self.nothing)
    }
    for objective in study.objectivesWithRegret {
      values.append(Self.regret(by: objective, scenario, outcome, viewed))
    }
    if study.keepsDigests { values += Self.values(of: outcome.digest ?? "") ?? [] }
  }

  // MARK: Digests

  private static let digestWidth = 4

  /// The values that stand for a digest; nil for a text that is none.
  static func values(of digest: String) -> [Int64]? {
    let words = stride(from: 0, to: 64, by: 16).compactMap { start in
      UInt64(String(digest.dropFirst(start).prefix(16)), radix: 16)
    }
    return digest.utf8.count == 64 && words.count == digestWidth
      ? words.map { Int64(bitPattern: $0) } : nil
  }

  /// The digest of the trace; nil where the study keeps none.
  package func digest(in study: Study) -> String? {
    if !study.keepsDigests { return nil }
    return joined(
      values.suffix(Self.digestWidth).map { hexadecimal(UInt64(bitPattern: $0)) }, by: "")
  }

  // MARK: Endings

  private static func code(_ ending: PlaybackOutcome, _ end: EndReason) -> Int64 {
    let first = PlaybackOutcome.allCases.firstIndex(of: ending) ?? 0
    let second = EndReason.allCases.firstIndex(of: end) ?? 0
    return Int64(first * EndReason.allCases.count + second)
  }

  package static func code(ending: String, end: String) -> Int64? {
    guard let ending = PlaybackOutcome(rawValue: ending),
      let end = EndReason.allCases.first(where: { $0.word == end })
    else { return nil }
    return code(ending, end)
  }

  package var ending: PlaybackOutcome {
    PlaybackOutcome.allCases[Int(values[SessionRow.fixedWidth - 1]) / EndReason.allCases.count]
  }

  var end: EndReason {
    EndReason.allCases[Int(values[SessionRow.fixedWidth - 1]) % EndReason.allCases.count]
  }

  // MARK: Regret

  /// The time waited at the start and in stalls together, beyond the least possible; none where the
  /// oracle has no result, or the run was cut before its end.
  private static func regret(
    _ scenario: Scenario, _ outcome: RunOutcome, _ viewed: ViewedSession
  ) -> Int64 {
    guard outcome.end == .finished, let startup = viewed.startup,
      let best = OracleReport(scenario, outcome).finding?.waiting
    else { return nothing }
    return (startup + outcome.player.stalled).nanoseconds - best.nanoseconds
  }

  /// By how much an adaptive session falls short of the best that was possible by an objective, or
  /// of a bound that nobody beats, in billionths; nothing where the oracle cannot say, or the
  /// run was cut before its end.
  private static func regret(
    by objective: Objective, _ scenario: Scenario, _ outcome: RunOutcome, _ viewed: ViewedSession
  ) -> Int64 {
    guard outcome.end == .finished, outcome.player.outcome == .played,
      let value = objective.billionths(viewed),
      let best = OptimumReport(objective, of: scenario, outcome).finding?.bound
    else { return nothing }
    return best - value
  }
}

/// The rows of a study's sessions, one behind the other.
package struct StudyRows: Sendable {
  package let width: Int
  private var values: [Int64]
  private var isThere: [Bool]

  /// - Parameter count: Number of sessions to come.
  package init(width: Int, count: Int) {
    self.width = width
    values = Array(repeating: 0, count: width * count)
    isThere = Array(repeating: false, count: count)
  }

  package mutating func record(_ row: SessionRow, of session: Int) {
    precondition(row.values.count == width, "a row has the values of its study")
    let first = width * session
    for (place, value) in row.values.enumerated() { values[first + place] = value }
    isThere[session] = true
  }

  package func has(_ session: Int) -> Bool { isThere[session] }

  package func row(_ session: Int) -> SessionRow {
    SessionRow(values: Array(values[width * session..<width * (session + 1)]))
  }
}
