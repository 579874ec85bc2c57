import SimulatedWorld
import Testing

/// A link that is changed while something is under way on it.
@Suite struct LinkChangeTests {
  /// A megabit a second for a second, and then what the link is changed to: of 39 megabits.
  @Test(arguments: [(4_000, 10_750), (2_000, 20_500), (500, 79_000)] as [(Int64, Int64)])
  func `what is under way goes on at the new rate at once`(kilobits: Int64, end: Int64) throws {
    func limit(_ kilobits: Int64) -> DirectionConditions {
      DirectionConditions(bandwidth: .limited(.kilobitsPerSecond(kilobits)))
    }
    func schedule(_ kilobits: Int64) throws -> RateSchedule {
      let bandwidth = limit(kilobits).bandwidth
      return try RateSchedule(
        steps: [.init(duration: .seconds(9), bandwidth: bandwidth)], ending: .holds)
    }
    for isSchedule in [false, true] {
      let world =
        isSchedule
        ? try World(conditions: LinkConditions(), schedule: schedule(1_000))
        : try World(conditions: LinkConditions(downlink: limit(1_000)))
      let player = world.makePlayer()
      var completed: [Instant] = []
      player.observe { record in
        if case .requestCompleted = record.observation { completed.append(record.instant) }
      }
      let file = MediaFile(duration: .seconds(40), bitRate: .megabitsPerSecond(1))
      player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
      world.advance(by: .seconds(1))
      if isSchedule {
        try world.setSchedule(schedule(kilobits))
      } else {
        try world.setConditions(LinkConditions(downlink: limit(kilobits)))
      }
      world.advance(by: .seconds(90))
      #expect(completed == [.zero + .milliseconds(end)])
    }
  }
}
