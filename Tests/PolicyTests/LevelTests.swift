import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

@Suite struct LevelTests {
  /// Two seconds of a 60 s file of 8 Mbit/s are there, and 4 Mbit/s come in.
  private let file = ExampleFile(loaded: 2_000_000)

  @Test(arguments: [
    (Level.anything, true, ReadinessClause.anythingLoaded),
    (.media(.milliseconds(2_000)), true, .thresholdReached),
    (.media(.milliseconds(2_001)), false, .belowThreshold),
    (.media(.seconds(61)), false, .belowThreshold),
    (.playingTime(.seconds(2)), true, .thresholdReached),
    (.playingTime(.seconds(3)), false, .belowThreshold),
    (.bytes(2_000_000), true, .thresholdReached),
    (.bytes(2_000_001), false, .belowThreshold),
    (.segments(0), true, .thresholdReached),
    (.segments(1), false, .belowThreshold),
    (.sound(.seconds(2)), true, .thresholdReached),
    (.pictures(.seconds(3)), false, .belowThreshold),
    (.shareOfMediaLimit(1), false, .belowThreshold),
  ])
  func `an amount is there or it is not`(
    level: Level, answer: Bool, clause: ReadinessClause
  ) {
    let verdict = ReadinessRule.level(level).verdict(on: file.snapshot(.stall))
    #expect(verdict.answer == answer)
    #expect(verdict.clause == clause)
  }

  @Test(
    arguments: [
      (Level.media(.seconds(5)), 6_000), (.playingTime(.seconds(3)), 2_000),
      (.bytes(2_500_000), 1_000), (.shareOfMediaLimit(50), 116_000),
    ] as [(Level, Int64)])
  func `a mark is reached when its last byte comes`(level: Level, milliseconds expected: Int64) {
    let verdict = ReadinessRule.level(level).verdict(on: file.snapshot(.start))
    #expect(verdict.changesAt == milliseconds(expected))
  }

  @Test func `a mark in seconds of playing is farther away at a higher rate`() {
    let snapshot = file.snapshot(.start, rate: PlaybackRate(2))
    let verdict = ReadinessRule.level(.playingTime(.seconds(2))).verdict(on: snapshot)
    #expect(!verdict.answer)
    #expect(verdict.changesAt == seconds(4))
  }

