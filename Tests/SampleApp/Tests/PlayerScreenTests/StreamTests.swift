import GoldilocksTesting
import PlayerScreen
import Testing

/// The same screen over streams, which are described as in a scenario file.
@Suite struct StreamTests {
  @Test func `a stream that stalls brings the spinner back, once`() throws {
    let simulation = try Simulation(
      link: #"{ "bandwidth": "3 Mbit/s", "delay": "40 ms" }"#,
      media: #"""
        { "hls": { "duration": "30 s", "segmentDuration": "6 s",
          "ladder": [ { "bitrate": "2 Mbit/s" } ] } }
        """#,
      player: #"{ "preferredForwardBufferDuration": "12 s" }"#)
    let screen = PlayerScreenModel(player: simulation.player) { seconds, action in
      simulation.world.after(TimeSpan(seconds: seconds), action)
    }
    simulation.player.observe { _ in screen.playerChanged() }
    screen.buttonTapped()
    simulation.advance(by: .seconds(14))
    try simulation.world.setConditions(LinkConditions(downlink: .init(bandwidth: .limited(.zero))))
    simulation.advance(by: .seconds(20))
    #expect(screen.isSpinnerVisible)
    try simulation.world.setConditions(.perfect)
    let run = simulation.run()
    #expect(run.stalls.count == 1, "\(run)")
    #expect(!screen.isSpinnerVisible)
  }

  @Test func `async code runs in virtual time`() throws {
    let simulation = try Simulation(
      link: "3G", media: #"{ "progressive": { "duration": "60 s", "bitrate": "400 kbit/s" } }"#)
    simulation.player.play()
    let slept = try VirtualTasks(of: simulation.world).run { clock in
      let start = clock.now
      try await clock.sleep(for: .seconds(90))
      return start.duration(to: clock.now)
    }
    #expect(slept == .seconds(90))
    #expect(simulation.player.currentTime() == .seconds(60))
  }
}
