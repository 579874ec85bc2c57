import ScenarioFormat
import ScenarioRunner
import Testing

/// Seeks to a live edge that is known from long ago: they end where the next playlist says.
@Suite struct LiveSeekTests {
  private func failures(
    _ media: String, link: String = "\"delay\": \"150 ms\"", player: String = "",
    more: String = "", script: String, expect: String
  ) throws -> [ExpectationFailure] {
    let text = """
      { "scenario": "a", "about": "b", "horizon": "2 min",
        "link": { "bandwidth": "8 Mbit/s", \(link) },
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], \(media) } }, \(more)
        "player": { "canUseNetworkResourcesForLiveStreamingWhilePaused": false\(player) },
        "script": [ { "at": "0 s", "do": "play" }, \(script) ],
        "expect": [ \(expect) ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    return outcome.failures
  }

  /// The playlist that the first tap asks for is there 0.3 s later, and ends at 108 s.
  @Test(arguments: ["", "50.1 s", "50.2 s", "50.29 s"], ["seekToLive", "seek"])
  func `a second tap does not wait for another playlist`(second: String, verb: String) throws {
    let tap = verb == "seek" ? "\"seek\", \"to\": \"105 s\"" : "\"seekToLive\""
    let again = second.isEmpty ? "" : "{ \"at\": \"\(second)\", \"do\": \(tap) },"
    let failures = try failures(
      "\"duration\": \"10 min\", \"live\": { \"startsWith\": \"63 s\", \"window\": \"2 min\" }",
      script: """
        { "at": "10 s", "do": "pause" }, { "at": "50 s", "do": \(tap) }, \(again)
        { "at": "50.5 s", "do": "play" }
        """,
      expect: """
        { "at": "50.4 s", "currentTime": "90 s" },
        { "order": [ "livePosition time=90", "seekDidComplete to=90 finished=true" ] },
        { "at": "51.4 s", "timeControlStatus": "playing" }, { "at": "60 s", "currentTime":
          { "about": "98.65 s", "within": "10 ms" } }
        """)
    #expect(failures.isEmpty, "\(failures)")
  }

  /// The clock has the edge beyond the end of playback, which is no reason to end there.
  @Test func `a seek to live past the end of playback waits for the playlist`() throws {
    let failures = try failures(
      "\"duration\": \"600 s\", \"live\": { \"startsWith\": \"30 s\", \"window\": \"20 s\" }",
      link: "\"delay\": \"20 ms\", \"outages\": [ { \"from\": \"20 s\", \"for\": \"25 s\" } ]",
      script: """
        { "at": "1 s", "do": "setForwardPlaybackEndTime", "to": "64 s" },
        { "at": "40 s", "do": "seekToLive" }
        """,
      expect: """
        { "at": "44 s", "timeControlStatus": "waiting" },
        { "order": [ "seek", "livePosition", "seekDidComplete finished=true", "didPlayToEndTime" ] }
        """)
    #expect(failures.isEmpty, "\(failures)")
  }

  /// The target of a seek is not where the item begins the next time.
  @Test(arguments: ["{ \"at\": \"30 s\", \"do\": \"seek\", \"to\": \"45 s\" },", ""])
  func `a loop goes back to the item's own start`(seek: String) throws {
    let failures = try failures(
      "\"segmentDuration\": \"2 s\", \"duration\": \"60 s\", "
        + "\"live\": { \"playlistType\": \"event\", \"startsWith\": \"20 s\" }",
      player: ", \"startTime\": \"2 s\"", more: "\"looping\": \"rewind\",",
      script: """
        { "at": "5 s", "do": "pause" }, \(seek) { "at": "35 s", "do": "play" }
        """,
      expect: "{ \"order\": [ \"didPlayToEndTime\", \"seek to=2\" ] }")
    #expect(failures.isEmpty, "\(failures)")
  }

  /// The playlist that is under way at the seek is the last: nothing asks for another. It comes at
  /// 52.08 s, and says that the stream of 60 s is over, which is played 12 s from its end.
  @Test(arguments: [
    (#""seekToLive""#, "48"), (#""seek", "to": "58 s""#, "58"),
    (#""seek", "to": "57.5 s""#, "57.5"), (#""seek", "to": "63 s""#, "60"),
  ])
  func `a seek past the known edge ends where the last playlist says`(
    seek: String, place: String
  ) throws {
    let failures = try failures(
      #""duration": "60 s", "segmentDuration": "4 s", "live": { "startsWith": "20 s" }"#,
      link: #""delay": "20 ms""#,
      more: #""faults": [ { "requests": 24, "slowFirstByte": "12 s" } ],"#,
      script: #"{ "at": "50 s", "do": \#(seek) }"#,
      expect: """
        { "order": [ "seek", "livePosition time=\(place)", "seekDidComplete finished=true",
          "didPlayToEndTime" ] }, { "at": "51.9 s", "timeControlStatus": "waiting" }
        """)
    #expect(failures.isEmpty, "\(failures)")
  }

  /// The encoder stops with 39 of 40 s; what it makes last is listed with the last part at 50 s.
  @Test(arguments: [25, 30, 41, 49]) func `a held playlist may be the last one`(at: Int) throws {
    let failures = try failures(
      #"""
      "duration": "40 s", "segmentDuration": "4 s", "live": { "startsWith": "20 s",
        "parts": { "duration": "1 s" }, "encoderStops": [ { "from": "19.5 s", "for": "30 s" } ] }
      """#,
      link: #""delay": "20 ms""#, script: #"{ "at": "\#(at) s", "do": "seekToLive" }"#,
      expect: """
        { "order": [ "seek", "livePosition time=37", "seekDidComplete to=37 finished=true",
          "didPlayToEndTime" ] }, { "at": "end", "currentTime": "40 s" }
        """)
    #expect(failures.isEmpty, "\(failures)")
  }
}
