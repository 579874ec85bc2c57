import SimulatedWorld
import Testing

/// The on-stage demo of WWDC16 503: a 39 s file over a link at 0.858 of its bit rate.
@Suite struct DemoTests {
  let world: World
  let player: SimulatedPlayer

  init() throws {
    let rate = BitRate(bitsPerSecond: 1_716_000)
    world = try World(
      conditions: LinkConditions(downlink: DirectionConditions(bandwidth: .limited(rate))))
    player = world.makePlayer()
    let file = MediaFile(duration: .seconds(39), bitRate: .megabitsPerSecond(2))
    player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
  }

  @Test func `play waits until the end can be reached, then never stalls`() {
    world.when(.loaded(.milliseconds(300)), of: player) { [player] in player.play() }
    #expect(world.run() == .finished)
    #expect(player.books.startupDelay == .nanoseconds(6_104_895_105))
    #expect(player.books.stallCount == 0)
    #expect(world.finish() == [])
  }

  @Test func `playImmediately stalls once and never again`() {
    world.when(.loaded(.milliseconds(300)), of: player) { [player] in player.playImmediately() }
    #expect(world.run() == .finished)
    #expect(player.books.startupDelay == .zero)
    #expect(player.books.stallCount == 1)
    #expect(player.books.stalled == .nanoseconds(6_104_895_105))
    #expect(world.finish() == [])
  }
}
