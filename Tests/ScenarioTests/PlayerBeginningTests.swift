import ScenarioFormat
import ScenarioRunner
import Testing

/// The first segments of a stream, and the way on behind a pause, as each player has them.
@Suite struct PlayerBeginningTests {
  private func outcome(_ text: String) throws -> RunOutcome {
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    return outcome
  }

  /// The variants of the segments as they are asked for.
  private func variants(_ outcome: RunOutcome) -> [Int] {
    String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard line.contains("\"event\":\"requestStart\""), line.contains("\"mediaSegment\""),
        let range = line.firstRange(of: "\"variant\":")
      else { return nil }
      return Int(line[range.upperBound...].prefix { $0.isNumber })
    }
  }

  private func stream(
    _ policy: String, _ ladder: [Int64], link: Int64, observed: Int64? = nil
  ) throws -> [Int] {
    let rungs = ladder.map { "{ \"bitrate\": \"\($0) kbit/s\" }" }.joined(separator: ", ")
    let known = observed.map { ", \"observedBitrate\": \"\($0) kbit/s\"" } ?? ""
    return try variants(
      outcome(
        """
        { "scenario": "a", "about": "b", "horizon": "60 s",
          "link": { "bandwidth": "\(link) kbit/s", "delay": "10 ms" },
          "media": { "hls": { "duration": "40 s", "segmentDuration": "4 s",
            "ladder": [ \(rungs) ] } },
          "player": { "policy": "\(policy)"\(known) },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """))
  }

  /// hls.js begins with the first listed "whatever the link"; Pensieve's environment with the
  /// second from below. 500 kbit/s and no buffer would let both take the lowest.
  @Test(
    arguments: [
      ("hls.js 1.6", [2_000, 1_000, 300], 0), ("hls.js 1.6", [1_000, 2_000, 300], 0),
      ("Pensieve BB", [300, 750, 1_200], 1), ("Pensieve RB", [300, 750, 1_200], 1),
    ] as [(String, [Int64], Int)], [1_500, 6_000, 40_000] as [Int64])
  func `the first segment is of the variant that a player begins with`(
    _ row: (policy: String, ladder: [Int64], first: Int), link: Int64
  ) throws {
    #expect(try stream(row.policy, row.ladder, link: link).first == row.first)
  }

  /// Before they have measured enough these players believe in 1, 4.2 and 10 Mbit/s of their own.
  @Test(arguments: ["Media3 1.6", "Shaka 4.7", "Shaka 5.2", "VHS 3.17"])
  func `the throughput of an earlier playback takes the place of a prior`(policy: String) throws {
    let high = try stream(policy, [1_000, 2_000, 16_000], link: 40_000, observed: 40_000)
    #expect(high.prefix(3) == [2, 2, 2])
    let low = try stream(policy, [300, 700, 2_000], link: 40_000, observed: 500)
    #expect(low.first == 0)
  }

  private func isPlaying(
    _ policy: String, link: Int64, begins: String, pause: Int64
  ) throws -> Bool {
    try outcome(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "\(link) kbit/s", "delay": "10 ms" },
        "media": { "progressive": { "duration": "30 s", "bitrate": "1 Mbit/s" } },
        "player": { "policy": "\(policy)" },
        "script": [
          { "at": "0 s", "do": "\(begins)" }, { "at": "\(pause) ms", "do": "pause" },
          { "at": "\(pause + 10) ms", "do": "play", "name": "again" } ],
        "expect": [
          { "at": "\(pause - 1) ms", "timebaseRate": 1 },
          { "at": { "after": "again", "by": "0 s" }, "timeControlStatus": "playing" } ] }
      """
    ).failures.isEmpty
  }

  /// "Ready" ends where "some renderer is neither ready nor ended", and not with a pause: half a
  /// second, two and almost three are ahead, of marks of 1, 2.5, 3 and 2 s.
  @Test(
    arguments: [
      "Media3 1.6", "ExoPlayer 1.5", "KSPlayer 2", "Shaka 4.7",
    ], [850, 900, 950] as [Int64])
  func `a player whose start is a mark goes on behind a pause`(policy: String, link: Int64) throws {
    #expect(try isPlaying(policy, link: link, begins: "play", pause: 6_100))
  }

  /// AVPlayer predicts each time that the rate leaves zero. At 600 kbit/s the rest of a file of
  /// 1 Mbit/s takes longer than it plays.
  @Test func `AVPlayer predicts anew behind a pause`() throws {
    #expect(try !isPlaying("avfoundation", link: 600, begins: "play", pause: 15_000))
    #expect(try isPlaying("avfoundation", link: 900, begins: "play", pause: 15_000))
  }

  /// The next item of a queue has a start of its own: of 1 Mbit/s over 0.9 little is there when
  /// it becomes current, and a player that began with that would stall at once.
  @Test(
    arguments: ["Media3 1.6", "ExoPlayer 1.5", "KSPlayer 2", "Shaka 4.7", "NuPlayer"],
    [700, 900] as [Int64])
  func `the next item of a queue waits for its mark`(policy: String, link: Int64) throws {
    let outcome = try outcome(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "\(link) kbit/s", "delay": "10 ms" },
        "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
        "items": [ { "name": "one" }, { "name": "two", "ownAssets": true } ],
        "queue": [ "one", "two" ], "player": { "policy": "\(policy)" },
        "script": [ { "at": "0 s", "do": "play" }, { "at": "12 s", "do": "advanceToNextItem" } ],
        "expect": [ { "at": "12.02 s", "timebaseRate": 0 } ] }
      """)
    #expect(outcome.failures.isEmpty, "\(outcome.failures)")
  }

  /// A buffer of 2 s is full below the 5 s at which such a player says that it stalls.
  @Test(arguments: [2_000, 3_000, 4_999] as [Int64])
  func `a full buffer goes on behind a pause, whatever a stall is declared at`(most: Int64) throws {
    let outcome = try outcome(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "8 Mbit/s" },
        "media": { "hls": { "duration": "40 s", "segmentDuration": "1 s",
          "ladder": [ { "bitrate": "1 Mbit/s" } ] } },
        "player": {
          "policy": { "like": "avfoundation", "start": { "media": "0.1 s" },
            "resume": { "media": "0.1 s" }, "stall": { "below": "5 s" },
            "exits": { "whenFull": false } },
          "preferredForwardBufferDuration": "\(most) ms" },
        "script": [ { "at": "0 s", "do": "play" }, { "at": "10 s", "do": "pause" },
          { "at": "12 s", "do": "play" } ],
        "expect": [ { "at": "12.1 s", "timebaseRate": 1 }, { "end": "finished" } ] }
      """)
    #expect(outcome.failures.isEmpty, "\(outcome.failures)")
  }
}
