import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing
import VirtualTime

/// Rows of access logs, of AVMetrics and of CDNs, and what a session becomes of them.
@Suite struct FieldRowTests {
  private func words(_ nanoseconds: Int64?) -> String {
    nanoseconds.map { "\($0 / 1_000_000)" } ?? "-"
  }

  private func words(_ range: Range<Instant>) -> String {
    let isOpen = range.upperBound == .distantFuture
    return words(range.lowerBound.nanoseconds) + "-"
      + (isOpen ? "" : words(range.upperBound.nanoseconds))
  }

  // MARK: Access logs

  private func accessLog(_ text: String) throws -> FieldLog {
    try FieldLog(accessLog: Array(text.utf8))
  }

  private static let row = #""durationWatched": 10, "numberOfBytesTransferred": 4"#

  /// Fields of lines behind a line that names them.
  @Test(arguments: [
    ("a 1 2", ["a"]), ("  a   1\t2  ", ["a"]), (#""a b" 1 2"#, ["a b"]),
    (#""a ""b""" 1 2"#, [#"a "b""#]), (#""" 1 2"#, [""]), (#"a"" 1 2"#, [#"a""#]),
    ("- 1 2", [""]), ("- 0 2", [""]), ("- 2 0", [""]), ("- 0 0", []), ("a", []), ("a -1 -", []),
    ("a 1 2 3 4", []), ("a 1 2\r\nb 3 4\r\n", ["a", "b"]), ("a 1 2\n\n \nb 3 4", ["a", "b"]),
    ("a 1 2\n# b 3 4\n#Fields: bytes uri\n5 c", ["a", "c"]),
    ("a 1 2\n#fields: bytes uri\nb 3 4", ["a", "b"]),
  ])
  func `a row has the fields that are named above it`(lines: String, uris: [String]) throws {
    let text = "#Version: 1.0\n#Fields: uri c-duration-watched bytes\nx 1 1\n" + lines
    let log = try accessLog(text)
    #expect(log.entries.map { $0.uri } == ["x"] + uris)
  }

  @Test(arguments: [
    ("[ { ROW }, { ROW } ]", 2), ("{ \"events\": [ { ROW }, { ROW } ] }", 2), ("{ ROW }", 1),
    ("{ ROW }\n{ ROW }\n", 2), (" \n\t{ ROW }\n \n{ ROW }", 2), ("{ \"a\": 1,\n ROW }", 1),
    ("[\n{ ROW },\n{ ROW }\n]", 2), ("[ { ROW }, 7, { ROW } ]", 2),
  ])
  func `rows stand in a list, in a list of events or on lines`(text: String, count: Int) throws {
    let log = try accessLog(text.replacing("ROW", with: Self.row))
    #expect(log.entries.count == count)
  }

  @Test(arguments: [
    ("[ { ROW } \n x", 2, 2), ("{ ROW }\n{ ROW", 2, 55), ("{ \"events\": [ ] ]", 1, 17),
    ("{ ROW }\n\n{ ROW }\r\n{ ROW,, }\n{ ROW", 4, 56), ("{ ROW }\n} ROW", 2, 1),
    ("{ ROW\n{ ROW }\n", 2, 1),
  ])
  func `a mistake in JSON has its place`(text: String, line: Int, column: Int) throws {
    do throws(Diagnostic) {
      _ = try FieldLog(accessLog: Array(text.replacing("ROW", with: Self.row).utf8))
      Issue.record("that is no JSON")
    } catch {
      #expect(error.position?.line == line && error.position?.column == column, "\(error)")
    }
  }

  @Test func `an access log has a thousand rows at most, and one that can be used`() throws {
    func log(_ count: Int) throws -> FieldLog {
      try accessLog(Array(repeating: "{ \(Self.row) }", count: count).joined(separator: "\n"))
    }
    #expect(try log(1_000).entries.count == 1_000)
    do throws(Diagnostic) {
      _ = try FieldLog(
        accessLog: Array(String(repeating: "{ \"a\": 1 }\n", count: 1_001).utf8))
    } catch {
      #expect(error.message == "the log has 1001 rows" && error.expected == "at most 1000")
    }
    for text in ["[ ]", "#Fields: uri\nx\n", #"[ { "durationWatched": 0 } ]"#] {
      do throws(Diagnostic) {
        _ = try FieldLog(accessLog: Array(text.utf8))
        Issue.record("that has no entry")
      } catch {
        #expect(error.message == "the access log has no entry that can be used")
      }
    }
    #expect(throws: Diagnostic.self) { try accessLog("hello\nworld\n") }
  }

  @Test(
    arguments: [
      (#""transferDuration": 4"#, 8), (#""transferDuration": 3"#, 10),
      (#""transferDuration": 0"#, nil), (#""transferDuration": 4, "observedBitrate": 77.4"#, 77),
      (#""transferDuration": 4, "observedBitrate": 77.5"#, 78),
      (#""transferDuration": 4, "observedBitrate": "79""#, 79),
      (#""transferDuration": 4, "observedBitrate": -1"#, 8), (#""observedBitrate": 9"#, 9),
    ] as [(String, Int64?)])
  func `the rate of an entry is told, or its bytes over their time`(
    members: String, rate: Int64?
  ) throws {
    let log = try accessLog("[ { \(Self.row), \(members) } ]")
    #expect(log.entries[0].observedBitrate == rate)
  }

  @Test(
    arguments: [
      ("", .videoOnDemand), (#", "playbackType": "FILE""#, .file),
      (#", "playbackType": "LIVE""#, .live), (#", "playbackType": "live""#, .videoOnDemand),
      (#", "playbackType": "VOD""#, .videoOnDemand), (#", "playbackType": 7"#, .videoOnDemand),
    ] as [(String, PlaybackType)])
  func `the kind of media is one of three words`(
    member: String, type: PlaybackType
  ) throws {
    let log = try accessLog("[ { \(Self.row), \"startupTime\": 1\(member) } ]")
    #expect(log.entries[0].playbackType == type)
    let isOdd = member.hasSuffix("live\"") || member.hasSuffix("7")
    #expect(
      log.notes == (type == .live ? ["the live stream is played as video on demand"] : [])
        + (isOdd ? ["values that cannot be used count as unknown: 1"] : []))
  }

  /// Start, date, offset and time watched, and where the entry begins; a place that is more than a
  /// second away from where the one before ended was seeked to.
  @Test func `entries follow each other as they were dated and watched`() throws {
    func entry(_ second: String?, at offset: String, for watched: Int, stalls: Int = 0) -> String {
      let date = second.map { "\"playbackStartDate\": \"2024-02-29T10:00:\($0)Z\"," } ?? ""
      return """
        { \(date) "playbackStartOffset": \(offset), "durationWatched": \(watched),
          "numberOfBytesTransferred": 1, "numberOfStalls": \(stalls), "startupTime": 2 }
        """
    }
    let entries = [
      entry("00", at: "3", for: 10, stalls: 1), entry("30", at: "13", for: 5),
      entry(nil, at: "19", for: 5, stalls: 2), entry(nil, at: "25.000000001", for: 5),
      entry("31", at: "29.000000001", for: 1), entry("50", at: "28", for: 4),
    ]
    let log = try accessLog("[ \(entries.joined(separator: ", ")) ]")
    #expect(log.play == .zero && log.began == .zero + .seconds(2) && log.stallCount == 3)
    // Dated 30 s behind the first, which was 2 s after the call; one that is dated before the end
    // of the one before begins at that.
    let starts = log.entries.map { words($0.playbackStartDate?.nanoseconds) }
    #expect(starts == ["2000", "32000", "37000", "42000", "47000", "52000"])
    // Playback that begins 3 s into the media was seeked there at the call.
    #expect(log.seeks.map { words($0.instant.nanoseconds) } == ["0", "42000", "48000"])
    let targets: [Int64] = [3_000_000_000, 25_000_000_001, 28_000_000_000]
    #expect(log.seeks.map { $0.target.nanoseconds } == targets)
    #expect(log.notes == [])
    // Dates say in which order entries were played, if each has one.
    let (first, second) = (entry("00", at: "0", for: 10), entry("30", at: "10", for: 5))
    let turned = try accessLog("[ \(second), \(first) ]")
    #expect(turned.entries.map { words($0.playbackStartDate?.nanoseconds) } == ["2000", "32000"])
    #expect(turned.seeks.isEmpty && turned.notes == [])
    // Else a date before that of the first is unknown, and says so.
    let early = try accessLog("[ \(second), \(first), \(entry(nil, at: "10", for: 1)) ]")
    #expect(
      early.entries.map { words($0.playbackStartDate?.nanoseconds) }.prefix(2) == ["2000", "7000"])
    #expect(early.notes == ["values that cannot be used count as unknown: 1"])
    // Without the date of the first none counts, nor without a start.
    let undated = try accessLog(
      "[ \([entry(nil, at: "0", for: 10), entry("30", at: "10", for: 5)].joined(separator: ", ")) ]"
        .replacing("\"startupTime\": 2", with: "\"startupTime\": -1"))
    #expect(undated.entries.map { words($0.playbackStartDate?.nanoseconds) } == ["0", "10000"])
    #expect(undated.began == nil)
    #expect(undated.notes == ["the log does not tell how long the start took"])
  }

  @Test(
    arguments: [
      ("1", "VOD", nil), ("1.001", "VOD", "1.001 s"), ("300", "FILE", "300 s"),
      ("300", "LIVE", nil),
    ] as [(String, String, String?)])
  func `playback that began within the media was seeked there, unless they are live`(
    offset: String, type: String, place: String?
  ) throws {
    let log = try accessLog(
      "[ { \(Self.row), \"playbackStartOffset\": \(offset), \"startupTime\": 2, "
        + "\"playbackType\": \"\(type)\" } ]")
    let script = try FieldSession(log, name: "a", folder: "f/").document["script"]?.json
    let seek = place.map { ",{\"at\":\"0 s\",\"do\":\"seek\",\"to\":\"\($0)\"}" } ?? ""
    #expect(script == "[{\"at\":\"0 s\",\"do\":\"play\"}\(seek)]")
  }

  /// Milliseconds between the dates of two entries; nil where they are unknown.
  @Test(
    arguments: [
      ("2022/01/31 12:14:44.044", "2022/01/31 12:15:34.034", 50_000),
      ("2022/01/31 23:59:59.059", "2022/02/01 00:00:00.000", 1_000),
      ("2022-01-31 12:14:44.044", "2022-01-31 12:15:34.034", 49_990),
      ("2022/01/31 12:14:44.044", "2022/01/31 12:14:59.944", 15_944),
      ("2022/01/31 12:14:44.04", "2022/01/31 12:14:59.44", 15_400),
      ("2022/01/31 12:14:44", "2022/01/31 12:14:59", 15_000),
      ("2022/01/31 12:14:44.044", "2022-01-31 12:14:59", 15_000),
      ("2022/1/31 12:14:44.044", "2022/01/31 12:14:59.059", nil),
      ("2022/01-31 12:14:44.044", "2022/01/31 12:14:59.059", 15_000),
      ("2022/01/31 12:14:44.044", "2022/01/31/ 12:14:59.059", nil),
      ("2022/01/31 12:14:44.044", "/ .044", nil),
    ] as [(String, String, Int64?)])
  func `AVPlayer writes slashes, and the seconds once more for their fraction`(
    first: String, second: String, span: Int64?
  ) throws {
    let head = "#Fields: date time c-duration-watched bytes c-startup-time\n"
    let log = try accessLog(head + "\(first) 1 1 0\n\(second) 1 1 -\n")
    // Without its date the second goes on where the first ended.
    #expect(log.entries[1].playbackStartDate == .zero + .milliseconds(span ?? 1_000))
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `several logs in one file are one session, which a note says`(lineEnd: String) throws {
    for count in 1...3 {
      let one = "#Version: 1.0\n#Fields: c-duration-watched bytes\n10 4\n"
      let text = "\u{FEFF}" + String(repeating: one, count: count)
      let log = try accessLog(text.replacing("\n", with: lineEnd))
      #expect(log.entries.count == count)
      let note = "the \(count) logs in the file are taken as one session"
      #expect(log.notes.contains(note) == (count > 1), "\(log.notes)")
    }
  }

  // MARK: Events of AVMetrics

  private func metrics(_ events: [String]) throws -> FieldLog {
    let request =
      #"{ "event": "r", "url": "https://a/s1.ts", "requestStart": "2024-02-29T10:00:00Z", "#
      + #""responseStart": "2024-02-29T10:00:00.1Z", "responseEnd": "2024-02-29T10:00:01Z" }"#
    return try FieldLog(metrics: Array((events + [request]).joined(separator: "\n").utf8))
  }

  private static func event(_ second: Int, _ name: String, _ more: String = "") -> String {
    "{ \"event\": \"\(name)\", \"date\": \"2024-02-29T10:00:\(10 + second)Z\"\(more) }"
  }

  private static func rate(_ second: Int, _ rate: String) -> String {
    event(second, "rateChange", ", \"rate\": \(rate)")
  }

  /// Call and first motion, stalls, pauses and seeks in milliseconds; the request was at zero.
  @Test(arguments: [
    ([], "- -; none; ; "), ([event(0, "play")], "10000 -; ; ; "),
    ([event(3, "play"), event(1, "play"), event(2, "play")], "11000 -; ; ; "),
    ([rate(0, "1")], "- 10000; ; ; "), ([rate(0, "0.001")], "- 10000; ; ; "),
    ([rate(0, "0")], "- -; ; ; "), ([rate(0, "1000")], "- 10000; ; ; "),
    ([rate(0, "1000.001")], "- -; none; ; "), ([rate(0, "-1")], "- -; none; ; "),
    ([event(0, "stall"), rate(1, "1"), rate(2, "1")], "- 11000; ; ; "),
    ([rate(0, "0"), rate(1, "1"), rate(2, "1")], "- 11000; ; ; "),
    ([rate(0, "1"), event(1, "stall"), rate(3, "1"), rate(5, "1")], "- 10000; 11000-13000; ; "),
    ([rate(0, "1"), rate(1, "0"), rate(3, "1"), rate(5, "1")], "- 10000; ; 11000-13000; "),
    (
      [rate(0, "1"), event(1, "stall"), rate(2, "0"), rate(3, "1")],
      "- 10000; 11000-12000; 12000-13000; "
    ),
    (
      [rate(0, "1"), rate(1, "0"), event(2, "stall"), rate(3, "1")],
      "- 10000; 12000-13000; 11000-12000; "
    ),
    (
      [
        rate(0, "1"), event(1, "stall"), rate(2, "1"), rate(3, "0"), rate(4, "1"),
        event(5, "stall"), rate(6, "1"),
      ], "- 10000; 11000-12000 15000-16000; 13000-14000; "
    ),
    // Stopped and moving in one instant: it goes on being stopped.
    ([rate(0, "1"), event(1, "stall"), rate(1, "1"), rate(4, "1")], "- 10000; 11000-14000; ; "),
    // A stall and a pause that never ended.
    ([rate(0, "1"), event(1, "stall"), event(4, "play")], "14000 10000; 11000-14000; ; "),
    ([rate(0, "1"), rate(1, "0"), event(4, "play")], "14000 10000; ; 11000-; "),
    (
      [
        event(0, "seek", #", "to": 5"#), event(2, "seek", #", "to": -5"#),
        event(3, "seek", #", "to": "7.5""#), event(4, "seek"),
      ],
      "- -; ; ; 5000@10000 7500@13000"
    ),
    ([event(0, "playbackSummary", #", "timeSpentInInitialStartup": 3"#)], "- -; none; ; "),
    (
      [event(0, "playbackSummary", #", "timeSpentInInitialStartup": 3"#), rate(1, "1")],
      "8000 11000; ; ; "
    ),
    (
      [event(0, "playbackSummary", #", "timeSpentInInitialStartup": 12"#), rate(1, "1")],
      "0 11000; ; ; "
    ),
    (
      [event(0, "playbackSummary", #", "timeSpentInInitialStartup": 3"#), event(1, "play")],
      "11000 14000; ; ; "
    ),
    (
      [
        event(0, "playbackSummary", #", "timeSpentInInitialStartup": 3"#), event(1, "play"),
        rate(2, "1"),
      ], "11000 12000; ; ; "
    ),
  ])
  func `events tell what became of playback`(events: [String], expected: String) throws {
    let log = try metrics(events)
    let parts = [
      words(log.play?.nanoseconds) + " " + words(log.began?.nanoseconds),
      log.stalls?.map { words($0) }.joined(separator: " ") ?? "none",
      log.pauses.map { words($0) }.joined(separator: " "),
      log.seeks.map { words($0.target.nanoseconds) + "@" + words($0.instant.nanoseconds) }
        .joined(separator: " "),
    ]
    #expect(parts.joined(separator: "; ") == expected)
    #expect(log.stallCount == nil && log.source == "AVMetrics events")
  }

  /// Two segments of 4 s, of which the second was read from a cache, from 10 s on.
  @Test(
    arguments: [
      ([rate(0, "1"), rate(8, "0")], nil), ([rate(0, "1"), rate(6, "0")], "16000-"),
      ([rate(0, "1"), rate(7, "0")], nil), ([rate(0, "1"), rate(9, "0")], nil),
      ([rate(0, "1"), rate(10, "0")], "20000-"), ([rate(0, "2"), rate(4, "0")], nil),
      ([rate(0, "1"), rate(2, "2"), rate(5, "0")], nil),
      ([rate(0, "1"), event(2, "stall"), rate(7, "1"), rate(13, "0")], nil),
      ([rate(0, "1"), rate(2, "0"), rate(7, "1"), rate(13, "0")], nil),
      ([rate(0, "1"), rate(2, "0"), rate(7, "1"), rate(8, "0")], "18000-"),
      ([rate(0, "1"), rate(8, "0"), rate(9, "1")], "18000-19000"),
      ([rate(0, "1"), event(2, "seek", #", "to": 2"#), rate(8, "0")], "18000-"),
      ([rate(0, "1"), event(8, "stall"), rate(15, "0")], "25000-"),
    ] as [([String], String?)])
  func `a rate of zero where the media end is no pause`(events: [String], pause: String?) throws {
    let segments = ["1", "2"].map {
      #"{ "event": "r", "url": "https://a/s\#($0).ts", "segmentDuration": 4, "#
        + #""mediaType": "video", "requestStart": "2024-02-29T10:00:00Z", "#
        + #""wasReadFromCache": \#($0 == "2") }"#
    }
    let sound = segments.map { $0.replacing("video", with: "audio").replacing("a/s", with: "a/a") }
    let log = try metrics(segments + sound.prefix(1) + events)
    let known = log.pauses.map { words($0) }.filter { $0.hasSuffix("-") || pause?.count == 11 }
    #expect(known == (pause.map { [$0] } ?? []))
    #expect((log.ended == nil) == (pause != nil))
  }

  /// Of a file of 10 MB and 100 s, 2 MB are loaded in order, and the rest from 6 MB on.
  @Test(arguments: [(#", "to": 61"#, "61 s"), (nil, "60 s")])
  func `a seek is read from the ranges of a file where no log tells it`(
    told: String?, place: String
  ) throws {
    let ranges = [(0, 1, 0), (1, 1, 2), (6, 1, 16), (7, 3, 18)].map { first, count, second in
      let time = "2024-02-29T10:00:\(second < 10 ? "0" : "")\(second)"
      return #"{ "event": "r", "url": "https://a/film.mp4", "mediaType": "video", "#
        + #""byteRange": { "location": \#(first * 1_000_000) }, "bytes": \#(count * 1_000_000), "#
        + #""requestStart": "\#(time)Z", "responseStart": "\#(time).1Z", "#
        + #""responseEnd": "\#(time).9Z" }"#
    }
    let seek = told.map { [Self.event(5, "seek", $0)] } ?? []
    let log = try metrics(ranges + [Self.rate(0, "1")] + seek)
    let session = try FieldSession(log, name: "a", folder: "f/", duration: .seconds(100))
    let script = session.document["script"]?.json ?? ""
    #expect(session.document["media"]?.json.contains("10000000 B") == true)
    #expect(script.split(separator: "\"seek\"").count == 2, "\(script)")
    #expect(script.contains("\"to\":\"\(place)\""), "\(script)")
  }

  /// Segments of 6 s and 750 kB; the one at `passed` was never requested, the last one twice.
  @Test(arguments: [1, 2, 4, 7])
  func `the ranges of a file tell how long it is`(passed: Int) throws {
    let rows = (Array(0...passed + 1) + [passed + 1]).filter { $0 != passed }.map { place in
      let time = "2024-02-29T10:00:1\(place)"
      return #"{ "event": "r", "url": "https://a/film.mp4", "segmentDuration": 6, "#
        + #""bytes": 750000, "byteRange": { "location": \#(place * 750_000) }, "#
        + #""requestStart": "\#(time)Z", "responseStart": "\#(time).1Z", "#
        + #""responseEnd": "\#(time).9Z" }"#
    }
    let log = try metrics(rows + [Self.rate(0, "1")])
    let session = try FieldSession(log, name: "a", folder: "f/")
    let (length, size) = ((passed + 2) * 6, (passed + 2) * 750_000)
    #expect(
      session.document["media"]?.json
        == "{\"progressive\":{\"duration\":\"\(length) s\",\"size\":\"\(size) B\"}}")
    let script = session.document["script"]?.json ?? ""
    #expect(script.contains("\"to\":\"\((passed + 1) * 6) s\""), "\(script)")
    let note = "the file is as long as the durations of its ranges make all of its bytes"
    #expect(session.notes.contains(note), "\(session.notes)")
    #expect(throws: Diagnostic.self) {
      let told = rows.map { $0.replacing(#/"byteRange": {[^}]*}, /#, with: "") }
      _ = try FieldSession(try metrics(told + [Self.rate(0, "1")]), name: "a", folder: "f/")
    }
  }

  @Test func `of stalls without a first motion only the number is known`() throws {
    let events = [Self.event(0, "stall"), Self.event(2, "stall"), Self.rate(3, "0")]
    let still = try metrics(events)
    #expect(still.began == nil && still.stalls == nil && still.stallCount == 2)
    let note = "without a “rateChange” above 0 only the number of stalls is kept: 2"
    #expect(still.notes.contains(note), "\(still.notes)")
    let moved = try metrics(events + [Self.rate(4, "1")])
    #expect(moved.began != nil && moved.stalls?.isEmpty == true && moved.stallCount == nil)
    #expect(moved.notes.contains("stalls before the first motion are left out: 2"))
  }

  /// First byte and end in milliseconds from the request, and how it ended.
  @Test(arguments: [
    (#""responseStart": DATE00.1Z", "responseEnd": DATE00.4Z""#, "100 400 completed"),
    (#""responseStart": DATE00.5Z", "responseEnd": DATE00.4Z""#, "500 500 completed"),
    (#""responseEnd": DATE00.4Z""#, "- 400 failed"),
    (#""responseStart": DATE00Z""#, "0 - completed"),
    (#""responseStart": DATE00.1Z", "error": "lost""#, "100 - failed"),
    (#""responseStart": DATE00.1Z", "error": null"#, "100 - completed"),
  ])
  func `an event of a request has its instants`(members: String, expected: String) throws {
    let members = members.replacing("DATE", with: "\"2024-02-29T10:00:")
    let log = try FieldLog(
      metrics: Array(
        (#"[ { "event": "r", "url": "https://a/s1.ts", "#
          + #""requestStart": "2024-02-29T10:00:00Z", \#(members) } ]"#)
          .utf8))
    let request = try #require(log.requests.first)
    let outcome = "\(request.outcome)"
    let found = [
      words(request.responded?.nanoseconds), words(request.ended?.nanoseconds), outcome,
    ]
    #expect(found.joined(separator: " ") == expected)
    #expect(request.steps.response == request.responded.map { $0 - .zero })
  }

  @Test func `requests come in the order of their dates, and rows without one are counted`() throws
  {
    func request(_ name: String, _ second: Int, _ more: String = "") -> String {
      "{ \"event\": \"r\", \"url\": \"https://a/\(name)\", "
        + "\"requestStart\": \"2024-02-29T10:00:\(10 + second)Z\"\(more) }"
    }
    let rows = [
      request("b", 3, #", "bytes": 7, "byteRange": { "location": 5 }, "mediaType": "audio""#),
      request("c", 3, #", "segmentDuration": 4"#), request("a", 1, #", "segmentDuration": 0"#),
      request("d", 8, #", "segmentDuration": 6"#), request("e", 9, #", "segmentDuration": 5"#),
      request("x", 0, #", "wasReadFromCache": true"#),
      request("f", 9, #", "segmentDuration": 9, "wasReadFromCache": false"#),
      #"{ "event": "r", "url": 7, "requestStart": "2024-02-29T10:00:00Z" }"#,
      #"{ "event": "r", "url": "https://a/x" }"#, #"{ "event": "play" }"#,
      #"{ "event": "stall", "date": "soon" }"#, #"{ "event": "other" }"#, #"{ "a": 1 }"#,
    ]
    let log = try FieldLog(metrics: Array(rows.joined(separator: "\n").utf8))
    #expect(
      log.requests.map { $0.uri } == ["a", "b", "c", "d", "e", "f"].map { "https://a/\($0)" })
    #expect(log.requests.map { words($0.started.nanoseconds) }.first == "0")
    #expect(
      log.requests.map { words($0.started.nanoseconds) } == [
        "0", "2000", "2000", "7000", "8000", "8000",
      ])
    #expect(log.requests[1].bytes == 7 && log.requests[1].firstByte == 5)
    #expect(log.requests[1].mimeType == "audio/mp4" && log.requests[0].mimeType == "video/mp4")
    // Of 4, 5, 6 and 9 s the third.
    #expect(log.segmentDuration == .seconds(6))
    #expect(
      log.notes == [
        "rows are left out that came from a cache: 1",
        "rows are left out for want of a date, a URL or CMCD: 5",
        "rows are left out for an unknown event, or for want of “rate” or “to”: 1",
      ])
    #expect(log.stalls == nil)
    // The event that comes first is the start.
    let early = try FieldLog(
      metrics: Array([Self.event(0, "play"), request("a", 6)].joined(separator: "\n").utf8))
    #expect(early.play == .zero && early.requests[0].started == .zero + .seconds(6))
  }

  // MARK: Lines of a CDN

  /// A line at the end of an answer, with its query.
  private func lines(_ lines: [String], _ fields: String = "") throws -> FieldLog {
    let head =
      "#Fields: date time time-taken time-to-first-byte sc-bytes sc-status cs-uri-stem "
      + "cs-uri-query \(fields)\n"
    return try FieldLog(metrics: Array((head + lines.joined(separator: "\n")).utf8))
  }

  private static func line(
    _ second: Int, _ query: String, taken: String = "2 0.5", status: String = "200",
    more: String = ""
  ) -> String {
    "2024-02-29 10:00:\(10 + second) \(taken) 900 \(status) /v/\(second).ts \(query) \(more)"
  }

  @Test(arguments: [
    ("2 0.5", "200", "500 2000 completed"), ("2 -", "200", "0 2000 completed"),
    ("2 2", "200", "0 2000 completed"), ("2 1.999", "200", "1999 2000 completed"),
    ("2 3", "200", "0 2000 completed"), ("2 0.5", "399", "500 2000 completed"),
    ("2 0.5", "400", "500 2000 failed"), ("2 0.5", "999", "500 2000 failed"),
    ("2 0.5", "1000", "500 2000 completed"), ("2 0.5", "-", "500 2000 completed"),
    ("0 0", "200", "0 0 completed"),
  ])
  func `a line is written when the answer is whole`(
    taken: String, status: String, expected: String
  ) throws {
    let log = try lines([Self.line(5, "CMCD=sid=%22a%22", taken: taken, status: status)])
    let request = try #require(log.requests.first)
    let found = [
      words(request.responded?.nanoseconds), words(request.ended?.nanoseconds),
      "\(request.outcome)",
    ]
    #expect(found.joined(separator: " ") == expected)
    #expect(request.steps.response == request.responded.map { $0 - .zero })
    #expect(request.bytes == 900 && request.started == .zero)
    #expect(log.source == "CMCD lines" && log.stalls == nil && log.stallCount == 0)
    #expect(log.notes == ["a stall is a request with “bs”"])
  }

  @Test(arguments: [
    ("", "", "cdn.example"), ("x-host-header cs(Host)", "a b", "a"),
    ("x-host-header cs(Host)", "- b", "b"), ("cs(Host)", "b", "b"),
  ])
  func `the host of a line`(fields: String, cells: String, host: String) throws {
    let log = try lines([Self.line(5, "CMCD=ot%3Da", more: cells)], fields)
    #expect(log.requests.map { $0.uri } == ["https://\(host)/v/5.ts"])
    #expect(log.requests[0].mimeType == "audio/mp4")
  }

  /// A query with or without keys of CMCD, the length of its segment, and a starved player.
  @Test(
    arguments: [
      ("CMCD=ot%3Dv%2Cd%3D4000", "4000 no"), ("a=1&CMCD=d%3D1%2Cbs", "1 yes"),
      ("?CMCD=bs%2Cd%3D3600000", "3600000 yes"),
      ("CMCD=bs%3Dfalse", "- no"), ("CMCD=bs%3Dtrue", "- yes"), ("CMCD=bs%3D%3F0", "- no"),
      ("CMCD=d%3D3600001", "- no"),
      ("CMCD=d%3D0", "- no"), ("CMCD=d%3D-4", "- no"), ("CMCD=d", "- no"), ("CMCD=", "- no"),
      ("CMCD=ot%253Dv%252Cd%253D4000", "4000 no"), ("CMCD=d%253D7%252Cbs", "7 yes"),
      ("CMCD=bs%252Csu", "- yes"), ("CMCD=cid%3D%22a%252Cbs%22", "- no"),
      ("CMCD=d%3D%224000%22", "4000 no"), ("CMCD=d%3D4=0", "- no"), ("xCMCD=d%3D4", nil),
      ("CMCDd%3D4", nil), ("a=1", nil), ("-", nil),
    ] as [(String, String?)])
  func `the keys of CMCD stand in the query`(query: String, expected: String?) throws {
    let good = Self.line(1, "CMCD=ot%3Dm")
    let log = try lines([good, Self.line(5, query)])
    #expect((log.requests.count == 1) == (expected == nil))
    let left = ["rows are left out for want of a date, a URL or CMCD: 1"]
    #expect(Array(log.notes.dropLast()) == (expected == nil ? left : []))
    guard let expected else { return }
    let span = words(log.segmentDuration?.nanoseconds)
    #expect("\(span) \(log.stallCount == 1 ? "yes" : "no")" == expected)
  }

  @Test(
    arguments: [
      ("i", false), ("tt", false), ("c", false), ("k", false), ("v", true), ("a", true),
      ("av", true), ("m", true), ("o", true), ("x", true), ("", true),
    ])
  func `an init section, text or a key is no segment`(type: String, isRead: Bool) throws {
    let segment = Self.line(1, "CMCD=ot%3Dv")
    let log = try lines([segment, Self.line(5, "CMCD=bs,ot%3D\(type)")])
    #expect(log.requests.count == (isRead ? 2 : 1) && log.stallCount == 1)
    let note = "lines of init sections, text and keys are left out: 1"
    #expect(log.notes.contains(note) != isRead)
  }

  @Test func `a row that is there twice counts once, unless it has no date`() throws {
    let rows = [Self.line(1, "CMCD=bs%2Csid%3D%22a%22"), Self.line(3, "CMCD=sid%3D%22a%22")]
    let lines = try lines(rows + [rows[0], Self.line(1, "CMCD=bs%2Csid%3D%22b%22")])
    #expect(lines.requests.count == 2 && lines.stallCount == 1)
    let note = "rows are left out that are there twice: 1"
    #expect(lines.notes.first == note)
    let event =
      #"{ "event": "r", "url": "https://a/s2.ts", "requestStart": "2024-02-29T10:00:00Z" }"#
    let events = try metrics([event, event, event.replacing(":00Z", with: ":01Z")])
    #expect(events.requests.count == 3 && events.notes == [note])
    let undated = try metrics([#"{ "event": "play" }"#, #"{ "event": "play" }"#])
    #expect(undated.notes == ["rows are left out for want of a date, a URL or CMCD: 2"])
    let entry = "{ \(Self.row), \"playbackStartDate\": \"2024-02-29T10:00:00Z\" }"
    let entries = try accessLog("[ \(entry), \(entry) ]")
    #expect(entries.entries.count == 1 && entries.notes.contains(note))
  }

  @Test func `the session with the most lines is read, of as many the first`() throws {
    func line(_ second: Int, _ session: String) -> String {
      Self.line(second, "CMCD=bs%2Csid%3D%22\(session)%22")
    }
    let most = try lines([line(1, "a"), line(2, "b"), line(3, "c"), line(5, "b")])
    #expect(most.requests.map { $0.uri.suffix(4).first } == ["2", "5"])
    #expect(most.requests.map { words($0.started.nanoseconds) } == ["0", "3000"])
    #expect(most.stallCount == 2)
    #expect(
      most.notes == [
        "lines of other sessions are left out: 2", "a stall is a request with “bs”",
      ])
    let tied = try lines([line(1, "a"), line(2, "b"), line(4, "b"), line(3, "a")])
    #expect(tied.requests.map { words($0.started.nanoseconds) } == ["0", "2000"])
    #expect(tied.requests.map { $0.uri.suffix(4).first } == ["1", "3"])
  }
}
