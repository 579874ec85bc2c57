import Foundation
import TestSupport
import Testing

/// JSON for machines, colours for people.
@Suite(.besideOthers) struct OutputTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(shortScenario(expecting: #"{ "stallCount": 1 }"#), to: "one.json")
  }

  private func object(_ data: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func list(_ data: Data, _ name: String = "scenarios") throws -> [[String: Any]] {
    try #require(try object(data)[name] as? [[String: Any]])
  }

  /// The only scenario of an answer.
  private func only(_ data: Data) throws -> [String: Any] {
    let scenarios = try list(data)
    #expect(scenarios.count == 1)
    return try #require(scenarios.first)
  }

  /// The names that a run has wherever it occurs.
  private let names = [
    "scenario", "seed", "digest", "end", "fidelity", "startupDelaySeconds", "stallCount",
    "stalledSeconds", "waitingSeconds", "playedSeconds", "rebufferRatio", "seekWaitingSeconds",
    "bytesTransferred", "variantSwitchCount", "averageBitrate",
  ]

  @Test func `a run has its names`() throws {
    let run = try only(try place.run("run", "one.json", "--format", "json").output)
    for name in names { #expect(run[name] != nil, "\(name)") }
    #expect(run["scenario"] as? String == "Short")
    #expect(run["seed"] as? Int == 7)
    #expect(run["end"] as? String == "finished")
    #expect(run["fidelity"] as? String == "fluid")
    #expect(run["startupDelaySeconds"] as? Double == 0)
    #expect(run["playedSeconds"] as? Double == 4)
    #expect(run["bytesTransferred"] as? Int == 500_000)
    #expect(run["panels"] == nil)
  }

  @Test func `an answer for programs is never quiet`() throws {
    let plain = try place.run("run", "one.json", "--format", "json")
    let quiet = try place.run("run", "one.json", "--format", "json", "--quiet")
    #expect(quiet.output == plain.output && plain.errorText.isEmpty)
    #expect(quiet.errorText == "note: beside '--format json' '--quiet' has no effect\n")
    let text = try place.run("run", "one.json", "--quiet")
    #expect(text.text.isEmpty && text.errorText.isEmpty)
  }

  @Test func `panels come into the document when they are asked for`() throws {
    let data = try place.run("run", "one.json", "--format=json", "--panel=end").output
    let panels = try #require(try only(data)["panels"] as? [[String: Any]])
    #expect(panels.count == 1)
    #expect(panels.first?["timeControlStatus"] as? String == "paused")
    #expect(panels.first?["loadedTimeRanges"] as? [[Double]] == [[0, 4]])
  }

  @Test func `logs take the place of the screen, and come into the document`() throws {
    let log = try place.run("run", "one.json", "--access-log").text
    #expect(log.hasPrefix("#Version: 1.0\n"))
    #expect(log.contains("\n1970-01-01 00:00:01 movie.mp4 - - - 1 0 - 4 0 500000 2 "))
    #expect(!log.contains("timeControlStatus") && !log.contains("status domain comment"))
    let both = try place.run("run", "one.json", "--access-log", "--error-log").text
    #expect(both.hasPrefix(log) && both.contains("#Fields: date time uri s-ip cs-guid status"))
    let plain = try only(place.run("run", "one.json", "--format=json").output)
    #expect(plain["accessLog"] == nil && plain["errorLog"] == nil)
    let document = try only(
      place.run("run", "one.json", "--format=json", "--access-log", "--error-log").output)
    let events = try #require(document["accessLog"] as? [[String: Any]])
    #expect(events.count == 1 && events[0]["durationWatched"] as? Double == 4)
    #expect(document["errorLog"] is NSNull)
    let figures = try #require(document["keyPerformanceIndicators"] as? [String: Any])
    #expect(figures["hasFailed"] as? Bool == false && figures["stallsPerHour"] as? Double == 0)
  }

  /// 100,000 bytes of a map and twice 250,000 of media at 1 Mbit/s come in for 4.8 s.
  @Test func `an initialization section takes time whatever else the link keeps`() throws {
    try place.write(
      """
      #EXTM3U
      #EXT-X-TARGETDURATION:4
      #EXT-X-MAP:URI="init.mp4",BYTERANGE="100000@0"
      #EXTINF:4,
      #EXT-X-BYTERANGE:250000@0
      a.mp4
      #EXTINF:4,
      #EXT-X-BYTERANGE:250000@250000
      a.mp4
      #EXT-X-ENDLIST

      """, to: "v.m3u8")
    for fidelity in ["fluid", "tcp"] {
      var logs: [String] = []
      for (number, faults) in ["", #""faults": [{ "url": "none", "status": 404 }],"#].enumerated() {
        try place.write(
          """
          { "scenario": "Map", "about": "A map.", "fidelity": "\(fidelity)",
            "link": { "bandwidth": "1 Mbit/s", "delay": "50 ms" }, \(faults)
            "media": { "hls": { "playlists": "v.m3u8" } },
            "script": [ { "at": "0 s", "do": "play" } ] }
          """, to: "map-\(number).json")
        logs.append(try place.run("run", "map-\(number).json", "--access-log").text)
      }
      #expect(logs[0] == logs[1] && logs[0].contains(" 600000 "), "\(logs)")
      #expect(logs[0].contains(" 600000 4.8 1000000 ") == (fidelity == "fluid"), "\(logs)")
    }
  }

  @Test func `every item of a queue has its logs, in the document as well`() throws {
    try place.write(
      """
      { "scenario": "Two", "about": "Two items.", "link": { "bandwidth": "8 Mbit/s" },
        "media": { "progressive": { "duration": "4 s", "bitrate": "2 Mbit/s" } },
        "items": [ { "name": "clip", "copies": 2 } ], "queue": ["clip"],
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "queue.json")
    let log = try place.run("run", "queue.json", "--access-log").text
    #expect(log.contains("#Remark: item “clip-1”\n") && log.contains("#Remark: item “clip-2”\n"))
    let document = try only(
      place.run("run", "queue.json", "--format=json", "--access-log", "--error-log").output)
    // No item is current when the queue has emptied.
    #expect(document["accessLog"] is NSNull)
    let items = try #require(document["itemLogs"] as? [[String: Any]])
    #expect(items.map { $0["item"] as? String } == ["clip-1", "clip-2"])
    #expect(items.allSatisfy { $0["player"] is NSNull && $0["errorLog"] is NSNull })
    #expect(items.map { ($0["accessLog"] as? [Any])?.count } == [1, 1])
    let single = try only(
      place.run("run", "one.json", "--format=json", "--access-log").output)
    #expect(single["itemLogs"] == nil)
  }

  @Test(arguments: [
    "variants/hls-option-b", "variants/hls-goes-down-before-it-stalls", "live/hls-live-event-ends",
    "queues-and-loops/queue-own-assets", "demo/demo-2-slow-server-play",
  ])
  func `a report judges a trace as the run was judged, by every objective`(name: String) throws {
    let file = Checkout.at("Scenarios/\(name).json").path
    let options = ["--format", "json", "--objective", "all"]
    let run = try only(place.run(["run", file, "--trace", "a.trace"] + options).output)
    let report = try only(place.run(["report", "a.trace"] + options).output)
    let objectives = try #require(run["objectives"] as? NSDictionary)
    #expect(objectives["meanBitrate"] is NSNumber, "\(objectives)")
    #expect(report["objectives"] as? NSDictionary == objectives)
  }

  @Test(arguments: [false, true])
  func `a report says where its trace was altered`(isAltered: Bool) throws {
    _ = try place.run("run", "one.json", "--quiet", "--trace", "one.trace")
    let trace = try place.read("one.trace")
    let altered = trace.replacing(/"bytes":[0-9]+/, with: "\"bytes\":7", maxReplacements: 1)
    #expect(altered != trace)
    try place.write(isAltered ? altered : trace, to: "told.trace")
    let note = "told.trace: the trace was altered: its digest is not that of its lines"
    let screen = try place.run("report", "told.trace")
    #expect(screen.exitCode == 0 && screen.errorText == (isAltered ? "note: \(note)\n" : ""))
    let document = try object(place.run("report", "told.trace", "--format=json").output)
    #expect(document["warnings"] as? [String] == (isAltered ? [note] : []))
  }

  @Test(arguments: [
    ["run", "one.json"], ["run", "one.json", "one.json"], ["run", "."], ["test", "one.json"],
    ["validate", "one.json"], ["compare", "one.json"], ["replay", "one.trace"],
    ["diff", "one.trace", "one.trace"], ["profiles"], ["profiles", "3g"], ["heuristics"],
  ])
  func `every verb answers in one envelope`(arguments: [String]) throws {
    if arguments.contains("one.trace") {
      _ = try place.run("run", "one.json", "--quiet", "--trace", "one.trace")
    }
    let run = try place.run(arguments + ["--format=json"])
    try expectEnvelope(of: run, from: arguments[0])
  }

  private func expectEnvelope(of run: CommandRun, from verb: String) throws {
    let document = try object(run.output)
    #expect(document["goldilocks"] as? String == "0.1.0")
    #expect(document["version"] as? Int == 1)
    #expect(document["command"] as? String == verb)
    #expect((document["warnings"] as? [String])?.isEmpty == true)
    #expect(run.text.hasPrefix("{\n  \"goldilocks\": "))
    #expect(run.text.hasSuffix("]\n}\n"))
  }

  @Test func `an answer has a scenario for each file, whatever became of it`() throws {
    try place.write("{", to: "broken.json")
    for verb in ["run", "test", "validate"] {
      let run = try place.run(
        verb, "one.json", "nothing.json", "broken.json", "--format=json")
      #expect(run.exitCode == 66)
      let files = try list(run.output).map { $0["file"] as? String }
      #expect(files.sorted { $0 ?? "" < $1 ?? "" } == ["broken.json", "nothing.json", "one.json"])
      let errors = try list(run.output).compactMap { $0["error"] as? String }
      #expect(errors.count == 2)
    }
    #expect(try list(try place.run("run", ".", "--format=json").output).count == 1)
  }

  @Test func `what an author should think over is a warning of the answer`() throws {
    try place.write(
      """
      { "scenario": "Many", "about": "Many items.", "link": { "bandwidth": "8 Mbit/s" },
        "media": { "progressive": { "duration": "4 s", "bitrate": "2 Mbit/s" } },
        "horizon": "1 s", "items": [ { "name": "clip", "copies": 200 } ], "queue": ["clip"],
        "expect": [ { "outcome": "neverPlayed" } ] }
      """, to: "many.json")
    let document = try object(try place.run("run", "many.json", "--format=json").output)
    let warnings = try #require(document["warnings"] as? [String])
    #expect(warnings.count == 1)
    #expect(warnings[0].hasPrefix("Many: line 3: 200 items stood in the play queue"))
  }

  @Test func `a trace that is replayed, and two that differ, are told in JSON as well`() throws {
    for (name, file) in [("one", "one.json"), ("two", "two.json")] {
      try place.write(shortScenario(name: name), to: file)
      _ = try place.run("run", file, "--quiet", "--trace", name + ".trace")
    }
    let replayed = try list(
      try place.run("replay", "one.trace", "two.trace", "--format=json").output, "traces")
    #expect(replayed.map { $0["same"] as? Bool } == [true, true])
    #expect(replayed.allSatisfy { ($0["digest"] as? String)?.count == 64 })
    let run = try place.run("diff", "one.trace", "two.trace", "--format=json")
    #expect(run.exitCode == 1)
    let difference = try object(run.output)
    #expect(difference["same"] as? Bool == false)
    #expect((difference["first"] as? [String: Any])?["line"] as? Int == 1)
    #expect(
      difference["difference"] as? String == "the events are the same, but the scenarios are not")
  }

  @Test func `what failed is in the document of a test`() throws {
    let run = try place.run("test", "one.json", "--format=json")
    let document = try object(run.output)
    #expect(run.exitCode == 1)
    #expect(document["passed"] as? Int == 0)
    #expect(document["failed"] as? Int == 1)
    let scenarios = try #require(document["scenarios"] as? [[String: Any]])
    let failures = try #require(scenarios.first?["failures"] as? [[String: Any]])
    #expect(failures.first?["line"] as? Int == 8)
    #expect(failures.first?["expected"] as? String == "stallCount 1")
  }

  @Test func `a comparison has the names of a run for each heuristic`() throws {
    let data = try place.run(
      "compare", "one.json", "--heuristics", "playThrough, everythingLoaded", "--format=json"
    ).output
    let document = try object(data)
    let scenarios = try #require(document["scenarios"] as? [[String: Any]])
    let results = try #require(scenarios.first?["results"] as? [[String: Any]])
    #expect(results.map { $0["policy"] as? String } == ["playThrough", "everythingLoaded"])
    #expect(results.map { $0["startupDelaySeconds"] as? Double } == [0, 1])
    #expect(results.allSatisfy { $0["stallCount"] as? Int == 0 })
  }

  @Test func `mistakes are in the document of a validation`() throws {
    let run = try place.run("validate", "-", "--format=json", input: #"{"scenario": 1}"#)
    let file = try only(run.output)
    #expect(file["valid"] as? Bool == false)
    let diagnostics = try #require(file["diagnostics"] as? [[String: Any]])
    #expect(diagnostics.contains { $0["line"] as? Int == 1 && $0["path"] as? String == "scenario" })
  }

  @Test func `the schema that is shipped is the one that is printed`() throws {
    let shipped = try Data(contentsOf: Checkout.at("Scenarios/.scenario.schema.json"))
    let isShipped = try Command("schema").run().output == shipped
    #expect(isShipped, "write it anew: goldilocks schema > Scenarios/.scenario.schema.json")
    _ = try JSONSerialization.jsonObject(with: shipped)
  }

  @Test(arguments: ["profiles", "heuristics"])
  func `catalogues are documents`(verb: String) throws {
    let run = try Command(verb, "--format=json").run()
    #expect(run.exitCode == 0)
    _ = try JSONSerialization.jsonObject(with: run.output)
  }

  @Test func `a profile answers to its name however it is spelt`() throws {
    let run = try Command("profiles", "slow server", "--format", "json").run()
    let profiles = try list(run.output, "profiles")
    #expect(profiles.count == 1 && profiles[0]["downlinkPerMediaBitrate"] as? Double == 0.858)
  }

  // MARK: Terminals

  private func screen(_ environment: [String: String], columns: UInt16 = 90) throws -> String {
    var command = Command("test", "one.json")
    command.folder = place.folder
    command.environment = ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
    command.terminalColumns = columns
    return try command.run().text
  }

  @Test func `a terminal has colours and marks`() throws {
    let text = try screen([:])
    #expect(text.contains("\u{1B}[31m✘ \u{1B}[0mShort"))
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func `a terminal that wants no colours gets none`(environment: [String: String]) throws {
    let text = try screen(environment)
    #expect(text.hasPrefix("✘ Short"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test func `a pipe has neither`() throws {
    let text = try place.run("test", "one.json").text
    #expect(text.hasPrefix("failed  Short"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test(arguments: [60, 90, 200])
  func `a screen is as wide as the terminal and no wider than a page`(columns: UInt16) throws {
    var command = Command("run", "one.json")
    command.folder = place.folder
    command.environment = ["NO_COLOR": "1", "TERM": "xterm"]
    command.terminalColumns = columns
    let lines = try command.run().text.split(separator: "\r\n")
    #expect(lines.map { $0.unicodeScalars.count }.max() == min(Int(columns), 100))
  }
}