  @Test func `a share of a limit is a mark where there is a limit`() {
    var snapshot = file.snapshot(.stall)
    snapshot.buffer.mediaLimit = .seconds(5)
    snapshot.buffer.byteLimit = 10_000_000
    let rule = ReadinessRule.any([
      .level(.shareOfMediaLimit(60)), .level(.shareOfByteLimit(21)),
    ])
    #expect(
      rule.verdict(on: snapshot)
        == ReadinessVerdict(
          false, .belowThreshold, changesAt: milliseconds(200)))
    snapshot.buffer.byteLimit = 9_000_000
    #expect(rule.verdict(on: snapshot).answer)
  }

  /// Half of a minute, and half of nine million bytes.
  @Test func `a share of a limit is reached to the nanosecond and the byte`() {
    var snapshot = file.snapshot(.stall)
    snapshot.buffer.mediaLimit = .seconds(60)
    snapshot.buffer.byteLimit = 9_000_000
    for (ahead, isEnough) in [(Int64(29_999_999_999), false), (30_000_000_000, true)] {
      snapshot.loadedEnd = snapshot.playhead + MediaTime(nanoseconds: ahead)
      #expect(
        ReadinessRule.level(.shareOfMediaLimit(50)).verdict(on: snapshot).answer == isEnough)
    }
    for (bytes, isEnough) in [(Int64(4_499_999), false), (4_500_000, true)] {
      snapshot.buffer.bytesAhead = bytes
      #expect(
        ReadinessRule.level(.shareOfByteLimit(50)).verdict(on: snapshot).answer == isEnough)
    }
  }

  /// Half of six seconds at twice the speed are six seconds of media.
  @Test func `a share of the offset from the live edge is a mark of playing time`() {
    var snapshot = file.snapshot(.stall, rate: PlaybackRate(2))
    let half = ReadinessRule.level(.shareOfLiveTarget(50))
    #expect(!half.verdict(on: snapshot).answer)
    snapshot.file = nil
    snapshot.source = .segmented
    snapshot.stream = StreamFacts()
    #expect(!half.verdict(on: snapshot).answer)
    snapshot.stream?.liveTarget = .seconds(6)
    for (ahead, isEnough) in [(Int64(5_999), false), (6_000, true), (6_001, true)] {
      snapshot.loadedEnd = snapshot.playhead + .milliseconds(ahead)
      #expect(half.verdict(on: snapshot).answer == isEnough, "\(ahead) ms")
    }
  }

  @Test func `what is arriving counts of a stream, as long as something can be played`() {
    var snapshot = file.snapshot(.stall)
    let rule = ReadinessRule.level(.mediaWithArriving(.seconds(1)))
    #expect(!rule.verdict(on: snapshot).answer)
    snapshot.file = nil
    snapshot.source = .segmented
    snapshot.stream = StreamFacts()
    snapshot.stream?.arriving = .milliseconds(900)
    for (ahead, isEnough) in [(Int64(0), false), (99, false), (100, true), (2_000, true)] {
      snapshot.loadedEnd = snapshot.playhead + .milliseconds(ahead)
      #expect(rule.verdict(on: snapshot).answer == isEnough, "\(ahead) ms")
    }
    snapshot.stream?.arriving = .seconds(5)
    snapshot.loadedEnd = snapshot.playhead
    #expect(!rule.verdict(on: snapshot).answer)
  }

  @Test func `sound and pictures have levels of their own where they come apart`() {
    var snapshot = file.snapshot(.stall)
    snapshot.buffer.soundAhead = .milliseconds(100)
    snapshot.buffer.pictureAhead = .seconds(9)
    #expect(!ReadinessRule.level(.sound(.milliseconds(200))).verdict(on: snapshot).answer)
    #expect(ReadinessRule.level(.pictures(.seconds(9))).verdict(on: snapshot).answer)
    let both = ReadinessRule.all([
      .level(.sound(.milliseconds(100))), .level(.pictures(.seconds(9))),
    ])
    #expect(both.verdict(on: snapshot).answer)
  }

  @Test func `whoever goes by a level plays on until it is dry`() {
    for level in [Level.media(.seconds(9)), .bytes(9_000_000), .segments(3)] {
      let verdict = ReadinessRule.level(level).verdict(on: file.snapshot(.nothing))
      #expect(verdict == ReadinessVerdict(true, .stillPlaying))
      let dry = ExampleFile(loaded: 0).snapshot(.nothing)
      #expect(!ReadinessRule.level(level).verdict(on: dry).answer)
    }
  }

  @Test func `however low the mark, something must be there, and none lies beyond the end`() {
    let empty = ExampleFile(loaded: 0).snapshot(.start)
    #expect(!ReadinessRule.level(.media(.zero)).verdict(on: empty).answer)
    #expect(!ReadinessRule.level(.anything).verdict(on: empty).answer)
    #expect(
      ReadinessRule.level(.anything).verdict(on: empty).changesAt
        == Instant(nanoseconds: 2_000))
    let nearEnd = ExampleFile(loaded: 60_000_000).snapshot(.start)
    #expect(
      ReadinessRule.level(.media(.seconds(99))).verdict(on: nearEnd)
        == ReadinessVerdict(true, .everythingLoaded))
  }
}

@Suite struct ReadinessRuleTests {
  private let file = ExampleFile(loaded: 2_000_000)
  private let three = ReadinessRule.level(.media(.seconds(3)))

