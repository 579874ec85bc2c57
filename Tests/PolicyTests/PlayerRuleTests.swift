import PlayerPolicies
import Testing
import VirtualTime

/// Rules of real players at the marks that are known of each, worked out by hand.
@Suite struct PlayerRuleTests {
  private func policy(_ name: String) throws -> PolicyDescription {
    try #require(PolicyPreset.named(name)).description
  }

  /// 750,000 bytes at 6 Mbit/s come in one second: in time with more than that beyond the goal. As
  /// many are missing of the segment under way, whose variant may not be played any more.
  @Test(
    arguments: [
      ("Shaka 5.2", 1_000, false), ("Shaka 5.2", 1_001, true), ("Shaka 4.7", 3_000, false),
      ("Shaka 4.7", 3_001, true), ("Shaka 4.7", 1_999, false), ("Shaka 4.7", nil, false),
    ] as [(String, Int64?, Bool)])
  func `a new choice leaves Shaka's rebuffering goal ahead`(
    player: String, lasts: Int64?, givesUp: Bool
  ) throws {
    var rules = try RunningRules(policy(player))
    let rungs = ladder([4_000_000, 500_000, 1_000_000])
    let request = RequestFacts(
      began: .zero, responded: .zero, received: 2_250_000, bytes: 3_000_000, variant: 0, segment: 4)
    let asked = AbandonQuestion(
      now: seconds(5), ladder: rungs, eligible: EligibleRungs(rungs, [false, true, true]),
      estimate: Estimate(bitsPerSecond: 6_000_000, isReliable: true), request: request,
      lasts: lasts.map { .milliseconds($0) }, isMoving: lasts != nil)
    _ = rules.judgement.looks(
      at: request, lasts: asked.lasts, isMoving: asked.isMoving, at: milliseconds(4_900))
    let verdict = rules.running.abandon(asked, &rules.judgement)
    #expect(verdict.answer == (givesUp ? .giveUp(for: 2) : .goOn))
  }

  private func question(_ rungs: Ladder, estimate: Int64, ahead: Int64) -> VariantQuestion {
    VariantQuestion(
      now: seconds(100), ladder: rungs, eligible: EligibleRungs(allOf: rungs), current: 0,
      estimate: Estimate(bitsPerSecond: estimate, isReliable: true), ahead: .milliseconds(ahead))
  }

  /// Nothing was learnt of the link, and 10 s are ahead.
  @Test(
    arguments: [
      (PlaybackRate(1), 15_000), (PlaybackRate(2), 30_000), (PlaybackRate(3, over: 2), 22_500),
      (PlaybackRate(1, over: 2), 7_500),
    ] as [(PlaybackRate, Int64)])
  func `Firefox waits for 15 s times the rate`(rate: PlaybackRate, wait: Int64) throws {
    let rule = try policy("Firefox 153 play").resume
    for (late, answer) in [(-1, false), (0, true)] as [(Int64, Bool)] {
      let snapshot = ExampleFile(bitsPerSecond: 800_000, link: 0, loaded: 1_000_000).snapshot(
        .stall, at: milliseconds(5_000 + wait + late), waitBegan: seconds(5), rate: rate)
      let verdict = rule.verdict(on: snapshot, Estimate())
      #expect(verdict.answer == answer, "\(late)")
      if answer { #expect(verdict.clause == .waitedLongEnough) }
    }
  }

  /// Three quarters of 6 s less a segment of 2 s, or a part of 1 s; 10 s where that is less, and on
  /// demand whatever may lie ahead.
  @Test(
    arguments: [
      (6, nil, 2_999, false), (6, nil, 3_000, true), (6, 1_000, 3_749, false),
      (6, 1_000, 3_750, true), (30, nil, 9_999, false), (30, nil, 10_000, true), (1, nil, 0, true),
      (nil, nil, 9_999, false), (nil, nil, 10_000, true),
    ] as [(Int64?, Int64?, Int64, Bool)])
  func `Media3 goes up live with three quarters of what can be ahead`(
    offset: Int64?, part: Int64?, ahead: Int64, goesUp: Bool
  ) throws {
    let rungs = ladder([1_000_000, 2_000_000], of: .seconds(2))
    var asked = question(rungs, estimate: 6_000_000, ahead: ahead)
    asked.mediaLimit = .seconds(5)
    asked.liveOffset = offset.map { .seconds($0) }
    asked.partLength = part.map { .milliseconds($0) }
    for player in ["Media3 1.6", "ExoPlayer 1.5"] {
      #expect(
        try policy(player).nextVariant.choice(asked)
          == (goesUp
            ? VariantVerdict(.take(1), .higherSustained) : VariantVerdict(.stay, .bufferTooLow)))
    }
  }

