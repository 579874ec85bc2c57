import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// The numbers of rules where a scenario names none, which the schema and the README describe.
@Suite struct DefaultsTests {
  @Test(
    arguments: [
      (
        "\(StepRule.usual)",
        "StepRule(upFrom: 15 s, downBelow: 3 s, leastBetweenSwitches: 15 s)"
      ),
      (
        "\(SlowSegmentRule.usual)",
        "SlowSegmentRule(from: 0 s, fromPercent: 0, every: 0.1 s, takesPercent: nil, "
          + "margin: 0 s, leastGain: 0 s, judgesFirst: true, choosesAnew: false)"
      ),
      (
        "\(GuardedThroughputRule.usual)",
        "GuardedThroughputRule(safetyPercent: 90)"
      ),
      (
        "\(ThroughputChoice.usual)",
        "ThroughputChoice(safetyPercent: 80, neededPercent: 100, upSwitchBuffer: 10 s, "
          + "upSwitchShare: Optional(50), upSwitchShareIsLive: false, downSwitchBuffer: 25 s, "
          + "keepsSustained: true, countsRoundTrips: true, heedsRate: true)"
      ),
      (
        "\(BufferBasedRule.usual)",
        "BufferBasedRule(reservoir: 0 s, cushion: 0 s)"
      ),
      (
        "\(BandRule.usual)",
        "BandRule(upPercent: 85, downPercent: 95, leastBetweenSwitches: 8 s, "
          + "starvation: nil)"
      ),
      (
        "\(RescueRule.usual)",
        "RescueRule(patience: Optional(2 s), lookPercent: Optional(25), "
          + "safetyPercent: 80, first: nil)"
      ),
      (
        "\(FirstSegmentRule.usual)",
        "FirstSegmentRule(every: 2 s, leastGain: 1 s)"
      ),
      (
        "\(PredictiveSeat.usual.rule)",
        "PredictiveRule(horizon: 5, quality: 1.0, stalling: 4.3, change: 1.0)"
      ),
      (
        "\(SabreThroughputRule.usual)",
        "SabreThroughputRule(safety: 0.9, hasBufferRule: true)"
      ),
      (
        "\(LatenessLevel.usual)",
        "LatenessLevel(delay: 0 s, step: 0 s, most: 5 s, reach: 0 s, lag: 0 s)"
      ),
      (
        "\(PlayThrough.usual.margin)",
        "Margin(span: 2 s, percentOfWait: 5)"
      ),
      (
        "\(HistoryRule.SinceRule.usual)",
        "SinceRule(window: 10 s, leastBytes: 1000, leastEntries: 5, newest: 3, oldest: 20)"
      ),
      (
        "\(PredictiveRule.Weights())",
        "Weights(quality: 1000, stalling: 4300, change: 1000)"
      ),
      (
        "\(QueueLevel.usual)",
        "QueueLevel(downstream: 0 s, span: 0 s)"
      ),
    ])
  func `a rule has its default numbers`(rule: String, expected: String) {
    #expect(rule == expected)
  }

  /// Nothing is said of what is not known.
  @Test func `facts of which nothing is said are blank`() {
    let estimate = Estimate.unknown
    #expect(estimate.bitsPerSecond == nil && estimate.latency == nil)
    #expect(!estimate.isReliable && !estimate.isLine)
    #expect(estimate.bytes == 0 && estimate.span == .zero && estimate.changed == .zero)
    let stream = StreamFacts(variant: nil)
    #expect(stream.nextSegment == 0 && stream.received == 0 && stream.wholeSegments == 0)
    #expect(stream.request == nil && stream.liveOffset == nil && stream.liveTarget == nil)
    // A stream comes in as a fluid, and has an end, where nobody says otherwise.
    #expect(!stream.goesOn && stream.flows && stream.arriving == .zero)
    #expect(stream.switched == nil && stream.inflow == nil && stream.quietSince == nil)
    #expect(FileFacts().flows && FileFacts().line == nil)
    let snapshot = Snapshot(now: .zero, source: .segmented, wait: .start, end: .seconds(9))
    #expect(snapshot.rate == .normal && snapshot.playhead == .zero && snapshot.loadedEnd == .zero)
    #expect(snapshot.waitBegan == .zero && snapshot.stream == nil && snapshot.file == nil)
  }

