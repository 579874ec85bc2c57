import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// Rules that remember something of a wait: since when a queue fills, how late media came, and how
/// often a mark was too high.
@Suite struct WaitMemoryTests {
  private func policy(_ rule: ReadinessRule) throws -> Policy {
    try Policy(
      PolicyDescription(
        start: rule, resume: rule, exits: .none,
        estimator: EstimatorSeat(EstimatorDescription(.history(.sinceBeginning))), fetch: .unlimited
      ))
  }

  /// A stream that stands at a place with so much ahead.
  private func stream(
    _ wait: Wait, at now: Instant, place: Int64 = 0, ahead: Int64 = 0
  ) -> Snapshot {
    Snapshot(
      now: now, source: .segmented, wait: wait, playhead: .milliseconds(place),
      loadedEnd: .milliseconds(place + ahead), end: .seconds(600),
      stream: StreamFacts(
        nextSegment: Int((place + ahead) / 2_000), request: RequestFacts(began: .zero)))
  }

  // MARK: Marks

  /// Polled each half second, it passes marks of 1 and 2 s with 3 s ahead while it plays.
  @Test(
    arguments: [(2_999, false), (3_000, false), (3_999, false), (4_000, true), (5_000, true)]
      as [(Int64, Bool)])
  func `a mark within other rules rises at looks while media moves, as alone`(
    ahead: Int64, answer: Bool
  ) throws {
    let marks = [1, 2, 4].map { Level.media(.seconds($0)) }
    let polled = ReadinessRule.every(
      .milliseconds(500), from: .run, .escalating(EscalatingLevel(marks, raise: .waitEnded)))
    for rule in [
      polled, .any([.everythingLoaded, polled]), .all([.level(.anything), polled]),
      .any([.after(.seconds(3_600)), .all([polled])]),
    ] as [ReadinessRule] {
      var policy = try policy(rule)
      var judgement = policy.judgement()
      func asked(_ wait: Wait, _ now: Int64, ahead: Int64) -> Bool {
        policy.readiness(
          ExampleFile(loaded: (now + ahead) * 1_000).snapshot(
            wait, at: milliseconds(now), playhead: .milliseconds(now)), .empty, &judgement
        ).answer
      }
      for now in [0, 500, 1_000] as [Int64] { _ = asked(.nothing, now, ahead: 3_000) }
      #expect(asked(.stall, 1_500, ahead: ahead) == answer, "\(rule)")
    }
  }

  // MARK: Queues

  /// Media of 8 Mbit/s over a fraction of that: what lies downstream comes first, and then the
  /// queue fills for as long as it holds, or until it holds so much media.
  @Test(
    arguments: [
      (4, 1_000, 2_000, 4_000, 2_000), (2, 1_000, 2_000, 6_000, 1_500),
      (6, 1_500, 3_000, 5_000, 3_750), (8, 1_000, 2_000, 3_000, 3_000),
      (16, 1_000, 2_000, 1_500, 3_000), (32, 2_800, 4_600, 1_850, 7_400),
      (4, 2_800, 4_600, 10_200, 5_100), (1, 500, 700, 4_700, 588),
      (10, 930, 1_980, 2_328, 2_910), (5, 0, 2_000, 2_000, 1_250),
    ] as [(Int64, Int64, Int64, Int64, Int64)])
  func `a queue is full by media or by how long it has filled`(
    megabits: Int64, downstream: Int64, holds: Int64, full: Int64, media: Int64
  ) throws {
    let level = QueueLevel(downstream: .milliseconds(downstream), span: .milliseconds(holds))
    var policy = try policy(.queue(level))
    var judgement = policy.judgement()
    var file = ExampleFile(link: megabits * 1_000_000)
    var now: Int64 = 0
    // It is asked when it says so, and otherwise not.
    for _ in 0..<8 {
      file.loaded = now * megabits * 125
      let verdict = policy.readiness(
        file.snapshot(.start, at: milliseconds(now)), .empty, &judgement)
      if verdict.answer { break }
      let next = (verdict.changesAt - Instant.zero).nanoseconds
      #expect(next > now * 1_000_000 && next < 60_000_000_000)
      now = (next + 999_999) / 1_000_000
    }
    #expect(abs(now - full) <= 1)
    #expect(abs(file.loaded / 1_000 - media) <= 5)
  }

