import SimulatedWorld
import StreamingMedia
import TestSupport
import Testing

/// Files over packets: the player believes what it sees, and is held against the best start for the
/// very same arrivals.
@Suite struct PacketPredictionTests {
  /// A limited profile without loss, in kbit/s and milliseconds, and a file in percent of it.
  struct Example: CustomStringConvertible {
    var name: String
    var down: Int64
    var up: Int64
    var delays: (down: Int64, up: Int64)
    var percent: Int64
    var seed: UInt64

    var description: String { "\(name), a file of \(percent) %, seed \(seed)" }

    /// Between a minute and a minute and a half; a third of that in a debug build.
    var seconds: Int64 {
      var random = RandomStream(seed: seed, name: "\(name) \(percent)")
      return random.next(in: Seeds.areMany ? 60...90 : 20...30)
    }

    func player() throws -> (world: World, player: SimulatedPlayer) {
      let world = try World(
        conditions: LinkConditions(
          downlink: DirectionConditions(
            bandwidth: .limited(.kilobitsPerSecond(down)), delay: .milliseconds(delays.down)),
          uplink: DirectionConditions(
            bandwidth: .limited(.kilobitsPerSecond(up)), delay: .milliseconds(delays.up))),
        fidelity: .tcp, seed: seed)
      let player = world.makePlayer()
      let file = MediaFile(
        duration: .seconds(seconds), bitRate: .bitsPerSecond(down * 10 * percent))
      player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
      return (world, player)
    }

    /// The packets for which the queue had no room until a span after `play()`.
    func overflowed(until span: TimeSpan) throws -> Int64 {
      let (world, player) = try player()
      player.play()
      world.advance(by: span)
      return world.overflowed
    }

    /// The least wait with which nothing of these arrivals is late, read off the loaded edge.
    func bestStart(_ world: World, _ player: SimulatedPlayer) -> TimeSpan {
      var best = TimeSpan.zero
      while world.now < .zero + .seconds(600) {
        world.advance(by: .milliseconds(20))
        let edge = player.loadedTimeRanges.first?.upperBound ?? .zero
        if edge >= .seconds(seconds) { return best }
        best = max(best, (world.now - .zero) - TimeSpan(nanoseconds: edge.nanoseconds))
      }
      return .forever
    }
  }

  static let examples: [Example] = [
    ("3G", 780, 330, (100, 100)), ("DSL", 2_000, 256, (5, 5)), ("Edge", 240, 200, (400, 440)),
  ].flatMap { name, down, up, delays in
    [80, 100, 125].flatMap { percent in
      Seeds.first(1, inRelease: 4).map { seed in
        Example(
          name: name, down: down, up: up, delays: delays, percent: percent, seed: seed + 1)
      }
    }
  }

  @Test(arguments: Seeds.cases(of: examples))
  func `a start over packets is late enough not to stall and no later than it has to be`(
    example: Example
  ) throws {
    let (world, player) = try example.player()
    var changes = 0
    player.observe { if case .likelyToKeepUp = $0.observation { changes += 1 } }
    player.play()
    let best = example.bestStart(world, player)
    #expect(world.run() == .finished)
    #expect(world.finish() == [])
    let start = try #require(player.books.startupDelay)
    let latest = TimeSpan(nanoseconds: best.nanoseconds * 115 / 100) + .seconds(2)
    // A full queue of 100 packets takes 5 s to drain over Edge and 1.5 s over 3G. No player knows
    // before it starts that the queue will overflow.
    let overflowed = try example.overflowed(until: start)
    withKnownIssue("the queue overflows after the start", isIntermittent: true) {
      #expect(player.books.stallCount == 0)
    } when: {
      example.name != "DSL" && world.overflowed > overflowed
    }
    // A tenth of a wait that is long is more than what may be added to the best start.
    withKnownIssue("late by the margin for a long wait", isIntermittent: true) {
      #expect(start <= latest, "\(example): \(start), best \(best)")
    } when: {
      example.name != "DSL" && example.percent > 100
    }
    #expect(start <= latest + .seconds(3), "\(example): \(start), best \(best)")
    // Fewer than ten a minute.
    #expect(Int64(changes) * 6 <= example.seconds + 60, "\(changes) changes")
  }
}

extension World {
  fileprivate var overflowed: Int64 { link.packetBooks?.downlink.overflowed.packets ?? 0 }
}
