import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import TestSupport
import Testing
import VirtualTime

/// The media that the requests of a session show: files, playlists, numbered segments and entries
/// of access logs.
@Suite struct FieldMediaTests {
  private func request(
    _ uri: String, bytes: Int64?, from first: Int64? = nil, of whole: Int64? = nil,
    type: String = "video/mp4", at milliseconds: Int64 = 0
  ) -> String {
    var response = "\"content\": { \"mimeType\": \"\(type)\" }"
    if let bytes { response += ", \"bodySize\": \(bytes)" }
    if let first, let whole {
      response +=
        ", \"headers\": [ { \"name\": \"Content-Range\", \"value\": "
        + "\"bytes \(first)-\(first + (bytes ?? 0) - 1)/\(whole)\" } ]"
    }
    let fraction = String("\(1_000 + milliseconds % 1_000)".dropFirst())
    return """
      { "startedDateTime": "2024-02-29T10:00:\(10 + milliseconds / 1_000).\(fraction)Z",
        "time": 500, "request": { "url": "\(uri)" }, "response": { "status": 200, \(response) },
        "timings": { "wait": 100, "receive": 400 } }
      """
  }

  private func session(
    _ requests: [String], duration: MediaTime? = nil, segment: MediaTime? = nil
  ) throws(Diagnostic) -> FieldSession {
    let list = requests.joined(separator: ", ")
    let log = try FieldLog(har: Array("{ \"log\": { \"entries\": [ \(list) ] } }".utf8))
    return try FieldSession(
      log, name: "a", folder: "f/", duration: duration, segmentDuration: segment)
  }

  private func media(_ session: FieldSession) -> String {
    session.document["media"]?.json ?? ""
  }

  private func message(_ make: () throws(Diagnostic) -> FieldSession) -> String {
    do throws(Diagnostic) {
      _ = try make()
      return ""
    } catch {
      return error.message
    }
  }

  // MARK: Files

