import LinkConditioner
import TestSupport
import Testing
import VirtualTime

/// Schedules of thousands of steps, and of nanoseconds: they cost what happens on them.
@Suite struct LongScheduleTests {
  /// When a response is there by adding up step by step, with nothing but integers.
  private func walked(
    _ steps: [(nanoseconds: Int64, bitsPerSecond: Int64)], bits: Int64, from start: Int64
  ) -> Int64 {
    let cycle = steps.reduce(0) { $0 + $1.nanoseconds }
    var (index, into) = (0, start % cycle)
    while into >= steps[index].nanoseconds {
      into -= steps[index].nanoseconds
      index += 1
    }
    var missing = Int128(bits) * 1_000_000_000
    var now = start
    while true {
      let step = steps[index]
      let brought = Int128(step.bitsPerSecond) * Int128(step.nanoseconds - into)
      if brought >= missing {
        let rate = Int128(step.bitsPerSecond)
        return now + Int64((missing + rate - 1) / rate)
      }
      missing -= brought
      now += step.nanoseconds - into
      into = 0
      index = (index + 1) % steps.count
    }
  }

  @Test(arguments: Seeds.first(16, inRelease: 60))
  func `a search over the sums finds what a walk finds`(seed: UInt64) throws {
    var draw = Draw(seed: seed, part: "long schedule")
    let steps = (0..<draw.within(30...600)).map { _ in
      (
        nanoseconds: Int64(draw.within(10_000...5_000_000)),
        bitsPerSecond: draw.chance(20) ? 0 : Int64(draw.magnitude(1...9_000_000))
      )
    }
    let schedule = try RateSchedule(
      steps: steps.map {
        .init(
          duration: .nanoseconds($0.nanoseconds),
          bandwidth: .limited(.bitsPerSecond($0.bitsPerSecond)))
      }, ending: .loops)
    if steps.allSatisfy({ $0.bitsPerSecond == 0 }) { return }
    for _ in 0..<20 {
      let bytes = Int64(draw.magnitude(1...3_000_000))
      let start = Int64(draw.below(4_000_000_000))
      let due = walked(steps, bits: 8 * bytes, from: start)
      #expect(
        try ScheduleTests.completion(schedule, bytes: bytes, at: Instant(nanoseconds: start))
          == Instant(nanoseconds: due))
    }
  }

  @Test(arguments: [1, 2, 3, 7, 40, 999, 4_999] as [Int64])
  func `steps of nanoseconds are a link at their mean`(nanoseconds: Int64) throws {
    let steps = [2_000_000, 0, 1_000_000].map {
      RateSchedule.Step(
        duration: .nanoseconds(nanoseconds), bandwidth: .limited(.bitsPerSecond($0)))
    }
    let schedule = try RateSchedule(steps: steps, ending: .loops)
    // A thousand bytes at a megabit a second: on average, two bits in two microseconds.
    let due = try #require(try ScheduleTests.completion(schedule, bytes: 1_000))
    let cycle = 3 * nanoseconds
    #expect(abs(due.nanoseconds - 8_000_000) <= 2 * cycle)
    let link = try Link(conditions: .perfect, schedule: schedule)
    let id = link.start(Request(bytes: 1_000_000), at: .zero)
    var events: [LinkEvent] = []
    link.advance(to: .zero, into: &events)
    let line = try #require(link.flow(of: id, at: .zero))
    // A line that ended with each step would wake whoever follows it a million times a second.
    #expect(line.validUntil.nanoseconds >= 10_000)
  }

  @Test func `a mean that leaves a remainder is rounded down`() throws {
    let steps: [RateSchedule.Step] = [(10, 1), (1, 0)].map {
      .init(
        duration: .nanoseconds($0.0), bandwidth: .limited(.bitsPerSecond($0.1)),
        latency: .nanoseconds($0.1))
    }
    let schedule = try RateSchedule(steps: steps, ending: .loops)
    // 2,520 units to a bit and nanosecond: 25,200 in eleven, of which 2,290 each are carried;
    // and ten nanoseconds of latency, of which none is left.
    #expect(
      try ScheduleTests.completion(schedule, bytes: 1) == Instant(nanoseconds: 8_803_493_450))
  }

  /// A byte at 800 kbit/s takes ten microseconds, and twice that at the mean of shorter steps.
  @Test(arguments: [(9_999, 20_000), (10_000, 10_000)] as [(Int64, Int64)])
  func `steps of ten microseconds are no mean`(nanoseconds: Int64, due: Int64) throws {
    let steps: [RateSchedule.Step] = [800_000, 0].map {
      .init(duration: .nanoseconds(nanoseconds), bandwidth: .limited(.bitsPerSecond($0)))
    }
    let schedule = try RateSchedule(steps: steps, ending: .loops)
    #expect(try ScheduleTests.completion(schedule, bytes: 1) == Instant(nanoseconds: due))
  }

  @Test func `the limit of the link holds before the mean is taken`() throws {
    let steps = [10_000_000, 0].map {
      RateSchedule.Step(duration: .nanoseconds(1), bandwidth: .limited(.bitsPerSecond($0)))
    }
    let schedule = try RateSchedule(steps: steps, ending: .loops)
    // Half the time four megabits a second, not half of ten.
    let due = try ScheduleTests.completion(schedule, bytes: 1_000, LinkConditions.down(4_000_000))
    #expect(due == .milliseconds(4))
  }

  @Test func `neighbours that are alike are one step`() throws {
    let steps = Array(repeating: ScheduleTests.step(1, 1_000_000), count: 5_000)
    let schedule = try RateSchedule(
      steps: steps + [ScheduleTests.step(1_000, 8_000)], ending: .loops)
    let link = try Link(conditions: .perfect, schedule: schedule)
    let id = link.start(Request(bytes: 2_000_000), at: .zero)
    var events: [LinkEvent] = []
    link.advance(to: .zero, into: &events)
    #expect(try #require(link.flow(of: id, at: .zero)).validUntil == .milliseconds(5_000))
  }

  /// Two minutes of the walk itself: a limit of the test counts the time that it waits for others.
  @Test func `a request over very many steps is found, not walked`() throws {
    let taken = try ContinuousClock().measure {
      try askOverNearlyACycle(of: Seeds.count(50_000, inRelease: 1_000_000))
    }
    #expect(taken < .seconds(120))
  }

  private func askOverNearlyACycle(of count: Int) throws {
    let steps = (0..<count).map { ScheduleTests.step(1, 1_000 * Int64($0 % 7)) }
    let schedule = try RateSchedule(steps: steps, ending: .loops)
    let link = try Link(conditions: .perfect, schedule: schedule)
    var events: [LinkEvent] = []
    for step in 0..<Int64(count / 20) {
      var now = Instant.zero + .milliseconds(step)
      let id = link.start(Request(bytes: Int64(count) * 37 / 100), at: now)
      link.advance(to: now, into: &events)
      // One step in seven is an outage, in which no response begins.
      if step % 7 == 0 {
        now = link.nextWake
        link.advance(to: now, into: &events)
      }
      #expect(link.nextWake - now > .milliseconds(Int64(count) * 98 / 100))
      link.cancel(id, at: now)
    }
  }
}
