import PlayerPolicies
import StreamingMedia
import VirtualTime

// An item's settings for the choice of its variants, in the short forms of apps and scenarios.

extension StreamSettings {
  /// The seats that the item fills itself.
  var seats: VariantSeats {
    var seats = VariantSeats()
    switch initialRule {
    case nil: break
    case .firstEligible: seats.first = .firstListed
    case .optimised(let start):
      seats.first = .withinEstimate(percent: 100, assumed: start.assumedBitRate)
    }
    switch adaptation {
    case nil: break
    case .fixed: (seats.next, seats.abandon) = (.fixed, .never)
    case .throughput(let rule):
      (seats.next, seats.abandon) = (.throughput(rule.choice), .rescue(rule.rescue))
    }
    return seats
  }

  /// The link's bit rate as the previous playback observed it, in bit/s.
  var observed: Int64? {
    if case .optimised(let start) = initialRule, let observed = start.observedBitRate {
      return observed
    }
    return observedBitRate
  }
}

extension ThroughputRule {
  fileprivate var choice: ThroughputChoice {
    ThroughputChoice(
      safetyPercent: safetyPercent, upSwitchBuffer: upSwitchBuffer,
      downSwitchBuffer: downSwitchBuffer)
  }

  fileprivate var rescue: RescueRule {
    RescueRule(
      patience: abandonAfter, lookPercent: rescuePercent, safetyPercent: safetyPercent)
  }
}

extension PlayerPolicy {
  /// The policy's state for the variants of a stream, before its first decision.
  func judgement(of settings: StreamSettings) -> VariantJudgement {
    running.judgement(ofVariants: settings.seats)
  }
}
