import SimulatedWorld
import Testing

/// What a session costs, in figures that every machine counts alike.
@Suite struct StreamCostTests {
  /// Two hours of video with its audio apart, on a link that is another one each second.
  private func session() throws -> (world: World, player: SimulatedPlayer) {
    var description = LadderDescription(
      rungs: NamedLadder.appleH264.rungs, audio: [LadderAudio(name: "stereo", bitRate: 128_000)],
      segmentDuration: .seconds(6), duration: .seconds(7_200))
    description.sizes = .variable(seed: 503, peakPercent: 150)
    var random = RandomStream(seed: 503, name: "test/cost")
    let steps = (0..<600).map { _ in
      RateSchedule.Step(
        duration: .seconds(1),
        bandwidth: .limited(.kilobitsPerSecond(random.next(in: 1_000...9_000))))
    }
    let direction = DirectionConditions(delay: .milliseconds(25))
    let world = try World(
      conditions: LinkConditions(downlink: direction, uplink: direction),
      schedule: try RateSchedule(steps: steps, ending: .loops))
    let player = world.makePlayer()
    player.replaceCurrentItem(
      with: ItemSettings(
        source: .stream(StreamSettings(presentation: try Presentation(description)))))
    player.play()
    return (world, player)
  }

  @Test func `a late segment takes as many events and requests as an early one`() throws {
    let session = try session()
    var marks: [(events: Int64, requests: Int64)] = []
    // The first ten minutes fill the buffer; the link then goes through the same ones each time.
    for _ in 0..<11 {
      session.world.advance(by: .seconds(600))
      marks.append((session.world.eventCount, session.player.core.counts.requests))
    }
    let events = zip(marks.dropFirst(), marks).map { $0.0.events - $0.1.events }
    let requests = zip(marks.dropFirst(), marks).map { $0.0.requests - $0.1.requests }
    #expect(requests.allSatisfy { (195...230).contains($0) }, "\(requests)")
    #expect(events.allSatisfy { $0 <= 4 * 230 }, "\(events)")
    let (early, late) = (events[0] + events[1], events[8] + events[9])
    #expect(abs(late - early) * 20 <= early, "\(events)")
  }

  @Test func `what a player keeps does not grow with what it has played`() throws {
    let session = try session()
    session.world.advance(by: .seconds(900))
    var kept: [Int] = []
    for _ in 0..<9 {
      session.world.advance(by: .seconds(600))
      kept.append(session.player.core.keptCount)
    }
    #expect(session.player.currentTime() > .seconds(6_000))
    // 50 s are loaded ahead in segments of 6 s: nine and the one under way or being played in each
    // of two tracks, and what has just arrived.
    #expect(kept.allSatisfy { (16...28).contains($0) }, "\(kept)")
  }
}
