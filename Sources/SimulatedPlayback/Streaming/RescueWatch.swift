import LinkConditioner
import StreamingMedia
import VirtualTime

// Going down before the buffer is played out: a segment that was asked for while the link was fast
// would keep a slow one busy until nothing is left.

/// The segment under way that is being watched, and what it had brought at the last look.
struct RescueWatch {
  private(set) var id: TransferID?
  /// When it has taken longer than what was ahead, by more than the rule puts up with.
  private(set) var patienceEnds = Instant.distantFuture
  /// When it is looked at, while the playhead moves.
  private(set) var due = Instant.distantFuture
  private var since = Instant.zero
  private var bytes: Int64 = 0

  /// The shortest time between two looks: our assumption, so that a near end does not mean one
  /// look after the other.
  private static let leastPause = TimeSpan.milliseconds(250)

  /// What one look at a segment shows.
  struct Look {
    var arrived: Int64
    /// What came since the look before, and over what time.
    var brought: Int64
    var span: TimeSpan

    /// In bit/s; nil where nothing came, or in no time.
    var rate: Int64? {
      if brought <= 0 || span <= .zero { return nil }
      return scaled(brought, by: 8_000_000_000, over: span.nanoseconds, rounding: .down)
    }

    /// How long the rest takes at that rate, in nanoseconds.
    func rest(of bytes: Int64) -> Int128 {
      Int128(bytes - arrived) * Int128(span.nanoseconds) / Int128(brought)
    }
  }

  /// Watches another segment from now on.
  ///
  /// - Parameters:
  ///   - lasts: How long what is loaded lasts; nil where nothing is.
  ///   - rule: The patience and the share that it allows; nil where nothing is given up.
  mutating func watch(
    _ id: TransferID, since began: Instant, lasts: TimeSpan?, _ rule: RescueRule, at now: Instant
  ) {
    self = RescueWatch()
    self.id = id
    since = began
    if let lasts, let patience = rule.patience { patienceEnds = now + lasts + patience }
    planLook(lasts, rule, at: now)
  }

  /// Sees to it that the segment is looked at before what is loaded is played out.
  mutating func planLook(_ lasts: TimeSpan?, _ rule: RescueRule, at now: Instant) {
    due = .distantFuture
    guard let percent = rule.percent, let lasts else { return }
    let share = scaled(lasts.nanoseconds, by: percent, over: 100, rounding: .down)
    due = now + max(Self.leastPause, TimeSpan(nanoseconds: share))
  }

  /// Watches nothing.
  mutating func stop() {
    if id != nil { self = RescueWatch() }
  }

  mutating func patienceHasEnded() {
    patienceEnds = .distantFuture
  }

  func look(_ arrived: Int64, at now: Instant) -> Look {
    Look(arrived: arrived, brought: arrived - bytes, span: now - since)
  }

  /// Goes on from a look that changed nothing.
  mutating func keep(_ look: Look, at now: Instant) {
    since = now
    bytes = look.arrived
  }
}

/// What of a throughput rule says when a segment is given up.
struct RescueRule {
  /// How much longer than what was ahead a segment may take; nil for as long as it likes.
  var patience: TimeSpan?
  /// After what share of what is ahead it is looked at, in percent; nil for never.
  var percent: Int64?

  init(_ settings: StreamSettings, without: BehaviourSet) {
    guard case .throughput(let rule) = settings.adaptation else { return }
    patience = without.contains(.segmentAbandonment) ? nil : rule.abandonAfter
    percent = without.contains(.rescue) ? nil : rule.rescuePercent
  }
}

/// A segment under way as one look shows it, and what it would be given up for.
struct RescueView {
  var fetch: SegmentFetch
  var look: RescueWatch.Look
  var lists: [SegmentList]
  var choice: VariantChoice
  var adaptation: AdaptationRule

  /// What the link brings, less the margin of the rule, where the segment is to be given up; nil
  /// where it is kept.
  ///
  /// - Parameters:
  ///   - lasts: How long what is loaded lasts.
  ///   - rate: At which it is played.
  func budget(_ lasts: TimeSpan, at rate: PlaybackRate) -> BitRate? {
    guard let brought = look.rate, !sustains(brought), leavesTooLittle(lasts, at: rate) else {
      return nil
    }
    let budget = withMargin(brought)
    return isWorthwhile(budget) ? budget : nil
  }

  /// Whether the network keeps real time with the variant: then nothing needs to be given up.
  private func sustains(_ brought: Int64) -> Bool {
    choice.rungs[fetch.variant].sustained <= .bitsPerSecond(brought)
  }

  /// Whether less than a segment's length would be left once the segment is in.
  private func leavesTooLittle(_ lasts: TimeSpan, at rate: PlaybackRate) -> Bool {
    let length = rate.span(toPlay: lists[fetch.list].segments[fetch.index].duration)
    return look.rest(of: fetch.bytes) + Int128(length.nanoseconds) > Int128(lasts.nanoseconds)
  }

  private func withMargin(_ brought: Int64) -> BitRate {
    guard case .throughput(let rule) = adaptation else { return .bitsPerSecond(brought) }
    return .bitsPerSecond(scaled(brought, by: rule.safetyPercent, over: 100, rounding: .down))
  }

  /// Whether the segment of the variant that it would be given up for is smaller than what is
  /// missing of this one.
  private func isWorthwhile(_ budget: BitRate) -> Bool {
    guard let lower = choice.lower(than: fetch.variant, within: budget),
      let list = choice.lists.list(of: .main, for: lower),
      let index = lists[list].index(at: lists[fetch.list].segments[fetch.index].start)
    else { return false }
    return lists[list].segments[index].bytes < fetch.bytes - look.arrived
  }
}
