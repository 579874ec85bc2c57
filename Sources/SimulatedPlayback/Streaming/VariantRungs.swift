package import PlayerPolicies
package import StreamingMedia
import VirtualTime

/// The data that the choice of variants reads, worked out once for the constraints in force.
///
/// The verdict on a variant reads its codecs, its range and its size; asking for it anew at every
/// segment cost more than the rest of the segment.
struct VariantRungs {
  /// The variants in playlist order, without their segments.
  let ladder: Ladder
  let eligible: EligibleRungs
  /// The duration of a frame of each variant; nil where the playlist does not say.
  let frames: [MediaTime?]
  /// Whether no variant satisfies the preferences, so that the lowest is played all the same.
  private let isLastResort: Bool

  /// - Parameter barred: Variants that are left alone, whatever the constraints say.
  init(
    _ presentation: Presentation, under constraints: VariantConstraints, barring barred: [Int] = []
  ) {
    let verdicts = presentation.verdicts(under: constraints)
    ladder = Ladder(rungs: presentation.rungs, boundaries: [])
    eligible = EligibleRungs(
      ladder, verdicts.indices.map { verdicts[$0].isEligible && !barred.contains($0) })
    isLastResort = verdicts.contains(.eligibleAsLowest)
    frames = presentation.variants.map { $0.attributes.frameLength }
  }

  subscript(variant: Int) -> Ladder.Rung { ladder.rungs[variant] }

  func isEligible(_ variant: Int) -> Bool { eligible.contains(variant) }

  /// The variant to begin with, by a rule and what was observed of the link, in bit/s; nil where
  /// none can be played.
  ///
  /// - Parameter speed: Rate at which it will be played.
  func first(
    by rule: FirstVariantRule, observed: Int64?, at speed: PlaybackRate = .normal
  ) -> InitialVariant? {
    guard let verdict = rule.choice(eligible, observed: observed, at: speed) else { return nil }
    return chosen(verdict, at: rule.rate(observed: observed) ?? 0)
  }

  func first(by rule: FirstVariantRule, after probe: ProbeResult) -> InitialVariant? {
    guard let verdict = rule.choice(eligible, after: probe) else { return nil }
    return chosen(verdict, at: probe.throughput)
  }

  private func chosen(_ verdict: FirstVariantVerdict, at rate: Int64) -> InitialVariant {
    let reason: InitialVariant.Reason =
      if isLastResort {
        .lowestOfAll
      } else {
        switch verdict.clause {
        case .firstListed: .firstEligible
        case .lowest: .lowest
        case .highest: .highest
        case .place: .place
        case .sustainedByObservation: .sustainedByObservation(rate)
        case .sustainedByAssumption: .sustainedByAssumption(rate)
        case .probe: .probe
        case .sustainedByProbe: .sustainedByProbe(rate)
        case .noneSustained: .lowestEligible(rate)
        }
      }
    return InitialVariant(variant: verdict.answer, reason: reason)
  }
}

extension PlaylistVariant {
  /// The duration of a frame; nil where the playlist does not say.
  fileprivate var frameLength: MediaTime? {
    guard let frameRate, frameRate > 0 else { return nil }
    return MediaTime(
      nanoseconds: scaled(1_000_000_000_000, by: 1, over: frameRate, rounding: .up))
  }
}

extension Presentation {
  /// The variants as a policy is told of them.
  var rungs: [Ladder.Rung] {
    variants.map {
      Ladder.Rung(
        bandwidth: $0.attributes.bandwidth, averageBandwidth: $0.attributes.averageBandwidth)
    }
  }

  /// The variant to begin with; nil where none can be played.
  ///
  /// - Parameter observed: Throughput of the link, in bit/s.
  package func initialVariant(
    by rule: FirstVariantRule, observed: Int64? = nil, under constraints: VariantConstraints
  ) -> InitialVariant? {
    VariantRungs(self, under: constraints).first(by: rule, observed: observed)
  }
}
