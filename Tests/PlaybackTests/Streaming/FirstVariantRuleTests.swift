import PlayerPolicies
import SimulatedPlayback
import StreamingMedia
import Testing
import VirtualTime

@Suite struct FirstVariantRuleTests {
  private let talk: Presentation

  init() throws {
    talk = try Presentation(NamedLadder.talk.description(duration: .seconds(60)))
  }

  private func kilobits(_ choice: InitialVariant?, in presentation: Presentation) -> Int64? {
    choice.map { presentation.variants[$0.variant].attributes.bandwidth / 1_000 }
  }

  @Test(
    arguments: [
      (
        .withinEstimate(percent: 100, assumed: 2_000_000), nil, 1_800,
        (.sustainedByAssumption, 2_000_000)
      ),
      (
        .withinEstimate(percent: 100, assumed: 9), 5_000_000, 4_500,
        (.sustainedByObservation, 5_000_000)
      ),
      (
        .withinEstimate(percent: 100, assumed: 9), 4_499_999, 1_800,
        (.sustainedByObservation, 4_499_999)
      ),
      (.withinEstimate(percent: 100, assumed: 9), 50_000, 110, (.lowestEligible, 50_000)),
      (
        .withinEstimate(percent: 36, assumed: 9), 5_000_000, 1_800,
        (.sustainedByObservation, 5_000_000)
      ),
      (.lowest, nil, 110, (.lowest, nil)), (.highest, nil, 11_000, (.highest, nil)),
    ] as [(FirstVariantRule, Int64?, Int64, (FirstVariantClause, Int64?))])
  func `whatever the order of the playlist, a rule begins with the same variant`(
    rule: FirstVariantRule, observed: Int64?, expected: Int64,
    reason: (FirstVariantClause, Int64?)
  ) {
    for presentation in [talk, talk.sortedFromHighest(), talk.preferring(3)] {
      let choice = presentation.initialVariant(by: rule, observed: observed, under: .init())
      #expect(kilobits(choice, in: presentation) == expected)
      #expect(choice?.reason == reason.0 && choice?.bitRate == reason.1)
    }
  }

  @Test func `a display caps every rule`() {
    let layer = VariantConstraints(layerPixels: PixelSize(width: 640, height: 360))
    for rule in [FirstVariantRule.highest, .withinEstimate(percent: 100, assumed: 90_000_000)] {
      #expect(kilobits(talk.initialVariant(by: rule, under: layer), in: talk) == 600)
    }
  }

  @Test func `a limit below every variant leaves the lowest, and says so`() {
    let literal = VariantConstraints(preferredPeakBitRate: 2_000)
    for rule in [FirstVariantRule.firstListed, .highest, .lowest] {
      let choice = talk.sortedFromHighest().initialVariant(by: rule, under: literal)
      #expect(choice?.reason == .lowestOfAll)
      #expect(kilobits(choice, in: talk.sortedFromHighest()) == 110)
    }
  }
}

extension Presentation {
  /// The variant that a stream of it begins with.
  fileprivate func initialVariant(
    by rule: FirstVariantRule, observed: Int64? = nil, under constraints: VariantConstraints
  ) -> InitialVariant? {
    var settings = StreamSettings(presentation: self)
    settings.constraints = constraints
    var choice = VariantChoice(settings)
    return choice.begin(settings, by: rule, observed: observed)
  }
}
