import Autowait
import VirtualTime

// Where the playhead is, where it cannot go on, and what the machine makes of it.

extension PlayerCore {
  // MARK: The playhead

  func playheadIsDue(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    item.runsDryAt = nil
    guard machine.control == .playing, !item.isPastEnd else { return false }
    if item.timebase.instant(reaching: item.end) <= now {
      reachEnd(at: now, on: &stage)
      return true
    }
    if item.isStarved {
      if item.isCaughtUp(after: now) > now { return false }
      item.isStarved = false
      return true
    }
    let driesAt = item.runsDry(loader, place, after: now)
    item.runsDryAt = driesAt
    if driesAt > now { return false }
    runDry(at: now, on: &stage)
    return true
  }

  private func runDry(at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    // Bytes come in as a fluid: the playhead may stand within the byte that is just arriving.
    let position = item.time(at: now)
    stopPlayhead(at: position, now)
    drainPipeline()
    if item.loader.failure != nil {
      failIfPlayedOut(at: now, on: &stage)
      return
    }
    books.ranDry()
    item.logs?.ranDry()
    news = .ranDry(position)
  }

  func reachEnd(at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    let wasPastEnd = item.isPastEnd
    let action = actionAtItemEnd
    if action != .none {
      if wasPastEnd {
        setTimebase(time: item.end, rate: item.timebase.rate, at: now)
      } else {
        stopPlayhead(at: item.time(at: now), now)
      }
      item.isPastEnd = false
    } else {
      item.isPastEnd = true
    }
    if !wasPastEnd {
      stage.log.note(.playedToEnd(item.end), of: subject, at: now)
      noteEmptyTracks(item, at: now, on: &stage)
      transition = PendingTransition(leaving: item, at: now)
    }
    send(.reachedEnd(action), at: now, on: &stage)
    if action == .advance { passOn(at: now, on: &stage) }
  }

  @discardableResult
  func failIfPlayedOut(at now: Instant, on stage: inout Stage) -> Bool {
    guard let item, let failure = item.loader.failure else { return false }
    if case .failed = item.status { return false }
    // "The item fails only when … we have played out whatever buffer we have" (WWDC17 514).
    let isPlayedOut = item.loadedEnd(at: now) <= item.time(at: now)
    if !isPlayedOut && !settings.without.contains(.playingOutTheBuffer) { return false }
    closeTimebase(at: now)
    item.loader.giveUp()
    self.item?.status = .failed(failure)
    stage.log.note(.itemFailed(failure), of: subject, at: now)
    if books.hasStarted { stage.log.note(.failedToPlayToEnd(failure), of: subject, at: now) }
    return giveUp(item, at: now, on: &stage)
  }

  /// Lets a failed item stand, or drops it from the queue.
  ///
  /// "Play queue emptied out due to bad player item" (WWDC16 503).
  private func giveUp(_ item: PlayerItem, at now: Instant, on stage: inout Stage) -> Bool {
    if actionAtItemEnd != .advance { return send(.itemFailed, at: now, on: &stage) }
    if machine.control == .playing { transition = PendingTransition(leaving: item, at: now) }
    passOn(at: now, on: &stage)
    return true
  }

  /// Whether the item failed when it was current before: it does so again, at once.
  func hasFailedBefore(
    _ item: PlayerItem, at now: Instant, on stage: inout Stage
  ) -> Bool {
    guard item.hasFailed, machine.control != .paused || actionAtItemEnd == .advance else {
      return false
    }
    closeTimebase(at: now)
    _ = giveUp(item, at: now, on: &stage)
    return true
  }

  func noteReady(_ item: PlayerItem, at now: Instant, on stage: inout Stage) {
    guard item.status == .unknown, item.loader.isReady else { return }
    if item.loadedEnd(at: now) <= item.time(at: now) { return }
    item.status = .readyToPlay
    item.logs?.ready(at: item.time(at: now), now)
    stage.log.note(.itemReady, of: item.subject, at: now)
  }

  // MARK: The transition

  /// Hands the machine an event and carries out its answer; false when no rule fired.
  @discardableResult
  func send(_ event: PlaybackEvent, at now: Instant, on stage: inout Stage) -> Bool {
    let previous = machine.rate
    let rule = machine.handle(event, shown)
    noteRate(since: previous, at: now, on: &stage)
    return apply(rule, at: now, on: &stage)
  }

  /// Carries out what a transition means for the timebase, the books and the log.
  private func apply(_ rule: TransitionRule?, at now: Instant, on stage: inout Stage) -> Bool {
    guard let rule else { return false }
    if rule == .evaluatesFirst || rule == .itemIsEvaluated {
      evaluationEnds = now + settings.evaluationPeriod
    }
    // What goes on after an end is told where it goes on.
    if rule == .endRunsOn || rule == .endAdvances { return true }
    if case .waiting = machine.control { transition?.hasWaited = true }
    if rule != .rateChangedPlaying && rule != .rateChangedWaiting {
      stage.log.note(.timeControl(machine.control, rule), of: subject, at: now)
    }
    followMachine(at: now, on: &stage)
    return true
  }

  /// Lets the timebase run as the machine says, as far as the pipeline is ready.
  func followMachine(at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    fillPipeline(at: now, on: &stage)
    let rate = dueRate(at: now)
    if item.timebase.rate != rate {
      setTimebase(time: item.time(at: now), rate: rate, at: now)
      if !rate.isZero {
        begins(item)
      }
      stage.log.note(.timebase(rate, from: item.timebase.anchorTime), of: subject, at: now)
    }
    if !rate.isZero { noteTransition(at: now, on: &stage) }
  }

  /// What the machine is shown of the current item.
  var shown: CurrentItem? { item.map { CurrentItem($0.condition, hasFailed: $0.hasFailed) } }

  /// Books that media moves.
  func begins(_ item: PlayerItem) {
    _ = machine.handle(.moved, shown)
    books.moved()
    item.hasMoved = true
  }

  func noteRate(since previous: PlaybackRate, at now: Instant, on stage: inout Stage) {
    if machine.rate == previous { return }
    stage.log.note(.rate(machine.rate, previous: previous), of: subject, at: now)
  }

  /// Moves the anchor, and books the media that passed since the last one.
  func setTimebase(time: MediaTime, rate: PlaybackRate, at now: Instant) {
    guard let item else { return }
    let position = item.timebase.time(at: now)
    books.advanced(by: position - item.timebase.anchorTime)
    books.jumped(by: time - position)
    self.item?.timebase.set(time: time, rate: rate, at: now)
    self.item?.sitsAt = nil
    // A playhead that stands can be caught up with.
    if rate.isZero { self.item?.isStarved = false }
  }

  /// Puts the playhead where it cannot go on; the machine stops the timebase.
  ///
  /// What is due between two nanoseconds is done at the later one: it never went past `time`.
  private func stopPlayhead(at time: MediaTime, _ now: Instant) {
    guard let item else { return }
    // A time that is shown ahead of the timebase was jumped to.
    let moved = min(time, item.timebase.time(at: now))
    books.advanced(by: moved - item.timebase.anchorTime)
    books.jumped(by: time - moved)
    self.item?.timebase.set(time: time, rate: item.timebase.rate, at: now)
    self.item?.sitsAt = nil
  }

  func closeTimebase(at now: Instant) {
    guard let item else { return }
    setTimebase(time: item.time(at: now), rate: item.timebase.rate, at: now)
  }
}
