import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Segments that are held back until bytes of the next one have arrived.
@Suite struct LookaheadTests {
  private typealias Link = (rate: Int64, delay: Int64)

  private static func written(
    _ media: String, player: String, link: Link, fidelity: String = "fluid", more: String = ""
  ) -> String {
    """
    { "scenario": "a", "about": "b", "fidelity": "\(fidelity)", \(more)
      "link": { "bandwidth": "\(link.rate) kbit/s", "delay": "\(link.delay) ms" },
      "media": { "hls": { \(media) } }, "player": \(player),
      "script": [ { "at": "0 s", "do": "play" } ] }
    """
  }

  /// The startup delay, in nanoseconds.
  private static func startup(_ text: String) throws -> Int64 {
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    return try #require(outcome.player.startupDelay, "\(text)").nanoseconds
  }

  /// A player that starts with one segment of its only variant.
  private static func player(_ fetch: String) -> String {
    """
    { "policy": { "start": { "segments": 1 }, "nextVariant": "fixed", "abandon": "never"\(fetch) } }
    """
  }

  private static func fetch(_ bytes: Int64, isOnce: Bool, sideBySide: Int64 = 1) -> String {
    let once = isOnce ? ", \"looksAheadOnce\": true" : ""
    let beside = sideBySide > 1 ? ", \"sideBySide\": \(sideBySide)" : ""
    return ", \"streamFetch\": { \"lookahead\": \"\(bytes) B\"\(once)\(beside) }"
  }

  private static func stream(_ segments: Int64, bytes: Int64, hasAudio: Bool = false) -> String {
    let sizes = (0..<segments).map { _ in "\"\(bytes) B\"" }.joined(separator: ", ")
    let audio = hasAudio ? "{ \"name\": \"a\", \"bitrate\": \"64 kbit/s\" }" : ""
    return """
      "ladder": [ { "bitrate": "1 Mbit/s", "segmentBytes": [ \(sizes) ] } ],
      "audio": [ \(audio) ], "duration": "\(segments * 2) s", "segmentDuration": "2 s"
      """
  }

  /// The bandwidth in kbit/s, bytes of a segment, bytes ahead, and the delay in ms.
  private static let sizes: [(rate: Int64, bytes: Int64, ahead: Int64, delay: Int64)] = [
    (1_000, 50_000, 120_000, 20), (1_000, 119_999, 120_000, 20), (1_000, 120_000, 120_000, 5),
    (1_000, 120_001, 120_000, 20), (500, 12_500, 100_000, 40), (2_500, 3_000, 7_000, 1),
    (4_000, 200_000, 1_000_000, 100), (300, 25_000, 26_000, 10), (9_000, 99_000, 250_000, 3),
    (20_000, 60_000, 59_999, 50), (1_600, 1_000, 120_000, 20), (700, 250_000, 1, 30),
  ]

  /// The next request takes a round trip, and then the bytes ahead or all that it brings.
  @Test(arguments: Seeds.cases(of: sizes), [1, 2] as [Int64])
  func `a small segment counts once the next one is whole`(
    size: (rate: Int64, bytes: Int64, ahead: Int64, delay: Int64), sideBySide: Int64
  ) throws {
    let link = (size.rate, size.delay)
    for segments in [1, 2, 40] as [Int64] {
      let media = Self.stream(segments, bytes: size.bytes)
      let brought = size.bytes * min(sideBySide, segments - 1)
      let cost = min(size.ahead, brought) * 8_000_000 / size.rate + size.delay * 2_000_000
      for fidelity in Seeds.fidelities(whereSmall: size.bytes < 20_000) {
        func startup(_ fetch: String) throws -> Int64 {
          try Self.startup(
            Self.written(media, player: Self.player(fetch), link: link, fidelity: fidelity))
        }
        let plain = try startup("")
        for isOnce in [false, true] {
          let held = try startup(Self.fetch(size.ahead, isOnce: isOnce, sideBySide: sideBySide))
          if fidelity == "fluid" || segments == 1 {
            #expect(abs(held - plain - (segments == 1 ? 0 : cost)) <= 2, "\(isOnce) \(segments)")
          } else {
            // Over packets headers take 3 % at least, and the window opens by round trips.
            let rounds = 16 * size.delay * 2_000_000
            #expect(held > plain && held - plain < cost * 6 / 5 + rounds, "\(isOnce) \(segments)")
          }
        }
      }
    }
  }

