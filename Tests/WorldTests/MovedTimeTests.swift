import GoldilocksTesting
import Testing

/// Ways to move the time of a simulation, and the instants at which it stands.
@Suite struct MovedTimeTests {
  private static let file = #"{ "progressive": { "duration": "30 s", "bitrate": "1 Mbit/s" } }"#
  private static let stream = #"""
    { "hls": { "duration": "40 s", "segmentDuration": "4 s",
      "ladder": [ { "bitrate": "500 kbit/s" }, { "bitrate": "1 Mbit/s" } ] } }
    """#
  private static let slow = #"{ "bandwidth": "800 kbit/s", "delay": "50 ms" }"#

  enum Way: CaseIterable {
    case world, condition, events, tasks

    func move(_ simulation: Simulation, to end: Instant) throws {
      let world = simulation.world
      switch self {
      case .world: world.advance(to: end)
      case .condition:
        world.run { world.nextInstant > Instant(seconds: 12) }
        world.advance(to: end)
      case .events: while world.now < end { world.advance(to: min(end, world.nextInstant)) }
      case .tasks:
        try VirtualTasks(of: world).run {
          try await $0.sleep(for: .nanoseconds((end - Instant.zero).nanoseconds))
        }
      }
    }
  }

  @Test(arguments: Way.allCases, [stream, file])
  func `the trace is the same whoever moves time`(way: Way, media: String) throws {
    for fidelity in ["fluid", "tcp"] {
      var traces: [String] = []
      for way in [nil, way] {
        let simulation = try Simulation(
          link: Self.slow, media: media, more: ["fidelity": "\"\(fidelity)\""])
        simulation.player.play()
        let end = Instant(seconds: 25.2)
        if let way { try way.move(simulation, to: end) } else { simulation.advance(to: end) }
        #expect(simulation.world.now == end)
        simulation.player.pause()
        traces.append(simulation.run().trace)
      }
      #expect(traces[0] == traces[1])
    }
  }

  @Test func `a simulation that is let go of before its end lets go of its world`() throws {
    var simulation: Simulation? = try Simulation(link: "LTE", media: Self.file)
    weak let world = simulation?.world
    simulation?.player.play()
    simulation?.advance(by: .seconds(3))
    var player = simulation?.player
    simulation = nil
    // A player that is held alone may still be used.
    world?.advance(by: .seconds(3))
    #expect(player?.currentTime() ?? .zero > .seconds(5))
    player = nil
    #expect(world == nil)
  }

  // MARK: Where time does not move

  @Test func `after the end of its run time stands`() async {
    await #expect(processExitsWith: .failure) {
      let simulation = try Simulation(link: "LTE", media: Self.file)
      simulation.run()
      simulation.advance(by: .seconds(1))
    }
  }

  @Test func `within a callback time stands`() async {
    await #expect(processExitsWith: .failure) {
      let world = try World()
      let player = world.makePlayer()
      player.observe { _ in world.advance(by: .seconds(1)) }
      player.play()
    }
  }

  // MARK: Sleep

  @Test func `a cancelled sleep does not prolong the run`() throws {
    let simulation = try Simulation(link: "LTE", media: Self.file)
    simulation.player.play()
    var called = false
    try VirtualTasks(of: simulation.world).run { clock in
      let sleeper = Task { try await clock.sleep(for: .seconds(3_500)) }
      try await clock.sleep(for: .seconds(2))
      sleeper.cancel()
      if case .success = await sleeper.result { Issue.record("a cancelled sleep throws") }
    }
    // The place of its timer is free for another one.
    simulation.world.after(.seconds(1)) { called = true }
    let run = simulation.run()
    #expect(called && run.end == .finished)
    #expect(run.ended < Instant(seconds: 40))
  }

  @Test func `a sleep may be cancelled when the run is over`() async throws {
    let simulation = try Simulation(link: "LTE", media: Self.file)
    let sleeper = try VirtualTasks(of: simulation.world).run { clock in
      let sleeper = Task { try await clock.sleep(for: .seconds(3_500)) }
      try await clock.sleep(for: .seconds(2))
      return sleeper
    }
    simulation.run()
    sleeper.cancel()
    if case .success = await sleeper.result { Issue.record("a cancelled sleep throws") }
  }

  @Test(arguments: [1_000_000_000, 10_000_000_000, Int64.max] as [Int64])
  func `a sleep beyond the end of every run waits in vain`(seconds: Int64) throws {
    let world = try World()
    #expect(throws: VirtualDeadlock.self) {
      try VirtualTasks(of: world).run { try await $0.sleep(for: .seconds(seconds)) }
    }
    try VirtualTasks(of: world).run {
      try await $0.sleep(until: $0.now.advanced(by: .seconds(-seconds)))
    }
    #expect(world.now == .zero)
  }
}
