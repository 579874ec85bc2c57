import Autowait
import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// The player's calls to a stream: to load for its playhead, and the instant of its next look.

extension StreamLoader {
  func steer(_ item: PlayerItem, at now: Instant, on stage: inout Stage) {
    if troubles.nextTry <= now { troubles.findNextTry(after: now) }
    // A key that another item has fetched lets a segment in, and what comes next is asked for.
    for index in intake.tracks.indices where intake.tracks[index].awaitsKey {
      let track = intake.tracks[index]
      if let id = track.fetchID { bringIn(track, by: id, at: now, &stage.log) }
    }
    chooseAndLoad(item, at: now, on: &stage)
    if watchSegment(item, at: now, on: &stage) {
      chooseAndLoad(item, at: now, on: &stage)
    }
  }

  private func chooseAndLoad(_ item: PlayerItem, at now: Instant, on stage: inout Stage) {
    let position = item.time(at: now)
    let rule = rule(item)
    if choice.isDue, choice.current != nil, isAtBoundary, choice.waitsUntil <= now,
      !choosesAtRequest || isAboutToAsk(rule, position, at: now)
    {
      adapt(item, rule, at: now, on: &stage)
    }
    load(from: position, to: item.end, rule, for: item.rateOfPlay, at: now, on: &stage)
  }

  /// Starts every track anew where the playhead stalls after a frozen picture, as a page does that
  /// seeks to its present position.
  func seekAfterFreeze(_ position: MediaTime, at now: Instant, on stage: inout Stage) {
    guard policy.sink.seeksAtFreeze, intake.tracks.isFrozen(at: position) else { return }
    for track in intake.tracks {
      intake.follow(track, position, anew: true, at: now, on: &stage)
    }
  }

  /// The read-ahead limit.
  func rule(_ item: PlayerItem) -> FetchRule {
    item.settings.bufferLimits.applied(to: settings.fetchRule(policy.fetch))
  }

  /// Whether the variant of a segment is chosen when that is asked for, and not before.
  private var choosesAtRequest: Bool { policy.choice.moment == .request }

  private func isAboutToAsk(_ rule: FetchRule, _ position: MediaTime, at now: Instant) -> Bool {
    guard let main = intake.tracks.first else { return true }
    return main.fetchID == nil && main.hasRoom(rule, main: main.end, from: position, at: now)
  }

  /// The end of what can be played from a position on.
  func loadedEnd(from position: MediaTime, isMoving: Bool) -> MediaTime {
    if isMoving, policy.sink.freezes > .zero, let main = intake.tracks.first {
      return intake.tracks.audibleEnd(
        from: position, freezing: policy.sink.freezes,
        to: policy.sink.seeksAtFreeze ? .distantFuture : main.reach)
    }
    return intake.tracks.loadedEnd(from: position)
  }

  /// Whether something may be due that no event told of.
  func hasToLook(at now: Instant) -> Bool {
    min(watch.due, intake.watchIsDue, intake.nextLook) <= now || failure != nil
  }

  func wake(_ item: PlayerItem, at now: Instant, on stage: inout Stage) {
    if intake.telling.next <= now { intake.tellProgress(at: now, on: stage) }
    _ = watchSegment(item, at: now, on: &stage)
    watchMedia(at: now, on: &stage)
    if failure != nil { releaseVariants(at: now, on: &stage) }
  }

  /// The next deadline of the loader, apart from checks of the segment being downloaded.
  func nextInstant(_ item: PlayerItem, after now: Instant) -> Instant {
    var next = asset.retry.due > now ? asset.retry.due : .distantFuture
    if let live {
      let reload = nextReload(live)
      if reload > now { next = min(next, reload) }
    }
    if choice.waitsUntil > now { next = min(next, choice.waitsUntil) }
    if intake.telling.next > now { next = min(next, intake.telling.next) }
    if intake.lookahead.due > now { next = min(next, intake.lookahead.due) }
    if !troubles.isEmpty {
      next = min(next, troubles.nextInstant(after: now, hasFailed: failure != nil))
    }
    let (rule, end) = (rule(item), item.end)
    // The looks of one that sleeps go on while playback waits.
    if item.isMoving || rule.sleeps > .zero {
      for index in intake.tracks.indices
      where intake.tracks[index].fetchID == nil && intake.tracks[index].end < end {
        let due = intake.tracks[index].roomComes(
          rule, main: intake.tracks[0].end, item, at: now)
        if due > now { next = min(next, due) }
      }
    }
    // Mostly something else comes long before.
    return intake.watchIsDue < next ? min(next, intake.tracks.nextWatch(after: now)) : next
  }

  private func nextReload(_ live: LiveTimeline) -> Instant {
    var next = Instant.distantFuture
    for track in intake.tracks {
      let list = track.list
      if asset.resources[.playlist(list)] != .there { continue }
      next = min(next, live.reloadDue(list, of: presentation))
    }
    return next
  }
}
