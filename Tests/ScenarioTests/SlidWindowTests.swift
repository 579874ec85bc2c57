import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// A live player whose next segment is no longer listed.
@Suite struct SlidWindowTests {
  /// A window of six segments of 500,000 bytes, each half a second on the link.
  private func live(
    _ link: String, player: String, hls: String = "", horizon: Int64 = 90, faults: String = ""
  ) throws -> RunOutcome {
    let outcome = try Written.run(
      #"""
      "horizon": "\#(horizon) s", "link": { "bandwidth": "8 Mbit/s"\#(link) }, \#(faults)
      "media": { "hls": { "duration": "400 s", "segmentDuration": "4 s", "playlistBytes": "0 B",
        "ladder": [ { "bitrate": "1 Mbit/s" } ], \#(hls)
        "live": { "startsWith": "24 s", "window": "24 s" } } },
      "player": { "mediaTimeout": null, \#(player) },
      "script": [ { "at": "0 s", "do": "play" } ]
      """#)
    #expect(outcome.faults == [])
    return outcome
  }

  private func lines(_ event: String, of outcome: RunOutcome) -> [String] {
    String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { $0.contains(#""event":"\#(event)""#) }
  }

  static let outage = #", "outages": [ { "from": "8.25 s", "for": "60 s" } ]"#

  static func rule(_ exit: Bool) -> String {
    #"""
    "policy": { "like": "avfoundation", "start": { "media": "4 s" }, "resume": { "media": "8 s" },
      "exits": { "whenFull": \#(exit), "whenIdle": false } }
    """#
  }

  /// Half of the segment of 28 s has come by 8.25 s, and the rest by 68.5 s, when the window begins
  /// at 64 s. The player stood at 28 s from 16.5 s on; the stream is played 12 s from its end.
  ///
  /// A player that starts with a full buffer plays the 4 s, and goes on at 84 s of 96 s with two
  /// segments, which take a second. Another leaves them at once, for 80 s of 92 s.
  @Test(arguments: [(true, 72_500, 84, 2), (false, 68_500, 80, 1)] as [(Bool, Int, Int, Int64)])
  func `a player that waits behind the window plays what is left, or leaves it, and goes on`(
    startsWhenFull: Bool, moves: Int, time: Int, stalls: Int64
  ) throws {
    let outcome = try live(Self.outage, player: Self.rule(startsWhenFull))
    let seconds = "\(moves / 1_000).\(moves % 1_000 / 100)"
    #expect(
      lines("livePosition", of: outcome).last
        == #"{"t":\#(seconds),"event":"livePosition","time":\#(time),"reason":"windowSlid"}"#)
    let books = outcome.player.books
    #expect(books.stalled == .seconds(53) && books.stallCount == stalls)
    #expect(books.played == .milliseconds(36_500))
  }

  /// The segments of both come with one request each; audio brings less and is there first.
  @Test(arguments: [16, 128, 900])
  func `separate audio is left with the video`(audio: Int) throws {
    let outcome = try live(
      Self.outage, player: Self.rule(true),
      hls: #""audio": [ { "name": "a", "bitrate": "\#(audio) kbit/s" } ],"#)
    #expect(lines("livePosition", of: outcome).count == 2)
    #expect(outcome.player.books.stallCount == 2 && outcome.player.outcome == .played)
  }

  /// The stream has ended at 48 s, and its last three segments are listed. The player has 20 s, and
  /// the segment after that ends where the window begins: it goes on there with 12 s.
  @Test(arguments: ["", #""audio": [ { "name": "a", "bitrate": "64 kbit/s" } ],"#], [18, 22, 30])
  func `a player goes on where the window begins with the end of what it waited for`(
    audio: String, outage: Int
  ) throws {
    let outcome = try Written.run(
      #"""
      "horizon": "120 s", "link": { "bandwidth": "1 Mbit/s",
        "outages": [ { "from": "8.25 s", "for": "\#(outage) s" } ] },
      "media": { "hls": { "duration": "48 s", "segmentDuration": "4 s", "playlistBytes": "0 B",
        "ladder": [ { "bitrate": "400 kbit/s" } ], \#(audio)
        "live": { "startsWith": "24 s", "window": "12 s" } } },
      "player": { "mediaTimeout": null, "policy": "VHS 3.17" },
      "script": [ { "at": "0 s", "do": "play" } ]
      """#)
    #expect(outcome.end == .finished && outcome.player.outcome == .played)
    #expect(outcome.player.books.played == .seconds(32))
  }

  /// The playlist of 217 bytes that an outage held back says to ask for 32 s, and the one after it,
  /// a round trip later, lists 68 s to 92 s. The answer that 32 s is gone takes 0.34 s.
  @Test func `what the playlist at hand lists is asked for as soon as the rest is known gone`()
    throws
  {
    let outcome = try Written.run(
      #"""
      "horizon": "72 s", "link": { "bandwidth": "8 Mbit/s", "delay": "20 ms",
        "outages": [ { "from": "9 s", "for": "60 s" } ] },
      "faults": [ { "slowFirstByte": "300 ms", "url": "video-0/segment8.m4s" } ],
      "media": { "hls": { "duration": "400 s", "segmentDuration": "4 s",
        "ladder": [ { "bitrate": "1 Mbit/s" } ],
        "live": { "startsWith": "24 s", "window": "24 s" } } },
      "script": [ { "at": "0 s", "do": "play" } ]
      """#)
    let asked = lines("requestStart", of: outcome).filter { $0.contains("segment20.m4s") }
    #expect(asked.count == 1 && asked[0].hasPrefix(#"{"t":69.340217,"#), "\(asked)")
  }

  static func fault(_ status: Int, _ requests: String) -> String {
    #""faults": [ { "status": \#(status), "url": "video-0/segment8.m4s"\#(requests) } ],"#
  }

  /// The segment of 32 s is asked for at 12 s; its retries are due at 13 s, 15 s and 19 s.
  @Test func `playlists are reloaded while a segment waits for its retry`() throws {
    let outcome = try live(
      "", player: Self.rule(true), horizon: 30, faults: Self.fault(503, #", "requests": [1, 3]"#))
    let reads = lines("playlist", of: outcome).map { $0.prefix { $0 != "," } }
    #expect(reads == [0, 4, 8, 12, 16, 20, 24, 28].map { #"{"t":\#($0)"# })
    #expect(
      lines("requestRetry", of: outcome).map { $0.prefix(7) }
        == [13, 15, 19].map { #"{"t":\#($0)"# })
  }

  /// From 36 s on the segment of 32 s is no longer listed; the stream is played 12 s from its end,
  /// which is 60 s by then.
  @Test func `the retry of a segment that has slid out holds the next one up no longer`() throws {
    let outcome = try live(
      "", player: Self.rule(true), horizon: 40, faults: Self.fault(404, ""))
    let asked = lines("requestStart", of: outcome).filter { $0.contains("segment12.m4s") }
    #expect(asked.count == 1 && asked[0].hasPrefix(#"{"t":36,"#), "\(asked)")
  }
}
