import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// Beginnings and ends of waits, just below each mark, at it and just above it.
@Suite struct WaitBoundaryTests {
  private func policy(
    start: ReadinessRule = .level(.media(.seconds(2))),
    resume: ReadinessRule = .level(.media(.seconds(5))), sink: SinkDescription = .ideal,
    exits: ReadinessExits = .none, stall: StallRule = .whenDry
  ) throws -> Policy {
    try Policy(
      PolicyDescription(
        sink: sink, start: start, resume: resume, exits: exits, stall: stall,
        estimator: EstimatorSeat(EstimatorDescription(.history(.sinceBeginning))),
        fetch: .unlimited))
  }

  /// A file of a byte in a microsecond, of which so many nanoseconds of media are ahead.
  private func file(
    _ wait: Wait, at now: Instant = .zero, ahead: Int64, rate: PlaybackRate = .normal
  ) -> Snapshot {
    var snapshot = ExampleFile(loaded: 9_000_000).snapshot(
      wait, at: now, playhead: .seconds(5), rate: rate)
    snapshot.loadedEnd = snapshot.playhead + MediaTime(nanoseconds: ahead)
    return snapshot
  }

  // MARK: The sink

  /// Milliseconds of a frame, of one over packets, and of one that the media declares.
  @Test(
    arguments: [
      (0, 40, nil, false, 0), (0, 40, nil, true, 40), (0, 40, 33, false, 0), (0, 40, 33, true, 33),
      (20, 40, nil, false, 20), (20, 40, nil, true, 40), (20, 40, 33, false, 33),
      (50, 40, nil, true, 50), (50, 40, nil, false, 50), (0, 0, 33, true, 0), (0, 0, nil, true, 0),
    ] as [(Int64, Int64, Int64?, Bool, Int64)])
  func `a frame is as long as the media says, where frames are known`(
    frame: Int64, ofPackets: Int64, named: Int64?, comesInPackets: Bool, expected: Int64
  ) {
    var sink = SinkDescription.ideal
    (sink.frame, sink.frameOfPackets) = (.milliseconds(frame), .milliseconds(ofPackets))
    let told = sink.frame(
      comesInPackets: comesInPackets, named: named.map { .milliseconds($0) })
    #expect(told == .milliseconds(expected))
  }

  @Test func `to start, to go on and to play each have a least of their own, a frame at least`() {
    var sink = SinkDescription.ideal
    (sink.frame, sink.leastToStart) = (.milliseconds(40), .milliseconds(100))
    sink.leastToResume = .milliseconds(300)
    let usual = Wait.allCases.map { sink.least(toLeave: $0) }
    #expect(usual.map { $0.nanoseconds / 1_000_000 } == [100, 100, 300, 0])
    let long = Wait.allCases.map { sink.least(toLeave: $0, frame: .milliseconds(200)) }
    #expect(long.map { $0.nanoseconds / 1_000_000 } == [200, 200, 300, 0])
    sink.freezes = .seconds(3)
    #expect(sink.keepsFrozen == .zero)
    sink.seeksAtFreeze = true
    #expect(sink.keepsFrozen == .seconds(3))
  }

  @Test func `a prediction that came true stands until the next stall or seek`() throws {
    for predictsOnce in [true, false] {
      var sink = SinkDescription.ideal
      sink.predictsOnce = predictsOnce
      var policy = try policy(sink: sink)
      var judgement = policy.judgement()
      var now = seconds(0)
      func asked(_ wait: Wait, _ ahead: Int64) -> Bool {
        now = now + .seconds(1)
        let snapshot = file(wait, at: now, ahead: ahead * 1_000_000)
        return policy.readiness(snapshot, .empty, &judgement).answer
      }
      #expect(!asked(.start, 1_999))
      #expect(asked(.start, 2_000))
      #expect(asked(.start, 1) == predictsOnce)
      #expect(!asked(.start, 0))
      #expect(asked(.start, 2_000))
      #expect(asked(.nothing, 1))
      #expect(asked(.nothing, 0) == predictsOnce)
      #expect(!asked(.stall, 4_999))
      #expect(asked(.stall, 5_000))
      #expect(asked(.nothing, 10))
      #expect(!asked(.seek, 1_999))
    }
  }

