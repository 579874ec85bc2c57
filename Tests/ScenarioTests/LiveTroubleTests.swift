import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Live streams whose playlists or segments do not come, or not yet.
@Suite struct LiveTroubleTests {
  private func lines(_ event: String, of outcome: RunOutcome) -> [String] {
    String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { $0.contains(#""event":"\#(event)""#) }
  }

  /// Segments of 4 s, and 12 s from the end as a hold-back. At 20 s the lower variant is chosen.
  /// Its playlist is there at 20.8 s, and lists a segment more than the other did.
  @Test(arguments: [("18", 28), ("20.3", 28), ("20.79", 28), ("20.81", 32)])
  func `a seek during a change of variant goes as far as the playlists that were read`(
    at: String, to: Int
  ) throws {
    let outcome = try Written.run(
      #"""
      "horizon": "40 s", "link": { "bandwidth": "6 Mbit/s", "delay": "400 ms" },
      "media": { "hls": { "ladder": [ { "bitrate": "500 kbit/s" }, { "bitrate": "1 Mbit/s" } ],
        "duration": "5 min", "segmentDuration": "4 s", "live": {} } },
      "player": { "policy": { "like": "avfoundation", "firstVariant": "highest" } },
      "script": [ { "at": "0 s", "do": "play" },
        { "at": "20 s", "do": "setPreferredPeakBitRate", "to": "600 kbit/s" },
        { "at": "\#(at) s", "do": "seek", "to": "200 s" } ]
      """#)
    #expect(
      lines("seekDidComplete", of: outcome) == [
        #"{"t":\#(at),"event":"seekDidComplete","to":\#(to),"finished":true,"#
          + #""didSeekInBuffer":true}"#
      ])
  }

  /// The playhead is 50 s behind, and the last version that came lists what 50 s take to play; the
  /// reload fails four times, from 32 s to 36 s.
  @Test func `what a playlist lists is loaded while its reload waits for a retry`() throws {
    let outcome = try Written.run(
      #"""
      "horizon": "60 s", "link": { "bandwidth": "6 Mbit/s", "delay": "5 ms" },
      "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "5 min",
        "segmentDuration": "4 s", "live": { "window": "60 s" } } },
      "player": { "preferredForwardBufferDuration": "1 s", "configuredTimeOffsetFromLive": "50 s" },
      "faults": [ { "status": 503, "url": "video-0/playlist.m3u8", "requests": [9, 12] } ],
      "script": [ { "at": "0 s", "do": "play" } ]
      """#)
    #expect(lines("requestError", of: outcome).count == 4)
    #expect(outcome.player.books.stallCount == 0 && outcome.player.outcome == .played)
  }

  /// 20 s are there, which can be sought up to 14 s while more is to come.
  @Test(arguments: [("5 min", 14, true), ("20 s", 20, false)])
  func `a seek before the first playlist goes as far as one after it`(
    duration: String, to: Int, loads: Bool
  ) throws {
    let outcome = try Written.run(
      #"""
      "horizon": "10 s", "link": { "bandwidth": "200 kbit/s", "delay": "200 ms" },
      "media": { "hls": { "ladder": [ { "bitrate": "100 kbit/s" } ], "duration": "\#(duration)",
        "segmentDuration": "2 s", "live": { "playlistType": "event", "startsWith": "20 s" } } },
      "script": [ { "at": "0 s", "do": "play" }, { "at": "0.1 s", "do": "seek", "to": "50 s" } ]
      """#)
    let completed = try #require(lines("seekDidComplete", of: outcome).first)
    #expect(completed.contains(#""to":\#(to),"finished":true,"didSeekInBuffer":false"#))
    #expect(outcome.player.books.stallCount == 0)
    #expect((outcome.player.media.bytes > 1_000) == loads)
  }

  /// Four seconds at 2 Mbit/s leave 12 of 20 Mbit for half a megabit a second.
  @Test(arguments: [
    #"{ "at": "3 s", "do": "switchLink", "to": "on" }"#,
    #"{ "at": "3 s", "do": "changeLink", "to": { "bandwidth": "2 Mbit/s" } }"#,
  ])
  func `a schedule goes on where nothing is switched on`(step: String) throws {
    let outcome = try Written.run(
      #"""
      "link": { "bandwidth": "2 Mbit/s", "schedule": { "steps": [
        { "for": "4 s", "bandwidth": "2 Mbit/s" },
        { "for": "30 s", "bandwidth": "500 kbit/s" } ] } },
      "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" }, \#(step) ]
      """#)
    #expect(lines("playbackBufferFull", of: outcome).first?.contains(#""t":28,"#) == true)
  }

  @Test(arguments: ["fluid", "tcp"])
  func `outages that touch are one`(fidelity: String) throws {
    let outcomes = try [
      #"{ "from": "1 s", "for": "9 s" }"#,
      #"{ "from": "1 s", "for": "4 s" }, { "from": "5 s", "for": "5 s" }"#,
      #"{ "from": "5 s", "for": "5 s" }, { "from": "1 s", "for": "4 s" }"#,
    ].map { outages in
      try Written.run(
        #"""
        "fidelity": "\#(fidelity)",
        "link": { "bandwidth": "unlimited", "delay": "10 ms", "outages": [ \#(outages) ] },
        "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
        "player": { "item": "byScript", "mediaTimeout": null },
        "script": [ { "at": "2 s", "do": "setItem" }, { "at": "2 s", "do": "play" } ]
        """#)
    }
    let first = try #require(outcomes.first)
    for other in outcomes.dropFirst() {
      #expect(lines("responseStart", of: other) == lines("responseStart", of: first))
      #expect(other.player == first.player)
    }
  }

  /// A rewind without latency from an end of no media: the end, the seek and the end again.
  @Test func `a loop that takes no time uses up the budget`() throws {
    let outcome = try Written.run(
      #"""
      "link": {}, "media": { "local": { "duration": "10 s", "bitrate": "1 Mbit/s" } },
      "looping": "rewind", "script": [ { "at": "0 s", "do": "play" },
        { "at": "5 s", "do": "setForwardPlaybackEndTime", "to": "0 s" } ]
      """#)
    #expect(outcome.end == .budget && outcome.ended == .zero + .seconds(5))
  }
}
