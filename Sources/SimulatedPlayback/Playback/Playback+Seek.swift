import Autowait
import VirtualTime

// Seeks that end, and external timelines.

extension Playback {
  /// Completes a seek whose target has something under it.
  mutating func completeSeek(at now: Instant, on stage: inout Stage) {
    guard let item, let target = item.pendingSeek else { return }
    if item.loader.loadedEnd(from: target, at: now) <= target { return }
    finishSeek(true, inBuffer: false, at: now, on: &stage)
  }

  mutating func finishSeek(
    _ finished: Bool, inBuffer: Bool, at now: Instant, on stage: inout Stage
  ) {
    guard let target = item?.pendingSeek else { return }
    item?.pendingSeek = nil
    stage.log.note(
      .seekCompleted(to: target, finished: finished, inBuffer: inBuffer), of: subject, at: now)
    if finished { stage.log.note(.timeJumped(target), of: subject, at: now) }
  }

  // MARK: External timelines

  /// Starts what waited for its first byte.
  mutating func startOnHostTime(at now: Instant, on stage: inout Stage) -> Bool {
    guard let start = hostStart, let item else { return false }
    let time = start.time ?? item.time(at: now)
    if item.loader.loadedEnd(from: time, at: now) <= time && time < item.end { return false }
    hostStart = nil
    follow(start.rate, time: start.time, hostTime: now, at: now, on: &stage)
    return true
  }

  mutating func follow(
    _ rate: PlaybackRate, time: MediaTime?, hostTime: Instant, at now: Instant,
    on stage: inout Stage
  ) {
    guard let item, !item.hasFailed else { return }
    if item.pendingSeek != nil { finishSeek(false, inBuffer: false, at: now, on: &stage) }
    let time = time ?? item.time(at: now)
    let previous = machine.rate
    guard let rule = machine.handle(.setRateAtHostTime(rate), item.shown) else { return }
    noteRate(since: previous, rule, at: now, on: &stage)
    setTimebase(time: item.time(at: now), rate: .zero, at: now)
    if case .waiting = machine.control {
      if rule != .rateChangedWaiting {
        stage.log.note(.timeControl(machine.control, rule, nil), of: subject, at: now)
      }
      return
    }
    // A player tied to a timeline has been prerolled: "preroll(atRate:)" comes first.
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
    item.loader.leaves(item.time(at: now))
    item.timebase.set(time: position, rate: rate, at: now)
    item.sitsAt = offset < .zero ? time : nil
    let shown = max(time, position)
    item.isStarved = item.loader.loadedEnd(from: shown, at: now) <= shown
    item.isPastEnd = false
    begins(item, at: now)
    stage.log.note(.timeControl(machine.control, rule, nil), of: subject, at: now)
    stage.log.note(.timebase(rate, from: position), of: subject, at: now)
    stage.log.note(.timeJumped(position), of: subject, at: now)
  }

  /// The app's own calls end the tie to an external timeline.
  mutating func leaveHostTimeline(at now: Instant) {
    guard let item, item.sitsAt != nil else { return }
    setTimebase(time: item.time(at: now), rate: item.timebase.rate, at: now)
  }
}
