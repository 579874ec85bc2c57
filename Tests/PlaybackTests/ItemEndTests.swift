import SimulatedWorld
import Testing

/// Where playback ends, and what happens there.
@Suite struct ItemEndTests {
  @Test func `an end set before the end is all that has to be reached`() throws {
    let bench = try Bench(speed: 500) { $0.forwardPlaybackEndTime = .seconds(10) }
    bench.player.play()
    #expect(bench.world.run() == .finished)
    #expect(try #require(bench.player.books.startupDelay).isAbout(10))
    #expect(bench.player.currentTime() == .seconds(10))
    #expect(bench.notes.observations.contains(.playedToEnd(.seconds(10))))
  }

  @Test func `an end set behind the playhead ends playback where it stands`() throws {
    let bench = try Bench(kind: .local)
    bench.player.play()
    bench.pass(8)
    bench.player.forwardPlaybackEndTime = .seconds(5)
    #expect(bench.player.timeControlStatus == .paused)
    #expect(bench.player.currentTime() == .seconds(8))
    #expect(bench.world.finish() == [])
  }

  @Test func `under none time goes on past the end until another action is set`() throws {
    let bench = try Bench(kind: .local)
    try bench.player.setActionAtItemEnd(.none)
    bench.player.play()
    bench.pass(45)
    #expect(bench.player.currentTime() == .seconds(45))
    #expect(bench.player.rate == .normal && bench.player.timeControlStatus == .playing)
    try bench.player.setActionAtItemEnd(.pause)
    #expect(bench.player.rate == .zero && bench.player.timeControlStatus == .paused)
    bench.pass(5)
    #expect(bench.player.currentTime() == .seconds(40))
    #expect(bench.notes.observations.count { $0 == .playedToEnd(.seconds(40)) } == 1)
    #expect(bench.world.finish() == [])
  }

  /// Of segments of 5 s those up to 10 s are loaded, and nothing behind them is asked for.
  @Test func `beyond the end of a stream the buffer is empty where its last segment ends`() throws {
    let world = try World(conditions: Bench.conditions(8_000))
    let player = world.makeQueuePlayer()
    var settings = ItemSettings(
      source: try PlainStream.source(segment: 5, hasAudio: false, key: nil))
    settings.forwardPlaybackEndTime = .seconds(8)
    let item = SimulatedPlayerItem(settings)
    try player.insert([item])
    try player.setActionAtItemEnd(.none)
    player.play()
    // A segment of 4 Mbit comes in half a second, with the playlists before it.
    world.advance(by: .seconds(10))
    let now = player.currentTime()
    #expect(now > .seconds(9) && now < .seconds(10))
    #expect(!item.isPlaybackBufferEmpty)
    world.advance(by: .milliseconds(600))
    #expect(item.isPlaybackBufferEmpty && player.timeControlStatus == .playing)
    #expect(world.finish() == [])
  }

  /// Ten seconds to the end, two at or beyond it, and five once the end is set further away.
  @Test(arguments: [ActionAtItemEnd.pause, .none])
  func `time beyond the end is not watched`(action: ActionAtItemEnd) throws {
    let bench = try Bench(speed: 8_000) { $0.forwardPlaybackEndTime = .seconds(10) }
    try bench.player.setActionAtItemEnd(action)
    bench.player.play()
    bench.pass(12)
    let ended = try #require(bench.player.accessLog).events
    #expect(ended.map { $0.durationWatched } == [.seconds(10)])
    bench.player.forwardPlaybackEndTime = .seconds(30)
    bench.player.play()
    bench.pass(5)
    let watched = try #require(bench.player.accessLog?.events.first).durationWatched
    #expect(watched > .milliseconds(14_900) && watched <= .seconds(15))
    #expect(bench.world.finish() == [])
  }

  /// Nothing followed upon anything where an item goes on after its end.
  @Test(arguments: [ActionAtItemEnd.pause, .none])
  func `an end that is set further away makes no transition`(action: ActionAtItemEnd) throws {
    let bench = try Bench(kind: .local) { $0.forwardPlaybackEndTime = .seconds(10) }
    try bench.player.setActionAtItemEnd(action)
    bench.player.play()
    bench.pass(12)
    bench.player.forwardPlaybackEndTime = .seconds(30)
    bench.player.play()
    bench.pass(4)
    #expect(bench.player.currentTime() == .seconds(action == .none ? 16 : 14))
    #expect(bench.player.books.transitionCount == 0)
    #expect(bench.world.finish() == [])
  }

  @Test func `the gap before an item is measured though its end is set meanwhile`() throws {
    let world = try World(conditions: Bench.conditions(2_000, delay: .seconds(5)))
    let player = world.makeQueuePlayer()
    for item in [
      Bench.item(duration: .seconds(3), kind: .local), Bench.item(duration: .seconds(20)),
    ] { try player.insert([world.makeItem(item)], after: nil) }
    player.play()
    world.advance(by: .milliseconds(3_200))
    #expect(player.books.transitionCount == 0 && player.currentTime() == .zero)
    player.forwardPlaybackEndTime = .seconds(9)
    world.advance(by: .seconds(30))
    #expect(player.books.transitionCount == 1)
    #expect(player.books.totalGap > .seconds(1))
    #expect(world.finish() == [])
  }

  @Test func `only a queue can advance`() throws {
    let bench = try Bench()
    #expect(throws: PlayerError.advanceNeedsQueue) {
      try bench.player.setActionAtItemEnd(.advance)
    }
  }
}
