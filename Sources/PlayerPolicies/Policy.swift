package import VirtualTime

/// A policy that runs: a value, and all that it remembers is in it.
///
/// It cannot be copied, as it is asked after every packet and too large for that.
///
/// What it believes of the link belongs to the player and outlives items, seeks and what is read
/// ahead; what it remembers of an item is a `Judgement` of that item's own.
package struct Policy: ~Copyable, Sendable {
  private let constant: Constant<PolicyDescription>
  private var fileEstimator: Estimator
  private var streamEstimator: Estimator
  /// The estimates of the link by a published rule, where there is one.
  private var belief = PublishedBelief()
  /// The closures that it asks, looked up once.
  private let seats: CustomPolicy
  /// With how much ahead a stall is declared.
  private let reserve: MediaTime
  /// The estimate of streams that a segment given up leaves behind; nil where it stands.
  private var restart: Int64?
  /// Whether an item has a rule of its own that goes by what is believed.
  private var believesForItems = false

  package init(
    _ description: PolicyDescription, with registry: PolicyRegistry = .none
  ) throws(PolicyProblem) {
    constant = Constant(description)
    fileEstimator = Estimator(description.estimator.ofFiles)
    streamEstimator = Estimator(description.estimator.ofStreams)
    seats = try CustomPolicy(filling: description, from: registry)
    reserve = description.stall.reserve()
  }

  package var description: PolicyDescription { constant.value }

  /// The initial memory of an item that was not judged yet.
  ///
  /// - Parameter heuristic: Rule for starting and resuming this item; nil leaves it to the policy.
  package func judgement(by heuristic: KeepUpHeuristic? = nil) -> Judgement {
    Judgement(
      start: heuristic?.start ?? description.start, resume: heuristic?.resume ?? description.resume,
      isByName: heuristic == nil)
  }

  /// The initial memory of a stream's variants, before any decision.
  ///
  /// - Parameter own: Seats of this stream alone.
  package func judgement(ofVariants own: VariantSeats) -> VariantJudgement {
    VariantJudgement(
      first: own.first ?? description.firstVariant, next: own.next ?? description.nextVariant,
      abandon: AbandonWatch(
        own.abandon ?? description.abandon, clock: description.estimator.ofStreams.clock))
  }

  /// Takes note of a rule that an item has in the place of the policy's own.
  package mutating func serve(_ heuristic: KeepUpHeuristic?) {
    if let heuristic, heuristic.start.goesByThroughput || heuristic.resume.goesByThroughput {
      believesForItems = true
    }
  }

  /// Begins to listen to the requests for media from a source: how much it wants to hear of them.
  ///
  /// - Parameter flows: Whether bytes come in as a fluid, whose line can be believed in.
  package func subscription(to source: SourceKind, flows: Bool) -> Subscription {
    if source == .local { return .nothing }
    guard believesForItems || description.goesByThroughput(of: source) else { return .ends }
    let estimator =
      source == .segmented ? description.estimator.ofStreams : description.estimator.ofFiles
    return estimator.subscription(flows: flows)
  }

  package mutating func hear(_ event: TransferEvent, of source: SourceKind, at now: Instant) {
    switch source {
    case .local: break
    case .progressive: fileEstimator.hear(event, at: now)
    case .segmented:
      streamEstimator.hear(event, at: now)
      if let restart, case .ended(_, _, .abandoned) = event {
        streamEstimator.begin(anewWith: restart)
        self.restart = nil
      }
    }
  }

  /// Takes note of the throughput of streams that an earlier playback observed, in bit/s.
  package mutating func begin(with observed: Int64) { streamEstimator.begin(with: observed) }

  // Perf: `mutating` avoids a copy of the policy, of 945 bytes, at each question.
  package mutating func estimate(of source: SourceKind) -> Estimate {
    source == .segmented ? streamEstimator.estimate : fileEstimator.estimate
  }

  /// The estimate as if a request of a stream were abandoned now, with so many bytes received.
  package func estimate(
    abandoning request: RequestNumber, bytes: Int64, at now: Instant
  ) -> Estimate {
    var estimator = streamEstimator
    estimator.hear(.ended(request, bytes: bytes, .abandoned), at: now)
    return estimator.estimate
  }

  /// Whether a question about readiness while media moves changes nothing that it remembers.
  ///
  /// - Parameter source: Packets of a file are the only ones from which a verdict is held back.
  package func forgetsMotion(over source: SourceKind) -> Bool {
    !seats.judges && description.stall == .whenDry && !description.sink.predictsOnce
      && (source == .segmented || description.sink.holds <= .zero)
  }

  /// Whether playback may begin, go on, or is likely to.
  ///
  /// - Parameter snapshot: Since when it waits is noted in it.
  package mutating func readiness(
    _ snapshot: inout Snapshot, _ ladder: Ladder, _ judgement: inout Judgement
  ) -> ReadinessVerdict {
    if judgement.note(&snapshot, reserve: reserve) {
      if snapshot.source == .segmented { streamEstimator.waits() } else { fileEstimator.waits() }
    }
    var verdict = settled(snapshot, ladder, &judgement)
    if judgement.looksWhileMoving, snapshot.wait == .nothing {
      let look = judgement.resume.look(whileMoving: snapshot, &judgement.resumeMemory)
      verdict.changesAt = min(verdict.changesAt, look)
    }
    return verdict
  }

  /// The verdict that the app sees. The snapshot is borrowed: it is too large to copy each time.
  private mutating func settled(
    _ snapshot: borrowing Snapshot, _ ladder: Ladder, _ judgement: inout Judgement
  ) -> ReadinessVerdict {
    if description.sink.predictsOnce, judgement.held.shown.answer,
      snapshot.wait == .nothing || snapshot.ahead > .zero
    {
      return ReadinessVerdict(true, judgement.held.shown.clause)
    }
    let estimate = estimate(of: snapshot.source)
    // An outside rule may count its questions, and is slow to answer.
    let asksOutside = judgement.isByName && seats.judges
    if asksOutside, judgement.last.stands(snapshot, estimate, ladder) {
      return judgement.held.shown
    }
    let verdict = judged(snapshot, ladder, estimate, &judgement)
    // It is from packet to packet that a judgement keeps changing.
    let isHeld = snapshot.wait == .nothing && snapshot.comesInPackets
    judgement.held.settle(
      description.sink.limiting(verdict, snapshot, inFrames: judgement.goesOnInFrames),
      holds: isHeld ? description.sink.holds : .zero, at: snapshot.now)
    if asksOutside {
      judgement.last = .answered(
        copy snapshot, estimate, ladder, until: judgement.held.shown.changesAt)
    }
    return judgement.held.shown
  }

  private mutating func judged(
    _ snapshot: borrowing Snapshot, _ ladder: Ladder, _ estimate: Estimate,
    _ judgement: inout Judgement
  ) -> ReadinessVerdict {
    if let exit = description.exits.verdict(snapshot) { return exit }
    // With everything there nobody is asked, in Swift or elsewhere: there is nothing to wait for.
    if snapshot.isEverythingLoaded { return ReadinessVerdict(true, .everythingLoaded) }
    // Ready before a pause, it is ready behind it, down to the mark at which it would stall.
    if judgement.goesOn, snapshot.ahead > .zero {
      let ready = ReadinessVerdict(true, .anythingLoaded)
      return judgement.isFullBelowReserve ? ready : description.stall.keeping(ready, snapshot)
    }
    let isResuming = snapshot.wait == .stall
    // Reading that is held back says nothing of the link: the prediction stays what it was.
    if snapshot.buffer.loading == .full, estimate.isLine, snapshot.file?.flows == true,
      case .playThrough = isResuming ? judgement.resume : judgement.start
    {
      return ReadinessVerdict(judgement.held.shown.answer, judgement.held.shown.clause)
    }
    if judgement.isByName, let rule = isResuming ? seats.resume : seats.start {
      let question = ReadinessQuestion(
        snapshot: copy snapshot, estimate: estimate, ladder: ladder,
        memory: isResuming ? judgement.resumeMemory : judgement.startMemory)
      let flows = snapshot.file.map { $0.flows && $0.line?.unitsPerNanosecond ?? 0 > 0 } ?? false
      return rule(question, &judgement.custom)
        .lookingAgain(at: snapshot.now, isUntold: flows && snapshot.wait != .nothing)
    }
    let verdict =
      isResuming
      ? judgement.resume.verdict(snapshot, estimate, ladder, judgement.resumeMemory)
      : judgement.start.verdict(snapshot, estimate, ladder, judgement.startMemory)
    if !verdict.answer || judgement.isFullBelowReserve { return verdict }
    if snapshot.wait == .stall, spares(snapshot, ladder, judgement) { return verdict }
    return description.stall.keeping(verdict, snapshot)
  }

  /// Whether no stall is declared however little is left, as the rest is believed to come in time.
  private mutating func spares(
    _ snapshot: borrowing Snapshot, _ ladder: Ladder, _ judgement: borrowing Judgement
  ) -> Bool {
    guard case .belowUnlessPlayThrough = description.stall else { return false }
    let prediction = judgement.resume.prediction ?? PlayThrough(whenEndUnknown: true)
    return prediction.verdict(snapshot, estimate(of: snapshot.source), ladder).answer
  }

  /// Whether a player that plays declares a stall with media left.
  package mutating func stall(
    _ snapshot: Snapshot, of ladder: Ladder = .empty, _ judgement: inout Judgement
  ) -> StallVerdict {
    // There is nothing to wait for.
    if judgement.isFullBelowReserve { return StallVerdict(false, .notDry) }
    if let stall = seats.stall {
      if snapshot.isEverythingLoaded { return StallVerdict(false, .everythingLoaded) }
      return stall(snapshot, &judgement.custom).lookingAgain(at: snapshot.now)
    }
    let verdict = description.stall.verdict(snapshot)
    // Where nothing is loading a stall would end as it begins.
    if verdict.answer, snapshot.buffer.loading != .underWay { return StallVerdict(false, .notDry) }
    if !verdict.answer || !spares(snapshot, ladder, judgement) { return verdict }
    return StallVerdict(false, .everyByteInTime, changesAt: snapshot.now + StallRule.looksAgain)
  }

  /// The cost of its searches since the last call, in events of a run: 32 steps equal one.
  package mutating func takeSearchCost() -> Int64 {
    let cost = belief.steps / 32
    belief.steps %= 32
    return cost
  }

  package mutating func nextVariant(
    _ question: VariantQuestion, _ judgement: inout VariantJudgement
  ) -> VariantVerdict {
    let verdict: VariantVerdict
    if case .named = judgement.next, let rule = seats.nextVariant {
      verdict = question.keepingPlayable(rule(question, &judgement.custom))
    } else if case .published(let rule) = judgement.next, let lowest = question.eligible.lowest {
      verdict = question.leavingBarred(
        rule.choice(question, &belief, &judgement.published), for: lowest)
    } else {
      verdict = judgement.choice(question)
    }
    let again = description.choice.again
    if again == .never { return verdict }
    // A wait before the next segment does not delay fetching another one again.
    guard let chosen = verdict.answer.rung(from: question) ?? judgement.published.pending?.rung,
      let segment = again.segment(below: chosen, question)
    else { return verdict }
    judgement.published.pending = nil
    return VariantVerdict(.again(chosen, segment: segment), .lowerInBuffer)
  }

  /// Whether the segment under way is given up.
  package mutating func abandon(
    _ question: AbandonQuestion, _ judgement: inout VariantJudgement
  ) -> AbandonVerdict {
    if judgement.abandon.isByName, let rule = seats.abandon {
      return question.keepingPlayable(rule(question, &judgement.custom))
    }
    if judgement.abandon.rule == .published, case .published(let rule) = judgement.next {
      return rule.abandon(question, &judgement.published)
    }
    let verdict = judgement.abandon.verdict(question)
    if verdict.answer == .goOn { return verdict }
    guard verdict.answer == .chooseAgain, case .slow(let slow) = judgement.abandon.rule else {
      judgement.guarded.abandons(at: question.now)
      if case .band(let rule) = judgement.next, case .giveUp(let rung) = verdict.answer {
        restart = rule.restart(question, with: rung)
      }
      return verdict
    }
    let choice = judgement.choice(question.choice)
    var chosen = AbandonVerdict(.goOn, .inTime)
    if judgement.chosen?.at == question.now { chosen = question.gains(by: choice, slow.margin) }
    if chosen.answer == .goOn { chosen.changesAt = verdict.changesAt }
    return chosen
  }
}

