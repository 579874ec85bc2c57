import Autowait
import PlayerPolicies
import VirtualTime

/// The playing item and those after it, which follow from app calls: settled at every instant.
struct Programme: ~Copyable {
  var playback: Playback
  var queue: PlayQueue
  var actionAtItemEnd: ActionAtItemEnd
  /// Whether the current item has failed in this settling, and is about to leave.
  private var tellsFailure = false
  /// Whether the last item of the queue was played to its end.
  var hasPlayedOut = false
  // The deadlines, by what has to be done then.
  /// The next check of the segment under way.
  private var lookDue = Instant.distantFuture
  /// The next instant at which the current item's loader has to act.
  private var loadDue = Instant.distantFuture
  /// The earliest deadline of everything else.
  var otherwiseDue = Instant.distantFuture
  /// The stream that plays while nothing but its loading is due before `otherwiseDue`; nil else.
  ///
  /// Perf: to hold both at each wake cost 2 % of a request. The current item keeps them alive, and
  /// whatever changes it settles.
  private(set) var undisturbed: (item: Unmanaged<PlayerItem>, stream: Unmanaged<StreamLoader>)?

  init(
    index: Int32, _ settings: PlayerSettings, _ registry: PolicyRegistry,
    sharing assets: AssetShelf, at now: Instant
  ) {
    playback = Playback(index: index, settings, at: now)
    queue = PlayQueue(index: index, settings.policy, registry, sharing: assets)
    actionAtItemEnd = settings.actionAtItemEnd ?? (settings.hasQueue ? .advance : .pause)
  }

  var settings: PlayerSettings { playback.settings }

  var due: Instant { min(otherwiseDue, loadDue, lookDue) }

  var item: PlayerItem? { playback.item }

  // The player is settled when nothing that is due at this instant is left undone. Every entry from
  // outside ends here, so that whoever reads a property never sees a state in between.

  mutating func settle(at now: Instant, on stage: inout Stage) {
    queue.asset?.loadValues(for: playback.subject, at: now, on: &stage)
    var turns = Turns(queued: queue.items.count)
    tellsFailure = false
    while doWhatIsDue(at: now, on: &stage) {
      if !tellsFailure, turns.take(queued: queue.items.count) { continue }
      otherwiseDue = now
      return
    }
    if let due = queue.asset?.retryDue, due > now { isDue(at: due) }
  }

  private mutating func isDue(at instant: Instant) { otherwiseDue = min(otherwiseDue, instant) }

  /// The link has brought, or broken, something that media waits for.
  mutating func mediaChanged(at now: Instant) { loadDue = now }

  /// Loads on, or checks the segment under way, while undisturbed; false if the player must settle.
  mutating func playsOn(at now: Instant, on stage: inout Stage) -> Bool {
    guard let undisturbed, otherwiseDue > now, !stage.showsReadiness else { return false }
    return undisturbed.stream._withUnsafeGuaranteedRef { stream in
      undisturbed.item._withUnsafeGuaranteedRef { playsOn($0, stream, at: now, on: &stage) }
    }
  }

  private mutating func playsOn(
    _ item: PlayerItem, _ stream: StreamLoader, at now: Instant, on stage: inout Stage
  ) -> Bool {
    if loadDue > now {
      if stream.watchSegment(item, at: now, on: &stage) { return false }
    } else {
      stream.wake(item, at: now, on: &stage)
      stream.steer(item, nil, at: now, on: &stage)
      let place = BufferPlace(of: item, stream, at: now)
      let stop = item.nextStop(place)
      if stream.failure != nil || stop <= now { return false }
      playback.noteBuffer(
        item, stream.policy, place, isMoving: true, isHeld: stream.isFull, at: now, on: &stage)
      otherwiseDue = stop
      loadDue = stream.nextInstant(item, nil, after: now)
    }
    lookDue = stream.watch.due > now ? stream.watch.due : .distantFuture
    return true
  }

  /// Tells the machine what has happened, and does what follows from it.
  mutating func tell(_ new: News, at now: Instant, on stage: inout Stage) {
    playback.news = new
    settle(at: now, on: &stage)
  }

  /// Works through the settle steps up to the first that changes the state; false where none did,
  /// and the next due time is known.
  ///
  /// A change begins the list anew, so that every earlier step sees it first.
  private mutating func doWhatIsDue(at now: Instant, on stage: inout Stage) -> Bool {
    (lookDue, loadDue, otherwiseDue) = (.distantFuture, .distantFuture, .distantFuture)
    undisturbed = nil
    guard let item else { return playback.announce(at: now, on: &stage) }
    let loader = item.loader
    // News are told before anything else is done.
    var place: BufferPlace?
    if playback.news == nil, prepares(item, loader, &place, at: now, on: &stage) { return true }
    if decides(item, loader, place, at: now, on: &stage) { return true }
    findNextDue(item, loader, after: now)
    return false
  }

