public import VirtualTime

package enum FirstVariantRule: Hashable, Sendable {
  /// The eligible one that stands first in the playlist.
  case firstListed
  case lowest
  case highest
  /// So many eligible ones are lower; the highest where there are fewer.
  case place(Int)
  /// The highest whose declared peak, times `needs`, is within a share, both in percent, of what an
  /// earlier playback observed, or of what is assumed of an unseen link; else the lowest.
  ///
  /// With `heedsRate` media that plays at twice its speed needs twice its bit rate.
  case withinEstimate(percent: Int64, needs: Int64 = 100, assumed: Int64, heedsRate: Bool = true)
  /// The lowest, of which one segment is fetched and thrown away to see what the link brings; then
  /// the highest whose declared peak is within a share, in percent, of that and whose segment comes
  /// within a span, or its own length, less what the probe took. Else the lowest.
  case probe(percent: Int64, within: TimeSpan)

  /// The bit rate that it goes by; nil where it goes by none.
  package func rate(observed: Int64?) -> Int64? {
    switch self {
    case .firstListed, .lowest, .highest, .place, .probe: nil
    case .withinEstimate(_, _, let assumed, _): observed ?? assumed
    }
  }

  var goesByThroughput: Bool {
    switch self {
    case .firstListed, .lowest, .highest, .place: false
    case .withinEstimate, .probe: true
    }
  }

  /// - Parameters:
  ///   - observed: Throughput observed by an earlier playback, in bit/s; nil for nothing.
  ///   - speed: Rate at which it will be played.
  /// - Returns: Nil where nothing can be played.
  package func choice(
    _ eligible: EligibleRungs, observed: Int64?, at speed: PlaybackRate = .normal
  ) -> FirstVariantVerdict? {
    guard let lowest = eligible.lowest, let first = eligible.firstListed else { return nil }
    switch self {
    case .firstListed: return FirstVariantVerdict(first, .firstEligible)
    case .lowest: return FirstVariantVerdict(lowest, .lowest)
    // With a single eligible variant nothing is probed.
    case .probe:
      return FirstVariantVerdict(lowest, eligible.ascending.count > 1 ? .probe : .lowest)
    case .highest:
      return FirstVariantVerdict(eligible.highest(within: .max) ?? lowest, .highest)
    case .place(let place):
      let ascending = eligible.ascending
      return FirstVariantVerdict(ascending[min(place, ascending.count - 1)], .place)
    case .withinEstimate(let percent, let needs, let assumed, let heedsRate):
      let known = max(0, observed ?? assumed)
      let rate = (heedsRate ? speed : .normal).usable(percent, of: known, over: needs)
      return Self.highest(
        of: eligible, peakWithin: rate,
        observed == nil ? .sustainedByAssumption : .sustainedByObservation)
    }
  }

  /// The variant to begin with after a probe; nil where nothing was probed, or can be played.
  package func choice(_ eligible: EligibleRungs, after probe: ProbeResult) -> FirstVariantVerdict? {
    guard case .probe(let percent, let within) = self else { return nil }
    let rate = scaled(probe.throughput, by: percent, over: 100, rounding: .down)
    let left = min(within, TimeSpan(nanoseconds: probe.length.nanoseconds)) - probe.took
    // A segment of a rate takes its length times that rate over the throughput.
    let fits =
      left <= .zero
      ? 0
      : scaled(
        probe.throughput, by: left.nanoseconds, over: probe.length.nanoseconds, rounding: .down)
    return Self.highest(of: eligible, peakWithin: min(rate, fits), .sustainedByProbe)
  }

  /// The highest whose declared peak is within a rate, with the clause for it, else the lowest.
  private static func highest(
    of eligible: EligibleRungs, peakWithin rate: Int64, _ clause: FirstVariantClause
  ) -> FirstVariantVerdict? {
    if let best = eligible.highest(peakWithin: rate) { return FirstVariantVerdict(best, clause) }
    return eligible.lowest.map { FirstVariantVerdict($0, .lowestEligible) }
  }
}

package struct ProbeResult: Hashable, Sendable {
  /// In bit/s.
  package var throughput: Int64
  package var took: TimeSpan
  package var length: MediaTime

  package init(throughput: Int64, took: TimeSpan, length: MediaTime) {
    self.throughput = throughput
    self.took = took
    self.length = length
  }
}

package typealias FirstVariantVerdict = Verdict<Int, FirstVariantClause>

/// The reason for a first variant: the clause of the rule that decided, or what went before it.
package enum FirstVariantClause: String, Hashable, Sendable, CaseIterable {
  case firstEligible
  /// No variant satisfies the preferences, and it is the lowest.
  case lowestOfAll
  case sustainedByObservation
  case sustainedByAssumption
  /// No eligible variant is sustained, and it is the lowest.
  case lowestEligible
  case probe
  case sustainedByProbe
  case lowest
  case highest
  case place
  /// Its sound goes on from the item before.
  case continuesSound

  package var goesByThroughput: Bool {
    switch self {
    case .sustainedByObservation, .sustainedByAssumption, .sustainedByProbe, .lowestEligible: true
    case .firstEligible, .lowestOfAll, .probe, .lowest, .highest, .place, .continuesSound: false
    }
  }
}