  @Test func `what goes by the buffer alone forgets how the playhead moved`() throws {
    var once = SinkDescription.ideal
    once.predictsOnce = true
    var held = SinkDescription.ideal
    held.holds = TimeSpan(nanoseconds: 1)
    for (sink, stall, forgets) in [
      (.ideal, .whenDry, [true, true]), (once, .whenDry, [false, false]),
      (held, .whenDry, [false, true]), (.ideal, .below(.seconds(1)), [false, false]),
    ] as [(SinkDescription, StallRule, [Bool])] {
      let policy = try policy(sink: sink, stall: stall)
      #expect(policy.forgetsMotion(over: .progressive) == forgets[0])
      #expect(policy.forgetsMotion(over: .segmented) == forgets[1])
    }
  }

  /// A player that has run dry within 40 ms goes on with 40 ms; at twice the speed within 20.
  @Test(arguments: [1, 2] as [Int64])
  func `who runs dry within a frame goes on with whole frames`(speed: Int64) throws {
    let frame = 40_000_000 / speed
    for (played, isInFrames) in [(frame - 1, true), (frame, true), (frame + 1, false)] {
      var policy = try policy(start: .level(.anything), resume: .level(.anything))
      var judgement = policy.judgement()
      let rate = PlaybackRate(Int32(speed))
      func asked(_ wait: Wait, _ now: Int64, _ ahead: Int64) -> ReadinessVerdict {
        policy.readiness(
          file(wait, at: .zero + TimeSpan(nanoseconds: now), ahead: ahead, rate: rate), .empty,
          &judgement)
      }
      #expect(asked(.start, 500, 1).answer)
      #expect(asked(.nothing, 1_000, 1).answer)
      // A frame stays on the screen for its length, whatever comes.
      let later = 1_000 + played + frame
      #expect(asked(.stall, 1_000 + played, 39_999_999).answer == !isInFrames, "\(played)")
      #expect(asked(.stall, later, 39_999_999).answer == !isInFrames)
      #expect(asked(.stall, later, 40_000_000).answer)
    }
  }

  // MARK: Exits

  @Test(
    arguments: [
      (.everyPlayer, [false, true, true, true]), (.none, [false, false, false, false]),
      (.besidePrediction, [false, false, false, false]),
    ] as [(ReadinessExits, [Bool])])
  func `a wait is ended by what ends waits, with something to play`(
    exits: ReadinessExits, ends: [Bool]
  ) throws {
    for (loading, ends) in zip([LoadingState.underWay, .full, .idle, .failed], ends) {
      for ahead in [0, 1] as [Int64] {
        for wait in [Wait.start, .seek, .stall] {
          var policy = try policy(exits: exits)
          var judgement = policy.judgement()
          var snapshot = file(wait, ahead: ahead)
          snapshot.buffer.loading = loading
          let verdict = policy.readiness(snapshot, .empty, &judgement)
          #expect(verdict.answer == (ends && ahead > 0), "\(loading) \(ahead)")
        }
      }
    }
  }

  // MARK: Stalls with media left

