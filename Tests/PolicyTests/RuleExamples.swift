import PlayerPolicies
import VirtualTime

// Rules and facts in one expression: the sources change what is usual, field by field.

extension PlayThrough {
  init(
    safety: SafetyFactor = .none, whenEndUnknown: Bool = false, margin: Margin = .none,
    everyByte: Bool = true
  ) {
    self = .usual
    (self.safety, self.whenEndUnknown) = (safety, whenEndUnknown)
    (self.margin, self.everyByte) = (margin, everyByte)
  }
}

extension QueueLevel {
  init(downstream: MediaTime, span: TimeSpan) {
    self = .usual
    (self.downstream, self.span) = (downstream, span)
  }
}

extension LatenessLevel {
  init(
    delay: MediaTime, step: MediaTime, most: MediaTime, reach: MediaTime = .zero,
    lag: MediaTime = .zero
  ) {
    self = .usual
    (self.delay, self.step, self.most, self.reach, self.lag) = (delay, step, most, reach, lag)
  }
}

extension EstimatorDescription.Gate {
  init(bytes: Int64 = .max, span: TimeSpan = .forever) {
    self = .closed
    (self.bytes, self.span) = (bytes, span)
  }
}

extension HistoryRule.SinceRule {
  init(
    window: TimeSpan, leastBytes: Int64, leastEntries: Int32, newest: Int32, oldest: Int32
  ) {
    self = .usual
    (self.window, self.leastBytes, self.leastEntries) = (window, leastBytes, leastEntries)
    (self.newest, self.oldest) = (newest, oldest)
  }
}

extension ThroughputChoice {
  init(keepsSustained: Bool = true) {
    self = .usual
    self.keepsSustained = keepsSustained
  }
}

extension BufferBasedRule {
  init(reservoir: MediaTime, cushion: MediaTime) {
    self = .usual
    (self.reservoir, self.cushion) = (reservoir, cushion)
  }
}

extension BandRule {
  init(
    upPercent: Int64, downPercent: Int64, leastBetweenSwitches: TimeSpan,
    starvation: TimeSpan? = nil
  ) {
    self = .usual
    (self.upPercent, self.downPercent) = (upPercent, downPercent)
    (self.leastBetweenSwitches, self.starvation) = (leastBetweenSwitches, starvation)
  }
}

extension StepRule {
  init(upFrom: MediaTime, downBelow: MediaTime, leastBetweenSwitches: TimeSpan) {
    self = .usual
    (self.upFrom, self.downBelow) = (upFrom, downBelow)
    self.leastBetweenSwitches = leastBetweenSwitches
  }
}

extension RescueRule {
  init(lookPercent: Int64? = 25, first: FirstSegmentRule? = nil) {
    self = .usual
    (self.lookPercent, self.first) = (lookPercent, first)
  }
}

extension PredictiveRule {
  init(horizon: Int, quality: Double = 1, stalling: Double = 4.3, change: Double = 1) {
    self = PredictiveSeat.usual.rule
    (self.horizon, self.quality) = (horizon, quality)
    (self.stalling, self.change) = (stalling, change)
  }
}

// MARK: - Facts

extension WantedFacts {
  init(
    bytes: Bool = false, tracks: Bool = false, limits: Bool = false, arriving: Bool = false,
    live: Bool = false
  ) {
    self = .none
    (self.bytes, self.tracks, self.limits) = (bytes, tracks, limits)
    (self.arriving, self.live) = (arriving, live)
  }
}

extension Estimate {
  init(
    bitsPerSecond: Int64? = nil, latency: TimeSpan? = nil, isReliable: Bool = false,
    isLine: Bool = false
  ) {
    self = .unknown
    (self.bitsPerSecond, self.latency) = (bitsPerSecond, latency)
    (self.isReliable, self.isLine) = (isReliable, isLine)
  }
}

extension Snapshot {
  init(
    now: Instant, source: SourceKind, wait: Wait, waitBegan: Instant = .zero,
    rate: PlaybackRate = .normal, playhead: MediaTime = .zero, loadedEnd: MediaTime,
    end: MediaTime, file: FileFacts? = nil, stream: StreamFacts? = nil
  ) {
    self.init(now: now, source: source, wait: wait, end: end)
    (self.waitBegan, self.rate, self.playhead) = (waitBegan, rate, playhead)
    (self.loadedEnd, self.file, self.stream) = (loadedEnd, file, stream)
  }
}

extension StreamFacts {
  init(
    variant: Int? = nil, nextSegment: Int, received: Int64 = 0, request: RequestFacts? = nil,
    wholeSegments: Int64 = 0
  ) {
    self.init(variant: variant)
    (self.nextSegment, self.received) = (nextSegment, received)
    (self.request, self.wholeSegments) = (request, wholeSegments)
  }
}

extension VariantQuestion {
  init(
    now: Instant, ladder: Ladder, eligible: EligibleRungs, current: Int, estimate: Estimate,
    ahead: MediaTime, rate: PlaybackRate = .normal, switched: Instant?
  ) {
    self.init(
      now: now, ladder: ladder, eligible: eligible, current: current, estimate: estimate,
      ahead: ahead)
    (self.rate, self.switched) = (rate, switched)
  }
}
