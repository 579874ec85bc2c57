import Autowait
import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// A file's read-ahead (loaded edge minus playhead), and the limits on it.
struct FileLead {
  let loader: FileLoader
  let item: PlayerItem

  private var map: ByteMap { loader.file.map }

  /// The least that a limit can be, so that a buffer of one byte does not mean a stall for every
  /// byte: an assumption ("the system may buffer less" is documented, more is not).
  private static let leastDuration = MediaTime.milliseconds(100)
  private static let leastBytes: Int64 = 16_384

  /// The player's rule, with the limits that the app sets.
  let rule: FetchRule

  init(loader: FileLoader, item: PlayerItem) {
    self.loader = loader
    self.item = item
    var rule = item.settings.bufferLimits.applied(
      to: loader.policy.fetch.ofFiles)
    rule.media = rule.media.map { max($0, FileLead.leastDuration) }
    rule.bytes = rule.bytes.map { max($0, FileLead.leastBytes) }
    self.rule = rule
  }

  /// The limit at which reading should be suspended; nil where it should not.
  ///
  /// It goes on when enough of every limit has been played.
  func limitReached(at now: Instant) -> FetchClause? {
    let position = item.time(at: now)
    return rule.limit(
      reachedBy: loader.loadedEnd(from: position, at: now) - position, isReading: !loader.isHeld
    ) {
      loader.bytesAhead(of: position, at: now)
    }
  }

  /// The predicted instant at which `limitReached` changes.
  func nextSuspensionChange(after now: Instant) -> Instant {
    // Out of reach of what comes in there is no lead that could change.
    if item.isFreeOfMedia { return .distantFuture }
    if loader.isHeld { return nextRefill(after: now) }
    var next = Instant.distantFuture
    if let limit = rule.media { next = min(next, instant(leading: limit, after: now)) }
    if let limit = rule.bytes { next = min(next, instant(leadingBytes: limit, after: now)) }
    return next
  }

  /// The instant at which playback has used up enough of a buffer that receives nothing.
  private func nextRefill(after now: Instant) -> Instant {
    let position = item.time(at: now)
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
    return item.timebase.instant(reaching: mark)
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
    let position = item.time(at: now)
    let reach = map.byte(at: position) + loader.bytesAhead(of: position, at: now)
    if edge > reach { return .distantFuture }
    var start = now
    var index = map.firstCorner(after: item.time(at: now) + lead)
    while start < last {
      var stop = last
      if index < map.corners.count {
        stop = min(last, item.timebase.instant(reaching: map.corners[index].time - lead))
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
    let position = item.time(at: instant)
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

// The read-ahead of a file, and the next instant at which it could change by itself.

extension FileLoader {
  /// Asks for what is missing, and suspends reading at the limit.
  func steer(
    _ item: PlayerItem, _ start: HostStart?, at now: Instant, on stage: inout Stage
  ) {
    let lead = FileLead(loader: self, item: item)
    if staysClosed(lead.limitReached(at: now) != nil, at: now) { return }
    if fetch == nil || start?.time != nil || !item.isFreeOfMedia {
      let wantsMore = load(
        from: item.place(of: start, at: now), to: item.end, at: now, on: &stage)
      // The transfer now under way is another item's, which sets its own read-ahead.
      if !wantsMore { return }
    }
    hold(lead.limitReached(at: now), at: now, on: &stage)
  }

  /// The predicted instant of the loader's next change that matters to the player.
  func nextInstant(
    _ item: PlayerItem, _ start: HostStart?, after now: Instant
  ) -> Instant {
    let again = retry.due > now ? retry.due : .distantFuture
    if fetch == nil {
      guard let reopensAt else { return again }
      // A request cancelled at the limit is reopened once its wait is over and there is room.
      if reopensAt > now { return min(again, reopensAt) }
      return min(again, FileLead(loader: self, item: item).nextSuspensionChange(after: now))
    }
    let (position, isFull) = (item.place(of: start, at: now), item.condition.isFull)
    if isFull, isLoaded(from: position, to: item.end, at: now) { return again }
    var next = isSuspended ? .distantFuture : min(arrivalHolds, telling.next)
    // Somebody waits for the first byte under the playhead.
    if start != nil || item.condition.isEmpty && !item.isFreeOfMedia {
      let edge = file.map.byte(at: position) + bytesAhead(of: position, at: now)
      // Once something is there, the rest of the frame is waited for.
      if loadedEnd(from: position, at: now) <= position {
        next = min(next, instant(reaching: edge + 1, after: now))
      }
      let whole = file.map.bytes(before: min(position + frame, item.end))
      if whole > edge + 1 { next = min(next, instant(reaching: whole, after: now)) }
    }
    if !isFull {
      let whole = instant(reaching: file.map.bytes(before: item.end), after: now)
      // Media that is loaded but not contiguous has a gap before it, which is requested next.
      if whole > now { next = min(next, whole) }
    }
    let lead = FileLead(loader: self, item: item)
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

  /// The media of a fetch stops coming in: it is over, or its reader pauses.
  func stopFlow(of fetch: Fetch, at now: Instant) {
    if fetch.hasResponded, !isSuspended { logs.stopped(at: now) }
  }

  /// Puts a request that broke into the error log and into the trace.
  func report(_ failure: TransferFailure, at now: Instant, on stage: inout Stage) {
    let error = ErrorLogEvent(label, failure, at: now)
    logs.note(error)
    stage.log.note(.errorLogged(error), of: subject, at: now)
  }
}

extension LogKeeper.Source {
  /// A file, which declares nothing.
  init(_ file: MediaFile, called name: String) {
    self.init(uri: name, indicatedAverage: file.averageBitRate.roundedDown, type: .file)
  }
}
