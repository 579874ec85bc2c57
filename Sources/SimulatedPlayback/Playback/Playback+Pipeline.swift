import Autowait
package import VirtualTime

// When the timebase moves: as soon as the machine says playing and the pipeline is set up and full.

extension Playback {
  /// Whether the timebase stands for no other reason than work on the pipeline.
  package var awaitsPipeline: Bool {
    machine.control == .playing && item?.timebase.rate.isZero == true
  }

  /// Sets the pipeline up for the item that has just come.
  package mutating func buildPipeline(for item: PlayerItem, at now: Instant, on stage: inout Stage)
  {
    pipeline.drop(at: now)
    if setUpAt == nil { setUpAt = now + item.loader.policy.setUp }
    work(.build, of: item, lasting: settings.pipeline.build, at: now, on: &stage)
    if machine.rate.isZero {
      work(
        .stillFrame, of: item, lasting: settings.pipeline.stillFrame, at: now, on: &stage)
    }
  }

  /// Fills the pipeline if it is to play and nobody has begun to.
  mutating func fillPipeline(at now: Instant, on stage: inout Stage) {
    guard let item, machine.control == .playing, item.filledAt == nil else { return }
    item.filledAt = fill(item, at: now, on: &stage)
  }

  /// Fills the pipeline with an item; answers when it will be full.
  package mutating func fill(_ item: PlayerItem, at now: Instant, on stage: inout Stage) -> Instant
  {
    parse(item, at: now)
    // The player sets up what shows an item once.
    let warmUp = item.hasMoved ? .zero : item.loader.policy.warmUp
    // What is set up beside the loading may take longer than that.
    let begins = max(item.media?.parsedAt ?? now, setUpAt ?? now)
    return work(
      .preroll, of: item, lasting: prerollSpan + warmUp, from: begins, at: now, on: &stage)
  }

  var prerollSpan: TimeSpan { settings.pipeline.preroll }

  /// Throws away what was decoded: it is of another place, or all used up.
  package func drainPipeline() {
    item?.filledAt = nil
  }

  /// When the timebase may move; never while nobody fills the pipeline.
  package var pipelineReadyAt: Instant {
    guard let filled = item?.filledAt else { return .distantFuture }
    return max(filled, pipeline.readyAt)
  }

  /// The rate at which the timebase is to run.
  func dueRate(at now: Instant) -> PlaybackRate {
    pipelineReadyAt <= now ? machine.timebaseRate : .zero
  }

  /// Lets the timebase go once the pipeline is ready.
  mutating func leavesPipeline(at now: Instant, on stage: inout Stage) -> Bool {
    if let item, item.awaitsPreroll, item.status == .readyToPlay {
      if item.filledAt == nil { item.filledAt = fill(item, at: now, on: &stage) }
      if pipelineReadyAt <= now { item.finishPreroll(true, at: now, on: &stage) }
    }
    guard awaitsPipeline, pipelineReadyAt <= now else { return false }
    followMachine(at: now, on: &stage)
    return true
  }

  @discardableResult
  mutating func work(
    _ work: PipelineWork, of item: PlayerItem, lasting span: TimeSpan,
    from start: Instant = .zero, at now: Instant, on stage: inout Stage
  ) -> Instant {
    let done = pipeline.take(work, lasting: span, at: max(start, now))
    if span > .zero { stage.log.note(.pipeline(work, until: done), of: item.subject, at: now) }
    return done
  }

  /// Reads through the index of an item's media, once, when it is there.
  package mutating func parse(_ item: PlayerItem, at now: Instant) {
    guard let media = item.media, media.parsedAt == nil, media.loader.isReady else { return }
    media.parsedAt = pipeline.parse(lasting: settings.pipeline.parse, at: now)
  }

  /// Fills the pipeline for the items to come, as deep as they are short.
  ///
  /// "If item B is super short, then AVFoundation may even start work on the transition to item C"
  /// (WWDC16 503): an item is prepared when those between it and the current one play for less
  /// than a preroll lasts. That several are filled side by side is our assumption.
  mutating func prerollAhead(_ items: [PlayerItem], at now: Instant, on stage: inout Stage) {
    guard let item, item.filledAt != nil, prerollSpan > .zero else { return }
    let rate = machine.rate.isZero ? rateOfPlay : machine.rate
    var before = item
    var between = TimeSpan.zero
    for (depth, next) in items.enumerated() {
      if depth >= settings.lookAheadDepth || between >= prerollSpan { break }
      if next.filledAt == nil, settings.canFill(next, after: before, at: now) {
        next.filledAt = fill(next, at: now, on: &stage)
      }
      between = between + next.span(at: rate, now)
      before = next
    }
  }
}

extension PlayerSettings {
  /// How many items to come are prepared.
  fileprivate var lookAheadDepth: Int {
    pipeline.lookAheadDepth.map { Int($0) } ?? Int(Int32.max)
  }

  /// Whether the pipeline can be filled with an item while the one before it plays.
  fileprivate func canFill(
    _ next: PlayerItem, after before: PlayerItem, at now: Instant
  ) -> Bool {
    TransitionPlan(from: before, to: next, self).overlaps && next.loader.isReady
      && next.loader.failure == nil && next.loadedEnd(at: now) > next.time(at: now)
  }
}
