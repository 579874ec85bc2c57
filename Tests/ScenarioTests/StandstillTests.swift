import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing

/// What stands still because somebody else has the player, or because nobody asks it to go on, has
/// not stalled; and nobody plays past either.
@Suite struct StandstillTests {
  static let links = ["2 Mbit/s", "3500 kbit/s", "9 Mbit/s", "40 Mbit/s"]

  private func outcome(
    _ script: String, over bandwidth: String, _ fidelity: String, _ player: String = "",
    expecting claims: String
  ) throws -> RunOutcome {
    let other = #"{ "progressive": { "duration": "7 s", "bitrate": "800 kbit/s" } }"#
    return try Written.run(
      #"""
      "link": { "bandwidth": "\#(bandwidth)", "delay": "20 ms" }, "fidelity": "\#(fidelity)",
      "horizon": "60 s", "media": { "progressive": { "duration": "12 s", "bitrate": "1 Mbit/s" } },
      "assets": [ { "name": "other", "media": \#(other) } ],
      "items": [ { "name": "y", "asset": "other" } ],
      "player": { "linkedSDK": "iOS 17"\#(player) }, "script": [ \#(script) ],
      "expect": [ \#(claims) ]
      """#)
  }

  /// The seconds at which a line of a trace happened, as they are written.
  private func time(of line: Substring) -> Substring {
    line.dropFirst("{\"t\":".count).prefix { $0 != "," }
  }

  @Test(arguments: Seeds.pairs(of: links, and: ["fluid", "tcp"]))
  func `who has the audio session is not played past by a timeline`(link: String, fidelity: String)
    throws
  {
    let script = #"""
      { "at": "1 s", "do": "beginInterruption" },
      { "at": "2 s", "do": "setRateAtHostTime", "rate": 1, "time": "0 s", "hostTime": "at 2 s" },
      { "at": "4 s", "do": "endInterruption" },
      { "at": "5 s", "do": "setRateAtHostTime", "rate": 1, "time": "0 s", "hostTime": "at 5 s",
        "name": "again" }
      """#
    let run = try outcome(
      script, over: link, fidelity, #", "automaticallyWaitsToMinimizeStalling": false"#,
      expecting: #"""
        { "count": "rateChange reason=setRateFailed", "is": 1 },
        { "at": "3 s", "timeControlStatus": "paused", "rate": 0, "timebaseRate": 0 },
        { "at": "6 s", "timeControlStatus": "playing", "currentTime": "1 s" }, { "played": "12 s" }
        """#)
    #expect(run.failures.map { $0.actual } == [])
  }

  @Test(arguments: Seeds.pairs(of: links, and: ["interstitialEvent", "coordinatedPlayback"]))
  func `what is held up from outside moves by no clock`(link: String, suspension: String) throws {
    let script = #"""
      { "at": "0 s", "do": "play" },
      { "at": "2 s", "do": "beginSuspension", "by": "\#(suspension)" },
      { "at": "3 s", "do": "setRateAtHostTime", "rate": 2, "time": "9 s", "hostTime": "at 3 s" },
      { "at": "6 s", "do": "endSuspension", "by": "\#(suspension)", "name": "over" }
      """#
    for fidelity in ["fluid", "tcp"] {
      let run = try outcome(
        script, over: link, fidelity, #", "automaticallyWaitsToMinimizeStalling": false"#,
        expecting: #"""
          { "at": "5 s", "timeControlStatus": "waiting", "rate": 2, "timebaseRate": 0 },
          { "at": { "after": "over", "by": "10 ms" }, "timeControlStatus": "playing",
            "timebaseRate": 2 },
          { "outcome": "played", "stallCount": 0 }
          """#)
      #expect(run.failures.map { $0.actual } == [])
    }
  }

  @Test(arguments: Seeds.pairs(of: links, and: ["fluid", "tcp"]))
  func `a start that nobody asks for has not stalled`(link: String, fidelity: String) throws {
    let removed = #"""
      { "at": "0 s", "do": "play" }, { "at": "4 s", "do": "removeItem" },
      { "at": "9 s", "do": "replaceCurrentItem", "item": "y" }
      """#
    let waitsNever = #", "automaticallyWaitsToMinimizeStalling": false"#
    let run = try outcome(
      removed, over: link, fidelity, waitsNever,
      expecting: #"{ "outcome": "played", "stallCount": 0, "stalled": "0 s", "end": "finished" }"#)
    #expect(run.failures.map { $0.actual } == [])
    let held = #"""
      { "at": "0 s", "do": "play" },
      { "at": "3 s", "do": "beginSuspension", "by": "coordinatedPlayback" },
      { "at": "5 s", "do": "replaceCurrentItem", "item": "y" }
      """#
    let suspended = try outcome(
      held, over: link, fidelity, expecting: #"{ "outcome": "played", "stallCount": 0 }"#)
    #expect(suspended.failures.map { $0.actual } == [])
    // What is asked for and does not come has.
    let asked = #"""
      { "at": "0 s", "do": "play" }, { "at": "3 s", "do": "changeLink", "to": { "loss": "100 %" } },
      { "at": "5 s", "do": "replaceCurrentItem", "item": "y" }
      """#
    let dead = try outcome(asked, over: link, fidelity, expecting: #"{ "outcome": "stalled" }"#)
    #expect(dead.failures.map { $0.actual } == [])
  }

  /// A player that is paused by its stall, on a link whose rates change ten times a second.
  @Test(arguments: [2_100, 18_452, 30_001, 352_999], ["wall", "pausedDuringLatency"])
  func `traffic after a stall that nothing ends has its place among the rates`(
    start: Int, clock: String
  ) throws {
    let outcome = try Written.run(
      #"""
      "horizon": "353 s", "link": { "schedule": { "then": "repeat", "clock": "\#(clock)",
        "steps": [ { "for": "25 ms", "bandwidth": "2 Mbit/s" },
          { "for": "126 ms", "bandwidth": "950 kbit/s" },
          { "for": "92 ms", "bandwidth": "0 bit/s" } ] } },
      "media": { "progressive": { "duration": "135 s", "bitrate": "1 Mbit/s" } },
      "traffic": [ { "name": "updates", "from": "\#(start) ms", "bytes": "1000 B" } ],
      "player": { "automaticallyWaitsToMinimizeStalling": false },
      "script": [ { "at": "0 s", "do": "play" } ]
      """#)
    #expect(outcome.faults == [] && outcome.player.outcome == .stalled)
    let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").dropFirst()
    let times = lines.compactMap { Double(time(of: $0)) }
    #expect(times.count == lines.count && times == times.sorted())
    let told = lines.filter { $0.contains("\"event\":\"traffic\"") }
    let place = "{\"t\":\(Double(start) / 1_000),"
    #expect(told.count == 1 && told.allSatisfy { $0.hasPrefix(place) })
    _ = try report(on: outcome.trace, file: "a.trace")
  }

  /// A file of 2 Mbit/s, over links that are slower than it and faster.
  @Test(
    arguments: [
      (60, 1_000, 10), (40, 900, 10), (40, 1_500, 10), (35, 1_500, 10), (25, 1_000, 10),
      (30, 1_999, 20), (90, 1_200, 40), (12, 800, 4), (50, 2_500, 30), (70, 1_100, 3),
    ] as [(Int, Int, Int)])
  func `a file is read to its limit before a start at a host time`(
    start: Int, link: Int, seconds: Int
  ) throws {
    let limits = [
      #""preferredForwardBufferDuration": "\#(seconds) s""#,
      #""bufferCap": "\#(seconds * 250_000) B""#,
    ]
    for limit in limits {
      let outcome = try Written.run(
        #"""
        "horizon": "200 s", "link": { "bandwidth": "\#(link) kbit/s" },
        "media": { "progressive": { "duration": "100 s", "bitrate": "2 Mbit/s" } },
        "player": { "automaticallyWaitsToMinimizeStalling": false, \#(limit) },
        "script": [ { "at": "1 s", "do": "setRateAtHostTime", "rate": 1, "time": "0 s",
          "hostTime": "at \#(start) s" } ]
        """#)
      let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
      let full = lines.first { $0.contains(#""event":"reading","suspended":true"#) }
      let read = full.flatMap { Double(time(of: $0)) } ?? 0
      #expect(abs(read - Double(seconds * 2_000) / Double(link)) < 0.000_001, "\(limit)")
    }
  }

  /// Sound and pictures arrive by turns, some of them when less than a frame of the other is left.
  @Test(arguments: Seeds.cases(of: Array(stride(from: 480, through: 1_500, by: 15)), few: 4))
  func `a buffer becomes empty where the playhead stops, and not before`(link: Int) throws {
    let presses = (0..<120).map { #"{ "at": "\#($0) s", "do": "play", "name": "\#($0)" }"# }
    for sound in [64, 320] {
      let outcome = try Written.run(
        #"""
        "horizon": "150 s", "link": { "bandwidth": "\#(link) kbit/s", "delay": "20 ms" },
        "media": { "hls": { "ladder": [ { "bitrate": "800 kbit/s" } ], "duration": "60 s",
          "segmentDuration": "2 s",
          "audio": [ { "name": "a", "language": "en", "bitrate": "\#(sound) kbit/s" } ] } },
        "player": { "automaticallyWaitsToMinimizeStalling": false },
        "script": [ \#(presses.joined(separator: ", ")) ]
        """#)
      let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
      func instants(of event: String) -> Set<Substring> {
        Set(lines.filter { $0.contains(event) }.map { time(of: $0) })
      }
      let empty = instants(of: #""event":"playbackBufferEmpty","value":true"#)
      #expect(empty.subtracting(instants(of: #""event":"timebase","rate":0"#)).isEmpty)
      #expect(link > 700 || empty.count > 9)
    }
  }
}
