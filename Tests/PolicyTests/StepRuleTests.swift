import PlayerPolicies
import Testing
import VirtualTime

/// A rule that goes a step up or down by what is ahead.
@Suite struct StepRuleTests {
  private let rates: [Int64] = [500_000, 1_000_000, 2_000_000, 4_000_000]

  private func asked(
    _ rule: StepRule, at now: Int64, ahead: Int64, on current: Int, switched: Int64?
  ) -> VariantChoice {
    let ladder = ladder(rates)
    var question = VariantQuestion(
      now: seconds(now), ladder: ladder,
      eligible: EligibleRungs(ladder, Array(repeating: true, count: rates.count)),
      current: current, estimate: Estimate(), ahead: .seconds(ahead),
      switched: switched.map { seconds($0) })
    question.latest = SegmentArrival(
      request: 1, rung: current, segment: 0, bytes: 1, began: .zero, responded: .zero,
      arrived: .zero, isAgain: false)
    return NextVariantRule.step(rule).choice(question).answer
  }

  @Test(
    arguments: [
      (20, 15, 0, nil, .take(1)), (20, 14, 0, nil, .stay), (20, 30, 3, nil, .stay),
      (20, 2, 2, nil, .take(1)), (20, 3, 2, nil, .stay), (20, 0, 0, nil, .stay),
      (20, 15, 1, 6, .stay), (20, 15, 1, 5, .take(2)), (20, 1, 3, 6, .stay),
      (20, 1, 3, 4, .take(2)), (100, 50, 2, 1, .take(3)), (16, 16, 2, 0, .take(3)),
    ] as [(Int64, Int64, Int, Int64?, VariantChoice)])
  func `one step at a time, and not often`(
    now: Int64, ahead: Int64, current: Int, switched: Int64?, answer: VariantChoice
  ) {
    let rule = StepRule(
      upFrom: .seconds(15), downBelow: .seconds(3), leastBetweenSwitches: .seconds(15))
    #expect(asked(rule, at: now, ahead: ahead, on: current, switched: switched) == answer)
  }

  /// The first segment is asked for at 100 s, when the item before has ended.
  @Test(arguments: [(114, .stay), (115, .take(1))] as [(Int64, VariantChoice)])
  func `the first step is as far from the first request as from another step`(
    now: Int64, answer: VariantChoice
  ) throws {
    var description = try #require(PolicyPreset.named("KSPlayer 2")).description
    description.nextVariant = .step(.usual)
    var rules = try RunningRules(description)
    let ladder = ladder(rates)
    var question = VariantQuestion(
      now: seconds(101), ladder: ladder, eligible: EligibleRungs(allOf: ladder), current: 0,
      estimate: Estimate(), ahead: .seconds(40), switched: nil)
    question.latest = SegmentArrival(
      request: 1, rung: 0, segment: 0, bytes: 1, began: seconds(100), responded: seconds(100),
      arrived: seconds(101))
    #expect(rules.next(question).answer == .stay)
    question.latest?.began = seconds(now - 1)
    question.now = seconds(now)
    #expect(rules.next(question).answer == answer)
  }

  @Test func `other numbers, other steps`() {
    for up in [Int64(4), 8, 20] {
      for apart in [Int64(1), 10, 60] {
        let rule = StepRule(
          upFrom: .seconds(up), downBelow: .seconds(2), leastBetweenSwitches: .seconds(apart))
        #expect(asked(rule, at: 100, ahead: up, on: 1, switched: 100 - apart) == .take(2))
        #expect(asked(rule, at: 100, ahead: up, on: 1, switched: 101 - apart) == .stay)
        #expect(asked(rule, at: 100, ahead: up - 1, on: 1, switched: nil) == .stay)
        #expect(asked(rule, at: 100, ahead: 1, on: 1, switched: nil) == .take(0))
      }
    }
  }
}
