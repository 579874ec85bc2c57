import Autowait
import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// What is played and what comes after it, which follows from what the app asked: settled at every
/// instant.
struct Programme: ~Copyable {
  var playback: Playback
  var queue: PlayQueue
  var actionAtItemEnd: ActionAtItemEnd
  /// The pixels of the layer that shows the picture; nil without one.
  var layer: PixelSize?
  /// Whether somebody else has the audio session.
  var isInterrupted = false
  /// Whether the last item of the queue was played to its end.
  var hasPlayedOut = false
  /// The latest instant at which something is due.
  var due = Instant.distantFuture

  init(
    index: Int32, _ settings: PlayerSettings, _ registry: PolicyRegistry,
    sharing assets: AssetShelf, at now: Instant
  ) {
    playback = Playback(index: index, settings, at: now)
    queue = PlayQueue(index: index, settings.policy, registry, sharing: assets)
    layer = settings.layer
    actionAtItemEnd = settings.actionAtItemEnd ?? (settings.hasQueue ? .advance : .pause)
  }

  var settings: PlayerSettings { playback.settings }

  var item: PlayerItem? { playback.item }
}

// The player is settled when nothing that is due at this instant is left undone. Every entry from
// outside ends here, so that whoever reads a property never sees a state in between.

extension Programme {
  mutating func settle(at now: Instant, on stage: inout Stage) {
    if let asset = queue.asset {
      asset.loader.loadValues(for: playback.subject, at: now, on: &stage)
    }
    var turns = Turns(queued: queue.items.count)
    while doWhatIsDue(at: now, on: &stage) {
      if turns.take(queued: queue.items.count) { continue }
      due = now
      return
    }
    if let asset = queue.asset { due = min(due, asset.loader.retryInstant(after: now)) }
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
    due = .distantFuture
    guard let item else { return playback.announce(at: now, on: &stage) }
    let loader = item.loader
    // News are told before anything else is done.
    var place: BufferPlace?
    if playback.news == nil, prepares(item, loader, &place, at: now, on: &stage) { return true }
    if decides(item, loader, place, at: now, on: &stage) { return true }
    due = playback.nextInstant(item, loader, loading: queue.loading, after: now)
    if item.isLive, let edge = reachesLiveEdge(item, after: now), edge > now {
      due = min(due, edge)
    }
    if showsPictures(of: item) { due = min(due, item.playsOtherVariant(after: now)) }
    return false
  }

  /// Loads, and moves the playhead; true where the state has changed.
  private mutating func prepares(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: inout BufferPlace?, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    // An item that failed when it was current before does so again.
    if item.hasFailed, giveUpFailed(item, at: now, on: &stage) { return true }
    let isUnparsed = item.media?.parsedAt == nil
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
    if movePlayhead(item, loader, here, at: now, on: &stage) { return true }
    if item.pendingSeek != nil { playback.completeSeek(at: now, on: &stage) }
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
      PictureReport(item: item, settings: settings).note(at: now, on: &stage)
    }
    // An item with nothing left to try fails once the buffer is played out.
    if loader.failure != nil, failIfPlayedOut(at: now, on: &stage) { return true }
    // The playhead of a live stream that is about to go on makes up for the wait.
    if item.isLive, restoreOffset(of: item, at: now, on: &stage) { return true }
    if playback.send(.bufferChanged, at: now, on: &stage) { return true }
    return playback.isEvaluating && playback.endEvaluation(at: now, on: &stage)
  }

  /// Asks for what is missing of the current item, and then of those to come.
  mutating func steerLoading(_ item: PlayerItem, at now: Instant, on stage: inout Stage) {
    playback.load(item, item.loader, at: now, on: &stage)
    lookAhead(from: item, at: now, on: &stage)
  }

  /// Asks for the media of the items to come, and gives up what nobody wants any more.
  private mutating func lookAhead(from item: PlayerItem, at now: Instant, on stage: inout Stage) {
    if playback.hasQueue { queue.loadAhead(of: item, &playback, at: now, on: &stage) }
    if queue.loading?.media !== item.media {
      item.loader.stopPastEnd(of: item.playhead(playback.hostStart), at: now, on: &stage)
    }
  }

  /// Whether somebody takes the pictures of an item.
  private func showsPictures(of item: PlayerItem) -> Bool {
    item.takesPictures || playback.showsPictures
  }
}

// MARK: - Ends

extension Programme {
  private mutating func movePlayhead(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    switch playback.movePlayhead(item, loader, place, at: now, on: stage) {
    case .goesOn: return false
    case .isCaughtUp, .ranDry: break
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
    return giveUp(item, at: now, on: &stage)
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

  /// Gives up an item that failed when it was current before: it does so again, at once.
  private mutating func giveUpFailed(
    _ item: PlayerItem, at now: Instant, on stage: inout Stage
  ) -> Bool {
    let isLetStand = playback.machine.control == .paused && actionAtItemEnd != .advance
    if !item.hasFailed || isLetStand { return false }
    playback.closeTimebase(at: now)
    _ = giveUp(item, at: now, on: &stage)
    return true
  }
}
