import Autowait
import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// What is said of the buffer, and when that could change by itself.
//
// What is done at every instant is `mutating` even where it changes nothing: to call what only
// reads would copy the whole of a `Playback`.

extension Playback {
  /// Says anew what is to be said of the buffer.
  mutating func judge(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace, at now: Instant,
    on stage: inout Stage
  ) {
    let isDry = news?.isDry == true
    let (position, loadedEnd) = (place.position, place.loadedEnd)
    let isMoving =
      machine.control == .playing && !isDry && news?.bringsItem != true && !item.isStarved
      && !item.isPastEnd
    let isAtEnd = position >= item.end
    // Perf: 60 % of an hour's session were forecasts that nothing read.
    if isMoving, news == nil, !stage.showsReadiness,
      loader.policy.isReadinessShownOnly(of: item, loader)
    {
      item.verdict.changesAt = .distantFuture
    } else {
      item.verdict = verdict(item, loader, place, at: now, on: stage)
    }
    let verdict = item.verdict
    // The buffer "has as much as it's going to. So […] you might as well": of an item with nothing
    // left to try, what there is is played out, by a player that waits as well.
    let isAllThereIs = loader.failure != nil && loadedEnd > position
    let condition = BufferCondition(
      isEmpty: (!isMoving || isAtEnd) && (loadedEnd <= position || place.lacksFrame(of: item)),
      isFull: loader.isSuspended || loadedEnd >= item.end || isAllThereIs,
      isLikelyToKeepUp: verdict.answer, isAtEnd: isAtEnd,
      startsWhenFull: loader.policy.startsWhenFull)
    let old = item.condition
    let said = saidBefore ?? old
    saidBefore = nil
    item.condition = condition
    item.note(condition, after: old, said, loadedEnd: loadedEnd, loader.policy, at: now, on: &stage)
  }

  private mutating func verdict(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace, at now: Instant,
    on stage: borrowing Stage
  ) -> ReadinessVerdict {
    let ladder = describe(item, loader, place, at: now, on: stage)
    let verdict = loader.policy.judge(item, &item.snapshot, ladder)
    item.isJudgedMoving = item.snapshot.wait == .nothing
    if let stream = loader.stream {
      stream.awaitsBytes =
        !verdict.answer && verdict.changesAt != .distantFuture && item.snapshot.wait != .nothing
        && item.judgement?.looksAtInflow == true
    }
    return verdict
  }

  /// Notes in an item's snapshot what the policy is shown of it; returns the variants to go with
  /// that.
  mutating func describe(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace, at now: Instant,
    on stage: borrowing Stage
  ) -> Ladder {
    item.snapshot.now = now
    item.snapshot.wait = news?.isDeclaredStall == true ? .stall : machine.wait
    item.snapshot.waitBegan = .zero
    item.snapshot.rate = wantedRate
    item.snapshot.playhead = place.position
    item.snapshot.loadedEnd = place.loadedEnd
    item.snapshot.end = item.end
    item.snapshot.frame = loader.namedFrame
    return loader.describe(
      &item.snapshot, place, item.playhead(hostStart), at: now, on: stage)
  }

  /// The rate that is asked for, before it is granted, or that play would ask for.
  var wantedRate: PlaybackRate {
    let asked = news?.rate ?? .zero
    let requested = asked.isZero ? machine.rate : asked
    return requested.isZero ? rateOfPlay : requested
  }

  // MARK: What could happen next

  /// The next instant at which something is due.
  ///
  /// - Parameter loading: The item to come whose media comes in.
  mutating func nextInstant(
    _ item: PlayerItem, _ loader: MediaLoader, loading: PlayerItem?, after now: Instant
  ) -> Instant {
    var next = Instant.distantFuture
    if machine.control == .playing, !item.isPastEnd {
      next = item.timebase.instant(reaching: item.end)
      next = min(next, item.isStarved ? item.isCaughtUp(after: now) : item.runsDryAt ?? next)
    }
    if awaitsPipeline || item.awaitsPreroll, pipelineReadyAt > now {
      next = min(next, pipelineReadyAt)
    }
    next = min(next, evaluationDue)
    // Of a playhead without media under it nothing better can be said before it is caught up.
    if !item.isStarved && !item.isPastEnd, item.verdict.changesAt > now {
      next = min(next, item.verdict.changesAt)
    }
    next = min(next, loader.nextInstant(item.playhead(hostStart), after: now))
    if let loading {
      next = min(next, loading.loader.nextInstant(loading.playhead(nil), after: now))
    }
    if next > now { return next }
    // Whatever was due now has been done, so that nothing is ever asked for twice at an instant,
    // but for a line that ends with it: it is read anew once the link has told what is due.
    let lineEnds = min(loader.lineEnds, loading?.loader.lineEnds ?? .distantFuture) <= now
    assert(lineEnds, "a player that is settled has nothing due")
    return lineEnds ? now : .distantFuture
  }

  /// Asks for what is missing of an item, up to the limit.
  mutating func load(
    _ item: PlayerItem, _ loader: MediaLoader, at now: Instant, on stage: inout Stage
  ) {
    if item.isLive, let live = loader.live?.live { quietenWhilePaused(item, live) }
    item.snapshot.rate = wantedRate
    loader.steer(item.playhead(hostStart), at: now, on: &stage)
  }
}

extension PlayerItem {
  /// Notes what has become of the buffer, against what it was and what was said of it.
  fileprivate func note(
    _ condition: BufferCondition, after old: BufferCondition, _ said: BufferCondition,
    loadedEnd: MediaTime, _ policy: PlayerPolicy, at now: Instant, on stage: inout Stage
  ) {
    if condition.isEmpty != old.isEmpty || condition.isEmpty != said.isEmpty {
      stage.log.note(.bufferEmpty(condition.isEmpty), of: subject, at: now)
    }
    if condition.isFull != old.isFull || condition.isFull != said.isFull {
      stage.log.note(.bufferFull(condition.isFull), of: subject, at: now)
    }
    let isLikely = condition.isLikelyToKeepUp
    if isLikely != old.isLikelyToKeepUp || isLikely != said.isLikelyToKeepUp {
      if isLikely { logs?.likelyToKeepUp(at: now) }
      let estimate = policy.running.estimate(of: snapshot.source).bitsPerSecond
      stage.log.note(
        .likelyToKeepUp(isLikely, verdict.clause, loadedEnd: loadedEnd, estimate: estimate),
        of: subject, at: now)
    }
  }
}

extension BufferPlace {
  /// Whether there is less than a frame to show under a playhead that stands, and more to come.
  fileprivate func lacksFrame(of item: PlayerItem) -> Bool {
    if item.verdict.clause == .frameShown { return true }
    return loadedEnd < min(position + item.loader.frame, item.end)
  }
}
