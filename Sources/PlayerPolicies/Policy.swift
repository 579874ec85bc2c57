package import VirtualTime

/// A policy that runs: a value, and all that it remembers is in it.
///
/// What it believes of the link belongs to the player and outlives items, seeks and what is read
/// ahead; what it remembers of an item is a `Judgement` of that item's own.
package struct Policy: Sendable {
  package let description: PolicyDescription
  private var fileEstimator: Estimator
  private var streamEstimator: Estimator
  private let seats: CustomSeats

  package init(
    _ description: PolicyDescription, with registry: PolicyRegistry = .none
  ) throws(PolicyProblem) {
    self.description = description
    fileEstimator = Estimator(description.estimator.ofFiles)
    streamEstimator = Estimator(description.estimator.ofStreams)
    seats = try CustomSeats(description, registry)
  }

  /// What it remembers of an item that it has not judged yet.
  ///
  /// - Parameter heuristic: What fills the seats for starting and resuming of this item; nil leaves
  ///   them to the policy.
  package func judgement(by heuristic: KeepUpHeuristic? = nil) -> Judgement {
    Judgement(
      start: heuristic?.start ?? description.start, resume: heuristic?.resume ?? description.resume,
      isByName: heuristic == nil, abandon: AbandonWatch(description.abandon))
  }

  // MARK: What it hears

  /// How much it wants to hear of the requests for media from a source.
  ///
  /// - Parameter flows: Whether bytes come in as a fluid, whose line can be believed in.
  package func subscription(to source: SourceKind, flows: Bool) -> Subscription {
    switch source {
    case .local: .nothing
    case .progressive: description.estimator.ofFiles.subscription(flows: flows)
    case .segmented: description.estimator.ofStreams.subscription(flows: flows)
    }
  }

  package mutating func hear(_ event: TransferEvent, of source: SourceKind, at now: Instant) {
    switch source {
    case .local: break
    case .progressive: fileEstimator.hear(event, at: now)
    case .segmented: streamEstimator.hear(event, at: now)
    }
  }

  package func hear(_ event: PlayheadEvent, _ judgement: inout Judgement) {
    judgement.start.hear(event, &judgement.startMemory)
    judgement.resume.hear(event, &judgement.resumeMemory)
  }

  // MARK: What it believes

  package mutating func estimate(of source: SourceKind, at now: Instant) -> Estimate {
    switch source {
    case .local, .progressive:
      fileEstimator.look(at: now)
      return fileEstimator.estimate
    case .segmented:
      streamEstimator.look(at: now)
      return streamEstimator.estimate
    }
  }

  // MARK: What it decides

  /// Whether playback may begin, go on, or is likely to.
  ///
  /// - Parameter known: What whoever brings the media has measured; nil for the policy's own.
  package mutating func readiness(
    _ snapshot: Snapshot, _ ladder: Ladder, _ judgement: inout Judgement,
    believing known: Estimate? = nil
  ) -> ReadinessVerdict {
    var snapshot = snapshot
    note(&snapshot, &judgement)
    var verdict = judged(snapshot, ladder, &judgement, known)
    if judgement.prediction.hasFailed(verdict, snapshot) { verdict.changesAt = .distantFuture }
    let limited = description.sink.limiting(verdict, snapshot)
    // It is from packet to packet that a judgement keeps changing.
    let comesInPackets = snapshot.file.map { !$0.flows } ?? false
    let isHeld = snapshot.wait == .nothing && comesInPackets
    judgement.held.settle(
      limited, holds: isHeld ? description.sink.holds : .zero, at: snapshot.now)
    return judgement.held.shown
  }

  /// Remembers since when it waits, and lets the rules hear what the playhead did.
  private func note(_ snapshot: inout Snapshot, _ judgement: inout Judgement) {
    if judgement.wait != snapshot.wait {
      switch snapshot.wait {
      case .nothing: hear(.moved, &judgement)
      case .stall: hear(.ranDry, &judgement)
      case .seek: hear(.sought, &judgement)
      case .start: break
      }
      judgement.wait = snapshot.wait
      judgement.waitBegan = snapshot.now
    }
    snapshot.waitBegan = judgement.waitBegan
  }

  private mutating func judged(
    _ snapshot: Snapshot, _ ladder: Ladder, _ judgement: inout Judgement, _ known: Estimate?
  ) -> ReadinessVerdict {
    if let exit = description.exits.verdict(snapshot) { return exit }
    let estimate = known ?? estimate(of: snapshot.source, at: snapshot.now)
    if snapshot.wait == .stall {
      let question = ReadinessQuestion(snapshot, estimate, ladder, judgement.resumeMemory)
      if judgement.isByName, let resume = seats.resume {
        return resume(question, &judgement.custom)
      }
      return judgement.resume.verdict(question)
    }
    let question = ReadinessQuestion(snapshot, estimate, ladder, judgement.startMemory)
    if judgement.isByName, let start = seats.start { return start(question, &judgement.custom) }
    return judgement.start.verdict(question)
  }

  /// Whether a player that plays declares a stall with media left.
  package func stall(
    _ snapshot: Snapshot, _ judgement: inout Judgement
  ) -> StallVerdict {
    if let stall = seats.stall { return stall(snapshot, &judgement.custom) }
    return description.stall.verdict(snapshot)
  }

  /// Which variant to begin with; nil where none can be played.
  package mutating func firstVariant(
    _ eligible: EligibleRungs, at now: Instant
  ) -> FirstVariantVerdict? {
    let estimate = estimate(of: .segmented, at: now)
    return description.firstVariant.choice(
      eligible, observed: estimate.isReliable ? estimate.bitsPerSecond : nil)
  }

  /// Which variant to go on with.
  package func nextVariant(
    _ question: VariantQuestion, _ judgement: inout Judgement
  ) -> VariantVerdict {
    if let rule = seats.nextVariant { return rule(question, &judgement.custom) }
    return description.nextVariant.choice(question)
  }

  /// Whether the segment under way is given up.
  package func abandon(
    _ question: AbandonQuestion, _ judgement: inout Judgement
  ) -> AbandonVerdict {
    if let rule = seats.abandon { return rule(question, &judgement.custom) }
    return judgement.abandon.verdict(question)
  }

  /// Whether more is asked for.
  package func fetch(_ snapshot: Snapshot, isReading: Bool) -> FetchVerdict {
    description.fetch.verdict(snapshot, isReading: isReading)
  }
}

