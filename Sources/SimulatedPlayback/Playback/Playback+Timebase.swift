import Autowait
import PlayerPolicies
import StreamingMedia
import VirtualTime

// The position of the playhead, the places where it must stop, and the machine's reaction.

/// The outcome of checking a playhead at an instant.
enum PlayheadTurn {
  case goesOn
  case reachedEnd
  /// One that ran ahead of its media has something under it again.
  case isCaughtUp
  case ranDry
  /// It has nothing under it, and nothing more will come.
  case playedOut
}

extension Playback {
  /// Looks whether the playhead has come to the end, or to where nothing is loaded.
  mutating func movePlayhead(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace, at now: Instant,
    on stage: borrowing Stage
  ) -> PlayheadTurn {
    item.runsDryAt = nil
    guard machine.control == .playing, !item.isPastEnd else { return .goesOn }
    if item.isBeyondEnd(at: now) || item.timebase.instant(reaching: item.end) <= now {
      return .reachedEnd
    }
    if item.isStarved {
      if item.isCaughtUp(after: now) > now { return .goesOn }
      item.isStarved = false
      return .isCaughtUp
    }
    let driesAt = item.runsDry(loader, place, after: now)
    item.runsDryAt = driesAt
    if driesAt > now { return stopsEarly(item, loader, place, at: now, on: stage) }
    // Bytes come in as a fluid: the playhead may stand within the byte that is just arriving.
    let position = stopPlayhead(item, at: now)
    drainPipeline()
    if loader.failure != nil { return .playedOut }
    news = .ranDry(position, .dry)
    return .ranDry
  }

  /// Asks a policy that declares stalls with media left whether this is one.
  private mutating func stopsEarly(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace, at now: Instant,
    on stage: borrowing Stage
  ) -> PlayheadTurn {
    // Without a timebase that moves there is nothing to stop.
    if !item.isMoving || loader.failure != nil || loader.policy.stallRule == .whenDry {
      return .goesOn
    }
    // Playback that has begun shows at least one frame.
    let shown = item.timebase.anchor + item.timebase.rate.span(toPlay: SinkDescription.assumedFrame)
    if now < shown {
      item.runsDryAt = min(item.runsDryAt ?? .distantFuture, shown)
      return .goesOn
    }
    let ladder = describe(item, loader, place, at: now, on: stage)
    let verdict = loader.policy.stall(item, item.snapshot, ladder)
    item.runsDryAt = min(
      item.runsDryAt ?? .distantFuture, item.lookAgain(after: verdict, loader, at: now))
    if !verdict.answer { return .goesOn }
    news = .ranDry(stopPlayhead(item, at: now), verdict.clause)
    return .ranDry
  }

  /// Lets the timebase run as the machine says, as far as the pipeline is ready.
  mutating func followMachine(at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    if machine.control == .playing, item.filledAt == nil {
      item.filledAt = fill(item, at: now, on: &stage)
    }
    let rate = pipelineReadyAt <= now ? machine.timebaseRate : .zero
    if item.timebase.rate != rate {
      setTimebase(time: item.time(at: now), rate: rate, at: now)
      if !rate.isZero { begins(item, at: now) }
      stage.log.note(.timebase(rate, from: item.timebase.anchorTime), of: subject, at: now)
    }
    if !rate.isZero { noteTransition(at: now, on: &stage) }
  }

  mutating func begins(_ item: PlayerItem, at now: Instant) {
    _ = machine.handle(.moved, nil)
    if !item.hasMoved, books.isStarting { item.startup = books.itemStartup }
    books.moved(at: now)
    item.hasMoved = true
  }

  /// Moves the anchor, and books the media that passed since the last one, up to a limit.
  mutating func setTimebase(
    time: MediaTime, rate: PlaybackRate, at now: Instant, upTo limit: MediaTime = .distantFuture
  ) {
    guard let item else { return }
    let position = min(limit, item.timebase.time(at: now))
    books.advanced(by: position - item.timebase.anchorTime, missing: item.missing(upTo: position))
    books.jumped(by: time - position)
    if time != position { item.loader.leaves(position) }
    item.sitsAt = nil
    item.timebase.set(time: time, rate: rate, at: now)
    // A playhead that stands can be caught up with.
    if rate.isZero { item.isStarved = false }
  }

