import LinkConditioner
import Testing
import VirtualTime

/// The lines that a link gives out, against what it then does.
@Suite struct FlowTests {
  @Test(arguments: 0..<40)
  func `a line holds until it says, and leads to the completion that comes`(seed: Int) throws {
    var random = SeededGenerator(UInt64(seed) &+ 77)
    let steps = (0..<random.next(in: 1...5)).map { _ in
      RateSchedule.Step(
        duration: .nanoseconds(random.next(in: 1...40_000_000)),
        bandwidth: .limited(.bitsPerSecond(random.next(in: 1...9_000_000))))
    }
    let schedule = try RateSchedule(steps: steps, ending: .loops)
    let link = try Link(conditions: .perfect, schedule: schedule)
    let ids = (0..<random.next(in: 1...13)).map { _ in
      link.start(Request(bytes: random.next(in: 1...20_000)), at: .zero)
    }
    var events: [LinkEvent] = []
    var now = Instant.zero
    link.advance(to: now, into: &events)
    var checked = 0
    while link.nextWake < .distantFuture {
      var until = link.nextWake
      var predicted: [(id: TransferID, line: ByteFlow)] = []
      for id in ids {
        guard let (line, validUntil) = link.flow(of: id, at: now) else { continue }
        #expect(now < validUntil && validUntil <= link.nextWake)
        #expect(link.arrivedBytes(of: id, at: now) == line.bytes(at: now), "seed \(seed)")
        until = min(until, validUntil)
        predicted.append((id, line))
      }
      if until == link.nextWake {
        events = []
        link.advance(to: until, into: &events)
      }
      for (id, line) in predicted {
        guard let (next, _) = link.flow(of: id, at: until) else { continue }
        #expect(line.bytes(at: until) == next.bytes(at: until), "seed \(seed)")
        #expect(link.arrivedBytes(of: id, at: until) == next.bytes(at: until), "seed \(seed)")
        checked += 1
      }
      now = until
    }
    #expect(checked > 0 || ids.count == 1)
    let total = link.books(at: now)
    #expect(total.balance && total.outstanding == 0 && total.delivered == total.requested)
  }

  @Test func `a line reaches the size at the completion`() throws {
    let link = try Link(conditions: .down(999_983))
    let id = link.start(Request(bytes: 54_321), at: .zero)
    _ = link.run(until: .zero)
    let (line, validUntil) = try #require(link.flow(of: id, at: .zero))
    #expect(line.instant(reaching: 54_321) == link.nextWake)
    #expect(validUntil == link.nextWake)
  }

  @Test func `there is no line before the response`() throws {
    let link = try Link(conditions: .down(1_000, delay: .seconds(1)))
    let id = link.start(Request(bytes: 10), at: .zero)
    #expect(link.flow(of: id, at: .zero) == nil)
    #expect(link.arrivedBytes(of: id, at: .zero) == nil)
  }

  @Test func `a step of a schedule is no event`() throws {
    let steps = (1...100).map {
      RateSchedule.Step(
        duration: .milliseconds(10), bandwidth: .limited(.kilobitsPerSecond($0)))
    }
    let link = try Link(
      conditions: .perfect, schedule: RateSchedule(steps: steps, ending: .holds))
    // 10 ms at 1 to 100 kbit/s bring 50,500 bits, the rest comes at 100 kbit/s.
    let id = link.start(Request(bytes: 7_000), at: .zero)
    let told = link.run()
    #expect(told.map(\.event) == [.responded(id, owner: 0), .completed(id, owner: 0)])
    #expect(told.last?.at == .milliseconds(1_055))
  }
}
