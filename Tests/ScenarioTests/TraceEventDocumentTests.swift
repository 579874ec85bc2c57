import ExactText
import ScenarioRunner
import Testing

/// Traces of a few lines in the Trace Event Format, word for word.
@Suite struct TraceEventDocumentTests {
  private func events(_ lines: [String]) throws -> [String] {
    let header = #"{"trace":3,"scenario":{"scenario":"Some"}}"#
    let text = ([header] + lines).joined(separator: "\n")
    var document = try TraceEventDocument(Array(text.utf8))
    #expect(document.lineCount == lines.count + 1 && document.line == 0)
    for line in lines.indices {
      #expect(try document.readLine())
      #expect(document.line == line + 1)
    }
    #expect(try !document.readLine())
    let written = document.writer.text.replacing("\n", with: "")
    let (head, tail) = (#"{"traceEvents":["#, "]}")
    #expect(
      written.hasPrefix(head) && written.hasSuffix(tail) && document.writer.text.hasSuffix("\n"))
    return written.dropFirst(head.count).dropLast(tail.count)
      .replacing("},{\"name\"", with: "}\n{\"name\"").split(separator: "\n").map(String.init)
  }

  /// The names of a process and of its threads.
  private func names(_ process: Int, _ name: String) -> [String] {
    func row(_ kind: String, _ thread: Int, _ name: String) -> String {
      #"{"name":"\#(kind)","ph":"M","ts":TS,"pid":\#(process),"tid":\#(thread),"#
        + #""args":{"name":"\#(name)"}}"#
    }
    return [row("process_name", 0, name)]
      + ["requests", "playback", "records"].enumerated().map { row("thread_name", $0, $1) }
  }

  private func timed(_ rows: [String], _ microseconds: String) -> [String] {
    rows.map { $0.replacing("TS", with: microseconds) }
  }

  @Test func `a trace of no lines has the names of its player alone`() throws {
    #expect(try events([]) == timed(names(1, "Some"), "0"))
  }

