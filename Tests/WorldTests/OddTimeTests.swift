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

  @Test func `a range without an end has one at infinity`() {
    let range = MediaTime.seconds(3)..<MediaTime.indefinite
    #expect(range.seconds == 3...Double.infinity)
    #expect((MediaTime.zero..<MediaTime.milliseconds(1_500)).seconds == 0...1.5)
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

  // MARK: Host times

  private func tied() throws -> Simulation {
    let simulation = try Simulation(link: "Wi-Fi", media: Self.file)
    simulation.player.automaticallyWaitsToMinimizeStalling = false
    simulation.player.play()
    simulation.advance(by: .seconds(5))
    return simulation
  }

  @Test(arguments: [MediaTime.seconds(-1), .positiveInfinity], [0, 1] as [Float])
  func `a playhead cannot be tied to a place before the media or to none`(
    time: MediaTime, rate: Float
  ) throws {
    let simulation = try tied()
    let (player, place) = (simulation.player, simulation.player.currentTime())
    for hostTime in [nil, simulation.world.now] {
      #expect(throws: PlayerError.negativeTime) {
        try player.setRate(PlaybackRate(rate), time: time, atHostTime: hostTime)
      }
    }
    #expect(player.currentTime() == place && player.rate == 1)
    simulation.run()
    #expect(player.currentTime() == .seconds(30))
  }

  @Test func `an invalid time ties the playhead to where it is`() throws {
    let simulation = try tied()
    let (player, place) = (simulation.player, simulation.player.currentTime())
    try player.setRate(PlaybackRate(2), time: .invalid, atHostTime: simulation.world.now)
    #expect(player.currentTime() == place && player.timebaseRate == PlaybackRate(2))
    try player.setRate(.zero, time: .invalid)
    #expect(player.currentTime() == place && player.timeControlStatus == .paused)
  }

  // MARK: Settings

  @Test(arguments: [0, 2.5, .infinity]) func `a buffer of any length is read as it was set`(
    seconds: Double
  ) throws {
    let simulation = try Simulation(link: "LTE", media: Self.stream)
    let item = try #require(simulation.player.currentItem)
    item.preferredForwardBufferDuration = seconds
    #expect(item.preferredForwardBufferDuration == seconds)
  }
}
