public import VirtualTime

/// The condition on which a segment under way is given up for one of a lower variant.
package enum AbandonRule: Hashable, Sendable {
  case never
  case rescue(RescueRule)
  case slow(SlowSegmentRule)
  /// The published rule that chooses the next variant gives segments up too, as in Sabre.
  case published
  case named(String)
}

/// A rule that looks at how fast a segment itself comes in, as players in pages do.
///
/// It compares the time that is left with what is ahead, and takes the highest lower variant that
/// comes before that runs out, else the lowest; or it compares the whole time with the length of
/// the segment, and takes the highest that the link sustains.
package struct SlowSegmentRule: Hashable, Sendable {
  /// The time from the first byte to the first look.
  package var from = TimeSpan.zero
  /// The share of the segment's playing time, in percent, that must have passed since the request.
  package var fromPercent: Int64 = 0
  /// The time from each look to the next.
  package var every = TimeSpan.milliseconds(100)
  /// The share of the segment's length, in percent, that all of it may take; nil to compare what is
  /// left of it with what is ahead.
  package var takesPercent: Int64?
  /// The media that should be left when it is there.
  package var margin = TimeSpan.zero
  /// The least time that the other segment must save; twice that where only the margin is left.
  package var leastGain = TimeSpan.zero
  /// Whether it looks before anything was shown, too.
  package var judgesFirst = true
  /// Whether it asks the rule for the next variant instead, and takes its choice where a segment of
  /// that comes before what is ahead is played to the margin, or is smaller than the missing rest.
  package var choosesAnew = false

  package static let usual = SlowSegmentRule()

  fileprivate func verdict(_ question: AbandonQuestion, _ clock: Sampling.Clock) -> AbandonVerdict {
    let request = question.request
    guard let responded = request.responded, let missing = question.missing, request.received > 0
    else { return AbandonVerdict(.goOn, .nothingCame) }
    if choosesAnew { return AbandonVerdict(.chooseAgain, .notYet) }
    let length = question.rate.span(toPlay: question.ladder.duration(of: request.segment))
    let least = scaled(length.nanoseconds, by: fromPercent, over: 100, rounding: .down)
    if question.now < responded + from || (question.now - request.began).nanoseconds < least {
      return AbandonVerdict(.goOn, .notYet)
    }
    let counted = clock == .request ? request.began : responded
    let rate = Estimate.rate(
      request.received, over: max(TimeSpan(nanoseconds: 1), question.now - counted))
    if let takesPercent {
      let allowed = scaled(length.nanoseconds, by: takesPercent, over: 100, rounding: .down)
      let whole = Estimate.span(of: request.received + missing, at: rate)
      if whole.nanoseconds < allowed { return AbandonVerdict(.goOn, .inTime) }
      return question.givingUp(within: rate, .tooSlow)
    }
    let ahead = (question.lasts ?? .zero) - margin
    let left = Estimate.span(of: missing, at: rate)
    if left <= ahead { return AbandonVerdict(.goOn, .inTime) }
    let latency = question.estimate.latency ?? .zero
    func takes(_ rung: Int) -> TimeSpan {
      latency + Estimate.span(of: question.bytes(of: rung), at: rate)
    }
    let limit = question.ladder.rungs[request.variant].bandwidth
    let lower = question.eligible.ascending.filter {
      question.ladder.rungs[$0].bandwidth < limit
    }
    guard let other = lower.last(where: { takes($0) < min(ahead, length + latency) }) ?? lower.first
    else { return AbandonVerdict(.goOn, .nothingToGain) }
    let gain = ahead <= .zero ? leastGain + leastGain : leastGain
    return takes(other) + gain < left && takes(other).nanoseconds / 10 < length.nanoseconds
      ? AbandonVerdict(.giveUp(for: other), .lowerIsSooner) : AbandonVerdict(.goOn, .nothingToGain)
  }
}

