import ExactText
import ScenarioFormat
package import VirtualTime

/// A decision of a player as its trace has it: a line that names the clause of the policy.
package struct TracedDecision: Sendable {
  /// The line, from 1.
  package var line: Int
  /// All of the line, as it was written.
  package var text: String
  package var time: String
  package var instant: Instant
  package var event: String
  /// The decision itself: the line without its time, event, clause and estimate.
  package var members: String
  package var clause: String
  /// The player's name; nil for the main player.
  package fileprivate(set) var player: String?

  package var consequence = ""

  package var words: String {
    "\(event)\(members.isEmpty ? "" : " " + members) at \(time) s, by \(clause)"
  }

  fileprivate func decidesLike(_ other: TracedDecision, ofDeeds: Bool = false) -> Bool {
    isSameText(event, other.event) && isSameText(members, other.members)
      && (ofDeeds || isSameText(clause, other.clause))
  }
}

/// The first decision at which two runs part: what each of them decided instead of the other's.
package struct DecisionParting: Sendable {
  /// Nil where that run decides nothing more.
  package var first: TracedDecision?
  package var second: TracedDecision?
  /// Decisions before these that differ in their times alone: the first of them.
  package var earlier: (first: TracedDecision, second: TracedDecision)?

  /// Whether both decide the same by the same clause, at another time.
  package var isInTimeOnly: Bool {
    guard let first, let second else { return false }
    return first.decidesLike(second)
  }
}

/// Compares what two runs decided, one decision after the other; nil where that is the same.
package func compareDecisions(
  _ a: [UInt8], _ b: [UInt8], ofDeeds: Bool = false
) throws(TraceError) -> DecisionParting? {
  var (left, right) = (
    DecisionReader(trace: TraceText(a), ofDeeds: ofDeeds),
    DecisionReader(trace: TraceText(b), ofDeeds: ofDeeds)
  )
  var earlier: (first: TracedDecision, second: TracedDecision)?
  while true {
    let (first, second) = (try left.next(), try right.next())
    if let first, let second {
      let isAtOnce = isSameText(first.time, second.time)
      if isAtOnce, first.decidesLike(second, ofDeeds: ofDeeds) { continue }
      // A run that is late decides the same later: what it decides otherwise comes after that.
      if first.decidesLike(second) {
        earlier = earlier ?? (first, second)
        continue
      }
    }
    if first == nil, second == nil {
      guard let pair = earlier else { return nil }
      return DecisionParting(
        first: try left.following(pair.first), second: try right.following(pair.second))
    }
    return DecisionParting(
      first: try first.map { (decision) throws(TraceError) in try left.following(decision) },
      second: try second.map { (decision) throws(TraceError) in try right.following(decision) },
      earlier: earlier)
  }
}

private struct DecisionReader {
  let trace: TraceText
  /// Whether decisions that change nothing are passed over.
  let ofDeeds: Bool
  var line = 1

  private static let marker = Array("\"clause\"".utf8)

  mutating func next() throws(TraceError) -> TracedDecision? {
    while line < trace.lines.count {
      defer { line += 1 }
      // Most lines are no decisions, and need not be read.
      if !occurs(Self.marker, in: trace.lines[line]) { continue }
      let value = try trace.value(at: line)
      guard let clause = value["clause"]?.string else { continue }
      if ofDeeds, value["event"]?.string == EventShape.variantStay.name { continue }
      return TracedDecision(
        line: line + 1, text: trace.text(line), time: short(value["t"]),
        instant: Instant(nanoseconds: value["t"]?.units(places: 9) ?? 0),
        event: short(value["event"]), members: members(of: value), clause: clause,
        player: value["player"]?.string)
    }
    return nil
  }

  /// The decision and its outcome: the same player's next change of state, and the final figures.
  func following(_ decision: TracedDecision) throws(TraceError) -> TracedDecision {
    var (change, figures): (String?, String?) = (nil, nil)
    for line in trace.lines[decision.line...].indices {
      if !Self.changes.contains(where: { occurs($0, in: trace.lines[line]) }) { continue }
      let value = try trace.value(at: line)
      if !isSameName(value["player"]?.string, decision.player) { continue }
      change = "\(short(value["event"])) \(members(of: value)) at \(short(value["t"])) s"
      break
    }
    if let last = trace.lines.indices.last, last > 0 {
      figures = Self.figures(of: decision.player, in: try trace.value(at: last))
    }
    var decision = decision
    decision.consequence = joined([change, figures].compactMap { $0 }, by: "; ")
    return decision
  }

  /// Events that a decision can lead to.
  private static let changes = EventShape.consequences.map { $0.marker }

  private static func figures(of player: String?, in summary: JSONValue) -> String? {
    var source: JSONValue? = summary
    if let player {
      source = summary["players"]?.elements?.first { isSameText(short($0["player"]), player) }
    }
    guard let source else { return nil }
    let parts = Figure.headlines.compactMap { figure in
      source[figure.resultName].map { "\(figure.resultName) \(short($0))" }
    }
    return joined(parts, by: ", ")
  }

  private func members(of line: JSONValue) -> String {
    guard case .object(let members) = line.content else { return "" }
    let others = members.filter { member in
      !["t", "event", "clause", "estimate"].contains(where: member.isCalled)
    }
    return joined(others.map { "\($0.key)=\(short($0.value))" }, by: " ")
  }
}
