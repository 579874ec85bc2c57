import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// What is booked where, worked out without the simulator: files and streams, in both fidelities.
@Suite(.enabled(if: Seeds.areMany, "a debug build leaves it to the release build"))
struct TalksFigureTests {
  static let fidelities = ["fluid", "tcp"]

  /// A film of 1 Mbit/s as a file, or as a stream whose playlists are there at once.
  private static func media(_ seconds: Int64, stream: Bool) -> String {
    stream
      ? #"""
      { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "\#(seconds) s",
        "segmentDuration": "4 s", "playlistBytes": "0 B" } }
      """# : #"{ "progressive": { "duration": "\#(seconds) s", "bitrate": "1 Mbit/s" } }"#
  }

  private static func milliseconds(_ span: TimeSpan?) -> Int64? {
    span.map { ($0.nanoseconds + 500_000) / 1_000_000 }
  }

  // MARK: Starts

  static let taps: [(delay: Int64, tap: Int64, app: Int64)] = [
    (10, 0, 50), (20, 100, 300), (30, 40, 10), (45, 0, 900), (60, 333, 250), (80, 20, 40),
    (100, 500, 100), (120, 90, 1_200), (150, 700, 700), (200, 1, 2_000),
  ]

  @Test(arguments: taps, fidelities)
  func `from the tap to motion are the app's delay and the start`(
    tap: (delay: Int64, tap: Int64, app: Int64), fidelity: String
  ) throws {
    for stream in [false, true] {
      let outcome = try Written.run(
        #"""
        "fidelity": "\#(fidelity)",
        "link": { "bandwidth": "8 Mbit/s", "delay": "\#(tap.delay) ms" },
        "media": \#(Self.media(24, stream: stream)),
        "script": [ { "at": "\#(tap.tap) ms", "do": "play", "appDelay": "\#(tap.app) ms" } ],
        "expect": [ { "outcome": "played" } ]
        """#)
      #expect(outcome.failures.isEmpty)
      let start = try #require(Self.milliseconds(outcome.player.startupDelay))
      let whole = try #require(Self.milliseconds(outcome.player.tapToMotion))
      #expect(whole == start + tap.app)
      // One round trip; of a stream two playlists and 4 Mbit at 8 Mbit/s.
      let there = stream ? 6 * tap.delay + 500 : 2 * tap.delay
      let asked = tap.tap + tap.app
      if fidelity == "fluid" {
        #expect(abs(start - max(0, there - asked)) <= 1)
      } else {
        // A handshake, and windows that grow; and a player believes in a link only after a while.
        let most = 8 * there + 16 * tap.delay + 300
        #expect(max(0, there + 2 * tap.delay - asked) <= start + 1)
        #expect(start <= max(0, most - asked))
      }
    }
  }

  static let slow: [(rate: Int64, seconds: Int64, delay: Int64)] = [
    (950, 12, 5), (900, 20, 10), (850, 16, 0), (800, 24, 20), (750, 8, 15), (700, 12, 0),
    (650, 16, 30), (600, 20, 25), (550, 24, 40), (500, 12, 50),
  ]

  @Test(arguments: slow, fidelities)
  func `later starts are booked for themselves, and each as long as the first`(
    link: (rate: Int64, seconds: Int64, delay: Int64), fidelity: String
  ) throws {
    for stream in [false, true] {
      let media = Self.media(link.seconds, stream: stream)
      let outcome = try Written.run(
        #"""
        "fidelity": "\#(fidelity)",
        "link": { "bandwidth": "\#(link.rate) kbit/s", "delay": "\#(link.delay) ms" },
        "media": \#(media), "assets": [ { "name": "b", "media": \#(media) },
          { "name": "c", "media": \#(media) } ],
        "items": [ { "name": "b", "asset": "b" }, { "name": "c", "asset": "c" } ],
        "script": [ { "at": "0 s", "do": "play" },
          { "on": "didPlayToEndTime", "do": "replaceCurrentItem", "item": "b", "name": "b" },
          { "at": { "after": "b" }, "do": "play", "name": "playB" },
          { "on": "didPlayToEndTime", "number": 2, "do": "replaceCurrentItem", "item": "c",
            "name": "c" },
          { "at": { "after": "c" }, "do": "play", "name": "playC" } ],
        "expect": [ { "outcome": "played", "startupCount": 3 } ]
        """#)
      #expect(outcome.failures.map { $0.actual } == [])
      let first = try #require(Self.milliseconds(outcome.player.startupDelay))
      let later = try #require(Self.milliseconds(outcome.player.books.laterStartups))
      if fidelity == "fluid" {
        #expect(outcome.player.books.stallCount == 0)
        let expected = Self.start(link, stream: stream)
        #expect(abs(first - expected) <= 2, "\(stream): \(first), \(expected)")
        #expect(abs(later - 2 * expected) <= 4, "\(stream): \(later)")
      } else {
        let least = Self.start(link, stream: stream)
        #expect(first >= least && later >= 2 * least - 2 * link.delay * 2)
        // Headers of packets, a second and a full queue as a margin, and windows that grow.
        let most = link.seconds * 1_300_000 / link.rate - link.seconds * 1_000 + 6_500
        #expect(first <= most && later <= 2 * most, "\(stream): \(first), \(later), \(most)")
      }
    }
  }

  /// When everything will just have come in time, in milliseconds from the first request on.
  private static func start(
    _ link: (rate: Int64, seconds: Int64, delay: Int64), stream: Bool
  ) -> Int64 {
    let whole = link.seconds * 1_000_000 / link.rate
    if !stream { return 2 * link.delay + whole - link.seconds * 1_000 }
    // Two playlists, then a round trip for each segment; the last has to be there when it is due.
    let segments = link.seconds / 4
    return 4 * link.delay + segments * 2 * link.delay + whole - (segments - 1) * 4_000
  }

  @Test(arguments: slow, fidelities)
  func `the start of an item is known as soon as it moves, and not before`(
    link: (rate: Int64, seconds: Int64, delay: Int64), fidelity: String
  ) throws {
    for stream in [false, true] {
      let media = Self.media(link.seconds, stream: stream)
      let outcome = try Written.run(
        #"""
        "fidelity": "\#(fidelity)",
        "link": { "bandwidth": "\#(link.rate) kbit/s", "delay": "\#(link.delay) ms" },
        "media": { "local": { "duration": "3 s", "bitrate": "1 Mbit/s" } },
        "assets": [ { "name": "b", "media": \#(media) } ],
        "items": [ { "name": "b", "asset": "b" } ],
        "script": [ { "at": "0 s", "do": "play" },
          { "on": "didPlayToEndTime", "do": "replaceCurrentItem", "item": "b" },
          { "at": { "after": "replaceCurrentItem", "by": "150 ms" }, "do": "play", "name": "b" } ],
        "expect": [ { "at": "2 s", "itemStartupDelay": "0 s" },
          { "at": { "after": "b" }, "itemStartupDelay": null },
          { "startupDelay": "0 s", "startupCount": 2 } ]
        """#)
      #expect(outcome.failures.map { $0.actual } == [])
      let later = try #require(Self.milliseconds(outcome.player.books.laterStartups))
      let expected = Self.start(link, stream: stream) - 150
      if fidelity == "fluid" {
        #expect(abs(later - max(0, expected)) <= 2, "\(stream): \(later), \(expected)")
      } else {
        #expect(later >= expected, "\(stream): \(later), \(expected)")
      }
    }
  }

  // MARK: Stalls

  @Test(arguments: [3, 4, 5, 6, 7, 9, 11, 13, 17, 20], fidelities)
  func `a stall that nothing can end is booked to the end of the run`(
    second: Int64, fidelity: String
  ) throws {
    for stream in [false, true] {
      for horizon in [nil, second * 60] {
        let limit = horizon.map { #""horizon": "\#($0) s", "# } ?? ""
        let outcome = try Written.run(
          #"""
          "fidelity": "\#(fidelity)", \#(limit)
          "link": { "bandwidth": "2 Mbit/s" }, "media": \#(Self.media(120, stream: stream)),
          "player": { "mediaTimeout": null },
          "script": [ { "at": "0 s", "do": "play" },
            { "at": "\#(second) s", "do": "changeLink", "to": { "bandwidth": "0 bit/s" } } ],
          "expect": [ { "stallCount": 1, "outcome": "stalled" },
            { "end": { "not": "finished" } } ]
          """#)
        #expect(outcome.failures.map { $0.actual } == [])
        let figures = outcome.player
        let ended = outcome.ended - Instant.zero
        #expect(figures.books.stalled + figures.books.played + figures.books.startup == ended)
        if fidelity == "fluid" {
          // A second of the link is two of the media; of a stream whole segments.
          let loaded = stream ? second / 2 * 4 : second * 2
          #expect(Self.milliseconds(figures.books.played) == loaded * 1_000)
        }
      }
    }
  }

  @Test(arguments: [5, 6, 7, 8, 9, 10, 12, 14, 18, 25], fidelities)
  func `what failed loads no more`(segment: Int64, fidelity: String) throws {
    // Of a stream the picture fails and the sound does not; of a file the second request.
    let stream = #"""
      "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "400 s",
        "segmentDuration": "4 s", "audio": [ { "name": "s", "bitrate": "64 kbit/s" } ] } },
      "faults": [ { "status": 404, "url": "video-0/segment\#(segment).m4s" } ]
      """#
    let file = #"""
      "media": \#(Self.media(400, stream: false)), "player": { "retry": { "attempts": 1 } },
      "faults": [ { "reset": { "after": "\#(segment * 100) kB" }, "requests": 1 },
        { "status": 500, "requests": [ 2, 99 ] } ]
      """#
    for media in [stream, file] {
      let outcome = try Written.run(
        #"""
        "fidelity": "\#(fidelity)", "link": { "bandwidth": "5 Mbit/s", "delay": "15 ms" },
        \#(media), "script": [ { "at": "0 s", "do": "play" } ],
        "expect": [ { "outcome": "failed" }, { "at": "end", "status": "failed", "rate": 0 } ]
        """#)
      #expect(outcome.failures.map { $0.actual } == [], "\(media)")
      let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
      let failed = try #require(
        lines.firstIndex { $0.contains(#""event":"itemStatus","status":"failed""#) })
      #expect(!lines[failed...].contains { $0.contains(#""event":"requestStart""#) })
      let played = media == file ? segment * 800 : segment * 4_000
      if fidelity == "fluid" { #expect(Self.milliseconds(outcome.player.books.played) == played) }
    }
  }

  // MARK: Settings while playing

  private static let ladder = #"""
    [ { "bitrate": "400 kbit/s", "resolution": "480x270" },
      { "bitrate": "1200 kbit/s", "resolution": "960x540" },
      { "bitrate": "3600 kbit/s", "resolution": "1920x1080" } ]
    """#

  private static func ladder(_ seconds: Int64) -> String {
    #"""
    { "hls": { "ladder": \#(ladder), "duration": "\#(seconds) s", "segmentDuration": "4 s",
      "audio": [ { "name": "e", "language": "en", "bitrate": "64 kbit/s" },
        { "name": "f", "language": "fr", "bitrate": "64 kbit/s" } ] } }
    """#
  }

  @Test(arguments: [21, 22, 25, 27, 30, 33, 34, 38, 41, 47], fidelities)
  func `a largest picture that is set while playing holds from the next segment on`(
    second: Int64, fidelity: String
  ) throws {
    for (size, rate) in [("960x540", "1200 kbit/s"), ("480x270", "400 kbit/s")] {
      let parts = #"""
        "fidelity": "\#(fidelity)", "link": { "bandwidth": "40 Mbit/s", "delay": "10 ms" },
        "media": \#(Self.ladder(160)), "player": { "preferredForwardBufferDuration": "12 s" },
        "script": [ { "at": "0 s", "do": "play" },
          { "at": "\#(second) s", "do": "setPreferredMaximumResolution", "to": "\#(size)" },
          { "at": "\#(second + 40) s", "do": "setPreferredMaximumResolution", "to": null,
            "name": "free" } ],
        "expect": [ { "at": "\#(second - 1) s", "variant": 2 },
          { "at": { "after": "setPreferredMaximumResolution", "by": "9 s" },
            "indicatedBitrate": { "between": [ "\#(rate)", "1400 kbit/s" ] } },
          { "at": { "after": "free", "by": "25 s" }, "variant": 2 },
          { "outcome": "played", "stallCount": 0 } ]
        """#
      #expect(try Written.failures(parts) == [], "\(size)")
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 9, 11, 13], fidelities)
  func `what is set of an item to come is that item's alone`(
    second: Int64, fidelity: String
  ) throws {
    let outcome = try Written.run(
      #"""
      "fidelity": "\#(fidelity)", "link": { "bandwidth": "30 Mbit/s", "delay": "10 ms" },
      "media": \#(Self.ladder(40)), "assets": [ { "name": "n", "media": \#(Self.ladder(40)) } ],
      "items": [ { "name": "a" }, { "name": "b", "asset": "n" } ], "queue": [ "a", "b" ],
      "player": { "preferredForwardBufferDuration": "8 s" },
      "script": [ { "at": "0 s", "do": "play" },
        { "at": "\#(second) s", "do": "setPreferredPeakBitRate", "to": "1500 kbit/s", "item": "b" },
        { "at": "\#(second) s", "do": "setPreferredMaximumResolution", "to": "480x270", "item": "b",
          "name": "small" },
        { "at": "\#(second) s", "do": "selectAudio", "to": "fr", "item": "b", "name": "french" } ],
      "expect": [ { "at": "30 s", "currentItem": "a", "variant": 2 },
        { "at": "60 s", "currentItem": "b", "variant": 0 },
        { "outcome": "played", "stallCount": 0, "played": { "about": "80 s", "within": "1 ms" } },
        { "count": "mediaSelection", "is": 0 } ]
      """#)
    #expect(outcome.failures.map { $0.actual } == [])
  }
}
