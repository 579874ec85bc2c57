import PlayerPolicies
import StreamingMedia
import VirtualTime

/// Which variant the next segment is taken from: what there is to choose from, and what was chosen.
struct VariantChoice {
  private(set) var rungs: VariantRungs
  private(set) var lists: VariantLists
  /// The variants that lists in trouble are part of.
  private var barred: [Int] = []
  /// The variant that the next segment is taken from; nil before the first choice.
  var current: Int?
  /// The variant of the first choice.
  private(set) var first: Int?
  /// Which variant the last complete segment was of.
  private(set) var loaded: Int?
  private(set) var switchCount: Int64 = 0
  /// Whether something has happened since the last choice.
  var isDue = true
  /// The sound of the item before, to go on with.
  var soundBefore: AudioContinuity?
  /// What the item before has seen of the link, in bit/s.
  var observedBefore: Int64?

  init(_ settings: StreamSettings, without: BehaviourSet) {
    rungs = VariantRungs(settings.presentation, under: settings.constraints)
    lists = VariantLists(settings, without: without)
  }

  /// Takes over what has been decided anew.
  mutating func adopt(_ settings: StreamSettings, without: BehaviourSet) {
    lists = VariantLists(settings, without: without)
    rungs = VariantRungs(settings.presentation, under: settings.constraints, barring: barred)
  }

  /// Leaves variants alone that need some lists, and no others.
  mutating func bar(_ troubled: [Int], _ settings: StreamSettings) {
    barred = rungs.rungs.indices.filter { lists.needs($0, oneOf: troubled) }
    rungs = VariantRungs(settings.presentation, under: settings.constraints, barring: barred)
  }

  /// A whole segment of a variant came; returns the variant of the one before if that was another.
  mutating func came(_ variant: Int) -> Int? {
    defer { loaded = variant }
    guard let old = loaded, old != variant else { return nil }
    switchCount += 1
    return old
  }
}

// MARK: - What to begin with

extension VariantChoice {
  /// Chooses the variant to begin with: the one in which the sound goes on, else by the item's own
  /// rule; nil where none can be played.
  mutating func begin(_ settings: StreamSettings) -> InitialVariant? {
    let continued = soundBefore.flatMap {
      settings.presentation.continuation(
        of: $0, under: settings.constraints, language: settings.audioLanguage)
    }
    let choice =
      continued
      ?? settings.presentation.initialVariant(
        by: freeRule(settings), under: settings.constraints)
    if let choice { (current, first) = (choice.variant, choice.variant) }
    return choice
  }

  /// The item's own rule, with what the item before has seen of the link.
  private func freeRule(_ settings: StreamSettings) -> InitialVariantRule {
    guard let observedBefore, case .optimised(var start) = settings.initialRule,
      start.observedBitRate == nil
    else { return settings.initialRule }
    start.observedBitRate = observedBefore
    return .optimised(start)
  }
}

// MARK: - What to go on with

extension VariantChoice {
  /// What the present variant needs in the long run, its audio included.
  var neededBitRate: BitRate? {
    current.map { rungs[$0].sustained }
  }

  /// The variant for the segments that are still to be asked for, and the clause that says so; nil
  /// for the present one.
  ///
  /// - Parameters:
  ///   - estimate: The throughput in bit/s, where it is known.
  ///   - ahead: How much media is loaded.
  func next(
    by rule: AdaptationRule, _ estimate: Int64?, ahead: MediaTime
  ) -> (variant: Int, clause: VariantClause)? {
    guard let current, let lowest = rungs.lowest else { return nil }
    let isBarred = !rungs[current].isEligible
    guard case .throughput(let rule) = rule, let estimate else {
      return isBarred ? (lowest, .notEligible) : nil
    }
    let budget = BitRate.bitsPerSecond(
      scaled(estimate, by: rule.safetyPercent, over: 100, rounding: .down))
    let best = rungs.highest(within: budget) ?? lowest
    if best == current { return nil }
    if isBarred { return (best, .notEligible) }
    if rungs[best].bandwidth > rungs[current].bandwidth {
      return ahead >= rule.upSwitchBuffer ? (best, .higherSustained) : nil
    }
    // Going down is free of haste while the present variant is sustained, or much is ahead.
    if BitRate.bitsPerSecond(estimate) >= rungs[current].sustained { return nil }
    return ahead < rule.downSwitchBuffer ? (best, .lowerSustained) : nil
  }

  /// The highest variant below another that a bit rate sustains, else the lowest; nil where there
  /// is none below.
  func lower(than variant: Int, within budget: BitRate) -> Int? {
    let limit = rungs[variant].bandwidth
    if let best = rungs.highest(within: budget, below: limit) { return best }
    return rungs.lowest.flatMap { rungs[$0].bandwidth < limit ? $0 : nil }
  }

  /// The variant to go on with where some lists do not come: "backup alternates will be tried first
  /// before switching down" (WWDC17 514). Nil where there is none.
  func alternative(to troubled: [Int], _ estimate: Int64?) -> Int? {
    guard let current else { return nil }
    let limit = rungs[current].bandwidth
    let others = rungs.rungs.indices.filter {
      $0 != current && rungs[$0].isEligible && !lists.needs($0, oneOf: troubled)
    }
    if let backup = others.first(where: { rungs[$0].bandwidth == limit }) { return backup }
    let below = others.filter { rungs[$0].bandwidth < limit }
    let above = others.filter { rungs[$0].bandwidth > limit }
    guard let lowest = below.min(by: isLower) else { return above.min(by: isLower) }
    guard let estimate else { return below.max(by: isLower) }
    return below.filter { rungs[$0].sustained <= .bitsPerSecond(estimate) }.max(by: isLower)
      ?? lowest
  }

  private func isLower(_ a: Int, _ b: Int) -> Bool { rungs[a].bandwidth < rungs[b].bandwidth }
}
