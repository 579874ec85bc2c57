import Autowait
package import VirtualTime

// When the timebase moves: as soon as the machine says playing and the pipeline is set up and full.

extension PlayerCore {
  /// How often the pipeline was set up.
  package var pipelineBuildCount: Int64 { pipeline.buildCount }

  /// How often it was filled.
  package var prerollCount: Int64 { pipeline.prerollCount }

  /// Whether the timebase stands for no other reason than work on the pipeline.
  package var awaitsPipeline: Bool {
    machine.control == .playing && item?.timebase.rate.isZero == true
  }

  /// Takes the pipeline apart and sets it up anew; until that is done the timebase stands, without
  /// a stall.
  package func rebuildPipeline(for span: TimeSpan, at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    begin(at: now)
    work(.rebuild, of: item, lasting: span, at: now, on: &stage)
    followMachine(at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  /// Sets the pipeline up for the item that has just come.
  func buildPipeline(for item: PlayerItem, at now: Instant, on stage: inout Stage) {
    pipeline.drop(at: now)
    let cost = settings.without.contains(.pipelineBuild) ? .zero : settings.pipeline.build
    work(.build, of: item, lasting: cost, at: now, on: &stage)
    if machine.rate.isZero, !settings.without.contains(.stillFrame) {
      work(
        .stillFrame, of: item, lasting: settings.pipeline.stillFrame, at: now, on: &stage)
    }
  }

  /// Fills the pipeline if it is to play and nobody has begun to.
  func fillPipeline(at now: Instant, on stage: inout Stage) {
    guard let item, machine.control == .playing, item.filledAt == nil else { return }
    item.filledAt = fill(item, at: now, on: &stage)
  }

  /// Fills the pipeline with an item; answers when it will be full.
  func fill(_ item: PlayerItem, at now: Instant, on stage: inout Stage) -> Instant {
    parse(item, at: now)
    return work(
      .preroll, of: item, lasting: prerollSpan, from: item.media?.parsedAt ?? now, at: now,
      on: &stage)
  }

  /// How far the app is, as far as anything is said of it.
  package var latency: AppLatency {
    var latency = settings.latency
    if settings.without.contains(.notificationLatency) { latency.notification = .zero }
    if settings.without.contains(.commandLatency) { latency.command = .zero }
    return latency
  }

  var prerollSpan: TimeSpan {
    settings.without.contains(.preroll) ? .zero : settings.pipeline.preroll
  }

  /// Throws away what was decoded: it is of another place, or all used up.
  func drainPipeline() {
    item?.filledAt = nil
  }

  /// When the timebase may move; never while nobody fills the pipeline.
  var pipelineReadyAt: Instant {
    guard let filled = item?.filledAt else { return .distantFuture }
    return max(filled, pipeline.readyAt)
  }

  /// The rate at which the timebase is to run.
  func dueRate(at now: Instant) -> PlaybackRate {
    pipelineReadyAt <= now ? machine.timebaseRate : .zero
  }

  /// Lets the timebase go once the pipeline is ready.
  func leavesPipeline(at now: Instant, on stage: inout Stage) -> Bool {
    guard awaitsPipeline, pipelineReadyAt <= now else { return false }
    followMachine(at: now, on: &stage)
    return true
  }

  @discardableResult
  func work(
    _ work: PipelineWork, of item: PlayerItem, lasting span: TimeSpan,
    from start: Instant = .zero, at now: Instant, on stage: inout Stage
  ) -> Instant {
    let done = pipeline.take(work, lasting: span, at: max(start, now))
    if span > .zero { stage.log.note(.pipeline(work, until: done), of: item.subject, at: now) }
    return done
  }
}
