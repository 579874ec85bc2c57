import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

/// Requests that failed or are left out, and facts that a log does not tell: none of them becomes
/// something that did not happen.
@Suite struct FieldGapTests {
  private func session(_ log: FieldLog) throws -> FieldSession {
    try FieldSession(log, name: "a", folder: "f/", segmentDuration: .seconds(4))
  }

  private func document(_ log: FieldLog) throws -> String { try session(log).document.json }

  private func lines(_ log: FieldLog, _ event: String) throws -> [String] {
    try String(decoding: session(log).trace(), as: UTF8.self).split(separator: "\n").filter {
      $0.contains("\"event\":\"\(event)\"")
    }.map { String($0) }
  }

  // MARK: HAR

  /// An entry that lasts half a second.
  private static func entry(
    _ second: Int, _ name: String, status: Int = 200, bytes: Int = 100_000, top: String = "",
    more: String = "", timings: String = #"{ "send": 0, "wait": 100, "receive": 400 }"#
  ) -> String {
    """
    { \(top) "startedDateTime": "2024-02-29T10:00:\(10 + second)Z", "time": 500,
      "request": { "method": "GET", "url": "https://a/\(name)" },
      "response": { "status": \(status), "bodySize": \(bytes)\(more) }, "timings": \(timings) }
    """
  }

  private func har(_ entries: [String], _ frame: String = "") throws -> FieldLog {
    let text = "{ \"log\": { \(frame) \"entries\": [ \(entries.joined(separator: ",\n")) ] } }"
    return try FieldLog(har: Array(text.utf8))
  }

  // MARK: Lines of a CDN

  /// A line that was written at a second, of a segment of 500 kB that took one.
  private static func line(
    _ second: Int, _ name: String, status: String = "200", bytes: Int = 500_000, more: String = ""
  ) -> String {
    "2024-02-29 10:00:\(10 + second) 1 \(bytes) \(status) /v/\(name) CMCD=sid%3D%22a%22\(more)"
  }

  private func lines(_ lines: [String]) throws -> FieldLog {
    let head = "#Fields: date time time-taken sc-bytes sc-status cs-uri-stem cs-uri-query\n"
    return try FieldLog(metrics: Array((head + lines.joined(separator: "\n")).utf8))
  }

  // MARK: Failures

