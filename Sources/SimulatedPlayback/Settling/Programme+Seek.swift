import Autowait
import StreamingMedia
import VirtualTime

// Seeks, and external timelines.

extension Programme {
  /// Moves the playhead.
  ///
  /// A pending seek is superseded: its completion is told at once, unfinished. Without an item the
  /// seek completes unfinished at once.
  mutating func seek(
    to target: MediaTime, within tolerance: SeekTolerance, at now: Instant, on stage: inout Stage
  ) {
    guard let item else {
      stage.log.note(
        .seekCompleted(to: target, finished: false, inBuffer: false), of: playback.subject, at: now)
      return
    }
    if item.pendingSeek != nil { playback.finishSeek(false, inBuffer: false, at: now, on: &stage) }
    guard let time = item.placeToSeek(target, within: tolerance, at: now) else {
      stage.log.note(
        .seekCompleted(to: target, finished: false, inBuffer: false), of: playback.subject, at: now)
      return
    }
    stage.log.note(.seek(to: time), of: playback.subject, at: now)
    playback.leaveHostTimeline(at: now)
    playback.hostStart = nil
    let isLoaded = item.loader.loadedEnd(from: time, at: now) > time || time >= item.end
    item.isPastEnd = false
    item.isStarved = false
    item.pendingSeek = time
    item.playedFrom = time
    playback.drainPipeline()
    if isLoaded {
      playback.setTimebase(time: time, rate: item.timebase.rate, at: now)
      playback.followMachine(at: now, on: &stage)
      playback.finishSeek(true, inBuffer: true, at: now, on: &stage)
    } else {
      seekAway(item, to: time, at: now, on: &stage)
    }
    item.logs?.sought(to: time, received: item.received(at: now), at: now)
    settle(at: now, on: &stage)
  }

  private mutating func seekAway(
    _ item: PlayerItem, to time: MediaTime, at now: Instant, on stage: inout Stage
  ) {
    playback.setTimebase(time: time, rate: item.timebase.rate, at: now)
    // "Discard the existing buffer and start download from a new location" (WWDC18 502).
    steerLoading(item, at: now, on: &stage)
    playback.send(.ranDry(.soughtAway), at: now, on: &stage)
  }

  // MARK: External timelines

  /// Ties the playhead to a timeline outside, or will with the first byte where no time is given.
  mutating func tie(
    _ rate: PlaybackRate, time: MediaTime?, atHostTime hostTime: Instant?, at now: Instant,
    on stage: inout Stage
  ) {
    if refuses(rate, at: now, on: &stage) { return }
    playback.books.appAsked(at: now)
    playback.send(.awaitsHostTime, at: now, on: &stage)
    playback.hostStart = nil
    if let hostTime {
      playback.follow(rate, time: time, hostTime: hostTime, at: now, on: &stage)
    } else {
      playback.hostStart = HostStart(rate: rate, time: time)
    }
    settle(at: now, on: &stage)
  }
}