/// The choice of the variant that the next segment is taken from.
///
/// A new rule is a case here and a type of its own.
package enum NextVariantRule: Hashable, Sendable {
  /// Stay with the first one.
  case fixed
  case throughput(ThroughputChoice)
  case bufferBased(BufferBasedRule)
  case band(BandRule)
  case guarded(GuardedThroughputRule)
  case step(StepRule)
  /// One of the literature, with a memory: a policy asks it.
  case published(PublishedRule)
  case named(String)
}

extension VariantJudgement {
  // Perf: a method of the rule would be given a copy of it.
  mutating func choice(_ question: VariantQuestion) -> VariantVerdict {
    guard let lowest = question.eligible.lowest else { return VariantVerdict(.stay, .noneEligible) }
    let verdict: VariantVerdict
    switch next {
    case .fixed: verdict = VariantVerdict(.stay, .fixed)
    case .throughput(let rule): verdict = rule.choice(question, lowest)
    case .bufferBased(let rule): verdict = rule.choice(question)
    case .band(let rule): verdict = rule.choice(question, lowest, &chosen)
    case .guarded(let rule): verdict = rule.choice(question, lowest, &guarded)
    case .step(let rule): verdict = rule.choice(question, &opened)
    case .published, .named: verdict = VariantVerdict(.stay, .decidedOutside)
    }
    return question.leavingBarred(verdict, for: lowest)
  }
}

/// All that a variant rule is asked with.
public struct VariantQuestion: Sendable {
  public var now: Instant
  public var ladder: Ladder
  public var eligible: EligibleRungs
  /// The variant that the last segment was taken from.
  public var current: Int
  public var estimate: Estimate
  /// Media between the playhead and the loaded edge.
  public var ahead: MediaTime
  public var rate: PlaybackRate
  /// The most media that may lie ahead; nil without a limit.
  public var mediaLimit: MediaTime?
  /// The length of the parts in which segments are requested; nil where they come whole.
  public var partLength: MediaTime?
  /// The distance from the playhead to the live edge; nil on demand.
  public var liveOffset: MediaTime?
  /// Into the ladder's segments: the one to be asked for.
  public var nextSegment: Int
  /// The instant of the last change of variant; nil before the first.
  public var switched: Instant?
  /// The last segment of the main rendition that came; nil before the first.
  public var latest: SegmentArrival?
  /// The media time at which playback will end; `distantFuture` while it is unknown.
  public var end: MediaTime
  /// The media time at which the playhead began, or to which it was last sought.
  package var playedFrom: MediaTime
  /// The segments ahead, the one under the playhead first; empty where nothing is fetched again.
  public var buffered: [RungAhead]

  package init(
    now: Instant, ladder: Ladder, eligible: EligibleRungs, current: Int, estimate: Estimate,
    ahead: MediaTime, rate: PlaybackRate = .normal, mediaLimit: MediaTime? = nil,
    partLength: MediaTime? = nil, liveOffset: MediaTime? = nil, nextSegment: Int = 0,
    switched: Instant? = nil, latest: SegmentArrival? = nil, end: MediaTime = .distantFuture,
    playedFrom: MediaTime = .zero, buffered: [RungAhead] = []
  ) {
    (self.now, self.ladder, self.eligible, self.current) = (now, ladder, eligible, current)
    (self.estimate, self.ahead, self.rate) = (estimate, ahead, rate)
    (self.mediaLimit, self.partLength, self.liveOffset) = (mediaLimit, partLength, liveOffset)
    (self.nextSegment, self.switched, self.latest) = (nextSegment, switched, latest)
    (self.end, self.playedFrom, self.buffered) = (end, playedFrom, buffered)
  }

  /// The clause for which a rule that stays takes no higher variant; nil where there is none, or
  /// nothing is known of the throughput.
  package func reasonNotToRise(_ clause: VariantClause) -> VariantClause? {
    func isHigher(_ rung: Int?) -> Bool {
      rung.map { ladder.rungs[$0].bandwidth > ladder.rungs[current].bandwidth } ?? false
    }
    if clause == .noThroughput || !isHigher(ladder.ascending.last) { return nil }
    return isHigher(eligible.ascending.last) ? clause : .noneHigherAllowed
  }

  /// A variant that is no longer eligible is left, whatever the rule says.
  func leavingBarred(_ verdict: VariantVerdict, for lowest: Int) -> VariantVerdict {
    if verdict.answer == .stay, !eligible.contains(current) {
      return VariantVerdict(.take(lowest), .notEligible)
    }
    return verdict
  }

