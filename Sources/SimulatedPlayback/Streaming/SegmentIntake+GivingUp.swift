import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// What is given up, what breaks, and what is late.

extension SegmentIntake {
  /// Gives up what is under way in a track; what comes next there is left as it is.
  func drop(
    _ index: Int, as outcome: RequestOutcome = .cancelled, at now: Instant, on stage: inout Stage
  ) {
    guard let fetch = tracks[index].fetch else { return }
    tracks[index].fetch = nil
    // The request for one that waited for its key alone is over, and booked.
    if fetch.isComplete { return }
    let arrived = fetch.arrived(at: now, on: stage)
    hear(.ended(RequestNumber(fetch.id), bytes: arrived, outcome), at: now)
    requests.bytesTransferred += arrived
    bookPart(tracks[index].kind, fetch, arrived, at: now)
    stage.cancel(fetch.id, at: now)
    stage.log.note(.requestCancelled(fetch.id, bytes: arrived), of: requests.subject, at: now)
  }

  /// Gives up everything that is under way; it is asked for again, should anybody want more.
  func dropAll(at now: Instant, on stage: inout Stage) {
    for index in tracks.indices where tracks[index].fetch != nil {
      drop(index, at: now, on: &stage)
      tracks[index].next = presentation.lists[tracks[index].list].next(after: tracks[index].end)
    }
  }

  /// Gives up the segment under way if it begins where playback ends, or later.
  func dropPastEnd(
    _ index: Int, _ end: MediaTime, at now: Instant, on stage: inout Stage
  ) {
    guard tracks.fetchesFrom(end, in: index), let fetch = tracks[index].fetch else { return }
    drop(index, at: now, on: &stage)
    tracks[index].goBack(to: fetch)
  }

  /// Makes what broke missing again, with the bytes that came of it; nil where a request was for no
  /// track.
  func breakOff(
    _ id: TransferID, _ bytes: Int64, at now: Instant
  ) -> (track: Int, fetch: SegmentFetch)? {
    guard let index = tracks.index(fetching: id), let fetch = tracks[index].fetch else {
      return nil
    }
    hear(.ended(RequestNumber(fetch.id), bytes: bytes, .failed), at: now)
    requests.bytesTransferred += bytes
    bookPart(tracks[index].kind, fetch, bytes, at: now)
    tracks[index].goBack(to: fetch)
    tracks[index].fetch = nil
    return (index, fetch)
  }

  /// A media file of which nothing has come for too long, if it is time to look.
  func overdue(
    after patience: TimeSpan?, at now: Instant, on stage: borrowing Stage
  ) -> SegmentFetch? {
    if watchIsDue > now { return nil }
    watchIsDue = .distantFuture
    guard let patience else { return nil }
    for index in tracks.indices {
      guard let due = tracks[index].looksAgain(after: patience, at: now, on: stage) else {
        continue
      }
      watchIsDue = min(watchIsDue, due)
      if due <= now { return tracks[index].fetch }
    }
    return nil
  }
}

extension StreamTrack {
  /// When it is looked at next whether something comes of what is under way: now, where nothing has
  /// come for too long; nil where nothing is under way.
  fileprivate mutating func looksAgain(
    after patience: TimeSpan, at now: Instant, on stage: borrowing Stage
  ) -> Instant? {
    guard let watchedUntil, let fetch else { return nil }
    if watchedUntil > now { return watchedUntil }
    let arrived = fetch.arrived(at: now, on: stage)
    if arrived == fetch.watched { return now }
    // Nobody looked while it came: the wait began with the last of it, and not with this look.
    let latest = stage.lastArrival(of: fetch.id, at: now) ?? now
    self.fetch?.watched = arrived
    self.fetch?.watchedUntil = latest + patience
    return latest + patience
  }
}

// MARK: - Where a track goes on

extension SegmentIntake {
  /// Starts a track anew where the playhead is, if that is out of the buffer.
  func follow(
    _ index: Int, _ position: MediaTime, at now: Instant, on stage: inout Stage
  ) {
    if let end = tracks[index].leftEnd(at: position) {
      logs.bookPlayed(tracks, upTo: end, at: now)
    }
    defer { tracks[index].buffer.forget(before: position) }
    if position >= tracks[index].start && position <= tracks[index].end { return }
    if position >= presentation.duration { return }
    let comes = tracks[index].fetch?.segmentEnd(in: presentation) ?? reach(of: index)
    if position >= tracks[index].start && position <= comes { return }
    // "Discard the existing buffer and start download from a new location" (WWDC18 502).
    drop(index, at: now, on: &stage)
    bookDiscarded(index, from: leftAt ?? position)
    let list = presentation.lists[tracks[index].list]
    let next = list.index(at: position) ?? list.segments.count
    tracks[index].next = next
    tracks[index].buffer.restart(
      at: next < list.segments.count ? list.segments[next].start : position)
    if tracks[index].kind == .main { segmentsInARow = 0 }
  }

  /// The end of what comes next into a track: a segment, or the part of one.
  func reach(of index: Int) -> MediaTime {
    if let end = tracks[index].fetch?.end { return end }
    let (list, next) = (tracks[index].list, tracks[index].next)
    return next < presentation.lists[list].segments.count
      ? presentation.lists[list].segments[next].end : tracks[index].end
  }

  /// Lets a track go on with another list, and says how much of the old one is thrown away.
  func restart(
    _ index: Int, with list: Int, _ playhead: Playhead, at now: Instant
  ) -> MediaTime {
    logs.bookPlayed(tracks, at: now)
    let position = playhead.time(at: now)
    let end = tracks[index].end
    let kept = boundary(of: index, playhead, now)
    let segments = presentation.lists[list]
    let next = segments.index(at: kept ?? position) ?? segments.segments.count
    tracks[index].list = list
    tracks[index].next = next
    bookDiscarded(index, from: kept ?? position)
    if let kept {
      tracks[index].buffer.cut(at: kept)
    } else {
      tracks[index].buffer.restart(
        at: next < segments.segments.count ? segments.segments[next].start : position)
    }
    return max(.zero, end - max(position, kept ?? .zero))
  }

  /// The end of the segment that is being played; nil where none is.
  private func boundary(
    of index: Int, _ playhead: Playhead, _ now: Instant
  ) -> MediaTime? {
    let position = playhead.time(at: now)
    let segments = presentation.lists[tracks[index].list]
    guard playhead.isMoving, tracks[index].buffer.contains(position),
      let played = segments.index(at: position)
    else { return nil }
    return min(tracks[index].end, segments.segments[played].end)
  }

  /// Throws away what is loaded beyond a time and is not of the list that a track goes on with.
  func discard(after time: MediaTime, at now: Instant, on stage: inout Stage) {
    for index in tracks.indices {
      let old = tracks[index].buffer.segments(startingAtOrAfter: time)
      guard let first = old.first(where: { $0.list != tracks[index].list }) else { continue }
      drop(index, at: now, on: &stage)
      bookDiscarded(index, from: first.start)
      tracks[index].buffer.cut(at: first.start)
      tracks[index].next = presentation.lists[tracks[index].list].next(after: first.start)
    }
  }

  /// Books that the segments of a track which begin at a time or after it are thrown away.
  private func bookDiscarded(_ index: Int, from time: MediaTime) {
    requests.bytesDiscarded += tracks[index].buffer.bytes(startingAtOrAfter: time)
  }
}
