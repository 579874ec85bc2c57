import SimulatedPlayback
import Testing

/// What is done at a settled instant, in which order, and how often it may begin anew.
@Suite struct DutyTests {
  /// The duties from one on, in the order in which they are done.
  private func duties(from first: Duty) -> [Duty] {
    Array(sequence(first: first) { $0.next })
  }

  @Test func `a settled instant has its duties in this order`() {
    #expect(
      duties(from: .first(hasNews: false)) == [
        .giveUpFailed, .load, .lookAhead, .parse, .prerollAhead, .followLive, .leavePipeline,
        .movePlayhead, .completeSeek, .startOnHostTime, .judge, .adoptMode, .announce, .noteReady,
        .notePictures, .failPlayedOut, .restoreOffset, .offerBuffer, .endEvaluation,
      ])
  }

  @Test func `what has happened is told with a buffer that was just judged`() {
    let told = duties(from: .first(hasNews: true))
    #expect(told.prefix(3) == [.judge, .adoptMode, .announce])
  }

  @Test func `every duty has its place`() {
    #expect(duties(from: .first(hasNews: false)) == Duty.allCases)
  }

  @Test(arguments: [
    // What is read decides what the playhead will meet.
    (Duty.load, Duty.movePlayhead), (.load, .judge),
    // The current item comes before those to come.
    (.load, .lookAhead), (.parse, .prerollAhead),
    // The playhead stands where it belongs before anybody judges what is under it.
    (.followLive, .judge), (.movePlayhead, .judge), (.startOnHostTime, .judge),
    // An item is ready before it fails, and the machine hears of the buffer last.
    (.noteReady, .failPlayedOut), (.restoreOffset, .offerBuffer), (.judge, .offerBuffer),
  ])
  func `what needs another duty comes after it`(before: Duty, after: Duty) {
    #expect(before.rawValue < after.rawValue)
  }

  /// The duties that concern an item of which something is so, beside those that always do.
  private func duties(where isSo: (inout DutyFacts) -> Void) -> [Duty] {
    var facts = DutyFacts()
    let always = all(of: facts)
    isSo(&facts)
    return all(of: facts).filter { !always.contains($0) }
  }

  private func all(of facts: DutyFacts) -> [Duty] {
    var set = DutySet(facts)
    var duties: [Duty] = []
    while let duty = set.take(from: .giveUpFailed) { duties.append(duty) }
    return duties
  }

  @Test func `what concerns every item`() {
    #expect(all(of: DutyFacts()) == [.load, .movePlayhead, .judge, .failPlayedOut, .offerBuffer])
  }

  @Test func `what concerns an item of which something is so`() {
    #expect(duties { $0.hasFailed = true } == [.giveUpFailed])
    #expect(duties { $0.looksAhead = true } == [.lookAhead])
    #expect(duties { $0.isUnparsed = true } == [.parse])
    #expect(duties { $0.hasFollowers = true } == [.prerollAhead])
    #expect(duties { $0.isLive = true } == [.followLive, .restoreOffset])
    #expect(duties { $0.stands = true } == [.leavePipeline])
    #expect(duties { $0.isSeeking = true } == [.completeSeek])
    #expect(duties { $0.awaitsHostTime = true } == [.startOnHostTime])
    #expect(duties { $0.hasNews = true } == [.adoptMode, .announce])
    #expect(duties { $0.isUnready = true } == [.noteReady])
    #expect(duties { $0.showsPictures = true } == [.notePictures])
    #expect(duties { $0.isEvaluating = true } == [.endEvaluation])
  }

  @Test func `each duty concerns somebody, and all of them in their order`() {
    var facts = DutyFacts()
    facts.hasFailed = true
    facts.looksAhead = true
    facts.isUnparsed = true
    facts.hasFollowers = true
    facts.isLive = true
    facts.stands = true
    facts.isSeeking = true
    facts.awaitsHostTime = true
    facts.hasNews = true
    facts.isUnready = true
    facts.showsPictures = true
    facts.isEvaluating = true
    #expect(all(of: facts) == Duty.allCases)
    var told = DutySet(facts)
    #expect(told.take(from: .first(hasNews: true)) == .judge)
    #expect(told.take(from: .first(hasNews: true)) == .adoptMode)
    #expect(!DutySet(DutyFacts()).contains(.announce) && DutySet(facts).contains(.announce))
  }

  @Test func `the list begins anew a bounded number of times`() {
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
