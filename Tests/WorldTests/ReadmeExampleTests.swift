import SimulatedWorld
import Testing

/// The test that the README shows, word for word.
@Suite struct ReadmeExampleTests {
  @Test func `the spinner is gone before the viewer is`() throws {
    // Ten seconds at 2 Mbit/s, over a link that brings 1.6.
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(bandwidth: .limited(.kilobitsPerSecond(1_600)))))
    let player = world.makePlayer()
    let clip = MediaFile(duration: .seconds(10), bitRate: .megabitsPerSecond(2))
    player.replaceCurrentItem(with: ItemSettings(source: .progressive(clip)))

    var stalls = 0
    player.observe { record in
      if case .stalled = record.observation { stalls += 1 }
    }

    player.play()
    world.advance(by: .seconds(2))
    #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
    #expect(player.reasonForWaitingToPlay == .toMinimizeStalls)

    world.advance(by: .seconds(1))
    #expect(player.timeControlStatus == .playing)
    #expect(player.currentTime() == .milliseconds(500))

    #expect(world.run() == .finished)
    #expect(stalls == 0)
  }
}