  @Test(arguments: [
    (404, "", "HTTP 404"), (503, #", "_error": "the request timed out""#, "HTTP 503"),
    (0, #", "_error": "the request timed out""#, "the request timed out"),
    (0, #", "_error": "net::ERR_CONNECTION_TIMED_OUT""#, "the request timed out"),
    (0, #", "_error": "net::ERR_HTTP2_PROTOCOL_ERROR""#, "the connection was reset"),
    (0, "", "the connection was reset"),
  ])
  func `a failed request of a HAR keeps its reason`(
    status: Int, more: String, words: String
  ) throws {
    let log = try har([
      Self.entry(0, "s1.ts"), Self.entry(1, "s2.ts", status: status, bytes: 0, more: more),
      Self.entry(2, "s3.ts"),
    ])
    let errors = try lines(log, "requestError")
    #expect(errors.count == 1 && errors[0].contains("\"error\":\"\(words)\""), "\(errors)")
    let note = "failed responses are not in the scenario, which answers them all: 1"
    #expect(try session(log).notes.contains(note))
    #expect(try document(log).contains(note))
  }

  @Test func `a failed line keeps its status, and one that was answered has no note`() throws {
    let log = try lines([
      Self.line(1, "s1.ts"), Self.line(3, "s2.ts", status: "404", bytes: 300),
      Self.line(5, "s3.ts"),
    ])
    let errors = try lines(log, "requestError")
    #expect(errors.count == 1 && errors[0].contains(#""error":"HTTP 404","bytes":300"#))
    // Sizes of its segments are those of bodies that were segments.
    #expect(try document(log).contains(#""bytes":["500000 B",null,"500000 B"]"#))
    let good = try lines([Self.line(1, "s1.ts"), Self.line(5, "s2.ts")])
    #expect(try !document(good).contains("failed"))
  }

  @Test(arguments: [100, 200, 299, 399, 400, 401, 500, 999])
  func `an answer fails from the status 400 on`(status: Int) throws {
    let answers = [
      try har([
        Self.entry(0, "s1.ts"), Self.entry(1, "s2.ts", status: status), Self.entry(2, "s3.ts"),
      ]),
      try lines([
        Self.line(1, "s1.ts"), Self.line(3, "s2.ts", status: "\(status)"), Self.line(5, "s3.ts"),
      ]),
    ]
    for log in answers {
      let outcomes = log.requests.map { $0.outcome }
      #expect(outcomes == [.completed, status < 400 ? .completed : .failed, .completed])
      let errors = try lines(log, "requestError")
      #expect(errors.count == (status < 400 ? 0 : 1))
      #expect(errors.allSatisfy { $0.contains("\"error\":\"HTTP \(status)\"") })
    }
  }

  @Test(arguments: ["{ }", "null", #"{ "wait": 100 }"#])
  func `an answer whose times are not known did not fail`(timings: String) throws {
    let log = try har([
      Self.entry(0, "s1.ts"), Self.entry(1, "s2.ts", timings: timings), Self.entry(2, "s3.ts"),
    ])
    #expect(log.requests.map { $0.outcome } == [.completed, .completed, .completed])
    #expect(try lines(log, "requestError").isEmpty)
    let answers = try lines(log, "mediaResourceRequest")
    #expect(answers.count == 3 && answers[1].hasPrefix(#"{"t":1.5,"#), "\(answers)")
    #expect(try !document(log).contains("failed"))
  }

  /// Half a megabyte in a second is 4 Mbit/s before and after.
  @Test(arguments: [0, 300, 16_383]) func `an error is no outage of the link`(bytes: Int) throws {
    let log = try lines([
      Self.line(1, "s1.ts"), Self.line(2, "s2.ts", status: "404", bytes: bytes),
      Self.line(3, "s2.ts"), Self.line(4, "s3.ts"),
    ])
    let document = try document(log)
    #expect(document.contains(#""link":{"bandwidth":"4000000 bit/s"}"#), "\(document)")
    #expect(!document.contains(#""do":"seek""#))
  }

  // MARK: Requests that are left out

  /// The second of three segments was asked for, the fourth was not.
  @Test(arguments: [
    entry(1, "s2.ts", top: #""_fromCache": "disk","#), entry(1, "s2.ts", status: 304, bytes: 0),
    entry(1, "s2.ts").replacing("2024-02-29", with: "2024-02-30"),
    entry(1, "s2.ts").replacing("\"response\"", with: "\"other\""),
  ])
  func `what a HAR leaves out was not passed over`(entry: String) throws {
    let asked = try har([Self.entry(0, "s1.ts"), entry, Self.entry(2, "s3.ts")])
    #expect(asked.requests.count == 2)
    #expect(try !document(asked).contains(#""do":"seek""#))
    let passed = try har([Self.entry(0, "s1.ts"), entry, Self.entry(2, "s5.ts")])
    #expect(try document(passed).contains(#"{"at":"2 s","do":"seek","to":"16 s"}"#))
  }

  @Test func `a session of which no request for media is left has an empty buffer`() throws {
    func event(_ date: String, _ name: String) -> String {
      "{ \"event\": \"r\", \"url\": \"https://a/\(name)\", \"bytes\": 9000, \"requestStart\": "
        + "\"\(date)Z\", \"responseStart\": \"\(date).1Z\", \"responseEnd\": \"\(date).5Z\" }"
    }
    let far = [1, 2].map { event("1970-01-01T00:00:0\($0)", "s\($0).ts") }
    let lists = [1, 2, 3].map { event("2024-02-29T10:00:0\($0)", "list.m3u8") }
    let motion = #"{ "event": "rateChange", "date": "2024-02-29T10:00:04Z", "rate": 1 }"#
    let log = try FieldLog(
      metrics: Array((far + lists + [motion]).joined(separator: "\n").utf8))
    let samples = try self.lines(log, "loadedTimeRanges")
    #expect(!samples.isEmpty && samples.allSatisfy { $0.contains("\"ahead\":0,") })
  }

  @Test func `an entry of a clock that was never set is left out, and was not passed over`() throws
  {
    let unset = Self.entry(1, "s2.ts").replacing("2024-02-29", with: "1970-01-01")
    let log = try har([Self.entry(0, "s1.ts"), unset, Self.entry(2, "s3.ts")])
    #expect(log.requests.map { $0.started } == [.zero, .zero + .seconds(2)])
    #expect(
      log.notes == ["entries are left out that lie before the start or 30 days after it: 1"])
    #expect(try !document(log).contains(#""do":"seek""#))
  }

  /// Firebug and others tell of the cache behind each request.
  @Test(arguments: [("Firefox", "null", 2), ("Firefox", "{ }", 2), ("Firebug", "{ }", 3)])
  func `an entry of Firefox that tells of the cache came from there`(
    creator: String, state: String, count: Int
  ) throws {
    let stored = Self.entry(1, "s2.ts", top: "\"cache\": { \"afterRequest\": \(state) },")
    let fresh = Self.entry(0, "s1.ts", top: #""cache": { },"#)
    let log = try har(
      [fresh, stored, Self.entry(2, "s3.ts")], "\"creator\": { \"name\": \"\(creator)\" },")
    #expect(log.requests.count == count)
    #expect(log.notes == (count == 2 ? ["entries are left out that came from a cache: 1"] : []))
    #expect(try !document(log).contains(#""do":"seek""#))
  }

  @Test(
    arguments: [
      (#", "wasReadFromCache": true"#, 2, "rows are left out that came from a cache: 1"),
      ("", 3, nil), (#", "error": "HTTP 404""#, 3, nil),
    ] as [(String, Int, String?)])
  func `a segment of AVMetrics without bytes was not passed over`(
    more: String, count: Int, note: String?
  ) throws {
    func event(_ second: Int, _ more: String) -> String {
      let date = "2024-02-29T10:00:1\(second)"
      return "{ \"event\": \"r\", \"url\": \"https://a/s\(second).ts\", \"requestStart\": "
        + "\"\(date)Z\", \"responseStart\": \"\(date).1Z\", "
        + "\"responseEnd\": \"\(date).5Z\"\(more) }"
    }
    let rows = [event(1, #", "bytes": 9000"#), event(2, more), event(3, #", "bytes": 9000"#)]
    let log = try FieldLog(metrics: Array(rows.joined(separator: "\n").utf8))
    #expect(log.requests.count == count && log.notes == [note].compactMap { $0 })
    #expect(try !document(log).contains(#""do":"seek""#))
  }

  // MARK: Events without a meaning

  @Test func `events that tell nothing are counted`() throws {
    let date = #""date": "2024-02-29T10:00:10Z""#
    let rows = [
      "{ \"event\": \"seek\", \(date) }", "{ \"event\": \"rateChange\", \(date) }",
      "{ \"event\": \"pause\", \(date) }", "{ \"event\": \"play\", \(date) }",
      #"{ "event": "r", "url": "https://a/s1.ts", "requestStart": "2024-02-29T10:00:10Z" }"#,
    ]
    let log = try FieldLog(metrics: Array(rows.joined(separator: "\n").utf8))
    #expect(
      log.notes == ["rows are left out for an unknown event, or for want of “rate” or “to”: 3"])
  }

  // MARK: Access logs

  @Test(arguments: ["20 -", "20", "0 -1"])
  func `an entry without an offset goes on where the one before ended`(last: String) throws {
    let isColumn = last != "20"
    let fields = isColumn ? "c-duration-watched bytes c-start-time" : "c-duration-watched bytes"
    let text =
      "#Fields: \(fields)\n30 900000\(isColumn ? " 0" : "")\n20 900000"
      + (isColumn ? " \(last.split(separator: " ")[1])" : "")
    let session = try session(FieldLog(accessLog: Array(text.utf8)))
    let document = session.document.json
    #expect(!document.contains(#""do":"seek""#), "\(document)")
    #expect(
      session.notes.contains("entries without a start offset go on where the one before ended: 1"))
    // 30 and 20 s were watched.
    #expect(document.contains(#""duration":"50 s""#), "\(document)")
  }

  @Test func `what an access log does not tell is named`() throws {
    func notes(_ row: String, _ duration: MediaTime? = nil) throws -> [String] {
      let log = try FieldLog(accessLog: Array(row.utf8))
      return try FieldSession(log, name: "a", folder: "f/", duration: duration).notes
    }
    let rate = "a bit rate that no entry tells is taken to be 1000000 bit/s"
    let link = "no entry tells a rate: the link is unlimited"
    let length = "the log does not tell how long the media are: they are taken to last 10 s"
    let bare = try notes(#"{ "durationWatched": 10 }"#)
    #expect(bare.contains(rate) && bare.contains(link) && bare.contains(length), "\(bare)")
    let told = try notes(
      #"{ "durationWatched": 10, "numberOfBytesTransferred": 9, "observedBitrate": 7 }"#,
      .seconds(20))
    #expect(!told.contains { [rate, link, length].contains($0) }, "\(told)")
    let file = try notes(#"{ "durationWatched": 10, "playbackType": "FILE" }"#)
    #expect(file.contains(rate) && file.contains(link) && file.contains(length), "\(file)")
  }
}
