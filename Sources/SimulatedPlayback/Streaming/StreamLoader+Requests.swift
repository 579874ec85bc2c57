import LinkConditioner
import StreamingMedia
import VirtualTime

// How things are asked for, and how they are given up.

extension StreamLoader {
  // MARK: What segments need

  /// Whether the multivariant playlist is there; asks for it if not.
  func hasMaster(at now: Instant, on stage: inout Stage) -> Bool {
    asset.has(.master, for: RequestOrigin(), settings, by: &requests, at: now, on: &stage)
  }

  func requestSessionKeys(at now: Instant, on stage: inout Stage) {
    // "Master playlist must contain SESSION-KEY declarations" (WWDC16 503).
    for key in asset.resources.announcedKeys {
      _ = asset.has(
        .key(key),
        for: RequestOrigin(after: arrivals.latest(at: now) { $0 == .resource(.master) }), settings,
        by: &requests, at: now, on: &stage)
    }
  }

  /// Whether a playlist is there, and says all that it ever will.
  func isListed(_ list: Int) -> Bool {
    live == nil && asset.resources[.playlist(list)] == .there
  }

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
    return live.hasBegun && live.known(list) != nil && !live.playlists.listings[list].isDoubtful
  }

  private func requestPlaylist(
    _ list: Int, for track: Int, at now: Instant, on stage: inout Stage
  ) {
    let availableAt = live?.playlists.prepareRead(
      of: list, in: presentation, settings.playlistEncoding, at: now,
      reaching: stage.reachesServer(at: now))
    asset.request(
      .playlist(list), for: origin(track, at: now) { $0 == .resource(.master) }, settings,
      availableAt: availableAt, by: &requests, at: now, on: &stage)
  }

  /// Whether a segment can be asked for: its key is, and its initialization section is there.
  func hasWhatIsNeeded(
    by segment: MediaSegment, of index: Int, at now: Instant, on stage: inout Stage
  ) -> Bool {
    let list = tracks[index].list
    if let key = segment.key {
      _ = asset.has(
        asset.resources.key(key, of: list), for: afterPlaylist(index, at: now), settings,
        by: &requests, at: now, on: &stage)
    }
    guard let map = segment.map else { return true }
    return asset.has(
      .map(list: list, map), for: afterPlaylist(index, at: now), settings, by: &requests, at: now,
      on: &stage)
  }

  /// Asks for a key again that broke; one that another item has fetched lets the segment in.
  func askAgainForKey(_ index: Int, at now: Instant, on stage: inout Stage) {
    guard let fetch = tracks[index].fetch,
      let key = presentation.lists[fetch.list].segments[fetch.index].key
    else { return }
    let isThere = asset.has(
      asset.resources.key(key, of: fetch.list), for: RequestOrigin(), settings, by: &requests,
      at: now, on: &stage)
    if isThere { bringIn(index, by: fetch.id, at: now, &stage.log) }
  }

  // MARK: Segments

  func startSegment(
    _ index: Int, _ segment: MediaSegment, at now: Instant, on stage: inout Stage
  ) {
    let (list, next) = (tracks[index].list, tracks[index].next)
    var origin = origin(index, at: now) { thing in
      if let map = segment.map, thing == .resource(.map(list: list, map)) { return true }
      return thing == .resource(.playlist(list))
    }
    origin.retries = tracks[index].takeBroken()
    let isGone = isGone(next, of: list, at: stage.reachesServer(at: now))
    let bytes = isGone ? 0 : segment.bytes
    let id = requests.start(
      bytes, .mediaSegment, presentation.lists[list].uri(of: next), for: origin, at: now,
      on: &stage)
    logs.requested(at: now)
    tracks[index].fetch = SegmentFetch(
      id: id, list: list, variant: choice.current ?? 0, index: next, bytes: bytes, began: now,
      start: segment.start, end: segment.end, watchedUntil: watchEnd(from: now), isGone: isGone)
    tracks[index].next += 1
  }

  /// Asks for one part of a segment.
  func startPart(_ index: Int, _ part: PartFetch, at now: Instant, on stage: inout Stage) {
    let (list, next) = (tracks[index].list, tracks[index].next)
    let isGone = isGone(next, of: list, at: stage.reachesServer(at: now))
    let bytes = isGone ? 0 : part.part.byteRange.length
    var origin = afterPlaylist(index, at: now)
    origin.retries = tracks[index].takeBroken()
    let id = requests.start(
      bytes, .mediaSegment, presentation.lists[list].uri(of: next), for: origin,
      availableAt: part.availableAt, at: now, on: &stage)
    logs.requested(at: now)
    // While the server holds the answer back nothing is amiss.
    let awaited = max(now, part.availableAt ?? now)
    tracks[index].fetch = SegmentFetch(
      id: id, list: list, variant: choice.current ?? 0, index: next, bytes: bytes, began: now,
      start: part.part.start, end: part.part.end, part: part.number,
      watchedUntil: watchEnd(from: awaited), isGone: isGone)
    if part.isLast { tracks[index].next += 1 } else { tracks[index].nextPart += 1 }
  }

  /// Whether the server has a segment no more at an instant.
  private func isGone(_ index: Int, of list: Int, at instant: Instant) -> Bool {
    live?.stream.isGone(index, of: presentation.lists[list], at: instant) ?? false
  }

  // MARK: What let a request begin

  /// What a track's next request is for, and what let it begin: what it needs, or the segment
  /// before it.
  private func origin(
    _ index: Int, at now: Instant, needing isNeeded: (PresentArrivals.Thing) -> Bool
  ) -> RequestOrigin {
    let kind = tracks[index].kind
    return RequestOrigin(
      track: kind,
      after: arrivals.latest(at: now) { $0 == .segment(kind) || isNeeded($0) })
  }

  private func afterPlaylist(_ index: Int, at now: Instant) -> RequestOrigin {
    let list = tracks[index].list
    return origin(index, at: now) { $0 == .resource(.playlist(list)) }
  }

  // MARK: What is given up

  /// Gives up what is under way in a track.
  func drop(_ index: Int, at now: Instant, on stage: inout Stage) {
    guard let fetch = tracks[index].fetch else { return }
    let arrived = arrivedBytes(fetch, at: now, on: stage)
    meter.count(arrived - fetch.sampled, at: now)
    requests.bytesTransferred += arrived
    bookPart(tracks[index].kind, fetch, arrived, at: now)
    if !fetch.isComplete { stage.cancel(fetch.id, at: now) }
    stage.log.note(.requestCancelled(fetch.id, bytes: arrived), of: subject, at: now)
    tracks[index].fetch = nil
    settleMeter(at: now)
  }

  /// Gives the link back everything that is under way.
  ///
  /// - Parameter keepsShared: Whether another item goes on with what belongs to the asset.
  func cancelAll(keepingShared keepsShared: Bool, at now: Instant, on stage: inout Stage) {
    for index in tracks.indices where tracks[index].fetch != nil {
      drop(index, at: now, on: &stage)
      // What was given up is asked for again, should anybody want more.
      let list = presentation.lists[tracks[index].list]
      tracks[index].next =
        list.firstIndex(startingAtOrAfter: tracks[index].end) ?? list.segments.count
    }
    if !keepsShared { asset.cancelAll(of: subject, at: now, on: &stage) }
  }
}