  /// Puts the playhead where it cannot go on, and says where; the machine stops the timebase.
  ///
  /// A stop due between two nanoseconds is made at the later one: it never went past the place.
  private mutating func stopPlayhead(_ item: PlayerItem, at now: Instant) -> MediaTime {
    let place = item.stop(at: now)
    // A time that is shown ahead of the timebase was jumped to.
    setTimebase(time: place, rate: item.timebase.rate, at: now, upTo: place)
    return place
  }

  mutating func closeTimebase(at now: Instant) {
    guard let item else { return }
    setTimebase(time: item.time(at: now), rate: item.timebase.rate, at: now)
  }

  mutating func reachEnd(_ action: ActionAtItemEnd, at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    let wasPastEnd = item.isPastEnd
    if action != .none {
      if wasPastEnd || item.isBeyondEnd(at: now) {
        let isAhead = max(item.time(at: now), item.timebase.time(at: now)) != item.end
        setTimebase(time: item.end, rate: item.timebase.rate, at: now)
        if isAhead { stage.log.note(.timeJumped(item.end), of: subject, at: now) }
      } else {
        _ = stopPlayhead(item, at: now)
      }
    }
    item.isPastEnd = action == .none
    if !wasPastEnd {
      stage.log.note(.playedToEnd(item.end), of: subject, at: now)
      noteEmptyTracks(item, at: now, on: &stage)
      awaitNext(after: item, at: now)
    }
    transition?.hasPaused = action == .pause
    send(.reachedEnd(action), at: now, on: &stage)
  }

  /// Lets an item fail for which nothing is left to try; false where there is something to play.
  mutating func failIfPlayedOut(
    _ item: PlayerItem, at now: Instant, on stage: inout Stage
  ) -> Bool {
    guard let failure = item.loader.failure, !item.hasFailed else { return false }
    // "The item fails only when … we have played out whatever buffer we have" (WWDC17 514).
    if item.loadedEnd(at: now) > item.time(at: now) { return false }
    closeTimebase(at: now)
    item.loader.stream?.troubles.isOver = true
    item.status = .failed(failure)
    finishSeek(false, inBuffer: false, at: now, on: &stage)
    item.finishPreroll(false, at: now, on: &stage)
    books.endedInFailure = true
    stage.log.note(.itemFailed(failure), of: subject, at: now)
    if books.hasStarted {
      stage.log.note(.failedToPlayToEnd(failure), of: subject, at: now)
    }
    return true
  }

  /// Measures the gap from here, where an item that plays ends or is given up for the next.
  mutating func awaitNext(after item: PlayerItem, at now: Instant) {
    // The wait of an item that has not begun to play is startup, which goes on with the next one.
    if machine.control != .playing || books.isStarting { return }
    transition = PendingTransition(from: item.number ?? 0, goesRound: item.goesRound, instant: now)
  }

  // "We have an empty segment of video … should it go away? Should you freeze on one frame?" and
  // where the video is longer "audio should be silent" (WWDC16 503).
  /// Notes which tracks had ended before the item did.
  private mutating func noteEmptyTracks(_ item: PlayerItem, at now: Instant, on stage: inout Stage)
  {
    guard let file = item.settings.source.file else { return }
    for kind in [MediaTrack.Kind.video, .audio] {
      let played = file.duration(of: kind, without: item.settings.disabledTracks)
      let start = max(item.playedFrom, played)
      if start >= item.end { continue }
      let missing = item.end - start
      books.advanced(by: .zero, missing: kind == .video ? (missing, .zero) : (.zero, missing))
      stage.log.note(.emptyTrack(kind, from: start, to: item.end), of: item.subject, at: now)
    }
  }