  @Test func `a queue begins to fill anew in each wait`() throws {
    var policy = try policy(.queue(QueueLevel(downstream: .seconds(1), span: .seconds(2))))
    var judgement = policy.judgement()
    func asked(_ wait: Wait, _ now: Int64, _ loaded: Int64, from place: Int64 = 0) -> Bool {
      policy.readiness(
        ExampleFile(loaded: loaded).snapshot(
          wait, at: milliseconds(now), playhead: .milliseconds(place)), .empty, &judgement
      ).answer
    }
    #expect(!asked(.start, 2_000, 1_000_000))
    #expect(asked(.start, 4_000, 2_000_000))
    #expect(asked(.nothing, 4_001, 2_000_500))
    // With a second and more ahead it fills from the beginning of the wait.
    #expect(!asked(.stall, 6_000, 3_100_000, from: 2_000))
    #expect(!asked(.stall, 7_999, 4_099_500, from: 2_000))
    #expect(asked(.stall, 8_000, 4_100_000, from: 2_000))
  }

  // MARK: Lateness

  /// The latenesses of a session that was measured, and others; the delay after each by hand: the
  /// median of the last three, each less what was raised since.
  @Test(
    arguments: [
      ([520, 380, 620, 100, 400, 617], [1_000, 1_380, 1_520, 1_620, 2_000, 2_020]),
      ([100, 100, 100, 100], [1_000, 1_100, 1_100, 1_200]),
      ([2_000, 2_000, 2_000], [1_000, 3_000, 3_000]),
      ([1, 2, 3], [1_000, 1_001, 1_002]), ([300, 0, 0, 0], [1_000, 1_000, 1_000, 1_000]),
      ([0, 900, 800], [1_000, 1_000, 1_800]),
      // What would go beyond 5 s is refused.
      ([5_001, 5_001, 4_000, 700], [1_000, 1_000, 1_000, 5_000]),
    ] as [([Int64], [Int64])])
  func `a delay grows by how late media came`(late: [Int64], delays: [Int64]) throws {
    try grows(late, delays, lag: 0)
    // What is handed to the output before it is heard was due that much earlier.
    let least = late.min() ?? 0
    try grows(late.map { $0 - least }, delays, lag: least)
    try grows(late.map { $0 - least / 2 }, delays, lag: least / 2)
  }