  /// Finds the deadlines of a player for which nothing is due any more.
  private mutating func findNextDue(_ item: PlayerItem, _ loader: MediaLoader, after now: Instant) {
    otherwiseDue = playback.nextInstant(item, after: now)
    loadDue = loader.nextInstant(item, playback.hostStart, after: now)
    var lineEnds = loader.lineEnds
    if let loading = queue.loading {
      isDue(at: loading.loader.nextInstant(loading, nil, after: now))
      lineEnds = min(lineEnds, loading.loader.lineEnds)
    }
    if min(otherwiseDue, loadDue) <= now {
      // Whatever was due now has been done, so that nothing is ever asked for twice at an instant,
      // but for a line that ends with it: it is read anew once the link has told what is due.
      assert(lineEnds <= now, "a player that is settled has nothing due")
      (otherwiseDue, loadDue) = (lineEnds <= now ? now : .distantFuture, .distantFuture)
    }
    if let ahead = queue.loading?.loader.stream?.watch, ahead.due > now { isDue(at: ahead.due) }
    if item.isLive, let edge = reachesLiveEdge(item, after: now), edge > now { isDue(at: edge) }
    if showsPictures(of: item) { isDue(at: item.playsOtherVariant(after: now)) }
    // The media ahead bends where the timebase gets to the time that is shown.
    if item.isMoving, let instant = item.holdEnds, instant > now { isDue(at: instant) }
    guard let stream = item.stream else { return }
    if stream.watch.due > now { lookDue = stream.watch.due }
    if queue.isEmpty, !showsPictures(of: item), stream.live == nil, stream.failure == nil,
      playback.isUndisturbed(item, loader)
    {
      undisturbed = (Unmanaged.passUnretained(item), Unmanaged.passUnretained(stream))
    }
  }

  /// Loads, and moves the playhead; true where the state has changed.
  private mutating func prepares(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: inout BufferPlace?, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    // An item that failed when it was current before does so again, at once, or is let stand.
    if item.hasFailed, playback.machine.control != .paused || actionAtItemEnd == .advance {
      playback.closeTimebase(at: now)
      _ = giveUp(item, at: now, on: &stage)
      return true
    }
    let isUnparsed = item.opened?.parsedAt == nil
    let hasFollowers = !queue.items.isEmpty
    // The current item's media is requested first: what is read decides what the playhead meets.
    playback.load(item, loader, at: now, on: &stage)
    if playback.hasQueue || loader.isFile { lookAhead(from: item, at: now, on: &stage) }
    if isUnparsed { playback.parse(item, at: now) }
    if hasFollowers { playback.prerollAhead(queue.items, at: now, on: &stage) }
    if item.isLive, followLive(item, at: now, on: &stage) { return true }
    if item.timebase.rate.isZero, playback.leavesPipeline(at: now, on: &stage) { return true }
    let here = BufferPlace(of: item, loader, at: now)
    place = here
    // A seek whose target has something under it, or lies at the end, is complete.
    if let target = item.pendingSeek,
      target >= item.end || loader.loadedEnd(from: target, at: now) > target
    {
      playback.finishSeek(true, inBuffer: false, at: now, on: &stage)
    }
    if movePlayhead(item, loader, here, at: now, on: &stage) { return true }
    return playback.hostStart != nil && playback.startOnHostTime(at: now, on: &stage)
  }

  /// Judges the buffer, the one place where the policy is asked, and tells the machine; true where
  /// the state has changed.
  private mutating func decides(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace?, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    playback.judge(
      item, loader, place ?? BufferPlace(of: item, loader, at: now), at: now, on: &stage)
    // An item that has just come brings the mode that the contract makes of the property.
    if playback.news?.bringsItem == true { playback.adoptWaiting(at: now, on: &stage) }
    if playback.announce(at: now, on: &stage) { return true }
    if item.status == .unknown {
      item.noteReady(at: now, on: &stage)
      // A preroll that the app has asked for can begin.
      if item.awaitsPreroll && item.status == .readyToPlay { return true }
    }
    if showsPictures(of: item) {
      item.noteColour(on: settings.display, at: now, on: &stage)
    }
    // An item with nothing left to try fails once the buffer is played out.
    if loader.failure != nil, failIfPlayedOut(at: now, on: &stage) { return true }
    // The playhead of a live stream that is about to go on makes up for the wait.
    if item.isLive, restoreOffset(of: item, at: now, on: &stage) { return true }
    // While playing, only a buffer underrun matters: smaller changes are not sent.
    if playback.machine.control != .playing,
      playback.send(.bufferChanged, at: now, on: &stage)
    {
      return true
    }
    return playback.isEvaluating && playback.evaluationEnds <= now
      && playback.send(.evaluationEnded, at: now, on: &stage)
  }

