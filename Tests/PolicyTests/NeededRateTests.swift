import PlayerPolicies
import Testing
import VirtualTime

/// A variant may need a multiple of its bit rate, which a percentage of the throughput cannot say.
@Suite struct NeededRateTests {
  private let rungs = ladder([2_000_000, 500_000, 1_000_000, 4_000_000])

  /// 1.2 times 4 Mbit/s and 1.2 times 2 Mbit/s, at twice the speed twice as much.
  @Test(
    arguments: [
      (4_800_000, PlaybackRate(1), 3), (4_799_999, PlaybackRate(1), 0),
      (2_400_000, PlaybackRate(1), 0), (2_399_999, PlaybackRate(1), 2),
      (9_600_000, PlaybackRate(2), 3), (9_599_999, PlaybackRate(2), 0),
    ] as [(Int64, PlaybackRate, Int)])
  func `a variant may need a multiple of its bit rate`(
    estimate: Int64, rate: PlaybackRate, rung: Int
  ) {
    var choice = ThroughputChoice()
    (choice.safetyPercent, choice.neededPercent) = (100, 120)
    (choice.countsRoundTrips, choice.upSwitchBuffer) = (false, .zero)
    let question = VariantQuestion(
      now: seconds(100), ladder: rungs, eligible: EligibleRungs(allOf: rungs), current: 1,
      estimate: Estimate(bitsPerSecond: estimate, isReliable: true), ahead: .zero, rate: rate)
    #expect(
      NextVariantRule.throughput(choice).choice(question)
        == VariantVerdict(.take(rung), .higherSustained))
  }

  /// 1.2 times 2 Mbit/s.
  @Test(
    arguments: [(100, 2_400_000, 0), (100, 2_399_999, 2), (50, 4_800_000, 0)]
      as [(Int64, Int64, Int)])
  func `the first variant may need one as well`(percent: Int64, assumed: Int64, rung: Int) {
    let rule = FirstVariantRule.withinEstimate(percent: percent, needs: 120, assumed: assumed)
    #expect(
      rule.choice(EligibleRungs(allOf: rungs), observed: nil)
        == FirstVariantVerdict(rung, .sustainedByAssumption))
  }
}
