import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing
import VirtualTime

/// What a scenario says of its requests, of what breaks, and of competing traffic.
@Suite struct NetworkPartTests {
  @Test func `requests, faults and traffic are read to the bit`() throws {
    let all = try scenario(SampleScenario.everything)
    var options = RequestOptions(
      http: HTTPOptions(
        version: .http1(connections: 4), security: .tls12, idleTimeout: .seconds(30)),
      timeouts: RequestTimeouts(
        firstByte: .seconds(20), idle: .seconds(10), whole: .seconds(300)))
    options.transport.connection = ConnectionOptions(
      congestionControl: .reno, initialWindow: 4, slowStartAfterIdle: false)
    options.transport.path = PathOptions(lossPosition: .afterQueue, idleLink: .passesAtOnce)
    options.transport.path.bucketBytes = 3_000
    #expect(all.requests == options)
    #expect(
      all.faults
        == FaultPlan([
          FaultRule(.status(503), numbers: 1...1, label: LabelPattern("movie.mp4")),
          FaultRule(.reset(afterBytes: 64_000), numbers: 2...3, chance: LossRatio(1, over: 2)),
          FaultRule(.stall(afterBytes: 0), numbers: 9...9),
          FaultRule(.slowFirstByte(.milliseconds(200)), label: LabelPattern("*#head")),
        ]))
    #expect(all.traffic.map(\.name) == ["updates", "photos"])
    #expect(
      all.traffic.map(\.traffic) == [
        CompetingTraffic(connections: 2, begins: .zero + .seconds(1), ends: .zero + .seconds(20)),
        CompetingTraffic(bytes: 3_000_000),
      ])
    #expect(all.leakedPlayers.map { $0.begins } == [.zero + .seconds(2)])
    #expect(all.leakedPlayers[0].item.label == "leaked-1.mp4")
    #expect(
      all.item.retry
        == RetryPolicy(attempts: 2, backOff: .seconds(1), longestBackOff: .seconds(3)))
    #expect(all.link.schedule?.clock == .pausedDuringLatency)
    #expect(all.link.schedule?.offset == .seconds(1))
    #expect(all.link.schedule?.steps[0].latency == .milliseconds(20))
  }

  @Test(
    arguments: [("5 s", "2 s", 5), ("2 s", "5 s", 5), ("9 s", nil, 9), ("1 s", nil, 8)]
      as [(String, String?, Int64)])
  func `the longest wait is never less than the first`(
    first: String, longest: String?, seconds: Int64
  ) throws {
    let limit = longest.map { #", "longestBackOff": "\#($0)""# } ?? ""
    let text = """
      { "scenario": "a", "about": "b", "link": {},
        "media": { "progressive": { "duration": "9 s", "bitrate": "1 Mbit/s" } },
        "player": { "retry": { "backOff": "\(first)"\(limit) } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    #expect(scenario.item.retry.longestBackOff == .seconds(seconds))
  }

  @Test func `nothing said means nothing asked of the link`() throws {
    let demo = try scenario(SampleScenario.demo)
    #expect(demo.requests == nil)
    #expect(demo.faults == .none)
    #expect(demo.traffic.isEmpty && demo.leakedPlayers.isEmpty && demo.files.isEmpty)
  }

  @Test func `a recorded link is its schedule, and its file goes with the scenario`() throws {
    let recorded = try scenario(SampleScenario.recorded)
    #expect(recorded.files.map { $0.path } == ["traces/tunnel.csv"])
    #expect(recorded.requests?.http.version == .http2(streams: 100))
    let schedule = try #require(recorded.link.schedule)
    #expect(schedule.ending == .loops)
    #expect(
      schedule.steps.contains { $0.bandwidth == .limited(BitRate(bitsPerSecond: 570_000)) })
    #expect(recorded.link.trace?.reading == TraceReading(interval: .ends, ending: .loops))
  }

  @Test func `a trace replays without the file, and tells another file from it`() throws {
    let original = try run(scenario(SampleScenario.recorded))
    guard case .same = try replay(original.trace, file: "a.trace") else {
      Issue.record("the replay diverged")
      return
    }
    let other = try readScenario([UInt8](SampleScenario.recorded.utf8), file: "a.json") { _ in
      SampleScenario.file(beside: "traces/tunnel.csv").map { $0 + [UInt8]("# end\n".utf8) }
    }
    let changed = try run(other)
    #expect(changed.digest != original.digest)
    guard case .first(let words, 1, 1) = try compareTraces(original.trace, changed.trace) else {
      Issue.record("the headers differ")
      return
    }
    #expect(words == "the events are the same, but the files the scenarios name are not")
  }

  @Test func `a run ends when nothing but somebody else's downloads goes on`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "4 Mbit/s" },
        "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
        "traffic": [
          { "name": "endless" }, { "name": "late", "from": "30 min", "to": "40 min" },
          { "name": "short", "from": "1 s", "to": "2 s" }
        ],
        "script": [ { "at": "0 s", "do": "play" }, { "at": "9 s", "do": "pause" } ],
        "expect": [
          { "order": [
            "traffic name=endless", "traffic active=true", "traffic active=false", "app do=pause"
          ] },
          { "count": "traffic", "is": 3 }, { "end": "finished", "played": "4 s" }
        ] }
      """
    let outcome = try run(scenario(text))
    #expect(outcome.failures == [])
    #expect(outcome.ended == .zero + .seconds(9))
    #expect(outcome.faults == [])
  }

  @Test func `a text that is no trace is called that, once`() {
    #expect {
      try replay([UInt8]("hello\n".utf8), file: "a.trace")
    } throws: { error in
      guard case ReplayError.trace(let problem) = error else { return false }
      return problem.text == "line 1: this is no trace: this is not JSON: found “h”"
    }
  }

  @Test(arguments: [
    (
      #""requests": { "http": "3" }"#,
      "a.json:2:23: requests.http: unknown word “3” (expected “1.1” or “2”"
    ),
    (
      #""requests": { "http": "2", "connectionsPerHost": 6 }"#,
      "a.json:2:28: requests.connectionsPerHost: HTTP/2 has one connection to a host"
    ),
    (#""faults": [{ "requests": 1 }]"#, "a.json:2:12: faults[0]: one of “status”, “reset”"),
    (#""faults": [{ "status": 200 }]"#, "a.json:2:24: faults[0].status: found the number 200"),
    (
      #""faults": [{ "status": 404, "requests": [3, 2] }]"#,
      "a.json:2:41: faults[0].requests: no range of requests"
    ),
    (
      #""traffic": [{ "name": "a" }, { "name": "a" }]"#,
      "a.json:2:30: traffic[1]: two downloads are called “a”"
    ),
    (
      #""traffic": [{ "name": "a", "from": "2 s", "to": "1 s" }]"#,
      "a.json:2:49: traffic[0].to: found the string “1 s” (expected a time after “from”)"
    ),
    (
      #""traffic": [{ "name": "updates" }], "script": [{ "at": "0 s", "do": "stopTraffic", "#
        + #""traffic": "update" }]"#,
      "a.json:2:95: script[0].traffic: no traffic is called “update” (expected “updates”; did you"
    ),
    (
      #""link": { "trace": { "file": "traces/none.csv" } }"#,
      "a.json:2:30: link.trace.file: the file “traces/none.csv” cannot be read"
    ),
    (
      #""link": { "trace": { "file": "loss-of-one-percent.json" } }"#,
      "loss-of-one-percent.json:1:1: link.trace.file: found a JSON object"
    ),
    (
      #""link": { "trace": { "file": "traces/hotel.plist", "profile": "Motel" } }"#,
      "a.json:2:52: link.trace.profile: “traces/hotel.plist” has no profile “Motel”"
    ),
    (
      #""link": { "trace": { "file": "traces/tunnel.csv", "profile": "Motel" } }"#,
      "a.json:2:51: link.trace.profile: “traces/tunnel.csv” holds no profiles"
    ),
    (
      #""link": { "profile": "3G", "trace": { "file": "traces/hotel.plist" } }"#,
      "a.json:2:11: link.profile: “traces/hotel.plist” is a profile already"
    ),
    (
      #""link": { "trace": { "file": "traces/tunnel.csv", "payload": "0 %" } }"#,
      "a.json:2:62: link.trace.payload: found the string “0 %” (expected more than 0 %"
    ),
    (
      #""player": { "retry": { "attempts": -1 } }"#,
      "a.json:2:36: player.retry.attempts: found the number -1"
    ),
  ])
  func `a mistake is named where it is`(part: String, expected: String) {
    let link = part.contains("\"link\"") ? "" : "\"link\": {}, "
    let found = mistakes(
      in: """
        { "scenario": "a", "about": "b", \(link)"media": { "local": { "size": "1 MB", \
        "duration": "9 s" } },
        \(part) }
        """)
    #expect(found.hasPrefix(expected), "\(found)")
  }
}