  /// Asks for what is missing of the current item, and then of those to come.
  mutating func steerLoading(_ item: PlayerItem, at now: Instant, on stage: inout Stage) {
    playback.load(item, item.loader, at: now, on: &stage)
    lookAhead(from: item, at: now, on: &stage)
  }

  /// Asks for the media of the items to come, and gives up what nobody wants any more.
  private mutating func lookAhead(from item: PlayerItem, at now: Instant, on stage: inout Stage) {
    if playback.hasQueue { queue.loadAhead(of: item, &playback, at: now, on: &stage) }
    // A stream's segments are its item's own: it gives them up when it is steered.
    if queue.loading?.opened !== item.opened, let file = item.loader.file, file.fetch != nil {
      file.stopPastEnd(of: item, playback.hostStart, at: now, on: &stage)
    }
  }

  private func showsPictures(of item: PlayerItem) -> Bool {
    playback.showsPictures || item.settings.pictures.composition != nil
      || item.settings.pictures.output != nil
  }

  private mutating func movePlayhead(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    switch playback.movePlayhead(item, loader, place, at: now, on: stage) {
    case .goesOn: return false
    case .isCaughtUp: break
    case .ranDry: loader.stream?.intake.seekAfterFreeze(item.time(at: now))
    case .reachedEnd: reachEnd(at: now, on: &stage)
    case .playedOut: _ = failIfPlayedOut(at: now, on: &stage)
    }
    return true
  }

  mutating func reachEnd(at now: Instant, on stage: inout Stage) {
    playback.reachEnd(actionAtItemEnd, at: now, on: &stage)
    if actionAtItemEnd == .advance { passOn(at: now, on: &stage) }
  }

  private mutating func failIfPlayedOut(at now: Instant, on stage: inout Stage) -> Bool {
    guard let item, playback.failIfPlayedOut(item, at: now, on: &stage) else { return false }
    // Observers of the failure still find the item current: it leaves at the next wake.
    tellsFailure = actionAtItemEnd == .advance
    return tellsFailure || giveUp(item, at: now, on: &stage)
  }

  /// Lets a failed item stand, or drops it from the queue.
  ///
  /// "Play queue emptied out due to bad player item" (WWDC16 503).
  private mutating func giveUp(_ item: PlayerItem, at now: Instant, on stage: inout Stage) -> Bool {
    if actionAtItemEnd != .advance {
      let isShared = item.loader.sharesAsset(with: queue.loading?.loader)
      item.loader.cancelAll(keepingShared: isShared, at: now, on: &stage)
      return playback.send(.itemFailed, at: now, on: &stage)
    }
    playback.awaitNext(after: item, at: now)
    passOn(at: now, on: &stage)
    return true
  }

  /// Puts the playhead where a live stream begins, or goes on; false when it stays.
  mutating func followLive(_ item: PlayerItem, at now: Instant, on stage: inout Stage) -> Bool {
    guard let loader = item.stream, let live = loader.live,
      let follower = LiveFollower(playback, item, at: now)
    else { return false }
    if let instant = follower.reachesEdge(of: loader, at: now), instant <= now {
      return playback.send(.reachedLiveEdge, at: now, on: &stage)
    }
    let preferences = item.settings.live
    let here = LivePlace(loader)
    let outcome = follower.look(
      start: here?.start(
        preferences,
        asked: live.memory.soughtAt == nil ? item.settings.startTime : live.memory.soughtTime,
        isSeek: item.pendingSeek != nil, at: now),
      slid: follower.control == .playing
        ? nil
        : here?.afterSliding(
          from: follower.position, waits: follower.control.isWaiting, preferences),
      reads: live.playlists.readCount, &live.memory, at: now)
    switch outcome {
    case .stays: return false
    case .begins(let move):
      put(item, move, at: now, on: &stage)
      LiveFollower(playback, item, at: now)?.note(in: &live.memory, at: now, isNew: true)
    case .makesUp(let move): put(item, move, at: now, on: &stage)
    }
    return true
  }

