import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// The position of a playhead that has run dry.
@Suite struct StallPlaceTests {
  /// Segments end at whole seconds, which these rates reach between two nanoseconds: 1.5 Mbit/s
  /// over a link of 1 Mbit/s, so that it stalls again and again.
  @Test(
    arguments: ["0.9", "1.1", "1.5", "1.7", "2", "2.3", "3", "3.7"],
    ["", #""audio": [ { "name": "a", "bitrate": "64 kbit/s" } ], "#])
  func `a stream stalls where its segments end, at every rate`(rate: String, audio: String) throws {
    for fidelity in ["fluid", "tcp"] {
      let outcome = try Written.run(
        #"""
        "fidelity": "\#(fidelity)", "link": { "bandwidth": "1 Mbit/s", "delay": "20 ms" },
        "media": { "hls": { "ladder": [ { "bitrate": "1.5 Mbit/s" } ], "duration": "20 s", \#(audio)
          "segmentDuration": "2 s", "playlistBytes": "0 B" } },
        "script": [ { "at": "0 s", "do": "setRate", "rate": \#(rate) } ],
        "player": { "heuristic": "thresholds 2 s/4 s" }
        """#)
      let stalls = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").filter {
        $0.contains(#""event":"stall""#)
      }
      #expect(!stalls.isEmpty && outcome.faults == [])
      for stall in stalls {
        let isAtEnd = (1..<10).contains {
          stall.contains(#""time":\#(2 * $0),"#) || stall.contains(#""time":\#(2 * $0)}"#)
        }
        #expect(isAtEnd, "\(fidelity): \(stall)")
      }
    }
  }
}
