import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

/// The entries of a HAR, member by member: times in milliseconds, and sizes.
@Suite struct HARReadingTests {
  /// An entry with other members than usual.
  private struct Entry {
    var top = ""
    var date = #""2024-02-29T10:00:00Z""#
    var url = #""https://a/s1.ts""#
    var asked = ""
    var status = "200"
    var response = #""bodySize": 9"#
    var time = #""time": 500,"#
    var timings = #"{ "wait": 100, "receive": 400 }"#

    var text: String {
      """
      { \(top) "startedDateTime": \(date), \(time) "request": { "url": \(url) \(asked) },
        "response": { "status": \(status), \(response) }, "timings": \(timings) }
      """
    }
  }

  private func log(_ entries: [String], _ frame: String = "") throws -> FieldLog {
    try FieldLog(
      har: Array(
        "{ \"log\": { \(frame) \"entries\": [ \(entries.joined(separator: ", ")) ] } }".utf8))
  }

  private func request(_ entry: Entry) throws -> FieldRequest {
    try #require(try log([entry.text]).requests.first)
  }

  private func words(_ time: Int64?) -> String { time.map { "\($0 / 1_000_000)" } ?? "-" }

  // MARK: Times

  /// First byte and end; then lookup, waiting, connect, security and response.
  @Test(
    arguments: [
      (#"{ "wait": 100, "receive": 400 }"#, "500", "100 500; - - - - 100"),
      (#"{ "send": 7, "wait": 93, "receive": 400 }"#, "500", "100 500; - - - - 100"),
      (
        #"{ "blocked": 10, "dns": 20, "connect": 30, "ssl": 15, "send": 5, "wait": 40, "#
          + #""receive": 50 }"#, "155", "105 155; 20 10 15 15 45"
      ),
      // A total that is longer by the handshake has it beside the connection; half of it decides.
      (
        #"{ "blocked": 10, "dns": 20, "connect": 30, "ssl": 15, "send": 5, "wait": 40, "#
          + #""receive": 50 }"#, "170", "120 170; 20 10 30 15 45"
      ),
      (#"{ "connect": 30, "ssl": 16, "wait": 40, "receive": 50 }"#, "128", "78 128; - - 14 16 40"),
      (#"{ "connect": 30, "ssl": 16, "wait": 40, "receive": 50 }"#, "129", "79 129; - - 30 16 40"),
      (#"{ "connect": 30, "ssl": 16, "wait": 40, "receive": 50 }"#, nil, "70 120; - - 14 16 40"),
      (#"{ "connect": 30, "ssl": 30, "wait": 40, "receive": 50 }"#, nil, "70 120; - - 30 30 40"),
      (#"{ "connect": 30, "ssl": 29, "wait": 40, "receive": 50 }"#, nil, "70 120; - - 1 29 40"),
      (#"{ "ssl": 16, "wait": 40, "receive": 50 }"#, "106", "56 106; - - - 16 40"),
      // No steps; a total that cannot be.
      (
        #"{ "blocked": 0, "dns": -1, "connect": 0, "ssl": 0, "wait": 0, "receive": 5 }"#, nil,
        "0 5; - - - - 0"
      ),
      (#"{ "wait": 40, "receive": 50 }"#, "49", "40 90; - - - - 40"),
      (#"{ "wait": 40, "receive": 50 }"#, "50", "0 50; - - - - 40"),
      (#"{ "wait": 40, "receive": 50 }"#, "51", "1 51; - - - - 40"),
      // Without a wait, or the time in which bytes came, only the end is known.
      (#"{ "dns": 20, "receive": 50 }"#, "90", "- 90; 20 - - - -"),
      (#"{ "wait": 40, "receive": -1 }"#, "90", "- 90; - - - - -"),
      (#"{ }"#, nil, "- -; - - - - -"),
    ] as [(String, String?, String)])
  func `the parts of a request's time`(timings: String, total: String?, expected: String) throws {
    var entry = Entry(timings: timings)
    entry.time = total.map { "\"time\": \($0)," } ?? ""
    let request = try request(entry)
    let ends = [request.responded, request.ended].map { words($0?.nanoseconds) }
    let steps = request.steps
    let parts = [steps.lookup, steps.waiting, steps.connect, steps.security, steps.response]
      .map { words($0?.nanoseconds) }
    #expect("\(ends[0]) \(ends[1]); \(parts.joined(separator: " "))" == expected)
    #expect(request.started == .zero)
    #expect(request.outcome == .completed)
  }

  /// It had connected before the client's request, and writes the date of that.
  @Test func `the requests of mitmproxy begin when they were asked for`() throws {
    let timings = #"{ "connect": 40, "ssl": 20, "send": 1, "wait": 39, "receive": 100 }"#
    let first = Entry(
      date: #""2024-02-29T10:00:00.500Z""#, time: #""time": 200,"#, timings: timings)
    let texts = [first.text, Entry(date: #""2024-02-29T10:00:02Z""#).text]
    let creators = ["mitmproxy addon", "mitmproxy", "mitm", "Firefox", "a mitmproxy"]
    for (creator, isIt) in zip(creators, [true, true, false, false, false]) {
      let log = try log(texts, "\"creator\": { \"name\": \"\(creator)\" },")
      let words = log.requests.map { request in
        [request.started, request.responded, request.ended].map {
          self.words($0?.nanoseconds)
        }.joined(separator: " ")
      }
      #expect(words == [isIt ? "0 40 140" : "0 100 200", "1500 1600 2000"], "\(creator)")
    }
  }

  // MARK: Sizes

  @Test(
    arguments: [
      (#""bodySize": 7"#, 7), (#""bodySize": -1, "_transferSize": 100, "headersSize": 30"#, 70),
      (#""bodySize": -1, "_transferSize": 100, "headersSize": -1"#, 100),
      (#""bodySize": 0, "_transferSize": 100, "headersSize": 30"#, 70), (#""bodySize": 0"#, 0),
      (#""bodySize": 1, "_transferSize": 100"#, 1),
      (#""_transferSize": 20, "headersSize": 30, "content": { "size": 5 }"#, 5),
      (#""_transferSize": 20, "headersSize": 30"#, 0),
      (#""content": { "size": 50, "compression": 20 }"#, 30),
      (#""content": { "size": 50, "compression": 60 }"#, 0), (#""content": { }"#, nil),
      (#""bodySize": "12""#, 12), (#""bodySize": 10000000000000"#, 10_000_000_000_000),
      (#""bodySize": 10000000000001"#, nil),
    ] as [(String, Int64?)])
  func `bytes are those of the body, of what was transferred, or of the content`(
    response: String, bytes: Int64?
  ) throws {
    #expect(try request(Entry(response: response)).bytes == bytes)
  }

  private func header(_ name: String, _ value: String) -> String {
    "{ \"name\": \"\(name)\", \"value\": \"\(value)\" }"
  }

  @Test(
    arguments: [
      ("200", "99", .cancelled), ("200", "100", .completed), ("200", "101", .completed),
      ("399", "100", .completed), ("400", "100", .failed), ("404", "99", .failed),
      ("0", "100", .failed),
    ] as [(String, String, StartupStage.Outcome)])
  func `an answer of fewer bytes than it said was cancelled, and one of a bad status failed`(
    status: String, bytes: String, outcome: StartupStage.Outcome
  ) throws {
    let response = "\"bodySize\": \(bytes), \"headers\": [ \(header("Content-Length", "100")) ]"
    let request = try request(Entry(status: status, response: response))
    #expect(request.outcome == outcome && request.size == 100)
    #expect((request.responded == nil) == (status == "0"))
  }

  /// First byte and size of the whole, from the answer's range or that of the request.
  @Test(arguments: [
    ("", "", "- -"), ("bytes 10-19/500", "", "10 500"), ("bytes 10-19/*", "", "- -"),
    ("bytes */500", "", "- -"), ("bytes 10-19/500", "bytes=30-", "10 500"),
    ("", "bytes=30-", "30 -"), ("", "bytes=30-99", "30 -"), ("", "bytes=-", "- -"),
    ("bytes 0-19/10000000000000", "", "0 10000000000000"),
    ("bytes 0-19/100000000000005", "", "0 100000000000005"),
    ("bytes 0-19/1000000000000055", "", "- -"),
  ])
  func `a range tells its first byte and the size of the whole`(
    answered: String, asked: String, expected: String
  ) throws {
    var entry = Entry()
    if !answered.isEmpty {
      entry.response += ", \"headers\": [ \(header("content-range", answered)) ]"
    }
    if !asked.isEmpty { entry.asked = ", \"headers\": [ \(header("RANGE", asked)) ]" }
    let request = try request(entry)
    let found = [request.firstByte, request.resourceBytes].map { $0.map { "\($0)" } ?? "-" }
    #expect(found.joined(separator: " ") == expected)
  }

  @Test(arguments: [
    (#""bodySize": 1, "content": { "mimeType": "video/mp4" }"#, "video/mp4"),
    (#""bodySize": 1, "content": { "mimeType": "" }"#, "audio/aac"),
    (#""bodySize": 1"#, "audio/aac"),
  ])
  func `a type is that of the content, or else of the header`(
    response: String, type: String
  ) throws {
    let headers = ", \"headers\": [ \(header("Content-Type", "audio/aac")), { \"name\": \"x\" } ]"
    #expect(try request(Entry(response: response + headers)).mimeType == type)
  }

  @Test func `the duration of a file may stand in a header`() throws {
    func duration(_ values: String...) throws -> MediaTime? {
      try log(
        values.map {
          Entry(
            response: "\"bodySize\": 1, \"headers\": [ \(header("X-Content-Duration", $0)) ]"
          ).text
        }
      ).duration
    }
    #expect(try duration("4.5") == MediaTime(nanoseconds: 4_500_000_000))
    #expect(try duration("4.5", "soon") == MediaTime(nanoseconds: 4_500_000_000))
    #expect(try duration("4.5", "6") == .seconds(6))
    #expect(try duration("soon") == nil && duration("2592001") == nil)
    #expect(try duration("2592000") == .seconds(2_592_000))
  }

  @Test(arguments: [
    ("h2", true), ("H3", true), ("HTTP/2", true), ("http/2.0", true), ("http/3", true),
    ("http/1.1", false), ("", false), ("h2c", false),
  ])
  func `the second version of HTTP has many names`(version: String, isSecond: Bool) throws {
    let response = "\"bodySize\": 1, \"httpVersion\": \"\(version)\""
    #expect(try request(Entry(response: response)).isHTTP2 == isSecond)
  }

  // MARK: Playlists

  private static let playlist = Array("#EXTM3U\n".utf8)

  @Test(
    arguments: [
      ("https://a/x", "application/x-mpegURL", "#EXTM3U\\n", playlist),
      ("https://a/x.M3U8?a=1", "text/plain", "#EXTM3U\\n", playlist),
      ("https://a/x?b=.m3u8", "text/plain", "#EXTM3U\\n", nil),
      ("https://a/x.ts", "video/mp2t", "#EXTM3U\\n", nil),
    ] as [(String, String, String, [UInt8]?)])
  func `a playlist is known by its type or its name`(
    url: String, type: String, text: String, playlist: [UInt8]?
  ) throws {
    let content = "\"content\": { \"mimeType\": \"\(type)\", \"text\": \"\(text)\" }"
    let request = try request(Entry(url: "\"\(url)\"", response: content))
    #expect(request.playlist == playlist)
  }

  /// RFC 4648 §10, and what is none.
  @Test(
    arguments: [
      ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"),
      ("Zm9vYmE=", "fooba"), ("Zm9vYmFy", "foobar"), ("Zm9v\\nYmFy", "foobar"),
      ("Zm 9vYm Fy", "foobar"), ("Zm9v-", nil), ("Zm9vé", nil), ("Pj4/", ">>?"), ("Pj4+", ">>>"),
      ("MDEyMzQ1Njc4OQ", "0123456789"), ("AAECAwR6", "\0\u{1}\u{2}\u{3}\u{4}z"),
    ] as [(String, String?)])
  func `the text of a playlist may be in base 64`(text: String, meaning: String?) throws {
    let content =
      "\"content\": { \"mimeType\": \"mpegurl\", \"encoding\": \"base64\", \"text\": \"\(text)\" }"
    #expect(try request(Entry(response: content)).playlist == meaning.map { Array($0.utf8) })
  }

  // MARK: What is left out

  @Test func `entries without a date, a URL or an answer are left out, and those of caches`() throws
  {
    let whole = Entry().text
    let log = try log([
      whole, Entry(date: "7").text, Entry(url: "7").text,
      whole.replacing("\"response\"", with: "\"other\""),
      whole.replacing("\"request\"", with: "\"other\""),
      Entry(top: #""_fromCache": "disk","#).text, Entry(status: "304").text,
      Entry(top: #""_fetchType": "Memory Cache","#).text,
      Entry(top: #""_fetchType": "Network Load","#, url: #""https://a/s2.ts""#).text,
      Entry(status: "305").text,
    ])
    #expect(log.requests.count == 3)
    #expect(
      log.notes == [
        "entries are left out that have no date or no URL (the first is entry 2): 4",
        "entries are left out that came from a cache: 3",
      ])
    #expect(try self.log([whole]).notes == [])
    #expect(throws: Diagnostic.self) { try self.log([Entry(date: "7").text]) }
  }

  @Test(arguments: ["\"nonsense\"", "7", "[ ]", "null"])
  func `an entry that is no object is a mistake, with its place`(entry: String) throws {
    // The entry before it takes two lines.
    let error = #expect(throws: Diagnostic.self) {
      try log([Entry().text, "\n " + entry, "7"])
    }
    #expect(error?.position == TextPosition(line: 3, column: 2))
    #expect(error?.message == "this entry is no object")
  }

  @Test func `a session lasts from its page to thirty days behind it`() throws {
    func entry(_ date: String) -> String { Entry(date: "\"\(date)\"").text }
    let texts = [
      entry("2024-02-29T10:00:02Z"), entry("2024-02-29T09:59:59.999Z"),
      entry("2024-02-29T10:00:00Z"), entry("2024-03-30T10:00:00Z"),
      entry("2024-03-30T10:00:00.000000001Z"),
    ]
    func page(_ more: String) -> String {
      "\"pages\": [ { }, { \"startedDateTime\": \"2024-02-29T10:00:00Z\" \(more) } ],"
    }
    let log = try log(texts, page(", \"_playback\": { }"))
    #expect(log.requests.map { $0.started } == [0, 2, 2_592_000].map { .zero + .seconds($0) })
    #expect(
      log.notes == ["entries are left out that lie before the start or 30 days after it: 2"])
    // A page without playback tells no start: of thirty days with as many requests the last do.
    let other = try self.log(texts, page(""))
    let days = TimeSpan.seconds(2_592_000)
    #expect(
      other.requests.map { $0.started - .zero } == [
        .zero, days - .seconds(2), days - .seconds(2) + .nanoseconds(1),
      ])
  }

  // MARK: Playback

  /// Call, first motion and stalls in milliseconds, and what is read of them.
  @Test(arguments: [
    (#""play": 1500, "firstMotion": 3000"#, "1500 3000 -"),
    (#""play": 1500, "firstMotion": 1499"#, "1500 1500 -"), (#""firstMotion": 7"#, "- 7 -"),
    (#""play": 1500"#, "1500 - -"), (#""play": -1, "firstMotion": "x""#, "- - -"),
    (#""play": 0, "stalls": [ ]"#, "0 - "),
    (
      #""firstMotion": 3000, "stalls": [ { "start": 9000, "duration": 500 }, "#
        + #"{ "start": 5000, "duration": 100 }, { "start": 1000, "duration": 200 } ]"#,
      "- 3000 3000-3200 5000-5100 9000-9500"
    ),
  ])
  func `the player's own facts`(playback: String, expected: String) throws {
    let frame = #""pages": [ { "startedDateTime": "2024-02-29T10:00:00Z", "_playback": "#
    let log = try log([Entry().text], frame + "{ \(playback) } } ],")
    let stalls = log.stalls?.map {
      words($0.lowerBound.nanoseconds) + "-" + words($0.upperBound.nanoseconds)
    }
    let found = [
      words(log.play?.nanoseconds), words(log.began?.nanoseconds),
      stalls?.joined(separator: " ") ?? "-",
    ]
    #expect(found.joined(separator: " ") == expected)
  }

  /// Notes, and the number of stalls where that alone is known.
  @Test(
    arguments: [
      (#""play": 900, "firstMotion": 900, "stalls": [ { "start": 900, "duration": 1 } ]"#, [], nil),
      (
        #""play": 900, "firstMotion": 700"#,
        ["the first motion lies before play: it is taken to be at the call"], nil
      ),
      (
        #""firstMotion": 3000, "stalls": [ { "start": 1000, "duration": 200 } ]"#,
        ["stalls before the first motion are taken to begin with it: 1"], nil
      ),
      (
        #""firstMotion": 0, "stalls": [ { "start": 2000 }, { "start": 3000, "duration": -5 }, "#
          + #"{ "start": 4000, "duration": 100 } ]"#,
        ["of 3 stalls only the number is kept, as some lack a start or a duration: 2"], 3
      ),
    ] as [(String, [String], Int64?)])
  func `facts of the player that cannot be are named`(
    playback: String, notes: [String], count: Int64?
  ) throws {
    let frame = #""pages": [ { "startedDateTime": "2024-02-29T10:00:00Z", "_playback": "#
    let log = try log([Entry().text], frame + "{ \(playback) } } ],")
    #expect(log.notes == notes && log.stallCount == count)
    if count != nil { #expect(log.stalls == nil) }
  }
}
