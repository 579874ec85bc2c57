import GoldilocksTesting
import ScenarioFormat
import ScenarioRunner
import Testing

/// Items that an app makes itself, on the player of a simulation.
@Suite struct AppsOwnItemTests {
  private static let file = #"{ "progressive": { "duration": "8 s", "bitrate": "1 Mbit/s" } }"#
  private static let stream = #"""
    { "hls": { "duration": "40 s", "segmentDuration": "4 s", "ladder": [
      { "bitrate": "300 kbit/s" }, { "bitrate": "500 kbit/s" }, { "bitrate": "1 Mbit/s" } ] } }
    """#
  private static let link = #"{ "bandwidth": "2 Mbit/s", "delay": "50 ms" }"#

  private func reported(_ run: ScenarioRun) throws -> RunOutcome {
    try report(on: Array(run.trace.utf8), file: "trace").outcome
  }

  @Test func `an item of the app's own is in the summary of the trace`() throws {
    let simulation = try Simulation(
      link: Self.link, media: Self.file, player: #"{ "item": "byScript" }"#)
    simulation.player.replaceCurrentItem(
      with: simulation.world.makeItem(try ItemSettings(media: Self.stream)))
    simulation.player.play()
    let outcome = try reported(simulation.run())
    #expect(outcome.itemLogs.count == 1)
    #expect(
      outcome.logs.accessLog?.events.map { $0.durationWatched }.reduce(.zero, +) == .seconds(40))
    // Its variants are not the scenario's.
    #expect(outcome.itemLogs.first?.playedMedia == nil)
    #expect(outcome.itemLogs.first?.logs.indicators.shownVariants.isEmpty == false)
  }

  @Test func `items of the app and of the scenario stand in the order in which they came`() throws {
    let simulation = try Simulation(link: Self.link, media: Self.file)
    let (world, player) = (simulation.world, simulation.player)
    let own = [Self.stream, Self.file].map { try? ItemSettings(media: $0) }
    player.play()
    for settings in own {
      simulation.advance(by: .seconds(3))
      player.replaceCurrentItem(with: world.makeItem(try #require(settings)))
      simulation.advance(by: .seconds(3))
      // The scenario's media again.
      player.replaceCurrentItem(with: simulation.item())
    }
    let outcome = try reported(simulation.run())
    #expect(outcome.itemLogs.map { $0.playedMedia } == ["media", nil, "media", nil, "media"])
    #expect(
      outcome.itemLogs.map { $0.item } == (1...5).map { "item \($0)" })
    let watched = outcome.itemLogs.map {
      $0.logs.accessLog?.events.reduce(MediaTime.zero) { $0 + $1.durationWatched }
    }
    #expect(watched.last == .seconds(8) && watched.allSatisfy { $0 ?? .zero > .milliseconds(500) })
    #expect(outcome.logs.accessLog == outcome.itemLogs.last?.logs.accessLog)
  }

  @Test func `in a queue the scenario's items keep their names beside the app's own`() throws {
    let simulation = try Simulation(
      link: Self.link, media: Self.file,
      more: ["items": #"[ { "name": "a" }, { "name": "b" } ]"#, "queue": #"[ "a", "b" ]"#])
    let queue = try #require(simulation.queuePlayer)
    queue.insert(simulation.world.makeItem(try ItemSettings(media: Self.stream)), after: nil)
    queue.play()
    let outcome = try reported(simulation.run())
    #expect(outcome.itemLogs.map { $0.playedMedia } == ["a", "b", nil])
    #expect(outcome.itemLogs.last?.logs.accessLog?.events.isEmpty == false)
  }

  @Test func `what a further player plays of the app's own is listed with its name`() throws {
    let simulation = try Simulation(
      #"""
      { "link": \#(Self.link), "media": \#(Self.file),
        "players": [
          { "name": "guest", "media": \#(Self.file), "player": { "item": "byScript" } } ] }
      """#)
    let guest = try #require(simulation["guest"])
    guest.replaceCurrentItem(with: simulation.world.makeItem(try ItemSettings(media: Self.stream)))
    guest.play()
    let outcome = try reported(simulation.run())
    #expect(outcome.itemLogs.map { $0.player } == [nil, "guest"])
    #expect(outcome.itemLogs.last?.logs.accessLog?.events.isEmpty == false)
  }
}