/// What a policy remembers of one item, and the rules that it judges it by.
package struct Judgement: Sendable {
  let start: ReadinessRule
  let resume: ReadinessRule
  /// Whether the policy's own closures are asked.
  let isByName: Bool
  var startMemory = ReadinessMemory()
  var resumeMemory = ReadinessMemory()
  var held = HeldVerdict()
  /// What it waits for as of the last question, and since when.
  var wait = Wait.start
  var waitBegan = Instant.zero
  var prediction = StreamPrediction()
  package var abandon: AbandonWatch
  var custom = CustomMemory()

  init(start: ReadinessRule, resume: ReadinessRule, isByName: Bool, abandon: AbandonWatch) {
    self.start = start
    self.resume = resume
    self.isByName = isByName
    self.abandon = abandon
  }
}

/// What a stream had brought when it was predicted to be ready at an instant.
///
/// Where nothing has come by the next question, the prediction is not made again: the next event
/// tells, and nobody asks for ever what an outage does not answer.
struct StreamPrediction: Hashable, Sendable {
  private var asked = Instant.zero
  private var segment = -1
  private var received: Int64 = 0
  private var hasFailed = false

  mutating func hasFailed(_ verdict: ReadinessVerdict, _ snapshot: Snapshot) -> Bool {
    guard let stream = snapshot.stream, verdict.changesAt != .distantFuture else { return false }
    if stream.request == nil { return true }
    if stream.nextSegment != segment || stream.received != received {
      (asked, segment, received) = (snapshot.now, stream.nextSegment, stream.received)
      hasFailed = false
    } else if snapshot.now > asked {
      hasFailed = true
    }
    return hasFailed
  }
}
