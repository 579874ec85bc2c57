package import VirtualTime

/// A rule that goes up or down by one variant, by what is ahead, and not often.
package struct StepRule: Hashable, Sendable {
  /// Forward buffer to go up.
  package var upFrom = MediaTime.seconds(15)
  /// Forward buffer to go down.
  package var downBelow = MediaTime.seconds(3)
  package var leastBetweenSwitches = TimeSpan.seconds(15)

  package static let usual = StepRule()

  /// - Parameter opened: The instant of the first request, from which the first step is counted.
  func choice(_ question: VariantQuestion, _ opened: inout Instant?) -> VariantVerdict {
    let began = opened ?? question.latest?.began ?? question.now
    if question.latest != nil { opened = began }
    let rungs = question.eligible.ascending
    guard let place = rungs.firstIndex(of: question.current) else {
      return VariantVerdict(.stay, .notEligible)
    }
    if question.now < (question.switched ?? began) + leastBetweenSwitches {
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
