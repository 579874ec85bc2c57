import ExactText
import PlayerPolicies
import Recording
import RunReports
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Sessions that were not run: a run written as a HAR comes back as the same scenario, and HARs of
/// other tools are read as they mean it.
@Suite struct FieldLogTests {
  @Test(arguments: [
    "app-on-avkit-before-ios-10", "evaluating-the-buffering-rate", "external-timeline",
    "goldilocks-just-right", "interstitial-with-media-of-its-own",
    "interstitials-one-after-the-other", "play-immediately-on-an-empty-buffer",
    "projecting-current-time", "time-goes-on-past-the-end", "demo-1-fast-network",
    "demo-2-slow-server-play", "demo-4-slow-server-load-only", "demo-5-conditioner-on-late",
    "demo-recap-panels", "errors-a-media-file-not-received", "errors-a-variant-comes-back",
    "errors-everything-not-found", "errors-segments-of-a-variant-not-found",
    "bytes-of-items-that-left", "head-atom-at-the-end", "request-cancelled-at-the-limit",
    "same-file-on-a-worse-link", "vbr-heavy-tail", "gapless-scenes-of-one-asset",
    "dns-costs-three-seconds-once", "outage-stalls-and-resumes",
    "outage-survived-by-the-buffer", "profile-from-a-file", "separating-heavy-tail-quicktime",
    "separating-high-first-dash-js-5-1", "separating-low-first-dash-js-5-1",
    "separating-rho-095-quicktime", "queue-next-download", "queue-next-item-not-loaded",
    "competing-download-suspended-at-play",
    "hls-language-selected-early", "hls-start-time-set-early", "hls-start-time-set-late",
    "hls-title-card-preloads-segments", "title-card-resets-the-forward-buffer",
    "hls-audio-only-variant", "hls-language-change-in-time", "hls-muxed-audio",
    "hls-subtitles-beside", "hls-codecs-of-the-device", "hls-first-choice-on-a-fast-link",
    "hls-option-a-with-reset", "hls-option-a-without-reset",
  ])
  func `a run that was exported and imported plays the same`(name: String) throws {
    let found = try roundTrip(try ShippedScenario.named(name).read(), name)
    #expect(found.stalls == found.endsAlike)
  }

  @Test func `made-up runs over made-up links come back with the same start and stalls`() throws {
    var (ends, same) = (0, 0)
    for seed in UInt64(0)..<40 {
      let found = try roundTrip(try madeUp(seed), "seed \(seed)")
      (ends, same) = (ends + found.stalls, same + found.endsAlike)
    }
    #expect(ends >= 5 && same == ends, "\(same) of \(ends) stalls end alike")
  }

  /// A file or a stream over a link that goes up, down and out.
  private func madeUp(_ seed: UInt64) throws -> Scenario {
    var draw = Draw(seed: seed, part: "field")
    let needed = Int64(draw.within(300...3_000))
    let steps = (0..<draw.within(1...6)).map { _ -> String in
      let rate = needed * Int64(draw.within(0...16)) / 10
      return "{ \"for\": \"\(draw.within(2...20)) s\", \"bandwidth\": \"\(rate) kbit/s\" }"
    }
    let duration = draw.within(20...90)
    let audio = draw.chance(50) ? "[ { \"name\": \"a\", \"bitrate\": \"96 kbit/s\" } ]" : "[]"
    let rungs = draw.chance(50) ? [needed] : [needed / 2, needed, needed * 2]
    let ladder = rungs.map { "{ \"bitrate\": \"\($0) kbit/s\" }" }.joined(separator: ", ")
    let sizes = draw.chance(50) ? "\"constant\"" : "{ \"peak\": \"160 %\", \"seed\": \(seed) }"
    let media =
      draw.chance(40)
      ? "\"progressive\": { \"duration\": \"\(duration) s\", \"bitrate\": \"\(needed) kbit/s\" }"
      : "\"hls\": { \"ladder\": [ \(ladder) ], \"duration\": \"\(duration) s\", "
        + "\"audio\": \(audio), \"sizes\": \(sizes), "
        + "\"segmentDuration\": \"\(draw.within(2...8)) s\" }"
    let tls = draw.chance(30) ? "\"requests\": { \"tls\": \"1.\(draw.within(2...3))\" }, " : ""
    let text = """
      { "scenario": "a", "about": "b", \(tls)"link": { "delay": "\(draw.within(0...90)) ms",
        "dnsDelay": "\(draw.within(0...40)) ms",
        "schedule": { "steps": [ \(steps.joined(separator: ", ")),
        { "for": "1 s", "bandwidth": "\(needed * 2) kbit/s" } ] } },
        "media": { \(media) }, "script": [ { "at": "\(draw.within(0...3)) s", "do": "play" } ] }
      """
    return try readScenario(Array(text.utf8), file: "made up")
  }

