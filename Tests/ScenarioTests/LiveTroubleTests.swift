import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Live streams whose playlists fail, or come late.
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

  /// Segments of 6 s take 5 s, and 36 s are listed. From 11.9 s on a player has 0.1 s ahead after
  /// 5 s, and the next segment at 10.002 s; from 35.9 s on none is listed that it could wait for.
  @Test(arguments: [("11.9", 9_902, true), ("35.9", 5_001, false)])
  func `a live start waits for a listed segment that would be late`(
    time: String, startup: Int64, isSafe: Bool
  ) throws {
    let outcome = try Written.run(
      #"""
      "horizon": "20 s", "link": { "bandwidth": "2.4 Mbit/s" },
      "media": { "hls": { "duration": "120 s", "segmentDuration": "6 s",
        "ladder": [ { "bitrate": "2 Mbit/s" } ], "live": {} } },
      "player": { "startTime": "\#(time) s" }, "script": [ { "at": "0 s", "do": "play" } ]
      """#)
    let books = outcome.player.books
    #expect(abs(books.startup.nanoseconds - startup * 1_000_000) < 2_000_000)
    #expect((books.stallCount == 0) == isSafe)
  }

  /// The playhead is 50 s behind, so that media for 50 s is listed; four reloads fail from 32 s to
  /// 36 s.
  @Test func `listed segments are loaded while a failed reload waits for its retry`() throws {
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

  /// The playlist lists 20 s; while it grows, seeks reach 14 s at most.
  @Test(
    arguments: [
      ("5 min", "9", 9), ("5 min", "15", 14), ("5 min", "19.9", 14), ("5 min", "50", 14),
      ("20 s", "19", 19), ("20 s", "50", 20),
    ] as [(String, String, Int)])
  func `a seek before the first playlist goes as far as one after it`(
    duration: String, target: String, to: Int
  ) throws {
    let outcome = try Written.run(
      #"""
      "horizon": "10 s", "link": { "bandwidth": "200 kbit/s", "delay": "200 ms" },
      "media": { "hls": { "ladder": [ { "bitrate": "100 kbit/s" } ], "duration": "\#(duration)",
        "segmentDuration": "2 s", "live": { "playlistType": "event", "startsWith": "20 s" } } },
      "script": [ { "at": "0 s", "do": "play" },
        { "at": "0.1 s", "do": "seek", "to": "\#(target) s" } ]
      """#)
    let completed = try #require(lines("seekDidComplete", of: outcome).first)
    #expect(completed.contains(#""to":\#(to),"finished":true,"didSeekInBuffer":false"#))
    #expect(outcome.player.books.stallCount < 2)
    // Behind the end nothing is loaded but playlists.
    #expect((outcome.player.media.bytes > 1_000) == (to < 20))
  }
}
