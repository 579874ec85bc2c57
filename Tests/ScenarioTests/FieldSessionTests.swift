import ExactText
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing
import VirtualTime

/// Sessions that were worked out by hand: the scenario that is made of them and their recording,
/// word for word.
@Suite struct FieldSessionTests {
  private static func request(
    _ name: String, _ asked: String, _ answered: String, _ ended: String, _ bytes: Int
  ) -> String {
    func date(_ second: String) -> String { "\"2024-02-29T10:00:\(second)Z\"" }
    return #"{ "event": "r", "url": "https://a/v/\#(name)", "requestStart": \#(date(asked)), "#
      + #""responseStart": \#(date(answered)), "responseEnd": \#(date(ended)), "#
      + #""bytes": \#(bytes), "segmentDuration": 4 }"#
  }

  private static func event(_ second: String, _ name: String, _ more: String = "") -> String {
    "{ \"event\": \"\(name)\", \"date\": \"2024-02-29T10:00:\(second)Z\"\(more) }"
  }

  private static func rate(_ second: String, _ rate: Int) -> String {
    event(second, "rateChange", ", \"rate\": \(rate)")
  }

  /// Segments of 4 s at 2 Mbit/s: the start takes 3.2 s, a stall 2.1 s, a pause 2 s, and a seek
  /// goes back into what was played.
  private static let events = [
    event("00", "play"), request("a1.ts", "00.1", "00.2", "03.2", 750_000), rate("03.2", 1),
    request("a2.ts", "03.2", "03.3", "09.3", 1_500_000), event("07.2", "stall"), rate("09.3", 1),
    rate("10.3", 0), rate("12.3", 1), event("12.5", "seek", ", \"to\": 1"),
  ]

  private func session(_ events: [String]) throws -> FieldSession {
    let log = try FieldLog(metrics: Array(events.joined(separator: "\n").utf8))
    return try FieldSession(log, name: "a", folder: "f/")
  }

  /// The lines of a recording behind its header, without the digest.
  private func lines(_ session: FieldSession) -> [String] {
    String(decoding: session.trace(), as: UTF8.self).split(separator: "\n").dropFirst().map {
      $0.contains("\"digest\"") ? String($0.split(separator: ",\"digest\"")[0]) : String($0)
    }
  }

  private func header(_ session: FieldSession) -> String {
    let first = String(decoding: session.trace(), as: UTF8.self).split(separator: "\n")[0]
    let rest = first.split(separator: "\"field\":")[1]
    return String(rest.split(separator: "}")[0]) + "}"
  }

