import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

// How much of a file is read ahead, and when that could change by itself.

extension FileLoader {
  /// Asks for what is missing, and suspends reading at the limit.
  mutating func steer(_ playhead: Playhead, at now: Instant, on stage: inout Stage) {
    if fetch == nil || !playhead.runsAlone {
      load(from: playhead.position, at: now, over: &stage.link, log: &stage.log)
    }
    guard let limit = limitByte(playhead) else {
      setSuspended(false, at: now, over: &stage.link, log: &stage.log)
      return
    }
    let reached = contiguousByte(playhead, at: now)
    if isSuspended {
      if reached <= refillByte(playhead, limit) {
        setSuspended(false, at: now, over: &stage.link, log: &stage.log)
      }
    } else if reached >= limit {
      setSuspended(true, at: now, over: &stage.link, log: &stage.log)
    }
  }

  private func contiguousByte(_ playhead: Playhead, at now: Instant) -> Int64 {
    file.map.byte(at: playhead.position) + bytesAhead(of: playhead.position, at: now)
  }

  /// The byte at which the buffer holds as much as it is going to; nil without a limit.
  private func limitByte(_ playhead: Playhead) -> Int64? {
    var limit: Int64?
    if playhead.limits.forward > .zero {
      limit = file.map.bytes(before: playhead.position + playhead.limits.forward)
    }
    if let cap = playhead.limits.bytes {
      limit = min(limit ?? .max, file.map.byte(at: playhead.position) + cap)
    }
    return limit
  }

  private func refillByte(_ playhead: Playhead, _ limit: Int64) -> Int64 {
    limit - (limit - file.map.byte(at: playhead.position)) / BufferLimits.refillShare
  }

  /// When what is there could next be of interest, as things are going.
  func nextInstant(_ playhead: Playhead, after now: Instant) -> Instant {
    if fetch == nil { return .distantFuture }
    var next = isSuspended ? .distantFuture : arrivalHolds
    if playhead.needsFirstByte {
      let first = file.map.bytes(before: playhead.position + MediaTime(nanoseconds: 1))
      next = min(next, instant(reaching: first, after: now))
    }
    if !playhead.isFull {
      next = min(next, instant(reaching: file.map.bytes(before: playhead.end), after: now))
    }
    if let limit = limitByte(playhead) {
      next = min(next, nextFullness(playhead, limit, after: now))
    }
    return next
  }

  private func nextFullness(
    _ playhead: Playhead, _ limit: Int64, after now: Instant
  ) -> Instant {
    let isMoving = !playhead.timebase.rate.isZero
    if !isSuspended {
      let reached = instant(reaching: limit, after: now)
      return isMoving ? max(reached, now + BufferLimits.fullnessStep) : reached
    }
    if !isMoving { return .distantFuture }
    // The playhead must eat what is too much above the refill mark.
    let tooMuch = contiguousByte(playhead, at: now) - refillByte(playhead, limit)
    let mark = file.map.byte(at: playhead.position) + max(1, tooMuch)
    let time = file.map.time(ofFirst: mark)
    return max(playhead.timebase.instant(reaching: time), now + BufferLimits.fullnessStep)
  }
}
