import LinkConditioner
import StreamingMedia
import VirtualTime

// A stream that grows while it is played: its playlists are read again and again, and what they do
// not list cannot be asked for.

extension StreamLoader {
  /// Whether a playlist is there, and says all that it ever will.
  func isListed(_ list: Int) -> Bool { live == nil && asset.resources[.playlist(list)] == .there }

  /// Whether a list's playlist says what may be asked for; asks for it if it does not, or if it is
  /// time to read it again.
  func hasPlaylist(
    _ list: Int, for track: Int, at now: Instant, on stage: inout Stage
  ) -> Bool {
    switch asset.resources[.playlist(list)] {
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
    let availableAt = prepareRead(of: list, at: now, reaching: stage.reachesServer(at: now))
    let bytes = settings.playlistEncoding.transferred(playlistBytes(list))
    let id = request(
      bytes, .mediaPlaylist, presentation.lists[list].uri,
      for: origin(track, at: now) { $0 == .resource(.master) }, availableAt: availableAt, at: now,
      on: &stage)
    asset.resources.requested(.playlist(list), by: id)
  }

  /// Settles what a request that is made now will bring, and from when on the server has it.
  ///
  /// The server answers with what is there when the request reaches it.
  private func prepareRead(
    of list: Int, at now: Instant, reaching reached: Instant
  ) -> Instant? {
    guard let live else { return nil }
    let segments = presentation.lists[list]
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
    for list in live.listings.indices where asset.resources[.playlist(list)] == .there {
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
    asset.resources.discard(.playlist(list))
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
    for track in tracks where asset.resources[.playlist(track.list)] == .there {
      next = min(next, live.reloadDue(track.list, of: presentation))
    }
    return next
  }

  /// Whether everybody knows where the stream ends.
  var isEndKnown: Bool { live?.isEnded ?? true }
}