  @Test(arguments: [
    (
      #"{"t":1.5,"event":"rateChange","rate":1}"#,
      [
        #"{"name":"rateChange","ph":"i","ts":1500000,"pid":1,"tid":2,"s":"t","#
          + #""args":{"event":"rateChange","rate":1}}"#
      ]
    ),
    (
      #"{"t":0.000000001,"event":"linkRate","rate":7}"#,
      [#"{"name":"link, bit/s","ph":"C","ts":0.001,"pid":1,"tid":0,"args":{"value":7}}"#]
    ),
    (#"{"t":1,"event":"linkRate","rate":"unlimited"}"#, []), (#"{"t":1,"event":"linkRate"}"#, []),
    (
      #"{"t":1,"event":"loadedTimeRanges","ahead":2.5}"#,
      [#"{"name":"buffer, s","ph":"C","ts":1000000,"pid":1,"tid":0,"args":{"value":2.5}}"#]
    ),
    (
      #"{"t":1,"event":"forecast","late":3,"estimate":9}"#,
      [
        #"{"name":"estimate, bit/s","ph":"C","ts":1000000,"pid":1,"tid":0,"args":{"value":9}}"#,
        #"{"name":"worst byte late by, s","ph":"C","ts":1000000,"pid":1,"tid":0,"#
          + #""args":{"value":3}}"#,
      ]
    ),
    (#"{"t":1,"event":"requestStart"}"#, []),
  ])
  func `an instant or a counter is made of a line`(line: String, expected: [String]) throws {
    #expect(try events([line]) == timed(names(1, "Some"), "0") + expected)
  }

  @Test func `a state lasts until the next, and the last to the end`() throws {
    func slice(_ name: String, _ start: Int, _ length: Int, _ rest: String) -> String {
      #"{"name":"\#(name)","ph":"X","ts":\#(start),"pid":1,"tid":1,"dur":\#(length),"#
        + #""args":{"event":"timeControlStatus",\#(rest)}}"#
    }
    let found = try events([
      #"{"t":1,"event":"timeControlStatus","status":"waiting","reason":"toMinimizeStalls"}"#,
      #"{"t":3,"event":"timeControlStatus","status":"playing"}"#, #"{"t":7,"event":"linkRate"}"#,
    ])
    #expect(
      Array(found.dropFirst(4)) == [
        slice(
          "waiting, toMinimizeStalls", 1_000_000, 2_000_000,
          #""status":"waiting","reason":"toMinimizeStalls""#),
        slice("playing", 3_000_000, 4_000_000, #""status":"playing""#),
      ])
  }

  @Test func `a request has one name from its beginning to its end`() throws {
    func row(_ phase: String, _ name: String, _ id: Int, _ event: String, _ rest: String = "")
      -> String
    {
      #"{"name":"\#(name)","ph":"\#(phase)","ts":1000000,"pid":1,"tid":0,"cat":"request","#
        + #""id":"\#(id)","args":{"event":"\#(event)","request":\#(id)\#(rest)}}"#
    }
    let found = try events([
      #"{"t":1,"event":"requestStart","request":5,"uri":"a.ts","resource":"mediaSegment"}"#,
      #"{"t":1,"event":"requestStart","request":6,"resource":"mediaPlaylist"}"#,
      #"{"t":1,"event":"requestStart","request":7}"#,
      #"{"t":1,"event":"responseStart","request":5}"#,
      #"{"t":1,"event":"requestCancel","request":5}"#,
      #"{"t":1,"event":"requestError","request":6}"#,
      #"{"t":1,"event":"mediaResourceRequest","request":7}"#,
      #"{"t":1,"event":"responseStart","request":5}"#,
    ])
    #expect(
      Array(found.dropFirst(4)) == [
        row("b", "a.ts", 5, "requestStart", #","uri":"a.ts","resource":"mediaSegment""#),
        row("b", "mediaPlaylist", 6, "requestStart", #","resource":"mediaPlaylist""#),
        row("b", "request 7", 7, "requestStart"), row("n", "a.ts", 5, "responseStart"),
        row("e", "a.ts", 5, "requestCancel"), row("e", "mediaPlaylist", 6, "requestError"),
        row("e", "request 7", 7, "mediaResourceRequest"),
        row("n", "request 5", 5, "responseStart"),
      ])
  }

  @Test func `each player is a process of its own`() throws {
    let found = try events([
      #"{"t":2,"event":"x","player":"b"}"#, #"{"t":3,"event":"x"}"#,
      #"{"t":4,"event":"x","player":"b"}"#, #"{"t":5,"event":"x","player":"c"}"#,
    ])
    func row(_ second: Int, _ process: Int, _ rest: String = "") -> String {
      #"{"name":"x","ph":"i","ts":\#(second)000000,"pid":\#(process),"tid":2,"s":"t","#
        + #""args":{"event":"x"\#(rest)}}"#
    }
    let (b, c) = (#","player":"b""#, #","player":"c""#)
    #expect(
      found == timed(names(1, "Some"), "0") + timed(names(2, "b"), "2000000") + [row(2, 2, b)]
        + [row(3, 1), row(4, 2, b)] + timed(names(3, "c"), "5000000") + [row(5, 3, c)])
  }

  @Test(arguments: [
    (#"{"t":1}"#, "lacks its event"), (#"{"event":"x"}"#, "lacks its time"),
    (#"{"t":"1","event":"x"}"#, "lacks its time"), (#"{"t":1,"event":7}"#, "lacks its event"),
  ])
  func `a line without its event or its time is named`(line: String, lack: String) throws {
    do throws(TraceError) {
      var document = try TraceEventDocument(
        Array(
          ([#"{"trace":3}"#, #"{"t":0,"event":"linkRate"}"#, line].joined(separator: "\n")).utf8))
      #expect(try document.readLine())
      _ = try document.readLine()
      Issue.record("that is no line of a trace")
    } catch {
      #expect(error.text == "line 3: this line is broken: it \(lack)")
    }
  }
}
