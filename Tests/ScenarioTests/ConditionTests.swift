import ExactText
import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

/// Conditions of a script that wait for something to fall.
@Suite struct ConditionTests {
  private func instants(_ script: String) throws -> [Instant?] {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "progressive": { "duration": "40 s", "bitrate": "1 Mbit/s" } },
        "player": { "heuristic": "immediate" }, "script": [ \(script) ] }
      """
    return try run(readScenario(Array(text.utf8), file: "a.json")).stepInstants
  }

  /// At 2 s the playhead leaves what is loaded, 4 s of it, for a place behind it; at 5 s it returns
  /// to those. What is asked for after the first seek comes true with the second one.
  @Test(arguments: [
    "loaded <= 4.1 s", "loaded <= 9 s", "loaded <= 20 s", "currentTime <= 3 s",
    "currentTime <= 3.5 s", "currentTime <= 10 s", "currentTime <= 20 s",
  ])
  func `a step waits for the playhead or the loaded end to fall`(condition: String) throws {
    let instants = try instants(
      """
      { "at": "0 s", "do": "play" }, { "at": "2 s", "do": "seek", "to": "25 s", "name": "out" },
      { "when": "\(condition)", "after": "out", "do": "showPanel" },
      { "at": "5 s", "do": "seek", "to": "3 s", "name": "back" }
      """)
    #expect(instants[2] == .zero + .seconds(5))
  }

  /// Before the seek back the loaded end is 4 s, and the playhead at 2 s.
  @Test(arguments: ["loaded <= 4.1 s", "currentTime <= 2.5 s"])
  func `what is low enough when it is asked for is so at once`(condition: String) throws {
    let instants = try instants(
      """
      { "at": "0 s", "do": "play", "name": "first" },
      { "when": "\(condition)", "after": "first", "do": "showPanel" }
      """)
    #expect(instants[1] == .zero)
  }

  @Test func `a count of none has come at once`() throws {
    let instants = try instants(
      """
      { "when": "stallCount >= 0", "do": "play" }, { "when": "stallCount >= 1", "do": "pause" }
      """)
    #expect(instants == [.zero, nil])
  }

  @Test(arguments: ["-1", "1.5", "one", "1 s", "-0.5"])
  func `a count is a whole number from 0 up`(bound: String) {
    let error = #expect(throws: DocumentError.self) {
      try instants("{ \"when\": \"stallCount >= \(bound)\", \"do\": \"play\" }")
    }
    let message = "“\(bound)” is no count (expected a whole number from 0 up)"
    #expect(error?.text.contains(message) == true)
  }

  @Test(arguments: ["loaded <= 3.9 s", "currentTime <= 2.9 s"])
  func `what never falls so low is never done`(condition: String) throws {
    let instants = try instants(
      """
      { "at": "0 s", "do": "play" }, { "at": "2 s", "do": "seek", "to": "25 s", "name": "out" },
      { "when": "\(condition)", "after": "out", "do": "showPanel" },
      { "at": "5 s", "do": "seek", "to": "3 s", "name": "back" }
      """)
    #expect(instants[2] == nil)
  }

  /// 2 s of media come in each second, and 1 s of it is played: from its first byte after 4 us on.
  @Test(
    arguments: [
      ("loaded >= 6 s", 3_000), ("bufferAhead >= 3 s", 3_000), ("ahead >= 7.5 s", 7_500),
      ("currentTime >= 3 s", 3_000), ("bufferFull", 20_000), ("bufferAhead >= 19 s", 19_000),
      ("loaded >= 40 s", 20_000), ("currentTime >= 39 s", 39_000),
    ] as [(String, Int64)])
  func `a step waits for the playhead or the buffer to rise`(
    condition: String, milliseconds: Int64
  ) throws {
    let instants = try instants(
      """
      { "at": "0 s", "do": "play" }, { "when": "\(condition)", "do": "showPanel" }
      """)
    let done = try #require(instants[1])
    #expect(abs(done.nanoseconds - milliseconds * 1_000_000) < 20_000, "\(done)")
  }

  /// A segment of 2 s comes in each second, and plays from 1 s on: after k of them 2k s are loaded
  /// and k + 1 s ahead.
  @Test(arguments: [2, 3, 5, 8] as [Int64])
  func `of a stream the buffer ahead rises with each segment`(ahead: Int64) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "40 s",
          "segmentDuration": "2 s", "playlistsAreThere": true } },
        "player": { "heuristic": "immediate" },
        "script": [ { "at": "0 s", "do": "play" },
          { "when": "bufferAhead >= \(ahead) s", "do": "showPanel" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    let done = try #require(outcome.stepInstants[1])
    // With the first segment 2 s are ahead.
    #expect(abs(done.nanoseconds - (ahead - 1) * 1_000_000_000) < 10_000_000, "\(done)")
  }
}
