import LinkConditioner
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import Testing
import VirtualTime

/// Traces of lines that were written by hand, and what a report reads from them.
@Suite struct TraceReadingTests {
  private static let scenario = """
    {"scenario":"a","about":"b","link":{},"media":{"hls":{"duration":"20 s",\
    "ladder":[{"bitrate":"1 Mbit/s"}]}},"script":[{"at":"0 s","do":"play"},\
    {"at":"1 s","do":"pause"},{"at":"2 s","do":"play"}]}
    """
  private static let header =
    #"{"trace":3,"tool":"0.1.0","seed":1,"scenario":\#(scenario)}"#
  private static let last = #"{"t":9,"event":"playbackSummary","end":"finished"}"#

  private func read(_ lines: [String], _ last: String = last) throws -> ReportedRun {
    let text = ([Self.header] + lines + [last]).map { $0 + "\n" }.joined()
    return try report(on: Array(text.utf8), file: "a.trace")
  }

  @Test(arguments: [
    ([header], 1, "the trace ends with its header; nothing was recorded"),
    (
      [header, #"{"t":1,"event":"stall"}"#], 2,
      "the trace breaks off: its last line is no playbackSummary"
    ),
    ([header, #"{"event":"playbackSummary"}"#], 2, "this line is broken: it lacks its time"),
    ([header, #"{"t":1}"#, last], 2, "this line is broken: it lacks its event"),
    ([header, #"{"event":"stall"}"#, last], 2, "this line is broken: it lacks its time"),
    (
      [header, #"{"t":1,"event":"x"}"#, #"{"t":0.999999999,"event":"x"}"#, last], 3,
      "the time of this line is before that of the line above"
    ),
    (
      [header, #"{"t":10,"event":"x"}"#, last], 3,
      "the time of this line is before that of the line above"
    ),
    ([header, "x", last], 2, "this line is broken: this is not JSON: found “x”"),
    ([#"{"trace":3}"#, last], 1, "the header embeds no scenario"),
  ])
  func `a broken trace names its line`(lines: [String], line: Int, message: String) {
    do throws(ReplayError) {
      _ = try report(on: Array(lines.joined(separator: "\n").utf8), file: "a.trace")
      Issue.record("that is no trace")
    } catch {
      guard case .trace(let problem) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(problem.line == line && problem.message == message)
    }
  }

  @Test(arguments: [
    (#""event":"stall","time":-1,"clause":"dry""#, "time"),
    (#""event":"stall","time":{},"clause":"dry""#, "time"),
    (#""event":"stall","time":1e400,"clause":"dry""#, "time"),
    (#""event":"loadedTimeRanges","time":1,"ahead":null"#, "ahead"),
    (#""event":"playbackBufferFull","value":1"#, "value"),
    (#""event":"requestStart","request":1,"size":"77""#, "size"),
    (#""event":"mediaResourceRequest","request":1,"bytes":1.5"#, "bytes"),
  ]) func `a member whose value no run records names its line`(members: String, name: String) {
    expect("no run records such a “\(name)”", at: 3) {
      try read([#"{"t":0,"event":"x"}"#, "{\"t\":1,\(members)}"])
    }
  }

  @Test(arguments: [
    (#""startupDelaySeconds":-1"#, "startupDelaySeconds"),
    (#""books":{"items":[{"playedVariants":[{"bitrate":-1}]}]}"#, "bitrate"),
    (#""books":{"items":[{"media":"media","shownVariants":[{"variant":1}]}]}"#, "shownVariants"),
  ]) func `a summary whose value no run records names its line`(members: String, name: String) {
    expect("no run records such a “\(name)”", at: 2) {
      try read([], "{\"t\":9,\"event\":\"playbackSummary\",\"end\":\"finished\",\(members)}")
    }
  }

  private func expect(_ words: String, at line: Int, _ read: () throws -> ReportedRun) {
    #expect {
      try read()
    } throws: { error in
      guard case .trace(let problem)? = error as? ReplayError else { return false }
      return problem.line == line && problem.message == "this line is broken: " + words
    }
  }

  @Test func `lines of one instant follow each other`() throws {
    let run = try read([#"{"t":9,"event":"x"}"#, #"{"t":9,"event":"x"}"#])
    #expect(run.outcome.ended == .zero + .seconds(9) && run.outcome.end == .finished)
    #expect(run.outcome.eventCount == 0 && run.outcome.digest == nil)
    let other = #"{"t":9,"event":"playbackSummary","end":"horizon","digest":"ab"}"#
    #expect(try read([], other.replacing("{\"t\"", with: "{\"t\"")).outcome.end == .horizon)
    #expect(try read([#"{"t":9,"event":"x"}"#], other).outcome.digest == "ab")
  }

  /// The step of a line is the one of its instant, or else the first of its name not done yet.
  @Test(
    arguments: [
      (#""do":"play""#, [3, nil, nil]), (#""do":"pause""#, [nil, 3, nil]),
      (#""step":"pause","do":"play""#, [nil, 3, nil]), (#""step":"play","do":"x""#, [3, nil, nil]),
      (#""do":"x""#, [nil, nil, nil]), (#""do":"play","player":"b""#, [nil, nil, nil]),
    ] as [(String, [Int64?])])
  func `a line of the script tells when a step was done`(
    members: String, instants: [Int64?]
  ) throws {
    let run = try read(["{\"t\":3,\"event\":\"app\",\(members)}"])
    #expect(run.outcome.stepInstants == instants.map { $0.map { .zero + .seconds($0) } })
  }

  @Test func `steps of one name are done one after the other`() throws {
    let lines = [3, 4, 5].map { "{\"t\":\($0),\"event\":\"app\",\"do\":\"play\"}" }
    let instants = try read(lines).outcome.stepInstants
    #expect(instants == [.zero + .seconds(3), nil, .zero + .seconds(4)])
  }

  @Test func `of steps of one name the one of the line's instant was done`() throws {
    let instants = try read([#"{"t":2,"event":"app","do":"play"}"#]).outcome.stepInstants
    #expect(instants == [nil, nil, .zero + .seconds(2)])
  }

  // MARK: Requests

  private static func start(_ more: String) -> String {
    "{\"t\":1,\"event\":\"requestStart\",\"request\":5\(more)}"
  }

  @Test func `a request has what its line tells`() throws {
    let line = Self.start(
      #","resource":"mediaSegment","track":"main","size":77,"after":4,"variant":2,"#
        + #""from":4,"to":8,"uri":"a","item":"x""#)
    let stage = try #require(try read([line]).outcome.curves?.requests.first)
    #expect(stage.id == TransferID(rawValue: 5) && stage.resource == .mediaSegment)
    #expect(stage.track == .main && stage.bytes == 77 && stage.after?.rawValue == 4)
    #expect(stage.variant == 2 && stage.media == .seconds(4)..<(.seconds(8)))
    #expect(stage.item == "x" && stage.requested == .zero + .seconds(1) && stage.retries == nil)
    let part = try #require(
      try read([Self.start(#","firstByte":9"#)]).outcome.curves?.requests.first)
    #expect(part.resource == nil && part.firstByte == 9 && part.bytes == nil && part.media == nil)
    let bare = try #require(try read([Self.start("")]).outcome.curves?.requests.first)
    #expect(bare.firstByte == 0 && bare.track == nil && bare.after == nil && bare.variant == nil)
  }

  @Test(
    arguments: [
      (#","from":4,"to":4"#, 4...4), (#","from":5,"to":4"#, nil), (#","from":4"#, nil),
      (#","to":4"#, nil), (#","from":4,"to":5"#, 4...5),
    ] as [(String, ClosedRange<Int64>?)])
  func `media of a request is a range that rises`(
    members: String, media: ClosedRange<Int64>?
  ) throws {
    let line = Self.start(#","resource":"mediaSegment""# + members)
    let stage = try #require(try read([line]).outcome.curves?.requests.first)
    #expect(
      stage.media
        == media.map {
          MediaTime.seconds($0.lowerBound)..<MediaTime.seconds($0.upperBound)
        })
  }

  /// The next line names the request in whose place one is made.
  @Test(
    arguments: [
      ([#"{"t":1,"event":"requestRetry","request":5,"after":3}"#], 3),
      ([#"{"t":1,"event":"requestRetry","request":5}"#], nil),
      ([#"{"t":1,"event":"x"}"#, #"{"t":1,"event":"requestRetry","request":5,"after":3}"#], nil),
      ([], nil),
    ] as [([String], Int32?)])
  func `a retry stands behind its request`(lines: [String], old: Int32?) throws {
    for more in [#","resource":"mediaSegment""#, ""] {
      let stages = try read([Self.start(more)] + lines).outcome.curves?.requests
      #expect(stages?.count == 1 && stages?.first?.retries?.rawValue == old)
    }
  }

  /// The end of a request: outcome, bytes received, first byte and steps in milliseconds.
  @Test(arguments: [
    (#""event":"mediaResourceRequest","bytes":7"#, "completed 7 -"),
    (#""event":"requestCancel","bytes":7"#, "cancelled 7 -"),
    (#""event":"requestError","bytes":7,"error":"x""#, "failed 7 -"),
    (#""event":"requestError""#, "failed 0 -"),
    (#""event":"mediaResourceRequest","bytes":7,"connection":3"#, "completed 7 3 false ------"),
    (
      #""event":"mediaResourceRequest","bytes":7,"domainLookup":0.001,"waiting":0.002,"#
        + #""connect":0.003,"secureConnection":0.004,"timeToFirstByte":0.005,"transfer":0.006"#,
      "completed 7 0 false 123456"
    ),
    (
      #""event":"mediaResourceRequest","bytes":7,"connection":3,"isReusedConnection":true"#,
      "completed 7 3 true ------"
    ),
    (#""event":"segmentAbandon","bytes":7,"size":9,"clause":"late""#, "underWay - -"),
  ])
  func `a line tells how a request ended`(members: String, expected: String) throws {
    let line = "{\"t\":2,\"request\":5,\(members)}"
    let respond = #"{"t":1.5,"event":"responseStart","request":5}"#
    let stage = try #require(
      try read([Self.start(#","resource":"mediaSegment""#), respond, line])
        .outcome.curves?.requests.first)
    let steps =
      stage.steps.map { steps in
        let spans = [
          steps.lookup, steps.waiting, steps.connect, steps.security, steps.response,
          steps.transfer,
        ]
        let words = spans.map { $0.map { "\($0.nanoseconds / 1_000_000)" } ?? "-" }
        return "\(steps.connection) \(steps.reusesConnection) \(words.joined())"
      } ?? "-"
    let received = stage.received.map { "\($0)" } ?? "-"
    #expect("\(stage.outcome) \(received) \(steps)" == expected)
    #expect(stage.responded == .zero + .milliseconds(1_500))
    #expect((stage.ended == .zero + .seconds(2)) == !expected.hasPrefix("underWay"))
  }

  // MARK: Samples and rates

  private func levels(_ members: String) throws -> [String] {
    let line = "{\"t\":4,\"event\":\"loadedTimeRanges\",\"time\":1\(members)}"
    return try read([line]).outcome.levels.map {
      "\($0.instant.nanoseconds / 1_000_000): \($0.media.nanoseconds / 1_000_000)"
    }
  }

  @Test func `a sample may name where its line bends`() throws {
    #expect(try levels(#","ahead":3"#) == ["0: 0", "4000: 3000"])
    #expect(try levels(#","ahead":3,"bendAhead":2"#) == ["0: 0", "4000: 2000", "4000: 3000"])
    #expect(
      try levels(#","ahead":3,"bendAhead":2,"bendAt":3.5"#)
        == ["0: 0", "3500: 2000", "4000: 3000"])
    #expect(try levels(#","ahead":3,"bendAt":3.5"#) == ["0: 0", "4000: 3000"])
    #expect(try levels("") == ["0: 0", "4000: 0"])
  }

  @Test(
    arguments: [
      ("", []), ("0-3.5", [0...3_500]), ("0-3.5 10-12", [0...3_500, 10_000...12_000]),
      ("3-3", [3_000...3_000]),
      ("3-2", []), ("3", []), ("1-2-3", []), ("a-3 4-5", [4_000...5_000]),
    ] as [(String, [ClosedRange<Int64>])])
  func `ranges are pairs of seconds`(text: String, ranges: [ClosedRange<Int64>]) throws {
    let line =
      #"{"t":4,"event":"loadedTimeRanges","time":1,"ahead":1,"ranges":"\#(text)"}"#
    let full = #"{"t":4,"event":"playbackBufferFull","value":true}"#
    let panel = try #require(try read([full, line]).outcome.panels.last)
    #expect(
      panel.loadedTimeRanges
        == ranges.map {
          MediaTime(
            nanoseconds: $0.lowerBound * 1_000_000)..<MediaTime(
              nanoseconds: $0.upperBound * 1_000_000)
        })
    #expect(panel.isPlaybackBufferFull)
  }

  @Test(
    arguments: [
      ("5", [5]), ("\"unlimited\"", [nil]), ("\"other\"", nil), ("1.5", nil), ("null", nil),
    ] as [(String, [Int64?]?)])
  func `the rate of the link is a number or no limit`(rate: String, rates: [Int64?]?) throws {
    let run = try read(["{\"t\":0,\"event\":\"linkRate\",\"rate\":\(rate)}"])
    #expect(run.outcome.capacity.map { $0.map { $0.rate } } == rates)
    #expect(run.missing == [])
    let none = try read([#"{"t":0,"event":"x"}"#])
    #expect(
      none.missing == ["the rates of the link", "the policy's forecasts of the start"])
  }

  @Test(arguments: [
    ("0.5", PlaybackRate(1, over: 2)), ("\"1/3\"", PlaybackRate(1, over: 3)),
    ("2", PlaybackRate(2)),
    ("0", .zero), ("\"1/0\"", .zero), ("\"0/1\"", .zero), ("\"1\"", .zero), ("\"1/2/3\"", .zero),
    ("\"x/2\"", .zero), ("0.000000001", PlaybackRate(1, over: 1_000_000_000)),
    ("32", PlaybackRate(32)),
    ("\"2/1\"", PlaybackRate(2)), ("-1", .zero),
  ])
  func `a rate is a decimal or a ratio`(text: String, rate: PlaybackRate) throws {
    let lines = [
      "{\"t\":4,\"event\":\"rateChange\",\"rate\":\(text),\"previous\":0}",
      #"{"t":4,"event":"playbackBufferFull","value":true}"#,
      #"{"t":4,"event":"loadedTimeRanges","time":1,"ahead":1}"#,
    ]
    let panel = try #require(try read(lines).outcome.panels.last { $0.isPlaybackBufferFull })
    #expect(panel.rate == rate)
  }
}
