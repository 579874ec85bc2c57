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
