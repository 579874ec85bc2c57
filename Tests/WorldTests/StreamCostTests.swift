import SimulatedWorld
import Testing

/// What a session costs, in figures that every machine counts alike.
@Suite struct StreamCostTests {
  /// Two hours of video with its audio apart, on a link that is another one each second.
  private static func session() throws -> (world: World, player: SimulatedPlayer) {
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

  /// What is counted every ten minutes of it.
  private struct Mark {
    var events: Int64
    var requests: Int64
    var kept: Int
    var place: MediaTime
  }

  private static let marks = Result<[Mark], any Error> {
    let (world, player) = try session()
    return (0..<11).map { _ in
      world.advance(by: .seconds(600))
      return Mark(
        events: world.eventCount, requests: player.core.counts.requests,
        kept: player.core.keptCount, place: player.currentTime())
    }
  }

  @Test func `a late segment takes as many events and requests as an early one`() throws {
    // The first ten minutes fill the buffer; the link then goes through the same ones each time.
    let marks = try Self.marks.get()
    let events = zip(marks.dropFirst(), marks).map { $0.0.events - $0.1.events }
    let requests = zip(marks.dropFirst(), marks).map { $0.0.requests - $0.1.requests }
    #expect(requests.allSatisfy { (195...230).contains($0) }, "\(requests)")
    #expect(events.allSatisfy { $0 <= 4 * 230 }, "\(events)")
    let (early, late) = (events[0] + events[1], events[8] + events[9])
    #expect(abs(late - early) * 20 <= early, "\(events)")
  }

  @Test func `a stream that waits for its playlist keeps that request`() throws {
    let (world, player) = try Self.session()
    #expect(player.core.keptCount == 1)
    world.advance(by: .milliseconds(49))
    #expect(player.core.keptCount == 1)
  }

  @Test func `what a player keeps does not grow with what it has played`() throws {
    let marks = try Self.marks.get()
    let kept = marks.dropFirst().map { $0.kept }
    #expect(try #require(marks.last).place > .seconds(6_000))
    // 50 s are loaded ahead in segments of 6 s: nine and the one under way or being played in each
    // of two tracks, and what has just arrived.
    #expect(kept.allSatisfy { (16...28).contains($0) }, "\(kept)")
  }
}
