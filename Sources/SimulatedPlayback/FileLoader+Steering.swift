import LinkConditioner
import StreamingMedia
import VirtualTime

// The read-ahead of a file, and the next instant at which it could change by itself.

extension FileLoader {
  /// Asks for what is missing, and suspends reading at the limit.
  func steer(_ playhead: Playhead, at now: Instant, on stage: inout Stage) {
    let lead = FileLead(loader: self, playhead: playhead)
    if staysClosed(lead.limitReached(at: now) != nil, at: now) { return }
    if fetch == nil || playhead.awaited != nil || !playhead.isOutOfReach {
      let wantsMore = load(
        from: playhead.place(at: now), to: playhead.end, at: now, on: &stage)
      // The transfer now under way is another item's, which sets its own read-ahead.
      if !wantsMore { return }
    }
    hold(lead.limitReached(at: now), at: now, on: &stage)
  }

  /// The predicted instant of the loader's next change that matters to the player.
  func nextInstant(_ playhead: Playhead, after now: Instant) -> Instant {
    let again = retry.due > now ? retry.due : .distantFuture
    if fetch == nil {
      guard let reopensAt else { return again }
      // A request cancelled at the limit is reopened once its wait is over and there is room.
      if reopensAt > now { return min(again, reopensAt) }
      return min(again, FileLead(loader: self, playhead: playhead).nextSuspensionChange(after: now))
    }
    if playhead.isFull, isLoaded(from: playhead.place(at: now), to: playhead.end, at: now) {
      return again
    }
    var next = isSuspended ? .distantFuture : min(arrivalHolds, telling.next)
    if playhead.needsFirstByte {
      let position = playhead.place(at: now)
      let edge = file.map.byte(at: position) + bytesAhead(of: position, at: now)
      // Once something is there, the rest of the frame is waited for.
      if loadedEnd(from: position, at: now) <= position {
        next = min(next, instant(reaching: edge + 1, after: now))
      }
      let frame = file.map.bytes(before: min(position + playhead.frame, playhead.end))
      if frame > edge + 1 { next = min(next, instant(reaching: frame, after: now)) }
    }
    if !playhead.isFull {
      let whole = instant(reaching: file.map.bytes(before: playhead.end), after: now)
      // Media that is loaded but not contiguous has a gap before it, which is requested next.
      if whole > now { next = min(next, whole) }
    }
    let lead = FileLead(loader: self, playhead: playhead)
    return min(next, again, lead.nextSuspensionChange(after: now))
  }

  /// The media byte that the transfer under way has come to, if it flows.
  func edge(at now: Instant) -> Int64? {
    guard isReady, let fetch, let flow = fetch.flow else { return nil }
    return min(fetch.range.upperBound, fetch.base + flow.bytes(at: now))
  }

  /// The end of the transfer under way, in its own count.
  var lastByte: Int64 {
    guard let fetch else { return 0 }
    return fetch.range.upperBound - fetch.base
  }

  /// Until when `arrival` holds.
  var arrivalHolds: Instant { fetch?.flowHolds ?? .distantFuture }

  /// The predicted instant at which the contiguous media from a position on reaches a byte.
  func instant(reaching byte: Int64, after now: Instant) -> Instant {
    guard let fetch, let flow = arrival else { return .distantFuture }
    // A transfer brings nothing of what lies before it or behind it.
    if byte <= fetch.range.lowerBound || byte > fetch.range.upperBound { return .distantFuture }
    return max(now, flow.instant(reaching: byte - fetch.base))
  }
}
