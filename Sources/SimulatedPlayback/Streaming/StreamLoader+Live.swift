import LinkConditioner
import StreamingMedia
import VirtualTime

// What of a stream that grows can be asked for, and where it is played.

extension StreamLoader {
  /// What a track can ask for next.
  enum Piece {
    case segment
    case part(PartFetch)
    /// Nothing that is listed; over, where nothing will come any more either.
    case nothing(isOver: Bool)
  }

  func nextPiece(of index: Int) -> Piece {
    if live == nil {
      let count = presentation.lists[tracks[index].list].segments.count
      return tracks[index].next < count ? .segment : .nothing(isOver: true)
    }
    let track = tracks[index]
    let list = presentation.lists[track.list]
    guard let live, let known = live.listings[track.list].known else {
      return .nothing(isOver: false)
    }
    if track.next < known.segments.lowerBound { return .nothing(isOver: false) }
    if track.next < known.segments.upperBound {
      return track.nextPart == 0 ? .segment : .part(part(of: track))
    }
    if track.next >= list.segments.count { return .nothing(isOver: known.isEnded) }
    return trailingPiece(of: track, live, known)
  }

  /// What there is after the last whole segment.
  private func trailingPiece(
    of track: StreamTrack, _ live: LiveTimeline, _ known: LiveWindow
  ) -> Piece {
    guard let parts = known.parts, track.next == known.segments.upperBound else {
      return .nothing(isOver: false)
    }
    if track.nextPart < known.trailingParts { return .part(part(of: track)) }
    guard parts.hints, track.nextPart == known.trailingParts else {
      return .nothing(isOver: false)
    }
    // §4.4.5.3: a client may ask for what is hinted at before it is there; the server holds the
    // answer back until it is.
    return .part(part(of: track, producedBy: live.stream))
  }

  /// Whether having all that a live playlist lists passes for a full buffer.
  ///
  /// It does not: a buffer that is full suspends reading and ends a wait; a server that has nothing
  /// new yet does neither.
  func isMistakenForFull(_ index: Int, _ position: MediaTime) -> Bool {
    without.contains(.openLiveEdge) && tracks[index].end > position
  }

  /// - Parameter stream: Says when a part will be there that is asked for before it is.
  private func part(of track: StreamTrack, producedBy stream: LiveStream? = nil) -> PartFetch {
    let parts = presentation.lists[track.list].parts(of: track.next)
    let part = parts[track.nextPart]
    return PartFetch(
      number: track.nextPart, part: part, isLast: track.nextPart + 1 == parts.count,
      availableAt: stream?.instant(producing: part.end))
  }

  /// Asks for one part of a segment.
  func startPart(_ index: Int, _ part: PartFetch, at now: Instant, on stage: inout Stage) {
    let track = tracks[index]
    let isGone = isGone(track.next, of: track.list, at: stage.reachesServer(at: now))
    let bytes = isGone ? 0 : part.part.byteRange.length
    let id = request(
      bytes, .mediaSegment, presentation.lists[track.list].uri(of: track.next),
      for: origin(index, at: now) { $0 == .resource(.playlist(track.list)) },
      availableAt: part.availableAt, at: now, on: &stage)
    logs.requested(at: now)
    // While the server holds the answer back nothing is amiss.
    let awaited = max(now, part.availableAt ?? now)
    tracks[index].fetch = SegmentFetch(
      id: id, list: track.list, variant: variant ?? 0, index: track.next, bytes: bytes, began: now,
      start: part.part.start, end: part.part.end, part: part.number,
      watchedUntil: watchEnd(from: awaited), isGone: isGone)
    if part.isLast { tracks[index].next += 1 } else { tracks[index].nextPart += 1 }
  }

  /// Whether the server has a segment no more at an instant.
  func isGone(_ index: Int, of list: Int, at instant: Instant) -> Bool {
    live?.stream.isGone(index, of: presentation.lists[list], at: instant) ?? false
  }

  /// Whether what is asked for next may be of another variant: not in the middle of a segment.
  var isAtBoundary: Bool {
    tracks.isEmpty || tracks[0].nextPart == 0
  }
}

// MARK: - Where to play

extension StreamLoader {
  /// Where playback begins, once a playlist says what there is.
  ///
  /// An item that has waited for its turn reads its playlist again before.
  func liveStart(
    _ preferences: LivePreferences, asked: MediaTime?, at now: Instant
  ) -> LiveMove? {
    guard let live, !live.hasBegun, let list = tracks.first?.list,
      let known = live.listings[list].known, !live.isOutdated(list, at: now)
    else { return nil }
    let segments = presentation.lists[list]
    let (first, edge) = (segments.start(of: known), segments.end(of: known))
    if first >= edge { return nil }
    if let asked { return LiveMove(min(max(asked, first), edge), .begins(.startTime)) }
    let (time, reason) = live.stream.start(
      in: segments, known, configured: preferences.configuredOffset)
    return LiveMove(time, .begins(reason))
  }

  /// Where playback goes on when what comes next has slid out of the window, and nothing is left.
  func placeAfterSliding(
    from position: MediaTime, _ preferences: LivePreferences
  ) -> LiveMove? {
    guard let live, live.hasBegun, !without.contains(.windowFollowing),
      let list = tracks.first?.list, let known = live.listings[list].known,
      loadedEnd(from: position) <= position
    else { return nil }
    for track in tracks where track.kind != .subtitles && track.fetch == nil {
      guard let listed = live.listings[track.list].known, track.next < listed.segments.lowerBound
      else { continue }
      // As if it began anew: what is listed first would be the next to slide out. That is our
      // assumption.
      let start = live.stream.start(
        in: presentation.lists[list], known, configured: preferences.configuredOffset)
      return start.time > position ? LiveMove(start.time, .windowSlid) : nil
    }
    return nil
  }

  /// Where the live edge is, as time goes on since its playlist was read.
  func liveTime(at now: Instant) -> MediaTime? {
    guard let live, let list = tracks.first?.list else { return nil }
    return live.liveTime(list, of: presentation, at: now)
  }

  /// The end of what is listed of the main track.
  var listedEnd: MediaTime? {
    guard let live, let list = tracks.first?.list else { return nil }
    return live.listings[list].known.map { presentation.lists[list].end(of: $0) }
  }

  /// `seekableTimeRanges`: from what is listed first to where the server wants clients to be.
  ///
  /// That it ends there, and not at the last segment listed, is our assumption: whoever seeks to
  /// its end plays live without a stall.
  var seekableRange: Range<MediaTime>? {
    guard let live, live.hasBegun, let list = tracks.first?.list,
      let known = live.listings[list].known
    else { return nil }
    let segments = presentation.lists[list]
    let (first, edge) = (segments.start(of: known), segments.end(of: known))
    let offset = known.isEnded ? .zero : live.stream.recommendedOffset(in: segments).0
    return first..<max(first, edge - offset)
  }
}