  private func roundTrip(
    _ scenario: Scenario, _ name: String
  ) throws -> (stalls: Int, endsAlike: Int) {
    var options = RunOptions(keepsTrace: true)
    options.keepsCurves = true
    let before = try run(scenario, options: options)
    var writer = JSONWriter()
    writer.tree(HARDocument(scenario, before).document)
    let session = try FieldSession(FieldLog(har: writer.bytes), name: name, folder: "field/")
    try checkRecording(session, before)
    let imported = try read(session)
    let after = try run(imported, options: options)
    func figures(_ outcome: RunOutcome) -> String {
      "\(outcome.player.startupDelay?.nanoseconds ?? -1) ns, "
        + "\(outcome.player.books.stalls.map { $0.start })"
    }
    let words: Comment = "\(name): \(figures(before)), then \(figures(after))"
    #expect((before.player.startupDelay == nil) == (after.player.startupDelay == nil), words)
    let shift = (before.player.startupDelay ?? .zero) - (after.player.startupDelay ?? .zero)
    #expect(shift.nanoseconds.magnitude <= 1_000_000, words)
    let (old, new) = (before.player.books.stalls, after.player.books.stalls)
    #expect(old.count == new.count, words)
    #expect(
      zip(old, new).allSatisfy { ($0.start - $1.start).nanoseconds.magnitude <= 5_000_000 }, words)
    let alike = zip(old, new).count { old, new in
      ((old.end ?? before.ended) - (new.end ?? after.ended)).nanoseconds.magnitude <= 5_000_000
    }
    return (old.count, alike)
  }

  /// The recording tells of the session what the run itself told.
  private func checkRecording(_ session: FieldSession, _ before: RunOutcome) throws {
    let reported = try report(on: session.trace(), file: "field.trace")
    #expect(reported.fieldSource == "HAR" && !reported.missing.isEmpty)
    let (told, books) = (reported.outcome.player, before.player.books)
    #expect(told.startupDelay == before.player.startupDelay)
    #expect(told.books.balances(at: reported.outcome.ended, since: .zero))
    #expect(told.books.stalls.count == books.stalls.count)
    for (a, b) in zip(told.books.stalls, books.stalls) {
      #expect(a.start == b.start)
      #expect((a.place - b.place).nanoseconds.magnitude <= 2_000_000)
    }
    // Playlists of a further stream are no part of the session.
    let requests = (reported.outcome.curves?.requests ?? []).filter { $0.media != nil }
    let own = (before.curves?.requests ?? []).filter { $0.media != nil }
    #expect(requests.map { $0.requested } == own.map { $0.requested })
    #expect(requests.map { $0.media } == own.map { $0.media })
  }

  private func read(_ session: FieldSession) throws -> Scenario {
    var writer = JSONWriter()
    writer.tree(session.document)
    return try readScenario(writer.bytes, file: "imported") { path in
      session.media.files.first { $0.path == path }.map { Array($0.text.utf8) }
    }
  }

  /// A response that stops, one over tcp that the horizon cuts off, and two that share the link.
  @Test(
    arguments: [
      (
        #""fidelity": "fluid", "faults": [ { "requests": 1, "stall": { "after": "64 KB" } } ]"#,
        false, 64_000
      ),
      (#""fidelity": "tcp""#, false, nil), (#""fidelity": "fluid""#, true, -1),
    ] as [(String, Bool, Int64?)])
  func `a request that is still open has the bytes that came, or says that nobody knows`(
    settings: String, isStream: Bool, known: Int64?
  ) throws {
    let media =
      isStream
      ? #""hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "24 s", "#
        + #""segmentDuration": "4 s", "audio": [ { "name": "a", "bitrate": "128 kbit/s" } ] }"#
      : #""progressive": { "duration": "24 s", "bitrate": "1500 kbit/s" }"#
    let text = """
      { "scenario": "a", "about": "b", "horizon": "3 s", \(settings),
        "link": { "bandwidth": "300 kbit/s", "delay": "50 ms" }, "media": { \(media) },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    var options = RunOptions(keepsTrace: true)
    options.keepsCurves = true
    let outcome = try run(scenario, options: options)
    let json = HARDocument(scenario, outcome).document.json
    let bytes = known ?? outcome.player.media.bytes
    #expect(bytes != 0 && json.contains("\"bodySize\":\(bytes)"), "\(json)")
    #expect(json.contains("\"content\":{\"size\":\(bytes),"), "\(json)")
    #expect(isStream || !json.contains("_chunks"), "\(json)")
    _ = try FieldLog(har: Array(json.utf8))
  }

  /// A file over a link of 2 Mbit/s and then of 1 Mbit/s: the bytes that had arrived by the change
  /// are known where nothing but the link held them back.
  @Test(
    arguments: [
      ("", "", #"[{"ts":2000,"bytes":500000},{"ts":6000,"bytes":500000}]"#),
      (#""player": { "preferredForwardBufferDuration": "2 s" }, "#, "", nil),
      (
        "",
        #""horizon": "3 s", "faults": [ { "requests": 1, "stall": { "after": "64 KB" } } ], "#, nil
      ),
      ("", #""horizon": "3 s", "#, #"[{"ts":2000,"bytes":500000},{"ts":3000,"bytes":125000}]"#),
      ("", #""horizon": "1 s", "#, #"[{"ts":1000,"bytes":250000}]"#),
    ] as [(String, String, String?)])
  func `points of a transfer are those of the link, or unknown`(
    player: String, members: String, points: String?
  ) throws {
    let text = """
      { "scenario": "a", "about": "b", \(player)\(members)
        "link": { "schedule": { "steps": [ { "for": "2 s", "bandwidth": "2 Mbit/s" },
          { "for": "60 s", "bandwidth": "1 Mbit/s" } ] } },
        "media": { "progressive": { "duration": "16 s", "size": "1 MB" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    var options = RunOptions(keepsTrace: true)
    options.keepsCurves = true
    let json = HARDocument(scenario, try run(scenario, options: options)).document.json
    #expect(json.contains("_chunks") == (points != nil), "\(json)")
    #expect(json.contains(points ?? ""), "\(json)")
  }

  // MARK: Forms of tools

  enum Tool: String, CaseIterable {
    case chrome, safari, firefox, charles, proxyman, mitmproxy, webPageTest

    var creator: String {
      switch self {
      case .chrome: "WebInspector"
      case .safari: "WebKit Web Inspector"
      case .firefox: "Firefox"
      case .charles: "Charles Proxy"
      case .proxyman: "Proxyman"
      case .mitmproxy: "mitmproxy exporthar"
      case .webPageTest: "WebPageTest"
      }
    }

    /// A date in the tool's form; the session is at 10:00 in UTC.
    func date(_ milliseconds: Int) -> String {
      let (second, rest) = (milliseconds / 1_000, milliseconds % 1_000)
      let clock = ":00:\(second < 10 ? "0" : "")\(second)"
      let fraction = String("\(1_000 + rest)".dropFirst())
      switch self {
      case .chrome, .safari, .firefox, .proxyman: return "2024-02-29T10\(clock).\(fraction)Z"
      case .charles: return "2024-02-29T12\(clock).\(fraction)+02:00"
      case .mitmproxy:
        return "2024-02-29T10\(clock)\(rest == 0 ? "" : ".\(fraction)000")+00:00"
      case .webPageTest: return "2024-02-29T03\(clock).\(fraction)-0700"
      }
    }

    /// An entry that opened a connection in 40 ms, or none, and its handshake in 40 ms more.
    func entry(_ start: Int, _ url: String, bytes: Int, opens: Bool, body: String? = nil) -> String
    {
      let receive = bytes / 1_000
      let wait = 40
      let mimeType = body == nil ? "video/mp2t" : "application/x-mpegURL"
      let sum = (opens ? 80 : 0) + wait + receive
      let begin = self == .mitmproxy && opens ? start + 80 : start
      let base64 = self == .safari || self == .mitmproxy
      let text = body.map { text in
        base64
          ? "\"text\": \"\(encoded(text))\", \"encoding\": \"base64\","
          : "\"text\": \"\(text.replacing("\n", with: "\\n"))\","
      }
      let size: String
      switch self {
      case .chrome: size = "\"headersSize\": -1, \"bodySize\": -1, \"_transferSize\": \(bytes)"
      case .safari:
        size = "\"headersSize\": 120, \"bodySize\": \(bytes), \"_transferSize\": \(bytes + 120)"
      case .firefox, .charles, .proxyman, .mitmproxy:
        size = "\"headersSize\": 99, \"bodySize\": \(bytes)"
      case .webPageTest: size = "\"headersSize\": 99, \"bodySize\": -1"
      }
      let chunks =
        self == .webPageTest && bytes > 100_000
        ? ", \"_chunks\": [ { \"ts\": \(9_000 + receive / 2), \"bytes\": \(bytes / 2) }, "
          + "{ \"ts\": \(9_000 + receive), \"bytes\": \(bytes - bytes / 2) } ]" : ""
      return """
        { "startedDateTime": "\(date(begin))", "time": \(sum), "request": { "method": "GET",
          "url": "\(url)", "httpVersion": "HTTP/1.1", "headers": [] },
          "response": { "status": 200, "httpVersion": "http/1.1", "headers": [],
          "content": { \(text ?? "") "size": \(bytes), "mimeType": "\(mimeType)" },
          \(size) }, "cache": {}, "timings": \(timings(wait, receive, opens))\(chunks) }
        """
    }

    private func timings(_ wait: Int, _ receive: Int, _ opens: Bool) -> String {
      let connect = opens ? 80 : -1
      switch self {
      case .chrome:
        return """
          { "blocked": -1, "dns": -1, "ssl": \(opens ? 40 : -1), "connect": \(connect), "send": 0,
            "wait": \(wait), "receive": \(receive).00000000000001, "_blocked_queueing": -1 }
          """
      case .safari:
        return """
          { "blocked": 0, "dns": -1, "connect": \(connect), "ssl": \(opens ? 40 : -1), "send": 0,
            "wait": \(wait), "receive": \(receive) }
          """
      case .charles, .proxyman, .webPageTest:
        return """
          { "dns": -1, "connect": \(connect), "ssl": \(opens ? 40 : -1), "blocked": -1, "send": 0,
            "wait": \(wait), "receive": \(receive), "comment": "" }
          """
      case .firefox:
        // The handshake is no part of the connect time.
        return """
          { "blocked": 0, "dns": 0, "connect": \(opens ? 45 : 0), "ssl": \(opens ? 35 : 0),
            "send": 0, "wait": \(wait), "receive": \(receive) }
          """
      case .mitmproxy:
        // It had connected before the request, and the handshake is no part of the connect time.
        return """
          { "connect": \(opens ? "40.0" : "-1.0"), "ssl": \(opens ? "40.0" : "-1.0"), "send": 1.0,
            "receive": \(receive).0, "wait": \(wait - 1).0 }
          """
      }
    }

    private func encoded(_ text: String) -> String {
      let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
      var result = ""
      var bytes = Array(text.utf8)
      let pad = (3 - bytes.count % 3) % 3
      bytes += Array(repeating: 0, count: pad)
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let word = Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
        for shift in [18, 12, 6, 0] { result.append(alphabet[word >> shift & 63]) }
      }
      return String(result.dropLast(pad)) + String(repeating: "=", count: pad)
    }
  }

  /// A session at 8 Mbit/s and a round trip of 40 ms: a playlist, two segments, a page beside it.
  private func har(_ tool: Tool, withBody: Bool = true) -> [UInt8] {
    let list =
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na1.ts\n#EXTINF:4,\na2.ts\n#EXT-X-ENDLIST\n"
    let site = "https://cdn.example/v/"
    let entries = [
      tool.entry(0, "https://cdn.example/page.html", bytes: 3_000, opens: true),
      withBody
        ? tool.entry(1_000, site + "list.m3u8", bytes: list.utf8.count, opens: true, body: list)
        : nil,
      tool.entry(2_000, site + "a1.ts", bytes: 1_000_000, opens: false),
      tool.entry(4_000, site + "a2.ts", bytes: 2_000_000, opens: false),
    ].compactMap { $0 }
    return Array(
      """
      { "log": { "version": "1.2", "creator": { "name": "\(tool.creator)", "version": "1" },
        "pages": [ { "id": "page_0", "startedDateTime": "\(tool.date(0))" } ],
        "entries": [ \(entries.joined(separator: ",\n")) ] } }
      """.utf8)
  }

  @Test(arguments: Tool.allCases) func `the HARs of seven tools say the same of one session`(
    tool: Tool
  ) throws {
    let log = try FieldLog(har: har(tool))
    // 80 ms of opening at the first two, 40 ms for each answer, and a millisecond for 1,000 bytes.
    let ends = log.requests.compactMap { $0.ended }
    #expect(
      zip(ends, ends.dropFirst()).map { $1 - $0 } == [997, 1_920, 3_000].map { .milliseconds($0) })
    let connects = log.requests.map { $0.steps.connect ?? .zero }
    #expect(connects.map { $0 == .zero } == [false, false, true, true])
    #expect(connects.allSatisfy { $0 == .zero || $0 >= .milliseconds(40) }, "\(connects)")
    let session = try FieldSession(log, name: "a", folder: "a-media/")
    let text = session.document.json
    #expect(text.contains(#""delay":"0.02 s""#), "\(text)")
    #expect(text.contains(#""bytes":["1000000 B","2000000 B"]"#), "\(text)")
    #expect(
      text.contains(#""tls":"1.3""#) && text.contains("for other things left of it: 1;"), "\(text)")
    #expect(session.media.files.map { $0.path } == ["a-media/playlist.m3u8"])
    let outcome = try run(try read(session))
    #expect(outcome.end == .finished && outcome.player.books.stalls.isEmpty)
    // 1 MB and 2 MB at 1 kB a millisecond.
    #expect(text.contains(#""bandwidth":"8000000 bit/s""#), "\(text)")
  }

  @Test func `without playlists segments are told apart by their numbers`() throws {
    let session = try FieldSession(
      FieldLog(har: har(.chrome, withBody: false)), name: "a", folder: "f/",
      segmentDuration: .seconds(4))
    let text = session.document.json
    #expect(text.contains(#""bytes":["1000000 B","2000000 B"]"#), "\(text)")
    #expect(text.contains(#""playlistsAreThere":true"#))
    let outcome = try run(try read(session))
    #expect(outcome.end == .finished)
  }

  @Test func `a first motion before the call to play counts as one at the call`() throws {
    let playback = "\"_playback\": { \"play\": 1500, \"firstMotion\": 6, \"stalls\": [] }, \"id\""
    let text = String(decoding: har(.chrome), as: UTF8.self).replacing("\"id\"", with: playback)
    let session = try FieldSession(FieldLog(har: Array(text.utf8)), name: "a", folder: "f/")
    #expect(session.document.json.contains(#""about":"0 s""#))
    _ = try read(session)
  }

  // MARK: Hostile files

  @Test func `a mistake in an entry has the place that it has in the whole file`() throws {
    let whole = har(.safari)
    for place in stride(from: 3, to: whole.count, by: 7) {
      for byte in [UInt8(ascii: "\u{1}"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: "x")] {
        var text = whole
        text[place] = byte
        do throws(JSONError) {
          _ = try JSONValue(parsing: text)
        } catch {
          let expected = error
          #expect(throws: Diagnostic.self) { try FieldLog(har: text) }
          do throws(Diagnostic) {
            _ = try FieldLog(har: text)
          } catch {
            #expect(error.position == expected.position)
          }
        }
      }
    }
  }

  @Test(arguments: [
    #""time": 1e400"#, #""time": -1e9"#, #""time": 123456789012345678901234567890"#,
    #""time": 0.000000000000000000000000000000000000000000000000000001"#,
    #""timings": { "wait": 1e300, "receive": -1e300 }"#, #""timings": []"#, #""timings": null"#,
    #""startedDateTime": "9999-12-31T23:59:60Z""#, #""startedDateTime": 7"#,
    #""response": { "status": 1e99, "bodySize": 1e30, "content": { "size": -5, "text": 9 } }"#,
    #""_chunks": [ { "ts": 1e30, "bytes": 1e30 }, { "ts": -1 }, 7 ]"#,
    #""request": { "url": "\u001b[2J\u202e/../../../etc/passwd" }"#, #""connection": []"#,
  ])
  func `what no session can have is left out or refused`(member: String) throws {
    let entry =
      #"{ "startedDateTime": "2024-01-01T00:00:00Z", "time": 5, "# + #""request": { "url": "#
      + #""http://a/a1.ts" }, "response": { "status": 200, "bodySize": 9 }, "#
      + #""timings": { "wait": 1, "receive": 4 } }"#
    let odd = "{ \(member), " + entry.dropFirst()
    let text =
      #"{ "log": { "entries": [ \#(entry), \#(odd), \#(entry.replacing("a1", with: "a2")) ] } }"#
    let session = try FieldSession(FieldLog(har: Array(text.utf8)), name: "a", folder: "f/")
    let document = session.document.json
    #expect(!document.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    #expect(session.media.files.allSatisfy { $0.path.hasPrefix("f/") && !$0.path.contains("..") })
    _ = try run(try read(session))
  }

  @Test func `names of playlists that lead out are written below the folder`() throws {
    let names = [
      "../../out.m3u8", "/etc/x.m3u8", "http://b/c.m3u8?t=1", ".hidden.m3u8", "main.m3u8",
      "a%2fb.m3u8", "ok/v.m3u8",
    ]
    let variants = names.map { "#EXT-X-STREAM-INF:BANDWIDTH=900000\\n\($0)\\n" }.joined()
    let media = "#EXTM3U\\n#EXT-X-TARGETDURATION:4\\n#EXTINF:4,\\ns1.ts\\n#EXT-X-ENDLIST\\n"
    func entry(_ url: String, _ text: String) -> String {
      #"{ "startedDateTime": "2024-01-01T00:00:00Z", "time": 5, "#
        + #""request": { "url": "\#(url)" }, "response": { "status": 200, "bodySize": 900, "#
        + #""content": { "mimeType": "application/x-mpegurl", "text": "\#(text)" } }, "#
        + #""timings": { "wait": 1, "receive": 4 } }"#
    }
    let text =
      "{ \"log\": { \"entries\": [ " + entry("http://a/x/y/all.m3u8", "#EXTM3U\\n" + variants)
      + ", "
      + entry("http://a/x/y/ok/v.m3u8", media) + " ] } }"
    let session = try FieldSession(FieldLog(har: Array(text.utf8)), name: "a", folder: "f/")
    #expect(
      session.media.files.map { $0.path } == [
        "f/main.m3u8", "f/media-1.m3u8", "f/media-2.m3u8", "f/media-3.m3u8", "f/media-4.m3u8",
        "f/media-5.m3u8", "f/media-6.m3u8", "f/ok/v.m3u8",
      ])
    #expect(try run(try read(session)).end == .finished)
  }

  @Test(
    arguments: [
      (true, false, #""requests":{"tls":"1.3"}"#),
      (false, false, #""requests":{"idleTimeout":"115 s"}"#),
      (true, true, #""requests":{"http":"2","tls":"1.3"}"#),
      (false, true, #""requests":{"http":"2"}"#),
    ])
  func `connections that were opened show, and a key that has them opened`(
    isSecure: Bool, isSecond: Bool, expected: String
  ) throws {
    var text = String(decoding: har(.chrome), as: UTF8.self)
    if !isSecure { text = text.replacing(#""ssl": 40"#, with: #""ssl": -1"#) }
    if isSecond { text = text.replacing("http/1.1", with: "h2") }
    let session = try FieldSession(FieldLog(har: Array(text.utf8)), name: "a", folder: "f/")
    let document = session.document.json
    #expect(document.contains(expected), "\(document)")
  }
}