/// A rule that looks at what has come of a segment while there is still something to play.
package struct RescueRule: Hashable, Sendable {
  /// A segment is given up when it takes longer by this than what was ahead lasts; nil for never.
  ///
  /// About two seconds were seen (`infinite-streaming`, one harness).
  package var patience: TimeSpan? = .seconds(2)
  /// A segment is looked at when it has taken this share of what is ahead, in percent: if it would
  /// leave less than a segment's length, it is given up. Nil for never.
  ///
  /// If the network cannot keep real time, the player "will try and switch down" before it stalls
  /// (WWDC18 502); when it looks is our assumption.
  package var lookPercent: Int64? = 25
  /// The share of what comes in that the lower variant may need, in percent.
  package var safetyPercent: Int64 = 80
  /// The rule while nothing can be played; nil for none.
  package var first: FirstSegmentRule?

  package static let usual = RescueRule()

  /// The shortest time between two looks, to bound their number near an end: our assumption.
  static let leastPause = TimeSpan.milliseconds(250)
}

/// A rule for a segment that is waited for with nothing to play.
///
/// It is given up where a segment of a variant that the link sustains would be there sooner.
package struct FirstSegmentRule: Hashable, Sendable {
  /// The time from its first byte to the first look, and from each look to the next.
  package var every = TimeSpan.seconds(2)
  /// The least time by which the other segment must be there sooner.
  package var leastGain = TimeSpan.seconds(1)

  package static let usual = FirstSegmentRule()
}

/// The facts known of the segment under way.
public struct AbandonQuestion: Sendable {
  public var now: Instant
  public var ladder: Ladder
  public var eligible: EligibleRungs
  /// The estimate as if the segment were given up now: its received bytes are part of that.
  public var estimate: Estimate
  public var request: RequestFacts
  /// Bytes of all requests since the first byte of this one, its own included.
  public var received: Int64
  /// Bytes missing of the other segments that are being received, which share the link.
  public var missingBeside: Int64
  public var rate: PlaybackRate
  /// The playing time of the loaded media; nil where nothing is loaded.
  public var lasts: TimeSpan?
  /// Whether the playhead moves.
  public var isMoving: Bool
  /// The inflow of the segment's bytes; nil before the first, and where none can be foreseen.
  package var inflow: Inflow?

  package init(
    now: Instant, ladder: Ladder, eligible: EligibleRungs, estimate: Estimate,
    request: RequestFacts, received: Int64? = nil, missingBeside: Int64 = 0,
    rate: PlaybackRate = .normal, lasts: TimeSpan?, isMoving: Bool, inflow: Inflow? = nil
  ) {
    self.now = now
    self.ladder = ladder
    self.eligible = eligible
    self.estimate = estimate
    self.request = request
    self.received = received ?? request.received
    self.missingBeside = missingBeside
    self.rate = rate
    self.lasts = lasts
    self.isMoving = isMoving
    self.inflow = inflow
  }

  /// The bytes still to arrive; nil where the size is unknown.
  fileprivate var missing: Int64? { request.bytes.map { $0 - request.received } }

  /// The time in which the link brings so many bytes of the main track, and those beside them in
  /// equal shares, at a rate in bit/s.
  fileprivate func span(toBring bytes: Int64, at rate: Int64) -> TimeSpan {
    Estimate.span(of: saturatingSum(bytes, min(bytes, missingBeside)), at: rate)
  }

  /// The highest variant below the present one within a budget, else the lowest; nil where there
  /// is none below, or no less of it to come: what is nearly there comes sooner than anything that
  /// is asked for now.
  fileprivate func lower(within budget: Int64) -> Int? {
    let limit = ladder.rungs[request.variant].bandwidth
    guard let lower = eligible.highest(within: budget, below: limit) ?? eligible.lowest,
      ladder.rungs[lower].bandwidth < limit
    else { return nil }
    if let missing, bytes(of: lower) >= missing { return nil }
    return lower
  }

