import ScenarioFormat
import ScenarioRunner
import Recording
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// What is fetched and not played: probes, and segments that a player throws away.
@Suite struct ThrownAwayTests {
  /// A link, its delay, the lengths of segments and what the probe may take, in kbit/s and
  /// milliseconds.
  static let settings: [(link: Int64, delay: Int64, segment: Int64, within: Int64)] = [
    (3_000, 50, 4_000, 4_000), (500, 20, 4_000, 4_000), (900, 5, 2_000, 4_000),
    (2_000, 100, 6_000, 4_000), (2_900, 1, 4_000, 10_000), (3_500, 30, 3_000, 2_000),
    (20_000, 200, 4_000, 4_000), (1_250, 0, 5_000, 60_000), (7_777, 77, 10_000, 4_000),
    (430, 400, 4_000, 1_000), (1_700, 10, 1_000, 4_000), (6_100, 2, 8_000, 6_000),
  ]

  private static let rungs: [Int64] = [1_600, 400, 6_000, 800, 2_800]

  private func probed(
    _ setting: (link: Int64, delay: Int64, segment: Int64, within: Int64), _ fidelity: String
  ) throws -> RunOutcome {
    let ladder = Self.rungs.map { "{ \"bitrate\": \"\($0) kbit/s\" }" }.joined(separator: ", ")
    return try Written.run(
      """
      "fidelity": "\(fidelity)",
      "link": { "bandwidth": "\(setting.link) kbit/s", "delay": "\(setting.delay) ms" },
      "media": { "hls": { "ladder": [ \(ladder) ], "duration": "\(setting.segment * 4) ms",
        "segmentDuration": "\(setting.segment) ms" } },
      "player": { "policy": { "firstVariant": { "probe": "\(setting.within) ms" },
        "nextVariant": "fixed", "abandon": "never",
        "start": { "segments": 1 }, "resume": { "segments": 1 } } },
      "script": [ { "at": "0 s", "do": "play" } ]
      """)
  }

