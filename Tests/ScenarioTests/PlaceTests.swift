import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Places that the app or the encoder names: at the edge of a segment, outside the buffer, and of
/// items and renditions that give way.
@Suite struct PlaceTests {
  private static let link = #""link": { "bandwidth": "4 Mbit/s", "delay": "50 ms" }"#

  private static func stream(_ rest: String = "", segment: Int64 = 4) -> String {
    #"""
    "media": { "hls": { "duration": "240 s", "segmentDuration": "\#(segment) s",
      "playlistBytes": "0 B", "ladder": [ { "bitrate": "1 Mbit/s" } ] \#(rest) } }
    """#
  }

  private static func script(_ steps: String...) -> String {
    let all = [#"{ "at": "0 s", "do": "play" }"#] + steps
    return #""script": [ \#(all.joined(separator: ", ")) ]"#
  }

  /// The lines of a trace with an event, from an instant in seconds on.
  private func lines(_ event: String, _ outcome: RunOutcome, from start: Double = 0) -> [String] {
    String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").map { String($0) }
      .filter { line in
        let time = line.split(separator: ",")[0].split(separator: ":").last.flatMap { Double($0) }
        return line.contains("\"event\":\"\(event)\"") && time ?? -1 >= start
      }
  }

  /// The places at which the media segments that were asked for begin.
  private func places(_ outcome: RunOutcome, from start: Double = 0) -> [String] {
    lines("requestStart", outcome, from: start).filter { $0.contains("mediaSegment") }.map { line in
      line.components(between: "\"from\":", and: ",")
    }
  }

  // MARK: The edge of a segment

  /// The window of a live stream and the segments in it, and where playback begins: three targets
  /// behind its end.
  @Test(
    arguments: [
      (16, 4, 4), (20, 4, 8), (24, 4, 12), (8, 2, 2), (10, 2, 4), (40, 10, 10), (12, 3, 3),
      (15, 3, 6), (20, 5, 5), (24, 6, 6),
    ], ["fluid", "tcp"])
  func `a live stream begins with the segment that begins where it is joined`(
    _ live: (window: Int64, segment: Int64, place: Int64), fidelity: String
  ) throws {
    let outcome = try Written.run(
      #"""
      "fidelity": "\#(fidelity)", "horizon": "30 s", \#(Self.link),
      \#(Self.stream(#", "live": { "window": "\#(live.window) s" }"#, segment: live.segment)),
      \#(Self.script())
      """#)
    #expect(places(outcome).first == "\(live.place)")
    if fidelity == "fluid" {
      // Two playlists of no bytes, and a segment of a quarter of its length.
      let startup = TimeSpan.milliseconds(3 * 100 + live.segment * 250)
      #expect(outcome.player.startupDelay == startup)
    }
  }

  @Test(arguments: [(300, 4), (1_500, 8), (2_000, 12), (100, 4), (900, 4), (2_600, 12), (50, 16)])
  func `a seek to the edge of a segment fetches nothing before it`(at: Int64, place: Int64) throws {
    func found(_ place: String) throws -> (first: String?, ends: String) {
      let outcome = try Written.run(
        #"""
        "horizon": "60 s", \#(Self.link), \#(Self.stream()),
        \#(Self.script(#"{ "at": "\#(at) ms", "do": "seek", "to": "\#(place)" }"#))
        """#)
      let seek = lines("seekDidComplete", outcome)[0]
      return (
        places(outcome, from: Double(at) / 1_000).first, seek.components(between: ":", and: ",")
      )
    }
    let (onEdge, behind) = try (found("\(place) s"), found("\(place).000001 s"))
    #expect(onEdge.first == "\(place)")
    #expect(onEdge.ends == behind.ends)
  }

  // MARK: A buffer that is full

  @Test(
    arguments: [
      #""preferredForwardBufferDuration": "5 s""#, #""preferredForwardBufferDuration": "12 s""#,
      #""bufferCap": "1250 KB""#, #""bufferCap": "3 MB""#,
    ], [4_000, 5_000, 10_000, 40_000])
  func `a full buffer changes nothing in what is likely`(setting: String, rate: Int64) throws {
    for fidelity in ["fluid", "tcp"] {
      let outcome = try Written.run(
        #"""
        "fidelity": "\#(fidelity)", "link": { "bandwidth": "\#(rate) kbit/s", "delay": "50 ms" },
        "media": { "progressive": { "duration": "40 s", "bitrate": "2 Mbit/s" } },
        "player": { \#(setting) }, \#(Self.script())
        """#)
      #expect(lines("likelyToKeepUp", outcome).count == 1)
      #expect(outcome.player.outcome == .played)
    }
  }

  // MARK: Beyond what is loaded

  /// A call at five seconds on a link as fast as the media: by then not quite five are there.
  @Test(arguments: [(20, 15), (40, 15), (30, 6), (12, 5), (50, 9)])
  func `a file tied to a time beyond what comes in is asked for from there`(
    place: Int64, start: Int64
  ) throws {
    let outcome = try Written.run(
      #"""
      "link": { "bandwidth": "2 Mbit/s", "delay": "50 ms" },
      "media": { "progressive": { "duration": "60 s", "bitrate": "2 Mbit/s" } },
      "player": { "automaticallyWaitsToMinimizeStalling": false },
      "script": [ { "at": "5 s", "do": "setRateAtHostTime", "rate": 1, "time": "\#(place) s",
        "hostTime": "at \#(start) s" } ]
      """#)
    let asked = lines("requestStart", outcome, from: 5)
    #expect(asked.first?.contains("\"firstByte\":\(place * 250_000)") == true)
    // It sits there from the call on, and its first byte comes a round trip later.
    let filled = lines("playbackBufferEmpty", outcome, from: 5).filter { $0.contains("false") }
    #expect((filled.first?.hasPrefix("{\"t\":5.1") ?? false) == (start > 5))
    #expect(outcome.faults == [])
  }

  @Test func `a rate of zero at a host time stands at the time that it names`() throws {
    let failures = try Written.failures(
      #"""
      \#(Self.link), "media": { "progressive": { "duration": "60 s", "bitrate": "1 Mbit/s" } },
      "player": { "automaticallyWaitsToMinimizeStalling": false },
      \#(Self.script(#"{ "at": "10 s", "do": "setRateAtHostTime", "rate": 0, "time": "40 s" }"#)),
      "expect": [ { "at": "11 s", "currentTime": "40 s", "rate": 0 } ]
      """#)
    #expect(failures == [])
  }

  @Test func `a file whose first seconds have no bytes is loaded from its beginning`() throws {
    let sizes = ["0 B", "0 B"] + Array(repeating: "100 KB", count: 4)
    let outcome = try Written.run(
      #"""
      \#(Self.link), "media": { "progressive": { "duration": "6 s",
        "sizesPerSecond": [ \#(sizes.map { "\"\($0)\"" }.joined(separator: ", ")) ] } },
      \#(Self.script())
      """#)
    for line in lines("loadedTimeRanges", outcome) {
      let ranges = line.components(between: "\"ranges\":\"", and: "\"")
      #expect(ranges == "" || ranges.hasPrefix("0-"))
    }
  }

  // MARK: What gives way

  @Test(arguments: ["removeItem", "advanceToNextItem"])
  func `an item that is taken away gives way to the next of its queue`(verb: String) throws {
    let failures = try Written.failures(
      #"""
      "link": { "bandwidth": "3 Mbit/s", "delay": "20 ms" },
      "media": { "progressive": { "duration": "8 s", "bitrate": "1 Mbit/s" } },
      "items": [ { "name": "a" }, { "name": "b" }, { "name": "c" }, { "name": "d" } ],
      "queue": [ "a", "b", "c" ],
      \#(Self.script(
        #"{ "at": "3 s", "do": "\#(verb)" }"#, #"{ "at": "5 s", "do": "insert", "item": "d" }"#)),
      "expect": [ { "at": "4 s", "items": "b, c", "currentItem": "b" },
        { "at": "6 s", "items": "b, c, d" }, { "end": "finished" } ]
      """#)
    #expect(failures == [])
  }

  @Test(arguments: [1, 5, 9, 11])
  func `a seek back plays the language that was selected meanwhile`(place: Int64) throws {
    let outcome = try Written.run(
      #"""
      "link": { "bandwidth": "8 Mbit/s", "delay": "20 ms" }, "horizon": "60 s",
      \#(Self.stream(
        #"""
        , "audio": [ { "name": "E", "language": "en", "bitrate": "100 kbit/s" },
          { "name": "F", "language": "fr", "bitrate": "100 kbit/s" } ]
        """#)),
      \#(Self.script(
        #"{ "at": "14 s", "do": "selectAudio", "to": "fr" }"#,
        #"{ "at": "30 s", "do": "seek", "to": "\#(place) s" }"#))
      """#)
    let after = lines("requestStart", outcome, from: 30).filter { $0.contains("audio-") }
    #expect(after.first?.contains("audio-1/segment\(place / 4).m4s") == true)
    #expect(outcome.faults == [])
  }

  @Test(arguments: [10, 60, 333], ["fluid", "tcp"])
  func `a start over a dead link waits to the horizon`(horizon: Int64, fidelity: String) throws {
    for media in [
      #""media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } }"#, Self.stream(),
    ] {
      let outcome = try Written.run(
        #"""
        "fidelity": "\#(fidelity)", "link": { "bandwidth": "0 bit/s" }, "horizon": "\#(horizon) s",
        \#(media), \#(Self.script())
        """#)
      #expect(outcome.player.books.waiting == .seconds(horizon))
      #expect(outcome.player.outcome == .neverPlayed)
    }
  }

  @Test func `an interruption within another leaves the rate that is resumed`() throws {
    let failures = try Written.failures(
      #"""
      \#(Self.link), "media": { "local": { "duration": "60 s", "bitrate": "1 Mbit/s" } },
      \#(Self.script(
        #"{ "at": "1 s", "do": "setRate", "rate": 1.5 }"#,
        #"{ "at": "5 s", "do": "beginInterruption" }"#,
        #"{ "at": "6 s", "do": "beginInterruption", "name": "second" }"#,
        #"{ "at": "7 s", "do": "endInterruption", "shouldResume": true }"#)),
      "expect": [ { "at": "6.5 s", "rate": 0 }, { "at": "8 s", "rate": 1.5 } ]
      """#)
    #expect(failures == [])
  }

  @Test(arguments: [
    (#""do": "pause""#, "0"), (#""do": "setRate", "rate": 0"#, "0"),
    (#""do": "setRate", "rate": 2"#, "1.5"), (#""do": "play""#, "1.5"),
  ])
  func `a pause within an interruption outlasts it, and a call to play is refused`(
    call: String, rate: String
  ) throws {
    let failures = try Written.failures(
      #"""
      \#(Self.link), "media": { "local": { "duration": "60 s", "bitrate": "1 Mbit/s" } },
      \#(Self.script(
        #"{ "at": "1 s", "do": "setRate", "rate": 1.5, "name": "begin" }"#,
        #"{ "at": "5 s", "do": "beginInterruption" }"#,
        #"{ "at": "6 s", \#(call), "name": "meanwhile" }"#,
        #"{ "at": "7 s", "do": "endInterruption", "shouldResume": true }"#)),
      "expect": [ { "at": "6.5 s", "rate": 0 }, { "at": "8 s", "rate": \#(rate) } ]
      """#)
    #expect(failures == [])
  }
}

extension String {
  /// The part behind a text, up to another.
  fileprivate func components(between start: String, and end: String) -> String {
    guard let begin = firstRange(of: start)?.upperBound else { return "" }
    let rest = self[begin...]
    return String(rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)])
  }
}
