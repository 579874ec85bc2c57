import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

/// Starts that look at one kind of track, and variants that come back.
@Suite struct TrackMarkTests {
  private func outcome(_ text: String) throws -> RunOutcome {
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    return outcome
  }

  /// Pictures of 1 Mbit/s and sound of a tenth of it share 2 Mbit/s: all of the sound is there when
  /// the first four seconds of pictures are, after four seconds; four more take two.
  @Test(arguments: [("sound", 8, 4_000), ("pictures", 4, 4_000), ("pictures", 8, 6_000)])
  func `a start waits for the track that it names`(
    track: String, seconds: Int, milliseconds: Int64
  ) throws {
    let outcome = try outcome(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "40 s",
          "segmentDuration": "4 s", "playlistBytes": "0 B",
          "audio": [ { "name": "English", "language": "en", "bitrate": "100 kbit/s" } ] } },
        "player": { "policy": {
          "start": { "\(track)": "\(seconds) s" }, "streamFetch": { "media": "50 s" } } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """)
    let delay = try #require(outcome.player.startupDelay)
    #expect(delay >= .milliseconds(milliseconds) && delay < .milliseconds(milliseconds + 5))
  }

  /// Without a variant to change to, what is in the buffer is played; the only one is tried again
  /// when its time has come, and where that is before the buffer runs dry nothing is lost.
  @Test(arguments: [(5, 120), (20, 120), (90, 40)])
  func `a stream that failed goes on when its variant may be tried again`(
    seconds: Int, played: Int64
  ) throws {
    let outcome = try outcome(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "10 Mbit/s" }, "horizon": "5 min",
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "120 s",
          "segmentDuration": "4 s" } },
        "faults": [ { "status": 410, "url": "*segment10.*", "requests": 1 } ],
        "player": { "variantRecovery": "\(seconds) s" },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """)
    #expect(outcome.player.played == .seconds(played))
  }
}
