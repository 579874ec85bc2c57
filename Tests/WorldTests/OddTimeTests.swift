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

  @Test func `a seek to an invalid time is refused as an exception refuses it`() async {
    await #expect(processExitsWith: .failure) {
      try Simulation(link: "LTE", media: Self.file).player.seek(to: .invalid)
    }
    await #expect(processExitsWith: .failure) {
      try Simulation(link: "LTE", media: Self.file).player.currentItem?.seek(
        to: MediaTime(seconds: .nan), completionHandler: nil)
    }
    await #expect(processExitsWith: .failure) {
      try World().makeItem(try ItemSettings(media: Self.file)).seek(to: .invalid)
    }
  }

  @Test func `a negative tolerance is refused likewise`() async {
    await #expect(processExitsWith: .failure) {
      try Simulation(link: "LTE", media: Self.file).player.seek(
        to: .seconds(3), toleranceBefore: .seconds(-1), toleranceAfter: .zero)
    }
    await #expect(processExitsWith: .failure) {
      try Simulation(link: "LTE", media: Self.file).player.currentItem?.seek(
        to: .seconds(3), toleranceBefore: .zero, toleranceAfter: .invalid)
    }
  }
}