  /// Gives the segment up for that variant, where there is one.
  fileprivate func givingUp(within budget: Int64, _ clause: AbandonClause) -> AbandonVerdict {
    lower(within: budget).map { AbandonVerdict(.giveUp(for: $0), clause) }
      ?? AbandonVerdict(.goOn, .nothingToGain)
  }

  /// The variant of a new choice, where its segment comes with a margin of media ahead, or is
  /// smaller than the missing rest (streaming_engine.js 861, `shouldAbortCurrentRequest_`).
  func gains(by verdict: VariantVerdict, _ margin: TimeSpan) -> AbandonVerdict {
    guard case .take(let rung) = verdict.answer else { return AbandonVerdict(.goOn, .inTime) }
    let bytes = bytes(of: rung)
    let there = Estimate.span(of: bytes, at: max(1, estimate.bitsPerSecond ?? 0))
    return there < (lasts ?? .zero) - margin || bytes < missing ?? .max
      ? AbandonVerdict(.giveUp(for: rung), .lowerIsSooner) : AbandonVerdict(.goOn, .nothingToGain)
  }

  var choice: VariantQuestion {
    VariantQuestion(
      now: now, ladder: ladder, eligible: eligible, current: request.variant, estimate: estimate,
      ahead: rate.media(in: lasts ?? .zero), rate: rate, nextSegment: request.segment)
  }

  /// The bytes of the same segment of another variant, as far as the playlist tells.
  fileprivate func bytes(of rung: Int) -> Int64 {
    ladder.expectedBytes(of: rung, from: request.segment, to: request.segment + 1)
  }

  fileprivate func isSustained(by throughput: Int64) -> Bool {
    ladder.rungs[request.variant].sustained <= rate.usable(100, of: throughput)
  }
}

/// The answer of an abandon rule.
public enum AbandonAnswer: Hashable, Sendable {
  case goOn
  /// The segment is taken from another variant.
  case giveUp(for: Int)
  /// The segment is given up, and the rule for the next variant is asked once more.
  case chooseAgain
}

/// The clause of an abandon rule that decided.
public enum AbandonClause: String, Hashable, Sendable, CaseIterable {
  /// It is too early to say anything.
  case notYet
  /// Nothing has come of it: that is for a time-out to say.
  case nothingCame
  /// The network keeps real time with the variant.
  case sustained
  /// It will be there early enough.
  case inTime
  /// There is no lower variant, or its segment is not smaller than what is missing.
  case nothingToGain
  /// It has taken longer than the rule puts up with.
  case patienceOver
  /// It would leave too little ahead.
  case tooSlow
  /// Nothing plays, and a lower variant would be there sooner.
  case lowerIsSooner
  case givenUpByRule
  case decidedOutside
}

/// Whether a segment under way is given up.
public typealias AbandonVerdict = Verdict<AbandonAnswer, AbandonClause>

