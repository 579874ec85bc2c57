import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Sessions of Sabre and Pensieve as scenario files: the same segments, to a microsecond.
@Suite(.enabled(if: PublishedLogs.areThere, "the logs do not lie beside the checkout"))
struct PublishedSessionTests {
  @Test func `the rules of Sabre play as in Sabre`() throws {
    let sessions = try PublishedLogs.sabre()
    #expect(sessions.count >= (Seeds.areMany ? 90 : 2))
    try compare(sessions)
  }

  @Test func `the baselines of Pensieve play as in Pensieve`() throws {
    let sessions = try PublishedLogs.pensieve()
    #expect(sessions.count == 36)
    try compare(sessions)
  }

  private func compare(_ sessions: [PublishedSession]) throws {
    for session in Seeds.cases(of: sessions) { try compare(session) }
  }

  private func compare(_ session: PublishedSession) throws {
    let scenario = try readScenario(session.scenario, file: "a.json") { _ in session.trace }
    let rows = rows(try run(scenario).trace)
    try #require(rows.count == session.rows.count, "\(session.name)")
    for (index, (row, expected)) in zip(rows, session.rows).enumerated() {
      guard row.bytes == expected.bytes else {
        Issue.record("\(session.name): segment \(index) is of another variant")
        return
      }
      let worst = max(abs(row.took - expected.took), abs(row.stalled - expected.stalled))
      guard worst <= 1_000 else {
        Issue.record("\(session.name): segment \(index) is \(worst) ns off")
        return
      }
    }
  }

  /// What the trace says of each segment.
  private func rows(_ trace: [UInt8]) -> [PublishedSession.Row] {
    var rows: [PublishedSession.Row] = []
    var began: [Int64: Int64] = [:]
    var (stalled, since): (Int64, Int64?) = (0, nil)
    for line in trace.split(separator: 10) {
      let text = String(decoding: line, as: UTF8.self)
      guard let event = member("event", of: text), let now = member("t", of: text).flatMap(time)
      else { continue }
      let number = member("request", of: text).flatMap { Int64($0) }
      switch event {
      case "requestStart" where member("resource", of: text) == "mediaSegment":
        if let number { began[number] = now }
      case "mediaResourceRequest":
        guard let number, let start = began[number],
          let bytes = member("bytes", of: text).flatMap({ Int64($0) })
        else { continue }
        // What ends now has stalled until now.
        let open = since.map { now - $0 } ?? 0
        rows.append(.init(bytes: bytes, took: now - start, stalled: stalled + open))
      case "stall": since = now
      case "timebase":
        if let start = since, member("rate", of: text) != "0" {
          (stalled, since) = (stalled + now - start, nil)
        }
      default: break
      }
    }
    return rows
  }

  private func member(_ name: String, of line: String) -> Substring? {
    guard let range = line.firstRange(of: "\"\(name)\":") else { return nil }
    return line[range.upperBound...].prefix { $0 != "," && $0 != "}" }.trimmingQuotes
  }

  private func time(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".")
    guard let seconds = Int64(parts[0]) else { return nil }
    let rest = parts.count > 1 ? parts[1] + String(repeating: "0", count: 9 - parts[1].count) : "0"
    return Int64(rest).map { seconds * 1_000_000_000 + $0 }
  }
}

extension Substring {
  fileprivate var trimmingQuotes: Substring {
    hasPrefix("\"") ? dropFirst().dropLast() : self
  }
}
