import TestSupport
import Testing

/// Access logs, events of AVMetrics and lines with CMCD by the command.
@Suite(.besideOthers) struct FieldLogCommandTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func `an access log gives ladder, rates, startup and stalls`() throws {
    try place.write(SampleLogs.access, to: "session.log")
    let run = try place.run(
      "import", "access-log", "session.log", "-o", "s.json", "--trace", "s.trace")
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(run.errorText.contains("an access log tells of no request: segments last 6 s"))
    let text = try place.read("s.json")
    // 9.375 MB of 30 s, and 6 MB of 60 s; 21.5 s and 60 s were loaded from 0 and 21.5 s on.
    for part in [
      #""bitrate": "2500000 bit/s""#, #""bitrate": "800000 bit/s""#, #""duration": "81.5 s""#,
      #""bandwidth": "6120345 bit/s""#, #""bandwidth": "1012346 bit/s""#, #""stallCount": 3"#,
      #""about": "1.83 s""#,
    ] {
      #expect(text.contains(part), "\(part): \(text)")
    }
    // The second entry began 24.78 s after the first, which was 1.83 s after play.
    #expect(text.contains(#""for": "26.61 s""#) && !text.contains("seek"), "\(text)")
    #expect(try place.run("validate", "s.json").exitCode == 0)
    let report = try place.run("report", "s.trace")
    #expect(report.text.contains("startup delay  1.830 s"), "\(report.text)")
    #expect(report.text.contains("at 26.610 s down to"), "\(report.text)")
    #expect(report.errorText.contains("lacks decisions and estimates of the player"))
    let again = try place.run("report", "s.trace", "--access-log").text
    #expect(again.contains(" 21.5 1 9375000 ") && again.contains(" 58.5 2 6000000 "), "\(again)")
    // A log of stalls whose places are not known is held against a run by their number.
    _ = try place.run("run", "s.json", "--quiet", "--trace", "run.trace")
    let difference = try place.run("diff", "s.trace", "run.trace")
    #expect(difference.exitCode == 1)
    #expect(difference.text.contains("stalls    3 in the field, 0 in the run\n"))
  }

  @Test(arguments: [
    // 20 s of the log beyond what was watched and the start of 2.5 s, with stalls and without.
    (
      #""startupTime": 2.5, "numberOfStalls": 2"#,
      [
        "currentTime               unknown", "isPlaybackLikelyToKeepUp  unknown",
        "\nplayer  ░", "stalls         2, for how long is unknown",
        "played 50.000 s, waited 2.500 s to start, stalled or paused 20.000 s",
      ],
      [#""stallCount": 2"#, #""stalledSeconds": null"#, #""playedSeconds": 50"#]
    ),
    (
      #""startupTime": 2.5, "numberOfStalls": 0"#,
      ["stalls         none", "waited 2.500 s to start, paused 20.000 s"],
      [#""stallCount": 0"#, #""stalledSeconds": 0"#, #""pausedSeconds": null"#]
    ),
    (
      #""numberOfStalls": 0"#,
      ["startup delay  unknown", "the player is unknown", "waited to start, paused 20.000 s"],
      [#""outcome": null"#, #""startupDelaySeconds": null"#, #""playedSeconds": 50"#]
    ),
  ])
  func `what an access log does not tell is unknown in its report`(
    start: String, words: [String], members: [String]
  ) throws {
    try place.write(
      """
      { "events": [
        { "URI": "a.m3u8", "playbackStartDate": "2024-02-29T10:00:00Z", \(start),
          "durationWatched": 30, "numberOfBytesTransferred": 3000000, "transferDuration": 4 },
        { "URI": "a.m3u8", "playbackStartDate": "2024-02-29T10:00:50Z", "durationWatched": 20,
          "playbackStartOffset": 30, "numberOfBytesTransferred": 2000000, "transferDuration": 4 }
      ] }
      """, to: "log.json")
    let run = try place.run(
      "import", "access-log", "log.json", "-o", "s.json", "--trace", "s.trace")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let log = try place.run("report", "s.trace", "--access-log").text
    let isKnown = start.contains(#""numberOfStalls": 0"#)
    #expect(log.contains("#Remark: stall duration 0 s\n") == isKnown, "\(log)")
    let screen = try place.run("report", "s.trace").text
    for word in words + ["heuristic      unknown"] {
      #expect(screen.contains(word), "\(word): \(screen)")
    }
    #expect(!screen.contains("the buffer is at"), "\(screen)")
    let document = try place.run("report", "s.trace", "--format", "json").text
    for member in members + [#""heuristic": null"#] {
      #expect(document.contains(member), "\(member): \(document)")
    }
    _ = try place.run("report", "s.trace", "--html", "s.html")
    let page = try place.read("s.html")
    #expect(page.contains("the player, as far as the log tells of it"))
    #expect(!page.contains("forward buffer"))
  }

  @Test(arguments: [
    (#""numberOfStalls": 0"#, "0", "0", true), (#""numberOfStalls": 2"#, "2", "2", false),
    (#""numberOfStalls": -1"#, "unknown", "null", true), ("", "unknown", "null", true),
  ])
  func `stalls and requests that a log does not tell of are neither equal nor different`(
    stalls: String, word: String, member: String, isExplained: Bool
  ) throws {
    let comma = stalls.isEmpty ? "" : ", "
    try place.write(
      """
      { "events": [ { "URI": "a.m3u8", "durationWatched": 30, "transferDuration": 4,
        "numberOfBytesTransferred": 3000000\(comma)\(stalls) } ] }
      """, to: "log.json")
    _ = try place.run("import", "access-log", "log.json", "-o", "s.json", "--trace", "s.trace")
    _ = try place.run("run", "s.json", "--quiet", "--trace", "run.trace")
    let difference = try place.run("diff", "run.trace", "s.trace")
    #expect(difference.exitCode == (isExplained ? 0 : 1), "\(difference.text)")
    for line in [
      "requests  unknown in the field\n", "startup   unknown in the field",
      "stalls    \(word) in the field, 0 in the run\n",
    ] {
      #expect(difference.text.contains(line), "\(line): \(difference.text)")
    }
    let document = try place.run("diff", "run.trace", "s.trace", "--format", "json").text
    #expect(document.contains(#""matchedRequests": null"#), "\(document)")
    #expect(document.contains(#""field": \#(member),"#), "\(document)")
  }

  @Test(arguments: [
    // 30 s were watched.
    (#", "numberOfStalls": 0"#, "0", "0", "0"), (#", "numberOfStalls": 2"#, "2", "240", "null"),
    (#", "numberOfStalls": -1"#, "null", "null", "null"), ("", "null", "null", "null"),
  ])
  func `stalls and their indicators are null where an access log does not tell them`(
    stalls: String, count: String, rate: String, length: String
  ) throws {
    try place.write(
      """
      { "events": [ { "URI": "a.m3u8", "durationWatched": 30, "transferDuration": 4,
        "numberOfBytesTransferred": 3000000\(stalls) } ] }
      """, to: "log.json")
    _ = try place.run("import", "access-log", "log.json", "-o", "s.json", "--trace", "s.trace")
    let arguments = ["report", "s.trace", "--access-log"]
    let document = try place.run(arguments + ["--format", "json"]).text
    for member in [
      #""numberOfStalls": \#(count),"#, #""stallsPerHour": \#(rate),"#,
      #""stallDuration": \#(length),"#,
    ] {
      #expect(document.contains(member), "\(member): \(document)")
    }
    let text = try place.run(arguments).text
    // The columns before the 3 MB: media loaded and watched, and stalls.
    #expect(text.contains(" 30 \(count == "null" ? "-" : count) 3000000 "), "\(text)")
    #expect(text.contains(" stalls per hour\n") == (rate != "null"), "\(text)")
    #expect(text.contains("#Remark: stall duration") == (length != "null"), "\(text)")
  }

  @Test func `the access log of a run comes back as it was written`() throws {
    try place.write(shortScenario(), to: "short.json")
    let log = try place.run("run", "short.json", "--access-log").text
    try place.write(log, to: "run.log")
    _ = try place.run("import", "access-log", "run.log", "-o", "back.json", "--trace", "b.trace")
    // All but its dates, which count from the call to play.
    func entries(_ text: String) -> [[Substring]] {
      text.split(separator: "\n").filter { $0.first != "#" }.map {
        Array($0.split(separator: " ").dropFirst(2))
      }
    }
    #expect(entries(try place.run("report", "b.trace", "--access-log").text) == entries(log))
  }

  @Test func `events as JSON give the same entries, and unknown numbers are left out`() throws {
    try place.write(
      """
      { "events": [ { "URI": "a.m3u8", "playbackStartDate": "2024-02-29T10:00:02.5Z",
        "startupTime": 2.5, "durationWatched": 20, "segmentsDownloadedDuration": 24,
        "numberOfBytesTransferred": 3000000, "transferDuration": 4.0, "observedBitrate": -1,
        "indicatedBitrate": 1250000.75, "numberOfStalls": 0, "switchBitrate": -1 },
        { "URI": "a.m3u8", "playbackStartDate": "2024-02-29T10:00:30Z", "playbackStartOffset": 90,
        "durationWatched": 10, "numberOfBytesTransferred": 1, "numberOfStalls": -1 } ] }
      """, to: "events.json")
    let run = try place.run("import", "access-log", "events.json")
    // 3 MB in 4 s; 22.5 s after play the first entry was watched, and 90 s was seeked to.
    for part in [
      #""bandwidth": "6000000 bit/s""#, #""stallCount": 0"#, #""about": "2.5 s""#,
      #""at": "22.5 s""#, #""to": "90 s""#, #""duration": "100 s""#,
    ] {
      #expect(run.text.contains(part), "\(part): \(run.text)")
    }
    let live = try place.run(
      "import", "access-log", "-", input: SampleLogs.access.replacing(" VOD", with: " LIVE"))
    #expect(live.errorText.contains("the live stream is played as video on demand"))
    try place.write("[ { \"URI\": \"a\" } ]", to: "empty.json")
    let empty = try place.run("import", "access-log", "empty.json")
    #expect(empty.exitCode == 65 && empty.errorText.contains("no entry that can be used"))
    try place.write("hello\n", to: "odd.log")
    #expect(try place.run("import", "access-log", "odd.log").errorText.contains("#Fields:"))
  }

  @Test func `events of AVMetrics give requests, stalls, pauses and the start`() throws {
    try place.write(SampleLogs.events, to: "metrics.json")
    let run = try place.run(
      "import", "metrics", "metrics.json", "-o", "m.json", "--trace", "m.trace")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let text = try place.read("m.json")
    for part in [
      #""bandwidth": "2000000 bit/s""#, #""delay": "0.05 s""#, #""750000 B""#, #""1500000 B""#,
      #""at": "10.3 s""#, #""do": "pause""#, #""at": "12.3 s""#, #""stallCount": 1"#,
    ] {
      #expect(text.contains(part), "\(part): \(text)")
    }
    #expect(try place.read("m-media/media-0.m3u8").contains("#EXTINF:4,"))
    let report = try place.run("report", "m.trace").text
    #expect(report.contains("startup delay  3.200 s"), "\(report)")
    #expect(report.contains("stalls         1, 2.100 s stalled"), "\(report)")
    #expect(report.contains("played 5.000 s, waited 5.300 s"), "\(report)")
    #expect(report.contains("paused 2.000 s"), "\(report)")
  }

  /// Rates at the first motion, and at 10.3 and 12.3 s, when 5 s of the media were played.
  @Test(
    arguments: [
      (["1", "1.25", "1.5"], ["10.3 setRate 1.25", "12.3 setRate 1.5"], "1.5,\"time\":7.5"),
      (["1", "0", "1.5"], ["10.3 pause", "12.3 setRate 1.5"], "1.5,\"time\":5"),
      (["0.5", "0", "0.5"], ["0 setRate 0.5", "10.3 pause", "12.3 setRate 0.5"], nil),
      (["0.5", "0", "1"], ["0 setRate 0.5", "10.3 pause", "12.3 setRate 1"], nil),
      (["1", "0", "1"], ["10.3 pause", "12.3 play"], "1,\"time\":5"),
    ] as [([String], [String], String?)])
  func `rates of AVMetrics are rates of the script and of the recording`(
    rates: [String], script: [String], place last: String?
  ) throws {
    var events = SampleLogs.events
    for (second, rate) in zip(["03.2", "10.3", "12.3"], rates) {
      let parts = events.split(separator: "\(second)Z\", \"rate\": ", maxSplits: 1)
      events = "\(parts[0])\(second)Z\", \"rate\": \(rate)\(parts[1].dropFirst())"
    }
    if rates[0] != "1" {
      let resumed = "09.3Z\", \"rate\": "
      events = events.replacing(resumed + "1", with: resumed + rates[0])
    }
    try place.write(events, to: "rates.json")
    let run = try place.run(
      "import", "metrics", "rates.json", "-o", "r.json", "--trace", "r.trace")
    #expect(run.exitCode == 0 && !run.errorText.contains("do not show"), "\(run.errorText)")
    let text = try place.read("r.json").split { $0.isWhitespace }.joined(separator: " ")
    let steps = script.map { step in
      let words = step.split(separator: " ")
      let rate = words.count > 2 ? ", \"rate\": \(words[2])" : ""
      return "{ \"at\": \"\(words[0]) s\", \"do\": \"\(words[1])\"\(rate) }"
    }
    let first = "{ \"at\": \"0 s\", \"do\": \"play\" }"
    #expect(text.contains("[ " + ([first] + steps).joined(separator: ", ") + " ]"), "\(text)")
    #expect(try place.run("validate", "r.json").exitCode == 0)
    let trace = try place.read("r.trace")
    let timebase = last.map { "{\"t\":12.3,\"event\":\"timebase\",\"rate\":\($0)}" }
    if let timebase { #expect(trace.contains(timebase), "\(trace)") }
    #expect(try place.run("report", "r.trace").exitCode == 0)
  }

  @Test(arguments: [true, false])
  func `durations that the log states are those of the segments`(areEvents: Bool) throws {
    let log = areEvents ? SampleLogs.events : SampleLogs.lines
    let stated = areEvents ? "\"segmentDuration\": 4" : "d%3D4000"
    let other = areEvents ? "\"segmentDuration\": 2.5" : "d%3D2500"
    let parts = log.split(separator: stated, omittingEmptySubsequences: false)
    let last = parts.count - 1
    try place.write(
      parts[..<last].joined(separator: stated) + other + parts[last], to: "short.log")
    let run = try place.run(
      "import", "metrics", "short.log", "--segment-duration", "6s", "-o", "s.json")
    #expect(run.errorText.contains("are numbered as their names are and last 2.5 s to 4 s"))
    #expect(run.errorText.contains("note: --segment-duration has no effect: the log tells it\n"))
    let list = try place.read("s-media/media-0.m3u8")
    let lines = list.split(separator: "\n").filter { $0.hasPrefix("#EXTINF") }
    #expect(lines == ["#EXTINF:4,", "#EXTINF:2.5,"], "\(list)")
    #expect(list.contains("TARGETDURATION:4"))
    // 750 kB in 4 s and 1.5 MB in 2.5 s.
    #expect(try place.read("s-media/main.m3u8").contains("BANDWIDTH=2769231"))
    try place.write(log.replacing(stated, with: "x"), to: "untold.log")
    if !areEvents {
      let untold = try place.run(
        "import", "metrics", "untold.log", "--segment-duration", "6s", "-o", "u.json")
      #expect(!untold.errorText.contains("no effect"), "\(untold.errorText)")
      #expect(try place.read("u-media/media-0.m3u8").contains("#EXTINF:6,"))
    }
  }

  @Test func `an access log is fitted to nothing, and its media last as long as it`() throws {
    try place.write(SampleLogs.access, to: "session.log")
    let fit = try place.run("import", "access-log", "session.log", "--fit")
    #expect(fit.exitCode == 64 && fit.errorText.contains("--fit"), "\(fit.errorText)")
    #expect(try !place.run("help", "import", "access-log").text.contains("--fit"))
    #expect(try place.run("help", "import", "har").text.contains("--fit"))
    let short = try place.run("import", "access-log", "session.log", "--duration", "3s")
    #expect(short.text.contains(#""duration": "81.5 s""#), "\(short.text)")
    #expect(
      short.errorText.contains(
        "note: --duration has no effect: an entry reaches to 81.5 s\n"), "\(short.errorText)")
    let long = try place.run("import", "access-log", "session.log", "--duration", "100s")
    #expect(long.text.contains(#""duration": "100 s""#) && !long.errorText.contains("no effect"))
  }

  /// The viewer left: the last state of the player is the stall, or the pause.
  @Test(arguments: [(event: "stall", stalls: "2, 3.100 s"), ("rateChange", "1, 2.100 s")])
  func `a stall that never ended lasts to the end of the log, and a pause is not taken back`(
    event: String, stalls: String
  ) throws {
    let last = "{ \"event\": \"rateChange\", \"date\": \"2024-02-29T10:00:10.3Z"
    let start = SampleLogs.events.split(separator: last)[0]
    let left = """
      { "event": "\(event)", "date": "2024-02-29T10:00:10.3Z", "rate": 0 },
      { "event": "seek", "date": "2024-02-29T10:00:11.3Z", "to": 5 } ]
      """
    try place.write(start + left, to: "left.json")
    _ = try place.run("import", "metrics", "left.json", "-o", "l.json", "--trace", "l.trace")
    let text = try place.read("l.json")
    #expect(text.contains(#""do": "pause""#) == (event == "rateChange"), "\(text)")
    #expect(text.split(separator: #""do": "play""#).count == 2, "\(text)")
    let report = try place.run("report", "l.trace").text
    #expect(report.contains("stalls         \(stalls) stalled"), "\(report)")
  }

  /// The stall lasts from 7.2 to 9.3 s, and the pause from 10.3 to 12.3 s.
  @Test(arguments: [
    ("rateChange", "08.2", "1, 1.000 s", "3.100 s", ["8.2 pause", "9.3 play", "10.3 pause"]),
    ("stall", "11.3", "2, 3.100 s", "1.000 s", ["10.3 pause", "11.3 play"]),
    // A stall that is told as a change of the rate too.
    ("rateChange", "07.2", "1, 2.100 s", "2.000 s", ["10.3 pause", "12.3 play"]),
    ("stall", "08.2", "1, 2.100 s", "2.000 s", ["10.3 pause", "12.3 play"]),
  ])
  func `a pause ends a stall, and a stall a pause`(
    event: String, second: String, stalls: String, paused: String, script: [String]
  ) throws {
    let date = SampleLogs.date(second)
    let more = "{ \"event\": \"\(event)\", \"date\": \"\(date)\", \"rate\": 0 },"
    try place.write("[ \(more)" + SampleLogs.events.dropFirst(), to: "both.json")
    _ = try place.run("import", "metrics", "both.json", "-o", "b.json", "--trace", "b.trace")
    let text = try place.read("b.json").split { $0.isWhitespace }.joined(separator: " ")
    let steps = script.map { step in
      let words = step.split(separator: " ")
      return "{ \"at\": \"\(words[0]) s\", \"do\": \"\(words[1])\" }"
    }
    #expect(text.contains("\"do\": \"play\" }, " + steps.joined(separator: ", ")), "\(text)")
    let report = try place.run("report", "b.trace").text
    #expect(report.contains("stalls         \(stalls) stalled"), "\(report)")
    #expect(report.contains("paused \(paused)"), "\(report)")
    #expect(try place.run("validate", "b.json").exitCode == 0)
  }

  /// An event more, or the call to play long before the others.
  @Test(arguments: [
    (
      "play", "1970-01-01T00:00:03Z",
      "rows are left out whose date is over 30 days from the others"
    ),
    ("stall", "2024-02-29T10:00:03Z", "stalls before the first motion are left out"),
    ("rateChange", "2024-02-29T10:00:12.3Z", "rates above 32 are taken to be 32"),
  ])
  func `events that have no effect are named`(event: String, date: String, words: String) throws {
    let play = "\"event\": \"play\", \"date\": \"\(SampleLogs.date("00"))\""
    let more = "\"event\": \"\(event)\", \"date\": \"\(date)\", \"rate\": 100"
    let both = event == "play" ? more : "\(play) }, { \(more)"
    try place.write(SampleLogs.events.replacing(play, with: both), to: "odd.json")
    let run = try place.run(
      "import", "metrics", "odd.json", "-o", "o.json", "--trace", "o.trace")
    #expect(run.errorText.contains("odd.json: note: \(words): 1\n"), "\(run.errorText)")
    let report = try place.run("report", "o.trace").text
    #expect(report.contains("transferred    2.25 MB in 2 requests"), "\(report)")
    #expect(report.contains("stalls         1, 2.100 s stalled"), "\(report)")
    #expect(try place.read("o.json").contains("\"rate\": 32") == (event == "rateChange"))
  }

  /// Two months behind the others, and before all of them.
  @Test(arguments: ["2024-04-29T10:00", "1970-01-01T00:00"])
  func `a request whose date is far from the others is left out and named`(date: String) throws {
    let request = SampleLogs.request("a3.ts", "00", "01", "02", 9)
      .replacing("2024-02-29T10:00", with: date)
    try place.write("[ \(request)," + SampleLogs.events.dropFirst(), to: "far.json")
    let run = try place.run(
      "import", "metrics", "far.json", "-o", "f.json", "--trace", "f.trace")
    #expect(
      run.errorText.contains("rows are left out whose date is over 30 days from the others: 1\n"),
      "\(run.errorText)")
    let report = try place.run("report", "f.trace").text
    #expect(report.contains("transferred    2.25 MB in 2 requests"), "\(report)")
    #expect(report.contains("startup delay  3.200 s"), "\(report)")
  }

  /// Segments of 4 s, of which the second was of no known time.
  @Test(arguments: [("A1", false), ("B2", true)])
  func `a line that is left out is no seek of its session`(session: String, seeks: Bool) throws {
    let lines = [(1, "A1", "0.5"), (2, session, "-"), (3, "A1", "0.5")]
    let rows = lines.map { number, session, taken in
      "2024-02-29 10:00:0\(number) \(taken) 500000 /v/s\(number).ts "
        + "CMCD=bs%2Cd%3D4000%2Csid%3D%22\(session)%22\n"
    }
    let fields = "#Fields: date time time-taken sc-bytes cs-uri-stem cs-uri-query\n"
    try place.write(fields + rows.joined(), to: "cdn.log")
    let run = try place.run("import", "metrics", "cdn.log", "-o", "c.json")
    let words = "rows are left out for want of a date, a URL or CMCD: 1\n"
    #expect(run.errorText.contains(words), "\(run.errorText)")
    let text = try place.read("c.json")
    #expect(text.contains("\"seek\"") == seeks, "\(text)")
    // All three wait for media.
    #expect(text.contains("\"stallCount\": \(seeks ? 2 : 3)"), "\(text)")
  }

  @Test func `a pair of CMCD without a key means nothing`() throws {
    try place.write(SampleLogs.lines, to: "cdn.log")
    try place.write(
      SampleLogs.lines.replacing("CMCD=", with: "CMCD=%3D%2C"), to: "odd/cdn.log")
    for folder in ["", "odd/"] {
      let run = try place.run("import", "metrics", "\(folder)cdn.log", "-o", "\(folder)c.json")
      #expect(run.exitCode == 0, "\(run.errorText)")
    }
    #expect(try place.read("odd/c.json") == place.read("c.json"))
  }

  @Test func `what an access log has that cannot be used is named, and its stalls count`() throws {
    try place.write(
      """
      [ { "URI": "a", "playbackStartDate": "2024-02-29T10:00:00Z", "startupTime": 1.5,
          "numberOfBytesTransferred": 3000000, "durationWatched": 20, "numberOfStalls": 0 },
        { "URI": "b", "durationWatched": 0, "numberOfStalls": 3, "observedBitrate": -1 }, 7,
        { "URI": "a", "playbackStartDate": "soon", "playbackStartOffset": 20,
          "numberOfBytesTransferred": "abc", "indicatedBitrate": 1e30, "observedBitrate": null,
          "durationWatched": 20, "numberOfStalls": -1, "transferDuration": -4 } ]
      """, to: "log.json")
    let run = try place.run("import", "access-log", "log.json")
    #expect(run.text.contains(#""stallCount": 3"#), "\(run.text)")
    for note in [
      "entries without bytes and without time watched are left out, with 3 stalls counted: 2",
      "values that cannot be used count as unknown: 3",
      "entries without a number of stalls count as none: 1",
    ] {
      #expect(run.errorText.contains("note: \(note)\n"), "\(note): \(run.errorText)")
    }
    try place.write(SampleLogs.access, to: "whole.log")
    let whole = try place.run("import", "access-log", "whole.log")
    #expect(!whole.errorText.contains("left out") && !whole.errorText.contains("cannot be used"))
  }

  @Test func `rows with more or fewer cells than there are fields are left out and named`() throws {
    let row = SampleLogs.access.split(separator: "\n").last ?? ""
    let rows = [row.replacing("360.m3u8", with: "my film.m3u8"), "garbage", "", " "]
    try place.write(SampleLogs.access, to: "s.log")
    try place.write(SampleLogs.access + rows.joined(separator: "\n"), to: "odd/s.log")
    let (whole, odd) = (
      try place.run("import", "access-log", "s.log"),
      try place.run("import", "access-log", "odd/s.log")
    )
    let note = "rows are left out whose cells do not fit “#Fields”: 2"
    #expect(odd.errorText.contains("note: \(note)\n"), "\(odd.errorText)")
    #expect(odd.text.replacing("\(note); ", with: "") == whole.text, "\(odd.text)")
    try place.write("#Fields: uri bytes\na 1 2\nb\n", to: "none.log")
    let none = try place.run("import", "access-log", "none.log")
    #expect(none.exitCode == 65 && none.errorText.contains("above lines of as many fields"))
    try place.write(SampleLogs.lines + "2024-02-29\t10:00:10\n", to: "cdn.log")
    let lines = try place.run("import", "metrics", "cdn.log", "-o", "c.json")
    #expect(lines.errorText.contains("whose cells do not fit “#Fields”: 1\n"))
  }

  @Test func `lines with CMCD give the requests of one session, and its stalls`() throws {
    try place.write(SampleLogs.lines, to: "cdn.log")
    let run = try place.run("import", "metrics", "cdn.log", "-o", "c.json", "--trace", "c.trace")
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(run.errorText.contains("lines of other sessions are left out: 1"))
    let text = try place.read("c.json")
    for part in [
      #""bandwidth": "2000000 bit/s""#, #""750000 B""#, #""1500000 B""#, #""stallCount": 1"#,
    ] {
      #expect(text.contains(part), "\(part): \(text)")
    }
    #expect(try place.read("c-media/media-0.m3u8").contains("#EXTINF:4,"))
    let report = try place.run("report", "c.trace")
    #expect(report.text.contains("transferred    2.25 MB in 2 requests"), "\(report.text)")
    #expect(report.errorText.contains("the start of playback, the buffer, places of stalls"))
    try place.write("#Fields: date time\n2024-02-29 10:00:00\n", to: "none.log")
    let none = try place.run("import", "metrics", "none.log", "-o", "n.json")
    #expect(none.exitCode == 65 && none.errorText.contains("no request that can be used"))
  }
}

/// Logs of sessions that were worked out by hand.
enum SampleLogs {
  /// An access log as AVFoundation writes it: 2.5 Mbit/s for 21.5 s, then 800 kbit/s.
  static let access = """
    #Version: 1.0
    #Software: AppleCoreMedia/1.0.0.20F66 (iPhone; U; CPU OS 16_5 like Mac OS X; en_us)
    #Fields: date time uri cs-guid s-ip s-ip-changes sc-count c-duration-downloaded c-start-time \
    c-duration-watched bytes c-observed-bitrate sc-indicated-bitrate c-stalls c-frames-dropped \
    c-startup-time c-overdue c-reason s-playback-type
    2023-06-01 10:00:02.120 https://cdn.example/v/720.m3u8 55B0 10.0.0.1 0 5 30.0 0.0 21.5 9375000 \
    6120345.25 2500000.00 1 0 1.83 0 - VOD
    2023-06-01 10:00:26.900 https://cdn.example/v/360.m3u8 55B0 10.0.0.1 0 10 60.0 21.5 58.5 \
    6000000 1012345.5 800000.00 2 3 -1 1 - VOD

    """

  /// The session of `SampleHAR.stream`, with a pause of 2 s after a second of the second segment.
  static let events = """
    [ { "event": "play", "date": "\(date("00"))" },
    \(request("list.m3u8", "00", "00.1", "00.1", 76)),
    \(request("a1.ts", "00.1", "00.2", "03.2", 750_000)),
    { "event": "rateChange", "date": "\(date("03.2"))", "rate": 1 },
    { "event": "stall", "date": "\(date("07.2"))", "rate": 0 },
    \(request("a2.ts", "03.2", "03.3", "09.3", 1_500_000)),
    { "event": "rateChange", "date": "\(date("09.3"))", "rate": 1 },
    { "event": "rateChange", "date": "\(date("10.3"))", "rate": 0 },
    { "event": "rateChange", "date": "\(date("12.3"))", "rate": 1 } ]
    """

  static func date(_ second: String) -> String { "2024-02-29T10:00:\(second)Z" }

  static func request(
    _ name: String, _ asked: String, _ answered: String, _ ended: String, _ bytes: Int
  ) -> String {
    """
    { "event": "mediaSegmentRequest", "url": "https://cdn.example/v/\(name)",
      "requestStart": "\(date(asked))", "responseStart": "\(date(answered))",
      "responseEnd": "\(date(ended))", "bytes": \(bytes), "segmentDuration": 4 }
    """
  }

  /// The same session by the lines of a CDN, and a line of another one.
  static let lines = """
    #Version: 1.0
    #Fields: date time sc-bytes c-ip cs(Host) cs-uri-stem sc-status cs-uri-query time-taken \
    time-to-first-byte
    2024-02-29\t10:00:00.1\t76\t10.0.0.1\tcdn.example\t/v/list.m3u8\t200\t\
    CMCD=ot%3Dm%2Csid%3D%22A1%22\t0.1\t0.1
    2024-02-29\t10:00:03.2\t750000\t10.0.0.1\tcdn.example\t/v/a1.ts\t200\t\
    CMCD=br%3D1500%2Cd%3D4000%2Cot%3Dv%2Csid%3D%22A1%22%2Csu&x=1\t3.1\t0.1
    2024-02-29\t10:00:04.2\t750000\t10.0.0.2\tcdn.example\t/v/b1.ts\t200\t\
    CMCD=br%3D1500%2Cd%3D4000%2Cot%3Dv%2Csid%3D%22B2%22\t1.1\t0.1
    2024-02-29\t10:00:09.3\t1500000\t10.0.0.1\tcdn.example\t/v/a2.ts\t200\t\
    CMCD=br%3D1500%2Cbs%2Cd%3D4000%2Cot%3Dv%2Csid%3D%22A1%22\t6.1\t0.1

    """
}
