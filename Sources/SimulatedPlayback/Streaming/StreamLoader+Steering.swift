import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

// What the player asks of a stream: to load for its playhead, and when to be looked at again.

extension StreamLoader {
  func steer(_ playhead: Playhead, at now: Instant, on stage: inout Stage) {
    if troubles.nextTry <= now { troubles.findNextTry(after: now) }
    let position = playhead.time(at: now)
    if choice.isDue, choice.current != nil, isAtBoundary {
      adapt(position, at: now, on: &stage)
    }
    load(from: position, to: playhead.end, limit: limit(playhead), at: now, on: &stage)
    planRescue(playhead, at: now)
  }

  /// How much media may lie ahead of the playhead.
  private func limit(_ playhead: Playhead) -> MediaTime {
    let forward = without.contains(.forwardBufferLimit) ? .zero : playhead.limits.forward
    return forward > .zero ? forward : settings.automaticForwardBuffer
  }

  /// Whether something may be due that no event told of.
  func hasToLook(at now: Instant) -> Bool {
    min(rescueWatch.patienceEnds, rescueWatch.due, watchIsDue) <= now || failure != nil
  }

  func wake(_ playhead: Playhead, at now: Instant, on stage: inout Stage) {
    attendRescue(playhead, at: now, on: &stage)
    watchMedia(at: now, on: &stage)
    if failure != nil { releaseVariants(at: now, on: &stage) }
  }

  func nextInstant(_ playhead: Playhead, after now: Instant) -> Instant {
    var next = asset.retry.due > now ? asset.retry.due : .distantFuture
    let reload = nextReload
    if reload > now { next = min(next, reload) }
    if rescueWatch.patienceEnds > now { next = min(next, rescueWatch.patienceEnds) }
    if playhead.isMoving, rescueWatch.due > now { next = min(next, rescueWatch.due) }
    if !troubles.isEmpty {
      next = min(next, troubles.nextInstant(after: now, hasFailed: failure != nil))
    }
    if playhead.isMoving {
      let limit = limit(playhead)
      for index in tracks.indices
      where tracks[index].fetchID == nil && tracks[index].end < playhead.end {
        let due = makesRoom(for: index, limit, playhead)
        if due > now { next = min(next, due) }
      }
    }
    // Mostly something else comes long before.
    return watchIsDue < next ? min(next, nextWatch(after: now)) : next
  }

  /// When the playhead makes room for the next segment of a track that is full.
  private func makesRoom(for index: Int, _ limit: MediaTime, _ playhead: Playhead) -> Instant {
    let segments = presentation.lists[tracks[index].list].segments.count
    if tracks[index].next >= segments { return .distantFuture }
    let mark = tracks[index].end - limit + MediaTime(nanoseconds: 1)
    return playhead.timebase.instant(reaching: mark)
  }

  /// When the next playlist is to be read again.
  private var nextReload: Instant {
    guard let live else { return .distantFuture }
    var next = Instant.distantFuture
    for index in tracks.indices {
      let list = tracks[index].list
      if asset.resources[.playlist(list)] != .there { continue }
      next = min(next, live.reloadDue(list, of: presentation))
    }
    return next
  }

  /// When the first media file under way has to be looked at.
  private func nextWatch(after now: Instant) -> Instant {
    var next = Instant.distantFuture
    for index in tracks.indices {
      if let due = tracks[index].watchedUntil, due > now { next = min(next, due) }
    }
    return next
  }

  func complete(_ observation: inout KeepUpObservation) {
    observation.stream = SegmentObservation(
      wholeSegments: segmentsInARow, neededBitRate: choice.neededBitRate,
      throughput: meter.bitsPerSecond.map { BitRate.bitsPerSecond($0) },
      goesOn: !isEndKnown)
  }
}

// MARK: - Where a stream that grows is played

extension StreamLoader {
  /// Where playback begins, once a playlist says what there is.
  func liveStart(
    _ preferences: LivePreferences, asked: MediaTime?, at now: Instant
  ) -> LiveMove? {
    guard let live, let list = tracks.mainList else { return nil }
    return live.start(list, of: presentation, preferences, asked: asked, at: now)
  }

  /// Where a seek to the live edge goes; nil before playback has begun.
  func liveTarget(_ preferences: LivePreferences) -> MediaTime? {
    guard let live, let list = tracks.mainList else { return nil }
    return live.restart(list, of: presentation, preferences)
  }

  /// Where playback goes on when what comes next has slid out of the window, and nothing is left.
  func placeAfterSliding(
    from position: MediaTime, _ preferences: LivePreferences
  ) -> LiveMove? {
    guard let live, !without.contains(.windowFollowing), let list = tracks.mainList,
      tracks.loadedEnd(from: position) <= position
    else { return nil }
    for index in tracks.indices
    where tracks[index].kind != .subtitles && tracks[index].fetch == nil {
      guard let listed = live.known(tracks[index].list),
        tracks[index].next < listed.segments.lowerBound
      else { continue }
      // As if it began anew: what is listed first would be the next to slide out. That is our
      // assumption.
      guard let time = live.restart(list, of: presentation, preferences) else { return nil }
      return time > position ? LiveMove(time, .windowSlid) : nil
    }
    return nil
  }

  /// Where the live edge is, as time goes on since its playlist was read.
  func liveTime(at now: Instant) -> MediaTime? {
    guard let live, let list = tracks.mainList else { return nil }
    return live.playlists.liveTime(list, of: presentation, at: now)
  }

  /// The end of what is listed of the main track.
  var listedEnd: MediaTime? {
    guard let live, let list = tracks.mainList else { return nil }
    return live.known(list).map { presentation.lists[list].end(of: $0) }
  }

  var seekableRange: Range<MediaTime>? {
    guard let live, let list = tracks.mainList else { return nil }
    return live.seekableRange(list, of: presentation)
  }

  /// How far from its edge the server wants a live stream to be played.
  var recommendedOffset: MediaTime? {
    guard let live, let list = tracks.mainList else { return nil }
    return live.stream.recommendedOffset(in: presentation.lists[list]).0
  }
}
