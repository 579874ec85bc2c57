import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

// What the link says, and what it means for tracks, playlists and keys.

extension StreamLoader {
  /// Whether a request is this item's, or one for its asset.
  func knows(_ id: TransferID) -> Bool {
    tracks.index(fetching: id) != nil || asset.resources.resource(by: id) != nil
  }

  /// True where something is there, or gone, that the player has to look at.
  func handle(_ event: LinkEvent, at now: Instant, on stage: inout Stage) -> Bool {
    switch event {
    case .responded(let id, _):
      responded(id, at: now, &stage.log)
      return false
    case .flowChanged: return false
    case .completed(let id, _): completed(id, at: now, on: &stage)
    case .failed(let id, _, let reason):
      let bytes = stage.timings(of: id)?.bytes ?? 0
      failed(id, reason, bytes: bytes, at: now, on: &stage)
    }
    return true
  }

  private func responded(_ id: TransferID, at now: Instant, _ log: inout PlaybackLog) {
    log.note(.requestResponded(id), of: subject, at: now)
    guard let index = tracks.index(fetching: id) else { return }
    tracks[index].fetch?.hasResponded = true
    tracks[index].fetch?.firstByte = now
    beginsToCome(index, at: now)
    meter.begins(at: now)
  }

  private func completed(_ id: TransferID, at now: Instant, on stage: inout Stage) {
    asset.retry.progressed()
    if let index = tracks.index(fetching: id) {
      if tracks[index].isFetchGone {
        failed(id, .httpStatus(404), bytes: 0, at: now, on: &stage)
      } else {
        segmentArrived(index, at: now, on: &stage)
      }
      return
    }
    guard let resource = asset.resources.came(by: id) else { return }
    resourceArrived(resource, by: id, at: now, on: &stage)
  }

  private func resourceArrived(
    _ resource: StreamResource, by id: TransferID, at now: Instant, on stage: inout Stage
  ) {
    arrivals.note(.resource(resource), by: id, at: now)
    let bytes = asset.bytes(of: resource, settings)
    requests.bytesTransferred += bytes
    if case .map = resource { logs.transferred(bytes) }
    stage.log.note(.requestCompleted(id, bytes: bytes), of: subject, at: now)
    if case .playlist(let list) = resource {
      troubles.came(list, isSegment: false)
      adoptPlaylist(list, id, at: now, on: &stage)
    }
    // A key may be what a segment that is there was waiting for.
    for index in tracks.indices where tracks[index].awaitsKey {
      bringIn(index, by: id, at: now, &stage.log)
    }
  }

  /// Takes note of what a live playlist that just came says, and goes on with another variant where
  /// it says nothing new again and again.
  private func adoptPlaylist(
    _ list: Int, _ id: TransferID, at now: Instant, on stage: inout Stage
  ) {
    guard let playlists = live?.playlists, let coming = playlists.listings[list].coming else {
      return
    }
    guard playlists.knowsWhatIsSkipped(coming, of: list) else {
      playlists.wantsWhole(list)
      asset.resources.discard(.playlist(list))
      stage.log.note(
        .live(.deltaUnusable(id, skipped: Int64(coming.skipped))), of: subject, at: now)
      return
    }
    let reading = playlists.adopt(list, coming, in: presentation.lists[list])
    playlistBytesSaved += reading.saved
    stage.log.note(.live(.playlistRead(id, reading)), of: subject, at: now)
    let unchangedReads = playlists.listings[list].unchangedReads
    if unchangedReads < 2 { return }
    // "Playlist file unchanged for two consecutive reads" (WWDC18 502).
    if unchangedReads == 2 {
      report(.playlistUnchanged(presentation.lists[list].uri, at: now), at: now, &stage.log)
    }
    leaveStale(list, at: now, on: &stage)
  }

  // MARK: Segments

  private func segmentArrived(
    _ index: Int, at now: Instant, on stage: inout Stage
  ) {
    guard let fetch = tracks[index].fetch else { return }
    requests.bytesTransferred += fetch.bytes
    meter.count(fetch.bytes - fetch.sampled, at: now)
    tracks[index].fetch?.isComplete = true
    troubles.came(fetch.list, isSegment: true)
    live?.playlists.listings[fetch.list].hasLost = false
    book(tracks[index].kind, fetch, at: now, on: &stage)
    stage.log.note(.requestCompleted(fetch.id, bytes: fetch.bytes), of: subject, at: now)
    if tracks[index].kind == .main { closeSample(except: index, at: now, on: stage) }
    arrivals.note(.segment(tracks[index].kind), by: fetch.id, at: now)
    bringIn(index, by: fetch.id, at: now, &stage.log)
    settleMeter(at: now)
  }

  /// Puts a segment whose bytes are there into the buffer, once its key is there as well.
  func bringIn(
    _ index: Int, by id: TransferID, at now: Instant, _ log: inout PlaybackLog
  ) {
    guard let fetch = tracks[index].fetch else { return }
    let segment = presentation.lists[fetch.list].segments[fetch.index]
    if let key = segment.key,
      asset.resources[asset.resources.key(key, of: fetch.list)] != .there
    {
      return
    }
    tracks[index].fetch = nil
    // Playback does not wait for subtitles.
    if tracks[index].kind != .subtitles { latestGain = (id, now) }
    tracks[index].buffer.insert(
      BufferedSegment(
        variant: fetch.variant, list: fetch.list, index: fetch.index, start: fetch.start,
        end: fetch.end, bytes: fetch.bytes, arrived: now))
    if tracks[index].kind != .main { return }
    segmentsInARow += 1
    choice.isDue = true
    if let old = choice.came(fetch.variant) {
      log.note(.variantSwitched(from: Int32(old), to: Int32(fetch.variant)), of: subject, at: now)
    }
  }

  // MARK: The estimate

  func arrivedBytes(
    _ fetch: SegmentFetch, at now: Instant, on stage: borrowing Stage
  ) -> Int64 {
    if fetch.isComplete { return fetch.bytes }
    guard fetch.hasResponded, let (flow, _) = stage.flow(of: fetch.id, at: now) else {
      return 0
    }
    return min(fetch.bytes, flow.bytes(at: now))
  }

  /// Closes a sample with what has come in of the other tracks as well.
  private func closeSample(except done: Int, at now: Instant, on stage: borrowing Stage) {
    for index in tracks.indices where index != done {
      guard let fetch = tracks[index].fetch, !fetch.isComplete else { continue }
      let arrived = arrivedBytes(fetch, at: now, on: stage)
      meter.countBeside(arrived - fetch.sampled)
      tracks[index].fetch?.sampled = arrived
    }
    meter.closeSample()
  }

  /// Tells the meter when no media is coming in any more.
  func settleMeter(at now: Instant) {
    if !tracks.isReceiving { meter.stops(at: now) }
  }
}
