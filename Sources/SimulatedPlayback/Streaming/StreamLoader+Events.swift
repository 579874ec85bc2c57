import Autowait
import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// What the link says, and what it means for tracks, playlists and keys.

extension StreamLoader {
  /// True where something is there, or gone, that the player has to look at.
  func handle(_ event: LinkEvent, at now: Instant, on stage: inout Stage) -> Bool {
    switch event {
    case .responded(let id, _):
      intake.responded(id, at: now, on: &stage)
      return awaitsBytes || intake.tracks.holdsBack
    case .flowChanged:
      intake.tellProgress(at: now, on: stage)
      return intake.telling.isWanted || intake.tracks.holdsBack
    case .completed(let id, _): completed(id, at: now, on: &stage)
    case .failed(let id, _, let reason, let bytes):
      failed(id, reason, bytes: bytes, at: now, on: &stage)
    }
    return true
  }

  private func completed(_ id: TransferID, at now: Instant, on stage: inout Stage) {
    if let index = intake.tracks.index(fetching: id) {
      if intake.tracks[index].isFetchGone {
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
    intake.arrivals.note(.resource(resource), by: id, at: now)
    let bytes = asset.bytes(of: resource, settings)
    intake.requests.bytesTransferred += bytes
    if case .map = resource {
      intake.logs.transferred(bytes, over: stage.link.timings(of: id)?.transfer ?? .zero)
    }
    stage.log.note(.requestCompleted(id, bytes: bytes), of: subject, at: now)
    if case .playlist(let list) = resource {
      troubles.came(list, isSegment: false)
      adoptPlaylist(list, id, at: now, on: &stage)
    }
    // A key may be what a segment that is there was waiting for.
    for index in intake.tracks.indices where intake.tracks[index].awaitsKey {
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
      intake.report(.playlistUnchanged(presentation.lists[list].uri, at: now), at: now, &stage.log)
    }
    leaveStale(list, at: now, on: &stage)
  }

  // MARK: Segments

  private func segmentArrived(
    _ index: Int, at now: Instant, on stage: inout Stage
  ) {
    guard let fetch = intake.tracks[index].fetch else { return }
    troubles.came(fetch.list, isSegment: true)
    if live != nil { live?.playlists.listings[fetch.list].hasLost = false }
    intake.arrived(
      index, fetch, declared: choice.rungs[fetch.variant].bandwidth, at: now, on: &stage)
    if choice.isProbing, intake.tracks[index].kind == .main {
      endProbe(index, fetch, at: now, &stage.log)
      return
    }
    bringIn(index, by: fetch.id, at: now, &stage.log)
  }

  /// Puts a segment whose bytes are there into the buffer, once its key is there as well.
  func bringIn(
    _ index: Int, by id: TransferID, at now: Instant, _ log: inout PlaybackLog
  ) {
    guard let variant = intake.bringIn(index, by: id, at: now) else { return }
    choice.isDue = true
    if let old = choice.came(variant) {
      log.note(.variantSwitched(from: Int32(old), to: Int32(variant)), of: subject, at: now)
    }
  }
}
