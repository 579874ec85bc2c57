import Foundation
import TestSupport
import Testing

/// The proof that a change of the inside leaves the outside alone: two binaries, the same sessions.
///
/// In the suite it is one binary twice, on a few sessions. By hand it is any other, on many:
///
/// ```
/// GOLDILOCKS_OTHER=/path/to/goldilocks GOLDILOCKS_SESSIONS=10000 swift test --filter SideBySide
/// ```
///
/// Builds whose traces are written in different formats are compared by the figures that both have:
/// the report says in how many sessions each differs.
///
/// `GOLDILOCKS_THIS` names another binary in place of the one that the tests have built,
/// `GOLDILOCKS_FIRST_SEED` where the seeds begin, and `GOLDILOCKS_KEEP` a folder in which the
/// scenarios are left.
@Suite(.besideOthers) struct SideBySideTests {
  private static let environment = ProcessInfo.processInfo.environment

  @Test(.timeLimit(.minutes(180)))
  func `made-up sessions are the same from both binaries, and their books balance`() throws {
    let own = try Command.executable()
    let one = Self.environment["GOLDILOCKS_THIS"].map { URL(filePath: $0) } ?? own
    let two = Self.environment["GOLDILOCKS_OTHER"].map { URL(filePath: $0) } ?? one
    let first = Self.environment["GOLDILOCKS_FIRST_SEED"].flatMap { UInt64($0) } ?? 0
    let count =
      Self.environment["GOLDILOCKS_SESSIONS"].flatMap { UInt64($0) }
      ?? UInt64(Seeds.count(2, inRelease: 120))
    try keep(first..<(first + count))
    let report = try SideBySide(one: one, two: two).compare(seeds: first..<(first + count))
    if count > 120 { print(report.text) }
    #expect(report.total == count)
    #expect(report.differences.isEmpty, "\(report.text)")
    #expect(report.findings.isEmpty, "\(report.text)")
    #expect(report.failedAlike.isEmpty, "\(report.text)")
    // A tool that compares nothing finds nothing.
    #expect(report.same + report.headersAlone + report.figuresAlike > count * 9 / 10)
    #expect(report.refusedByOne.isEmpty, "\(report.text)")
  }

  private func keep(_ seeds: Range<UInt64>) throws {
    guard let path = Self.environment["GOLDILOCKS_KEEP"] else { return }
    let folder = URL(filePath: path)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for seed in seeds {
      let scenario = RandomScenario(seed: seed)
      try Data(scenario.document.json.utf8).write(to: folder.appending(path: "\(seed).json"))
    }
  }

  @Test func `made-up sessions are all different and name what they need`() {
    let seeds = Seeds.first(200, inRelease: 1_000)
    let texts = seeds.map { RandomScenario(seed: $0).document.json }
    #expect(Set(texts).count == texts.count)
    #expect(texts == seeds.map { RandomScenario(seed: $0).document.json })
    for key in [#""live""#, #""ladder""#, #""local""#, #""looping""#, #""tcp""#, #""faults""#] {
      #expect(texts.count { $0.contains(key) } * 1_000 > 60 * texts.count, "\(key)")
    }
  }
}

/// What the tool says, by examples that a person can check.
@Suite(.besideOthers) struct TraceComparisonTests {
  private static let header = #"{"trace":1,"tool":"1","scenario":{"scenario":"A"}}"#
  private static let play = #"{"t":0,"event":"app","do":"play"}"#

  private func compare(_ one: [String], _ two: [String]) -> TraceComparison {
    TraceComparison(
      Data(one.joined(separator: "\n").utf8), Data(two.joined(separator: "\n").utf8))
  }

  private func summary(_ digest: String, stalls: Int = 0) -> String {
    #"{"t":1,"event":"playbackSummary","stallCount":\#(stalls),"digest":"\#(digest)"}"#
  }

  @Test func `equal bytes are the same`() {
    let trace = [Self.header, Self.play, summary("a")]
    #expect(compare(trace, trace) == .same)
  }