  /// Milliseconds that are ahead, and the least to leave each wait with.
  @Test(
    arguments: [
      (StallRule.below(.seconds(1)), [1_000, 1_000, 1_000]), (.whenDry, [1, 1, 1]),
      (.belowUnlessPlayThrough(.seconds(1)), [1, 1, 1_000]),
      (.belowWithArriving(.seconds(1)), [1, 1, 1]),
    ] as [(StallRule, [Int64])])
  func `no wait ends with less than what would be a stall at once`(
    stall: StallRule, least: [Int64]
  ) throws {
    for (wait, least) in zip([Wait.start, .seek, .stall], least) {
      for ahead in [least - 1, least, least + 1] where ahead > 0 {
        var policy = try policy(
          start: .level(.anything), resume: .level(.anything), stall: stall)
        var judgement = policy.judgement()
        let verdict = policy.readiness(file(wait, ahead: ahead * 1_000_000), .empty, &judgement)
        #expect(verdict.answer == (ahead >= least), "\(wait) \(ahead)")
        if !verdict.answer { #expect(verdict.clause == .belowThreshold) }
      }
    }
    var policy = try policy(start: .level(.anything), stall: stall)
    var judgement = policy.judgement()
    #expect(policy.readiness(file(.nothing, ahead: 1), .empty, &judgement).answer)
  }

  /// Half a second is left a nanosecond after 2.5 s of 3 s have been played.
  @Test(arguments: [(1, 1), (2, 1), (1, 2)] as [(Int32, Int32)])
  func `a stall is declared with less than the mark, and not with the mark`(
    numerator: Int32, denominator: Int32
  ) throws {
    let rate = PlaybackRate(numerator, over: denominator)
    var policy = try policy(stall: .below(.milliseconds(500), silent: .milliseconds(200)))
    var judgement = policy.judgement()
    for isSilent in [false, true] {
      let mark: Int64 = isSilent ? 200_000_000 : 500_000_000
      for left in [-1, 0, 1, 2_500_000_000] as [Int64] {
        var snapshot = file(.nothing, at: seconds(9), ahead: mark + left, rate: rate)
        snapshot.buffer.isSilent = isSilent
        let verdict = policy.stall(snapshot, &judgement)
        #expect(verdict.answer == (left < 0))
        #expect(verdict.clause == (left < 0 ? .belowReserve : .aboveReserve))
        let playing = ((left + 1) * Int64(denominator) + Int64(numerator) - 1) / Int64(numerator)
        #expect(
          verdict.changesAt
            == (left < 0 ? .distantFuture : seconds(9) + TimeSpan(nanoseconds: playing)))
      }
    }
  }

  @Test func `what is never played before a stall is the mark, of silent media its own`() {
    for (rule, heard, silent) in [
      (.below(.seconds(3)), 3, 3), (.below(.seconds(3), silent: .seconds(1)), 3, 1),
      (.belowUnlessPlayThrough(.seconds(2)), 2, 2), (.belowWithArriving(.seconds(2)), 0, 0),
      (.whenDry, 0, 0), (.named("own"), 0, 0),
    ] as [(StallRule, Int64, Int64)] {
      #expect(rule.reserve() == .seconds(heard) && rule.reserve(isSilent: false) == .seconds(heard))
      #expect(rule.reserve(isSilent: true) == .seconds(silent))
    }
  }

  @Test func `what is arriving counts for a stall, up to the end of the media`() throws {
    var policy = try policy(stall: .belowWithArriving(.milliseconds(200)))
    var judgement = policy.judgement()
    for (ahead, arriving, stalls) in [
      (199, 0, true), (200, 0, false), (150, 49, true), (150, 50, false), (0, 200, false),
    ] as [(Int64, Int64, Bool)] {
      var snapshot = stream(.nothing, at: seconds(9), ahead: ahead)
      snapshot.stream?.arriving = .milliseconds(arriving)
      #expect(policy.stall(snapshot, &judgement).answer == stalls, "\(ahead) \(arriving)")
    }
    var last = stream(.nothing, at: seconds(9), ahead: 100)
    last.stream?.arriving = .milliseconds(70)
    last.end = last.playhead + .milliseconds(150)
    #expect(policy.stall(last, &judgement).clause == .everythingLoaded)
  }

