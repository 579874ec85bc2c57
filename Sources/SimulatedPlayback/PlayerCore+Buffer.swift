import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

// What is said of the buffer, what is read into it, and when either could change by itself.

extension PlayerCore {
  /// How much of its limit a buffer must have lost before reading goes on: a quarter.
  ///
  /// Our assumption: without a gap between the two marks reading would stop and go on for ever.
  private static let refillShare: Int64 = 4

  /// How often fullness is looked at while the playhead moves: an assumption that bounds the work.
  private static let fullnessStep = TimeSpan.milliseconds(1)

  func refreshCondition(at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    let position = item.time(at: now)
    let loadedEnd = item.loader.loadedEnd(from: position, at: now)
    let isMoving = machine.control == .playing && !item.isStarved && !item.isPastEnd
    let isAtEnd = position >= item.end
    let verdict = item.settings.heuristic.verdict(
      on: observation(item, position, loadedEnd, now))
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
    _ item: PlayerItem, _ position: MediaTime, _ loadedEnd: MediaTime, _ now: Instant
  ) -> KeepUpObservation {
    let purpose: KeepUpPurpose
    switch machine.control {
    case .playing: purpose = .keepPlaying
    case .paused, .waiting: purpose = books.isStalled ? .resume : .start
    }
    let standing = defaultRate.isZero ? .normal : defaultRate
    return KeepUpObservation(
      now: now, purpose: purpose, rate: machine.rate.isZero ? standing : machine.rate,
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
    if let limit = limitByte(item, at: now) {
      let reached = contiguousByte(item, at: now)
      if item.loader.isSuspended {
        if reached <= refillByte(item, limit, at: now) {
          item.loader.setSuspended(false, at: now, over: &stage.link, log: &stage.log)
        }
      } else if reached >= limit {
        item.loader.setSuspended(true, at: now, over: &stage.link, log: &stage.log)
      }
    } else if item.loader.isSuspended {
      item.loader.setSuspended(false, at: now, over: &stage.link, log: &stage.log)
    }
    self.item = item
  }

  private func contiguousByte(_ item: PlayerItem, at now: Instant) -> Int64 {
    let position = item.time(at: now)
    return item.settings.file.map.byte(at: position)
      + item.loader.bytesAhead(of: position, at: now)
  }

  /// The byte at which the buffer holds as much as it is going to; nil without a limit.
  private func limitByte(_ item: PlayerItem, at now: Instant) -> Int64? {
    let map = item.settings.file.map
    let position = item.time(at: now)
    var limit: Int64?
    if item.settings.preferredForwardBufferDuration > .zero {
      limit = map.bytes(before: position + item.settings.preferredForwardBufferDuration)
    }
    if let cap = item.settings.bufferByteCap {
      limit = min(limit ?? .max, map.byte(at: position) + cap)
    }
    return limit
  }

  private func refillByte(_ item: PlayerItem, _ limit: Int64, at now: Instant) -> Int64 {
    let here = item.settings.file.map.byte(at: item.time(at: now))
    return limit - (limit - here) / PlayerCore.refillShare
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
      let first = map.bytes(before: position + MediaTime(nanoseconds: 1))
      next = min(next, item.loader.instant(reaching: first, after: now))
    }
    if !item.condition.isFull {
      next = min(next, item.loader.instant(reaching: map.bytes(before: item.end), after: now))
    }
    if let limit = limitByte(item, at: now) {
      next = min(next, nextFullness(item, limit, after: now))
    }
    return next
  }

  private func nextFullness(_ item: PlayerItem, _ limit: Int64, after now: Instant) -> Instant {
    let isMoving = !item.timebase.rate.isZero
    if !item.loader.isSuspended {
      let reached = item.loader.instant(reaching: limit, after: now)
      return isMoving ? max(reached, now + PlayerCore.fullnessStep) : reached
    }
    if !isMoving { return .distantFuture }
    // The playhead must eat what is too much above the refill mark.
    let map = item.settings.file.map
    let tooMuch = contiguousByte(item, at: now) - refillByte(item, limit, at: now)
    let mark = map.byte(at: item.time(at: now)) + max(1, tooMuch)
    let time = map.time(ofFirst: mark)
    return max(item.timebase.instant(reaching: time), now + PlayerCore.fullnessStep)
  }
}