  /// Moves a playhead that is about to go on to where it would be had it not waited.
  mutating func restoreOffset(of item: PlayerItem, at now: Instant, on stage: inout Stage) -> Bool {
    guard playback.machine.control == .waiting(.toMinimizeStalls), item.condition.permitsPlaying,
      let memory = item.stream?.live?.memory,
      let move = LiveFollower(playback, item, at: now)?.restored(from: memory)
    else { return false }
    put(item, move, at: now, on: &stage)
    return true
  }

  /// The instant when a playhead faster than the clock catches up with a live stream; nil if never.
  func reachesLiveEdge(_ item: PlayerItem, after now: Instant) -> Instant? {
    guard LiveFollower.isFaster(item.timebase.rate), let loader = item.loader.liveStream else {
      return nil
    }
    return LiveFollower(playback, item, at: now)?.reachesEdge(of: loader, at: now)
  }

  private mutating func put(
    _ item: PlayerItem, _ move: LiveMove, at now: Instant, on stage: inout Stage
  ) {
    let isLoaded = item.loader.loadedEnd(from: move.time, at: now) > move.time
    playback.setTimebase(time: move.time, rate: item.timebase.rate, at: now)
    item.isPastEnd = false
    if item.pendingSeek != nil { item.pendingSeek = move.time }
    stage.log.note(.live(.moved(move.time, move.reason)), of: playback.subject, at: now)
    if item.pendingSeek != nil, move.time >= item.end {
      // At the end no media is left to wait for: the seek is complete.
      playback.finishSeek(true, inBuffer: false, at: now, on: &stage)
    } else if playback.books.hasStarted {
      stage.log.note(.timeJumped(move.time), of: playback.subject, at: now)
    }
    // A segment that ends where the window begins is no longer listed.
    if move.reason == .windowSlid, let intake = item.stream?.intake {
      for track in intake.tracks.list where track.reach <= move.time {
        intake.follow(track, move.time, anew: true, at: now, on: &stage)
      }
    }
    steerLoading(item, at: now, on: &stage)
    if isLoaded || playback.machine.control != .playing { return }
    playback.drainPipeline()
    playback.send(.ranDry(.soughtAway), at: now, on: &stage)
  }

  /// Takes the current item away, where there is one.
  ///
  /// - Parameter new: The one that takes its place at once; nil where none does.
  mutating func removeCurrent(for new: PlayerItem?, at now: Instant, on stage: inout Stage) {
    playback.hostStart = nil
    playback.transition = nil
    guard let old = item else { return }
    playback.closeTimebase(at: now)
    old.noteStopped(at: now, on: &stage)
    playback.leave(old, at: now, on: &stage)
    queue.close(old, for: new, at: now, on: &stage)
    if new != nil {
      // The new item's buffer is reported as a change from the old item's condition.
      playback.saidBefore = old.condition
      return
    }
    old.noteGone(at: now, on: &stage)
    playback.send(.itemRemoved, at: now, on: &stage)
  }

  /// Makes an item current that has its media open, where there is none.
  mutating func become(_ new: PlayerItem, at now: Instant, on stage: inout Stage) {
    playback.take(new, at: now)
    playback.itemBegins()
    hasPlayedOut = false
    playback.buildPipeline(for: new, at: now, on: &stage)
    steerLoading(new, at: now, on: &stage)
    playback.news = .arrived
  }

  /// Lets the next item take the place of the current one, whose timebase is closed.
  mutating func passOn(at now: Instant, on stage: inout Stage) {
    guard let old = item else { return }
    let successor = queue.items.first
    if let successor {
      StreamBoundary.prepare(from: old, to: successor, settings)
    } else {
      old.noteStopped(at: now, on: &stage)
    }
    playback.leave(old, at: now, on: &stage)
    queue.close(old, for: successor, at: now, on: &stage)
    guard let next = queue.removeFirst() else {
      hasPlayedOut = true
      old.noteGone(at: now, on: &stage)
      playback.send(.itemRemoved, at: now, on: &stage)
      stage.log.note(.currentItem(isPresent: false), of: old.subject, at: now)
      return
    }
    let wasPlaying = playback.machine.control == .playing
    let plan = TransitionPlan(from: old, to: next, settings)
    playback.transition?.silence = plan.silence
    playback.transition?.obstacle = plan.obstacle
    if !plan.overlaps { next.filledAt = nil }
    if plan.pause > .zero {
      playback.work(.rebuild, of: old, lasting: plan.pause, at: now, on: &stage)
    }
    playback.saidBefore = old.condition
    // The pipeline that is there goes on to serve it, which is our assumption.
    playback.take(next, at: now)
    playback.itemBegins()
    stage.log.note(.currentItem(isPresent: true), of: next.subject, at: now)
    steerLoading(next, at: now, on: &stage)
    playback.news = .followed(wasPlaying: wasPlaying)
  }
}
