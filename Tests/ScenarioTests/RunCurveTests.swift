import Recording
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Lines of a run that were worked out by hand, from traces that were.
@Suite struct RunCurveTests {
  private func curves(_ media: String, _ lines: [String]) throws -> RunCurves {
    let header =
      #"{"trace":3,"tool":"0.1.0","seed":1,"scenario":{"scenario":"a","about":"b","link":{},"#
      + "\"media\":{\(media)}," + #""horizon":"9 s","script":[{"at":"0 s","do":"play"}]}}"#
    let last = #"{"t":9,"event":"playbackSummary","end":"finished"}"#
    let text = ([header] + lines + [last]).joined(separator: "\n")
    return try #require(try report(on: Array(text.utf8), file: "a.trace").outcome.curves)
  }

  private static let stream =
    #""hls":{"duration":"20 s","segmentDuration":"6 s","ladder":[{"bitrate":"1 Mbit/s"}]}"#

  /// A sample at a second of the run: the playhead, what is ahead of it, and where that bends.
  private static func sample(
    _ instant: Int, at time: Int, ahead: Int, bend: Int? = nil, from earlier: Int? = nil
  ) -> String {
    let bendAhead = bend.map { ",\"bendAhead\":\($0)" } ?? ""
    let bendAt = earlier.map { ",\"bendAt\":\($0)" } ?? ""
    return "{\"t\":\(instant),\"event\":\"loadedTimeRanges\",\"time\":\(time),"
      + "\"ahead\":\(ahead)\(bendAhead)\(bendAt)}"
  }

  private static func timebase(
    _ instant: Int, _ rate: Int, from time: Int, at hostTime: Int? = nil
  ) -> String {
    let host = hostTime.map { ",\"hostTime\":\($0)" } ?? ""
    return "{\"t\":\(instant),\"event\":\"timebase\",\"rate\":\(rate),\"time\":\(time)\(host)}"
  }

  private func points(_ curve: Curve) -> String {
    curve.points.map {
      "\($0.instant.nanoseconds / 1_000_000_000),\($0.media.nanoseconds / 1_000_000_000)"
    }.joined(separator: " ")
  }

  /// Segments land at 2 s and at 5 s, and the playhead is moved to 12 s at 8 s.
  @Test func `segments land in steps, and the playhead runs below them`() throws {
    let curves = try curves(
      Self.stream,
      [
        Self.sample(0, at: 0, ahead: 0), Self.timebase(2, 1, from: 0),
        Self.sample(2, at: 0, ahead: 6, bend: 0), Self.sample(5, at: 3, ahead: 9, bend: 3),
        Self.timebase(8, 1, from: 12), Self.sample(8, at: 12, ahead: 0, bend: 6),
      ])
    #expect(points(curves.playhead) == "0,0 2,0 8,6 8,12")
    #expect(points(curves.loadedEnd) == "0,0 2,0 2,6 5,6 5,12 8,12")
    #expect(points(curves.buffer) == "0,0 2,0 2,6 5,3 5,9 8,6 8,0")
  }

  /// Sound alone plays on from 5 s of the run, where the loaded end is reached.
  @Test func `the loaded end is held until the playhead reaches it, and then goes with that`()
    throws
  {
    let curves = try curves(
      Self.stream,
      [
        Self.sample(0, at: 0, ahead: 0), Self.timebase(2, 1, from: 0),
        Self.sample(2, at: 0, ahead: 3, bend: 0), Self.sample(8, at: 6, ahead: 0, bend: 0),
      ])
    #expect(points(curves.loadedEnd) == "0,0 2,0 2,3 5,3 8,6")
    #expect(points(curves.buffer) == "0,0 2,0 2,3 5,0 8,0")
    // Media that comes in keeps the end ahead of the playhead.
    let ahead = try self.curves(
      Self.stream,
      [
        Self.sample(0, at: 0, ahead: 0), Self.timebase(2, 1, from: 0),
        Self.sample(2, at: 0, ahead: 3, bend: 0), Self.sample(8, at: 6, ahead: 1, bend: 1),
      ])
    #expect(points(ahead.loadedEnd) == "0,0 2,0 2,3 8,7")
  }

  @Test func `a line may bend before its sample`() throws {
    let file = #""progressive":{"duration":"20 s","bitrate":"1 Mbit/s"}"#
    let curves = try curves(
      file,
      [
        Self.sample(0, at: 0, ahead: 0), Self.timebase(6, 1, from: 0),
        Self.sample(6, at: 0, ahead: 8, bend: 2, from: 4),
        Self.sample(8, at: 2, ahead: 7, bend: 9, from: 7),
      ])
    #expect(points(curves.loadedEnd) == "0,0 4,2 6,8 7,10 8,9")
    #expect(points(curves.buffer) == "0,0 4,2 6,8 7,9 8,7")
  }

  /// Under an external timeline the playhead stands at 1 s until its host time.
  @Test func `a playhead waits for its host time`() throws {
    let curves = try curves(
      Self.stream,
      [
        Self.sample(0, at: 1, ahead: 0), Self.timebase(2, 1, from: 1, at: 3),
        Self.sample(2, at: 1, ahead: 8, bend: 0), Self.sample(5, at: 3, ahead: 6, bend: 6),
      ])
    #expect(points(curves.playhead) == "0,0 0,1 3,1 5,3")
  }

