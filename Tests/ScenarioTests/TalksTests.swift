import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

/// Scenarios that are written here, with numbers of their own.
enum Written {
  /// Reads and runs a scenario of which only what matters is said.
  static func run(_ parts: String) throws -> RunOutcome {
    try ScenarioRunner.run(try read(parts))
  }

  static func read(_ parts: String) throws -> Scenario {
    try readScenario(text(parts), file: "written.json")
  }

  private static func text(_ parts: String) -> [UInt8] {
    Array(#"{ "scenario": "written", "about": "In a test.", \#(parts) }"#.utf8)
  }

  /// The parts without which its run is the same.
  static func partsWithoutEffect(_ parts: String) throws -> [RunWarning] {
    try MeasuredEffects(of: read(parts), text(parts)) {
      try? readScenario($0, file: "written.json")
    }.remarks
  }

  /// What a run fails to be as it was expected.
  static func failures(_ parts: String) throws -> [String] {
    let outcome = try run(parts)
    #expect(outcome.faults == [], "\(parts)")
    return outcome.failures.map { "\($0.expected): \($0.actual)" }
  }
}

/// The kept wish, the evaluation, events of items that go, and outages.
@Suite struct TalksTests {
  /// A file of 1 Mbit/s over a link of 8 Mbit/s whose answers take a while.
  private func file(_ delay: Int64, _ rest: String, seconds: Int64 = 12) -> String {
    #"""
    "link": { "bandwidth": "8 Mbit/s", "delay": "\#(delay) ms" },
    "media": { "progressive": { "duration": "\#(seconds) s", "bitrate": "1 Mbit/s" } }, \#(rest)
    """#
  }

  static let settings: [(delay: Int64, tap: Int64)] = [
    (10, 0), (50, 40), (100, 0), (120, 199), (250, 100), (400, 1), (500, 999), (750, 10),
    (1_000, 1_500), (2_000, 333),
  ]

  @Test(arguments: settings)
  func `a play before the first media is kept, whatever the order of the calls`(
    delay: Int64, tap: Int64
  ) throws {
    let wait = 2 * delay - tap
    let expected = #"""
      [ { "at": { "after": "play" }, "timeControlStatus": "waiting", "rate": 1,
          "reasonForWaitingToPlay": null, "timebaseRate": 0 },
        { "startupDelay": { "about": "\#(wait) ms", "within": "1 ms" }, "stallCount": 0,
          "outcome": "played", "played": "12 s", "end": "finished" } ]
      """#
    let play = #"{ "at": "\#(tap) ms", "do": "play" }"#
    let off = #""automaticallyWaitsToMinimizeStalling": false"#
    for (player, script) in [
      (#"{ "linkedSDK": "iOS 9.3" }"#, play), ("{ \(off) }", play),
      (#"{ "linkedSDK": "macOS 10.11" }"#, play),
      (
        "{ }",
        #"""
        { "at": "\#(tap) ms", "do": "setAutomaticallyWaitsToMinimizeStalling", "to": false,
          "name": "off" }, { "at": { "after": "off" }, "do": "play" }
        """#
      ),
    ] {
      let parts = file(
        delay, #""player": \#(player), "script": [ \#(script) ], "expect": \#(expected)"#)
      #expect(try Written.failures(parts) == [], "\(player)")
    }
    // Asked while it waits by itself, and then switched off.
    let late = #"""
      { "at": "\#(tap) ms", "do": "play", "name": "wish" },
      { "at": { "after": "wish" }, "do": "setAutomaticallyWaitsToMinimizeStalling", "to": false,
        "name": "play" }
      """#
    #expect(
      try Written.failures(file(delay, #""script": [ \#(late) ], "expect": \#(expected)"#)) == [])
  }

  @Test(arguments: settings)
  func `a play before the item is kept without automatic waiting, for a file and for a stream`(
    delay: Int64, tap: Int64
  ) throws {
    for player in [
      #"{ "linkedSDK": "iOS 9", "item": "byScript" }"#,
      #"{ "automaticallyWaitsToMinimizeStalling": false, "item": "byScript" }"#,
    ] {
      let script = #"""
        "player": \#(player),
        "script": [ { "at": "0 s", "do": "play" },
          { "at": "\#(tap) ms", "do": "setItem" } ],
        "expect": [ { "startupDelay": { "about": "\#(tap + 2 * delay) ms", "within": "1 ms" },
            "stallCount": 0, "outcome": "played", "end": "finished" } ]
        """#
      #expect(try Written.failures(file(delay, script)) == [], "\(player)")
    }
    // Longer round trips are a matter of patience.
    if delay > 1_000 { return }
    let stream = #"""
      "link": { "bandwidth": "8 Mbit/s", "delay": "\#(delay) ms" },
      "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "24 s",
        "segmentDuration": "4 s", "playlistBytes": "0 B" } },
      "player": { "linkedSDK": "iOS 9.3", "item": "byScript" },
      "script": [ { "at": "0 s", "do": "play" }, { "at": "\#(tap) ms", "do": "setItem" } ],
      "expect": [ { "startupDelay": { "about": "\#(tap + 6 * delay + 500) ms", "within": "1 ms" },
        "stallCount": 0, "outcome": "played" } ]
      """#
    #expect(try Written.failures(stream) == [])
  }

  @Test(arguments: [200, 350, 500, 800, 1_000, 1_500, 2_000, 3_000, 5_000, 8_000])
  func `what is decided is not evaluated`(period: Int64) throws {
    let player = #""player": { "evaluationPeriod": "\#(period) ms" }"#
    // A local file, and one that is loaded before the tap: 12 Mbit at 8 Mbit/s.
    let local = #"""
      "link": { "bandwidth": "8 Mbit/s" },
      "media": { "local": { "duration": "\#(period) ms", "bitrate": "1 Mbit/s" } }, \#(player),
      "script": [ { "at": "\#(period) ms", "do": "play" } ],
      "expect": [ { "startupDelay": "0 s" },
        { "count": "timeControlStatus reason=evaluatingBufferingRate", "is": 0 } ]
      """#
    #expect(try Written.failures(local) == [])
    for (tap, delay, evaluations) in [(1_501, Int64(0), 0), (300, min(period, 1_200), 1)] {
      let parts = file(
        0,
        #"""
        \#(player), "script": [ { "at": "\#(tap) ms", "do": "play" } ],
        "expect": [ { "startupDelay": { "about": "\#(delay) ms", "within": "1 ms" } },
          { "count": "timeControlStatus reason=evaluatingBufferingRate", "is": \#(evaluations) } ]
        """#)
      #expect(try Written.failures(parts) == [], "tap at \(tap) ms")
    }
    // Resumed with plenty ahead, of a file that goes on coming in.
    let resumed = file(
      0,
      #"""
      \#(player), "script": [ { "when": "loaded >= 2 s", "do": "play" },
        { "at": { "after": "play", "by": "\#(period + 400) ms" }, "do": "pause" },
        { "at": { "after": "pause", "by": "100 ms" }, "do": "play", "name": "resume" } ],
      "expect": [ { "at": { "after": "resume" }, "timeControlStatus": "playing" },
        { "count": "timeControlStatus reason=evaluatingBufferingRate", "is": 1 } ]
      """#, seconds: 200)
    #expect(try Written.failures(resumed) == [])
  }

  @Test(arguments: [3, 4, 5, 6, 7, 8, 9, 10, 11, 14])
  func `an item that goes takes what was said of it along`(second: Int64) throws {
    let media = #"""
      "link": { "bandwidth": "4 Mbit/s" },
      "media": { "progressive": { "duration": "40 s", "bitrate": "1 Mbit/s" } }
      """#
    let removed = #"""
      \#(media), "script": [ { "at": "0 s", "do": "play" },
        { "at": "\#(second) s", "do": "removeItem" } ],
      "expect": [ { "at": { "after": "removeItem" }, "isPlaybackLikelyToKeepUp": false,
          "isPlaybackBufferEmpty": true, "timeControlStatus": "waiting",
          "reasonForWaitingToPlay": "noItemToPlay" },
        { "order": [ "app do=removeItem", "timebase rate=0", "playbackBufferEmpty value=true",
            "likelyToKeepUp value=false", "currentItem present=false" ] } ]
      """#
    #expect(try Written.failures(removed) == [])
    let replaced = #"""
      \#(media), "script": [ { "at": "0 s", "do": "play" },
        { "at": "\#(second) s", "do": "setItem" } ],
      "expect": [ { "count": "timeControlStatus reason=noItemToPlay", "is": 0 },
        { "count": "currentItem present=false", "is": 0 },
        { "order": [ "app do=setItem", "timebase rate=0", "playbackBufferEmpty value=true",
          "likelyToKeepUp value=false", "timeControlStatus reason=toMinimizeStalls",
          "likelyToKeepUp value=true", "timebase rate=1" ] },
        { "outcome": "played", "startupCount": 2, "stallCount": 0 } ]
      """#
    #expect(try Written.failures(replaced) == [])
  }

  @Test(arguments: [500, 600, 750, 900, 1_000, 1_200, 1_300, 1_500, 1_700, 1_900])
  func `in an outage no answer begins, and none of no bytes ends`(rate: Int64) throws {
    // The stall comes within the outage, whose end is the first moment of anything.
    for bytes in ["0 B", "20 KB"] {
      let parts = #"""
        "link": { "bandwidth": "\#(rate) kbit/s", "delay": "20 ms",
          "outages": [ { "from": "8 s", "for": "30 s" } ] },
        "media": { "hls": { "ladder": [ { "bitrate": "400 kbit/s" } ], "duration": "80 s",
          "segmentDuration": "4 s", "playlistBytes": "\#(bytes)" } },
        "player": { "item": "byScript" },
        "script": [ { "at": "9 s", "do": "setItem" }, { "at": "9 s", "do": "play", "name": "go" } ],
        "expect": [ { "at": "37.9 s", "requestCount": 1 },
          { "at": { "event": "responseStart" }, "timeControlStatus": "waiting" },
          { "startupDelay": { "atLeast": "29 s" } } ]
        """#
      let outcome = try Written.run(parts)
      #expect(outcome.failures.map { $0.actual } == [])
      let first = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
        .dropFirst().first { $0.contains(#""event":"responseStart""#) }
      #expect(first?.hasPrefix(#"{"t":38,"#) == true, "\(first ?? "none")")
    }
  }
}
