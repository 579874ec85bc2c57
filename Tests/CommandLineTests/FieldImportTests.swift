import Foundation
import TestSupport
import Testing

/// HARs by the command: what is written, what is kept, and what is said.
@Suite(.besideOthers) struct FieldImportTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(SampleHAR.stream, to: "viewer.har")
  }

  @Test func `a HAR becomes a scenario with its playlists`() throws {
    let run = try place.run("import", "har", "viewer.har", "-o", "deep/field.json")
    #expect(run.exitCode == 0 && run.text.isEmpty, "\(run.errorText)")
    #expect(run.errorText.contains("viewer.har: note: the rate is known while bytes arrived"))
    #expect(try place.names().contains("deep/field-media/playlist.m3u8"))
    // 100 ms for each answer, 750 kB of a segment at 2 Mbit/s: 3.2 s; the next one stalls.
    let tested = try place.run("test", "deep/field.json")
    #expect(tested.exitCode == 0, "\(tested.text)")
    #expect(try place.run("run", "deep/field.json").text.contains("sizes by segmentBytes"))
    let text = try place.read("deep/field.json")
    #expect(text.contains(#""bandwidth": "2000000 bit/s""#), "\(text)")
    #expect(text.contains(#""stallCount": 1"#) && text.contains(#""about": "3.2 s""#), "\(text)")
    let piped = try place.run("import", "har", "-", "-o", "piped.json", input: SampleHAR.stream)
    #expect(piped.exitCode == 0)
  }

  @Test func `the recording of a session is read as that of a run, and is no run`() throws {
    _ = try place.run("import", "har", "viewer.har", "-o", "f.json", "--trace", "field.trace")
    let report = try place.run("report", "field.trace")
    #expect(report.exitCode == 0, "\(report.errorText)")
    #expect(report.errorText.contains("was read from a field log (HAR), which lacks"))
    // Worked out beside the sample: 4 s of media, then 2.1 s without.
    #expect(report.text.contains("startup delay  3.200 s"), "\(report.text)")
    #expect(report.text.contains("stalls         1, 2.100 s stalled"), "\(report.text)")
    #expect(report.text.contains("transferred    2.25 MB in 3 requests"), "\(report.text)")
    let page = try place.run("report", "field.trace", "--html", "field.html")
    #expect(page.exitCode == 0)
    #expect(try place.read("field.html").contains("was read from a field log (HAR)"))
    let replay = try place.run("replay", "field.trace")
    #expect(replay.exitCode == 65 && replay.errorText.contains("cannot be run again"))
  }

  @Test(arguments: [
    "files/vbr-heavy-tail", "demo/demo-2-slow-server-play", "links/outage-stalls-and-resumes",
  ])
  func `a run written as a HAR comes back as the same session`(name: String) throws {
    let scenario = Checkout.at("Scenarios/\(name).json").path
    let written = try place.run("export", "har", scenario)
    #expect(written.exitCode == 0 && written.errorText.isEmpty, "\(written.errorText)")
    try place.write(written.text, to: "run.har")
    let read = try place.run("import", "har", "run.har", "-o", "again.json")
    #expect(read.exitCode == 0, "\(read.errorText)")
    let tested = try place.run("test", "again.json")
    #expect(tested.exitCode == 0, "\(tested.text)")
  }

  @Test func `a HAR keeps the status of an error and the names of a queue's files`() throws {
    let name = Checkout.at("Scenarios/errors/errors-a-playlist-not-found.json").path
    let failed = try place.run("export", "har", name).text
    #expect(failed.contains(#""status": 404"#) && failed.contains(#""_error": "HTTP 404""#))
    let queue = Checkout.at("Scenarios/queues-and-loops/queue-own-assets.json").path
    let text = try place.run("export", "har", queue).text
    #expect(text.contains("/clip-2.mp4\""), "\(text.prefix(2_000))")
    let file = Checkout.at("Scenarios/demo/demo-2-slow-server-play.json").path
    #expect(try place.run("export", "har", file).text.contains("/movie.mp4\""))
  }

  @Test func `a run is held against the field, and what it does not explain is named`() throws {
    _ = try place.run("import", "har", "viewer.har", "-o", "f.json", "--trace", "field.trace")
    _ = try place.run("run", "f.json", "--quiet", "--trace", "same.trace")
    let same = try place.run("diff", "field.trace", "same.trace")
    #expect(same.exitCode == 0, "\(same.text)")
    #expect(same.text.contains("3 in both, 0 in the field alone, 0 in the run alone; 0 of another"))
    // In either order the field is the field.
    #expect(try place.run("diff", "same.trace", "field.trace").text == same.text)
    // At 8 Mbit/s the segments of 750 kB and 1.5 MB take 2.25 and 4.5 s less of 9.3 s, and the
    // second is there before the first was played.
    let faster = "link={\"bandwidth\":\"8 Mbit/s\",\"delay\":\"50 ms\"}"
    _ = try place.run("run", "f.json", "--quiet", "--set", faster, "--trace", "other.trace")
    let other = try place.run("diff", "field.trace", "other.trace")
    #expect(other.exitCode == 1)
    #expect(other.text.contains("at 4.000 s of the media: 2.100 s in the field, none in the run"))
    #expect(other.text.contains("startup   3.200 s in the field, 0.950 s in the run"))
    #expect(other.text.contains("the run explains 27.4 % of the 9.300 s"), "\(other.text)")
    let json = try place.run("diff", "field.trace", "other.trace", "--format", "json").text
    #expect(json.contains("\"explainedStallTime\": 0,") && json.contains("\"same\": false"))
  }

  @Test func `a live stream is said to be played on demand, and joining it is no seek`() throws {
    try place.write(SampleHAR.live, to: "live.har")
    let live = try place.run("import", "har", "live.har", "-o", "l.json")
    #expect(live.errorText.contains("note: the live stream is played as video on demand\n"))
    let text = try place.read("l.json")
    #expect(!text.contains("\"seek\""), "\(text)")
    // The same with an end is no live stream: its first two segments were passed over.
    try place.write(
      SampleHAR.live.replacing("a5.ts\\n\"", with: "a5.ts\\n#EXT-X-ENDLIST\\n\""), to: "ended.har")
    let ended = try place.run("import", "har", "ended.har", "-o", "e.json")
    #expect(!ended.errorText.contains("live"), "\(ended.errorText)")
    #expect(try place.read("e.json").contains("\"to\": \"8 s\""))
  }

  /// A file of 1 MB and 8 s in two ranges: the second half comes from 0 to 2 s, and the first one
  /// from 2 to 4 s.
  @Test func `the buffer of a file ends where its first bytes are missing`() throws {
    let parts = [(0, "bytes=500000-", 500_000), (2, "bytes=0-", 0)].map { second, range, first in
      """
      { "startedDateTime": "2024-02-29T10:00:0\(second)Z", "time": 2000,
        "request": { "method": "GET", "url": "https://a/film.mp4",
          "headers": [ { "name": "Range", "value": "\(range)" } ] },
        "response": { "status": 206, "bodySize": 500000, "content": { "mimeType": "video/mp4" },
          "headers": [ { "name": "Content-Range",
            "value": "bytes \(first)-\(first + 499_999)/1000000" } ] },
        "timings": { "send": 0, "wait": 0, "receive": 2000 } }
      """
    }
    try place.write(
      """
      { "log": { "pages": [ { "startedDateTime": "2024-02-29T10:00:00Z",
        "_playback": { "play": 0, "firstMotion": 3000, "stalls": [] } } ],
        "entries": [ \(parts.joined(separator: ", ")) ] } }
      """, to: "ranges.har")
    let run = try place.run(
      "import", "har", "ranges.har", "--duration", "8s", "-o", "r.json", "--trace", "r.trace")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let samples = try place.read("r.trace").split(separator: "\n").filter {
      $0.contains("loadedTimeRanges")
    }
    // At 3 s a quarter is there; at 4 s all is, of which a second was played.
    for (time, ahead) in [(0, 0), (2, 0), (3, 2), (4, 7)] {
      let sample = samples.first { $0.hasPrefix("{\"t\":\(time),") }
      #expect(sample?.contains("\"ahead\":\(ahead),") == true, "\(samples)")
    }
  }

  @Test func `what makes a session stall is drawn on a page`() throws {
    _ = try place.run("import", "har", "viewer.har", "-o", "f.json")
    let run = try place.run("resilience", "f.json", "--every", "1s", "--html", "page.html")
    #expect(run.exitCode == 0, "\(run.errorText)")
    // The second segment comes last: after it, nothing makes a difference.
    #expect(
      try place.read("page.html").contains("the shortest outage that makes it stall or fail: none"))
    let steady = shortScenario().replacing("\"4 s\"", with: "\"60 s\"")
    try place.write(steady, to: "steady.json")
    let both = try place.run(
      "resilience", "steady.json", "--policies", "avfoundation,Shaka 5.2", "--html", "two.html")
    #expect(both.exitCode == 0, "\(both.errorText)")
    let page = try place.read("two.html")
    #expect(page.contains("2 runs"))
    // A file of 1 Mbit/s over a link of 2 Mbit/s is never more than half of what arrived ahead.
    #expect(page.contains("the shortest outage that makes it stall or fail, at most"))
    #expect(page.contains("the highest rate of a dip that makes it stall or fail, at most"))
  }

  @Test func `nothing is taken the place of, and playlists need a place`() throws {
    try place.write("mine", to: "mine.json")
    let kept = try place.run("import", "har", "viewer.har", "-o", "mine.json")
    #expect(kept.exitCode == 74)
    #expect(try place.read("mine.json") == "mine")
    let twice = try place.run("import", "har", "viewer.har", "-o", "a.json", "--trace", "a.json")
    #expect(twice.exitCode == 64)
    let own = try place.run("import", "har", "viewer.har", "-o", "a.json", "--trace", "viewer.har")
    #expect(own.exitCode == 64 && own.errorText.contains("which is read"))
    let placeless = try place.run("import", "har", "viewer.har")
    #expect(placeless.exitCode == 64 && placeless.errorText.contains("--output <file>"))
    try place.write(shortScenario(), to: "short.json")
    let odd = try place.run("import", "har", "short.json")
    #expect(odd.exitCode == 65 && odd.errorText.contains("the HAR has no entry that can be used"))
  }

  @Test func `playlists that are there stay as they are, and nothing is written`() throws {
    try place.write("mine", to: "f-media/playlist.m3u8")
    let run = try place.run("import", "har", "viewer.har", "-o", "f.json", "--trace", "f.trace")
    #expect(run.exitCode == 74, "\(run.errorText)")
    let words = "'f-media/playlist.m3u8' is there already; nothing was written."
    #expect(run.errorText.contains(words), "\(run.errorText)")
    #expect(try place.read("f-media/playlist.m3u8") == "mine")
    let names = try place.names()
    #expect(!names.contains("f.json") && !names.contains("f.trace"), "\(names)")
    // Others in the folder are in nobody's way.
    try place.write("mine", to: "g-media/other.m3u8")
    #expect(try place.run("import", "har", "viewer.har", "-o", "g.json").exitCode == 0)
  }

  @Test func `a session without requests says so in place of a HAR's entries`() throws {
    let file = Checkout.at("Scenarios/files/local-file.json").path
    let run = try place.run("export", "har", file)
    #expect(run.exitCode == 0 && run.text.contains(#""entries": []"#), "\(run.text)")
    #expect(run.errorText.hasSuffix(": note: the session has no requests\n"), "\(run.errorText)")
  }

  /// A body that the writer did not see, of which a header tells the length.
  @Test(arguments: [-1, 0]) func `a size that was not measured is that of Content-Length`(
    body: Int
  ) throws {
    let length = #""headers": [ { "name": "Content-Length", "value": "750000" } ], "bodySize":"#
    let text = SampleHAR.stream.replacing(
      #""headers": [], "bodySize": 750000"#, with: "\(length) \(body)"
    ).replacing(#""size": 750000"#, with: #""size": 0"#)
    #expect(text.contains("Content-Length") && text.contains(#""size": 0"#))
    try place.write(text, to: "unmeasured/viewer.har")
    _ = try place.run("import", "har", "viewer.har", "-o", "f.json")
    _ = try place.run("import", "har", "unmeasured/viewer.har", "-o", "unmeasured/f.json")
    #expect(try place.read("unmeasured/f.json") == place.read("f.json"))
  }

  @Test func `durations that have no effect are named`() throws {
    let options = ["--duration", "3s", "--segment-duration", "2s", "-o"]
    let stream = try place.run(["import", "har", "viewer.har"] + options + ["a.json"])
    for option in ["--duration", "--segment-duration"] {
      #expect(
        stream.errorText.contains("note: \(option) has no effect: the playlists tell it\n"))
    }
    let told = #""headers": [ { "name": "X-Content-Duration", "value": "4" } ], "bodySize""#
    try place.write(
      SampleHAR.file.replacing(#""headers": [], "bodySize""#, with: told), to: "told.har")
    let file = try place.run(["import", "har", "told.har"] + options + ["b.json"])
    #expect(file.errorText.contains("note: --duration has no effect: the log tells it\n"))
    #expect(
      file.errorText.contains("note: --segment-duration has no effect: a file has no segments\n"))
    #expect(try place.read("b.json").contains(#""duration": "4 s""#))
  }

  /// Range, status, Content-Range and query of each entry.
  private static func ranges(of har: String) throws -> [String] {
    let root = try JSONSerialization.jsonObject(with: Data(har.utf8)) as? [String: Any]
    let entries = try #require((root?["log"] as? [String: Any])?["entries"] as? [[String: Any]])
    return entries.map { entry in
      let (asked, answer) = (entry["request"], entry["response"])
      func member(_ message: Any?, _ name: String) -> Any? { (message as? [String: Any])?[name] }
      func header(_ message: Any?, _ name: String) -> String {
        let all = member(message, "headers") as? [[String: String]] ?? []
        return all.first { $0["name"] == name }?["value"] ?? "-"
      }
      let query = (member(asked, "queryString") as? [[String: String]] ?? []).map {
        "\($0["name"] ?? "")=\($0["value"] ?? "")"
      }
      return "\(header(asked, "Range")) \(member(answer, "status") ?? "") "
        + "\(header(answer, "Content-Range")) \(query.joined(separator: "&"))"
    }
  }

  @Test func `a HAR asks for the byte ranges and the queries of playlists`() throws {
    try place.write(
      """
      #EXTM3U
      #EXT-X-VERSION:7
      #EXT-X-TARGETDURATION:4
      #EXT-X-MAP:URI="film.mp4?sig=a%20b&x",BYTERANGE="600@0"
      #EXT-X-BYTERANGE:96000@600
      #EXTINF:4,
      film.mp4?sig=a%20b&x
      #EXT-X-BYTERANGE:50000
      #EXTINF:4,
      film.mp4?sig=a%20b&x
      #EXT-X-BYTERANGE:70000@0
      #EXTINF:4,
      last.mp4
      #EXT-X-BYTERANGE:30000
      #EXTINF:4,
      last.mp4
      #EXTINF:4,
      whole.mp4
      #EXT-X-ENDLIST
      """, to: "ranges.m3u8")
    #expect(try place.run("import", "hls", "ranges.m3u8", "-o", "ranges.json").exitCode == 0)
    let har = try place.run("export", "har", "ranges.json").text
    try place.write(har, to: "ranges.har")
    #expect(
      try Self.ranges(of: har) == [
        "- 200 - ", "bytes=0-599 206 bytes 0-599/* sig=a b&x=",
        "bytes=600-96599 206 bytes 600-96599/* sig=a b&x=",
        "bytes=96600-146599 206 bytes 96600-146599/* sig=a b&x=",
        "bytes=0-69999 206 bytes 0-69999/* ", "bytes=70000-99999 206 bytes 70000-99999/* ",
        "- 200 - ",
      ])
    _ = try place.run("import", "har", "ranges.har", "-o", "again.json", "--trace", "field.trace")
    #expect(try place.run("run", "again.json", "--quiet", "--trace", "run.trace").exitCode == 0)
    let difference = try place.run("diff", "field.trace", "run.trace")
    #expect(
      difference.text.contains("7 in both, 0 in the field alone, 0 in the run alone"),
      "\(difference.text)")
  }

  @Test func `a file needs a duration that no request tells`() throws {
    try place.write(SampleHAR.file, to: "short.har")
    let run = try place.run("import", "har", "short.har")
    #expect(run.exitCode == 65 && run.errorText.contains("--duration"))
    let told = try place.run("import", "har", "short.har", "--duration", "4s")
    #expect(told.exitCode == 0 && told.text.contains(#""duration": "4 s""#))
    #expect(told.text.contains(#""size": "1000000 B""#))
    try place.write(told.text, to: "short.json")
    #expect(try place.run("test", "short.json").exitCode == 0)
  }

  @Test func `a mistake has its line and column`() throws {
    let wrong = SampleHAR.stream.replacing("\"time\": 100", with: "\"time\": 0100")
    try place.write(wrong, to: "bad.har")
    let run = try place.run("import", "har", "bad.har", "-o", "bad.json")
    #expect(run.exitCode == 65 && run.errorText.contains("bad.har:4:106:"), "\(run.errorText)")
    #expect(try !place.names().contains("bad.json"))
  }
}

