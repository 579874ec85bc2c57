import Autowait
import StreamingMedia
import VirtualTime

// Where the playhead of a live stream is put.

extension Programme {
  /// Puts the playhead where a live stream begins, or goes on; false when it stays.
  mutating func followLive(_ item: PlayerItem, at now: Instant, on stage: inout Stage) -> Bool {
    guard let loader = item.loader.live, let live = loader.live,
      let follower = LiveFollower(playback, item, at: now)
    else { return false }
    if let instant = follower.reachesEdge(of: loader, at: now), instant <= now {
      return playback.send(.reachedLiveEdge, at: now, on: &stage)
    }
    let preferences = item.settings.live
    let here = LivePlace(loader)
    let outcome = follower.look(
      start: here?.start(preferences, asked: item.settings.startTime, at: now),
      slid: follower.control == .playing
        ? nil : here?.afterSliding(from: follower.position, preferences),
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
      let memory = item.loader.live?.live?.memory,
      let move = LiveFollower(playback, item, at: now)?.restored(from: memory)
    else { return false }
    put(item, move, at: now, on: &stage)
    return true
  }

  /// When a playhead that is faster than the clock has caught up with a live stream; nil where it
  /// does not.
  func reachesLiveEdge(_ item: PlayerItem, after now: Instant) -> Instant? {
    guard LiveFollower.isFaster(item.timebase.rate), let loader = item.loader.live else {
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
    if playback.books.hasStarted {
      stage.log.note(.timeJumped(move.time), of: playback.subject, at: now)
    }
    steerLoading(item, at: now, on: &stage)
    if isLoaded || playback.machine.control != .playing { return }
    playback.drainPipeline()
    playback.send(.ranDry(.soughtAway), at: now, on: &stage)
  }
}

extension LiveFollower {
  /// Nil where nothing is live.
  fileprivate init?(_ playback: borrowing Playback, _ item: PlayerItem, at now: Instant) {
    guard let loader = item.loader.live else { return nil }
    let here = LivePlace(loader)
    let (position, machine) = (item.time(at: now), playback.machine)
    self.init(
      at: position, rate: item.timebase.rate, machine.control, waitingOut: machine.purpose,
      seekTarget: item.pendingSeek, edge: here?.time(at: now), listedEnd: here?.listedEnd,
      loadedEnd: loader.intake.tracks.loadedEnd(from: position),
      preservesOffset: item.settings.live.preservesOffset)
  }

  fileprivate func reachesEdge(of loader: StreamLoader, at now: Instant) -> Instant? {
    guard isFaster, !loader.isEndKnown, let here = LivePlace(loader) else { return nil }
    return reachesEdge(recommended: here.recommendedOffset, at: now)
  }
}

extension Playback {
  /// Tells a loader whether it may keep up with a live stream while the player stands.
  func quietenWhilePaused(_ item: PlayerItem, _ live: LiveTimeline) {
    let mayUse =
      item.settings.live.usesNetworkWhilePaused ?? settings.contract.usesNetworkWhilePaused
    live.memory.isQuiet = machine.control == .paused && !mayUse
  }
}