  /// Of 6 Mbit/s the shares of the players sustain 4 Mbit/s once, and 2 Mbit/s at twice the speed.
  @Test(
    arguments: [
      ("Media3 1.6", 1), ("GStreamer 1.22 HLS", 1), ("VHS 3.17", 2), ("VLC 3.0 predictive", 2),
      ("Pensieve RB", 2),
    ])
  func `a player that reads no rate chooses as at normal speed`(player: String, fast: Int) throws {
    let rule = try policy(player).nextVariant
    for (rate, rung) in [(PlaybackRate(1), 2), (PlaybackRate(2), fast)] {
      var asked = question(
        ladder([1_000_000, 2_000_000, 4_000_000]), estimate: 6_000_000, ahead: 20_000)
      asked.rate = rate
      #expect(rule.choice(asked).answer == .take(rung), "\(rate)")
    }
  }

  /// 6 s of 4 Mbit/s take 5.7 s at 0.7 of 6 Mbit/s, and 6 s of 2 Mbit/s half of that.
  @Test(
    arguments: [
      (5_000, nil, 1), (5_000, 18, 2), (500, nil, 1), (500, 18, 2), (6_000, nil, 2),
      (6_000, 18, 2),
    ] as [(Int64, Int64?, Int)])
  func `hls.js goes by the time of fetching on demand, and not live`(
    ahead: Int64, offset: Int64?, rung: Int
  ) throws {
    var asked = question(
      ladder([1_000_000, 2_000_000, 4_000_000]), estimate: 6_000_000, ahead: ahead)
    asked.liveOffset = offset.map { .seconds($0) }
    #expect(try policy("hls.js 1.6").nextVariant.choice(asked).answer == .take(rung))
  }

  /// Segments of 6 s: 0.7 of 3 Mbit/s sustain the average of 2 Mbit/s, and not the peak of 2.5.
  @Test(
    arguments: [
      (11_999, nil, 1), (12_000, nil, 2), (11_999, 18, 1), (12_000, 18, 2),
    ] as [(Int64, Int64?, Int)])
  func `hls.js goes by the average bit rate with two segments ahead`(
    ahead: Int64, offset: Int64?, rung: Int
  ) throws {
    let rungs = Ladder(
      rungs: [
        Ladder.Rung(bandwidth: 500_000), Ladder.Rung(bandwidth: 1_000_000),
        Ladder.Rung(bandwidth: 2_500_000, averageBandwidth: 2_000_000),
      ], boundaries: (0...10).map { MediaTime.seconds($0 * 6) })
    var asked = question(rungs, estimate: 3_000_000, ahead: ahead)
    asked.liveOffset = offset.map { .seconds($0) }
    #expect(try policy("hls.js 1.6").nextVariant.choice(asked).answer == .take(rung))
  }

  /// 0.7 of what is believed would let it go up again at once. 150,000 bytes in 3 s are a sample of
  /// 400 kbit/s, which counts where the estimate stands.
  @Test(arguments: [(3_600_000, true), (714_288, true), (714_285, false)] as [(Int64, Bool)])
  func `hls.js begins anew with the bit rate of the variant for which it gives up`(
    estimate: Int64, isAnew: Bool
  ) throws {
    var rules = try RunningRules(policy("hls.js 1.6"))
    let rungs = ladder([500_000, 1_000_000, 4_000_000], of: .seconds(4))
    let number = RequestNumber(1)
    rules.running.hear(.requested(number, .main), of: .segmented, at: seconds(5))
    rules.running.hear(.responded(number), of: .segmented, at: seconds(5))
    let request = RequestFacts(
      began: seconds(5), responded: seconds(5), received: 150_000, bytes: 2_000_000, variant: 2,
      segment: 4)
    let asked = AbandonQuestion(
      now: seconds(8), ladder: rungs, eligible: EligibleRungs(allOf: rungs),
      estimate: Estimate(bitsPerSecond: estimate, isReliable: true), request: request,
      lasts: .seconds(6), isMoving: true)
    _ = rules.judgement.looks(at: request, lasts: asked.lasts, isMoving: true, at: seconds(7))
    #expect(rules.running.abandon(asked, &rules.judgement).answer == .giveUp(for: 0))
    rules.running.hear(.ended(number, bytes: 150_000, .abandoned), of: .segmented, at: seconds(8))
    let believed = try #require(rules.running.estimate(of: .segmented).bitsPerSecond)
    #expect(isAnew ? believed == 500_000 : abs(believed - 400_000) <= 1)
  }
}
