import Foundation
import TestSupport
import Testing

/// The screen shows the subject: stalls, variants, items, failures, and the panel at an instant.
@Suite(.besideOthers) struct StoryTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
  }

  private func shipped(_ name: String) -> String { Checkout.at("Scenarios/" + name).path }

  private func run(_ name: String, _ options: String...) throws -> String {
    try place.run(["run", shipped(name), "--panel", "none"] + options).text
  }

  /// Whatever stalls is listed with its length, and the lengths are what is booked. A debug build
  /// leaves links and streams, which take long and stall rarely, to the release build.
  @Test func `the stalls of every scenario add up to what is booked`() throws {
    var folders = ["autowait", "demo", "sharing-a-link"]
    if Seeds.areMany { folders += ["links", "live", "startup", "variants"] }
    let run = try place.run(
      ["run"] + folders.map { shipped($0) } + ["--format", "json", "--panel", "none"])
    let object = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    let scenarios = try #require(object?["scenarios"] as? [[String: Any]])
    var count = 0
    for scenario in scenarios {
      let stalls = try #require(scenario["stalls"] as? [[String: Any]])
      let ended = try #require(scenario["endedSeconds"] as? Double)
      let sum = try stalls.reduce(0.0) { sum, stall in
        sum + (stall["endSeconds"] as? Double ?? ended)
          - (try #require(stall["startSeconds"] as? Double))
      }
      count += stalls.count
      #expect(stalls.count == scenario["stallCount"] as? Int)
      #expect(abs(sum - (scenario["stalledSeconds"] as? Double ?? -1)) < 1e-6)
    }
    #expect(count > 20)
  }

  @Test func `a stall says when, how long and why`() throws {
    let screen = try run("links/outage-stalls-and-resumes.json")
    #expect(
      screen.contains("at 5.496 s for 2.504 s: the link was out from 5.000 s to 15.000 s")
        || screen.contains("               at 5.496 s for "), "\(screen)")
    #expect(screen.contains(": the link was out from 5.000 s to 15.000 s;"))
    let slow = try run("demo/demo-3-slow-server-play-immediately.json")
    #expect(
      slow.replacing(#/\s+/#, with: " ").contains(
        "the link had 1.716 Mbit/s for 2.113 s; the media needs 2 Mbit/s; 0.300 s were ahead at "
          + "0.350 s"))
  }

  /// A segment of 50 kB takes 0.133 s and a round trip. With 3 s of forward buffer a segment is
  /// asked for as soon as the one before it is there; with 1.5 s when no more than that is left.
  @Test func `a stall says how long a round trip takes, and when loading went on`() throws {
    for (delay, forward, words) in [
      (600, 3_000, ["with 1.2 s round trip; the segments asked for need 400 kbit/s"]),
      (
        600, 1_500,
        ["with 1.2 s round trip", "2.000 s were ahead at 5.071 s, and about 1.500 s when"]
      ),
      (100, 1_500, []), (100, 3_000, []),
    ] as [(Int, Int, [String])] {
      try place.write(
        """
        { "scenario": "a", "about": "b",
          "link": { "bandwidth": "3 Mbit/s", "delay": "\(delay) ms" },
          "media": { "hls": { "ladder": [ { "bitrate": "400 kbit/s" } ], "duration": "60 s",
            "segmentDuration": "1 s" } },
          "player": { "preferredForwardBufferDuration": "\(forward) ms" },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """, to: "steady.json")
      let screen = try place.run("run", "steady.json", "--panel", "none").text
        .replacing(#/\s+/#, with: " ")
      for word in words { #expect(screen.contains(word), "\(screen)") }
      #expect(screen.contains("stalls none") == words.isEmpty, "\(screen)")
    }
  }

  @Test func `an outage is the cause of a stall whatever the forward buffer, as is an encoder`()
    throws
  {
    func screen(_ media: String, _ script: String, _ player: String = "{}") throws -> String {
      try place.write(
        """
        { "scenario": "a", "about": "b", "horizon": "70 s",
          "link": { "bandwidth": "4 Mbit/s", "delay": "40 ms",
            "outages": [ { "from": "40 s", "for": "25 s" } ] },
          "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "segmentDuration": "4 s",
            \(media) } }, "player": \(player),
          "script": [ { "at": "0 s", "do": "play" }\(script) ] }
        """, to: "causes.json")
      return try place.run("run", "causes.json", "--panel", "none").text
        .replacing(#/\s+/#, with: " ")
    }
    for (first, then) in [(3, 20), (3, nil), (20, 3)] {
      let step = then.map {
        #", {"at": "1 s", "do": "setPreferredForwardBufferDuration", "to": "\#($0) s"}"#
      }
      let text = try screen(
        #""duration": "62 s""#, step ?? "",
        #"{ "preferredForwardBufferDuration": "\#(first) s" }"#)
      #expect(text.contains(" the link was out from 40.000 s to 65.000 s"))
    }
    for (from, span) in [(12, 20), (9, 11), (6, 24)] {
      let live = #""live": {"startsWith": "25 s", "encoderStops": [{"from": "\#(from) s", "#
      let text = try screen(#""duration": "10 min", \#(live)"for": "\#(span) s"}]}"#, "")
      #expect(
        text.contains(": the encoder stood still from \(from).000 s to \(from + span).000 s"),
        "\(text)")
    }
  }

  @Test func `a start waits for what was given up, and for what comes near enough`() throws {
    let givenUp = try run("variants/hls-edge-first-segment-given-up.json")
      .replacing(#/\s+/#, with: " ")
    #expect(
      givenUp.contains(
        "then segment 2.840 s (first byte 0.840 s), then variant playlist 0.840 s (first byte "
          + "0.840 s), then segment 5.423 s (first byte 0.840 s); together 10.783 s"),
      "\(givenUp)")
    // A segment of 1.7 Mbit/s that is sought into its middle, on a link of 2.9.
    try place.write(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2.9 Mbit/s", "delay": "35 ms" },
        "media": { "hls": { "duration": "47 s", "segmentDuration": "5 s", "playlistBytes": "0 B",
          "ladder": [ { "bitrate": "700 kbit/s" }, { "bitrate": "1.7 Mbit/s" } ] } },
        "script": [ { "at": "0 s", "do": "seek", "to": "22 s" },
          { "at": "0.01 s", "do": "play" } ] }
      """, to: "middle.json")
    let middle = try place.run("run", "middle.json", "--panel", "none").text
    #expect(
      middle.replacing(#/\s+/#, with: " ").contains(
        "then segment 3.001 s (first byte 0.070 s), then segment 0.001 s; together 3.132 s"),
      "\(middle)")
  }

  @Test func `a stream has a row of variants, and says how it began and why it switched`() throws {
    let screen = try run("variants/hls-goes-down-before-it-stalls.json", "--width", "120")
    #expect(screen.contains(#/\nvariant +4─+2─+\n/#))
    #expect(
      screen.contains(
        "quality        began with variant 4 of 4.5 Mbit/s, the highest that 8 Mbit/s sustain, "
          + "the throughput seen before;"))
    #expect(
      screen.contains("switches       at 40.156 s down to variant 2 of 600 kbit/s (tooSlow)\n"))
    let assumed = try run("variants/hls-assumed-bitrate-start.json")
    #expect(assumed.replacing(#/\s+/#, with: " ").contains("sustain, the assumed throughput;"))
  }

  @Test func `a queue has its items, and says where a transition was not seamless`() throws {
    let screen = try run("queues-and-loops/loop-rewind.json")
    #expect(
      screen.replacing(#/\s+/#, with: " ").contains(
        "not seamless at 2.250 s: a gap of 0.300 s: it goes back only when the end has been"))
    for (file, words) in [
      ("gapless/gapless-before-ios-15", "from first to second: a gap of 0.500 s: streams do not"),
      ("gapless/gapless-no-matching-sound", "a gap of 0.500 s: the audio codec differs"),
      ("gapless/gapless-padding-without-edit-list", "54 ms of silence: the frames that the"),
      ("queues-and-loops/queue-next-item-late", "from A to B: a gap of 0.300 s: it came too late"),
      (
        "queues-and-loops/queue-next-item-not-loaded",
        "a gap of 1.000 s, in which the player waited: its media was not there"
      ),
    ] {
      let screen = try run(file + ".json").replacing(#/\s+/#, with: " ")
      #expect(screen.contains(words), "\(file)")
    }
    let failed = try run("errors/errors-everything-not-found.json")
    #expect(
      failed.contains("failed         at 25.681 s: the media could not be loaded: HTTP 404\n"))
  }

  @Test func `a panel is shown at instants that are asked for, in their order`() throws {
    let file = shipped("demo/demo-2-slow-server-play.json")
    let run = try place.run("run", file, "--at", "10s", "--at=100 ms", "--at", "500 s")
    #expect(run.text.contains(#/\n +0.1 s +10.0 s +[0-9.]+ s\n/#))
    #expect(run.text.contains(#/\ncurrentTime +0.0s +3.5s +39.0s\n/#))
    #expect(
      run.errorText == "note: \(file): the run ends at 45.455 s, before what '--at' names; "
        + "the panel is that of its end\n")
    let plain = try place.run("run", file, "--at", "45.4 s")
    #expect(run.text.suffix(200) == plain.text.suffix(200) && plain.errorText.isEmpty)
    let wrong = try place.run("run", file, "--at", "noon")
    #expect(wrong.exitCode == 64)
    #expect(wrong.errorText.contains("'noon' is invalid for '--at <time>'"))
  }

  private func ranges(_ text: String) -> Substring? {
    text.split(separator: "\n").first { $0.hasPrefix("loadedTimeRanges") }
  }

  /// Segments of pictures end before those of the sound: this player stalls, its picture frozen,
  /// once the sound is played as well.
  @Test(arguments: ["1.9", "2", "2.1", "2.2"])
  func `a trace has the moment at which the pictures of a stream run out`(length: String) throws {
    try place.write(
      """
      { "scenario": "Frozen", "about": "Pictures run out while sound goes on.",
        "link": { "delay": "130 ms", "schedule": { "steps": [
          { "for": "4.6 s", "bandwidth": "714205 bit/s" },
          { "for": "13 s", "bandwidth": "0 bit/s" } ] } },
        "media": { "hls": {
          "ladder": [ { "bitrate": "1173 kbit/s" }, { "bitrate": "0.35 Mbit/s" } ],
          "duration": "8.8 s", "segmentDuration": "\(length) s",
          "audio": [ { "name": "E", "bitrate": "95 kbit/s" } ] } },
        "player": { "policy": "VHS 3.17" }, "script": [ { "at": "1 s", "do": "play" } ] }
      """, to: "frozen.json")
    let moments = ["--at", "6 s", "--at", "7 s", "--at", "8 s"]
    let run = try place.run(["run", "frozen.json", "--trace", "frozen.trace"] + moments)
    let report = try place.run(["report", "frozen.trace"] + moments)
    #expect(ranges(run.text) != nil && ranges(run.text) == ranges(report.text), "\(report.text)")
  }

  /// A file whose bytes are spread unevenly grows by time as they arrive, of two items by its own.
  @Test(arguments: Seeds.cases(of: [300, 500, 700, 900, 1_100, 1_500, 2_300] as [Int64], few: 3))
  func `a trace has the loaded ranges of files of variable bit rate at any moment`(
    rate: Int64
  ) throws {
    func sizes(_ heavy: Range<Int>) -> String {
      (0..<16).map { heavy.contains($0) ? #""240 KB""# : #""40 KB""# }.joined(separator: ", ")
    }
    func file(_ heavy: Range<Int>) -> String {
      #""progressive": { "duration": "16 s", "sizesPerSecond": [ \#(sizes(heavy)) ] }"#
    }
    try place.write(
      """
      { "scenario": "Files", "about": "Two files follow each other.", "horizon": "40 s",
        "link": { "bandwidth": "\(rate) kbit/s", "delay": "30 ms" },
        "media": { \(file(2..<6)) },
        "assets": [ { "name": "other", "media": { \(file(9..<12)) } } ],
        "items": [ { "name": "one" }, { "name": "two", "asset": "other" } ],
        "queue": [ "one", "two" ],
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "files.json")
    let moments = [1, 2, 3, 5, 8, 13, 17, 21, 34, 39.6].flatMap { ["--at", "\($0 + 0.37) s"] }
    let run = try place.run(["run", "files.json", "--trace", "files.trace"] + moments)
    let report = try place.run(["report", "files.trace"] + moments)
    #expect(ranges(run.text) != nil && ranges(run.text) == ranges(report.text), "\(report.text)")
  }

  @Test func `a quiet run says that it writes no picture and no log`() throws {
    let file = shipped("demo/demo-2-slow-server-play.json")
    for option in ["--format=svg", "--access-log", "--error-log"] {
      let run = try place.run("run", file, "--quiet", option)
      #expect(run.exitCode == 0 && run.text.isEmpty)
      #expect(run.errorText.hasPrefix("note: beside '--quiet' '--"), "\(run.errorText)")
    }
    #expect(try place.run("run", file, "--quiet").errorText == "")
  }

  @Test(arguments: [
    ["--oracle"], ["--at", "3 s"], ["--panel", "none"], ["--objective", "all"], ["--access-log"],
    ["--error-log"],
  ])
  func `beside a picture nothing is asked of the screen`(other: [String]) throws {
    let file = shipped("demo/demo-2-slow-server-play.json")
    let run = try place.run(["run", file, "--format", "svg"] + other)
    #expect(run.exitCode == 64 && run.text.isEmpty)
    #expect(
      run.errorText.hasPrefix(
        "Error: '--format svg' takes the place of the screen, on which '\(other[0])' would show"))
    #expect(try place.run("run", file, "--format", "svg").text.hasPrefix("<svg"))
  }

  @Test func `a panel that is asked for by its time leaves the choice of panels without effect`()
    throws
  {
    let file = shipped("demo/demo-2-slow-server-play.json")
    let note = "note: beside '--at' '--panel' has no effect\n"
    let run = try place.run("run", file, "--at", "3 s", "--panel", "none")
    #expect(run.exitCode == 0 && run.errorText == note, "\(run.errorText)")
    let document = try place.run("run", file, "--at", "3 s", "--panel", "none", "--format", "json")
    #expect(document.errorText == note, "\(document.errorText)")
    #expect(try place.run("run", file, "--at", "3 s").errorText == "")
    #expect(try place.run("run", file, "--panel", "none").errorText == "")
  }

  @Test func `beside a log nothing is asked of the screen, which it takes the place of`() throws {
    let file = shipped("demo/demo-2-slow-server-play.json")
    for (log, other) in [
      ("--access-log", ["--oracle"]), ("--access-log", ["--at", "3 s"]),
      ("--error-log", ["--panel", "none"]), ("--error-log", ["--objective", "all"]),
    ] {
      let run = try place.run(["run", file, log] + other)
      #expect(run.exitCode == 64 && run.text.isEmpty)
      #expect(
        run.errorText.hasPrefix(
          "Error: '\(log)' takes the place of the screen, on which '\(other[0])' would show"))
      #expect(try place.run(["run", file, log, "--format=json"] + other).exitCode == 0)
    }
    #expect(try place.run("run", file, "--access-log", "--error-log").exitCode == 0)
    for seconds in ["0", "-1", "0.5", "86401"] {
      let run = try place.run("run", file, "--quiet", "--answer-time=\(seconds)")
      #expect(run.exitCode == 64)
    }
  }

  @Test func `one property that goes to and fro does not drive out the others`() throws {
    let outages = (0..<20).map { ##"{ "from": "\##($0 * 3 + 5) s", "for": "2 s" }"## }
    try place.write(
      """
      { "scenario": "Flood", "about": "The link comes and goes.",
        "link": { "bandwidth": "6 Mbit/s", "outages": [ \(outages.joined(separator: ",")) ] },
        "media": { "progressive": { "duration": "100 s", "bitrate": "2 Mbit/s" } },
        "player": { "heuristic": "playThrough" },
        "script": [ { "when": "loaded >= 3 s", "do": "playImmediately", "rate": 1 } ] }
      """, to: "flood.json")
    let run = try place.run("run", "flood.json")
    let all = try place.run("run", "flood.json", "--panel", "all")
    let note = #/\n([0-9]+) changes of isPlaybackLikelyToKeepUp alone left out: --panel all/#
    #expect(run.text.contains(note), "\(run.text)")
    #expect(!all.text.contains(note))
    #expect(all.text.count > run.text.count)
  }

  @Test func `a run that was cut off says so`() throws {
    try place.write(
      shortScenario().replacing("\"seed\": 7,", with: "\"seed\": 7, \"horizon\": \"3 s\","),
      to: "cut.json")
    let run = try place.run("run", "cut.json")
    #expect(
      run.text.replacing(#/\s+/#, with: " ").contains(
        "end the run was cut off by its horizon at 3.000 s; a longer “horizon” in the scenario"))
  }

  @Test func `colours and a width can be had in a pipe`() throws {
    let file = shipped("demo/demo-2-slow-server-play.json")
    #expect(try !place.run("run", file).text.contains("\u{1B}["))
    #expect(try place.run("run", file, "--color", "always").text.contains("\u{1B}[1m"))
    #expect(try !place.run("run", file, "--color=never").text.contains("\u{1B}["))
    for width in Seeds.cases(of: [40, 60, 100, 160, 300]) {
      let lines = try place.run("run", file, "--width", "\(width)").text.split(separator: "\n")
      let player = try #require(lines.first { $0.hasPrefix("player  ") })
      #expect(player.unicodeScalars.count == width)
    }
    #expect(try place.run("run", file, "--width", "5").exitCode == 64)
    #expect(try place.run("test", file, "--colour=always").errorText.contains("'--color'"))
  }
}
