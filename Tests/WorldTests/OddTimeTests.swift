import GoldilocksTesting
import Testing

/// Times that are no times, or lie outside the media.
@Suite struct OddTimeTests {
  private static let file = #"{ "progressive": { "duration": "30 s", "bitrate": "1 Mbit/s" } }"#
  private static let stream = #"""
    { "hls": { "duration": "40 s", "segmentDuration": "4 s",
      "ladder": [ { "bitrate": "1 Mbit/s" } ] } }
    """#

  @Test func `what is no number is an invalid time, as Core Media has it`() {
    #expect(MediaTime(seconds: .nan) == .invalid)
    #expect(MediaTime(seconds: .nan, preferredTimescale: 600) == .invalid)
    #expect(MediaTime(seconds: .infinity) == .positiveInfinity)
    for timescale in [0, -1, .min] as [Int32] {
      #expect(MediaTime(value: 1, timescale: timescale) == .invalid)
    }
  }
}
