import Autowait
import StreamingMedia
package import VirtualTime

// Where the playhead of a live stream is put.

extension PlayerCore {
  /// Puts the playhead where a live stream begins, or goes on; false when it stays.
  func followLive(_ item: PlayerItem, at now: Instant, on stage: inout Stage) -> Bool {
    guard let follower = LiveFollower(playback, item) else { return false }
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
  func restoreOffset(of item: PlayerItem, at now: Instant, on stage: inout Stage) -> Bool {
    guard playback.machine.control == .waiting(.toMinimizeStalls), item.condition.permitsPlaying,
      let move = LiveFollower(playback, item)?.restored(at: now)
    else { return false }
    put(item, move, at: now, on: &stage)
    return true
  }

  private func put(
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

// MARK: - What the app says and reads

extension PlayerCore {
  /// Seeks to where a live stream would begin now: what a seek to positive infinity does.
  package func seekToLive(at now: Instant, on stage: inout Stage) {
    guard let item, let time = item.liveTarget else { return }
    do throws(PlayerError) {
      try seek(to: time, at: now, on: &stage)
    } catch {
      preconditionFailure("a place in a live stream is not negative")
    }
  }
}

extension PlayerItem {
  /// Where a seek to a time goes; nil where that lies outside what can be sought.
  ///
  /// A stream whose playlists are not there yet begins where it is told to.
  func placeToSeek(_ time: MediaTime) -> MediaTime? {
    guard let loader = loader.live else { return min(time, duration) }
    guard let range = LivePlace(loader)?.seekableRange else {
      settings.startTime = time
      return time
    }
    return time < range.lowerBound ? nil : min(time, range.upperBound)
  }

  /// Where a live stream would begin now.
  fileprivate var liveTarget: MediaTime? {
    loader.live.flatMap { LivePlace($0)?.edge(settings.live) }
  }
}

extension MediaLoader {
  /// What loads a stream that grows; nil where everything is there.
  var live: StreamLoader? {
    switch self {
    case .file: nil
    case .stream(let loader): loader.live == nil ? nil : loader
    }
  }

  var isEndKnown: Bool {
    switch self {
    case .file: true
    case .stream(let loader): loader.isEndKnown
    }
  }
}
