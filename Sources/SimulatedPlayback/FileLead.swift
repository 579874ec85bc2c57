import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// A file's read-ahead (loaded edge minus playhead), and the limits on it.
struct FileLead {
  let loader: FileLoader
  let item: PlayerItem

  private var map: ByteMap { loader.media.map }

  /// The least that a limit can be, so that a buffer of one byte does not mean a stall for every
  /// byte: an assumption ("the system may buffer less" is documented, more is not).
  private static let leastDuration = MediaTime.milliseconds(100)
  private static let leastBytes: Int64 = 16_384

  /// The player's rule, with the limits that the app sets.
  let rule: FetchRule

  init(loader: FileLoader, item: PlayerItem) {
    self.loader = loader
    self.item = item
    var rule = item.settings.limiting(loader.policy.fetch.ofFiles)
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
    if let limit = rule.bytes { next = min(next, instant(leading: .zero, limit, after: now)) }
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
      mark = max(mark, map.byte(at: time) < byte ? time + MediaTime(nanoseconds: 1) : time)
    }
    return item.timebase.instant(reaching: mark)
  }

  /// The first instant after now with that much media, or so many bytes, ahead of the playhead.
  ///
  /// Between two corners of the map both the edge and the mark run straight: the first stretch at
  /// whose end the edge is beyond the mark is halved until the instant is found.
  func instant(leading lead: MediaTime, _ bytes: Int64 = 0, after now: Instant) -> Instant {
    let last = loader.lineEnds
    // On a flat line the edge stands still: each packet is an event.
    guard let edge = loader.edge(at: now), last > now,
      let line = loader.arrival, line.unitsPerNanosecond > 0
    else { return .distantFuture }
    // A transfer for a place elsewhere brings nothing for this one.
    let position = item.time(at: now)
    let reach = map.byte(at: position) + loader.bytesAhead(of: position, at: now)
    if edge > reach { return .distantFuture }
    // Before a start at a host time the playhead sits, and the mark stands still.
    var (start, stop) = (now, item.holdEnds ?? now)
    var index = map.firstCorner(after: position + lead)
    while start < last {
      stop = min(stop, last)
      if stop > start, isAhead(lead, bytes, at: stop) {
        return halved(start, stop) { isAhead(lead, bytes, at: $0) }
      }
      (start, stop) = (max(start, stop), last)
      if index < map.corners.count {
        stop = item.timebase.instant(reaching: map.corners[index].time - lead)
        index += 1
      }
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
  private func halved(_ start: Instant, _ stop: Instant, _ holds: (Instant) -> Bool) -> Instant {
    var (low, high) = (start, stop)
    while (high - low).nanoseconds > 1 {
      let middle = low + TimeSpan(nanoseconds: (high - low).nanoseconds / 2)
      if holds(middle) { high = middle } else { low = middle }
    }
    return high
  }
}

extension FileLoader {
  /// The media of a fetch stops coming in: it is over, or its reader pauses.
  func stopFlow(of fetch: Fetch, at now: Instant) {
    if fetch.hasResponded, !isSuspended { logs.stopped(at: now) }
  }

  /// The corners of everything missing from a range on, counted as the range's transfer counts.
  func demandCurve(_ range: Range<Int64>, base: Int64) -> DemandCurve {
    let map = media.map
    var knots: [DemandCurve.Knot] = []
    knots.reserveCapacity(map.corners.count + 1)
    var gap = range
    var counted = range.lowerBound - base
    var corner = 0
    var requests: Int64 = 0
    while true {
      let start = map.time(ofFirst: gap.lowerBound)
      append(start, counted, after: requests, to: &knots)
      while corner < map.corners.count, map.corners[corner].bytes <= gap.upperBound {
        let here = map.corners[corner]
        corner += 1
        if here.bytes < gap.lowerBound || here.time <= start { continue }
        append(here.time, counted + here.bytes - gap.lowerBound, after: requests, to: &knots)
      }
      counted += gap.upperBound - gap.lowerBound
      append(map.time(ofFirst: gap.upperBound), counted, after: requests, to: &knots)
      let next = loaded.contiguousEnd(from: gap.upperBound)
      if next >= map.bytes { break }
      gap = next..<(loaded.nextStart(after: next) ?? map.bytes)
      requests += 1
    }
    return DemandCurve(knots: knots)
  }

  private func append(
    _ time: MediaTime, _ bytes: Int64, after requests: Int64, to knots: inout [DemandCurve.Knot]
  ) {
    if let last = knots.last, last.time >= time {
      knots[knots.count - 1].bytes = max(last.bytes, bytes)
      knots[knots.count - 1].requests = requests
    } else {
      knots.append(DemandCurve.Knot(time: time, bytes: bytes, requests: requests))
    }
  }

  // The first connection of a player that throws it away once it knows the kind of the file.

  /// Makes a throwaway request before all others; false where the policy makes none, or it is over.
  func discards(at now: Instant, on stage: inout Stage) -> Bool {
    if discarded != nil { return true }
    if requestCount > 0 { return false }
    let bytes = discardedBytes
    if bytes <= 0 { return false }
    discarded = ask(bytes, from: 0, at: now, on: &stage)
    return true
  }

  /// The size of the discarded request in bytes; zero if the policy makes none.
  var discardedBytes: Int64 {
    let rule = policy.fetch.ofFiles
    let isIndexLast = media.headAtomPosition == .end && media.headAtomBytes > 0
    return rule.discards + (isIndexLast ? rule.discardsIfIndexLast : 0)
  }

  /// Notes that the discarded request is over, broken or not; false where it is another request.
  func hasDiscarded(_ id: TransferID) -> Bool {
    if discarded != id { return false }
    discarded = nil
    return true
  }

  /// Gives up a request that brings no media.
  func cancel(_ id: TransferID, at now: Instant, on stage: inout Stage) {
    let bytes = stage.link.arrivedBytes(of: id, at: now) ?? 0
    bytesTransferred += bytes
    stage.link.cancel(id, at: now)
    stage.log.note(.requestCancelled(id, bytes: bytes), of: subject, at: now)
  }
}