  private func segments(_ outcome: RunOutcome) -> [Int64] {
    String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard line.contains(#""event":"requestStart""#), line.contains(#""mediaSegment""#),
        let range = line.firstRange(of: #""size":"#)
      else { return nil }
      return Int64(line[range.upperBound...].prefix { $0.isNumber })
    }
  }

  /// With *r* the link's rate, *d* its delay and *s* a segment's length the probe takes 2 *d* and
  /// *s* times the lowest over *r*; what is left of the least of *s* and the limit has to do.
  @Test(arguments: Seeds.cases(of: settings))
  func `a probe is thrown away, and what comes in time after it is played`(
    setting: (link: Int64, delay: Int64, segment: Int64, within: Int64)
  ) throws {
    let outcome = try probed(setting, "fluid")
    let took = Double(2 * setting.delay) + Double(setting.segment * 400) / Double(setting.link)
    let left = Double(min(setting.within, setting.segment)) - took
    let fits = Self.rungs.sorted().last {
      // A link of 3 Mbit/s is measured as a bit less.
      Double($0) < Double(setting.link) - 0.1
        && Double(setting.segment * $0) / Double(setting.link) <= left
    }
    let expected = (fits ?? 400) * setting.segment / 8
    let sizes = segments(outcome)
    #expect(sizes.first == 400 * setting.segment / 8)
    #expect(sizes.dropFirst().allSatisfy { $0 == expected }, "\(sizes)")
    #expect(sizes.count == 5)
    #expect(outcome.player.media.bytesDiscarded == sizes.first)
    #expect(outcome.player.media.variantSwitches == 0)
  }

  @Test func `over packets a probe takes its bytes and changes what comes after it alone`() throws {
    for setting in Seeds.areMany ? Self.settings : [Self.settings[0]] {
      let outcome = try probed(setting, "tcp")
      let sizes = segments(outcome)
      #expect(sizes.count == 5 && sizes[0] == 400 * setting.segment / 8)
      #expect(Set(sizes.dropFirst()).count == 1)
      #expect(outcome.player.media.bytesDiscarded == sizes[0])
    }
  }

  @Test func `where there is one variant nothing is probed`() throws {
    let outcome = try Written.run(
      """
      "link": { "bandwidth": "2 Mbit/s" },
      "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "8 s",
        "segmentDuration": "2 s" } },
      "player": { "policy": { "firstVariant": { "probe": "4 s" } } },
      "script": [ { "at": "0 s", "do": "play" } ]
      """)
    #expect(segments(outcome).count == 4)
    #expect(outcome.player.media.bytesDiscarded == 0)
  }

  // MARK: Seeks

  /// At 8 Mbit/s a segment of 2 s at 1 Mbit/s takes a quarter of a second; 20 s are held ahead.
  @Test(arguments: Seeds.cases(of: [5, 7, 9, 11, 14, 17, 21, 26, 33, 40] as [Int64]))
  func `a seek out of the buffer throws away what was not played`(second: Int64) throws {
    let outcome = try Written.run(
      """
      "link": { "bandwidth": "8 Mbit/s" },
      "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "200 s",
        "segmentDuration": "2 s", "playlistBytes": "0 B" } },
      "player": { "policy": { "start": { "segments": 1 }, "resume": { "segments": 1 },
        "streamFetch": { "media": "20 s" } } },
      "script": [ { "at": "0 s", "do": "play" },
        { "at": "\(second).1 s", "do": "seek", "to": "150 s" } ]
      """)
    // Played at 0.25 s: at a whole second and a tenth the playhead is in the middle of a segment.
    let playhead = Double(second) - 0.15
    let begun = (playhead / 2).rounded(.up)
    let wanted = outcome.player.media.bytesDiscarded / 250_000
    // Twenty seconds ahead, or as much as has come.
    let there = min(Double(second) * 4, ((playhead + 20) / 2).rounded(.up))
    #expect(outcome.player.media.bytesDiscarded % 250_000 == 0)
    #expect(abs(Double(wanted) - (there - begun)) <= 1, "\(wanted), \(there) - \(begun)")
    #expect(outcome.player.bytesWasted >= outcome.player.media.bytesDiscarded)
  }

  @Test func `media of a local file is no transfer that could be wasted`() throws {
    let outcome = try Written.run(
      """
      "link": { "bandwidth": "8 Mbit/s" }, "horizon": "5 s",
      "media": { "local": { "duration": "60 s", "bitrate": "2 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" } ]
      """)
    #expect(outcome.player.bytesWasted == 0 && outcome.player.media.bytes == 0)
  }

  /// The looper's copies play 1 s to 4 s; the item behind them asks for the rest of their file.
  @Test(arguments: ["200 kbit/s", "300 kbit/s", "450 kbit/s", "700 kbit/s"])
  func `an item whose media another one brought has no startup time`(bandwidth: String) throws {
    let outcome = try Written.run(
      """
      "link": { "bandwidth": "\(bandwidth)" }, "horizon": "40 s",
      "media": { "progressive": { "duration": "8 s", "bitrate": "1 Mbit/s" } },
      "items": [ { "name": "film" } ], "queue": [ "film" ],
      "looping": { "way": "looper", "timeRange": ["1 s", "4 s"] },
      "script": [ { "at": "0 s", "do": "play" } ]
      """)
    let events = outcome.itemLogs.flatMap { $0.logs.accessLog?.events ?? [] }
    let times = events.compactMap { $0.startupTime }
    #expect(times.count == 2 && times[0] > .seconds(1) && times[1] == .zero, "\(times)")
  }

  @Test func `what is replaced by a better variant was fetched for nothing`() throws {
    let text = """
      "link": { "bandwidth": "1 Mbit/s" },
      "media": { "hls": { "ladder": [ { "bitrate": "400 kbit/s" }, { "bitrate": "3 Mbit/s" } ],
        "duration": "60 s", "segmentDuration": "4 s" } },
      "player": { "policy": { "like": "BOLA-E",
        "choice": { "at": "request", "again": "soonest" } } },
      "script": [ { "at": "0 s", "do": "play" },
        { "at": "12 s", "do": "changeLink", "to": { "bandwidth": "40 Mbit/s" } } ]
      """
    let outcome = try Written.run(text)
    let sizes = segments(outcome)
    // Fifteen segments are played, each of them once; what else came was for nothing.
    let played =
      outcome.player.media.bytes - outcome.player.media.bytesDiscarded
      - outcome.player.media.bytesAbandoned
    #expect(sizes.count > 15)
    #expect(outcome.player.media.bytesDiscarded > 0)
    #expect(outcome.player.media.bytesDiscarded % 200_000 == 0)
    #expect(played < 15 * 1_500_000 + 10_000)
  }

  /// Loaded media stays, and is played after a seek back.
  @Test(arguments: Seeds.pairs(of: [5, 9, 14] as [Int64], and: ["200 s", "205 s"]))
  func `a seek to the end throws nothing away`(second: Int64, target: String) throws {
    let outcome = try Written.run(
      """
      "link": { "bandwidth": "8 Mbit/s" }, "horizon": "60 s",
      "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "200 s",
        "segmentDuration": "2 s", "playlistBytes": "0 B" } },
      "player": { "policy": { "start": { "segments": 1 }, "resume": { "segments": 1 },
        "streamFetch": { "media": "20 s" } } },
      "script": [ { "at": "0 s", "do": "play" },
        { "at": "\(second).1 s", "do": "seek", "to": "\(target)" } ]
      """)
    #expect(outcome.player.media.bytesDiscarded == 0)
  }

  /// English is a playlist and three segments; of French nothing lies behind the end, and the last
  /// segment is needed after a seek.
  @Test func `a language that is selected at the end asks for nothing until a seek`() throws {
    let outcome = try Written.run(
      #"""
      "link": { "bandwidth": "9 Mbit/s" }, "horizon": "40 s",
      "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "12 s",
        "segmentDuration": "4 s", "audio": [
          { "name": "English", "language": "en", "bitrate": "128 kbit/s" },
          { "name": "Français", "language": "fr", "bitrate": "128 kbit/s" } ] } },
      "script": [ { "at": "0 s", "do": "play" },
        { "at": "20 s", "do": "selectAudio", "to": "fr", "name": "late" },
        { "at": "25 s", "do": "seek", "to": "9 s" }, { "at": "26 s", "do": "play" } ],
      "expect": [ { "count": "requestStart track=audio", "is": 6 }, { "played": "15 s" },
        { "outcome": "played", "stallCount": 0, "bytesDiscarded": "0 B" } ]
      """#)
    #expect(outcome.failures.map { $0.actual } == [])
    let trace = String(decoding: outcome.trace, as: UTF8.self)
    #expect(!trace.contains(#/{"t":2[0-4][^\n]*requestStart/#))
  }

  // MARK: Limits

  /// A limit of a file is a tenth of a second and 16 KiB at least: 1 Mbit/s are 125 bytes a
  /// millisecond.
  @Test(
    arguments: [
      (#""preferredForwardBufferDuration": "1 ms""#, 100_000_000),
      (#""preferredForwardBufferDuration": "100 ms""#, 100_000_000),
      (#""preferredForwardBufferDuration": "101 ms""#, 101_000_000),
      (#""policy": { "like": "avfoundation", "fileFetch": { "bytes": "1 B" } }"#, 131_072_000),
      (#""policy": { "like": "avfoundation", "fileFetch": { "bytes": "16384 B" } }"#, 131_072_000),
      (#""policy": { "like": "avfoundation", "fileFetch": { "bytes": "16385 B" } }"#, 131_080_000),
    ] as [(String, Int64)])
  func `however low a limit, a tenth of a second or 16 KiB are loaded`(
    player: String, nanoseconds: Int64
  ) throws {
    let outcome = try Written.run(
      """
      "link": { "bandwidth": "8 Mbit/s" }, "horizon": "5 s",
      "media": { "progressive": { "duration": "40 s", "bitrate": "1 Mbit/s" } },
      "player": { \(player) }, "script": [ { "at": "0 s", "do": "loadValues" } ]
      """)
    let loaded = outcome.panels.last?.loadedTimeRanges
    #expect(loaded == [.zero..<MediaTime(nanoseconds: nanoseconds)])
  }
}