  @Test func `one of several is enough, and the first that says yes is the reason`() {
    let rule = ReadinessRule.any([three, .after(.seconds(15)), .everythingLoaded])
    #expect(
      rule.verdict(on: file.snapshot(.stall, at: seconds(10), waitBegan: seconds(5)))
        == ReadinessVerdict(false, .belowThreshold, changesAt: seconds(12)))
    #expect(
      rule.verdict(on: file.snapshot(.stall, at: seconds(20), waitBegan: seconds(5)))
        == ReadinessVerdict(true, .waitedLongEnough))
  }

  @Test func `all have to say yes, and the first that says no is the reason`() {
    let rule = ReadinessRule.all([three, .after(.seconds(15))])
    #expect(
      rule.verdict(on: file.snapshot(.stall, at: seconds(10), waitBegan: seconds(5)))
        == ReadinessVerdict(false, .belowThreshold, changesAt: seconds(20)))
    let enough = ExampleFile(loaded: 3_000_000)
    #expect(
      rule.verdict(on: enough.snapshot(.stall, at: seconds(10), waitBegan: seconds(5)))
        == ReadinessVerdict(false, .notLongEnough, changesAt: seconds(20)))
    #expect(
      rule.verdict(on: enough.snapshot(.stall, at: seconds(20), waitBegan: seconds(5))).answer)
    #expect(ReadinessRule.all([]).verdict(on: file.snapshot(.stall)).answer)
  }

  @Test func `a player that polls sees a mark at its next look`() {
    let rule = ReadinessRule.every(
      .milliseconds(250), from: .wait, .level(.media(.seconds(2))))
    let began = milliseconds(1_100)
    let looks = [1_100, 1_349, 1_350, 1_351, 1_599, 1_600].map { time in
      rule.verdict(on: file.snapshot(.stall, at: milliseconds(time), waitBegan: began))
    }
    #expect(looks.map(\.answer) == [false, false, true, false, false, true])
    #expect(
      looks.map(\.changesAt) == [
        milliseconds(1_350), milliseconds(1_350), .distantFuture, milliseconds(1_600),
        milliseconds(1_600), .distantFuture,
      ])
    let fromRun = ReadinessRule.every(.milliseconds(250), from: .run, three)
    #expect(
      fromRun.verdict(on: file.snapshot(.stall, at: milliseconds(1_300), waitBegan: began))
        == ReadinessVerdict(false, .betweenLooks, changesAt: milliseconds(3_500)))
    #expect(
      fromRun.verdict(on: file.snapshot(.nothing, at: milliseconds(1_300)))
        == ReadinessVerdict(true, .stillPlaying))
  }

  @Test func `a start at an instant waits for it, and for something to play`() {
    let rule = ReadinessRule.at(seconds(7))
    #expect(
      rule.verdict(on: file.snapshot(.start, at: seconds(6)))
        == ReadinessVerdict(false, .timeHasNotCome, changesAt: seconds(7)))
    #expect(
      rule.verdict(on: file.snapshot(.start, at: seconds(7)))
        == ReadinessVerdict(true, .timeHasCome))
    #expect(
      rule.verdict(on: ExampleFile(loaded: 0).snapshot(.start, at: seconds(7))).clause
        == .nothingLoaded)
  }

  @Test func `nothing less than everything is everything`() {
    #expect(
      ReadinessRule.everythingLoaded.verdict(on: file.snapshot(.start))
        == ReadinessVerdict(false, .notEverythingLoaded, changesAt: seconds(116)))
  }

  @Test func `a mark rises with each wait that ends, and a seek may put it down`() {
    let level = EscalatingLevel(
      [.media(.milliseconds(100)), .media(.seconds(1)), .media(.seconds(2))], raise: .waitEnded,
      seekResets: true)
    let rule = ReadinessRule.escalating(level)
    var memory = ReadinessMemory()
    var marks: [Int32] = []
    for event in [PlayheadEvent.moved, .ranDry, .moved, .moved, .moved, .sought, .moved] {
      rule.hear(event, &memory)
      marks.append(memory.risen)
    }
    #expect(marks == [1, 1, 2, 2, 2, 0, 1])
    #expect(rule.verdict(on: file.snapshot(.stall), .line, .empty, memory).answer)
    memory.risen = 2
    let less = ExampleFile(loaded: 1_999_999)
    #expect(!rule.verdict(on: less.snapshot(.stall), .line, .empty, memory).answer)
  }

  @Test func `a call of the app raises the mark of a rule for autoplay, and of no other`() {
    for raise in EscalatingLevel.Raise.allCases {
      let rule = ReadinessRule.escalating(EscalatingLevel([.anything, .bytes(9)], raise: raise))
      var memory = ReadinessMemory()
      rule.hear(.asked, &memory)
      #expect(memory.risen == (raise == .waitOrCall ? 1 : 0), "\(raise)")
      rule.hear(.moved, &memory)
      #expect(memory.risen == (raise == .ranDry ? 0 : 1), "\(raise)")
    }
  }

  @Test func `a mark that rises with each underflow does not mind how a wait ends`() {
    let rule = ReadinessRule.any([
      .every(
        .seconds(1), from: .run,
        .escalating(EscalatingLevel([.anything, .bytes(9)], raise: .ranDry))), three,
    ])
    var memory = ReadinessMemory(of: rule)
    for event in [PlayheadEvent.moved, .moved, .sought] { rule.hear(event, &memory) }
    #expect(memory[0][0].risen == 0)
    rule.hear(.ranDry, &memory)
    #expect(memory[0][0].risen == 1)
  }
}
