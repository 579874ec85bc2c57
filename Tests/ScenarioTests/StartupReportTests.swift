import Recording
import RunReports
import ScenarioFormat
import ScenarioRunner
import VirtualTime
import TestSupport
import Testing

/// What was waited for fills the time to the first motion, cause by cause.
func expectCausesFillTheStart(_ report: StartupReport) {
  for stage in report.stages {
    guard let after = stage.after else { continue }
    let cause = report.stages.last { $0.id == after }
    #expect(cause?.ended == stage.requested || cause?.responded == stage.requested)
  }
  guard let asked = report.asked, let began = report.began else {
    #expect(report.path.isEmpty)
    return
  }
  let causes = report.path.map { $0.cause }
  let others: Int = causes.count { cause in
    guard case .request = cause else { return true }
    return false
  }
  #expect(report.stageCount == Int64(causes.count - others))
  let spans = report.path.reduce(TimeSpan.zero) { $0 + $1.span }
  #expect(spans == max(.zero, began - asked))
  for (piece, next) in zip(report.path, report.path.dropFirst()) {
    #expect(piece.end == next.start && piece.start < piece.end)
  }
  #expect(report.path.first.map { $0.start == asked } ?? true)
  #expect(report.path.last.map { $0.end == began } ?? true)
}

/// What a start waited for; the goldens hold every scenario that is shipped against the rule above.
@Suite struct StartupReportTests {
  private func outcome(of name: String) throws -> RunOutcome {
    try run(ShippedScenario.named(name).read())
  }

  @Test func `the stages of a start wait for each other`() throws {
    let report = try outcome(of: "hls-key-unannounced-on-demand").startup
    let words = report.path.map { piece in
      guard case .request(let id) = piece.cause else { return "" }
      return report.stages.last { $0.id == id }?.resource?.word ?? ""
    }
    // The key is known once the variant's playlist is, and its second is longer than the segment.
    #expect(words == ["multivariantPlaylist", "mediaPlaylist", "contentKey"])
    #expect(report.stageCount == 3)
  }

  @Test func `a request that broke is waited for as well, and so is its next try`() throws {
    let report = try outcome(of: "not-found-then-recovery").startup
    #expect(report.path.contains { $0.cause == .retry })
    #expect(report.stages.filter { $0.isOnPath }.count == 3)
  }

  @Test func `the evaluation that outlasts the first segment is named`() throws {
    let report = try outcome(of: "hls-evaluating-then-playing").startup
    #expect(report.path.last?.cause == .evaluation)
    #expect(report.path.last?.end == .zero + .milliseconds(500))
  }

  @Test func `it is drawn and said`() throws {
    let scenario = try ShippedScenario.named("hls-title-card-loads-values").read()
    let text = RunScreen(scenario, try run(scenario), heuristic: "playThrough")
      .text(panels: .none, style: .plain)
    #expect(text.contains("\n  multivariant playlist ░█"))
    #expect(text.contains("\n  content key           "))
    #expect(text.contains("\n› variant playlist      "))
    #expect(text.contains("\n› segment               "))
    #expect(text.contains("▾play at 3.000 s"))
    let joined = text.split(whereSeparator: { $0 == "\n" || $0 == " " }).joined(separator: " ")
    #expect(
      joined.contains("waited for variant playlist 0.201 s (first byte 0.200 s), then segment"))
    #expect(joined.contains("together 0.951 s"))
  }

  /// The screen of a scenario, with single spaces.
  private func screen(_ text: String) throws -> String {
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    return RunScreen(scenario, try run(scenario), heuristic: "playThrough")
      .text(panels: .none, style: .plain)
      .split(whereSeparator: { $0 == "\n" || $0 == " " }).joined(separator: " ")
  }

  /// The first byte comes at 0.3 s: before the call, within the wait, and at 0.1 s of it.
  @Test(arguments: [
    (2_000, "file 2.300 s startup delay"), (0, "file 4.300 s (first byte 0.300 s) startup delay"),
    (200, "file 4.100 s (first byte 0.100 s) startup delay"),
  ])
  func `a wait names the steps that took a part of it`(play: Int, words: String) throws {
    let screen = try screen(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "1 Mbit/s", "delay": "150 ms" },
        "media": { "progressive": { "duration": "20 s", "bitrate": "1.2 Mbit/s" } },
        "script": [ { "at": "\(play) ms", "do": "play" } ] }
      """)
    #expect(screen.contains("waited for " + words), "\(screen)")
  }

  /// The audio playlist, asked for at 0.603 s, opens the connection on which the first segment is
  /// asked for at 0.905 s: it is open then.
  @Test func `a connection that another request opened is not counted before the request`() throws {
    let screen = try screen(
      """
      { "scenario": "a", "about": "b", "fidelity": "tcp",
        "link": { "bandwidth": "4 Mbit/s", "delay": "150 ms" },
        "media": { "hls": { "duration": "12 s", "segmentDuration": "4 s",
          "ladder": [ { "bitrate": "1 Mbit/s" } ],
          "audio": [ { "name": "E", "bitrate": "96 kbit/s" } ] } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """)
    #expect(
      screen.contains(
        "multivariant playlist 0.603 s (connection 0.300 s, first byte 0.302 s), then variant "
          + "playlist 0.302 s (first byte 0.302 s), then segment 3.733 s (first byte 0.305 s), "),
      "\(screen)")
  }
}