  /// Ranges of a file of 1,000 bytes, and the size of the atom that one of them read.
  @Test(
    arguments: [
      ([(0, 1_000)], 0), ([(0, 100), (900, 100)], 100), ([(0, 100), (500, 500)], 0),
      ([(0, 100), (501, 499)], 499), ([(0, 100), (900, 99)], 0), ([(0, 100), (901, 100)], 0),
      ([(900, 100), (0, 100)], 0), ([(0, 100), (100, 100), (900, 100)], 100),
      ([(0, 100), (100, 100), (200, 100), (900, 100)], 0), ([(0, 100), (999, 1)], 1),
    ] as [([(Int64, Int64)], Int64)])
  func `an index behind the media was read by the second or the third request`(
    ranges: [(Int64, Int64)], head: Int64
  ) throws {
    let requests = ranges.enumerated().map { index, range in
      request(
        "https://a/film.mp4", bytes: range.1, from: range.0, of: 1_000, at: Int64(index) * 1_000)
    }
    let session = try session(requests, duration: .seconds(8))
    let atom = head > 0 ? ",\"headAtom\":{\"size\":\"\(head) B\",\"at\":\"end\"}" : ""
    #expect(
      media(session)
        == "{\"progressive\":{\"duration\":\"8 s\",\"size\":\"\(1_000 - head) B\"\(atom)}}")
    let unseen = session.notes.contains("an index at the front of the file would not be seen")
    #expect(unseen == (head == 0))
    #expect(session.notes.contains("the file's bytes are spread evenly over its duration"))
  }

  /// The file is the resource of the largest answer for media, whatever its name or its type.
  @Test func `of several resources the largest that is media is the file`() throws {
    let requests = [
      request("https://a/page", bytes: 9_000, type: "text/html"),
      request("https://a/one.mp4", bytes: 300, type: "text/plain"),
      request("https://a/two", bytes: 400, type: "VIDEO/mp4"),
      request("https://a/two", bytes: 350, type: "Audio/x"),
      request("https://a/three", bytes: 399, type: "audio/mpeg"),
    ]
    let session = try session(requests, duration: .seconds(2))
    #expect(media(session) == #"{"progressive":{"duration":"2 s","size":"400 B"}}"#)
    #expect(session.notes.contains("the link is what requests for other things left of it: 3"))
    #expect(session.document["about"]?.json.contains("2 requests") == true)
    // Of as large ones the first; one of no known size is none of them.
    let twins = ["a", "b"].map { request("https://a/\($0).mp4", bytes: 8, type: "x") }
    let first = try self.session(twins, duration: .seconds(1))
    #expect(first.document["about"]?.json.contains("with 1 request. Assumed") == true)
    #expect(String(decoding: first.trace(), as: UTF8.self).contains("https://a/a.mp4"))
    let sized = try self.session(
      [request("https://a/a.mp4", bytes: nil), request("https://a/b.mp4", bytes: 1)],
      duration: .seconds(1))
    #expect(String(decoding: sized.trace(), as: UTF8.self).contains("https://a/b.mp4"))
    let tiny = try self.session([request("https://a/x.mov", bytes: 0)], duration: .seconds(1))
    #expect(media(tiny).contains(#""size":"2 B""#))
    let one = try self.session([request("https://a/x.mp3", bytes: 1)], duration: .seconds(1))
    #expect(media(one).contains(#""size":"2 B""#))
  }

  @Test func `a log needs media, and a file its duration`() {
    let page = request("https://a/page", bytes: 9, type: "text/html")
    let film = request("https://a/film.mp4", bytes: 9)
    let none = message { () throws(Diagnostic) in try session([page], duration: .seconds(1)) }
    #expect(none == "the log has no request for media")
    let endless = message { () throws(Diagnostic) in try session([page, film]) }
    #expect(endless == "no request tells how long the file is")
  }

  // MARK: Segments by their numbers

  private static func ranges(of names: [String], at offsets: [Int64]) -> [(String, Int64)] {
    names.flatMap { name in offsets.map { (name, $0) } }
  }

  private static let parts = ranges(of: (270..<280).map { "seg\($0).mp4" }, at: [0, 300, 600])
  private static let variants = ranges(
    of: ["v1.mp4", "v2.mp4", "v3.mp4"], at: [0, 300, 600, 900, 1_200])

  private static let read: [([(String, Int64)], Bool)] = [
    ([("v-720.mp4", 0), ("v-720.mp4", 300), ("v-1080.mp4", 0), ("v-1080.mp4", 600)], false),
    ([("v-720.mp4", 0), ("v-720.mp4", 300), ("v-1080.mp4", 600)], true),
    ([("v1.mp4", 0), ("v2.mp4", 0), ("v2.mp4", 300), ("v3.mp4", 0)], true),
    ([("v1.mp4", 0), ("v1.mp4", 0), ("v2.mp4", 0), ("v2.mp4", 0)], true),
    (parts, true), (variants, false),
  ]

  /// Files of two and of three variants in ranges; segments of which one was resumed, and in parts.
  @Test(arguments: read)
  func `files that are read in ranges are no segments`(ranges: [(String, Int64)], areNumbered: Bool)
    throws
  {
    let requests = ranges.enumerated().map { index, range in
      request(
        "https://a/" + range.0, bytes: 300, from: range.1, of: 900, at: Int64(index) * 1_000)
    }
    let session = try session(requests, duration: .seconds(9))
    #expect(session.media.files.isEmpty != areNumbered)
    #expect(session.document["media"]?.json.contains("progressive") != areNumbered)
  }

  private func lists(_ session: FieldSession) -> [String] { session.media.files.map { $0.text } }

  private func list(_ names: [String], each duration: String, target: Int) -> String {
    "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n"
      + names.map { "#EXTINF:\(duration),\n\($0)\n" }.joined() + "#EXT-X-ENDLIST\n"
  }

  @Test(
    arguments: [
      (nil, "6", 6), (MediaTime.seconds(4), "4", 4),
      (MediaTime(nanoseconds: 3_500_000_000), "3.5", 4),
      (MediaTime(nanoseconds: 4_000_000_001), "4.000000001", 5),
    ] as [(MediaTime?, String, Int)])
  func `segments are numbered as their names are`(
    segment: MediaTime?, text: String, target: Int
  ) throws {
    let session = try session(
      [
        request("https://a/v2/s3.ts?t=9#x", bytes: 1_000, at: 1_000),
        request("https://a/v2/s1.ts?t=7", bytes: 2_000),
        request("https://a/v2/lone9.ts", bytes: 2_000), request("https://a/v2/s.ts", bytes: 5),
      ], segment: segment)
    let lists = lists(session)
    let names = ["https://a/v2/s1.ts?t=7", "gone-2", "https://a/v2/s3.ts?t=9#x"]
    #expect(lists.count == 2 && lists[1] == list(names, each: text, target: target))
    // 1,500 bytes a segment, and 2,000 at the most.
    let length = (segment ?? .seconds(6)).nanoseconds
    let (mean, peak) = (12_000_000_000_000 / length + 1, 16_000_000_000_000 / length + 1)
    #expect(
      lists[0] == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=\(peak),AVERAGE-BANDWIDTH=\(mean)\n"
        + "media-0.m3u8\n")
    #expect(session.media.files.map { $0.path } == ["f/main.m3u8", "f/media-0.m3u8"])
    #expect(
      session.notes.contains(
        "no playlist is in the log: segments are numbered as their names are and last \(text) s"))
    #expect(
      media(session)
        == #"{"hls":{"playlists":"f/main.m3u8","segmentBytes":[{"playlist":"f/media-0.m3u8","#
        + #""bytes":["2000 B",null,"1000 B"]}],"playlistsAreThere":true}}"#)
  }

  /// A client that tries each variant once asks for more of them than of segments.
  @Test(arguments: [[240, 480, 720, 1_080], [1_080, 240, 720, 480]])
  func `the number that rises from request to request counts the segments`(
    heights: [Int]
  ) throws {
    let requests = ["000", "001"].flatMap { number in
      heights.map { request("https://a/v\($0)_\(number).ts", bytes: Int64($0)) }
    }
    #expect(lists(try session(requests)).count == 5)
  }

  /// Two names, and the numbers from the first to the last; nil where no segments are seen.
  @Test(
    arguments: [
      ("s1.ts", "s2.ts", 1...2), ("s09.ts", "s10.ts", nil), ("s9.ts", "s10.ts", 9...10),
      ("1.m4s", "4.m4s", 1...4), ("a1b2.ts", "a1b3.ts", 2...3), ("a1b2.ts", "a2b2.ts", 1...2),
      ("s1x.ts", "s2x.ts", 1...2), ("s1.mp4", "s2.mp4", 1...2), ("s1.txt", "s2.txt", nil),
      ("s1.ts", "t2.ts", nil), ("s1", "s2", nil),
      ("s123456788.ts", "s123456789.ts", 123_456_788...123_456_789),
      ("s1234567888.ts", "s1234567889.ts", 1_234_567_888...1_234_567_889),
      ("s12345678901234567890.ts", "s12345678901234567891.ts", nil), ("s1.TS", "s2.TS", 1...2),
      ("s0.aac", "s1.aac", 0...1),
      ("s1.ts", "s500001.ts", nil), ("s1.ts", "s 2.ts", nil), ("v1.x/s.ts", "v2.x/s.ts", nil),
    ] as [(String, String, ClosedRange<Int>?)])
  func `segments differ in one number of their names alone`(
    first: String, second: String, numbers: ClosedRange<Int>?
  ) throws {
    let requests = [first, second].map { request("https://a/\($0)", bytes: 10) }
    // Requests without numbers are a file without a duration, or nothing.
    guard let numbers else {
      // s09 and s10 have numbers of other lengths, and one pattern.
      if first == "s09.ts" {
        let session = try self.session(requests)
        #expect(lists(session)[1].contains("https://a/s09.ts\n#EXTINF:6,\nhttps://a/s10.ts"))
        return
      }
      let found = message { () throws(Diagnostic) in try self.session(requests) }
      #expect(
        ["no request tells how long the file is", "the log has no request for media"]
          .contains(found))
      return
    }
    let session = try self.session(requests)
    var names = numbers.map { "gone-\($0)" }
    (names[0], names[names.count - 1]) = ("https://a/\(first)", "https://a/\(second)")
    #expect(lists(session)[1] == list(names, each: "6", target: 6))
  }

  @Test func `segments of sound are a rendition, unless there is nothing else`() throws {
    let sound = [
      request("https://a/audio/1.m4s", bytes: 100), request("https://a/audio/2.m4s", bytes: 300),
    ]
    let pictures = [
      request("https://a/v/1.m4s", bytes: 600), request("https://a/v/2.m4s", bytes: 601),
      request("https://a/w/2.m4s", bytes: 700, type: "AUDIO/mp4"),
      request("https://a/w/3.m4s", bytes: 700, type: "AUDIO/mp4"),
    ]
    let both = try session(sound + pictures, segment: .seconds(2))
    #expect(
      lists(both)[0]
        == """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="0",AUTOSELECT=YES,URI="media-0.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=2405,AVERAGE-BANDWIDTH=2403,AUDIO="a"
        media-1.m3u8
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="2",AUTOSELECT=YES,URI="media-2.m3u8"

        """)
    let names = ["https://a/audio/1.m4s", "https://a/audio/2.m4s", "gone-3"]
    #expect(lists(both).contains(list(names, each: "2", target: 2)))
    let alone = try session(sound, segment: .seconds(2))
    #expect(
      lists(alone)[0]
        == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1201,AVERAGE-BANDWIDTH=801\nmedia-0.m3u8\n")
  }

  /// The segments of each list as their names tell, where “-” is none.
  private func segments(_ names: String) throws -> String {
    let requests = names.split(separator: " ").enumerated().map { index, name in
      request("https://a/\(name)", bytes: 10, at: Int64(index) * 1_000)
    }
    return lists(try session(requests)).dropFirst().map { list in
      list.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
        line.hasPrefix("gone-") ? "-" : String(line.dropFirst("https://a/".count))
      }.joined(separator: " ")
    }.joined(separator: ", ")
  }

  @Test(arguments: [
    ("low/1.ts hi/2.ts hi/3.ts", "low/1.ts - -, - hi/2.ts hi/3.ts"),
    ("hi/1.ts hi/2.ts low/3.ts", "hi/1.ts hi/2.ts -, - - low/3.ts"),
    ("a/1.ts b/2.ts c/3.ts c/4.ts", "a/1.ts - - -, - b/2.ts - -, - - c/3.ts c/4.ts"),
    ("v_0_1.ts v_1_2.ts v_1_3.ts", "v_0_1.ts - -, - v_1_2.ts v_1_3.ts"),
    ("low_1.ts hi_2.ts hi_3.ts hi_4.ts", "low_1.ts - - -, - hi_2.ts hi_3.ts hi_4.ts"),
    ("low/1.ts hi/3.ts hi/4.ts", "hi/3.ts hi/4.ts"), ("x9.ts s1.ts s2.ts", "s1.ts s2.ts"),
    ("init0.ts s1.ts s2.ts", "s1.ts s2.ts"),
  ])
  func `a variant of one segment counts where others go on from it`(
    names: String, lists: String
  ) throws {
    #expect(try segments(names) == lists)
  }

  @Test(arguments: [
    (
      "seg-1-v1-a1.ts seg-2-v1-a1.ts seg-3-v1-a1.ts", "seg-1-v1-a1.ts seg-2-v1-a1.ts seg-3-v1-a1.ts"
    ),
    (
      "seg-1-v1-a1.ts seg-2-v2-a1.ts seg-3-v2-a1.ts",
      "seg-1-v1-a1.ts - -, - seg-2-v2-a1.ts seg-3-v2-a1.ts"
    ),
    ("low/s-7-v1.ts hi/s-8-v1.ts hi/s-9-v1.ts", "low/s-7-v1.ts - -, - hi/s-8-v1.ts hi/s-9-v1.ts"),
    ("1_720p.ts 2_720p.ts 3_1080p.ts", "1_720p.ts 2_720p.ts -, - - 3_1080p.ts"),
    (
      "v0.m4s v360000.m4s v720000.m4s v1440000.m4s", "v0.m4s v360000.m4s v720000.m4s - v1440000.m4s"
    ),
    ("v0.ts v6.ts v12.ts", "v0.ts v6.ts v12.ts"), ("v1.ts v3.ts v4.ts", "v1.ts - v3.ts v4.ts"),
    ("lo/900000.ts hi/1800000.ts hi/2700000.ts", "lo/900000.ts - -, - hi/1800000.ts hi/2700000.ts"),
    (
      "v/154305828030000.ts v/154305828570000.ts v/154305829110000.ts",
      "v/154305828030000.ts v/154305828570000.ts v/154305829110000.ts"
    ),
    (
      "v90000.ts a48000.ts v180000.ts a96000.ts v270000.ts a144000.ts",
      "v90000.ts v180000.ts v270000.ts, a48000.ts a96000.ts a144000.ts"
    ),
  ])
  func `the number that differs most counts segments, and times count by their step`(
    names: String, lists: String
  ) throws {
    #expect(try segments(names) == lists)
  }

  /// RFC 8216 §4.3.4.2.
  @Test func `a peak is that of segments of half the target duration at least`() throws {
    let rows = [("1", 4.0, 1_000), ("2", 4, 3_000), ("3", 1.9, 2_000), ("4", 2, 1_600)]
    let events = rows.map { name, duration, bytes in
      """
      { "event": "HLSMediaSegmentRequest", "url": "https://a/\(name).ts", "bytes": \(bytes),
        "requestStart": "2024-02-29T10:00:0\(name)Z", "responseStart": "2024-02-29T10:00:0\(name)Z",
        "responseEnd": "2024-02-29T10:00:0\(name).5Z", "segmentDuration": \(duration) }
      """
    }
    let log = try FieldLog(metrics: Array("[ \(events.joined(separator: ", ")) ]".utf8))
    let session = try FieldSession(log, name: "a", folder: "f/")
    let main = lists(session)[0]
    #expect(main.contains(":BANDWIDTH=6401,AVERAGE-BANDWIDTH=5110\n"), "\(main)")
  }

  // MARK: Entries of access logs

  private func ladder(_ entries: [String]) throws -> String {
    let list = entries.map { "{ \($0) }" }.joined(separator: ", ")
    let log = try FieldLog(accessLog: Array("[ \(list) ]".utf8))
    return media(try FieldSession(log, name: "a", folder: "f/"))
  }

  /// Bytes over the media that they brought, or else that was watched; without either what is
  /// declared, as a mean if it is.
  @Test(arguments: [
    (#""numberOfBytesTransferred": 1000, "segmentsDownloadedDuration": 4"#, "2000"),
    (#""numberOfBytesTransferred": 1001, "segmentsDownloadedDuration": 3"#, "2670"),
    (#""numberOfBytesTransferred": 1000"#, "1000"),
    (#""numberOfBytesTransferred": 1, "segmentsDownloadedDuration": 4"#, "2"),
    (#""indicatedAverageBitrate": 600, "indicatedBitrate": 700"#, "600"),
    (#""indicatedBitrate": 700"#, "700"), (#""indicatedBitrate": 0"#, "1"), ("", "1000000"),
  ])
  func `the rate of a variant is that of its bytes, or what is declared`(
    members: String, rate: String
  ) throws {
    let more = members.isEmpty ? "" : ", " + members
    let found = try ladder([#""durationWatched": 8"# + more])
    #expect(found.contains("\"ladder\":[{\"bitrate\":\"\(rate) bit/s\"}]"), "\(found)")
  }

  /// Requests and loaded seconds of an entry that was watched for a second, the length of its
  /// segments and of the media.
  @Test(arguments: [
    (1, "0", "6 s", "1 s"), (0, "12", "6 s", "12 s"), (2, "12", "6 s", "12 s"),
    (120, "12", "0.1 s", "12 s"), (121, "12", "6 s", "12 s"), (1, "7200", "3600 s", "7200 s"),
    (1, "0.5", "0.5 s", "1 s"),
  ])
  func `segments last as their requests tell`(
    requests: Int, loaded: String, segment: String, duration: String
  ) throws {
    let found = try ladder([
      "\"durationWatched\": 1, \"numberOfBytesTransferred\": 1000, "
        + "\"numberOfMediaRequests\": \(requests), \"segmentsDownloadedDuration\": \(loaded)"
    ])
    #expect(
      found.hasSuffix("\"duration\":\"\(duration)\",\"segmentDuration\":\"\(segment)\"}}"),
      "\(found)")
  }

  @Test func `segments last six seconds where no entry tells of its requests`() throws {
    let untold =
      #""durationWatched": 100, "numberOfBytesTransferred": 9, "segmentsDownloadedDuration": 120"#
    #expect(try ladder([untold]).hasSuffix(#""segmentDuration":"6 s"}}"#))
    // Four requests for 8 s: of the others nothing is known.
    let told =
      #""durationWatched": 8, "numberOfMediaRequests": 4, "segmentsDownloadedDuration": 8"#
    #expect(try ladder([untold, told]).hasSuffix(#""segmentDuration":"2 s"}}"#))
  }

  // MARK: Seeks and what is missing

  private func playlist(_ uri: String, _ lines: [String], bytes: Int64? = nil) -> String {
    let text = lines.joined(separator: "\\n")
    return request(uri, bytes: bytes ?? 50).replacing(
      "\"content\": {", with: "\"content\": { \"text\": \"#EXTM3U\\n\(text)\\n\","
    )
    .replacing("video/mp4", with: "application/x-mpegurl")
  }

  /// Segments of 4, 2, 4 and 1.999999999 s, and then 4 s, in the order in which they were asked
  /// for: one that begins more than half of itself behind what was asked for was sought.
  @Test(
    arguments: [
      ([1, 2, 3, 4, 5], ""), ([1, 3], ""), ([1, 4], "10 s at 2 s"),
      ([1, 2, 4], "10 s at 3 s"), ([1, 2, 5], "11.999999999 s at 3 s"),
      ([2], "4 s at 1 s"), ([1, 2, 3, 5], ""), ([1, 2, 1, 2, 3], ""),
      ([5, 1, 2, 4], "11.999999999 s at 1 s"), ([2, 5], "4 s at 1 s, 11.999999999 s at 2 s"),
    ] as [([Int], String)])
  func `a segment behind one that was passed over was sought`(
    numbers: [Int], places: String
  ) throws {
    let lengths = ["4", "2", "4", "1.999999999", "4"]
    let lines =
      ["#EXT-X-TARGETDURATION:4"]
      + lengths.enumerated().flatMap { ["#EXTINF:\($1),", "s\($0 + 1).ts"] } + ["#EXT-X-ENDLIST"]
    let requests = numbers.enumerated().map {
      request("https://a/s\($1).ts", bytes: 10, at: Int64($0 + 1) * 1_000)
    }
    let session = try session([playlist("https://a/l.m3u8", lines)] + requests)
    let script = try #require(session.document["script"]?.json)
    let found = script.split(separator: "},{").dropFirst().map { step in
      let parts = step.split(separator: "\"")
      return "\(parts[10]) at \(parts[2])"
    }
    #expect(found.joined(separator: ", ") == places)
  }

  /// Media of so many seconds, asked for to the end or not, and the horizon: half as
  /// long again as the media, which is not said where it would be within the usual hour.
  @Test(
    arguments: [
      (1_000, true, nil), (2_399, true, nil), (2_400, true, "3600 s"), (2_401, true, "3601.5 s"),
      (4_000, true, "6000 s"), (2_400, false, "2.5 s"),
    ] as [(Int, Bool, String?)])
  func `a session has half its media more to play it`(
    seconds: Int, isComplete: Bool, horizon: String?
  ) throws {
    var lines = ["#EXT-X-TARGETDURATION:\(seconds)", "#EXTINF:\(seconds),", "s.ts"]
    if !isComplete { lines += ["#EXTINF:\(seconds),", "nobody-asks-for-it.ts"] }
    let session = try session([
      playlist("https://a/l.m3u8", lines + ["#EXT-X-ENDLIST"]),
      request("https://a/s.ts", bytes: 10, at: 2_000),
    ])
    let found = session.document["horizon"]?.json.replacing("\"", with: "")
    #expect(found == horizon, "\(session.document.json)")
  }
}
