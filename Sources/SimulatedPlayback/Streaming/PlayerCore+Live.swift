import Autowait
import StreamingMedia
package import VirtualTime

// Where the playhead of a live stream is put, and how far it is from the live edge.

extension PlayerCore {
  /// Tells the loader whether it may keep up with a stream while the player stands.
  func quietenWhilePaused() {
    guard let item, let loader = item.loader.live else { return }
    let mayUse =
      item.settings.live.usesNetworkWhilePaused ?? settings.contract.usesNetworkWhilePaused
    loader.live?.isQuiet =
      machine.control == .paused && !mayUse && !settings.without.contains(.quietPause)
  }

  /// Puts the playhead where a live stream begins, or goes on; false when it stays.
  func followLive(at now: Instant, on stage: inout Stage) -> Bool {
    guard let item, let loader = item.loader.live else { return false }
    let preferences = item.settings.live
    if let start = loader.liveStart(
      preferences, asked: item.settings.startTime, at: now)
    {
      loader.live?.hasBegun = true
      move(start, at: now, on: &stage)
      noteBuffering(at: now, isNew: true)
      return true
    }
    noteBuffering(at: now)
    let position = item.time(at: now)
    if machine.control != .playing,
      let place = loader.placeAfterSliding(from: position, preferences)
    {
      move(place, at: now, on: &stage)
      noteBuffering(at: now, isNew: true)
      return true
    }
    // While it waits, every news of the edge says where it would have been.
    guard loader.live?.takeNews() == true, isBuffering, let target = restoredTime(at: now) else {
      return false
    }
    if target <= loader.tracks.loadedEnd(from: position) { return false }
    move(LiveMove(target, .preservesOffset), at: now, on: &stage)
    return true
  }

  // automaticallyPreservesTimeOffsetFromLive: "after buffering", at start, a seek or a stall, "the
  // player will seek forward, if necessary, to restore the playhead's distance from the live edge
  // of the presentation to what it was when buffering began".
  /// Moves a playhead that is about to go on to where it would be had it not waited.
  func restoreOffsetBeforeResuming(at now: Instant, on stage: inout Stage) -> Bool {
    guard machine.control == .waiting(.toMinimizeStalls), item?.condition.permitsPlaying == true,
      let target = restoredTime(at: now)
    else { return false }
    move(LiveMove(target, .preservesOffset), at: now, on: &stage)
    return true
  }

  private var isBuffering: Bool {
    switch machine.control {
    case .waiting: true
    case .paused, .playing: false
    }
  }

  /// Where the playhead has the distance from the live edge that it had when buffering began; nil
  /// where it need not or cannot go there.
  private func restoredTime(at now: Instant) -> MediaTime? {
    guard let item, item.settings.live.preservesOffset,
      !settings.without.contains(.offsetPreservation), let loader = item.loader.live,
      let offset = loader.live?.offset, let edge = loader.liveTime(at: now),
      let listed = loader.listedEnd
    else { return nil }
    let target = edge - offset
    return target > item.time(at: now) && target < listed ? target : nil
  }

  /// Notes how far from the live edge the playhead is when buffering begins, and how long stalls
  /// last.
  private func noteBuffering(at now: Instant, isNew: Bool = false) {
    guard let item, let loader = item.loader.live, loader.live?.hasBegun == true else { return }
    let edge = loader.liveTime(at: now)
    let position = item.time(at: now)
    loader.live?.note(
      isBuffering: isBuffering, isStalled: isBuffering && machine.purpose == .resume,
      seekTarget: item.pendingSeek, isNew: isNew, offset: edge.map { $0 - position }, at: now)
  }

  private func move(_ move: LiveMove, at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    let isLoaded = item.loader.loadedEnd(from: move.time, at: now) > move.time
    setTimebase(time: move.time, rate: item.timebase.rate, at: now)
    self.item?.isPastEnd = false
    if item.pendingSeek != nil { self.item?.pendingSeek = move.time }
    stage.log.note(.live(.moved(move.time, move.reason)), of: subject, at: now)
    if books.hasStarted { stage.log.note(.timeJumped(move.time), of: subject, at: now) }
    steerLoading(at: now, on: &stage)
    if isLoaded || machine.control != .playing { return }
    drainPipeline()
    send(.ranDry(.soughtAway), at: now, on: &stage)
  }
}

// MARK: - What the app says and reads

extension PlayerCore {
  /// Changes how a live stream is played.
  package func setLivePreferences(
    _ change: (inout LivePreferences) -> Void, at now: Instant, on stage: inout Stage
  ) {
    begin(at: now)
    if let item { change(&item.settings.live) }
    settle(at: now, on: &stage)
  }

  /// Seeks to where a live stream would begin now: what a seek to positive infinity does.
  package func seekToLive(at now: Instant, on stage: inout Stage) {
    guard let item, let time = item.liveTarget else { return }
    do throws(PlayerError) {
      try seek(to: time, at: now, on: &stage)
    } catch {
      preconditionFailure("a place in a live stream is not negative")
    }
  }

  /// How far the playhead is behind what is being encoded; nil where nothing is live.
  package func timeOffsetFromLive(at now: Instant) -> MediaTime? {
    guard let item, let live = item.loader.live?.live, live.hasBegun else { return nil }
    return min(live.stream.produced(at: now), item.settings.source.duration) - item.time(at: now)
  }

  // recommendedTimeOffsetFromLive: "based on observed network conditions". That these are the
  // longest stall so far is our assumption.
  /// What the server recommends, and what would have outlasted the longest stall; nil where nothing
  /// is live.
  package var recommendedTimeOffsetFromLive: MediaTime? {
    guard let loader = item?.loader.live, let live = loader.live,
      let offset = loader.recommendedOffset
    else { return nil }
    return offset + MediaTime(nanoseconds: live.longestStall.nanoseconds)
  }

  /// Where a seek may go.
  package var seekableTimeRanges: [Range<MediaTime>] {
    guard let item else { return [] }
    guard let loader = item.loader.live else {
      return item.status == .unknown ? [] : [.zero..<item.duration]
    }
    guard let range = loader.seekableRange, !range.isEmpty else { return [] }
    return [range]
  }
}

extension PlayerItem {
  /// Where a seek to a time goes; nil where that lies outside what can be sought.
  ///
  /// A stream whose playlists are not there yet begins where it is told to.
  func placeToSeek(_ time: MediaTime) -> MediaTime? {
    guard let loader = loader.live else { return min(time, duration) }
    guard let range = loader.seekableRange else {
      settings.startTime = time
      return time
    }
    return time < range.lowerBound ? nil : min(time, range.upperBound)
  }

  /// Where a live stream would begin now.
  fileprivate var liveTarget: MediaTime? {
    loader.live?.liveTarget(settings.live)
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
