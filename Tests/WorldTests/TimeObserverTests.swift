import GoldilocksTesting
import Testing

/// Observers of boundary times where playback stops, changes its rate or jumps at such a time.
@Suite struct TimeObserverTests {
  private static let file = #"{ "progressive": { "duration": "30 s", "bitrate": "1 Mbit/s" } }"#
  private static let stream = #"""
    { "hls": { "duration": "40 s", "segmentDuration": "4 s",
      "ladder": [ { "bitrate": "1 Mbit/s" } ] } }
    """#
  private static let link = #"{ "bandwidth": "2 Mbit/s", "delay": "50 ms" }"#

  private final class Calls {
    var times: [Double] = []
  }

  private func observe(_ player: SimulatedPlayer, _ times: [Int64]) -> Calls {
    let calls = Calls()
    _ = player.addBoundaryTimeObserver(forTimes: times.map { .seconds($0) }) {
      calls.times.append(player.currentTime().seconds)
    }
    return calls
  }

  @Test func `the end of a file is reached`() throws {
    let simulation = try Simulation(link: Self.link, media: Self.file)
    let calls = observe(simulation.player, [10, 30])
    simulation.player.play()
    simulation.run()
    #expect(calls.times == [10, 30])
  }

  @Test func `a time at which playback stalls is reached once`() throws {
    let simulation = try Simulation(
      link: #"{ "bandwidth": "2 Mbit/s", "outages": [ { "from": "4.2 s", "for": "20 s" } ] }"#,
      media: Self.stream)
    let calls = observe(simulation.player, [8, 12])
    simulation.player.play()
    let run = simulation.run()
    #expect(run.stalls.map { $0.place } == [.seconds(8)])
    #expect(calls.times == [8, 12])
  }

  @Test(arguments: [0, 1.5] as [Float]) func `who changes the rate at a time hides it from nobody`(
    rate: Float
  ) throws {
    let simulation = try Simulation(link: Self.link, media: Self.file)
    let player = simulation.player
    var changes = 0
    let change = {
      changes += 1
      player.rate = rate
    }
    _ = player.addBoundaryTimeObserver(forTimes: [.seconds(5)], using: change)
    let calls = observe(player, [5, 9])
    player.play()
    simulation.advance(by: .seconds(7))
    #expect(changes == 1 && calls.times == [5])
    player.play()
    simulation.run()
    #expect(changes == 1 && calls.times == [5, 9])
  }

  @Test func `a periodic observer that changes the rate at a time does not hide it`() throws {
    let simulation = try Simulation(link: Self.link, media: Self.file)
    let player = simulation.player
    _ = player.addPeriodicTimeObserver(forInterval: .seconds(5)) {
      if $0 == .seconds(5), player.rate == 1 { player.rate = 1.5 }
    }
    let calls = observe(player, [5, 20])
    player.play()
    simulation.run()
    #expect(calls.times == [5, 20])
  }

  @Test(arguments: [Self.file, Self.stream], [3, 12, 24]) func `a time that is jumped over is not`(
    media: String, target: Int64
  ) throws {
    let simulation = try Simulation(link: Self.link, media: media)
    let calls = observe(simulation.player, [2, 6, 14, 26])
    simulation.player.play()
    simulation.advance(by: .seconds(2))
    simulation.player.seek(to: .seconds(target), toleranceBefore: .zero, toleranceAfter: .zero)
    simulation.advance(by: .seconds(1))
    simulation.player.pause()
    simulation.player.play()
    simulation.run()
    #expect(calls.times == [2, 6, 14, 26].filter { $0 > Double(target) })
  }

  @Test func `a tie to a host time jumps over what lies before it`() throws {
    let simulation = try Simulation(link: Self.link, media: Self.file)
    let player = simulation.player
    player.automaticallyWaitsToMinimizeStalling = false
    let calls = observe(player, [4, 8])
    simulation.advance(by: .seconds(10))
    try player.setRate(PlaybackRate(1), time: .seconds(6), atHostTime: simulation.world.now)
    simulation.run()
    #expect(calls.times == [8])
  }

  @Test func `what a live stream begins behind is not reached`() throws {
    let media = #"""
      { "hls": { "duration": "5 min", "segmentDuration": "4 s",
        "ladder": [ { "bitrate": "1 Mbit/s" } ],
        "live": { "window": "60 s", "startsWith": "100 s" } } }
      """#
    let simulation = try Simulation(link: Self.link, media: media)
    let calls = observe(simulation.player, [40, 95])
    simulation.player.play()
    simulation.advance(by: .seconds(20))
    #expect(calls.times == [95])
  }
}
