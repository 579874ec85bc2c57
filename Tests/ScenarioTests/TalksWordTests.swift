import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// What could not be said before: each wish in a scenario, at several settings.
@Suite struct TalksWordTests {
  private static func file(_ rest: String, rate: Int64 = 8, seconds: Int64 = 20) -> String {
    #"""
    "link": { "bandwidth": "\#(rate) Mbit/s", "delay": "10 ms" },
    "media": { "progressive": { "duration": "\#(seconds) s", "bitrate": "1 Mbit/s" } }, \#(rest)
    """#
  }

  private func expectTrue(_ parts: String, at place: SourceLocation = #_sourceLocation) throws {
    #expect(try Written.failures(parts) == [], sourceLocation: place)
  }

  static let seconds: [Int64] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12]

  @Test(arguments: Seeds.cases(of: seconds))
  func `the current item is replaced by another, and back`(second: Int64) throws {
    try expectTrue(
      Self.file(
        #"""
        "assets": [ { "name": "ad",
          "media": { "local": { "duration": "3 s", "bitrate": "1 Mbit/s" } } } ],
        "items": [ { "name": "ad", "asset": "ad" } ],
        "script": [ { "at": "0 s", "do": "play" },
          { "at": "\#(second) s", "do": "replaceCurrentItem", "item": "ad", "name": "ad" },
          { "on": "didPlayToEndTime item=ad", "do": "replaceCurrentItem", "name": "back" },
          { "at": { "after": "back" }, "do": "play", "name": "again" } ],
        "expect": [ { "at": { "after": "ad", "by": "1 s" }, "currentItem": "ad",
            "currentTime": "1 s" },
          { "at": { "after": "again", "by": "1 s" }, "currentItem": "media" },
          { "startupCount": 3, "outcome": "played", "stallCount": 0 },
          { "count": "timeControlStatus reason=noItemToPlay", "is": 0 } ]
        """#))
  }

  @Test(arguments: Seeds.cases(of: seconds))
  func `an interruption pauses, and the app resumes where it should`(second: Int64) throws {
    for (resume, status) in [("true", "playing"), ("false", "paused")] {
      try expectTrue(
        Self.file(
          #"""
          "script": [ { "at": "0 s", "do": "setRate", "rate": 1.5, "name": "play" },
            { "at": "\#(second) s", "do": "beginInterruption" },
            { "at": "\#(second + 1) s", "do": "play", "name": "tooEarly" },
            { "at": "\#(second + 3) s", "do": "endInterruption", "shouldResume": \#(resume) } ],
          "expect": [ { "at": { "after": "beginInterruption" }, "timeControlStatus": "paused",
              "rate": 0 },
            { "at": { "after": "tooEarly" }, "timeControlStatus": "paused", "rate": 0 },
            { "at": { "after": "endInterruption" }, "timeControlStatus": "\#(status)",
              "rate": \#(resume == "true" ? "1.5" : "0") },
            { "order": [ "rateChange reason=audioSessionInterrupted",
                "rateChange reason=setRateFailed" ] } ]
          """#, seconds: 60))
    }
  }

  @Test(arguments: Seeds.cases(of: seconds))
  func `in the background the player pauses without background audio`(second: Int64) throws {
    for (audio, status) in [("true", "playing"), ("false", "paused")] {
      try expectTrue(
        Self.file(
          #"""
          "script": [ { "at": "0 s", "do": "play" },
            { "at": "\#(second) s", "do": "enterBackground", "backgroundAudio": \#(audio) },
            { "at": { "after": "enterBackground", "by": "2 s" }, "do": "enterForeground" } ],
          "expect": [ { "at": { "after": "enterBackground" }, "timeControlStatus": "\#(status)" },
            { "count": "rateChange reason=appBackgrounded", "is": \#(audio == "true" ? 0 : 1) } ]
          """#, seconds: 60))
    }
  }

  @Test(
    arguments: [#""do": "play""#, #""do": "setRate", "rate": 2"#, #""do": "playImmediately""#],
    [true, false])
  func `a call in the background plays with background audio only`(
    call: String, audio: Bool
  ) throws {
    try expectTrue(
      Self.file(
        #"""
        "script": [ { "at": "0 s", "do": "play", "name": "begin" },
          { "at": "3 s", "do": "enterBackground", "backgroundAudio": \#(audio) },
          { "at": "4 s", \#(call), "name": "meanwhile" }, { "at": "6 s", "do": "pause" },
          { "at": "7 s", "do": "setRate", "rate": 0, "name": "pauseAgain" },
          { "at": "8 s", "do": "enterForeground" },
          { "at": "9 s", "do": "play", "name": "there" } ],
        "expect": [ { "at": "5 s", "timeControlStatus": "\#(audio ? "playing" : "paused")" },
          { "at": "10 s", "timeControlStatus": "playing" },
          { "count": "refused", "is": \#(audio ? 0 : 1) } ]
        """#, seconds: 60))
  }

  @Test(arguments: [true, false])
  func `an interruption that ends in the background resumes with background audio only`(
    audio: Bool
  ) throws {
    try expectTrue(
      Self.file(
        #"""
        "script": [ { "at": "0 s", "do": "play" }, { "at": "2 s", "do": "beginInterruption" },
          { "at": "3 s", "do": "enterBackground", "backgroundAudio": \#(audio) },
          { "at": "4 s", "do": "endInterruption", "shouldResume": true },
          { "at": "6 s", "do": "enterForeground" } ],
        "expect": [ { "at": "5 s", "timeControlStatus": "\#(audio ? "playing" : "paused")" },
          { "count": "refused", "is": 0 } ]
        """#, seconds: 60))
  }

  @Test(arguments: Seeds.cases(of: seconds))
  func `a seek may be inexact, cancelled, and waited for`(second: Int64) throws {
    let target = 40 + second
    let stream = #"""
      "link": { "bandwidth": "2 Mbit/s" },
      "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "90 s",
        "segmentDuration": "6 s", "playlistBytes": "0 B" } }
      """#
    let start = target / 6 * 6
    try expectTrue(
      #"""
      \#(stream), "script": [ { "at": "0 s", "do": "play" },
        { "at": "4 s", "do": "seek", "to": "\#(target) s", "toleranceBefore": "6 s" },
        { "on": "seekDidComplete finished=true", "do": "pause", "name": "there" } ],
      "expect": [ { "at": { "after": "there" }, "currentTime": "\#(start) s" },
        { "count": "seek to=\#(start)", "is": 1 } ]
      """#)
    try expectTrue(
      #"""
      \#(stream), "script": [ { "at": "0 s", "do": "play" },
        { "at": "4 s", "do": "seek", "to": "\#(target) s" },
        { "at": "4.1 s", "do": "cancelPendingSeeks" } ],
      "expect": [ { "at": { "after": "seek" }, "currentTime": "\#(target) s" },
        { "count": "seekDidComplete finished=false", "is": 1 },
        { "count": "seekDidComplete finished=true", "is": 0 } ]
      """#)
  }

  @Test(arguments: [50, 100, 150, 200, 300, 400, 500, 700, 900, 1_000])
  func `what is prerolled starts at once`(preroll: Int64) throws {
    let player = #""player": { "pipeline": { "preroll": "\#(preroll) ms" } }"#
    for (early, delay) in [
      (#"{ "at": "1 s", "do": "preroll" },"#, Int64(0)),
      // Before there is any media it begins with the first.
      (#"{ "at": "0 s", "do": "preroll" },"#, 0), ("", preroll),
    ] {
      try expectTrue(
        Self.file(
          #"""
          \#(player), "script": [ \#(early) { "at": "4 s", "do": "play" } ],
          "expect": [ { "startupDelay": "\#(delay) ms", "outcome": "played" },
            { "count": "prerollDidComplete finished=true", "is": \#(early.isEmpty ? 0 : 1) } ]
          """#))
    }
  }

  @Test(arguments: Seeds.cases(of: seconds))
  func `a step waits for the buffer to fall`(ahead: Int64) throws {
    // 0.8 of the media's rate comes in after 4 s at 8 times of it.
    try expectTrue(
      Self.file(
        #"""
        "player": { "heuristic": "immediate" },
        "script": [ { "at": "0 s", "do": "play" },
          { "at": "3 s", "do": "changeLink", "to": { "bandwidth": "800 kbit/s" } },
          { "when": "ahead <= \#(ahead) s", "after": "changeLink", "do": "pause" } ],
        "expect": [ { "at": { "after": "pause" },
          "bufferAhead": { "about": "\#(ahead) s", "within": "1 us" } } ]
        """#, seconds: 300))
  }

  @Test(arguments: Seeds.cases(of: seconds))
  func `a released player gives back its share`(second: Int64) throws {
    try expectTrue(
      #"""
      "link": { "bandwidth": "2 Mbit/s" },
      "media": { "progressive": { "duration": "60 s", "bitrate": "1.5 Mbit/s" } },
      "leakedPlayers": [
        { "media": { "progressive": { "duration": "900 s", "bitrate": "8 Mbit/s" } } } ],
      "script": [ { "at": "0 s", "do": "play" },
        { "at": "\#(second) s", "do": "releaseLeakedPlayer", "leaked": 1, "name": "release" } ],
      "expect": [ { "at": { "after": "release", "by": "1 s" },
          "loadedEnd": { "about": "\#(second * 1_000 * 2 / 3 + 1_333) ms", "within": "2 ms" } },
        { "stallCount": { "atMost": 1 } } ]
      """#)
  }

  @Test func `an empty queue has no items, and bytes are held in a buffer`() throws {
    try expectTrue(
      Self.file(
        #"""
        "items": [ { "name": "a", "forwardPlaybackEndTime": "2 s" } ], "queue": [ "a" ],
        "script": [ { "at": "0 s", "do": "play" } ],
        "expect": [ { "at": "1.5 s", "items": "a" }, { "at": "end", "items": "" },
          { "at": "0.02 s", "bufferBytes": "0 kB" },
          { "at": "120 ms", "bufferBytes": { "between": [ "80 kB", "101 kB" ] } } ]
        """#))
  }

  @Test(
    arguments: Seeds.cases(of: [1.1, 1.25, 1.5, 1.75, 2.0, 3.0, 1.2, 1.4, 1.6, 4.0]),
    ["iOS 26.4", "iOS 17"])
  func `at the live edge a faster rate goes back to 1`(rate: Double, sdk: String) throws {
    for segment in Seeds.areMany ? [4, 6] : [6] {
      try expectTrue(
        #"""
        "horizon": "700 s", "link": { "bandwidth": "8 Mbit/s", "delay": "20 ms" },
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "30 min",
          "segmentDuration": "\#(segment) s",
          "live": { "window": "120 s", "startsWith": "120 s" } } },
        "player": { "linkedSDK": "\#(sdk)", "configuredTimeOffsetFromLive": "60 s" },
        "script": [ { "at": "0 s", "do": "play" },
          { "at": "10 s", "do": "setRate", "rate": \#(rate), "name": "hurry" } ],
        "expect": [ { "at": { "after": "hurry", "by": "5 s" }, "timebaseRate": \#(rate) },
          { "at": "end", "rate": 1, "timeControlStatus": "playing", "stallCount": 0 },
          { "count": "rateChange reason=playheadReachedLiveEdge",
            "is": \#(sdk == "iOS 26.4" ? 1 : 0) } ]
        """#)
    }
  }
}