  @Test(arguments: Seeds.cases(of: sizes))
  func `with separate audio one look ahead at small segments is as long as each later one`(
    rate: Int64, bytes: Int64, ahead: Int64, delay: Int64
  ) throws {
    let media = Self.stream(40, bytes: bytes, hasAudio: true)
    for fidelity in Seeds.fidelities(whereSmall: bytes < 20_000) {
      let startups = try [true, false].map {
        let player = Self.player(Self.fetch(ahead, isOnce: $0))
        return try Self.startup(
          Self.written(media, player: player, link: (rate, delay), fidelity: fidelity))
      }
      #expect(startups[0] == startups[1], "\(fidelity)")
    }
  }

  /// The bit rate and the bandwidth in kbit/s, and the media in ms that exists at first. With
  /// segments of 4 s and parts of 1 s the first request brings a segment or a part, and the next
  /// part is whole after a round trip and its bytes. Behind the newest segment there is none yet:
  /// it is published at 1 s, and takes half a round trip.
  @Test(
    arguments: Seeds.cases(
      of: [
        (150, 4_000, 60_000), (300, 4_000, 60_000), (800, 20_000, 60_000), (300, 8_000, 61_000),
        (150, 3_000, 62_000), (500, 9_000, 63_000), (700, 15_000, 30_000), (64, 2_000, 31_000),
        (900, 30_000, 42_000), (200, 5_000, 27_000),
      ] as [(Int64, Int64, Int64)]))
  func `at a live edge a part counts once the next one is whole`(
    bitRate: Int64, rate: Int64, exists: Int64
  ) throws {
    let media = """
      "ladder": [ { "bitrate": "\(bitRate) kbit/s" } ], "audio": [], "duration": "2 min",
      "segmentDuration": "4 s",
      "live": { "startsWith": "\(exists) ms", "parts": { "duration": "1 s" } }
      """
    let more = "\"horizon\": \"20 s\","
    for fidelity in Seeds.fidelities(whereSmall: bitRate < 200) {
      func startup(_ player: String) throws -> Int64 {
        try Self.startup(
          Self.written(media, player: player, link: (rate, 20), fidelity: fidelity, more: more))
      }
      let plain = try startup(Self.player(""))
      for isOnce in [false, true] {
        let held = try startup(Self.player(Self.fetch(120_000, isOnce: isOnce)))
        let bytes = bitRate * 1_000_000_000 / rate
        let expected = bytes + (exists % 4_000 == 0 ? 1_020_000_000 : plain + 40_000_000)
        // A playlist that ends with the part shares the link with it.
        if fidelity == "fluid" { #expect(abs(held - expected) < 5_000_000, "\(isOnce)") }
        #expect(held > plain && held < expected + 200_000_000)
      }
      for preset in ["mpv 0.35", "mpv 0.35 cache-pause-initial"] {
        #expect(try startup("{ \"policy\": \"\(preset)\" }") < 6_000_000_000)
      }
    }
  }

  /// Segments of 2 s in kbit/s, at 1 Mbit/s: two are requested together, of which 120 kB count.
  @Test(
    arguments: Seeds.cases(of: [20, 64, 100, 128, 150, 200, 220, 239, 240, 300, 400, 450]))
  func `mpv starts with its first segment and what it looks at of the next`(
    bitRate: Int64
  ) throws {
    func startup(_ bitRate: Int64) throws -> Int64 {
      let media = """
        "duration": "2 min", "segmentDuration": "2 s", "audio": [],
        "ladder": [ { "bitrate": "\(bitRate) kbit/s" } ]
        """
      let player = "{ \"policy\": \"mpv 0.35\" }"
      return try Self.startup(Self.written(media, player: player, link: (1_000, 20)))
    }
    func brought(_ bitRate: Int64) -> Int64 { bitRate * 250 + min(120_000, bitRate * 500) }
    let later = try startup(bitRate) - startup(241)
    #expect(abs(later - (brought(bitRate) - brought(241)) * 8_000) < 1_000_000)
  }

  @Test func `a held segment is not loaded, whatever is asked`() throws {
    let failures = try Written.failures(
      #"""
      "link": { "bandwidth": "2 Mbit/s" }, "media": { "hls": { "duration": "24 s",
        "segmentDuration": "4 s", "ladder": [ { "bitrate": "1 Mbit/s" } ], "playlistBytes": "0 B",
        "audio": [] } },
      "player": { "policy": { "streamFetch": { "lookahead": "200 KB" } } },
      "script": [ { "at": "20 s", "do": "play" } ],
      "expect": [
        { "at": "2.5 s", "loadedTimeRanges": [], "loadedEnd": "0 s", "bufferAhead": "0 s" },
        { "at": "4.5 s", "loadedTimeRanges": [["0 s", "4 s"]], "loadedEnd": "4 s",
          "bufferAhead": "4 s" },
        { "at": "5.5 s", "loadedTimeRanges": [["0 s", "8 s"]], "loadedEnd": "8 s" },
        { "at": "13 s", "loadedTimeRanges": [["0 s", "24 s"]], "loadedEnd": "24 s" } ]
      """#)
    #expect(failures == [])
  }

  /// A made-up scenario with segments that are held back.
  private static func held(_ seed: UInt64, isPacketed: Bool) -> String {
    var draw = Draw(seed: seed, part: "lookahead")
    let (length, rate) = (draw.within(1...6), draw.within(300...6_000))
    let bitRate = rate * draw.within(20...130) / 100
    let hasAudio = draw.chance(30)
    let audio = hasAudio ? "{ \"name\": \"a\", \"bitrate\": \"64 kbit/s\" }" : ""
    let fetch = Self.fetch(
      Int64(draw.magnitude(1...1_000_000)), isOnce: draw.chance(30),
      sideBySide: draw.chance(20) ? 2 : 1)
    let own = "{ \(fetch.dropFirst(2)) }"
    let preset = draw.one(of: ["VLC 3.0", "VLC 3.0 predictive", "mpv 0.35"])
    let policy = hasAudio || draw.chance(60) ? own : "\"\(preset)\""
    let live = draw.chance(20) ? ", \"live\": { \"startsWith\": \"\(length * 5) s\" }" : ""
    let moves = [
      #""do": "seek", "to": "3 s""#, #""do": "seek", "to": "31 s""#, #""do": "pause""#,
      #""do": "setRate", "rate": 2"#,
    ]
    let move = "{ \"at\": \"\(draw.within(3...15)) s\", \(draw.one(of: moves)) }"
    return """
      "fidelity": "\(isPacketed ? "tcp" : "fluid")", "horizon": "30 s",
      "link": { "bandwidth": "\(rate) kbit/s", "delay": "\(draw.within(0...90)) ms" },
      "media": { "hls": { "ladder": [ { "bitrate": "\(bitRate) kbit/s" } ],
        "audio": [ \(audio) ], "duration": "48 s", "segmentDuration": "\(length) s"\(live) } },
      "player": { "policy": \(policy) },
      "script": [ { "at": "\(draw.below(3)) s", "do": "play" }, \(move) ]
      """
  }

  @Test(arguments: Seeds.first(4, inRelease: 60))
  func `run, report and buffer agree on segments that are held back`(seed: UInt64) throws {
    let parts = Self.held(seed, isPacketed: Seeds.areMany && seed % 4 == 3)
    var options = RunOptions()
    options.moments = (1..<90).map { .zero + .milliseconds($0 * 331) }
    let outcome = try run(Written.read(parts), options: options)
    #expect(outcome.faults == [])
    let reported = try report(on: outcome.trace, file: "a.trace", moments: options.moments).outcome
    #expect(reported.levels == outcome.levels)
    for (told, own) in zip(reported.chosenPanels, outcome.chosenPanels) {
      #expect(told.loadedTimeRanges == own.loadedTimeRanges, "\(own.instant): \(parts)")
    }
    for panel in outcome.panels {
      let levels = outcome.levels.filter { $0.instant == panel.instant }
      guard let level = levels.last else { continue }
      let end = panel.loadedTimeRanges.end(from: panel.currentTime)
      #expect(max(.zero, end - panel.currentTime) == level.media, "\(panel.instant): \(parts)")
    }
  }
}
