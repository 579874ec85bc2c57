import StreamingMedia
import VirtualTime

/// How far a file's loaded edge is ahead of the playhead, held against the limits set to that.
struct FileLead {
  let loader: FileLoader
  let playhead: Playhead

  private var map: ByteMap { loader.file.map }

  /// How much of its limit a buffer must have lost before reading goes on: a quarter.
  ///
  /// Our assumption: without a gap between the two marks reading would stop and go on for ever.
  private static let refillShare: Int64 = 4

  /// The least that a limit can be, so that a buffer of one byte does not mean a stall for every
  /// byte: an assumption ("the system may buffer less" is documented, more is not).
  private static let leastDuration = MediaTime.milliseconds(100)
  private static let leastBytes: Int64 = 16_384

  /// The most media to read ahead; nil without a limit.
  private var durationLimit: MediaTime? {
    let preferred = playhead.limits.forward
    return preferred > .zero ? max(preferred, FileLead.leastDuration) : nil
  }

  /// The most bytes to read ahead; nil without a limit.
  private var byteLimit: Int64? {
    playhead.limits.bytes.map { max($0, FileLead.leastBytes) }
  }

  /// Whether reading should be suspended: it stops at a limit, and goes on when a quarter of every
  /// limit has been played.
  func wantsSuspension(at now: Instant) -> Bool {
    let share = loader.isSuspended ? FileLead.refillShare - 1 : FileLead.refillShare
    let position = playhead.time(at: now)
    if let limit = durationLimit {
      let ahead = loader.loadedEnd(from: position, at: now) - position
      let mark = part(limit.nanoseconds, share)
      if isBeyond(ahead.nanoseconds, mark) { return true }
    }
    if let limit = byteLimit {
      if isBeyond(loader.bytesAhead(of: position, at: now), part(limit, share)) { return true }
    }
    return false
  }

  private func part(_ limit: Int64, _ share: Int64) -> Int64 {
    scaled(limit, by: share, over: FileLead.refillShare, rounding: .down)
  }

  private func isBeyond(_ ahead: Int64, _ mark: Int64) -> Bool {
    loader.isSuspended ? ahead > mark : ahead >= mark
  }

  /// When `wantsSuspension` will change, as things are going.
  func nextSuspensionChange(after now: Instant) -> Instant {
    // Out of reach of what comes in there is no lead that could change.
    if playhead.isOutOfReach { return .distantFuture }
    if loader.isSuspended { return nextRefill(after: now) }
    var next = Instant.distantFuture
    if let limit = durationLimit { next = min(next, instant(leading: limit, after: now)) }
    if let limit = byteLimit { next = min(next, instant(leadingBytes: limit, after: now)) }
    return next
  }

  /// When the playhead will have eaten enough of a buffer that nothing comes into.
  private func nextRefill(after now: Instant) -> Instant {
    let position = playhead.time(at: now)
    let share = FileLead.refillShare - 1
    var mark = position
    if let limit = durationLimit {
      let edge = loader.loadedEnd(from: position, at: now)
      mark = max(mark, edge - MediaTime(nanoseconds: part(limit.nanoseconds, share)))
    }
    if let limit = byteLimit {
      let edge = map.byte(at: position) + loader.bytesAhead(of: position, at: now)
      let byte = edge - part(limit, share)
      let time = map.time(ofFirst: max(0, byte))
      // Half a byte further on is the next one: the map rounds a time down.
      let isShort = map.byte(at: time) < byte
      mark = max(mark, isShort ? time + MediaTime(nanoseconds: 1) : time)
    }
    return playhead.timebase.instant(reaching: mark)
  }
}

// MARK: - When the edge will be that far ahead

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
    guard let edge = loader.edge(at: now), last > now else { return .distantFuture }
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