/// The memory that a policy has of one item, and the rules that judge the item.
package struct Judgement: Sendable {
  let start: ReadinessRule
  let resume: ReadinessRule
  /// Whether the policy's own closures are asked.
  let isByName: Bool
  /// Whether a rule remembers anything of a wait while that lasts.
  let remembersWaits: Bool
  /// Whether a rule looks at what has come of the segment under way.
  package let looksAtInflow: Bool
  /// Whether a mark rises while media moves.
  package let looksWhileMoving: Bool
  var startMemory = ReadinessMemory()
  var resumeMemory = ReadinessMemory()
  var held = HeldVerdict()
  /// Whether it has been asked of the item, which begins with a wait.
  var hasBegun = false
  /// The kind of wait at the last question, and the instant since which it has lasted.
  var wait = Wait.start
  var waitBegan = Instant.zero
  /// Whether it was paused while it played, and nothing is predicted anew when it goes on.
  private(set) var goesOn = false
  /// Whether it was asked with media under a moving playhead, since the last wait.
  private var hasPlayed = false
  /// Whether the buffer, when last full or idle, had less ahead than a stall is declared at.
  var isFullBelowReserve = false
  /// Whether a stall ends with whole frames only: set by a run under one; else each byte stalls.
  private(set) var goesOnInFrames = false
  /// Since when nothing has come of a stream, as far as was looked.
  private var quiet = (since: Instant.zero, segment: -1, received: Int64(0))
  var last = LastQuestion.none
  var custom = CustomMemory()

  init(start: ReadinessRule, resume: ReadinessRule, isByName: Bool) {
    self.start = start
    self.resume = resume
    self.isByName = isByName
    remembersWaits = start.remembersWaits || resume.remembersWaits
    looksAtInflow = start.looksAtInflow || resume.looksAtInflow
    looksWhileMoving = resume.looksWhileMoving
    startMemory = ReadinessMemory(of: start)
    resumeMemory = ReadinessMemory(of: resume)
  }

  /// Notes the wait's start and tells rules what the playhead did; returns whether a wait begins.
  ///
  /// - Parameter reserve: With how much ahead a stall is declared.
  fileprivate mutating func note(_ snapshot: inout Snapshot, reserve: MediaTime) -> Bool {
    let beginsWait = snapshot.wait != .nothing && (!hasBegun || wait != snapshot.wait)
    if !hasBegun {
      hasBegun = true
      waitBegan = snapshot.now
    }
    if wait != snapshot.wait {
      if wait == .nothing, snapshot.wait == .stall,
        snapshot.now - waitBegan <= snapshot.rate.span(toPlay: SinkDescription.assumedFrame)
      {
        goesOnInFrames = true
      }
      switch snapshot.wait {
      case .nothing: hear(.moved)
      case .stall: hear(.ranDry)
      case .seek: hear(.sought)
      case .start: break
      }
      if snapshot.wait == .stall || snapshot.wait == .seek { held = HeldVerdict() }
      goesOn = hasPlayed && snapshot.wait == .start && isByName && !start.isPrediction
      hasPlayed = false
      wait = snapshot.wait
      waitBegan = snapshot.now
    }
    snapshot.waitBegan = waitBegan
    if snapshot.wait != .nothing, let stream = snapshot.stream {
      if stream.nextSegment != quiet.segment || stream.received != quiet.received {
        quiet = (snapshot.now, stream.nextSegment, stream.received)
      }
      snapshot.stream?.quietSince = quiet.since
    }
    if remembersWaits, snapshot.wait == .stall {
      resume.note(snapshot, &resumeMemory)
    } else if remembersWaits, snapshot.wait != .nothing {
      start.note(snapshot, &startMemory)
    }
    // Media that a full buffer has no room for is not waited for.
    if snapshot.buffer.loading == .full || snapshot.buffer.loading == .idle {
      isFullBelowReserve = snapshot.ahead < reserve
    }
    if snapshot.isStillPlaying { hasPlayed = true }
    return beginsWait
  }

  package mutating func hear(_ event: PlayheadEvent) {
    start.hear(event, &startMemory)
    resume.hear(event, &resumeMemory)
  }
}

