import Foundation
import GoldilocksTesting
import PlayerInterfaces
import PlayerScreen
import Testing

/// The screen on five links, for a file, a stream and a live stream.
@MainActor @Suite struct ScreenTests {
  enum Media: String, CaseIterable {
    case file = """
      { "progressive": { "duration": "30 s", "bitrate": "1 Mbit/s" } }
      """
    case stream = """
      { "hls": { "duration": "30 s", "segmentDuration": "3 s",
        "ladder": [ { "bitrate": "300 kbit/s" }, { "bitrate": "1 Mbit/s" } ] } }
      """
    case live = """
      { "hls": { "duration": "600 s", "segmentDuration": "4 s", "live": { "window": "40 s" },
        "ladder": [ { "bitrate": "300 kbit/s" }, { "bitrate": "1 Mbit/s" } ] } }
      """
  }

  nonisolated static let cases = ["Wi-Fi", "LTE", "DSL", "3G", "Edge"].flatMap { link in
    Media.allCases.map { (link: link, media: $0) }
  }

  /// Runs what a viewer does.
  private func show<Result: Sendable>(
    _ link: String, _ media: Media,
    _ watch:
      @escaping @MainActor (
        PlayerScreenModel<SimulatedPlayer>, Simulation, VirtualClock
      ) async throws -> Result
  ) throws -> Result {
    let simulation = try Simulation(link: link, media: media.rawValue)
    return try VirtualTasks(of: simulation.world).run { @MainActor clock in
      let settings = try ItemSettings(media: media.rawValue)
      let screen = PlayerScreenModel(player: simulation.player, clock: clock) {
        simulation.world.makeItem(settings)
      }
      screen.open()
      return try await watch(screen, simulation, clock)
    }
  }

  @Test(arguments: cases) func `the spinner comes where a wait is longer than the patience`(
    link: String, media: Media
  ) throws {
    try show(link, media) { screen, simulation, clock in
      var waits: [Instant] = []
      var long = 0
      simulation.player.observe { [player = simulation.player] record in
        guard case .timeControl = record.observation else { return }
        if player.timeControlStatus == .waitingToPlayAtSpecifiedRate {
          if waits.isEmpty { waits = [record.instant] }
        } else if let began = waits.popLast(), record.instant - began >= .milliseconds(250) {
          long += 1
        }
      }
      screen.buttonTapped()
      try await clock.sleep(for: .seconds(120))
      #expect(!screen.isSpinnerVisible || screen.isLive)
      #expect(screen.spinnerCount == long || screen.isSpinnerVisible)
      #expect(screen.spinnerCount >= (link == "Edge" ? 1 : 0))
      #expect(link != "Wi-Fi" || media != .file || screen.spinnerCount == 0)
    }
  }

  @Test(arguments: cases) func `the scrubber, the label and the end card tell what is`(
    link: String, media: Media
  ) throws {
    try show(link, media) { screen, simulation, clock in
      screen.buttonTapped()
      try await clock.sleep(for: .seconds(25))
      #expect(abs(screen.position - simulation.player.currentTime().seconds) <= 0.5)
      #expect(screen.isLive == (media == .live))
      #expect((screen.quality == nil) == (media == .file))
      #expect(screen.buffered >= screen.position)
      if media == .live {
        #expect(screen.isAtLiveEdge)
      } else {
        #expect(screen.duration == 30)
        try await clock.sleep(for: .seconds(200))
        #expect(screen.isEndCardVisible && screen.isPlayButtonShown)
        #expect(screen.position == 30)
      }
    }
  }

  @Test(arguments: cases.filter { $0.media != .live }, [3.0, 12, 21])
  func `a scrub ends where the viewer let go`(
    setting: (link: String, media: Media), target: Double
  ) throws {
    try show(setting.link, setting.media) { screen, simulation, clock in
      screen.buttonTapped()
      try await clock.sleep(for: .seconds(2))
      screen.beginScrubbing()
      screen.scrub(to: target)
      let before = simulation.player.currentTime()
      try await clock.sleep(for: .seconds(1))
      #expect(screen.position == target && simulation.player.currentTime() >= before)
      screen.endScrubbing()
      try await clock.sleep(for: .seconds(60))
      #expect(!screen.isScrubbing && screen.position >= target)
      #expect(!screen.isEndCardVisible || screen.position == 30)
    }
  }

  @Test(arguments: ["Wi-Fi", "LTE", "DSL", "3G"]) func `the live button goes back to the edge`(
    link: String
  ) throws {
    try show(link, .live) { screen, simulation, clock in
      screen.buttonTapped()
      try await clock.sleep(for: .seconds(20))
      #expect(screen.isAtLiveEdge)
      screen.enteredBackground()
      #expect(screen.isPlayButtonShown)
      try await clock.sleep(for: .seconds(25))
      screen.enteredForeground()
      try await clock.sleep(for: .seconds(1))
      #expect(!screen.isAtLiveEdge)
      screen.liveTapped()
      try await clock.sleep(for: .seconds(5))
      #expect(screen.isAtLiveEdge && !screen.isPlayButtonShown)
    }
  }

  @Test func `a failed item can be retried where it was`() throws {
    let media = Media.stream.rawValue
    let simulation = try Simulation(
      link: "LTE", media: media,
      more: ["faults": #"[ { "status": 404, "requests": [ 1, 5 ] } ]"#])
    try VirtualTasks(of: simulation.world).run { @MainActor clock in
      let settings = try ItemSettings(media: media)
      let screen = PlayerScreenModel(player: simulation.player, clock: clock) {
        simulation.world.makeItem(settings)
      }
      screen.open()
      screen.buttonTapped()
      try await clock.sleep(for: .seconds(30))
      #expect(screen.canRetry && !screen.isSpinnerVisible)
      screen.retry()
      try await clock.sleep(for: .seconds(60))
      #expect(!screen.canRetry && screen.isEndCardVisible)
    }
  }

  @Test func `no brief wait shows a spinner`() throws {
    let simulation = try Simulation(
      link: "LTE", media: Media.file.rawValue, player: #"{ "evaluationPeriod": "800 ms" }"#)
    try VirtualTasks(of: simulation.world).run { @MainActor clock in
      let settings = try ItemSettings(media: Media.file.rawValue)
      let screen = PlayerScreenModel(player: simulation.player, clock: clock) {
        simulation.world.makeItem(settings)
      }
      screen.open()
      try await clock.sleep(for: .milliseconds(100))
      screen.buttonTapped()
      try await clock.sleep(for: .milliseconds(500))
      #expect(simulation.player.reasonForWaitingToPlay == .evaluatingBufferingRate)
      try await clock.sleep(for: .seconds(60))
      #expect(screen.spinnerCount == 0)
    }
  }
}
