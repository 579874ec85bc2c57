import Autowait
import LinkConditioner
import StreamingMedia
package import VirtualTime

// Seeks, the item's own settings, and external timelines.

extension PlayerCore {
  /// Moves the playhead.
  ///
  /// A pending seek is superseded: its completion is told at once, unfinished. Without an item the
  /// seek completes unfinished at once.
  package func seek(
    to target: MediaTime, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if target < .zero { throw .negativeTime }
    begin(at: now)
    guard let item else {
      stage.log.note(
        .seekCompleted(to: target, finished: false, inBuffer: false), of: subject, at: now)
      return
    }
    if item.pendingSeek != nil { finishSeek(false, inBuffer: false, at: now, on: &stage) }
    guard let time = item.placeToSeek(target) else {
      stage.log.note(
        .seekCompleted(to: target, finished: false, inBuffer: false), of: subject, at: now)
      return
    }
    stage.log.note(.seek(to: time), of: subject, at: now)
    leaveHostTimeline(at: now)
    hostStart = nil
    let isLoaded = item.loader.loadedEnd(from: time, at: now) > time || time >= item.end
    self.item?.isPastEnd = false
    self.item?.isStarved = false
    self.item?.pendingSeek = time
    item.playedFrom = time
    drainPipeline()
    if isLoaded {
      setTimebase(time: time, rate: item.timebase.rate, at: now)
      followMachine(at: now, on: &stage)
      finishSeek(true, inBuffer: true, at: now, on: &stage)
    } else {
      seekAway(to: time, at: now, on: &stage)
    }
    item.logs?.sought(to: time, received: received(of: item, at: now), at: now)
    settle(at: now, on: &stage)
  }

  private func seekAway(to time: MediaTime, at now: Instant, on stage: inout Stage) {
    setTimebase(time: time, rate: item?.timebase.rate ?? .zero, at: now)
    // "Discard the existing buffer and start download from a new location" (WWDC18 502).
    steerLoading(at: now, on: &stage)
    send(.ranDry(.soughtAway), at: now, on: &stage)
  }

  /// Completes a seek whose target has something under it.
  func completeSeek(at now: Instant, on stage: inout Stage) {
    guard let item, let target = item.pendingSeek else { return }
    if item.loader.loadedEnd(from: target, at: now) <= target { return }
    finishSeek(true, inBuffer: false, at: now, on: &stage)
  }

  func finishSeek(
    _ finished: Bool, inBuffer: Bool, at now: Instant, on stage: inout Stage
  ) {
    guard let target = item?.pendingSeek else { return }
    item?.pendingSeek = nil
    stage.log.note(
      .seekCompleted(to: target, finished: finished, inBuffer: inBuffer), of: subject, at: now)
    if finished { stage.log.note(.timeJumped(target), of: subject, at: now) }
  }

  // MARK: The item's settings

  package func setPreferredForwardBufferDuration(
    _ duration: MediaTime, at now: Instant, on stage: inout Stage
  ) {
    begin(at: now)
    item?.settings.preferredForwardBufferDuration = max(.zero, duration)
    settle(at: now, on: &stage)
  }

  package func setForwardPlaybackEndTime(
    _ time: MediaTime?, at now: Instant, on stage: inout Stage
  ) {
    begin(at: now)
    // What has been played past an end that is set behind the playhead stays played.
    closeTimebase(at: now)
    let isLacking = settings.without.contains(.forwardPlaybackEndTime)
    item?.settings.forwardPlaybackEndTime = isLacking ? nil : time
    if let item, item.timebase.time(at: now) < item.end {
      item.isPastEnd = false
      transition = nil
    }
    settle(at: now, on: &stage)
  }

  // MARK: External timelines

  /// Ties the playhead to a timeline outside: at `hostTime` it is, or was, at `time`.
  ///
  /// Refused while `automaticallyWaitsToMinimizeStalling` is true: "you will meet a friendly
  /// exception" (WWDC16 503). A nil `time` stands for the current one. A nil `hostTime` leaves the
  /// choice to the player: at once where something is loaded, else with the first byte.
  package func setRate(
    _ rate: PlaybackRate, time: MediaTime?, atHostTime hostTime: Instant?, at now: Instant,
    on stage: inout Stage
  ) throws(PlayerError) {
    if waitsProperty || machine.waitsAutomatically { throw .waitsAutomatically }
    begin(at: now)
    if rate.isZero {
      setRate(rate, at: now, on: &stage)
      return
    }
    books.appAsked(at: now)
    send(.awaitsHostTime, at: now, on: &stage)
    hostStart = nil
    if let hostTime {
      follow(rate, time: time, hostTime: hostTime, at: now, on: &stage)
    } else {
      hostStart = HostStart(rate: rate, time: time)
    }
    settle(at: now, on: &stage)
  }

  /// Starts what waited for its first byte.
  func startOnHostTime(at now: Instant, on stage: inout Stage) -> Bool {
    guard let start = hostStart, let item else { return false }
    let time = start.time ?? item.time(at: now)
    if item.loader.loadedEnd(from: time, at: now) <= time && time < item.end { return false }
    hostStart = nil
    follow(start.rate, time: start.time, hostTime: now, at: now, on: &stage)
    return true
  }

  private func follow(
    _ rate: PlaybackRate, time: MediaTime?, hostTime: Instant, at now: Instant,
    on stage: inout Stage
  ) {
    guard let item, !item.hasFailed else { return }
    if item.pendingSeek != nil { finishSeek(false, inBuffer: false, at: now, on: &stage) }
    let time = time ?? item.time(at: now)
    let previous = machine.rate
    guard let rule = machine.handle(.setRateAtHostTime(rate), shown) else { return }
    noteRate(since: previous, at: now, on: &stage)
    setTimebase(time: item.time(at: now), rate: .zero, at: now)
    // Whoever ties a player to a timeline has prerolled it: "preroll(atRate:)" comes first.
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
    self.item?.timebase.set(time: position, rate: rate, at: now)
    self.item?.sitsAt = offset < .zero ? time : nil
    let shown = max(time, position)
    self.item?.isStarved = item.loader.loadedEnd(from: shown, at: now) <= shown
    self.item?.isPastEnd = false
    begins(item)
    stage.log.note(.timeControl(machine.control, rule), of: subject, at: now)
    stage.log.note(.timebase(rate, from: position), of: subject, at: now)
    stage.log.note(.timeJumped(position), of: subject, at: now)
  }

  /// The app's own calls end the tie to an external timeline.
  func leaveHostTimeline(at now: Instant) {
    guard let item, item.sitsAt != nil else { return }
    setTimebase(time: item.time(at: now), rate: item.timebase.rate, at: now)
  }
}
