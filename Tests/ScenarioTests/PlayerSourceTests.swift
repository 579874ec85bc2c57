import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Players as their sources have them, held against what was worked out without the simulator.
@Suite struct PlayerSourceTests {
  private struct Result {
    /// All in milliseconds.
    var startup: Double
    var stalls: [(start: Double, end: Double)]
    var stalled: Double
  }

  private func played(_ player: String, _ link: String, _ media: String) throws -> Result {
    let text = """
      { "scenario": "a", "about": "b", "link": { \(link) }, "media": { \(media) },
        "player": { "policy": "\(player)" }, "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    func milliseconds(_ span: TimeSpan) -> Double { Double(span.nanoseconds) / 1e6 }
    let books = outcome.player.books
    return Result(
      startup: milliseconds(try #require(outcome.player.startupDelay)),
      stalls: books.stalls.map {
        (milliseconds($0.start - .zero), milliseconds(($0.end ?? .distantFuture) - .zero))
      },
      stalled: milliseconds(books.stalled))
  }

  /// A stream of segments whose tracks come interleaved, over a link of so many kbit/s.
  @Test(
    arguments: Seeds.cases(
      of: [
        (1_000, 1_000, 6), (1_000, 1_500, 6), (2_000, 1_500, 4), (500, 600, 10), (3_000, 4_000, 6),
      ] as [(Int, Int, Int)], few: 2))
  func `ExoPlayer starts with part of a segment where its tracks are interleaved`(
    media: Int, link: Int, length: Int
  ) throws {
    for (player, mark) in [("Media3 1.6", 1_000), ("ExoPlayer 1.5", 2_500)] {
      let result = try played(
        player, #""bandwidth": "\#(link) kbit/s""#,
        """
        "hls": { "ladder": [ { "bitrate": "\(media) kbit/s" } ],
          "segmentDuration": "\(length) s", "duration": "60 s", "playlistBytes": "0 B",
          "interleaved": true }
        """)
      #expect(abs(result.startup - Double(mark * media / link)) <= 2, "\(player): \(result)")
    }
  }

  /// A file of 1 Mbit/s at four times that, with an outage from 30 s on. From 16.583 s on 50 s are
  /// ahead, or from half a second less to 50 s; with all of 50 s and none of it the file goes on.
  @Test(
    arguments: Seeds.cases(
      of: [
        ("Media3 1.6", 45, 0, 0), ("ExoPlayer 1.5", 49, 0, 0),
        // Dry between 79.5 s and 80 s, and 2 s come in half a second.
        ("Media3 1.6", 60, 10_500, 11_000), ("ExoPlayer 1.5", 60, 11_250, 11_750),
        // Dry at 66.583 s, and 1 s comes in a quarter of one.
        ("Media3 1.9 local", 45, 8_666, 8_668), ("Media3 1.9 local", 36, 0, 0),
      ] as [(String, Int, Double, Double)], few: 3))
  func `ExoPlayer keeps its buffer of a file full, and of a local one lets it run down`(
    player: String, outage: Int, least: Double, most: Double
  ) throws {
    let result = try played(
      player, #""bandwidth": "4 Mbit/s", "outages": [ { "from": "30 s", "for": "\#(outage) s" } ]"#,
      #""progressive": { "duration": "180 s", "bitrate": "1 Mbit/s" }"#)
    #expect(result.stalled >= least && result.stalled <= most, "\(result)")
  }

  /// With D s of L kB in all, a tenth to spare, and R kB/s it starts when 1.1 · (L − R · t) ÷ R is
  /// no more than D, whichever second has how many bytes.
  @Test(
    arguments: Seeds.cases(
      of: [
        (Array(repeating: 200, count: 5) + Array(repeating: 65, count: 10), 800),
        (Array(repeating: 200, count: 5) + Array(repeating: 65, count: 10), 1_000),
        (Array(repeating: 65, count: 10) + Array(repeating: 200, count: 5), 600),
        ([250, 30, 60, 150, 90, 250, 60, 30, 150, 250], 900),
      ] as [([Int], Int)], few: 2))
  func `Kodi 20 predicts by totals`(sizes: [Int], link: Int) throws {
    let text = sizes.map { "\"\($0) KB\"" }.joined(separator: ", ")
    let result = try played(
      "Kodi 20", #""bandwidth": "\#(link) kbit/s""#,
      #""progressive": { "duration": "\#(sizes.count) s", "sizesPerSecond": [ \#(text) ] }"#)
    let (size, rate) = (Double(sizes.reduce(0, +)), Double(link) / 8)
    let start = max(0, (1.1 * size / rate - Double(sizes.count)) / 1.1)
    // It hears of the mean every 10 ms.
    #expect(abs(result.startup - start * 1_000) <= 21, "\(result)")
  }

  // MARK: ijkplayer

  private static let marks = [100, 991, 1_981, 3_961, 4_951]

  /// The start and the waits of a file of 1 Mbit/s, a millisecond at a time: every look that finds
  /// the mark raises it, whether media moves or not.
  private func reckoned(
    _ first: (rate: Int, until: Int), then rate: Int, seconds: Int
  ) -> (start: Int, waits: [(Int, Int)]) {
    var (loaded, place, risen, start, waits) = (0, 0, 0, 0, [(Int, Int)]())
    let all = seconds * 1_000_000
    var dry: Int?
    for now in 1..<1_000_000 where place < all {
      loaded = min(all, loaded + (now <= first.until ? first.rate : rate))
      if start > 0, dry == nil { place += 1_000 }
      if start > 0, dry == nil, place >= loaded, loaded < all { (dry, place) = (now, loaded) }
      let isFound =
        now.isMultiple(of: start > 0 ? 500 : 50) && loaded - place >= Self.marks[risen] * 1_000
      if isFound { risen = min(risen + 1, Self.marks.count - 1) }
      if start == 0, isFound || loaded == all { start = now }
      if let began = dry, isFound || loaded == all {
        waits.append((began, now))
        dry = nil
      }
    }
    return (start, waits)
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        (2_000, 5_000, 300, 30), (3_000, 3_200, 400, 40), (2_000, 2_000, 300, 30),
        (1_500, 10_000, 500, 60), (1_000, 10, 800, 30), (4_000, 1_200, 500, 30),
        (1_100, 6_000, 600, 40),
      ] as [(Int, Int, Int, Int)], few: 3))
  func `the mark of ijkplayer rises while it plays`(
    first: Int, until: Int, then: Int, seconds: Int
  ) throws {
    let expected = reckoned((first, until), then: then, seconds: seconds)
    let result = try played(
      "ijkplayer 0.8",
      """
      "schedule": { "steps": [ { "for": "\(until) ms", "bandwidth": "\(first) kbit/s" },
        { "for": "1 h", "bandwidth": "\(then) kbit/s" } ], "then": "hold" }
      """, #""progressive": { "duration": "\#(seconds) s", "bitrate": "1 Mbit/s" }"#)
    let about: Comment = "\(result), \(expected)"
    #expect(abs(result.startup - Double(expected.start)) <= 2, about)
    #expect(result.stalls.count == expected.waits.count, about)
    for (stall, wait) in zip(result.stalls, expected.waits) {
      #expect(abs(stall.start - Double(wait.0)) <= 4, about)
      #expect(abs(stall.end - Double(wait.1)) <= 4, about)
    }
  }

  @Test func `the waits of ijkplayer on a link that falls are those of its source`() throws {
    let expected = [(12_214.0, 29_000.0), (36_194, 53_000), (60_203, 71_667)]
    let result = try played(
      "ijkplayer 0.8",
      """
      "schedule": { "steps": [ { "for": "5 s", "bandwidth": "2 Mbit/s" },
        { "for": "1 h", "bandwidth": "300 kbit/s" } ], "then": "hold" }
      """, #""progressive": { "duration": "30 s", "bitrate": "1 Mbit/s" }"#)
    #expect(result.stalls.count == expected.count)
    for (stall, wait) in zip(result.stalls, expected) {
      #expect(abs(stall.start - wait.0) <= 4 && abs(stall.end - wait.1) <= 4, "\(result)")
    }
  }

  // MARK: What is told

  @Test(arguments: PolicyPreset.all)
  func `a share of refilling is told of files and not of streams`(preset: PolicyPreset) {
    for (seat, _, choice) in preset.description.choices where seat.hasSuffix("Fetch") {
      #expect(choice.contains("\"refill\"") == (seat == "fileFetch"), "\(preset.name): \(choice)")
    }
  }
}
