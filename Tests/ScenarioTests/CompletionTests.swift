import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// The completion handlers of seeks and of prerolls: each is called once, whatever becomes of it.
@Suite struct CompletionTests {
  private static let stream = #"""
    "media": { "hls": { "duration": "40 s", "segmentDuration": "4 s", "playlistBytes": "0 B",
      "ladder": [ { "bitrate": "500 kbit/s" } ] } }
    """#
  private static let file = #"""
    "media": { "progressive": { "duration": "60 s", "bitrate": "500 kbit/s" } }
    """#

  /// Whether each seek and each preroll finished, in their order.
  private func completions(_ parts: String) throws -> [String] {
    let outcome = try Written.run(parts)
    #expect(outcome.failures.isEmpty && outcome.faults == [])
    let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
    return lines.compactMap { line in
      guard
        line.contains(#""event":"seekDidComplete""#)
          || line.contains(#""event":"prerollDidComplete""#),
        let range = line.firstRange(of: #""finished":"#)
      else { return nil }
      return String(line[range.upperBound...].prefix { $0.isLetter })
    }
  }

  @Test(arguments: ["true", "false"])
  func `a seek that is pending when the item fails completes unfinished`(waits: String) throws {
    let stream = try completions(
      #"""
      "link": { "bandwidth": "4 Mbit/s" }, \#(Self.stream),
      "player": { "preferredForwardBufferDuration": "4 s",
        "automaticallyWaitsToMinimizeStalling": \#(waits) },
      "faults": [ { "status": 404, "url": "video-0/segment7.m4s" } ],
      "script": [ { "at": "0 s", "do": "play" }, { "at": "3 s", "do": "seek", "to": "30 s" } ],
      "expect": [ { "outcome": "failed" } ]
      """#)
    #expect(stream == ["false"])
    let file = try completions(
      #"""
      "link": { "bandwidth": "1 Mbit/s" }, \#(Self.file),
      "player": { "retry": { "attempts": 0 }, "automaticallyWaitsToMinimizeStalling": \#(waits) },
      "faults": [ { "status": 404, "requests": [ 2, 10 ] } ],
      "script": [ { "at": "0 s", "do": "play" }, { "at": "3 s", "do": "seek", "to": "40 s" } ],
      "expect": [ { "outcome": "failed" } ]
      """#)
    #expect(file == ["false"])
  }

  @Test func `an item that has failed is neither sought nor prerolled`() throws {
    let found = try completions(
      #"""
      "link": { "bandwidth": "4 Mbit/s" }, \#(Self.stream),
      "player": { "pipeline": { "preroll": "2 s" } },
      "faults": [ { "status": 404, "url": "video-0/playlist.m3u8" } ],
      "script": [ { "at": "20 s", "do": "seek", "to": "30 s" }, { "at": "30 s", "do": "preroll" } ],
      "expect": [ { "outcome": "failed" } ]
      """#)
    #expect(found == ["false", "false"])
  }

  /// The time is at the target already, as after a seek beyond an end that was set before.
  @Test(arguments: ["10 s", "20 s", "30 s"])
  func `a pending seek to where the end is put is complete`(end: String) throws {
    for media in [Self.stream, Self.file] {
      let found = try completions(
        #"""
        "link": { "bandwidth": "400 kbit/s", "outages": [ { "from": "8 s", "for": "5 s" } ] },
        \#(media),
        "script": [ { "at": "0 s", "do": "play" }, { "at": "8 s", "do": "seek", "to": "30 s" },
          { "at": "9 s", "do": "setForwardPlaybackEndTime", "to": "\#(end)" } ],
        "expect": [ { "at": "9.5 s", "timeControlStatus": "paused" }, { "end": "finished" } ]
        """#)
      #expect(found == ["true"], "\(media)")
    }
  }
}
