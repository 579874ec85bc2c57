import LinkConditioner
import StreamingMedia
import VirtualTime

// What segments need before they can be asked for: playlists, keys and initialization sections.

extension SegmentIntake {
  /// Whether the multivariant playlist is there; asks for it if not.
  func hasMaster(
    _ settings: StreamSettings, at now: Instant, on stage: inout Stage
  ) -> Bool {
    has(.master, for: nil, settings, at: now, on: &stage)
  }

  func requestSessionKeys(
    _ settings: StreamSettings, at now: Instant, on stage: inout Stage
  ) {
    // "Master playlist must contain SESSION-KEY declarations" (WWDC16 503).
    for key in asset.resources.announcedKeys where asset.resources[.key(key)] == .missing {
      let origin = RequestOrigin(after: arrivals.latest(at: now) { $0 == .resource(.master) })
      asset.request(.key(key), for: origin, settings, by: &requests, at: now, on: &stage)
    }
  }

  /// Whether a list's playlist says what may be asked for; asks for it if it does not, or if it is
  /// time to read it again.
  ///
  /// - Parameter live: Where the item is on a stream that grows; nil for one that is all there.
  func hasPlaylist(
    _ list: Int, for track: Int, _ live: LiveTimeline?, _ settings: StreamSettings,
    at now: Instant, on stage: inout Stage
  ) -> Bool {
    switch asset.resources[.playlist(list)] {
    case .missing: requestPlaylist(list, for: track, settings, at: now, on: &stage)
    case .underWay: break
    case .there:
      guard let live else { return true }
      if live.reloadDue(list, of: presentation) <= now {
        requestPlaylist(list, for: track, settings, at: now, on: &stage)
      }
    }
    guard let live else { return false }
    return live.hasBegun && live.known(list) != nil
      && !live.playlists.listings[list].isDoubtful
  }

  private func requestPlaylist(
    _ list: Int, for track: Int, _ settings: StreamSettings, at now: Instant,
    on stage: inout Stage
  ) {
    let availableAt = asset.live?.prepareRead(
      of: list, in: presentation, settings.playlistEncoding, at: now,
      reaching: stage.reachesServer(at: now))
    let origin = origin(track, at: now) { $0 == .resource(.master) }
    asset.request(
      .playlist(list), for: origin, settings, availableAt: availableAt, by: &requests, at: now,
      on: &stage)
  }

  /// Whether a segment can be asked for: its key is, and its initialization section is there.
  func hasWhatIsNeeded(
    by segment: MediaSegment, of index: Int, _ settings: StreamSettings, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    let list = tracks[index].list
    if let key = segment.key {
      _ = has(asset.resources.key(key, of: list), for: index, settings, at: now, on: &stage)
    }
    guard let map = segment.map else { return true }
    return has(.map(list: list, map), for: index, settings, at: now, on: &stage)
  }

  /// Asks again for the key of a segment whose bytes are there, if it broke.
  func askForKey(
    of index: Int, _ settings: StreamSettings, at now: Instant, on stage: inout Stage
  ) {
    guard let fetch = tracks[index].fetch,
      let key = presentation.lists[fetch.list].segments[fetch.index].key
    else { return }
    _ = has(asset.resources.key(key, of: fetch.list), for: nil, settings, at: now, on: &stage)
  }

  /// - Parameter track: The track that needs it; nil for what all tracks share, and for what is
  ///   asked for again.
  private func has(
    _ resource: StreamResource, for track: Int?, _ settings: StreamSettings, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    switch asset.resources[resource] {
    case .there: return true
    case .underWay: return false
    case .missing:
      let origin = track.map { afterPlaylist($0, at: now) } ?? RequestOrigin()
      asset.request(resource, for: origin, settings, by: &requests, at: now, on: &stage)
      return false
    }
  }
}
