import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Unknowns of a field session that are looked for: a run with known ones is written as a HAR.
@Suite struct FieldFitTests {
  struct Known: CustomTestStringConvertible {
    var buffer: Int
    var rate: Int
    var segment: Int
    var delay = 30
    var seconds = 96

    var testDescription: String { "\(buffer) s at \(rate) kbit/s, segments of \(segment) s" }
  }

  private func session(_ known: Known, player: String) throws -> FieldSession {
    try session(
      """
      { "scenario": "a", "about": "b",
        "link": { "bandwidth": "\(known.rate) kbit/s", "delay": "\(known.delay) ms" },
        "media": { "hls": { "ladder": [ { "bitrate": "600 kbit/s" }, { "bitrate": "1500 kbit/s" },
          { "bitrate": "4 Mbit/s" } ], "duration": "\(known.seconds) s",
          "segmentDuration": "\(known.segment) s" } },
        "player": { \(player) }, "script": [ { "at": "0 s", "do": "play" } ] }
      """)
  }

  /// The session of a run; of which without its timings no more is known than its dates.
  private func session(_ text: String, hasTimings: Bool = true) throws -> FieldSession {
    var options = RunOptions(keepsTrace: true)
    options.keepsCurves = true
    let scenario = try readScenario(Array(text.utf8), file: "known")
    let outcome = try run(scenario, options: options)
    var writer = JSONWriter()
    writer.tree(HARDocument(scenario, outcome).document)
    let archive = hasTimings ? writer.text : writer.text.replacing("\"wait\"", with: "\"w\"")
    return try FieldSession(FieldLog(har: Array(archive.utf8)), name: "a", folder: "a/")
  }

  /// Below 60 s nothing but the buffer decides when segments are asked for.
  @Test(arguments: [
    Known(buffer: 4, rate: 5_000, segment: 2), Known(buffer: 6, rate: 12_000, segment: 2),
    Known(buffer: 8, rate: 3_000, segment: 4), Known(buffer: 10, rate: 9_000, segment: 2),
    Known(buffer: 12, rate: 2_500, segment: 6), Known(buffer: 15, rate: 20_000, segment: 3),
    Known(buffer: 20, rate: 6_000, segment: 4), Known(buffer: 25, rate: 7_000, segment: 5),
    Known(buffer: 30, rate: 4_000, segment: 6), Known(buffer: 40, rate: 30_000, segment: 2),
    Known(buffer: 2, rate: 9_000, segment: 1, seconds: 12),
    Known(buffer: 50, rate: 30_000, segment: 2), Known(buffer: 60, rate: 30_000, segment: 4),
    Known(buffer: 90, rate: 30_000, segment: 6, seconds: 150),
    Known(buffer: 120, rate: 30_000, segment: 6, seconds: 180),
  ])
  func `the forward buffer of a run is found again, on requests that were left out too`(
    known: Known
  ) throws {
    var session = try session(
      known, player: "\"preferredForwardBufferDuration\": \"\(known.buffer) s\"")
    try session.fit()
    let note = session.notes.last ?? ""
    let text = session.document.json
    let own = "\"preferredForwardBufferDuration\":\"\(known.buffer) s\""
    #expect(text.contains(own) || note.contains("the forward buffer: not identifiable"), "\(note)")
    #expect(note.contains("of those left out by 0 s"), "\(note)")
  }

  @Test func `the estimator's start of a run is found again`() throws {
    let known = Known(buffer: 0, rate: 5_000, segment: 4)
    var session = try session(known, player: "\"observedBitrate\": \"700 kbit/s\"")
    try session.fit()
    // Below the second rung every start is as good: the middle one of those that were tried.
    let note = session.notes.last ?? ""
    #expect(note.contains("(200000 bit/s and 1000000 bit/s do as well)"), "\(note)")
    #expect(session.document.json.contains("\"observedBitrate\":\"500000 bit/s\""), "\(note)")
    #expect(note.contains("of those left out by 0 s"), "\(note)")
  }

  /// Delay and think time would stand for the variant that was chosen first, if they came before.
  @Test func `the estimator's start is looked for before what could stand for it`() throws {
    var session = try session(
      Known(buffer: 30, rate: 6_000, segment: 4, delay: 50, seconds: 240),
      player: "\"preferredForwardBufferDuration\": \"30 s\", \"observedBitrate\": \"1 Mbit/s\"")
    try session.fit()
    let note = session.notes.last ?? ""
    #expect(note.contains("the forward buffer: 30 s, the estimator's start: "), "\(note)")
    #expect(session.document["player"]?.json.contains("observedBitrate") == true, "\(note)")
    #expect(session.document["link"]?.json.contains("\"delay\":\"0.05 s\"") == true, "\(note)")
    #expect(note.contains("of those left out by 0 s"), "\(note)")
  }

  /// Each request takes two delays over a link without a rate.
  @Test(
    arguments: Seeds.cases(
      of: [1, 2, 5, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200, 300, 500], few: 3))
  func `each delay is found again where the requests have no times of their own`(
    delay: Int
  ) throws {
    var session = try session(
      """
      { "scenario": "a", "about": "b", "link": { "delay": "\(delay) ms" },
        "media": { "hls": { "ladder": [ { "bitrate": "600 kbit/s" } ], "duration": "12 s",
          "segmentDuration": "3 s" } }, "script": [ { "at": "0 s", "do": "play" } ] }
      """, hasTimings: false)
    try session.fit()
    let seconds = JSONTree.secondsText(Int64(delay) * 1_000_000)
    let note = session.notes.last ?? ""
    #expect(session.document["link"]?.json.contains("\"delay\":\"\(seconds)\"") == true, "\(note)")
  }

  @Test func `a session of three requests is not fitted, and one of four is`() throws {
    for count in 3...4 {
      let session = try FieldSession(
        FieldLog(har: Array(SampleFieldHAR.text(count).utf8)), name: "a", folder: "a/",
        duration: .seconds(4))
      var fitted = session
      do throws(Diagnostic) {
        try fitted.fit()
        #expect(count == 4 && fitted.notes.count == session.notes.count + 1)
      } catch {
        #expect(count == 3 && error.message == "the log has 3 requests to fit")
      }
    }
  }
}

private enum SampleFieldHAR {
  static func text(_ count: Int) -> String {
    let entries = (0..<count).map { entry($0) }.joined(separator: ", ")
    return "{ \"log\": { \"entries\": [ \(entries) ] } }"
  }

  private static func entry(_ second: Int) -> String {
    """
    { "startedDateTime": "2024-02-29T10:00:0\(second)Z", "time": 500,
      "request": { "method": "GET", "url": "https://a/film.mp4", "headers": [] },
      "response": { "status": 200, "bodySize": 1000, "content": { "mimeType": "video/mp4" } },
      "timings": { "send": 0, "wait": 100, "receive": 400 } }
    """
  }
}
