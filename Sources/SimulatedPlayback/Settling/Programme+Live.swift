import Autowait
import StreamingMedia
import VirtualTime

// Where the playhead of a live stream is put.

extension Programme {
  /// Puts the playhead where a live stream begins, or goes on; false when it stays.
  mutating func followLive(_ item: PlayerItem, at now: Instant, on stage: inout Stage) -> Bool {
    guard let follower = LiveFollower(playback, item) else { return false }
    if let instant = follower.reachesEdge(at: now), instant <= now {
      return playback.send(.reachedLiveEdge, at: now, on: &stage)
    }
    switch follower.look(at: now) {
    case .stays: return false
    case .begins(let move):
      put(item, move, at: now, on: &stage)
      LiveFollower(playback, item)?.noteBuffering(at: now, isNew: true)
    case .makesUp(let move): put(item, move, at: now, on: &stage)
    }
    return true
  }

  /// Moves a playhead that is about to go on to where it would be had it not waited.
  mutating func restoreOffset(of item: PlayerItem, at now: Instant, on stage: inout Stage) -> Bool {
    guard playback.machine.control == .waiting(.toMinimizeStalls), item.condition.permitsPlaying,
      let move = LiveFollower(playback, item)?.restored(at: now)
    else { return false }
    put(item, move, at: now, on: &stage)
    return true
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
