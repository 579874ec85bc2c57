import ScenarioRunner
import Testing
import VirtualTime

/// The first difference between two traces whose lines were written by hand.
@Suite struct TraceDifferenceTests {
  private static let header = #"{"trace":3,"tool":"0.1.0","seed":7,"scenario":{"a":1}}"#
  private static let first = #"{"t":0,"event":"app","do":"play"}"#
  private static let second = #"{"t":1,"event":"rateChange","rate":1,"previous":0}"#
  private static let last = #"{"t":9,"event":"playbackSummary","stallCount":0,"digest":"ab"}"#

  private func trace(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

  private func words(
    _ one: [String], _ other: [String], ofDeeds: Bool = false
  ) -> String {
    do throws(TraceError) {
      switch try compareTraces(trace(one), trace(other), ofDeeds: ofDeeds) {
      case .none(let lines, let isSpeltAlike): return "none \(lines) \(isSpeltAlike)"
      case .digestAlone(let line): return "digest \(line)"
      case .first(let words, let lineA, let lineB): return "\(lineA) \(lineB) \(words)"
      }
    } catch {
      return error.text
    }
  }

  private static let all = [header, first, second, last]

  private static func other(_ line: Int, _ text: String) -> [String] {
    var lines = all
    lines[line] = text
    return lines
  }

  @Test(
    arguments: [
      (all, "none 4 true"), (Array(all.prefix(2)), "4 4 only the first trace goes on: "),
      (other(2, second.replacing("\"t\":1", with: "\"t\":1.0")), "none 4 false"),
      (other(3, last.replacing("ab", with: "ac")), "digest 4"),
      (other(3, last.replacing(#","digest":"ab""#, with: "")), "digest 4"),
      (
        other(3, last.replacing("ab", with: "ac").replacing(":0", with: ":2")),
        "4 4 playbackSummary at 9 s: stallCount is 0 and 2, digest is ab and ac"
      ),
      (
        other(1, first.replacing("play", with: "pause")), "2 2 app at 0 s: do is play and pause"
      ),
      (
        other(2, #"{"t":2,"event":"rateChange","rate":1,"previous":0}"#),
        "3 3 rateChange comes at 1 s in the first, at 2 s in the second"
      ),
      (
        other(2, #"{"t":2,"event":"rateChange","rate":2,"next":5}"#),
        "3 3 rateChange comes at 1 s in the first, at 2 s in the second; its rate is 1 and 2, "
          + "previous is 0 and missing, next is missing and 5"
      ),
      (
        other(2, #"{"t":1,"event":"stall","rate":2}"#),
        "3 3 rateChange at 1 s in the first, stall at 1 s in the second"
      ),
      (
        other(2, #"{"t":1,"event":"rateChange","rate":{"a":[1,null]},"previous":true}"#),
        #"3 3 rateChange at 1 s: rate is 1 and {"a":[1,null]}, previous is 0 and true"#
      ),
      (
        other(0, header.replacing("7", with: "8")),
        "1 1 the events are the same, but seed is 7 and 8"
      ),
      (
        other(0, header.replacing(#""a":1"#, with: #""a":2"#)),
        "1 1 the events are the same, but the scenarios are not"
      ),
      (
        other(0, header.replacing("\"seed\"", with: #""heuristic":"immediate","seed""#)),
        "1 1 the events are the same, but heuristic is missing and immediate"
      ),
      (
        other(0, header.replacing("\"seed\"", with: #""files":{"x":"y"},"seed""#)),
        "1 1 the events are the same, but the files the scenarios name are not"
      ),
      (other(0, header.replacing("0.1.0", with: "0.2.0")), "none 4 true"),
      (other(0, header.replacing("\"seed\":7", with: "\"seed\":7.0")), "none 4 false"),
      (other(0, header.replacing(",", with: ", ")), "none 4 true"),
      (
        other(0, header.replacing("\"seed\"", with: #""b":1,"seed""#)),
        "1 1 the events are the same, but the headers have other members: “trace”, “tool”, “seed”, "
          + "“scenario” and “trace”, “tool”, “b”, “seed”, “scenario”"
      ),
      (
        [header.replacing("7", with: "8"), first.replacing("play", with: "pause"), second, last],
        "2 2 app at 0 s: do is play and pause; their headers differ in seed"
      ),
      (
        other(0, header.replacing("3", with: "2")),
        "line 1: the traces have formats 3 and 2, which tell different events; record the older "
          + "one again with “goldilocks run … --trace FILE”"
      ),
      (
        other(0, header.replacing("3", with: "1")),
        "line 1: the trace has format 1; this tool reads format 3; record it again with "
          + "“goldilocks run … --trace FILE”"
      ),
      (
        other(0, header.replacing("3", with: "4")),
        "line 1: the trace has format 4; this tool reads format 3"
      ),
      (
        other(0, header.replacing("3", with: "0")),
        "line 1: the trace has format 0; this tool reads format 3"
      ),
      (
        other(0, header.replacing("3", with: "\"3\"")),
        "line 1: this is no trace: its first line has no “trace” version"
      ),
      (
        other(2, "{\"t\":"),
        "line 3: this line is broken: this is not JSON: found the end of the text"
      ),
      (
        other(0, "{"),
        "line 1: this is no trace: this is not JSON: found the end of the text"
      ),
      ([], "line 1: the file is empty; a trace begins with its header"),
    ] as [([String], String)])
  func `the first difference is said with its lines`(lines: [String], expected: String) {
    let found = words(Self.all, lines)
    if lines.count == 2 {
      #expect(found == "3 3 only the first trace goes on: " + Self.second)
      #expect(words(lines, Self.all) == "3 3 only the second trace goes on: " + Self.second)
    } else {
      #expect(found == expected)
    }
  }

  @Test func `two headers alone are the same, and a blank line is none`() {
    let header = [Self.header]
    #expect(words(header, header) == "none 1 true")
    #expect(words(header, Self.all) == "2 2 only the second trace goes on: " + Self.first)
    #expect(
      words(Self.all, Self.other(1, ""))
        == "line 2: this line is broken: this is not JSON: found the end of the text")
  }

  /// Of deeds the clause and the estimate do not count.
  @Test(arguments: [
    (#""clause":"dry","estimate":5"#, true), (#""clause":"notDry","estimate":5"#, true),
    (#""clause":"dry","estimate":6"#, true), (#""clause":"dry""#, true),
    (#""clause":"dry","estimate":5,"more":1"#, false),
  ])
  func `by which clause something was done does not count among deeds`(
    members: String, isSameDeed: Bool
  ) {
    let own = #"{"t":1,"event":"stall","clause":"dry","estimate":5}"#
    let other = "{\"t\":1,\"event\":\"stall\",\(members)}"
    let (one, two) = (Self.other(2, own), Self.other(2, other))
    #expect(words(one, two, ofDeeds: true).hasPrefix("none 4") == isSameDeed)
    #expect(words(one, two).hasPrefix("none 4") == (own == other))
  }

  @Test(
    arguments: [
      (all, nil), ([header], nil),
      (other(2, #"{"t":1}"#), "line 3: this line is broken: it names no event"),
      (other(3, #"{"event":7}"#), "line 4: this line is broken: it names no event"),
      (other(1, "x"), "line 2: this line is broken: this is not JSON: found “x”"),
      ([first], "line 1: this is no trace: its first line has no “trace” version"),
      (other(0, header.replacing("3", with: "2")), nil),
      (
        other(0, header.replacing("3", with: "1")),
        "line 1: the trace has format 1; this tool reads format 3; record it again with "
          + "“goldilocks run … --trace FILE”"
      ),
    ] as [([String], String?)])
  func `a text is a trace, or the line is named that is none`(lines: [String], problem: String?) {
    do throws(TraceError) {
      try checkTrace(trace(lines))
      #expect(problem == nil)
    } catch {
      #expect(error.text == problem)
    }
  }

  // MARK: Decisions

  private static func decision(
    _ time: String, _ value: Bool, _ clause: String, _ more: String = ""
  ) -> String {
    #"{"t":\#(time),"event":"likelyToKeepUp","value":\#(value),"#
      + #""clause":"\#(clause)","estimate":9\#(more)}"#
  }

  private func parting(
    _ one: [String], _ other: [String], ofDeeds: Bool = false
  ) throws -> [String]? {
    let parting = try compareDecisions(
      trace([Self.header] + one), trace([Self.header] + other), ofDeeds: ofDeeds)
    guard let parting else { return nil }
    var found = [parting.first, parting.second].map { decision in
      decision.map { "\($0.line): \($0.words); \($0.consequence)" } ?? "nothing"
    }
    found.append(
      parting.earlier.map { "\($0.first.line) \($0.second.line)" } ?? "none")
    found.append("\(parting.isInTimeOnly)")
    return found
  }

  private static let summary =
    #"{"t":9,"event":"playbackSummary","startupDelaySeconds":2.5,"stallCount":1,"#
    + #""stalledSeconds":0,"players":[{"player":"b","stallCount":4}],"digest":"ab"}"#

  @Test func `two runs part at the first decision that differs, with what followed`() throws {
    let status = #"{"t":3,"event":"timeControlStatus","status":"playing"}"#
    let (one, two) = (Self.decision("1", true, "dry"), Self.decision("2", false, "notDry"))
    let same = Self.decision("0", true, "dry")
    let figures = "startupDelaySeconds 2.5, stallCount 1, stalledSeconds 0"
    #expect(try parting([same, one, Self.summary], [same, one, Self.summary]) == nil)
    #expect(
      try parting([same, one, status, Self.summary], [same, two, Self.summary]) == [
        "3: likelyToKeepUp value=true at 1 s, by dry; timeControlStatus status=playing at 3 s; "
          + figures, "3: likelyToKeepUp value=false at 2 s, by notDry; " + figures, "none",
        "false",
      ])
    #expect(
      try parting([same, Self.summary], [same, two, Self.summary])
        == [
          "nothing", "3: likelyToKeepUp value=false at 2 s, by notDry; " + figures, "none", "false",
        ])
  }

  /// The same decision later: what comes behind it counts, and where nothing does, the delay.
  @Test func `decisions that differ in their times alone are passed over`() throws {
    let (one, late) = (Self.decision("1", true, "dry"), Self.decision("2", true, "dry"))
    let (two, other) = (Self.decision("5", true, "a"), Self.decision("6", true, "b"))
    let only = try #require(try parting([one], [late]))
    #expect(
      only.map { $0.split(separator: ";")[0] } == [
        "2: likelyToKeepUp value=true at 1 s, by dry",
        "2: likelyToKeepUp value=true at 2 s, by dry",
        "none", "true",
      ])
    let later = try #require(try parting([one, one, two], [late, late, other]))
    #expect(
      later.map { $0.split(separator: ";")[0] } == [
        "4: likelyToKeepUp value=true at 5 s, by a", "4: likelyToKeepUp value=true at 6 s, by b",
        "2 2", "false",
      ])
    // Another clause is no other deed.
    #expect(try parting([one, two], [one, Self.decision("5", true, "b")], ofDeeds: true) == nil)
    let stay = #"{"t":5,"event":"variantStay","variant":1,"clause":"bestAlready"}"#
    #expect(try parting([one, stay], [one], ofDeeds: true) == nil)
    #expect(try parting([one, stay], [one])?.first?.hasPrefix("3: variantStay variant=1") == true)
  }

  @Test func `what followed is that of the same player`() throws {
    let mine = #"{"t":3,"event":"stall","time":1}"#
    let others = #"{"t":2,"event":"stall","time":7,"player":"b"}"#
    let one = Self.decision("1", true, "x", #","player":"b""#)
    let found = try parting([one, mine, others, Self.summary], [mine, others, Self.summary])
    #expect(
      found?.first == "2: likelyToKeepUp value=true player=b at 1 s, by x; "
        + "stall time=7 player=b at 2 s; stallCount 4")
    let own = Self.decision("1", true, "x")
    let first = try parting([own, others, mine, Self.summary], [others, mine, Self.summary])
    #expect(first?.first?.contains("by x; stall time=1 at 3 s; startup") == true)
    // A clause in a text is none, and a line without one is passed over.
    let text = #"{"t":1,"event":"app","do":"\"clause\""}"#
    #expect(try parting([text], []) == nil)
  }
}
