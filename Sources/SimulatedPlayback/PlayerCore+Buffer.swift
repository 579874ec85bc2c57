import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

// What is said of the buffer, what is read into it, and when either could change by itself.

extension PlayerCore {
  /// Says anew what is to be said of the buffer.
  ///
  /// - Parameters:
  ///   - isDry: Whether a playhead that still moves has nothing under it any more.
  ///   - asked: The rate that the app is asking for right now.
  func refreshCondition(
    at now: Instant, on stage: inout Stage, isDry: Bool = false, asked: PlaybackRate = .zero
  ) {
    guard let item else { return }
    let position = item.time(at: now)
    let loadedEnd = item.loader.loadedEnd(from: position, at: now)
    let isMoving =
      machine.control == .playing && !isDry && !item.isStarved && !item.isPastEnd
    let isAtEnd = position >= item.end
    let verdict = item.settings.heuristic.verdict(
      on: observation(item, position, loadedEnd, now, asked))
    let condition = BufferCondition(
      isEmpty: (!isMoving || isAtEnd) && loadedEnd <= position,
      isFull: item.loader.isSuspended || loadedEnd >= item.end,
      isLikelyToKeepUp: verdict.isLikely, isAtEnd: isAtEnd)
    let old = item.condition
    self.item?.verdict = verdict
    self.item?.condition = condition
    if condition.isEmpty != old.isEmpty {
      stage.log.note(.bufferEmpty(condition.isEmpty), at: now)
    }
    if condition.isFull != old.isFull {
      stage.log.note(.bufferFull(condition.isFull), at: now)
    }
    if condition.isLikelyToKeepUp != old.isLikelyToKeepUp {
      stage.log.note(
        .likelyToKeepUp(condition.isLikelyToKeepUp, verdict.clause, loadedEnd: loadedEnd),
        at: now)
    }
  }

  private func observation(
    _ item: PlayerItem, _ position: MediaTime, _ loadedEnd: MediaTime, _ now: Instant,
    _ asked: PlaybackRate
  ) -> KeepUpObservation {
    let purpose: KeepUpPurpose
    switch machine.control {
    case .playing: purpose = .keepPlaying
    case .paused, .waiting: purpose = books.isStalled ? .resume : .start
    }
    let requested = asked.isZero ? machine.rate : asked
    return KeepUpObservation(
      now: now, purpose: purpose, rate: requested.isZero ? rateOfPlay : requested,
      playhead: position, loadedEnd: loadedEnd, end: item.end,
      arrival: item.loader.predictedArrival,
      demand: item.loader.demand)
  }

  // MARK: Reading

  /// Asks for what is missing, and suspends reading at the limit.
  func steerLoading(at now: Instant, on stage: inout Stage) {
    guard var item else { return }
    if !(item.isStarved && item.loader.fetch != nil) {
      let position = item.time(at: now)
      if item.loader.fetch == nil || !item.isPastEnd {
        item.loader.load(from: position, at: now, over: &stage.link, log: &stage.log)
      }
    }
    item.loader.setSuspended(
      item.wantsSuspension(at: now), at: now, over: &stage.link, log: &stage.log)
    self.item = item
  }

  // MARK: What could happen next

  func nextInstant(after now: Instant) -> Instant {
    guard let item else { return .distantFuture }
    var next = Instant.distantFuture
    if machine.control == .playing {
      if !item.isPastEnd { next = min(next, item.timebase.instant(reaching: item.end)) }
      let projection = item.projection(at: now)
      next = min(next, item.isStarved ? projection.isCaughtUp() : projection.runsDry())
      if item.isPastEnd { next = .distantFuture }
    }
    if machine.control == .waiting(.evaluatingBufferingRate) { next = min(next, evaluationEnds) }
    if !item.condition.isLikelyToKeepUp, item.verdict.changesAt > now || !item.loader.isGuessing {
      // A guess that should have come true by now did not: the next byte will tell.
      next = min(next, item.verdict.changesAt)
    }
    if item.loader.retry.due > now { next = min(next, item.loader.retry.due) }
    next = min(next, nextArrival(item, after: now))
    // Whatever was due now has been done; a prediction that was not met is made anew a step on.
    return next <= now ? now + TimeSpan(nanoseconds: 1) : next
  }

  private func nextArrival(_ item: PlayerItem, after now: Instant) -> Instant {
    guard item.loader.fetch != nil else { return .distantFuture }
    let map = item.settings.file.map
    let position = item.time(at: now)
    var next = item.loader.isSuspended ? .distantFuture : item.loader.arrivalHolds
    if item.condition.isEmpty || item.pendingSeek != nil || hostStart != nil {
      let edge = map.byte(at: position) + item.loader.bytesAhead(of: position, at: now)
      next = min(next, item.loader.instant(reaching: edge + 1, after: now))
    }
    if !item.condition.isFull {
      next = min(next, item.loader.instant(reaching: map.bytes(before: item.end), after: now))
    }
    return min(next, item.nextSuspensionChange(after: now))
  }
}
