import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// A stall that nothing will end is booked to the end of the run, which is its horizon.
@Suite struct EndlessStallTests {
  /// A link, the media's bit rate, when the link goes for good, and how long the run may last.
  static let settings: [(link: Int64, media: Int64, goes: Int64, horizon: Int64)] = [
    (3_000, 1_000, 5_000, 3_600_000), (1_700, 1_100, 4_100, 60_000), (2_000, 500, 3_333, 90_000),
    (8_000, 4_000, 2_750, 45_000), (640, 320, 9_000, 100_000), (5_000, 4_500, 6_200, 31_000),
    (2_400, 800, 7_070, 600_000), (12_000, 6_000, 1_900, 20_000), (900, 450, 11_000, 77_000),
    (4_321, 1_234, 2_222, 33_333),
  ]

  @Test(arguments: Seeds.cases(of: settings))
  func `it lasts to the horizon, for a file as for a stream, over bytes as over packets`(
    link: Int64, media: Int64, goes: Int64, horizon: Int64
  ) throws {
    for fidelity in Seeds.fidelities(whereSmall: link * goes < 10_000_000) {
      for isStream in [false, true] {
        let kind =
          isStream
          ? #"{ "hls": { "ladder": [ { "bitrate": "\#(media) kbit/s" } ], "duration": "600 s", "#
            + #""segmentDuration": "1 s", "playlistBytes": "0 B" } }"#
          : #"{ "progressive": { "duration": "600 s", "bitrate": "\#(media) kbit/s" } }"#
        let outcome = try Written.run(
          #"""
          "fidelity": "\#(fidelity)", "horizon": "\#(horizon) ms",
          "link": { "bandwidth": "\#(link) kbit/s", "delay": "20 ms" }, "media": \#(kind),
          "player": { "heuristic": "thresholds 500 ms/500 ms", "mediaTimeout": null },
          "script": [ { "at": "0 s", "do": "play" }, { "at": "\#(goes) ms", "do": "changeLink",
            "to": { "bandwidth": "0 bit/s" } } ],
          "expect": [ { "outcome": "stalled", "stallCount": 1 } ]
          """#)
        let player = outcome.player
        let label = "\(fidelity), \(isStream)"
        #expect(outcome.failures.isEmpty && outcome.faults == [], "\(label)")
        // Every moment is played, waited for, or stalled.
        let startup = try #require(player.startupDelay)
        let rest = TimeSpan.milliseconds(horizon) - startup - player.books.played
        #expect(player.books.stalled == rest && rest > .zero, "\(label)")
        if fidelity == "fluid" && !isStream {
          // A round trip, and then every byte that the link brings until it goes.
          let milliseconds = (goes - 40) * link / media
          let off = player.books.played - .milliseconds(milliseconds)
          #expect(abs(off.nanoseconds) < 2_000_000, "\(player.books.played)")
        }
      }
    }
  }

  // What is said of the end does not depend on who looks on, or on how long the rest takes to come.
  @Test(arguments: Seeds.cases(of: settings))
  func `a stall that pauses the player lasts as long, unless the app pauses it`(
    link: Int64, media: Int64, goes: Int64, horizon: Int64
  ) throws {
    let plays = goes * 3 / 5
    for fidelity in Seeds.fidelities(whereSmall: link * goes < 10_000_000) {
      for isStream in [false, true] {
        let kind =
          isStream
          ? #"{ "hls": { "ladder": [ { "bitrate": "\#(media) kbit/s" } ], "duration": "600 s", "#
            + #""segmentDuration": "1 s", "playlistBytes": "0 B" } }"#
          : #"{ "progressive": { "duration": "600 s", "bitrate": "\#(media) kbit/s" } }"#
        let parts = #"""
          "fidelity": "\#(fidelity)", "horizon": "\#(horizon) ms", "media": \#(kind),
          "link": { "bandwidth": "\#(link) kbit/s", "delay": "20 ms" },
          "player": { "automaticallyWaitsToMinimizeStalling": false, "mediaTimeout": null }
          """#
        let script = #"""
          { "at": "\#(plays) ms", "do": "play" },
          { "at": "\#(goes) ms", "do": "changeLink", "to": { "bandwidth": "0 bit/s" } }
          """#
        let stalled = try Written.run(
          #"\#(parts), "script": [ \#(script) ], "expect": [ { "outcome": "stalled" } ]"#)
        let label = "\(fidelity), \(isStream)"
        #expect(stalled.failures.isEmpty && stalled.faults == [], "\(label)")
        let player = stalled.player
        let startup = try #require(player.startupDelay)
        let rest = TimeSpan.milliseconds(horizon - plays) - startup - player.books.played
        #expect(
          player.books.stallCount == 1 && player.books.stalled == rest,
          "\(label): \(player.books.stalled)")
        #expect(stalled.ended == .zero + .milliseconds(horizon), "\(label)")
        #expect(stalled.end != .finished, "\(label)")
        let given = try Written.run(
          #"\#(parts), "script": [ \#(script), { "on": "stall", "do": "pause" } ], "#
            + #""expect": [ { "outcome": "played", "stalled": "0 s" } ]"#)
        #expect(given.failures.isEmpty && given.faults == [], "\(label)")
        #expect(given.player.books.played == player.books.played, "\(label)")
      }
    }
  }
}