  @Test func `another header with another digest is a change of the header alone`() {
    let other = Self.header.replacingOccurrences(of: "trace\":1", with: "trace\":2")
    #expect(
      compare([Self.header, Self.play, summary("a")], [other, Self.play, summary("b")]) == .header)
  }

  @Test func `the first line that differs is told`() {
    let pause = #"{"t":0,"event":"app","do":"pause"}"#
    #expect(
      compare([Self.header, Self.play, summary("a")], [Self.header, pause, summary("b")])
        == .body(line: 2, one: Self.play, two: pause))
  }

  @Test func `a figure of the summary differs without its digest`() {
    #expect(
      compare([Self.header, summary("a")], [Self.header, summary("b", stalls: 1)])
        == .body(
          line: 2, one: #"{"t":1,"event":"playbackSummary","stallCount":0}"#,
          two: #"{"t":1,"event":"playbackSummary","stallCount":1}"#))
  }

  @Test func `a trace that ends early differs where it ends`() {
    #expect(
      compare([Self.header, Self.play, summary("a")], [Self.header, Self.play])
        == .body(
          line: 3, one: #"{"t":1,"event":"playbackSummary","stallCount":0}"#,
          two: "(no more lines)"))
  }

  @Test(
    arguments: [
      (#""stallCount":1,"end":"finished""#, #""stallCount":1,"end":"finished""#, []),
      (#""stallCount":1"#, #""stallCount":2"#, ["stallCount: 1, 2"]),
      // What only one of them has says nothing.
      (#""stallCount":1,"parseCount":3"#, #""stallCount":1,"gapSeconds":0"#, []),
      (
        #""startupDelaySeconds":null"#, #""startupDelaySeconds":0.5"#,
        ["startupDelaySeconds: <null>, 0.5"]
      ),
      (
        #""end":"idle","stallCount":1"#, #""stallCount":3,"end":"budget""#,
        ["end: idle, budget", "stallCount: 1, 3"]
      ),
      (
        #""players":[{"player":"b","stallCount":1},{"player":"c","stallCount":4}]"#,
        #""players":[{"player":"c","stallCount":4},{"player":"b","stallCount":2}]"#,
        ["b stallCount: 1, 2"]
      ),
    ] as [(String, String, [String])])
  func `traces of different formats are compared by the figures that both have`(
    one: String, two: String, differences: [String]
  ) {
    func trace(_ version: Int, _ figures: String) -> [String] {
      [
        #"{"trace":\#(version),"scenario":{}}"#, version == 1 ? Self.play : "{}",
        #"{"t":1,"event":"playbackSummary",\#(figures),"digest":"\#(version)"}"#,
      ]
    }
    #expect(compare(trace(1, one), trace(2, two)) == .figures(differences))
    // In the same format the first line that differs is told.
    if case .figures = compare(trace(2, one), trace(2, two)) {
      Issue.record("the format is the same")
    }
  }

  @Test(
    arguments: [
      (#"{"t":1,"event":"app"}"#, #""playedSeconds":1,"waitingSeconds":0"#, nil),
      (#"{"t":1,"event":"app"}"#, #""playedSeconds":0.5,"waitingSeconds":0"#, "of 1000000000 ns"),
      (#"{"t":2,"event":"app"}"#, #""playedSeconds":1,"waitingSeconds":0"#, "time goes back"),
      (#"{"t":1,"event":"seek","to":-1}"#, #""playedSeconds":1,"waitingSeconds":0"#, "below zero"),
      (
        #"{"t":1,"event":"mediaResourceRequest","bytes":5}"#,
        #""playedSeconds":1,"waitingSeconds":0"#, "has 0 bytes, and its trace 5"
      ),
      (
        #"{"t":1,"event":"stall","currentTime":4}"#, #""playedSeconds":1,"waitingSeconds":0"#,
        "“stall” at 1.0 s has no reason"
      ),
      (
        #"{"t":1,"event":"stall","clause":"dry"}"#, #""playedSeconds":1,"waitingSeconds":0"#, nil
      ),
      (
        #"{"t":1,"event":"timeControlStatus","rule":"waitedEnough"}"#,
        #""playedSeconds":1,"waitingSeconds":0"#, "has no reason"
      ),
      (
        #"{"t":1,"event":"timeControlStatus","rule":"pausedByApp"}"#,
        #""playedSeconds":1,"waitingSeconds":0"#, nil
      ),
    ] as [(String, String, String?)])
  func `what does not hold of a trace is found`(event: String, times: String, finding: String?) {
    let summary =
      #"{"t":1,"event":"playbackSummary",\#(times),"pausedSeconds":0,"bytesTransferred":0}"#
    let trace = [Self.header, event, summary].joined(separator: "\n")
    let findings = TraceInvariants(Data(trace.utf8)).findings
    #expect(findings.contains { $0.contains(finding ?? "") } == (finding != nil), "\(findings)")
    #expect(findings.isEmpty == (finding == nil), "\(findings)")
  }
}