  /// A buffer that is full with less than the reserve is played out, and starts with that.
  @Test func `what a full buffer has no room for is not waited for`() throws {
    for (loading, ahead, isPlayed) in [
      (LoadingState.full, 999, true), (.idle, 999, true), (.underWay, 999, false),
      (.failed, 999, false), (.full, 1_000, false), (.full, 1_001, false),
    ] as [(LoadingState, Int64, Bool)] {
      var policy = try policy(start: .level(.anything), stall: .below(.seconds(1)))
      var judgement = policy.judgement()
      var snapshot = file(.start, ahead: ahead * 1_000_000)
      snapshot.buffer.loading = loading
      #expect(
        policy.readiness(snapshot, .empty, &judgement).answer == (isPlayed || ahead >= 1_000))
      // It holds until the buffer has been full with more.
      let low = file(.nothing, ahead: 1_000_000)
      #expect(policy.stall(low, &judgement).answer == !isPlayed)
      snapshot.buffer.loading = .underWay
      snapshot.loadedEnd = snapshot.playhead + .seconds(3)
      _ = policy.readiness(snapshot, .empty, &judgement)
      #expect(policy.stall(low, &judgement).answer == !isPlayed)
      snapshot.buffer.loading = .full
      _ = policy.readiness(snapshot, .empty, &judgement)
      #expect(policy.stall(low, &judgement).answer)
    }
  }

  // MARK: Looks

  private func stream(_ wait: Wait, at now: Instant, ahead: Int64) -> Snapshot {
    Snapshot(
      now: now, source: .segmented, wait: wait, playhead: .seconds(4),
      loadedEnd: .seconds(4) + .milliseconds(ahead), end: .seconds(600),
      stream: StreamFacts(
        nextSegment: 2, received: 70, request: RequestFacts(began: .zero, responded: .zero)))
  }

  /// Without arrivals a player looks each tenth of a second, and after long each sixteenth of that.
  @Test(
    arguments: [
      (0, 100), (1, 100), (1_599, 100), (1_600, 100), (1_616, 101), (3_200, 200), (16_000, 1_000),
    ] as [(Int64, Int64)])
  func `the longer nothing comes, the longer a player waits with its next look`(
    quiet: Int64, pause: Int64
  ) throws {
    let rule = ReadinessRule.level(.mediaWithArriving(.seconds(9)))
    var policy = try policy(start: rule, resume: rule)
    var judgement = policy.judgement()
    _ = policy.readiness(stream(.start, at: seconds(1), ahead: 10), .empty, &judgement)
    let began = seconds(50)
    var snapshot = stream(.start, at: began, ahead: 10)
    snapshot.stream?.received = 71
    _ = policy.readiness(snapshot, .empty, &judgement)
    snapshot.now = began + .milliseconds(quiet)
    let verdict = policy.readiness(snapshot, .empty, &judgement)
    #expect(!verdict.answer && verdict.changesAt == snapshot.now + .milliseconds(pause))
    // A byte, or another segment, ends the silence.
    for isByte in [true, false] {
      if isByte { snapshot.stream?.received += 1 } else { snapshot.stream?.nextSegment += 1 }
      snapshot.now = snapshot.now + .seconds(100)
      #expect(
        policy.readiness(snapshot, .empty, &judgement).changesAt
          == snapshot.now + .milliseconds(100))
    }
    snapshot.stream?.request = nil
    #expect(policy.readiness(snapshot, .empty, &judgement).changesAt == .distantFuture)
  }

  /// A segment of two is under way that is late by its missing bytes, each of a microsecond.
  private func forecast(missing bytes: Int64, _ inflow: Inflow?, quiet: Int64 = 0) -> Instant {
    let ladder = ladder([8_000_000], segments: 2, of: .seconds(1))
    var snapshot = stream(.start, at: seconds(9), ahead: 0)
    (snapshot.loadedEnd, snapshot.end) = (.seconds(1), .seconds(2))
    // The second segment takes a second; so much less is ahead.
    snapshot.playhead = MediaTime(nanoseconds: bytes * 1_000)
    snapshot.stream?.variant = 0
    snapshot.stream?.nextSegment = 1
    snapshot.stream?.wholeSegments = 1
    snapshot.stream?.received = 0
    snapshot.stream?.inflow = inflow
    snapshot.stream?.quietSince = seconds(9) - TimeSpan(nanoseconds: quiet)
    let rule = ReadinessRule.playThrough(PlayThrough())
    let verdict = rule.verdict(
      on: snapshot, Estimate(bitsPerSecond: 8_000_000, isReliable: true), ladder)
    #expect(verdict.late?.nanoseconds == bytes * 1_000)
    return verdict.changesAt
  }

  @Test func `a look is as late as what is missing, but not later than it comes or bends`() {
    func line(_ rate: Int64, until holds: Int64) -> Inflow {
      Inflow(
        line: ByteFlow(anchor: seconds(9), bytes: 500, rate: .bitsPerSecond(rate)),
        holds: seconds(9) + .microseconds(holds))
    }
    func look(_ bytes: Int64, _ inflow: Inflow?, quiet: Int64 = 0) -> Int64 {
      (forecast(missing: bytes, inflow, quiet: quiet) - seconds(9)).nanoseconds
    }
    // Before the first byte nobody knows more than the estimate, or than nothing comes.
    #expect(look(5_000, nil) == 5_000_000)
    #expect(look(5, nil) == 5_000)
    #expect(look(5, nil, quiet: 4_999) == 5_000)
    #expect(look(5, nil, quiet: 5_001) == 5_001)
    #expect(look(5, nil, quiet: 99_999_999) == 99_999_999)
    #expect(look(5, nil, quiet: 100_000_001) == 100_000_000)
    // As estimated; twice as fast; half as fast, so that it is looked at as if not.
    #expect(look(5_000, line(8_000_000, until: 9_000)) == 5_000_000)
    #expect(look(5_000, line(16_000_000, until: 9_000)) == 2_500_000)
    #expect(look(5_000, line(4_000_000, until: 9_000)) == 5_000_000)
    #expect(look(5_000, line(4_000_000, until: 4_000)) == 4_000_000)
    #expect(look(5_000, line(16_000_000, until: 2_000)) == 2_000_000)
    // Never at the same instant again.
    #expect(look(5_000, line(16_000_000, until: 0)) == 1)
    // A line at rest says when it ends to be.
    #expect(look(5_000, line(0, until: 4_000)) == 4_000_000)
    #expect(look(5_000, line(0, until: 6_000)) == 5_000_000)
  }

  /// A byte of a dry file comes every two milliseconds, or microseconds.
  @Test func `a playhead on the loaded edge looks a thousand times a second at most`() {
    for (link, micro) in [(4_000, 2_000), (4_000_000, 1_000), (8_000, 1_000), (16_000, 1_000)]
      as [(Int64, Int64)]
    {
      let file = ExampleFile(link: link, loaded: 0)
      let verdict = ReadinessRule.level(.anything).verdict(on: file.snapshot(.nothing))
      #expect(
        verdict
          == ReadinessVerdict(false, .nothingLoaded, changesAt: .zero + .microseconds(micro)))
      let waiting = ReadinessRule.level(.anything).verdict(on: file.snapshot(.start))
      #expect(waiting.changesAt == .zero + .microseconds(8_000_000 / link))
    }
  }

  // MARK: Margins

  /// 2 s and a twentieth of the wait so far, at the speed at which it plays.
  @Test(
    arguments: [
      (0, 1, 2_000_000), (20, 1, 3_000_000), (7, 1, 2_350_000), (20, 2, 6_000_000),
      (0, 2, 4_000_000),
    ] as [(Int64, Int64, Int64)])
  func `of a file as much is there as the link may be wrong about`(
    waited: Int64, speed: Int64, least: Int64
  ) {
    let rule = ReadinessRule.playThrough(PlayThrough(margin: .standard))
    let estimate = Estimate(bitsPerSecond: 64_000_000, isReliable: true)
    for loaded in [least - 1, least, least + 1] {
      let file = ExampleFile(link: 64_000_000, loaded: loaded)
      func verdict(_ wait: Wait, _ estimate: Estimate) -> ReadinessVerdict {
        rule.verdict(
          on: file.snapshot(
            wait, at: seconds(100), waitBegan: seconds(100 - waited),
            rate: PlaybackRate(Int32(speed))), estimate)
      }
      let told = verdict(.start, estimate)
      #expect(told.answer == (loaded >= least), "\(loaded)")
      if !told.answer {
        #expect(told.clause == .belowThreshold)
        #expect(told.changesAt == seconds(100) + TimeSpan(nanoseconds: 125))
      }
      // A player that plays is not wrong, nor is one that knows the line.
      #expect(verdict(.nothing, estimate).answer && verdict(.start, .line).answer)
    }
  }

  // MARK: When a wait begins

  /// An item that is first asked about after 100 s has waited since then, and not since the run.
  @Test func `a wait begins with the first question, and with each kind of wait`() throws {
    let rule = ReadinessRule.after(.seconds(15))
    var policy = try policy(start: rule, resume: rule)
    var judgement = policy.judgement()
    func asked(_ wait: Wait, _ now: Int64) -> Instant {
      policy.readiness(file(wait, at: seconds(now), ahead: 1_000), .empty, &judgement).changesAt
    }
    #expect(asked(.start, 100) == seconds(115) && asked(.start, 109) == seconds(115))
    _ = asked(.nothing, 115)
    #expect(asked(.stall, 200) == seconds(215) && asked(.stall, 201) == seconds(215))
    #expect(asked(.seek, 210) == seconds(225) && asked(.stall, 220) == seconds(235))
  }

  /// 1 Mbit/s before, and 4 Mbit/s from the first byte of the new item's wait on.
  @Test func `the start of another item is a wait of its own for what is believed`() throws {
    for source in [SourceKind.progressive, .segmented] {
      var policy = try Policy(
        PolicyDescription(
          start: .level(.media(.seconds(9))), resume: .everythingLoaded, exits: .none,
          estimator: EstimatorSeat(EstimatorDescription(.history(.afterThirdOfWait))),
          fetch: .unlimited))
      let one = RequestNumber(1)
      policy.hear(.requested(one, .main), of: source, at: .zero)
      policy.hear(.responded(one), of: source, at: .zero)
      policy.hear(.received(one, bytes: 1_250_000), of: source, at: seconds(10))
      for kind in [Wait.nothing, .start] {
        var judgement = policy.judgement()
        var snapshot = file(kind, at: seconds(10), ahead: 1_000)
        snapshot.source = source
        _ = policy.readiness(snapshot, .empty, &judgement)
      }
      policy.hear(.received(one, bytes: 1_260_000), of: source, at: seconds(20))
      #expect(policy.estimate(of: source).bitsPerSecond == 1_000_000)
      policy.hear(.received(one, bytes: 1_760_000), of: source, at: seconds(21))
      #expect(policy.estimate(of: source).bitsPerSecond == 4_000_000)
    }
  }

  /// A file of half the link it would take, dry after 4 s: the piece to 4.75 s, which comes after
  /// 1.5 s, says how late it is; the mark of 5.25 s is reached a second later.
  @Test func `a level that grows is asked again with the piece that is late`() throws {
    let level = LatenessLevel(
      delay: .seconds(1), step: .milliseconds(250), most: .seconds(60),
      reach: .milliseconds(500))
    var policy = try policy(start: .lateness(level), resume: .lateness(level))
    var judgement = policy.judgement()
    var file = ExampleFile(link: 4_000_000, loaded: 4_000_000)
    func asked(_ now: Int64) -> ReadinessVerdict {
      policy.readiness(
        file.snapshot(.stall, at: milliseconds(now), playhead: .seconds(4)), .empty, &judgement)
    }
    _ = policy.readiness(
      file.snapshot(.nothing, at: milliseconds(9_999), playhead: .milliseconds(3_999)), .empty,
      &judgement)
    #expect(asked(10_000).changesAt == milliseconds(11_500))
    file.loaded = 4_750_000
    // Late by 0.75 s, of which the median of three is nothing yet: the mark stays.
    #expect(asked(11_500).changesAt == milliseconds(12_500))
    file.loaded = 5_250_000
    #expect(asked(12_500).answer)
  }
}
