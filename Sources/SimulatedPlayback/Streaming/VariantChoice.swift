package import PlayerPolicies
package import StreamingMedia
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
    rungs = VariantRungs(settings.presentation, under: settings.constraints)
    lists = VariantLists(settings)
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

// MARK: - First variant

extension VariantChoice {
  /// Chooses the variant to begin with: the one in which the sound goes on, else by the item's own
  /// rule; nil where none can be played.
  ///
  /// - Parameters:
  ///   - rule: The item's own rule.
  ///   - observed: Throughput of the link, in bit/s.
  package mutating func begin(
    _ settings: StreamSettings, by rule: FirstVariantRule, observed: Int64?,
    at speed: PlaybackRate = .normal
  ) -> InitialVariant? {
    let continued = soundBefore.flatMap {
      settings.presentation.continuation(
        of: $0, under: settings.constraints, language: settings.audioLanguage)
    }
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
}

// MARK: - Next variant

extension VariantChoice {
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
    let above = others.filter { rungs[$0].bandwidth > limit }
    guard let lowest = below.min(by: isLower) else { return above.min(by: isLower) }
    guard let estimate else { return below.max(by: isLower) }
    return below.filter { rungs[$0].sustained <= estimate }.max(by: isLower)
      ?? lowest
  }

  private func isLower(_ a: Int, _ b: Int) -> Bool { rungs[a].bandwidth < rungs[b].bandwidth }
}