/// The last question asked outside; its answer stands until something changes or its time comes.
///
/// It lies apart: most policies ask nobody outside, and a judgement is better small.
indirect enum LastQuestion: Sendable {
  case none
  case answered(Snapshot, Estimate, Ladder, until: Instant)

  /// Whether a question is the last one, asked again.
  func stands(_ new: Snapshot, _ estimate: Estimate, _ ladder: Ladder) -> Bool {
    guard case .answered(var snapshot, let believed, let told, let until) = self,
      new.now < until, ladder === told
    else { return false }
    // The inflow is left out: it only tells the rules here when to look again.
    snapshot.now = new.now
    snapshot.stream?.inflow = new.stream?.inflow
    return snapshot == new && estimate == believed
  }
}

/// The rules that choose the variants of one stream alone; nil leaves a seat to the policy.
package struct VariantSeats: Hashable, Sendable {
  package var first: FirstVariantRule?
  package var next: NextVariantRule?
  package var abandon: AbandonRule?

  package static let none = VariantSeats()
}

/// The memory that a policy has of one stream's variants, and the rules that choose them.
package struct VariantJudgement: Sendable {
  package let first: FirstVariantRule
  package let next: NextVariantRule
  package var abandon: AbandonWatch
  var custom = CustomMemory()
  var published = PublishedMemory()
  var guarded = GuardedThroughputRule.Memory()
  /// The last choice of a rule that leaves time between two of them; nil before the first.
  var chosen: (at: Instant, rung: Int)?
  /// The first request of a rule that goes by steps; nil before an answer to it.
  var opened: Instant?

  /// Whether there is anything to ask of the segment under way: the rules here look at it when it
  /// is time to, and whoever is outside always.
  package mutating func looks(
    at segment: RequestFacts, lasts: TimeSpan?, isMoving: Bool, at now: Instant
  ) -> Bool {
    abandon.isByName
      || abandon.isDue(segment, lasts: lasts, isMoving: isMoving, at: now)
  }
}