  /// It begins to move at 2 s, and is moved from 0 s to 6 s in the same instant.
  @Test func `a playhead that is sought as it begins to move goes on at once`() throws {
    let curves = try curves(
      Self.stream,
      [
        Self.sample(0, at: 0, ahead: 9), Self.timebase(2, 1, from: 0),
        Self.sample(2, at: 6, ahead: 3, bend: 9), Self.sample(5, at: 9, ahead: 0),
      ])
    #expect(points(curves.playhead) == "0,0 2,0 2,6 5,9")
  }

  /// Of four megabytes in 4 s, a second of media has one, and the next three.
  @Test func `bytes that come in evenly bend the loaded end where their density changes`() throws {
    let file = #""progressive":{"sizesPerSecond":["1 MB","3 MB"]}"#
    let lines = [Self.sample(0, at: 0, ahead: 0), Self.sample(4, at: 0, ahead: 2)]
    #expect(points(try curves(file, lines).loadedEnd) == "0,0 1,1 4,2")
    let even = #""progressive":{"sizesPerSecond":["2 MB","2 MB"]}"#
    #expect(points(try curves(even, lines).loadedEnd) == "0,0 4,2")
  }

  private static func playlist(_ instant: Int, _ members: String) -> String {
    "{\"t\":\(instant),\"event\":\"playlist\",\(members)}"
  }

  @Test func `the ends of a live window hold until the next playlist`() throws {
    let curves = try curves(
      Self.stream.replacing("20 s", with: "60 s").dropLast() + #","live":{}}"#,
      [
        Self.playlist(1, #""changed":true,"end":12,"mediaSequence":1"#),
        Self.playlist(2, #""changed":false,"end":18,"mediaSequence":2"#),
        Self.playlist(2, #""changed":true,"mediaSequence":2"#),
        Self.playlist(3, #""changed":true,"end":18,"mediaSequence":2"#),
        Self.playlist(5, #""changed":true,"end":24,"mediaSequence":999"#),
        Self.playlist(6, #""changed":true,"end":30,"player":"b","mediaSequence":3"#),
      ])
    #expect(points(curves.liveEdge) == "1,12 3,12 3,18 5,18 5,24 9,24")
    #expect(points(curves.liveStart) == "1,6 3,6 3,12 9,12")
    let none = try self.curves(Self.stream, [Self.sample(0, at: 0, ahead: 0)])
    #expect(none.liveEdge.points.isEmpty && none.liveStart.points.isEmpty)
  }

  /// Lines that are decisions or none, their estimates, and forecasts among them.
  @Test(arguments: [
    (#""event":"timeControlStatus","status":"playing","rule":"startsLikelyOrFull""#, "yes - no"),
    (#""event":"stall","clause":"dry""#, "yes - no"),
    (#""event":"variantChoice","variant":1,"clause":"lowest","estimate":5"#, "yes 5 no"),
    (#""event":"variantChoice","variant":1,"clause":"lowest""#, "yes - no"),
    (
      #""event":"variantSwitchStart","from":0,"to":1,"clause":"higherSustained","estimate":6"#,
      "yes 6 no"
    ),
    (#""event":"variantStay","variant":1,"clause":"bestAlready","estimate":7"#, "yes 7 no"),
    (
      #""event":"likelyToKeepUp","value":true,"clause":"thresholdReached","estimate":8"#, "yes 8 no"
    ),
    (#""event":"forecast","late":2,"estimate":9"#, "no 9 yes"),
    (#""event":"seek","to":3"#, "yes - no"),
    (#""event":"rateChange","rate":1,"previous":0"#, "no - no"),
    (#""event":"playbackBufferFull","value":true"#, "no - no"),
    (#""event":"currentItem","present":true"#, "no - no"),
  ])
  func `a verdict is a decision, and the estimate that it names is kept`(
    members: String, expected: String
  ) throws {
    let curves = try curves(Self.stream, ["{\"t\":4,\(members)}"])
    let estimate = curves.estimates.first.map { "\($0.rate)" } ?? "-"
    let isDecision = curves.decisions.isEmpty ? "no" : "yes"
    #expect("\(isDecision) \(estimate) \(curves.forecasts.isEmpty ? "no" : "yes")" == expected)
    #expect(curves.forecasts.allSatisfy { $0.late == .seconds(2) })
    let instants =
      curves.decisions.map { $0.instant } + curves.estimates.map { $0.instant }
      + curves.forecasts.map { $0.instant }
    #expect(instants.allSatisfy { $0 == .zero + .seconds(4) })
  }

  /// A curve keeps so many of each from the beginning, and no more.
  @Test(arguments: Seeds.cases(of: [5, 8_192, 8_193, 8_200], few: 1))
  func `of very many decisions, estimates and forecasts the first are kept`(count: Int) throws {
    let stays =
      (0..<count).map { number in
        #"{"t":4,"event":"variantStay","variant":1,"clause":"bestAlready","estimate":\#(number)}"#
      }
    let looks = (0..<count).map { #"{"t":5,"event":"forecast","late":\#($0)}"# }
    let curves = try curves(Self.stream, stays + looks)
    let kept = min(count, 8_192)
    #expect(curves.decisions.count == kept && curves.forecasts.count == kept)
    #expect(curves.estimates.map { $0.rate } == (0..<Int64(kept)).map { $0 })
    #expect(curves.forecasts.last?.late == .seconds(Int64(kept - 1)))
  }
}
