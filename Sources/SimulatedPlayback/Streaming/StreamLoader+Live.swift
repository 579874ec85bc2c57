import LinkConditioner
import StreamingMedia
import VirtualTime

// A stream that grows while it is played: its playlists are read again and again, and what they do
// not list cannot be asked for.

extension StreamLoader {
  /// Whether a playlist is there, and says all that it ever will.
  func isListed(_ list: Int) -> Bool { live == nil && playlists[list] == .there }

  /// Whether a list's playlist says what may be asked for; asks for it if it does not, or if it is
  /// time to read it again.
  func hasPlaylist(
    _ list: Int, for track: Int, at now: Instant, on stage: inout Stage
  ) -> Bool {
    switch playlists[list] {
    case .missing: requestPlaylist(list, for: track, at: now, on: &stage)
    case .underWay: break
    case .there:
      guard let live else { return true }
      if live.reloadDue(list, of: presentation) <= now {
        requestPlaylist(list, for: track, at: now, on: &stage)
      }
    }
    guard let live else { return false }
    return live.hasBegun && live.listings[list].known != nil && !live.listings[list].isDoubtful
  }

  private func requestPlaylist(
    _ list: Int, for track: Int, at now: Instant, on stage: inout Stage
  ) {
    let availableAt = prepareRead(of: list, at: now, stage.link)
    let bytes = settings.playlistEncoding.transferred(playlistBytes(list))
    playlists[list] = .underWay(
      request(
        bytes, .mediaPlaylist, presentation.lists[list].uri,
        for: origin(track, at: now) { $0 == .master }, availableAt: availableAt, at: now,
        on: &stage))
  }

  /// Settles what a request that is made now will bring, and from when on the server has it.
  ///
  /// The server answers with what is there when the request reaches it. Where that takes longer
  /// than the uplink's delay, because a connection has to be opened, the answer is as old as that.
  private func prepareRead(of list: Int, at now: Instant, _ link: Link) -> Instant? {
    guard let live else { return nil }
    let segments = presentation.lists[list]
    let reached = now + link.conditions.uplink.delay
    var directives = DeliveryDirectives(skips: live.asksForDelta(list, at: now))
    // _HLS_msn and _HLS_part, §6.2.5.2: the server holds the answer until it has that part.
    var held: Instant?
    if let awaited = awaitedPart(of: list, live) {
      directives.mediaSequence = segments.mediaSequence + Int64(awaited.segment)
      directives.part = Int64(awaited.part)
      held = live.stream.instant(producing: segments.parts(of: awaited.segment)[awaited.part].end)
    }
    let answered = max(reached, held ?? reached)
    let publication =
      held == nil ? live.stream.publication(of: list, in: presentation, at: answered) : answered
    let window = live.stream.listing(of: segments, at: publication)
    let skipped = directives.skips ? segments.skippable(in: window) : 0
    let reports = live.reportBytes(in: list, of: presentation, at: publication)
    let whole = size(of: window, skipping: 0, in: list, reports, live)
    let bytes = skipped == 0 ? whole : size(of: window, skipping: skipped, in: list, reports, live)
    let encoding = settings.playlistEncoding
    live.listings[list].coming = LiveTimeline.Coming(
      window: window, skipped: skipped, directives: directives, bytes: bytes,
      saved: encoding.transferred(whole) - encoding.transferred(bytes), began: now,
      published: publication)
    return held
  }

  private func size(
    of window: LiveWindow, skipping skipped: Int, in list: Int, _ reports: Int64,
    _ live: LiveTimeline
  ) -> Int64 {
    let segments = presentation.lists[list]
    return live.stream.playlistBytes
      ?? live.sizes[list].bytes(of: window, skipping: skipped, in: segments) + reports
  }

