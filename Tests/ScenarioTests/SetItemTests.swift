import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// An app that brings its queue once more: the items that have been in it cannot come again from
/// where they ended, so others of the same media do.
@Suite struct SetItemTests {
  struct Setting: Sendable, CustomTestStringConvertible {
    var media: String
    /// How long an item is.
    var seconds: Int
    /// When the queue is brought again, in milliseconds.
    var again: Int
    /// What stands in the queue right after that, the current item first.
    var items: String
    var link = #"{ "bandwidth": "40 Mbit/s" }"#
    var fidelity = "fluid"

    var testDescription: String { "\(media) of \(seconds) s, again at \(again) ms, \(fidelity)" }
  }

  static let settings = [
    Setting(media: "local", seconds: 4, again: 1_000, items: "one, two, one, two", link: "{}"),
    Setting(media: "local", seconds: 7, again: 9_500, items: "two, one, two", link: "{}"),
    Setting(media: "local", seconds: 3, again: 8_000, items: "one, two", link: "{}"),
    Setting(media: "progressive", seconds: 5, again: 0, items: "one, two, one, two"),
    Setting(media: "progressive", seconds: 6, again: 7_000, items: "two, one, two"),
    Setting(
      media: "progressive", seconds: 8, again: 11_000, items: "two, one, two",
      link: #"{ "bandwidth": "1500 kbit/s", "delay": "30 ms" }"#),
    Setting(media: "progressive", seconds: 2, again: 30_000, items: "one, two"),
    Setting(
      media: "progressive", seconds: 5, again: 6_000, items: "two, one, two", fidelity: "tcp"),
    Setting(media: "hls", seconds: 12, again: 3_000, items: "one, two, one, two"),
    Setting(media: "hls", seconds: 9, again: 12_000, items: "two, one, two"),
    Setting(
      media: "hls", seconds: 10, again: 13_000, items: "two, one, two",
      link: #"{ "bandwidth": "6 Mbit/s", "delay": "25 ms" }"#, fidelity: "tcp"),
    Setting(media: "hls", seconds: 6, again: 20_000, items: "one, two"),
  ]

  private func text(_ setting: Setting, script: String, expecting: String) -> String {
    let media =
      setting.media == "hls"
      ? #"""
      "hls": { "duration": "\#(setting.seconds) s", "segmentDuration": "3 s",
        "ladder": [ { "bitrate": "1 Mbit/s" } ] }
      """#
      : #""\#(setting.media)": { "duration": "\#(setting.seconds) s", "bitrate": "1 Mbit/s" }"#
    return """
      { "scenario": "a", "about": "b", "fidelity": "\(setting.fidelity)", "link": \(setting.link),
        "media": { \(media) },
        "items": [ { "name": "one" }, { "name": "two" } ], "queue": [ "one", "two" ],
        "script": [ { "at": "0 s", "do": "play" }, \(script) ],
        "expect": [ \(expecting) ] }
      """
  }

  @Test(arguments: Seeds.cases(of: settings))
  func `what was in the queue comes again as another item of the same media`(
    setting: Setting
  ) throws {
    let count = setting.items.split(separator: ",").count
    let text = text(
      setting, script: #"{ "at": "\#(setting.again) ms", "do": "setItem" }"#,
      expecting: """
        { "at": { "after": "setItem", "by": "1 ms" }, "items": "\(setting.items)" },
        { "at": { "after": "setItem", "by": "1 ms" }, "itemCount": \(count) },
        { "count": "refused", "is": 0 }, { "count": "didPlayToEndTime", "is": 4 },
        { "played": "\(4 * setting.seconds) s", "end": "finished" }
        """)
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    #expect(outcome.failures.isEmpty, "\(outcome.failures)")
    guard case .same = try replay(outcome.trace, file: "a.json") else {
      Issue.record("it diverged")
      return
    }
  }

  /// A name stands for all of it that is in the queue.
  @Test func `a name takes out the item that was and the one that came`() throws {
    let text = text(
      Self.settings[0],
      script: """
        { "at": "1 s", "do": "setItem" }, { "at": "2 s", "do": "remove", "item": "two" },
        { "at": "2500 ms", "do": "setItem", "name": "third" }
        """,
      expecting: """
        { "at": "2.2 s", "items": "one, one" },
        { "at": { "after": "third", "by": "1 ms" }, "items": "one, one, one, two" },
        { "count": "refused", "is": 0 }, { "played": "16 s", "end": "finished" }
        """)
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.failures.isEmpty, "\(outcome.failures)")
  }

  /// Played to 3 s, then another item of the same media from its start to its end.
  @Test func `an item that takes the place of the queue's has its access log`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "3 Mbit/s" },
        "media": { "progressive": { "duration": "10 s", "bitrate": "1 Mbit/s" } },
        "items": [ { "name": "one" } ], "queue": [ "one" ],
        "script": [ { "at": "0 s", "do": "play" }, { "at": "3 s", "do": "replaceCurrentItem" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.itemLogs.map { $0.logs.accessLog?.events.count } == [1, 1])
    #expect(outcome.itemLogs.last?.logs.accessLog?.events.first?.durationWatched == .seconds(10))
  }

  @Test func `copies keep their numbers, and how an item is played goes over to the next`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": {},
        "media": { "local": { "duration": "9 s", "bitrate": "1 Mbit/s" } },
        "items": [ { "name": "clip", "copies": 2 } ], "queue": [ "clip" ],
        "script": [ { "at": "0 s", "do": "play" },
          { "at": "1 s", "do": "setForwardPlaybackEndTime", "to": "5 s", "item": "clip" },
          { "at": "6 s", "do": "setItem" } ],
        "expect": [
          { "at": "4 s", "items": "clip-1, clip-2" },
          { "at": "6.5 s", "items": "clip-2, clip-1, clip-2" },
          { "count": "didPlayToEndTime", "is": 4 }, { "played": "20 s", "end": "finished" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.failures.isEmpty, "\(outcome.failures)")
  }
}