  private func grows(_ late: [Int64], _ delays: [Int64], lag: Int64) throws {
    let level = LatenessLevel(
      delay: .seconds(1), step: .milliseconds(250), most: .seconds(5), lag: .milliseconds(lag))
    var policy = try policy(.lateness(level))
    var judgement = policy.judgement()
    var now: Int64 = 10_000
    for (lateness, delay) in zip(late, delays) {
      _ = policy.readiness(
        stream(.nothing, at: milliseconds(now - 900), place: 3_100, ahead: 1), .empty, &judgement)
      // The places of one wait are one.
      let dry = stream(.stall, at: milliseconds(now), place: 4_000)
      #expect(!policy.readiness(dry, .empty, &judgement).answer)
      for (ahead, answer) in [(delay - 1, false), (delay, true)] {
        let came = stream(
          .stall, at: milliseconds(now + lateness), place: 4_000, ahead: ahead)
        #expect(
          policy.readiness(came, .empty, &judgement).answer == answer, "\(lateness) \(ahead)")
      }
      now += 20_000
    }
  }

  @Test func `a file tells its clock in steps, of which one more than the delay must be there`() {
    let file = ExampleFile(loaded: 1_249_999)
    for (delay, step, mark) in [
      (1_000, 250, 1_250), (1_100, 250, 1_250), (1_249, 250, 1_250), (1_250, 250, 1_500),
      (1_000, 0, 1_000), (900, 400, 1_200), (800, 400, 1_200), (0, 500, 500),
      (3_000, 1_000, 4_000), (1_999, 1_000, 2_000),
    ] as [(Int64, Int64, Int64)] {
      let rule = ReadinessRule.lateness(
        LatenessLevel(
          delay: .milliseconds(delay), step: .milliseconds(step), most: .seconds(5)))
      var short = file
      short.loaded = mark * 1_000 - 1
      #expect(!rule.verdict(on: short.snapshot(.start)).answer, "\(delay) \(step)")
      short.loaded = mark * 1_000
      #expect(rule.verdict(on: short.snapshot(.start)).answer, "\(delay) \(step)")
    }
  }

  /// A file of 8 Mbit/s over a link of so much: from a place that ran dry to the end of the first
  /// step beyond the reach takes x ÷ ρ, and playing it x, so that it is late by x · (1 ÷ ρ − 1).
  @Test(
    arguments: Seeds.cases(
      of: [
        (4, 4_000, 0, 250), (4, 4_100, 0, 150), (4, 4_000, 500, 750), (2, 4_000, 500, 2_250),
        (6, 4_000, 500, 250), (4, 4_240, 500, 510), (1, 4_000, 0, 1_750), (4, 5_000, 1_000, 1_250),
        (2, 4_200, 250, 900), (5, 4_000, 0, 150),
      ] as [(Int64, Int64, Int64, Int64)]))
  func `a piece of a file is late by what the link falls short of`(
    megabits: Int64, place: Int64, reach: Int64, late: Int64
  ) throws {
    let level = LatenessLevel(
      delay: .seconds(1), step: .milliseconds(250), most: .seconds(60),
      reach: .milliseconds(reach))
    var policy = try policy(.lateness(level))
    var judgement = policy.judgement()
    // The same wait twice: the second raises the delay by what the first and it were late.
    var marks: [Int64] = []
    for round in Int64(0)..<3 {
      let began = 10_000 + round * 100_000
      var file = ExampleFile(link: megabits * 1_000_000)
      _ = policy.readiness(
        file.snapshot(.nothing, at: milliseconds(began - 1), playhead: .zero), .empty, &judgement)
      var after: Int64 = 0
      while true {
        file.loaded = place * 1_000 + after * megabits * 125
        let verdict = policy.readiness(
          file.snapshot(
            .stall, at: milliseconds(began + after), playhead: .milliseconds(place)), .empty,
          &judgement)
        if verdict.answer { break }
        after += 1
      }
      marks.append(after * megabits / 8)
    }
    func mark(_ delay: Int64) -> Int64 { (delay / 250 + 1) * 250 }
    // The median of 0, 0 and x is 0, and of 0, x and x it is x.
    for (seen, expected) in zip(marks, [mark(1_000), mark(1_000 + late), mark(1_000 + late)]) {
      #expect(abs(seen - expected) <= 2, "\(marks)")
    }
  }

  // MARK: Patience

  @Test func `a mark that is never reached is lost patience with, and begins anew`() throws {
    let marks = [1, 2, 9].map { Level.media(.seconds($0)) }
    for patience in [Int64(500), 1_250, 2_300, 4_000] {
      var policy = try policy(
        .escalating(
          EscalatingLevel(marks, raise: .ranDry, patience: .milliseconds(patience))))
      var judgement = policy.judgement()
      var answers: [Bool] = []
      for stall in Int64(1)...6 {
        let began = stall * 20_000
        for (after, ahead) in [(0, 0), (patience - 1, 2_000), (patience, 2_000)] as [(Int64, Int64)]
        {
          let verdict = policy.readiness(
            stream(.stall, at: milliseconds(began + after), place: 4_000, ahead: ahead), .empty,
            &judgement)
          answers.append(verdict.answer)
        }
        _ = policy.readiness(
          stream(.nothing, at: milliseconds(began + patience), place: 4_000, ahead: 2_000), .empty,
          &judgement)
      }
      // The second mark is reached with 2 s; the third is not, and after it comes the second again.
      let pair = [false, true, true, false, false, true]
      #expect(answers == pair + pair + pair, "\(patience)")
    }
  }

  @Test func `patience is no use with nothing to play, nor before anything has played`() throws {
    let level = EscalatingLevel(
      [.media(.seconds(9))], raise: .ranDry, patience: .seconds(2))
    var policy = try policy(.escalating(level))
    var judgement = policy.judgement()
    #expect(
      !policy.readiness(stream(.start, at: seconds(9), ahead: 2_000), .empty, &judgement).answer)
    #expect(!policy.readiness(stream(.stall, at: seconds(10)), .empty, &judgement).answer)
    #expect(!policy.readiness(stream(.stall, at: seconds(19)), .empty, &judgement).answer)
  }
}