  /// The part that the server is asked to wait for: the next one, or the newest that another
  /// playlist reports. Nil where it holds no answers back, or nothing is to come.
  private func awaitedPart(
    of list: Int, _ live: LiveTimeline
  ) -> (segment: Int, part: Int)? {
    guard let known = live.listings[list].known else {
      return live.reportedPart(of: list, in: presentation)
    }
    guard let parts = known.parts, parts.blocksReload else { return nil }
    let (next, segments) = (known.segments.upperBound, presentation.lists[list])
    if next >= segments.segments.count { return nil }
    return (next, min(known.trailingParts, segments.parts(of: next).count - 1))
  }

  /// The size of a playlist: of a live one as the request under way will bring it.
  func playlistBytes(_ list: Int) -> Int64 {
    live?.listings[list].coming?.bytes ?? presentation.lists[list].playlistBytes
  }

  /// Takes note of what a live playlist that just came says, and goes on with another variant where
  /// it says nothing new again and again.
  func adoptPlaylist(_ id: TransferID, at now: Instant, on stage: inout Stage) {
    guard let live else { return }
    for list in live.listings.indices where playlists[list] == .there {
      guard let coming = live.listings[list].coming else { continue }
      guard live.knowsWhatIsSkipped(coming, of: list) else {
        askForWhole(list, coming, id, at: now, &stage.log)
        continue
      }
      let isChanged = coming.window != live.listings[list].known
      live.adopt(list, coming, isChanged: isChanged)
      stage.log.note(.live(.playlistRead(id, reading(of: list, coming, isChanged))), at: now)
      let unchangedReads = live.listings[list].unchangedReads
      if unchangedReads < 2 { continue }
      // "Playlist file unchanged for two consecutive reads" (WWDC18 502).
      if unchangedReads == 2 {
        let uri = presentation.lists[list].uri
        report(.playlistUnchanged(uri, at: now), at: now, &stage.log)
      }
      leaveStale(list, at: now, on: &stage)
    }
  }

  /// Has the playlist read again, and as a whole.
  private func askForWhole(
    _ list: Int, _ coming: LiveTimeline.Coming, _ id: TransferID, at now: Instant,
    _ log: inout PlaybackLog
  ) {
    live?.listings[list].coming = nil
    live?.listings[list].wantsWhole = true
    playlists[list] = .missing
    log.note(.live(.deltaUnusable(id, skipped: Int64(coming.skipped))), at: now)
  }

  private func reading(
    of list: Int, _ coming: LiveTimeline.Coming, _ isChanged: Bool
  ) -> LiveReading {
    let (segments, window) = (presentation.lists[list], coming.window)
    return LiveReading(
      isChanged: isChanged,
      mediaSequence: segments.mediaSequence + Int64(window.segments.lowerBound),
      segments: Int64(window.segments.count), parts: Int64(window.trailingParts),
      edge: segments.end(of: window), isEnded: window.isEnded, directives: coming.directives,
      skipped: Int64(coming.skipped), saved: coming.saved)
  }

  /// When the next playlist is to be read again.
  var nextReload: Instant {
    guard let live else { return .distantFuture }
    var next = Instant.distantFuture
    for track in tracks where playlists[track.list] == .there {
      next = min(next, live.reloadDue(track.list, of: presentation))
    }
    return next
  }

  /// Whether everybody knows where the stream ends.
  var isEndKnown: Bool { live?.isEnded ?? true }
}

// MARK: - What may be asked for

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
    let isGone = isGone(track.next, of: track.list, at: now, stage.link)
    let bytes = isGone ? Self.notFoundBytes : part.part.byteRange.length
    let id = request(
      bytes, .mediaSegment, presentation.lists[track.list].uri(of: track.next),
      for: origin(index, at: now) { $0 == .playlist(track.list) },
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

  /// Whether the server will not have a segment any more when a request for it reaches it.
  func isGone(_ index: Int, of list: Int, at now: Instant, _ link: Link) -> Bool {
    guard let live else { return false }
    return live.stream.isGone(
      index, of: presentation.lists[list], at: now + link.conditions.uplink.delay)
  }

  /// How large the answer is that there is no such segment.
  ///
  /// One of no bytes at all would get through an outage.
  static let notFoundBytes: Int64 = 1

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
