public import PlayerPolicies
import StreamingMedia
package import VirtualTime

/// The choice of the next segment's variant: the variants to choose from, and those chosen.
package struct VariantChoice {
  private(set) var rungs: VariantRungs
  private(set) var lists: VariantLists
  /// The variants that lists in trouble are part of.
  private var barred: [Int] = []
  /// The variant that the next segment is taken from; nil before the first choice.
  package var current: Int? { didSet { frame = current.flatMap { rungs.frames[$0] } } }
  /// The duration of a frame of that variant; nil where the playlist does not say.
  package private(set) var frame: MediaTime?
  package private(set) var first: Int?
  /// The variant of the last complete segment.
  package private(set) var loaded: Int?
  package private(set) var switchCount: Int64 = 0
  /// The instant of the last change of the variant; nil before the first.
  var switched: Instant?
  /// The reason for which no higher one was taken, as it was last noted.
  var kept: VariantClause?
  /// Nothing is asked for before, as the policy said.
  var waitsUntil = Instant.zero
  /// Whether the segment under way shows what the link brings, and is not played.
  private(set) var isProbing = false
  /// Whether something has happened since the last choice.
  var isDue = true
  /// The sound of the item before, to go on with.
  var soundBefore: AudioContinuity?

  package init(_ settings: StreamSettings) {
    let plan = settings.plan
    (rungs, lists) = (plan.rungs, plan.lists)
  }

  /// Takes over what has been decided anew.
  package mutating func adopt(_ settings: StreamSettings) {
    lists = VariantLists(settings)
    rungs = VariantRungs(settings.presentation, under: settings.constraints, barring: barred)
  }

  /// Leaves variants alone that need some lists, and no others.
  package mutating func bar(_ troubled: [Int], _ settings: StreamSettings) {
    barred = rungs.ladder.rungs.indices.filter { lists.needs($0, oneOf: troubled) }
    rungs = VariantRungs(settings.presentation, under: settings.constraints, barring: barred)
  }

  /// A whole segment of a variant came; returns the variant of the one before if that was another.
  package mutating func came(_ variant: Int) -> Int? {
    defer { loaded = variant }
    guard let old = loaded, old != variant else { return nil }
    switchCount += 1
    return old
  }
}

/// A first variant with the reason for it.
public struct InitialVariant: Hashable, Sendable {
  /// Into the variants of the presentation.
  package var variant: Int
  package var reason: FirstVariantClause
  /// The throughput that the reason rests on, in bit/s; nil where it rests on none.
  package var bitRate: Int64?

  package init(variant: Int, reason: FirstVariantClause, bitRate: Int64? = nil) {
    (self.variant, self.reason, self.bitRate) = (variant, reason, bitRate)
  }
}

extension VariantChoice {
  /// Chooses the variant to begin with: the one in which the sound goes on, else by the item's own
  /// rule; nil where none can be played.
  ///
  /// - Parameter observed: Throughput of the link, in bit/s.
  package mutating func begin(
    _ settings: StreamSettings, by rule: FirstVariantRule, observed: Int64?,
    at speed: PlaybackRate = .normal
  ) -> InitialVariant? {
    let continued = soundBefore.flatMap {
      settings.presentation.continuation(
        of: $0, under: settings.constraints, language: settings.audioLanguage)
    }.map { InitialVariant(variant: $0, reason: .continuesSound) }
    let choice = continued ?? rungs.first(by: rule, observed: observed, at: speed)
    if let choice { (current, first) = (choice.variant, choice.variant) }
    isProbing = choice?.reason == .probe
    return choice
  }

  /// Chooses once more, after a probe.
  mutating func begin(by rule: FirstVariantRule, after probe: ProbeResult) -> InitialVariant? {
    isProbing = false
    // The probe has been judged: the first segment to be played is of the variant chosen now.
    isDue = false
    guard let choice = rungs.first(by: rule, after: probe) else { return nil }
    (current, first) = (choice.variant, choice.variant)
    return choice
  }

  /// The variant to go on with where some lists do not come: "backup alternates will be tried first
  /// before switching down" (WWDC17 514). Nil where there is none.
  package func alternative(to troubled: [Int], _ estimate: Int64?) -> Int? {
    guard let current else { return nil }
    let limit = rungs[current].bandwidth
    let others = rungs.ladder.rungs.indices.filter {
      $0 != current && rungs.isEligible($0) && !lists.needs($0, oneOf: troubled)
    }
    if let backup = others.first(where: { rungs[$0].bandwidth == limit }) { return backup }
    let below = others.filter { rungs[$0].bandwidth < limit }
    guard let lowest = below.min(by: isLower) else { return others.min(by: isLower) }
    guard let estimate else { return below.max(by: isLower) }
    return below.filter { rungs[$0].sustained <= estimate }.max(by: isLower) ?? lowest
  }