  private func expect(_ session: FieldSession, _ scenario: String, _ expected: String) {
    #expect(session.document.json == scenario)
    let wanted = expected.split(separator: "\n").map(String.init)
    #expect(header(session) == wanted[0])
    let found = lines(session)
    for (line, other) in zip(found, wanted.dropFirst()) { #expect(line == other) }
    #expect(found.count == wanted.count - 1)
  }

  @Test func `a session of events`() throws {
    let session = try session(Self.events)
    expect(session, Self.eventsScenario, Self.eventsLines)
  }

  @Test func `a session of entries`() throws {
    let text = """
      #Fields: date time uri sc-count c-duration-downloaded c-start-time c-duration-watched bytes \
      c-observed-bitrate sc-indicated-bitrate c-stalls c-startup-time s-playback-type
      2024-02-29 10:00:02 a 5 30.0 0.0 20 9375000 6000000 2500000 1 1.5 VOD
      2024-02-29 10:00:25 b 10 60.0 20 40 6000000 1000000 800000 2 - VOD
      2024-02-29 10:01:25 b 1 6.0 90 5 600000 1000000 800000 0 - VOD

      """
    let session = try FieldSession(
      FieldLog(accessLog: Array(text.utf8)), name: "a", folder: "f/")
    expect(session, Self.entriesScenario, Self.entriesLines)
    let file = try FieldSession(
      FieldLog(accessLog: Array(text.replacing("VOD", with: "FILE").utf8)), name: "a", folder: "f/")
    #expect(
      file.document["media"]?.json
        == #"{"progressive":{"duration":"96 s","bitrate":"1331250 bit/s"}}"#)
  }

  @Test func `a session of a file`() throws {
    let parts = [(0, 500_000, 1_000), (2, 0, 1_500), (4, 250_000, 500)].map {
      second, first, receive in
      """
      { "startedDateTime": "2024-02-29T10:00:0\(second)Z", "time": \(receive + 100),
        "request": { "method": "GET", "url": "https://a/film.mp4" },
        "response": { "status": 206, "bodySize": 250000, "content": { "mimeType": "video/mp4" },
          "headers": [ { "name": "Content-Range",
            "value": "bytes \(first)-\(first + 249_999)/1000000" } ] },
        "timings": { "send": 0, "wait": 100, "receive": \(receive) } }
      """
    }
    let text = """
      { "log": { "pages": [ { "startedDateTime": "2024-02-29T10:00:00Z",
        "_playback": { "play": 0, "firstMotion": 3000,
          "stalls": [ { "start": 5000, "duration": 300 } ] } } ],
        "entries": [ \(parts.joined(separator: ", ")) ] } }
      """
    let session = try FieldSession(
      FieldLog(har: Array(text.utf8)), name: "a", folder: "f/", duration: .seconds(8))
    expect(session, Self.fileScenario, Self.fileLines)
  }

  @Test func `connections, latency and rates of a session without playback`() throws {
    let rows = [
      (1, 0, #""dns": 20, "connect": 60,"#, 50, 400, 100_000), (2, 1, "", 50, 400, 100_000),
      (3, 2, "", 130, 400, 100_000), (4, 3, "", 50, 200, 200_000),
    ]
    let entries = rows.map { number, second, opening, wait, receive, bytes in
      let before = number == 1 ? 80 : 0
      return """
        { "startedDateTime": "2024-02-29T10:00:0\(second)Z", "time": \(before + wait + receive),
          "request": { "url": "https://a/s\(number).ts" },
          "response": { "status": 200, "bodySize": \(bytes) },
          "timings": { \(opening) "wait": \(wait), "receive": \(receive) } }
        """
    }
    let text = "{ \"log\": { \"entries\": [ \(entries.joined(separator: ", ")) ] } }"
    let session = try FieldSession(
      FieldLog(har: Array(text.utf8)), name: "a", folder: "f/", segmentDuration: .seconds(2))
    expect(session, Self.harScenario, Self.harLines)
  }

  // MARK: A run beside it

  private func outcome(_ events: [String]) throws -> RunOutcome {
    try report(on: session(events).trace(), file: "a.trace").outcome
  }

  private func comparison(_ changes: [(String, String)]) throws -> FieldComparison {
    let events = Self.events.map { event in
      changes.reduce(event) { $0.replacing($1.0, with: $1.1) }
    }
    return try FieldComparison(field: outcome(Self.events), run: outcome(events))
  }

  @Test func `a session explains itself`() throws {
    let same = try comparison([])
    #expect(same.isExplained && same.requestShare == 1_000_000 && same.stallShare == 1_000_000)
    #expect(same.pairs.map { $0.error } == [.zero, .zero] && same.stalls.count == 1)
    // 3.1 s and 6.1 s.
    #expect(same.fieldTime == .milliseconds(9_200))
    #expect(same.fieldAlone.isEmpty && same.runAlone.isEmpty)
    #expect(same.stallCount == (1, 1))
  }

  @Test func `what a run does not explain is told`() throws {
    // The second segment ends 0.6 s earlier, and with it the stall.
    let earlier = try comparison([(":09.3Z", ":08.7Z")])
    #expect(earlier.pairs.map { $0.error } == [.zero, .milliseconds(600)])
    #expect(earlier.requestShare == 934_782 && earlier.stallShare == 714_285)
    #expect(earlier.isExplained && earlier.stalls.map { $0.field } == [.milliseconds(2_100)])
    #expect(earlier.stalls.map { $0.run } == [.milliseconds(1_500)])
    #expect(earlier.stalls.map { $0.place } == [.seconds(4)])
    // A request of another segment.
    let other = try comparison([("a2.ts", "a3.ts")])
    #expect(other.pairs.count == 1 && other.fieldAlone.count == 1 && other.runAlone.count == 1)
    #expect(other.fieldTime == .milliseconds(9_200) && other.requestShare == 336_956)
  }

  /// The second segment's end is not known, which is neither explained nor unexplained.
  @Test func `a request without an end takes no part in the times`() throws {
    let end = #""responseEnd": "2024-02-29T10:00:09.3Z","#
    let untold = Self.events.map { $0.replacing(end, with: "") }
    let comparison = try FieldComparison(field: outcome(untold), run: outcome(Self.events))
    #expect(comparison.pairs.map { $0.error } == [.zero, .zero])
    #expect(comparison.fieldTime == .milliseconds(3_100))
    #expect(comparison.requestShare == 1_000_000 && comparison.isExplained)
    #expect(try session(untold).notes.contains("the log does not tell when requests ended: 1"))
    // A run that tells no end explains nothing of 6.1 s out of 9.2 s.
    let other = try FieldComparison(field: outcome(Self.events), run: outcome(untold))
    #expect(other.requestShare == 336_956)
  }

  /// The stall in the run begins so much later that the playhead has come further.
  @Test(arguments: [("08.2", 1), ("08.200000001", 2), ("06.2", 1), ("06.199999999", 2)])
  func `stalls within a second of media are one`(start: String, count: Int) throws {
    let comparison = try comparison([(":07.2Z", ":\(start)Z")])
    #expect(comparison.stalls.count == count)
    #expect(comparison.isExplained == (count == 1))
    #expect(comparison.stalls.map { $0.place } == comparison.stalls.map { $0.place }.sorted())
    if count == 2 { #expect(comparison.stallShare == 0) }
  }

  @Test(arguments: [
    ("03.36", true), ("03.360000001", false), ("03.04", true), ("03.039999999", false),
  ])
  func `a start is explained within a twentieth of it`(motion: String, isExplained: Bool) throws {
    // The rate changes at the first motion; the first segment has landed by then.
    let own = #""rateChange", "date": "2024-02-29T10:00:03.2Z"#
    let comparison = try comparison([
      (own, own.replacing("03.2", with: motion)), (":07.2Z", ":\(shifted(motion))Z"),
    ])
    #expect(comparison.isExplained == isExplained)
  }

  /// Four seconds behind a second of the clock.
  private func shifted(_ second: String) -> String {
    "0\((Int(second.prefix(2)) ?? 0) + 4)" + second.dropFirst(2)
  }

  // MARK: The texts

  private static let eventsScenario = #"""
    {"scenario":"a","about":"A field session, read from a log (AVMetrics events) with 2 \#
    requests. Assumed: no playlist is in the log: segments are numbered as their names are \#
    and last 4 s; the rate is known while bytes arrived, for 9 s, as the mean of each \#
    transfer; without a transfer the last rate is assumed to hold.",\#
    "link":{"bandwidth":"2000000 bit/s","delay":"0.05 s"},\#
    "media":{"hls":{"playlists":"f/main.m3u8","segmentBytes":[{"playlist":"f/media-0.m3u8",\#
    "bytes":["750000 B","1500000 B"]}],"playlistsAreThere":true}},"script":[{"at":"0 s",\#
    "do":"play"},{"at":"10.3 s","do":"pause"},{"at":"12.3 s","do":"play"},{"at":"12.5 s",\#
    "do":"seek","to":"1 s"}],"expect":[{"startupDelay":{"about":"3.2 s","within":"0.32 s"},\#
    "stallCount":1,"end":"finished"}]}
    """#

  private static let eventsLines = #"""
    {"source":"AVMetrics events","lacks":["decisions and estimates of the player","the link's \#
    rate while nothing arrived"]}
    {"t":0,"event":"linkRate","rate":2000000}
    {"t":0,"event":"app","do":"play"}
    {"t":0,"event":"currentItem","present":true}
    {"t":0,"event":"rateChange","rate":1,"previous":0}
    {"t":0,"event":"timeControlStatus","status":"waiting","reason":"toMinimizeStalls",\#
    "rule":"waitsForBuffer"}
    {"t":0,"event":"loadedTimeRanges","time":0,"ahead":0,"ranges":""}
    {"t":0.1,"event":"requestStart","request":1,"resource":"mediaSegment","size":750000,\#
    "track":"main","variant":0,"from":0,"to":4,"uri":"https://a/v/a1.ts"}
    {"t":0.1,"event":"loadedTimeRanges","time":0,"ahead":0,"ranges":""}
    {"t":0.2,"event":"responseStart","request":1,"timeToFirstByte":0.1}
    {"t":0.2,"event":"loadedTimeRanges","time":0,"ahead":0,"ranges":""}
    {"t":3.2,"event":"mediaResourceRequest","request":1,"bytes":750000,"timeToFirstByte":0.1}
    {"t":3.2,"event":"requestStart","request":2,"resource":"mediaSegment","size":1500000,\#
    "track":"main","after":1,"variant":0,"from":4,"to":8,"uri":"https://a/v/a2.ts"}
    {"t":3.2,"event":"playbackBufferEmpty","value":false}
    {"t":3.2,"event":"timeControlStatus","status":"playing","rule":"startsLikelyOrFull"}
    {"t":3.2,"event":"timebase","rate":1,"time":0}
    {"t":3.2,"event":"loadedTimeRanges","time":0,"ahead":4,"ranges":"0-4","bendAhead":0}
    {"t":3.3,"event":"responseStart","request":2,"timeToFirstByte":0.1}
    {"t":3.3,"event":"loadedTimeRanges","time":0.1,"ahead":3.9,"ranges":"0.1-4"}
    {"t":7.2,"event":"playbackBufferEmpty","value":true}
    {"t":7.2,"event":"stall","time":4,"clause":"dry"}
    {"t":7.2,"event":"timeControlStatus","status":"waiting","reason":"toMinimizeStalls",\#
    "rule":"stallWaits"}
    {"t":7.2,"event":"timebase","rate":0,"time":4}
    {"t":7.2,"event":"loadedTimeRanges","time":4,"ahead":0,"ranges":""}
    {"t":9.3,"event":"mediaResourceRequest","request":2,"bytes":1500000,"timeToFirstByte":0.1}
    {"t":9.3,"event":"playbackBufferEmpty","value":false}
    {"t":9.3,"event":"timeControlStatus","status":"playing","rule":"startsLikelyOrFull"}
    {"t":9.3,"event":"timebase","rate":1,"time":4}
    {"t":9.3,"event":"loadedTimeRanges","time":4,"ahead":4,"ranges":"4-8","bendAhead":0}
    {"t":10.3,"event":"timeControlStatus","status":"paused","rule":"pausedByApp"}
    {"t":10.3,"event":"timebase","rate":0,"time":5}
    {"t":10.3,"event":"loadedTimeRanges","time":5,"ahead":3,"ranges":"5-8"}
    {"t":12.3,"event":"playbackBufferEmpty","value":false}
    {"t":12.3,"event":"timeControlStatus","status":"playing","rule":"startsLikelyOrFull"}
    {"t":12.3,"event":"timebase","rate":1,"time":5}
    {"t":12.3,"event":"loadedTimeRanges","time":5,"ahead":3,"ranges":"5-8"}
    {"t":12.5,"event":"seek","to":1}
    {"t":12.5,"event":"timebase","rate":1,"time":1}
    {"t":12.5,"event":"loadedTimeRanges","time":1,"ahead":7,"ranges":"1-8","bendAhead":2.8}
    {"t":12.5,"event":"playbackSummary","end":"finished","outcome":"played",\#
    "startupDelaySeconds":3.2,"stallCount":1,"stalledSeconds":2.1,"waitingSeconds":5.3,\#
    "playedSeconds":5.2,"pausedSeconds":2,"rebufferRatio":0.287671,"seekWaitingSeconds":0,\#
    "bytesTransferred":2250000,"requestCount":2,"variantSwitchCount":0,"averageBitrate":null,\#
    "books":{"askedSeconds":0,"startupSpans":[{"end":3.2}],"startupSeconds":3.2,\#
    "stalls":[{"startSeconds":7.2,"endSeconds":9.3,"stalledSeconds":2.1,"mediaSeconds":4,\#
    "clause":"dry"}]}
    """#

  private static let entriesScenario = #"""
    {"scenario":"a","about":"A field session, read from a log (access log) with 3 entries. \#
    Assumed: the log does not tell how long the media are: they are taken to last 96 s; an \#
    access log tells of no request: segments last 6 s and have the mean bit rate \#
    of their variant; the rate is that of an entry's transfers, from its start to that of the \#
    next; pauses and rates do not show.","link":{"schedule":{"steps":[{"for":"24.5 s",\#
    "bandwidth":"6000000 bit/s"},{"for":"1 s","bandwidth":"1000000 bit/s"}]}},\#
    "media":{"hls":{"ladder":[{"bitrate":"800000 bit/s"},{"bitrate":"2500000 bit/s"}],\#
    "duration":"96 s","segmentDuration":"6 s"}},"script":[{"at":"0 s","do":"play"},\#
    {"at":"64.5 s","do":"seek","to":"90 s"}],"expect":[{"startupDelay":{"about":"1.5 s",\#
    "within":"0.15 s"},"stallCount":3,"end":"finished"}]}
    """#

  private static let entriesLines = #"""
    {"source":"access log","lacks":["decisions and estimates of the player","the link's rate \#
    while nothing arrived","requests","the buffer","places of stalls"]}
    {"t":0,"event":"linkRate","rate":6000000}
    {"t":0,"event":"app","do":"play"}
    {"t":0,"event":"currentItem","present":true}
    {"t":0,"event":"rateChange","rate":1,"previous":0}
    {"t":0,"event":"timeControlStatus","status":"waiting","reason":"toMinimizeStalls",\#
    "rule":"waitsForBuffer"}
    {"t":1.5,"event":"playbackBufferEmpty","value":false}
    {"t":1.5,"event":"timeControlStatus","status":"playing","rule":"startsLikelyOrFull"}
    {"t":1.5,"event":"timebase","rate":1,"time":0}
    {"t":24.5,"event":"linkRate","rate":1000000}
    {"t":24.5,"event":"variantSwitchStart","from":1,"to":0,"clause":"decidedOutside"}
    {"t":24.5,"event":"variantSwitch","from":1,"to":0}
    {"t":64.5,"event":"seek","to":90}
    {"t":64.5,"event":"timebase","rate":1,"time":90}
    {"t":89.5,"event":"playbackSummary","end":"finished","outcome":"played",\#
    "startupDelaySeconds":1.5,"stallCount":3,"stalledSeconds":null,"waitingSeconds":null,\#
    "playedSeconds":65,"pausedSeconds":null,"rebufferRatio":null,"seekWaitingSeconds":0,\#
    "bytesTransferred":15975000,"requestCount":16,"variantSwitchCount":1,\#
    "averageBitrate":null,"books":{"askedSeconds":0,"startupSpans":[{"end":1.5}],\#
    "startupSeconds":1.5,"currentItem":1,\#
    "items":[{"accessLog":{"events":[{"playbackStartDate":1.5,"URI":"a",\#
    "numberOfMediaRequests":5,"segmentsDownloadedDuration":30,"durationWatched":20,\#
    "numberOfStalls":1,"numberOfBytesTransferred":9375000,"observedBitrate":6000000,\#
    "indicatedBitrate":2500000,"startupTime":1.5,"playbackType":"VOD"},\#
    {"playbackStartDate":24.5,"URI":"b","numberOfMediaRequests":10,"playbackStartOffset":20,\#
    "segmentsDownloadedDuration":60,"durationWatched":40,"numberOfStalls":2,\#
    "numberOfBytesTransferred":6000000,"observedBitrate":1000000,"indicatedBitrate":800000,\#
    "playbackType":"VOD"},{"playbackStartDate":84.5,"URI":"b","numberOfMediaRequests":1,\#
    "playbackStartOffset":90,"segmentsDownloadedDuration":6,"durationWatched":5,\#
    "numberOfBytesTransferred":600000,"observedBitrate":1000000,"indicatedBitrate":800000,\#
    "playbackType":"VOD"}]}}]}
    """#

  private static let fileScenario = #"""
    {"scenario":"a","about":"A field session, read from a log (HAR) with 3 requests. Assumed: \#
    the file's bytes are spread evenly over its duration; ranges out of order are no seeks where \#
    playback is not known to have begun: 1; an index at the front of the file \#
    would not be seen; the rate is known while bytes arrived, for 3 s, as the mean of each \#
    transfer; without a transfer the last rate is assumed to hold; pauses, rates and seeks \#
    into loaded media do not show.","link":{"delay":"0.05 s","schedule":{"steps":[{"for":"2.1 \#
    s","bandwidth":"2000000 bit/s"},{"for":"2 s","bandwidth":"1333333 bit/s"},{"for":"1 s",\#
    "bandwidth":"4000000 bit/s"}]}},"media":{"progressive":{"duration":"8 s","size":"1000000 \#
    B"}},"script":[{"at":"0 s","do":"play"}],"expect":[{"startupDelay":{"about":"3 s",\#
    "within":"0.3 s"},"stallCount":1,"end":"finished"}]}
    """#

  private static let fileLines = #"""
    {"source":"HAR","lacks":["decisions and estimates of the player","the link's rate while \#
    nothing arrived"]}
    {"t":0,"event":"linkRate","rate":2000000}
    {"t":0,"event":"app","do":"play"}
    {"t":0,"event":"requestStart","request":1,"firstByte":500000,"uri":"https://a/film.mp4"}
    {"t":0,"event":"currentItem","present":true}
    {"t":0,"event":"rateChange","rate":1,"previous":0}
    {"t":0,"event":"timeControlStatus","status":"waiting","reason":"toMinimizeStalls",\#
    "rule":"waitsForBuffer"}
    {"t":0,"event":"loadedTimeRanges","time":0,"ahead":0,"ranges":""}
    {"t":0.1,"event":"responseStart","request":1,"timeToFirstByte":0.1}
    {"t":0.1,"event":"loadedTimeRanges","time":0,"ahead":0,"ranges":""}
    {"t":1.1,"event":"mediaResourceRequest","request":1,"bytes":250000,"timeToFirstByte":0.1}
    {"t":1.1,"event":"loadedTimeRanges","time":0,"ahead":0,"ranges":""}
    {"t":2,"event":"requestStart","request":2,"firstByte":0,"uri":"https://a/film.mp4"}
    {"t":2,"event":"loadedTimeRanges","time":0,"ahead":0,"ranges":""}
    {"t":2.1,"event":"linkRate","rate":1333333}
    {"t":2.1,"event":"responseStart","request":2,"timeToFirstByte":0.1}
    {"t":2.1,"event":"loadedTimeRanges","time":0,"ahead":0,"ranges":""}
    {"t":3,"event":"playbackBufferEmpty","value":false}
    {"t":3,"event":"timeControlStatus","status":"playing","rule":"startsLikelyOrFull"}
    {"t":3,"event":"timebase","rate":1,"time":0}
    {"t":3,"event":"loadedTimeRanges","time":0,"ahead":1.2,"ranges":"0-1.2"}
    {"t":3.6,"event":"mediaResourceRequest","request":2,"bytes":250000,"timeToFirstByte":0.1}
    {"t":3.6,"event":"loadedTimeRanges","time":0.6,"ahead":1.4,"ranges":"0.6-2"}
    {"t":4,"event":"requestStart","request":3,"firstByte":250000,"uri":"https://a/film.mp4"}
    {"t":4,"event":"loadedTimeRanges","time":1,"ahead":1,"ranges":"1-2"}
    {"t":4.1,"event":"linkRate","rate":4000000}
    {"t":4.1,"event":"responseStart","request":3,"timeToFirstByte":0.1}
    {"t":4.1,"event":"loadedTimeRanges","time":1.1,"ahead":0.9,"ranges":"1.1-2"}
    {"t":4.6,"event":"mediaResourceRequest","request":3,"bytes":250000,"timeToFirstByte":0.1}
    {"t":4.6,"event":"loadedTimeRanges","time":1.6,"ahead":4.4,"ranges":"1.6-6"}
    {"t":5,"event":"playbackBufferEmpty","value":true}
    {"t":5,"event":"stall","time":2,"clause":"dry"}
    {"t":5,"event":"timeControlStatus","status":"waiting","reason":"toMinimizeStalls",\#
    "rule":"stallWaits"}
    {"t":5,"event":"timebase","rate":0,"time":2}
    {"t":5,"event":"loadedTimeRanges","time":2,"ahead":4,"ranges":"2-6"}
    {"t":5.3,"event":"playbackBufferEmpty","value":false}
    {"t":5.3,"event":"timeControlStatus","status":"playing","rule":"startsLikelyOrFull"}
    {"t":5.3,"event":"timebase","rate":1,"time":2}
    {"t":5.3,"event":"loadedTimeRanges","time":2,"ahead":4,"ranges":"2-6"}
    {"t":5.3,"event":"playbackSummary","end":"finished","outcome":"played",\#
    "startupDelaySeconds":3,"stallCount":1,"stalledSeconds":0.3,"waitingSeconds":3.3,\#
    "playedSeconds":2,"pausedSeconds":0,"rebufferRatio":0.130434,"seekWaitingSeconds":0,\#
    "bytesTransferred":750000,"requestCount":3,"variantSwitchCount":0,"averageBitrate":null,\#
    "books":{"askedSeconds":0,"startupSpans":[{"end":3}],"startupSeconds":3,\#
    "stalls":[{"startSeconds":5,"endSeconds":5.3,"stalledSeconds":0.3,"mediaSeconds":2,\#
    "clause":"dry"}]}
    """#

  private static let harScenario = #"""
    {"scenario":"a","about":"A field session, read from a log (HAR) with 4 requests. Assumed: \#
    no playlist is in the log: segments are numbered as their names are and last 2 s; the \#
    rate is known while bytes arrived, for 1.4 s, as the mean of each transfer; without a \#
    transfer the last rate is assumed to hold; shorter waits beyond the round trip are latency \#
    of the schedule; play is called with the first request; pauses, rates and seeks into \#
    loaded media do not show.","link":{"delay":"0.025 s","dnsDelay":"0.02 s",\#
    "schedule":{"steps":[{"for":"2 s","bandwidth":"2000000 bit/s"},{"for":"0.13 s",\#
    "bandwidth":"2000000 bit/s","latency":"0.08 s"},{"for":"0.92 s","bandwidth":"2000000 \#
    bit/s"},{"for":"1 s","bandwidth":"8000000 bit/s"}]}},"requests":{"idleTimeout":"115 s"},\#
    "media":{"hls":{"playlists":"f/main.m3u8","segmentBytes":[{"playlist":"f/media-0.m3u8",\#
    "bytes":["100000 B","100000 B","100000 B","200000 B"]}],"playlistsAreThere":true}},\#
    "script":[{"at":"0 s","do":"play"}],"expect":[{"end":"finished"}]}
    """#

  private static let harLines = #"""
    {"source":"HAR","lacks":["decisions and estimates of the player","the link's rate while \#
    nothing arrived","the start of playback","the buffer","stalls"]}
    {"t":0,"event":"linkRate","rate":2000000}
    {"t":0,"event":"app","do":"play"}
    {"t":0,"event":"requestStart","request":1,"resource":"mediaSegment","size":100000,\#
    "track":"main","variant":0,"from":0,"to":2,"uri":"https://a/s1.ts"}
    {"t":0,"event":"currentItem","present":true}
    {"t":0,"event":"rateChange","rate":1,"previous":0}
    {"t":0,"event":"timeControlStatus","status":"waiting","reason":"toMinimizeStalls",\#
    "rule":"waitsForBuffer"}
    {"t":0.13,"event":"responseStart","request":1,"domainLookup":0.02,"connect":0.06,\#
    "timeToFirstByte":0.05}
    {"t":0.53,"event":"mediaResourceRequest","request":1,"bytes":100000,"domainLookup":0.02,\#
    "connect":0.06,"timeToFirstByte":0.05}
    {"t":1,"event":"requestStart","request":2,"resource":"mediaSegment","size":100000,\#
    "track":"main","variant":0,"from":2,"to":4,"uri":"https://a/s2.ts"}
    {"t":1.05,"event":"responseStart","request":2,"timeToFirstByte":0.05}
    {"t":1.45,"event":"mediaResourceRequest","request":2,"bytes":100000,"timeToFirstByte":0.05}
    {"t":2,"event":"linkRate","rate":2000000}
    {"t":2,"event":"requestStart","request":3,"resource":"mediaSegment","size":100000,\#
    "track":"main","variant":0,"from":4,"to":6,"uri":"https://a/s3.ts"}
    {"t":2.13,"event":"linkRate","rate":2000000}
    {"t":2.13,"event":"responseStart","request":3,"timeToFirstByte":0.13}
    {"t":2.53,"event":"mediaResourceRequest","request":3,"bytes":100000,"timeToFirstByte":0.13}
    {"t":3,"event":"requestStart","request":4,"resource":"mediaSegment","size":200000,\#
    "track":"main","variant":0,"from":6,"to":8,"uri":"https://a/s4.ts"}
    {"t":3.05,"event":"linkRate","rate":8000000}
    {"t":3.05,"event":"responseStart","request":4,"timeToFirstByte":0.05}
    {"t":3.25,"event":"mediaResourceRequest","request":4,"bytes":200000,"timeToFirstByte":0.05}
    {"t":3.25,"event":"playbackSummary","end":"finished","outcome":null,\#
    "startupDelaySeconds":null,"stallCount":null,"stalledSeconds":null,"waitingSeconds":null,\#
    "playedSeconds":null,"pausedSeconds":null,"rebufferRatio":null,"seekWaitingSeconds":0,\#
    "bytesTransferred":500000,"requestCount":4,"variantSwitchCount":0,"averageBitrate":null,\#
    "books":{"askedSeconds":0}
    """#
}