/// The segment that is being watched, and what it had brought at the last look.
package struct AbandonWatch: Hashable, Sendable {
  let rule: AbandonRule
  /// The instant from which on the rate of the segment is measured, as in the player's samples.
  private let clock: Sampling.Clock
  /// Whether nothing is ever given up.
  package let isIdle: Bool
  /// Whether a policy from outside decides.
  let isByName: Bool
  /// Whether checks depend on received bytes; the first byte then triggers one.
  package let countsBytes: Bool
  /// The segments that a share of their length gave up: dash.js gives each up once.
  private var givenUp: [Int] = []
  private var watched: RequestFacts?
  private var isMoving = false
  /// Whether it has moved since the segment was first watched, so that patience is counted.
  private var hasMoved = false
  /// The instant at which it has taken longer than the forward buffer, by more than the patience.
  private var patienceEnds = Instant.distantFuture
  /// The next look while the playhead moves, and the next one while nothing can be played.
  private var look = Instant.distantFuture
  private var firstLook = Instant.distantFuture
  private var since = Instant.zero
  /// Bytes of all requests since the first byte of the segment, as of the last look.
  private var received: Int64 = 0

  package init(_ rule: AbandonRule, clock: Sampling.Clock = .response) {
    (self.rule, self.clock) = (rule, clock)
    isIdle = rule == .never
    countsBytes = rule == .published
    if case .named = rule { isByName = true } else { isByName = false }
  }

  /// The next look that the segment needs; nothing before that changes an answer.
  ///
  /// Perf: `mutating` avoids copying the watch.
  package var nextLook: Instant {
    mutating get { min(patienceEnds, isMoving ? look : firstLook) }
  }

  /// Whether a due check reads the estimate: once patience is over, or while the playhead stands.
  package mutating func readsEstimate(at now: Instant) -> Bool {
    patienceEnds <= now || !isMoving && firstLook <= now
  }

  private mutating func rest() {
    watched = nil
    (isMoving, hasMoved) = (false, false)
    (patienceEnds, look, firstLook) = (.distantFuture, .distantFuture, .distantFuture)
    (since, received) = (.zero, 0)
  }

  /// Looks at the segment under way, if it is time to.
  package mutating func verdict(_ question: AbandonQuestion) -> AbandonVerdict {
    if case .slow(let slow) = rule { return verdict(question, slow) }
    guard case .rescue(let rescue) = rule else { return AbandonVerdict(.goOn, .notYet) }
    _ = isDue(
      question.request, lasts: question.lasts, isMoving: question.isMoving, at: question.now)
    let verdict = due(question, rescue)
    if verdict.answer != .goOn { rest() }
    return AbandonVerdict(verdict.answer, verdict.clause, changesAt: nextLook)
  }

  private mutating func verdict(
    _ question: AbandonQuestion, _ slow: SlowSegmentRule
  ) -> AbandonVerdict {
    if firstLook > question.now { return AbandonVerdict(.goOn, .notYet, changesAt: firstLook) }
    let isShowing = slow.judgesFirst || question.lasts != nil || question.isMoving
    let isDone = givenUp.contains(question.request.segment)
    var verdict = AbandonVerdict(.goOn, .notYet)
    if isShowing && !isDone { verdict = slow.verdict(question, clock) }
    firstLook = question.now + slow.every
    if verdict.answer == .goOn || slow.choosesAnew {
      verdict.changesAt = firstLook
    } else {
      if slow.takesPercent != nil { givenUp.append(question.request.segment) }
      rest()
    }
    return verdict
  }

  /// Takes note of the segment under way; whether it is time to look at it.
  ///
  /// - Parameter lasts: Playing time of the loaded media; nil where nothing is loaded.
  package mutating func isDue(
    _ segment: RequestFacts, lasts: TimeSpan?, isMoving: Bool, at now: Instant
  ) -> Bool {
    let isNew =
      watched.map {
        $0.began != segment.began || $0.variant != segment.variant || $0.segment != segment.segment
      } ?? true
    if isNew { rest() }
    if case .slow(let slow) = rule {
      if isNew { (watched, firstLook) = (segment, now + slow.every) }
      self.isMoving = false
      return firstLook <= now
    }
    if countsBytes { return true }
    guard case .rescue(let rescue) = rule else { return false }
    if isNew || isMoving != self.isMoving {
      watched = segment
      self.isMoving = isMoving
      if isNew { since = segment.began }
      if !isMoving {
        planFirstLook(segment, lasts, rescue, at: now)
      } else if !hasMoved || look <= now {
        if !hasMoved, let lasts, let patience = rescue.patience {
          patienceEnds = now + lasts + patience
        }
        hasMoved = true
        planLook(lasts, rescue, at: now)
      }
    }
    return nextLook <= now
  }

  private mutating func planLook(_ lasts: TimeSpan?, _ rescue: RescueRule, at now: Instant) {
    look = .distantFuture
    guard let percent = rescue.lookPercent, let lasts else { return }
    let share = scaled(lasts.nanoseconds, by: percent, over: 100, rounding: .down)
    look = now + max(RescueRule.leastPause, TimeSpan(nanoseconds: share))
  }

  private mutating func planFirstLook(
    _ segment: RequestFacts, _ lasts: TimeSpan?, _ rescue: RescueRule, at now: Instant
  ) {
    firstLook = .distantFuture
    guard lasts == nil, let first = rescue.first else { return }
    // Before the first byte nothing can be said; when it comes is not known.
    firstLook = (segment.responded ?? now) + first.every
    if firstLook <= now { firstLook = now + first.every }
  }

  private mutating func due(_ question: AbandonQuestion, _ rescue: RescueRule) -> AbandonVerdict {
    if patienceEnds <= question.now {
      patienceEnds = .distantFuture
      if question.request.received == 0 { return AbandonVerdict(.goOn, .nothingCame) }
      let budget = question.rate.usable(100, of: question.estimate.bitsPerSecond ?? 0)
      return question.givingUp(within: budget, .patienceOver)
    }
    if isMoving {
      if look > question.now { return AbandonVerdict(.goOn, .notYet) }
      let verdict = rescued(question, rescue)
      (since, received) = (question.now, question.received)
      planLook(question.lasts, rescue, at: question.now)
      return verdict
    }
    if firstLook > question.now { return AbandonVerdict(.goOn, .notYet) }
    let verdict = sooner(question, rescue)
    planFirstLook(question.request, question.lasts, rescue, at: question.now)
    return verdict
  }

  /// All requests' throughput since the last look or the first byte, in bit/s; nil if nothing came.
  ///
  /// The wait for the first byte is over and says nothing of what is missing.
  private func measured(_ question: AbandonQuestion) -> Int64? {
    let brought = question.received - received
    let span = question.now - max(since, question.request.responded ?? since)
    return brought > 0 && span > .zero ? Estimate.rate(brought, over: span) : nil
  }

  /// Gives up what would leave less than a segment's length ahead once it is in.
  private func rescued(_ question: AbandonQuestion, _ rescue: RescueRule) -> AbandonVerdict {
    guard let lasts = question.lasts, let missing = question.missing else {
      return AbandonVerdict(.goOn, .notYet)
    }
    guard let rate = measured(question) else { return AbandonVerdict(.goOn, .nothingCame) }
    if question.isSustained(by: rate) { return AbandonVerdict(.goOn, .sustained) }
    let length = question.ladder.duration(of: question.request.segment)
    if question.span(toBring: missing, at: rate) + question.rate.span(toPlay: length) <= lasts {
      return AbandonVerdict(.goOn, .inTime)
    }
    return question.givingUp(within: question.rate.usable(rescue.safetyPercent, of: rate), .tooSlow)
  }

  /// Gives up what is waited for where a lower variant would be there sooner.
  private func sooner(_ question: AbandonQuestion, _ rescue: RescueRule) -> AbandonVerdict {
    guard let first = rescue.first, let responded = question.request.responded,
      let missing = question.missing
    else { return AbandonVerdict(.goOn, .notYet) }
    let span = question.now - responded
    if span < first.every { return AbandonVerdict(.goOn, .notYet) }
    if question.received <= 0 || span <= .zero { return AbandonVerdict(.goOn, .nothingCame) }
    let rate = Estimate.rate(question.received, over: span)
    if question.isSustained(by: rate) { return AbandonVerdict(.goOn, .sustained) }
    let budget = question.rate.usable(rescue.safetyPercent, of: rate)
    guard let lower = question.lower(within: budget), rate > 0 else {
      return AbandonVerdict(.goOn, .nothingToGain)
    }
    let there = question.span(toBring: question.bytes(of: lower), at: rate)
    let waits = (question.estimate.latency ?? .zero) + first.leastGain
    if there + waits >= question.span(toBring: missing, at: rate) {
      return AbandonVerdict(.goOn, .nothingToGain)
    }
    return AbandonVerdict(.giveUp(for: lower), .lowerIsSooner)
  }
}