/// HARs of sessions that were worked out by hand, at 2 Mbit/s.
enum SampleHAR {
  /// A playlist and two segments of 4 s and 750 kB, which take 3 s each: playback begins with the
  /// second segment's start and waits for 2 s at 4 s of the media.
  static let stream = har([
    entry(at: "00.000", "list.m3u8", bytes: 76, receive: 0, time: 100, body: playlist),
    entry(at: "00.100", "a1.ts", bytes: 750_000, receive: 3_000),
    entry(at: "03.200", "a2.ts", bytes: 1_500_000, receive: 6_000),
  ])

  /// The list of five segments is fetched twice, and the last three of them.
  static let live = har([
    entry(at: "00.000", "list.m3u8", bytes: 76, receive: 0, time: 100, body: window),
    entry(at: "00.100", "a3.ts", bytes: 750_000, receive: 3_000),
    entry(at: "03.200", "a4.ts", bytes: 750_000, receive: 3_000),
    entry(at: "06.300", "list.m3u8", bytes: 76, receive: 0, time: 100, body: window),
    entry(at: "06.400", "a5.ts", bytes: 750_000, receive: 3_000),
  ])

  private static let window =
    #"#EXTM3U\n#EXT-X-TARGETDURATION:4\n"#
    + (1...5).map { #"#EXTINF:4,\na\#($0).ts\n"# }.joined()

  static let file = har([entry(at: "00.000", "film.mp4", bytes: 1_000_000, receive: 4_000)])
    .replacing("_playback", with: "_other")

  private static let playlist =
    #"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na1.ts\n#EXTINF:4,\na2.ts\n#EXT-X-ENDLIST\n"#

  private static func har(_ entries: [String]) -> String {
    """
    { "log": { "version": "1.2", "creator": { "name": "WebInspector", "version": "1" },
      "pages": [ { "startedDateTime": "2024-02-29T10:00:00.000Z", "id": "page_0",
        "_playback": { "play": 0, "firstMotion": 3200, "stalls": [ { "start": 7200,
          "duration": 2100 } ] } } ], "entries": [ \(entries.joined(separator: ",\n")) ] } }
    """
  }

  private static func entry(
    at second: String, _ name: String, bytes: Int, receive: Int, time: Int? = nil, body: String = ""
  ) -> String {
    let type = body.isEmpty ? "video/mp2t" : "application/x-mpegURL"
    return """
      { "startedDateTime": "2024-02-29T10:00:\(second)Z", "time": \(time ?? receive + 100),
        "request": { "method": "GET", "url": "https://cdn.example/v/\(name)", "headers": [] },
        "response": { "status": 200, "httpVersion": "http/1.1", "headers": [], "bodySize": \(bytes),
          "content": { "size": \(bytes), "mimeType": "\(type)", "text": "\(body)" } },
        "timings": { "blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": 100,
          "receive": \(receive) } }
      """
  }
}