  private func isLower(_ a: Int, _ b: Int) -> Bool { rungs[a].bandwidth < rungs[b].bandwidth }
}

/// The reason for which a stream goes on with another variant.
public enum SwitchReason: Hashable, Sendable {
  /// The rule for the next variant decided.
  case chosen(VariantClause)
  /// The segment under way was given up.
  case abandoned(AbandonClause)
  /// Something was amiss with the variant, or is no longer.
  case trouble(VariantTrouble)
}

/// The reason to leave a variant, or to come back to it, whatever the player's rule says.
public enum VariantTrouble: String, Hashable, Sendable, CaseIterable {
  /// Something that the variant needs did not come.
  case requestFailed
  /// The playlist says that a segment is missing.
  case gap
  case stalePlaylist
  /// A variant has been left alone for long enough to be tried again.
  case recovered
}

/// The list that each track of a variant plays, worked out once for the languages selected.
struct VariantLists {
  private struct Lists {
    var main: Int
    var audio: Int?
    var subtitles: Int?
    /// Whether it is of sound alone, and played by a rendition.
    var isSoundAlone: Bool
  }

  /// In playlist order.
  private let variants: [Lists]

  init(_ settings: StreamSettings) {
    let presentation = settings.presentation
    variants = presentation.variants.indices.map { variant in
      func list(_ kind: RenditionKind, _ language: String?) -> Int? {
        presentation.rendition(of: kind, for: variant, language: language)
          .flatMap { presentation.renditions[$0].list }
      }
      let soundAlone = presentation.soundAlone(of: variant, language: settings.audioLanguage)
      return Lists(
        main: soundAlone ?? presentation.variants[variant].list,
        audio: soundAlone == nil ? list(.audio, settings.audioLanguage) : nil,
        subtitles: settings.subtitleLanguage.flatMap { list(.subtitles, $0) },
        isSoundAlone: soundAlone != nil)
    }
  }

  /// The list of a variant's track; nil where it has none of that kind, or none was asked for.
  func list(of kind: TrackKind, for variant: Int) -> Int? {
    switch kind {
    case .main: variants[variant].main
    case .audio: variants[variant].audio
    case .subtitles: variants[variant].subtitles
    }
  }

  /// Whether a variant is of sound alone, so that its main track is a rendition's.
  func isSoundAlone(_ variant: Int) -> Bool { variants[variant].isSoundAlone }

  /// Whether a variant cannot be played without one of some lists.
  func needs(_ variant: Int, oneOf lists: [Int]) -> Bool {
    lists.contains(variants[variant].main)
      || variants[variant].audio.map { lists.contains($0) } ?? false
  }
}

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
    frames = presentation.variants.map {
      guard let rate = $0.attributes.frameRate, rate > 0 else { return nil }
      return MediaTime(nanoseconds: scaled(1_000_000_000_000, by: 1, over: rate, rounding: .up))
    }
  }

  subscript(variant: Int) -> Ladder.Rung { ladder.rungs[variant] }

  func isEligible(_ variant: Int) -> Bool { eligible.contains(variant) }

  /// The variant to begin with, by a rule and what was observed of the link, in bit/s; nil where
  /// none can be played.
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
    let reason = isLastResort ? .lowestOfAll : verdict.clause
    return InitialVariant(
      variant: verdict.answer, reason: reason, bitRate: reason.goesByThroughput ? rate : nil)
  }
}

extension Presentation {
  /// The variants as a policy is told of them.
  var rungs: [Ladder.Rung] {
    variants.indices.map {
      Ladder.Rung(
        bandwidth: variants[$0].attributes.bandwidth,
        averageBandwidth: variants[$0].attributes.averageBandwidth)
    }
  }
}

// An item's settings for the choice of its variants, in the short forms of apps and scenarios.

extension StreamSettings {
  /// The seats that the item fills itself.
  var seats: VariantSeats {
    var seats = VariantSeats.none
    switch initialRule {
    case nil: break
    case .firstEligible: seats.first = .firstListed
    // HLS authoring specification 1.32: the default variant should be the 2000 kbit/s one.
    case .optimised: seats.first = .withinEstimate(percent: 100, assumed: 2_000_000)
    }
    switch adaptation {
    case nil: break
    case .fixed: (seats.next, seats.abandon) = (.fixed, .never)
    case .throughput: (seats.next, seats.abandon) = (.throughput(.usual), .rescue(.usual))
    }
    return seats
  }
}
