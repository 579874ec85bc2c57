import SimulatedPlayback
import Testing

/// How often the settle steps may begin anew at an instant.
@Suite struct TurnsTests {
  @Test func `the settle steps begin anew a bounded number of times`() {
    var turns = Turns(queued: 0)
    var count = 0
    while turns.take(queued: 0) { count += 1 }
    #expect(count == Turns.most)
    let isMore = turns.take(queued: 0)
    #expect(!isMore)
  }

  @Test func `an item that leaves the queue brings new turns, one that comes does not`() {
    var turns = Turns(queued: 3)
    for _ in 0..<Turns.most { _ = turns.take(queued: 3) }
    #expect(turns.left == 0)
    let withMore = turns.take(queued: 4)
    #expect(!withMore)
    let withLess = turns.take(queued: 2)
    #expect(withLess && turns.left == Turns.most - 1)
  }

  @Test func `a queue that is emptied and filled again has an end`() {
    var turns = Turns(queued: 1)
    var count = 0
    for round in 0... {
      if !turns.take(queued: round % 2) { break }
      count += 1
    }
    // The item that left at once counts once, however often another takes its place.
    #expect(count == Turns.most)
  }
}
