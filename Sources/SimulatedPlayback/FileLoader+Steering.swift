import LinkConditioner
import StreamingMedia
import VirtualTime

// How much of a file is read ahead, and when that could change by itself.

extension FileLoader {
  /// Asks for what is missing, and suspends reading at the limit.
  func steer(_ playhead: Playhead, at now: Instant, on stage: inout Stage) {
    let lead = FileLead(loader: self, playhead: playhead)
    if staysClosed(lead.limitReached(at: now) != nil, at: now) { return }
    if fetch == nil || playhead.awaited != nil || !playhead.isOutOfReach {
      let wantsMore = load(
        from: playhead.place(at: now), to: playhead.end, at: now, on: &stage)
      // What is under way now is another item's, which says how far it is read.
      if !wantsMore { return }
    }
    hold(lead.limitReached(at: now), at: now, on: &stage)
  }

  /// When what is there could next be of interest, as things are going.
  func nextInstant(_ playhead: Playhead, after now: Instant) -> Instant {
    let again = retry.due > now ? retry.due : .distantFuture
    if fetch == nil {
      guard let reopensAt else { return again }
      // What was cancelled is opened again when both the time has come and there is room.
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
      // What is there already and yet not contiguous has a hole before it, which is asked for next.
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

  /// How far the transfer under way goes, in its own count.
  var lastByte: Int64 {
    guard let fetch else { return 0 }
    return fetch.range.upperBound - fetch.base
  }

  /// Until when `arrival` holds.
  var arrivalHolds: Instant { fetch?.flowHolds ?? .distantFuture }

  /// When the contiguous media from a position on will reach a byte, as things are going.
  func instant(reaching byte: Int64, after now: Instant) -> Instant {
    guard let fetch, let flow = arrival else { return .distantFuture }
    // A transfer brings nothing of what lies before it or behind it.
    if byte <= fetch.range.lowerBound || byte > fetch.range.upperBound { return .distantFuture }
    return max(now, flow.instant(reaching: byte - fetch.base))
  }
}