  @Test func `an ideal sink shows what has come at once`() {
    let sink = SinkDescription.ideal
    #expect(sink.frame == .zero && sink.leastToStart == .zero && sink.leastToResume == .zero)
    #expect(sink.holds == .zero && sink.warmUp == .zero && sink.setUp == .zero)
    #expect(sink.freezes == .zero && !sink.predictsOnce && !sink.seeksAtFreeze)
    #expect(SinkDescription.assumedFrame == .milliseconds(40))
  }

  @Test func `a play-through rule counts every byte of a stream whose end is known`() {
    let rule = PlayThrough.usual
    #expect(rule.beyondEnd == 0 && rule.everyByte && !rule.whenEndUnknown)
    #expect(rule.safety == .none)
    let wanted = WantedFacts.none
    #expect(!wanted.bytes && !wanted.tracks && !wanted.limits && !wanted.arriving && !wanted.live)
  }

  @Test func `the memory of a rule begins with nothing chosen`() {
    #expect(ReadinessMemory().risen == 0)
    #expect(BolaRule.Memory().quality == 0 && BolaRule.Memory().firstSegment == 0)
    let memory = EnhancedBolaRule.Memory()
    #expect(memory.isStarting && memory.placeholder == 0 && memory.quality == 0)
    #expect(!DynamicRule.Memory().isBola)
    #expect(!BufferFacts().isSilent && BufferFacts().loading == .underWay)
    #expect(!PreparationFacts(missing: 1).hasResponded)
    let request = RequestFacts(began: .zero)
    #expect(request.received == 0 && request.variant == 0 && request.segment == 0)
    let audio = AudioFacts(
      segments: SegmentTimes([.zero]), nextSegment: 0, loadedEnd: .zero, bitRate: 1)
    #expect(audio.received == 0)
    #expect(PredictiveSeat.usual.window == 5 && PredictiveSeat.usual.isRobust)
  }

  @Test func `rules of the literature have the numbers of their authors`() {
    #expect(BolaRule(buffer: .seconds(25)).gamma == 5_000)
    #expect(EnhancedBolaRule(buffer: .seconds(25)).gamma == 5_000)
    #expect(BolaRule(buffer: .seconds(25)).buffer == .seconds(25))
    #expect(PredictiveRule.mostSteps == 131_072 && HarmonicThroughput().window == 5)
    #expect(KeepUpHeuristic.leastResumption == .milliseconds(250))
    #expect(CustomPolicy.look == .milliseconds(250))
  }

  @Test func `a rule of fetching without limits has none`() {
    let rule = FetchRule.unlimited
    #expect(rule.media == nil && rule.bytes == nil && rule.trackLead == nil)
    #expect(rule.interleavedFrom == nil && rule.atLimit == .suspends)
    #expect(rule.leastMedia == nil)
    // It resumes with three quarters left, and asks for one segment at a time.
    #expect(rule.refillPercent == 75 && rule.sideBySide == 1)
    #expect(!rule.countsNext && !rule.looksAheadOnce && rule.sleeps == .zero)
    #expect(rule.trackFloor == 0 && rule.discards == 0 && rule.discardsIfIndexLast == 0)
    #expect(rule.lookahead == 0 && rule.blocks == 0)
  }

  @Test func `a sample is cut from the first byte on, of any size`() {
    let sampling = Sampling(.requestEnds)
    #expect(sampling.clock == .response && sampling.boundary == .requestEnds)
    #expect(sampling.leastBytes == 0 && sampling.leastSpan == .zero && !sampling.countsCancelled)
  }
}