  private mutating func noteTransition(at now: Instant, on stage: inout Stage) {
    guard let pending = transition, let item, item.time(at: now) < item.end else { return }
    transition = nil
    let gap = now - pending.instant
    let isLoop = pending.goesRound && item.goesRound
    books.transitionCount += 1
    books.totalGap += gap
    if isLoop { books.loopCount += 1 }
    stage.log.note(
      .itemTransition(
        ItemTransition(
          from: pending.from, to: item.number ?? 0, gap: gap, kind: pending.kind(gap),
          reason: pending.reason(gap, to: item.number ?? 0),
          silence: pending.silence, loop: isLoop ? books.loopCount : nil)),
      of: item.subject, at: now)
  }

  mutating func finishSeek(
    _ finished: Bool, inBuffer: Bool, at now: Instant, on stage: inout Stage
  ) {
    guard let target = item?.pendingSeek else { return }
    item?.pendingSeek = nil
    stage.log.note(
      .seekCompleted(to: target, finished: finished, inBuffer: inBuffer), of: subject, at: now)
    if finished { stage.log.note(.timeJumped(target), of: subject, at: now) }
  }

  /// Starts what waited for its first byte.
  mutating func startOnHostTime(at now: Instant, on stage: inout Stage) -> Bool {
    guard let start = hostStart, let item else { return false }
    let time = start.time ?? item.time(at: now)
    if item.loader.loadedEnd(from: time, at: now) <= time && time < item.end { return false }
    hostStart = nil
    follow(start.rate, time: start.time, hostTime: now, at: now, on: &stage)
    return true
  }

  mutating func follow(
    _ rate: PlaybackRate, time: MediaTime?, hostTime: Instant, at now: Instant,
    on stage: inout Stage
  ) {
    guard let item, !item.hasFailed else { return }
    if item.pendingSeek != nil { finishSeek(false, inBuffer: false, at: now, on: &stage) }
    let time = time ?? item.time(at: now)
    let previous = machine.rate
    guard let rule = machine.handle(.setRateAtHostTime(rate), item.shown) else { return }
    noteRate(since: previous, rule, at: now, on: &stage)
    setTimebase(time: item.time(at: now), rate: .zero, at: now)
    if case .waiting = machine.control {
      if rule != .rateChangedWaiting {
        stage.log.note(.timeControl(machine.control, rule, nil), of: subject, at: now)
      }
      return
    }
    // A player tied to a timeline has been prerolled: "preroll(atRate:)" comes first.
    pipeline.drop(at: now)
    item.filledAt = now
    // Past: "interpolated as though the timebase has been running at the requested rate"; future:
    // it starts early so that it is there in time, and meanwhile the time "will sit at itemTime".
    let offset = now - hostTime
    let position =
      offset < .zero
      ? time - rate.media(in: TimeSpan(nanoseconds: -offset.nanoseconds))
      : time + rate.media(in: offset)
    books.jumped(by: position - item.time(at: now))
    item.loader.leaves(item.time(at: now))
    item.sitsAt = offset < .zero ? time : nil
    item.timebase.set(time: position, rate: rate, at: now)
    let shown = max(time, position)
    item.isStarved = item.loader.loadedEnd(from: shown, at: now) <= shown
    item.isPastEnd = false
    begins(item, at: now)
    stage.log.note(.timeControl(machine.control, rule, nil), of: subject, at: now)
    let start = offset < .zero ? hostTime : nil
    stage.log.note(.timebase(rate, from: shown, at: start), of: subject, at: now)
    stage.log.note(.timeJumped(shown), of: subject, at: now)
  }

  /// The app's own calls end the tie to an external timeline.
  mutating func leaveHostTimeline(at now: Instant, on stage: inout Stage) {
    guard let item, let place = item.sitsAt else { return }
    let isHeld = item.timebase.time(at: now) < place
    setTimebase(time: item.time(at: now), rate: item.timebase.rate, at: now)
    if isHeld { stage.log.note(.timebase(item.timebase.rate, from: place), of: subject, at: now) }
  }
}
