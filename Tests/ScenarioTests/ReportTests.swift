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

/// A trace is the recording written down: what is read back from it is what the run showed.
@Suite struct ReportTests {
  @Test(arguments: GoldenTests.names)
  func `the report of a trace is the screen and the document of its run`(name: String) throws {
    let shipped = try ShippedScenario.named(name)
    let scenario = try shipped.read()
    let outcome = try run(scenario)
    let reported = try report(on: outcome.trace, file: name)
    #expect(reported.missing == [])
    for choice in [PanelChoice.all, .changes] {
      #expect(
        Self.screen(reported.scenario, reported.outcome, choice)
          == Self.screen(scenario, outcome, choice))
    }
    #expect(
      Self.document(reported.scenario, reported.outcome) == Self.document(scenario, outcome))
    let log = LogChoice(accessLog: true, errorLog: true)
    #expect(
      ExtendedLog(of: scenario).text(reported.outcome, log)
        == ExtendedLog(of: scenario).text(outcome, log))
    #expect(reported.outcome.levels == outcome.levels)
    #expect(reported.outcome.panels == outcome.panels)
    #expect(reported.outcome.others.map { $0.bands } == outcome.others.map { $0.bands })
  }

  private static func screen(
    _ scenario: Scenario, _ outcome: RunOutcome, _ choice: PanelChoice
  ) -> String {
    RunScreen(scenario, outcome, heuristic: "")
      .text(panels: choice, style: TextStyle(width: 100, isColoured: false))
  }

  private static func document(_ scenario: Scenario, _ outcome: RunOutcome) -> String {
    var writer = JSONWriter(.indented)
    writer.tree(
      outcome.document(
        of: scenario, file: "", heuristic: "", panels: .all,
        logs: LogChoice(accessLog: true, errorLog: true)))
    return writer.text
  }

  @Test(arguments: ["demo-2-slow-server-play", "hls-talk-rung-600"])
  func `a report has the panels of instants between changes`(name: String) throws {
    let scenario = try ShippedScenario.named(name).read()
    var options = RunOptions()
    options.moments = [0, 700, 2_345, 11_111, 9_000_000].map { .zero + .milliseconds($0) }
    let outcome = try run(scenario, options: options)
    let reported = try report(on: outcome.trace, file: name, moments: options.moments)
    #expect(
      Self.screen(scenario, reported.outcome, .changes)
        == Self.screen(scenario, outcome, .changes))
  }

  /// A seek in an outage, items of one file, ranges that meet, a playhead that runs ahead of its
  /// media, and the end of a run behind which an outage was to come.
  @Test(
    arguments: [
      (
        "1.5 Mbit/s", #"{ "from": "3 s", "for": "6 s" }"#, "",
        #"{ "at": "0 s", "do": "play" }, { "at": "6 s", "do": "seek", "to": "1 s" }"#
      ),
      (
        "2.2 Mbit/s", "",
        #"""
        "items": [ { "name": "a", "forwardPlaybackEndTime": "10 s" },
          { "name": "b", "startTime": "5 s" } ], "queue": [ "a", "b" ],
        """#, #"{ "at": "0 s", "do": "play" }"#
      ),
      (
        "3 Mbit/s", #"{ "from": "5 s", "for": "3 s" }"#, "",
        #"""
        { "at": "0 s", "do": "play" }, { "at": "6 s", "do": "seek", "to": "20 s" },
        { "at": "12 s", "do": "seek", "to": "3 s", "name": "back" }
        """#
      ),
      (
        "1 Mbit/s", #"{ "from": "8 s", "for": "3 s" }"#,
        #""player": { "automaticallyWaitsToMinimizeStalling": false },"#,
        #"""
        { "at": "1 s", "do": "setRateAtHostTime", "rate": 1, "time": "2 s", "hostTime": "at 1 s" }
        """#
      ),
      (
        "60 Mbit/s", #"{ "from": "20 s", "for": "2 s" }"#, "",
        #"{ "at": "0 s", "do": "seek", "to": "30 s" }, { "at": "0 s", "do": "play" }"#
      ),
    ])
  func `a report has the panels of moments between two lines, and behind the last`(
    bandwidth: String, outage: String, more: String, script: String
  ) throws {
    let scenario = try Written.read(
      #"""
      "link": { "bandwidth": "\#(bandwidth)", "delay": "20 ms", "outages": [ \#(outage) ] },
      "media": { "progressive": { "duration": "40 s", "bitrate": "2 Mbit/s" } }, \#(more)
      "horizon": "60 s", "script": [ \#(script) ]
      """#)
    var options = RunOptions()
    options.moments = (0..<50).map { .zero + .milliseconds(Int64($0) * 487) }
    let outcome = try run(scenario, options: options)
    let reported = try report(on: outcome.trace, file: "a.trace", moments: options.moments)
    let (panels, others) = (outcome.chosenPanels, reported.outcome.chosenPanels)
    #expect(panels.map { $0.instant } == others.map { $0.instant })
    for (panel, other) in zip(panels, others) {
      let (ranges, read) = (panel.loadedTimeRanges, other.loadedTimeRanges)
      #expect(ranges.count == read.count, "\(panel.instant)")
      for (range, read) in zip(ranges, read) {
        let starts = range.lowerBound - read.lowerBound
        let ends = range.upperBound - read.upperBound
        #expect(abs(starts.nanoseconds) + abs(ends.nanoseconds) < 1_000_000, "\(panel.instant)")
      }
    }
  }

  /// The rest of the file arrives at 3 s, all at once.
  @Test(arguments: [
    #""do": "switchLink", "to": "off""#,
    #""do": "changeLink", "to": { "delay": "50 ms" }"#,
  ])
  func `a report has the buffer before the rest of a file arrives in an instant`(
    step: String
  ) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "400 kbit/s", "delay": "50 ms" },
        "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
        "player": { "heuristic": "thresholds 2 s/2 s" },
        "script": [ { "at": "0 s", "do": "play" }, { "at": "3 s", \(step) } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    var options = RunOptions()
    options.warns = false
    options.moments = [1_000, 2_000, 2_999, 4_000].map { .zero + .milliseconds($0) }
    let outcome = try run(scenario, options: options)
    let reported = try report(on: outcome.trace, file: "a.trace", moments: options.moments)
    #expect(
      Self.screen(scenario, reported.outcome, .changes)
        == Self.screen(scenario, outcome, .changes))
    // 0.4 s of media arrive in a second, from 0.1 s on.
    let end = Instant.zero + .seconds(3)
    let before = outcome.levels.last { $0.instant == end && $0.media < .seconds(2) }
    #expect(before.map { abs($0.media.nanoseconds - 1_160_000_000) < 100_000 } == true)
  }

  /// The request for the index ends while that for the media goes on.
  @Test func `a report has the loaded ranges of a run whose requests overlap`() throws {
    let scenario = try Written.read(
      #"""
      "link": { "bandwidth": "2 Mbit/s" }, "media": { "progressive": { "duration": "20 s",
        "bitrate": "1 Mbit/s", "headAtom": { "size": "25 KB", "at": "end" } } },
      "script": [ { "at": "0 s", "do": "play" }, { "at": "8 s", "do": "pause" } ]
      """#)
    var options = RunOptions()
    options.moments = [1, 3, 6, 7].map { .zero + .seconds($0) }
    let outcome = try run(scenario, options: options)
    let reported = try report(on: outcome.trace, file: "a.trace", moments: options.moments).outcome
    #expect(reported.chosenPanels == outcome.chosenPanels)
  }

  /// A burst over tcp after reading was suspended, and a picture that freezes at 8 s while the
  /// playhead goes on.
  @Test(arguments: [
    #"""
    "fidelity": "tcp", "link": { "bandwidth": "3 Mbit/s", "delay": "10 ms" },
    "media": { "progressive": { "duration": "24 s", "bitrate": "800 kbit/s" } },
    "player": { "preferredForwardBufferDuration": "1 s" },
    "script": [ { "at": "0 s", "do": "play" }, { "at": "5.2 s", "do": "setRate", "rate": 0.5 } ]
    """#,
    #"""
    "link": { "bandwidth": "3 Mbit/s", "outages": [ { "from": "4.5 s", "for": "9 s" } ] },
    "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "segmentDuration": "2 s",
      "duration": "20 s", "audio": [ { "name": "a", "bitrate": "64 kbit/s" } ] } },
    "player": { "policy": "hls.js 1.6", "preferredForwardBufferDuration": "4 s" },
    "script": [ { "at": "0 s", "do": "play" } ]
    """#,
  ])
  func `a report has the loaded ranges of a buffer that jumps or runs out`(parts: String) throws {
    let scenario = try Written.read(parts)
    var options = RunOptions()
    options.moments = (1...40).map { .zero + .milliseconds($0 * 700) }
    let outcome = try run(scenario, options: options)
    let reported = try report(on: outcome.trace, file: "a.trace", moments: options.moments).outcome
    for (told, own) in zip(reported.chosenPanels, outcome.chosenPanels) {
      let (a, b) = (told.loadedTimeRanges.last, own.loadedTimeRanges.last)
      let miss = (a?.upperBound ?? .zero) - (b?.upperBound ?? .zero)
      #expect(abs(miss.nanoseconds) < 30_000_000, "\(told.instant): \(miss)")
    }
  }

  /// Of media of 1 Mbit/s 20 s are loaded at 5 s and 21 s at 10 s; playback starts with 1 s.
  @Test(
    arguments: [
      (#""seek", "to": "18 s""#, 4_000), (#""seek", "to": "3 s""#, 19_000),
      (#""seek", "to": "50 s""#, 0), (#""advanceToNextItem""#, 22_000),
      (#""showPanel" }, { "at": "15 s", "do": "seek", "to": "18 s""#, 4_000),
      (#""setRate", "rate": 1.5"#, 7_250), (#""pause""#, 7_250),
    ] as [(String, Int64)])
  func `a buffer that bent keeps its bend when its playhead is moved`(
    step: String, ahead: Int64
  ) throws {
    let scenario = try Written.read(
      #"""
      "link": { "schedule": { "steps": [ { "for": "5 s", "bandwidth": "4 Mbit/s" },
        { "for": "60 s", "bandwidth": "200 kbit/s" } ] } },
      "media": { "progressive": { "duration": "60 s", "bitrate": "1 Mbit/s" } },
      "items": [ { "name": "a" }, { "name": "b" } ], "queue": [ "a", "b" ],
      "player": { "policy": "Media3 1.6" }, "horizon": "30 s",
      "script": [ { "at": "0 s", "do": "play" }, { "at": "15 s", "do": \#(step) } ]
      """#)
    var options = RunOptions()
    options.moments = (0..<30).map { .zero + .seconds($0) }
    let outcome = try run(scenario, options: options)
    let reported = try report(on: outcome.trace, file: "a.trace", moments: options.moments).outcome
    #expect(reported.levels == outcome.levels)
    for (told, own) in zip(reported.chosenPanels, outcome.chosenPanels) {
      #expect(told.currentTime == own.currentTime)
      for (told, own) in zip(told.loadedTimeRanges, own.loadedTimeRanges) {
        #expect(abs((told.upperBound - own.upperBound).nanoseconds) < 100_000)
      }
    }
    func level(_ seconds: Int64) -> Int64? {
      let level = outcome.levels.last { $0.instant == .zero + .seconds(seconds) }
      return level.map { ($0.media.nanoseconds + 500_000) / 1_000_000 }
    }
    #expect(level(5) == 15_250)
    // A change of the rate and a pause leave the line as it is; it ends with a bend of its own.
    #expect(level(15) == ahead)
    let falls = outcome.folds.stalls.falls.first
    if ahead == 4_000 { #expect(falls?.top?.instant == .zero + .seconds(15)) }
  }

  /// The parts of a segment come from its beginning on, and a live playhead may stand in any.
  @Test(arguments: ["21", "22", "22.7", "23", "23.5", "25", "27.5"], ["1 s", "500 ms"])
  func `a report has what comes beside a standing playhead`(exists: String, offset: String) throws {
    let scenario = try Written.read(
      #"""
      "horizon": "6 s", "link": { "bandwidth": "3 Mbit/s", "delay": "20 ms" },
      "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "60 s",
        "segmentDuration": "4 s",
        "live": { "startsWith": "\#(exists) s", "parts": { "duration": "1 s" } } } },
      "player": { "configuredTimeOffsetFromLive": "\#(offset)" },
      "script": [ { "at": "0 s", "do": "play" } ]
      """#)
    var options = RunOptions()
    options.moments = (1...59).map { .zero + .milliseconds($0 * 100) }
    let outcome = try run(scenario, options: options)
    let reported = try report(on: outcome.trace, file: "a.trace", moments: options.moments).outcome
    #expect(
      reported.chosenPanels.map { $0.loadedTimeRanges }
        == outcome.chosenPanels.map { $0.loadedTimeRanges })
  }

  @Test func `a report reads what a run with another heuristic recorded`() throws {
    let scenario = try ShippedScenario.named("demo-2-slow-server-play").read()
    let heuristic = try KeepUpHeuristic(text: "thresholds 3 s/3 s")
    let outcome = try run(scenario, options: RunOptions(heuristic: heuristic))
    let reported = try report(on: outcome.trace, file: "a.trace")
    #expect(reported.heuristic == heuristic)
    #expect(reported.outcome.player.startupDelay == outcome.player.startupDelay)
    #expect(reported.outcome.digest == outcome.digest)
  }

  @Test(
    arguments: [
      ("0.5", "1/2"), ("0.8", "4/5"), ("2.5", "5/2"), ("1.999", "1999/1000"),
      ("3", "3/1"), ("0", "0/1"),
    ])
  func `a rate is read back from a trace, be it a decimal or a ratio`(
    decimal: String, ratio: String
  ) throws {
    let scenario = try readScenario(
      Array(
        """
        { "scenario": "a", "about": "b", "link": {},
          "media": { "local": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
          "script": [ { "at": "0 s", "do": "play" },
            { "at": "2 s", "do": "setRate", "rate": \(decimal) } ] }
        """.utf8), file: "a.json")
    let outcome = try run(scenario)
    let set = try Quantity.playbackRate(Array(decimal.utf8)[...])
    #expect(outcome.panels.contains { $0.rate == set && $0.timebaseRate == set })
    let text = String(decoding: outcome.trace, as: UTF8.self)
    let written = text.replacing("\"rate\":\(decimal),", with: "\"rate\":\"\(ratio)\",")
    #expect(written != text)
    for trace in [text, written] {
      #expect(try report(on: Array(trace.utf8), file: "a.trace").outcome.panels == outcome.panels)
    }
  }

  /// A playhead past the end, and delta updates that are larger than what they leave out.
  @Test(arguments: [
    (
      #""player": { "actionAtItemEnd": "none" },"#, #""duration": "30 s", "live": {}"#,
      #"{ "at": "end", "timeOffsetFromLive": "0 s" }"#
    ),
    (
      "",
      #"""
      "duration": "120 s", "segmentDuration": "1 s",
      "live": { "window": "7 s", "canSkipUntil": "6 s" }
      """#, #"{ "outcome": "played" }"#
    ),
  ])
  func `a report reads what a run over a live stream records`(
    player: String, media: String, expected: String
  ) throws {
    let scenario = try Written.read(
      #"""
      "link": { "bandwidth": "5 Mbit/s" }, "horizon": "50 s", \#(player)
      "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], \#(media) } },
      "script": [ { "at": "0 s", "do": "play" }, { "at": "40 s", "do": "pause" } ],
      "expect": [ \#(expected) ]
      """#)
    let outcome = try run(scenario)
    #expect(outcome.failures.isEmpty)
    let reported = try report(on: outcome.trace, file: "a.trace")
    #expect(
      Self.document(reported.scenario, reported.outcome) == Self.document(scenario, outcome))
    let saved = outcome.player.media.playlistBytesSaved
    #expect(saved < 0 || player != "")
    #expect(reported.outcome.player.media.playlistBytesSaved == saved)
  }

  /// The last steps of the script are done first, and of these two the last one first.
  @Test func `a report has steps of one action in the order in which they were done`() throws {
    let scenario = try Written.read(
      #"""
      "link": { "bandwidth": "1 Mbit/s" },
      "media": { "progressive": { "duration": "20 s", "bitrate": "2 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" },
        { "on": "timeControlStatus status=playing", "do": "seek", "to": "2 s" },
        { "on": "timeControlStatus status=playing", "do": "setRate", "rate": 1.5 },
        { "at": { "after": "early", "by": "0 s" }, "do": "seek", "to": "1 s" },
        { "when": "loaded >= 1.5 s", "do": "setRate", "rate": 1.5, "name": "early" } ],
      "expect": [ { "outcome": "played" } ]
      """#)
    let outcome = try run(scenario)
    let reported = try report(on: outcome.trace, file: "a.trace").outcome
    let names = outcome.stepsDone(of: scenario.script).map { $0.step.name }
    #expect(names == ["play", "early", "seek", "seek", "setRate"])
    #expect(reported.stepsDone(of: scenario.script).map { $0.step.name } == names)
    #expect(reported.stepInstants == outcome.stepInstants)
    #expect(Self.screen(scenario, reported, .all) == Self.screen(scenario, outcome, .all))
  }

  @Test func `a trace that breaks off has no report`() throws {
    let trace = try run(ShippedScenario.named("demo-2-slow-server-play").read()).trace
    let text = String(decoding: trace, as: UTF8.self)
    var lines = text.split(separator: "\n")
    lines.removeLast()
    let cut = Array(lines.joined(separator: "\n").utf8)
    #expect(throws: ReplayError.self) { try report(on: cut, file: "a.trace") }
    #expect(throws: ReplayError.self) { try report(on: Array("{}".utf8), file: "a.trace") }
    #expect(throws: ReplayError.self) { try report(on: [], file: "a.trace") }
  }

  @Test func `stalls before their fall and segments without measure have a screen all the same`()
    throws
  {
    let scenario = try readScenario(
      Array(
        """
        { "scenario": "a", "about": "b", "link": { "bandwidth": "350 kbit/s" },
          "media": { "hls": { "ladder": [ { "bitrate": "400 kbit/s" } ], "duration": "20 s",
            "segmentDuration": "4 s" } },
          "player": { "heuristic": "immediate" }, "script": [ { "at": "0 s", "do": "play" } ] }
        """.utf8), file: "a.json")
    let trace = String(decoding: try run(scenario).trace, as: UTF8.self)
    let early = trace.replacing(
      #/"event":"stall","time":[0-9.]+/#, with: #""event":"stall","time":0"#)
    let huge = trace.replacing(
      #/"resource":"mediaSegment","size":[0-9]+/#,
      with: "\"resource\":\"mediaSegment\",\"size\":\(Int64.max)")
    for text in [early, huge] {
      #expect(text != trace)
      let reported = try report(on: Array(text.utf8), file: "a.trace")
      #expect(Self.screen(scenario, reported.outcome, .changes).contains("were ahead at"))
    }
  }

  @Test func `a trace whose time goes back has no report`() throws {
    let trace = try run(ShippedScenario.named("demo-2-slow-server-play").read()).trace
    var lines = String(decoding: trace, as: UTF8.self).split(separator: "\n").map(String.init)
    lines.swapAt(1, lines.count - 2)
    let swapped = Array(lines.joined(separator: "\n").utf8)
    #expect { try report(on: swapped, file: "a.trace") } throws: { error in
      "\(error)".contains("before that of the line above")
    }
  }

  @Test func `an older trace shows what it holds and names what it lacks`() throws {
    let scenario = try ShippedScenario.named("demo-2-slow-server-play").read()
    let outcome = try run(scenario)
    let lines = String(decoding: outcome.trace, as: UTF8.self)
      .replacing(#"{"trace":3,"#, with: #"{"trace":2,"#)
      .split(separator: "\n").filter { !$0.contains("loadedTimeRanges") }
      .map { $0.replacing(/,"books":\{.*?\},"/, with: ",\"") }
    let reported = try report(on: Array(lines.joined(separator: "\n").utf8), file: "old.trace")
    #expect(reported.missing.count > 3)
    #expect(reported.outcome.bands == outcome.bands)
    #expect(reported.outcome.player.startupDelay == outcome.player.startupDelay)
    #expect(reported.outcome.levels.allSatisfy { $0.media == .zero })
    #expect(throws: ReplayError.self) {
      try replay(Array(lines.joined(separator: "\n").utf8), file: "old.trace")
    }
  }

  @Test func `a stall of a trace without samples has a buffer that is unknown`() throws {
    let scenario = try Written.read(
      #"""
      "link": { "bandwidth": "3 Mbit/s" }, "horizon": "20 s",
      "media": { "progressive": { "duration": "40 s", "bitrate": "2 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" },
        { "at": "5 s", "do": "changeLink", "to": { "bandwidth": "1 Mbit/s" } } ]
      """#)
    let outcome = try run(scenario)
    #expect(Self.screen(scenario, outcome, .none).contains("were ahead"))
    let lines = String(decoding: outcome.trace, as: UTF8.self)
      .replacing(#"{"trace":3,"#, with: #"{"trace":2,"#)
      .split(separator: "\n").filter { !$0.contains("loadedTimeRanges") }
    let reported = try report(on: Array(lines.joined(separator: "\n").utf8), file: "old.trace")
    #expect(reported.outcome.player.books.stallCount == outcome.player.books.stallCount)
    let screen = Self.screen(scenario, reported.outcome, .none).replacing(#/\s+/#, with: " ")
    #expect(screen.contains("the buffer before it is unknown"), "\(screen)")
    #expect(!screen.contains("nothing was loaded ahead"))
  }

  @Test(arguments: [
    (#""tool":"#, "the header does not say which version of the tool recorded it"),
    (#""scenario":{"#, "the header embeds no scenario"),
    (#""trace":"#, "this is no trace: its first line has no “trace” version"),
  ])
  func `a header without one of its members is the mistake of the first line`(
    member: String, words: String
  ) throws {
    let trace = try run(ShippedScenario.named("demo-2-slow-server-play").read()).trace
    let text = String(decoding: trace, as: UTF8.self)
      .replacing(member, with: "\"x" + member.dropFirst(), maxReplacements: 1)
    #expect {
      try replay(Array(text.utf8), file: "a.trace")
    } throws: {
      guard case ReplayError.trace(let error) = $0 else { return false }
      return error.line == 1 && error.message == words
    }
  }

  @Test func `the buffer of a queue jumps where the next item begins`() throws {
    let scenario = try ShippedScenario.named("queue-next-item-prepared").read()
    let outcome = try run(scenario)
    let end = try #require(outcome.story.items.dropFirst().first).start
    let around = outcome.levels.filter { $0.instant == end }
    #expect(around.count == 2)
    #expect(around.first?.media == .zero)
  }
}
