package import VirtualTime

/// A rule that goes up or down by one variant, by what is ahead, and not often.
package struct StepRule: Hashable, Sendable {
  /// Forward buffer to go up.
  package var upFrom = MediaTime.seconds(15)
  /// Forward buffer to go down.
  package var downBelow = MediaTime.seconds(3)
  package var leastBetweenSwitches = TimeSpan.seconds(15)

  package static let usual = StepRule()

  func choice(_ question: VariantQuestion) -> VariantVerdict {
    let rungs = question.eligible.ascending
    guard let place = rungs.firstIndex(of: question.current) else {
      return VariantVerdict(.stay, .notEligible)
    }
    if let switched = question.switched, question.now < switched + leastBetweenSwitches {
      return VariantVerdict(.stay, .tooSoon)
    }
    if question.ahead >= upFrom {
      return question.taking(rungs[min(place + 1, rungs.count - 1)], .bufferFull)
    }
    if question.ahead < downBelow, question.latest != nil {
      return question.taking(rungs[max(place - 1, 0)], .reservoir)
    }
    return VariantVerdict(.stay, .cushion)
  }
}
