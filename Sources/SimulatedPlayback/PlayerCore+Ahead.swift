import Autowait
import StreamingMedia
import VirtualTime

// What is done for the items to come while the current one plays.

extension PlayerCore {
  /// Brings the media of the next item once that of the current one is there.
  ///
  /// "When the media download finishes for the current item, player will start downloading for the
  /// next one while the current one is still playing" (WWDC18 502).
  func steerNext(at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    var next: PlayerItem?
    if isLoaded(item, at: now), !settings.without.contains(.nextItemDownload) {
      next = firstToLoad(at: now, on: &stage)
    }
    if let loading, loading !== next, loading.media !== item.media, loading.media !== next?.media,
      !isLoaded(loading, at: now)
    {
      // The current item comes first again, or another one has come between.
      loading.loader.cancelAll(at: now, on: &stage)
    }
    loading = next
  }

  /// The first of the items to come that wants something, which is asked for.
  private func firstToLoad(at now: Instant, on stage: inout Stage) -> PlayerItem? {
    while let next = queue.nextToLoad {
      if let before = queue.item(before: next) ?? item { prepareBoundary(from: before, to: next) }
      next.loader.steer(next.playhead(nil), at: now, on: &stage)
      refreshAhead(next, at: now, on: &stage)
      if !isLoaded(next, at: now) { return next }
      queue.nextIsLoaded()
    }
    return nil
  }

  /// Whether everything up to the end of an item is there, or nothing more will come.
  private func isLoaded(_ item: PlayerItem, at now: Instant) -> Bool {
    if item.loader.failure != nil { return true }
    return item.loader.isIdle && item.loadedEnd(at: now) >= item.end
  }

  /// Says nothing of an item's buffer before it is current, but knows it.
  private func refreshAhead(_ next: PlayerItem, at now: Instant, on stage: inout Stage) {
    let position = next.time(at: now)
    let loadedEnd = next.loadedEnd(at: now)
    next.condition = BufferCondition(
      isEmpty: loadedEnd <= position, isFull: next.loader.isSuspended || loadedEnd >= next.end,
      isLikelyToKeepUp: false)
    // "Once an item is enqueued it becomes eligible to be loaded and made ready" (AVQueuePlayer).
    parse(next, at: now)
    noteReady(next, at: now, on: &stage)
  }

  /// Reads through the index of an item's media, once, when it is there.
  func parse(_ item: PlayerItem, at now: Instant) {
    guard let media = item.media, media.parsedAt == nil, media.loader.isReady else { return }
    media.parsedAt = now + settings.pipeline.parse
    parseCount += 1
  }

  /// Fills the pipeline for the items to come, as deep as they are short.
  ///
  /// "If item B is super short, then AVFoundation may even start work on the transition to item C"
  /// (WWDC16 503): an item is prepared when those between it and the current one play for less
  /// than a preroll lasts. That several are filled side by side is our assumption.
  func prerollAhead(at now: Instant, on stage: inout Stage) {
    guard let item, item.filledAt != nil, prerollSpan > .zero else { return }
    let rate = machine.rate.isZero ? rateOfPlay : machine.rate
    var before = item
    var between = TimeSpan.zero
    for (depth, next) in queue.items.enumerated() {
      if depth >= lookAheadDepth || between >= prerollSpan { break }
      if next.filledAt == nil, isReadyToFill(next, after: before, at: now) {
        next.filledAt = fill(next, at: now, on: &stage)
      }
      between = between + next.span(at: rate, now)
      before = next
    }
  }

  private var lookAheadDepth: Int {
    if settings.without.contains(.deepLookAhead) { return 1 }
    return settings.pipeline.lookAheadDepth.map { Int($0) } ?? Int(Int32.max)
  }

  private func isReadyToFill(
    _ next: PlayerItem, after before: PlayerItem, at now: Instant
  ) -> Bool {
    TransitionPlan(from: before, to: next, settings).overlaps && next.loader.isReady
      && next.loader.failure == nil && next.loadedEnd(at: now) > next.time(at: now)
  }

  // MARK: The end

  // "We have an empty segment of video … should it go away? Should you freeze on one frame?" and
  // where the video is longer "audio should be silent" (WWDC16 503).
  /// Notes which tracks had ended before the item did.
  func noteEmptyTracks(_ item: PlayerItem, at now: Instant, on stage: inout Stage) {
    guard var file = item.settings.source.file, !settings.without.contains(.trackDurations)
    else { return }
    if settings.without.contains(.editLists) {
      for index in file.trackList.indices { file.trackList[index].editListDuration = nil }
    }
    for kind in [MediaTrack.Kind.video, .audio] {
      let start = max(item.playedFrom, file.duration(of: kind))
      if start >= item.end { continue }
      books.wasEmpty(kind, item.end - start)
      stage.log.note(.emptyTrack(kind, from: start, to: item.end), of: item.subject, at: now)
    }
  }

  // MARK: The gap

  /// Notes that media moves again after an end.
  func noteTransition(at now: Instant, on stage: inout Stage) {
    guard let pending = transition, let item, item.time(at: now) < item.end else { return }
    transition = nil
    let gap = now - pending.instant
    let isLoop = pending.goesRound && item.goesRound
    books.passedOn(after: gap, isLoop: isLoop)
    let kind = ItemTransition.Kind(gap, waited: pending.hasWaited, silence: pending.silence)
    stage.log.note(
      .itemTransition(
        ItemTransition(
          from: pending.from, to: item.number ?? 0, gap: gap, kind: kind,
          silence: pending.silence, loop: isLoop ? books.loopCount : nil)),
      of: item.subject, at: now)
  }
}
