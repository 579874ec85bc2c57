import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing

/// What a scenario of a queue, a loop or an app's doings shows is what makes it come true: taken
/// away, it fails.
///
/// Inputs of the scenario are taken away here; `.ci/mutants` changes the code.
@Suite struct QueueBehaviourTests {
  static let removals = [
    // L1: rewinding is what the gap comes from.
    Removal("loop-rewind", #""rewind""#, #""looper""#),
    Removal("loop-rewind", #""notification": "30 ms""#, #""notification": "31 ms""#),
    // L3
    Removal("queue-next-item-prepared", #"["A", "B"]"#, #"["A"]"#),
    Removal("queue-next-item-late", "2.8 s", "2.5 s"),
    // L4
    Removal("queue-look-ahead-of-one", #", "lookAhead": 1"#, ""),
    Removal("queue-short-item", #""500 ms" }"#, #""500 ms", "lookAhead": 1 }"#),
    // L5
    Removal("queue-edits", #", "afterItem": "warm-up""#, ""),
    Removal("queue-edits", #""do": "advanceToNextItem""#, #""do": "play", "name": "again""#),
    Removal("queue-edits", #""do": "removeAllItems""#, #""do": "removeItem""#),
    Removal("queue-edits", #""insert", "item": "hills", "name""#, #""pause", "name""#),
    // Settings of items that are not current
    Removal("queue-settings-of-items-to-come", #""to": "2 s", "item": "second""#, #""to": "2 s""#),
    Removal("queue-settings-of-items-to-come", #""to": "3 s", "item": "third""#, #""to": "3 s""#),
    // L6
    Removal("queue-one-asset", #""copies": 3"#, #""copies": 3, "ownAssets": true"#),
    Removal("queue-own-assets", #", "ownAssets": true"#, ""),
    // G11
    Removal(
      "queue-scenes-of-one-file", #""forwardPlaybackEndTime": "40 s""#,
      #""forwardPlaybackEndTime": "41 s""#),
    // L7
    Removal("queue-is-no-playlist", "10000,", "3,"),
    Removal("queue-next-download", #", "asset": "second""#, ""),
    Removal("queue-next-item-not-loaded", #""1.6 Mbit/s""#, #""4 Mbit/s""#),
    // L8
    Removal("loop-treadmill", #""looping": "treadmill","#, ""),
    Removal("loop-treadmill-too-short", #""copies": 3"#, #""copies": 9"#),
    // L9: what ends it is that the items are bad.
    Removal("loop-treadmill-bad-item", #"{ "status": 404, "url": "movie.mp4" }"#, ""),
    // L10, L11
    Removal("loop-looper", #""do": "disableLooping""#, #""do": "play", "name": "again""#),
    Removal("loop-looper", #""looping": "looper","#, ""),
    Removal("loop-looper-time-range", #""followExistingItems""#, #""precedeExistingItems""#),
    Removal("loop-looper-time-range", #""durationLoadedAfter": "400 ms", "#, ""),
    Removal("loop-looper-time-range", #""timeRange": ["1.5 s", "2.5 s"], "#, ""),
    // L12
    Removal("loop-uneven-video", #", "duration": "9.8 s""#, ""),
    Removal("loop-uneven-audio", #", "duration": "9.95 s""#, ""),
    // L13
    Removal("loop-edit-list", #""editList": "9.8 s""#, #""editList": "10 s""#),
    // L14
    Removal("loop-trimmed", #""player": { "forwardPlaybackEndTime": "shortestTrack" },"#, ""),
    // W7
    Removal(
      "colour-narrow-compositor", #"SourceFrames": false"#, #"SourceFrames": true"#),
    // Q2
    Removal(
      "play-does-not-wait-for-the-notification", #""at": "0 s", "do""#,
      #""when": "likelyToKeepUp", "byNotification": true, "do""#),
    // Q3
    Removal(
      "leaked-player-doubles-the-startup", #""duration": "60 s""#, #""duration": "0.1 s""#),
    // Q4
    Removal(
      "competing-download-suspended-at-play", #""do": "suspendTraffic""#,
      #""do": "resumeTraffic""#),
    // G1
    Removal(
      "gapless-buffering-before-ios-15", #"{ "bandwidth": "500 kbit/s" }"#,
      #"{ "bandwidth": "50 Mbit/s" }"#),
    // H8, as a file has it
    Removal(
      "title-card-resets-the-forward-buffer", #""to": "0 s""#, #""to": "5 s""#),
  ]

  @Test(arguments: Seeds.cases(of: removals)) func `without what it shows a scenario fails`(
    removal: Removal
  ) throws {
    try removal.expectFailure()
  }

  @Test func `without a queue an item is called as it would be in one`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "8 Mbit/s" },
      "media": { "progressive": { "duration": "9 s", "bitrate": "1 Mbit/s" } },
      "player": { "item": "byScript" },
      "script": [
      { "at": "1 s", "do": "setItem" }, { "at": "2 s", "do": "removeItem" },
      { "at": "3 s", "do": "setItem", "name": "again" } ],
      "expect": [
      { "at": "0 s", "currentItem": "none" }, { "at": "1.5 s", "currentItem": "media" },
      { "at": "2.5 s", "currentItem": "none" }, { "at": "4 s", "currentItem": "media" } ] }
      """
    #expect(try run(readScenario([UInt8](text.utf8), file: "a.json")).failures.isEmpty)
  }

  @Test func `every scenario of a queue or a loop is in the list`() {
    let names = ShippedScenario.all.map { $0.name }
      .filter { $0.hasPrefix("loop-") || $0.hasPrefix("queue-") }
    for name in names { #expect(Self.removals.contains { $0.scenario == name }, "\(name)") }
  }

  @Test(arguments: ["local", "progressive"], [0, 6, 900])
  func `an item that is removed and inserted again is told of as if it were new`(
    media: String, apart: Int
  ) throws {
    let outcome = try Written.run(
      #"""
      "link": {}, "items": [ { "name": "clip" } ], "queue": [ "clip" ],
      "media": { "\#(media)": { "duration": "12 s", "bitrate": "200 kbit/s" } },
      "script": [ { "at": "1822 ms", "do": "removeItem" },
        { "at": "\#(1_822 + apart) ms", "do": "insert", "item": "clip" },
        { "at": "3157 ms", "do": "play" } ]
      """#)
    let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
    func told(_ event: String) -> [Bool] {
      lines.filter { $0.contains("\"event\":\"\(event)\"") }.map { $0.contains("\"value\":true") }
    }
    // There, gone, there again, and played out.
    #expect(told("playbackBufferEmpty") == [false, true, false, true])
    #expect(told("likelyToKeepUp") == [true, false, true, false])
    #expect(told("playbackBufferFull").starts(with: [true, false, true]))
    #expect(outcome.faults == [] && outcome.player.outcome == .played)
  }
}
