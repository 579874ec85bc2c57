import Foundation

/// What must hold of any trace, whatever the scenario.
struct TraceInvariants {
  /// What does not hold, in words.
  private(set) var findings: [String] = []
  /// The names of the events that occur.
  private(set) var events: Set<String> = []
  private var arrived: [String: Int64] = [:]
  private var underWay: [String: Int] = [:]
  private var latest = 0.0

  init(_ trace: Data) {
    let lines = trace.split(separator: UInt8(ascii: "\n"))
    guard let last = lines.last, lines.count > 1,
      let summary = members(of: last), summary["event"] as? String == "playbackSummary"
    else {
      findings = ["the trace has no header or no summary"]
      return
    }
    for line in lines.dropFirst() { read(line) }
    check(summary, of: "")
    for player in summary["players"] as? [[String: Any]] ?? [] {
      check(player, of: player["player"] as? String ?? "")
    }
  }

  private func members(of line: Data) -> [String: Any]? {
    (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
  }

  private mutating func read(_ line: Data) {
    guard let event = members(of: line), let name = event["event"] as? String,
      let time = event["t"] as? Double
    else {
      findings.append("a line is no event: \(String(decoding: line, as: UTF8.self))")
      return
    }
    if time < latest { findings.append("time goes back to \(time) s at “\(name)”") }
    latest = time
    events.insert(name)
    if !isExplained(event, name) { findings.append("“\(name)” at \(time) s has no reason") }
    let player = event["player"] as? String ?? ""
    switch name {
    case "requestStart": underWay[player, default: 0] += 1
    case "mediaResourceRequest", "requestCancel", "requestError":
      underWay[player, default: 0] -= 1
      arrived[player, default: 0] += integer(event["bytes"])
    default: break
    }
    for (key, value) in event where isBelowZero(value) && !Self.signed.contains(key) {
      findings.append("“\(key)” of “\(name)” at \(time) s is below zero")
    }
  }

  /// Whether a decision names the clause of the policy, and a change of state its rule.
  private func isExplained(_ event: [String: Any], _ name: String) -> Bool {
    if name == "timeControlStatus" {
      guard let rule = event["rule"] as? String else { return false }
      return !Self.rulesByPolicy.contains(rule) || event["clause"] is String
    }
    return !Self.decisions.contains(name) || event["clause"] is String
  }

  private static let decisions: Set<String> = [
    "likelyToKeepUp", "stall", "variantChoice", "variantSwitchStart", "segmentAbandon",
  ]

  /// The rows of the state machine's table in which nothing but the buffer is asked, of a player
  /// that waits.
  private static let rulesByPolicy: Set<String> = [
    "waitsForBuffer", "startsLikelyOrFull", "evaluatedReady", "evaluatedUnready", "waitedEnough",
  ]

  /// Error codes of `NSURLErrorDomain`, and delta updates that are larger than what they leave out.
  private static let signed: Set<String> = ["errorStatusCode", "saved", "playlistBytesSaved"]

  private mutating func check(_ summary: [String: Any], of player: String) {
    for (key, value) in summary where isBelowZero(value) && !Self.signed.contains(key) {
      findings.append("“\(key)” of player “\(player)” is below zero")
    }
    let whole = ["playedSeconds", "waitingSeconds", "pausedSeconds"]
      .reduce(into: Int64(0)) { $0 += nanoseconds(summary[$1]) }
    if whole != nanoseconds(latest) {
      findings.append(
        "player “\(player)” played, waited and paused for \(whole) ns of "
          + "\(nanoseconds(latest)) ns")
    }
    // Whatever has become of an item, what it brought is in the figures.
    let (booked, told) = (integer(summary["bytesTransferred"]), arrived[player, default: 0])
    let isAtRest = underWay[player, default: 0] == 0
    if booked < told || isAtRest && booked != told {
      findings.append("player “\(player)” has \(booked) bytes, and its trace \(told)")
    }
  }

  private func integer(_ value: Any?) -> Int64 { (value as? NSNumber)?.int64Value ?? 0 }

  /// Runs of these tests last for minutes, so that a double holds their nanoseconds.
  private func nanoseconds(_ value: Any?) -> Int64 {
    Int64((((value as? NSNumber)?.doubleValue ?? 0) * 1e9).rounded())
  }

  private func isBelowZero(_ value: Any) -> Bool {
    ((value as? NSNumber)?.doubleValue ?? 0) < 0
  }
}