  /// The verdict to take a variant, or to stay where that is the present one.
  func taking(_ rung: Int, _ clause: VariantClause) -> VariantVerdict {
    VariantVerdict(rung == current ? .stay : .take(rung), clause)
  }
}

/// A segment in the buffer.
public struct RungAhead: Hashable, Sendable {
  public var rung: Int
  /// Into the ladder's segments.
  public var segment: Int
  /// The distance from the playhead to its beginning; zero for the one under the playhead.
  public var ahead: MediaTime

  package init(rung: Int, segment: Int, ahead: MediaTime) {
    self.rung = rung
    self.segment = segment
    self.ahead = ahead
  }
}

/// The answer of a variant rule.
public enum VariantChoice: Hashable, Sendable {
  case stay
  /// The next segment is taken from another variant.
  case take(Int)
  /// So are the segments that are there beyond a lead, which are thrown away.
  case replace(Int, beyond: MediaTime)
  /// A segment that is there is fetched again, from a better variant, before the next one is.
  case again(Int, segment: Int)
  /// Nothing is asked for before an instant, at which the rule is asked again.
  case wait(until: Instant)
}

/// The variant to continue with.
public typealias VariantVerdict = Verdict<VariantChoice, VariantClause>

/// The clause of a variant rule that decided.
public enum VariantClause: String, Hashable, Sendable, CaseIterable {
  /// The first variant is kept.
  case fixed
  case noneEligible
  /// The present one may not be played any more.
  case notEligible
  case noThroughput
  /// The present one is the one that the throughput sustains.
  case bestAlready
  case higherSustained
  /// A higher one is sustained, but too little is ahead to try it.
  case bufferTooLow
  /// A higher one is sustained, but its first segment would come after what is ahead is played.
  case firstSegmentLate
  /// A cap, or what the device can play, allows none that is higher.
  case noneHigherAllowed
  case lowerSustained
  /// The present one is still sustained, though with less of a margin than asked for.
  case stillSustained
  /// So much is ahead that going down can wait.
  case bufferHigh
  /// The buffer is within its reserve.
  case reservoir
  /// The buffer says how far up the ladder.
  case cushion
  /// The buffer is beyond its cushion.
  case bufferFull
  /// A rule of the literature chose it.
  case published
  /// The same, by the best of the choices that a search looked at before it was cut.
  case searchCut
  /// A segment that is there is of a lower variant than the rule has just chosen.
  case lowerInBuffer
  /// So much is ahead that the next segment can wait.
  case noHaste
  /// The last switch was too short a time ago.
  case tooSoon
  case decidedOutside
}

extension BlockSource {
  static let variants = [
    BlockSource(
      "firstListed", "AVPlayer before iOS 13, by the HLS authoring specification", .documented,
      about: "The eligible variant that stands first in the playlist."),
    BlockSource("lowest", "for experiments", .assumed, about: "The lowest eligible variant."),
    BlockSource("highest", "for experiments", .assumed, about: "The highest eligible variant."),
    BlockSource("fixed", "for experiments", .assumed, about: "The first variant is kept."),
    BlockSource("throughput", "Media3's shape; AVPlayer's numbers are ours", .assumed),
    BlockSource("buffer", "Huang and others, 2014: a map from the buffer", .documented),
    BlockSource("step", "KSPlayer: with a full buffer, and 15 s apart (KSOptions.swift)", .source),
    BlockSource("band", "Shaka asks for more to go up than to stay", .source),
    BlockSource(
      "guarded",
      "dash.js ccf3b95: ThroughputRule.js, InsufficientBufferRule.js and SwitchHistoryRule.js",
      .source),
    BlockSource(
      "sabreThroughput", "Sabre 09b03bb; Spiteri, Sitaraman, Sparacio, MMSys 2018", .source),
    BlockSource("bola", "Sabre 09b03bb; Spiteri, Urgaonkar, Sitaraman, 2016", .source),
    BlockSource("enhancedBola", "Sabre 09b03bb; Spiteri, Sitaraman, Sparacio, MMSys 2018", .source),
    BlockSource("dynamic", "Sabre 09b03bb; Spiteri, Sitaraman, Sparacio, MMSys 2018", .source),
    BlockSource("predictive", "Pensieve's mpc.py; Yin and others, SIGCOMM 2015", .source),
    BlockSource("never", "for experiments", .assumed, about: "No segment is given up."),
    BlockSource(
      "published", "Sabre 09b03bb: check_abandon of the rule that chooses the next variant",
      .source, about: "The published rule for the next variant gives segments up too."),
    BlockSource(
      "rescue", "WWDC18 502 says that it switches down; every number is ours", .assumed,
      about: "A segment that would leave too little ahead is given up for a lower variant."),
    BlockSource(
      "whenDry", "AVPlayerItem.isPlaybackBufferEmpty", .documented,
      about: "Nothing is left under the playhead."),
  ]
}
