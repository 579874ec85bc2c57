import PlayerPolicies
import Testing

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
        "ThroughputChoice(safetyPercent: 80, upSwitchBuffer: 10 s, "
          + "upSwitchShare: Optional(50), downSwitchBuffer: 25 s, keepsSustained: true, "
          + "countsRoundTrips: true)"
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
        "\(QueueLevel.usual)",
        "QueueLevel(downstream: 0 s, span: 0 s)"
      ),
    ])
  func `a rule has its default numbers`(rule: String, expected: String) {
    #expect(rule == expected)
  }
}
