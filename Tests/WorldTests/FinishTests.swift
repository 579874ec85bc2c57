import SimulatedWorld
import StreamingMedia
import Testing

/// Calls on a world whose run is over.
@Suite struct FinishTests {
  @Test(arguments: 0...3)
  func `who asks to be called back after the end of a run is kept waiting`(before: Int) throws {
    let world = try World()
    let player = world.makePlayer()
    let file = MediaFile(duration: .seconds(9), bitRate: .megabitsPerSecond(1))
    player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
    var called = 0
    for number in 0..<before { world.after(.seconds(Int64(number))) { called += 1 } }
    world.advance(by: .seconds(4))
    #expect(called == before)
    #expect(world.finish() == [])
    // Places of timers that had fired went with them.
    for _ in 0..<4 { world.after(.seconds(1)) { called += 1 } }
    let token = world.observe { _ in called += 1 }
    world.stopObserving(token)
    #expect(called == before && world.finish() == [])
  }
}
