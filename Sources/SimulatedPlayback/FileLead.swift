import PlayerPolicies
import StreamingMedia
import VirtualTime

/// A file's read-ahead (loaded edge minus playhead), and the limits on it.
struct FileLead {
  let loader: FileLoader
  let playhead: Playhead

  private var map: ByteMap { loader.file.map }

  /// The least that a limit can be, so that a buffer of one byte does not mean a stall for every
  /// byte: an assumption ("the system may buffer less" is documented, more is not).
  private static let leastDuration = MediaTime.milliseconds(100)
  private static let leastBytes: Int64 = 16_384

  /// The player's rule, with the limits that the app sets.
  let rule: FetchRule

  init(loader: FileLoader, playhead: Playhead) {
    self.loader = loader
    self.playhead = playhead
    var rule = playhead.limits.applied(to: loader.policy.running.description.fetch.ofFiles)
    rule.media = rule.media.map { max($0, FileLead.leastDuration) }
    rule.bytes = rule.bytes.map { max($0, FileLead.leastBytes) }
    self.rule = rule
  }

  /// The limit at which reading should be suspended; nil where it should not.
  ///
  /// It goes on when enough of every limit has been played.
  func limitReached(at now: Instant) -> FetchClause? {
    let position = playhead.time(at: now)
    return rule.limit(
      reachedBy: loader.loadedEnd(from: position, at: now) - position, isReading: !loader.isHeld
    ) {
      loader.bytesAhead(of: position, at: now)
    }
  }

  /// The predicted instant at which `limitReached` changes.
  func nextSuspensionChange(after now: Instant) -> Instant {
    // Out of reach of what comes in there is no lead that could change.
    if playhead.isOutOfReach { return .distantFuture }
    if loader.isHeld { return nextRefill(after: now) }
    var next = Instant.distantFuture
    if let limit = rule.media { next = min(next, instant(leading: limit, after: now)) }
    if let limit = rule.bytes { next = min(next, instant(leadingBytes: limit, after: now)) }
    return next
  }

  /// The instant at which playback has used up enough of a buffer that receives nothing.
  private func nextRefill(after now: Instant) -> Instant {
    let position = playhead.time(at: now)
    var mark = position
    if let limit = rule.media {
      let edge = loader.loadedEnd(from: position, at: now)
      mark = max(mark, edge - MediaTime(nanoseconds: rule.refill(limit.nanoseconds)))
    }
    if let limit = rule.bytes {
      let edge = map.byte(at: position) + loader.bytesAhead(of: position, at: now)
      let byte = edge - rule.refill(limit)
      let time = map.time(ofFirst: max(0, byte))
      // Half a byte further on is the next one: the map rounds a time down.
      let isShort = map.byte(at: time) < byte
      mark = max(mark, isShort ? time + MediaTime(nanoseconds: 1) : time)
    }
    return playhead.timebase.instant(reaching: mark)
  }
}

// MARK: - Instant of a full lead

extension FileLead {
  /// The first instant after now at which that much media is ahead of the playhead.
  func instant(leading media: MediaTime, after now: Instant) -> Instant {
    firstInstant(lead: media, bytes: 0, after: now)
  }

  /// The first instant after now at which that many bytes are ahead of the playhead.
  func instant(leadingBytes bytes: Int64, after now: Instant) -> Instant {
    firstInstant(lead: .zero, bytes: bytes, after: now)
  }

  /// Between two corners of the map both the edge and the mark run straight: the first stretch at
  /// whose end the edge is beyond the mark is halved until the instant is found.
  private func firstInstant(lead: MediaTime, bytes: Int64, after now: Instant) -> Instant {
    let last = loader.arrivalHolds
    // On a flat line the edge stands still: each packet is an event.
    guard let edge = loader.edge(at: now), last > now,
      let line = loader.arrival, line.unitsPerNanosecond > 0
    else { return .distantFuture }
    // A transfer for a place elsewhere brings nothing for this one.
    let position = playhead.time(at: now)
    let reach = map.byte(at: position) + loader.bytesAhead(of: position, at: now)
    if edge > reach { return .distantFuture }
    var start = now
    var index = map.firstCorner(after: playhead.time(at: now) + lead)
    while start < last {
      var stop = last
      if index < map.corners.count {
        stop = min(last, playhead.timebase.instant(reaching: map.corners[index].time - lead))
      }
      if stop > start, isAhead(lead, bytes, at: stop) {
        return halved(start, stop) { isAhead(lead, bytes, at: $0) }
      }
      start = max(start, stop)
      if index >= map.corners.count { break }
      index += 1
    }
    return .distantFuture
  }

  private func isAhead(_ lead: MediaTime, _ bytes: Int64, at instant: Instant) -> Bool {
    guard let edge = loader.edge(at: instant) else { return false }
    let position = playhead.time(at: instant)
    let mark = lead > .zero ? map.bytes(before: position + lead) : map.byte(at: position) + bytes
    return edge >= mark
  }

  /// The first instant of a stretch at which something holds that holds at its end.
  private func halved(
    _ start: Instant, _ stop: Instant, _ holds: (Instant) -> Bool
  ) -> Instant {
    var (low, high) = (start, stop)
    while (high - low).nanoseconds > 1 {
      let middle = low + TimeSpan(nanoseconds: (high - low).nanoseconds / 2)
      if holds(middle) { high = middle } else { low = middle }
    }
    return high
  }
}
