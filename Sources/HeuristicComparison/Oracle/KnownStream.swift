package import PlayerPolicies
package import StreamingMedia
package import VirtualTime

/// A stream whose every size is known, played in one variant.
package struct KnownStream: Hashable, Sendable {
  /// A resource that is fetched once, for all tracks that need it.
  package struct Resource: Hashable, Sendable {
    package var bytes: Int64
    /// The server's response time.
    package var served: TimeSpan

    package init(bytes: Int64, served: TimeSpan = .zero) {
      self.bytes = bytes
      self.served = served
    }
  }

  package struct Segment: Hashable, Sendable {
    package var start: MediaTime
    package var end: MediaTime
    package var bytes: Int64
    /// Into the resources of the stream; nil for none.
    package var map: Int?
    package var key: Int?

    package init(
      start: MediaTime, end: MediaTime, bytes: Int64, map: Int? = nil, key: Int? = nil
    ) {
      self.start = start
      self.end = end
      self.bytes = bytes
      self.map = map
      self.key = key
    }
  }

  package struct Track: Hashable, Sendable {
    /// Into the resources.
    package var playlist: Int
    package var segments: [Segment]
    /// Whether playback waits for it.
    package var isNeeded: Bool

    package init(playlist: Int, segments: [Segment], isNeeded: Bool = true) {
      self.playlist = playlist
      self.segments = segments
      self.isNeeded = isNeeded
    }
  }

  /// Playlists, keys and initialization sections; the first is the multivariant playlist.
  package var resources: [Resource]
  /// Indices of the resources requested as soon as the multivariant playlist has arrived.
  package var early: [Int]
  package var tracks: [Track]
  /// The rule by which the tracks are read ahead of the playhead and of each other.
  package var fetch: FetchRule
  /// Whether the playlists are there from the beginning.
  package var hasPlaylists = false
  /// The start and end of playback.
  package var start: MediaTime
  package var end: MediaTime

  package init(
    resources: [Resource], early: [Int] = [], tracks: [Track], limit: MediaTime,
    start: MediaTime = .zero, end: MediaTime
  ) {
    self.resources = resources
    self.early = early
    self.tracks = tracks
    fetch = FetchRule(media: limit)
    self.start = start
    self.end = end
  }
}

extension KnownStream {
  /// Reads a presentation, of which one variant is played.
  package init(
    _ presentation: Presentation, variant: Int, audioLanguage: String? = nil,
    subtitleLanguage: String? = nil, playlists: PlaylistEncoding = .plain,
    key: Resource = Resource(bytes: 0), preloadsKeys: Bool = false, limit: MediaTime,
    start: MediaTime = .zero, end: MediaTime? = nil
  ) {
    self.init(
      resources: [Resource(bytes: playlists.transferred(presentation.playlistBytes))], tracks: [],
      limit: limit, start: start, end: min(end ?? .distantFuture, presentation.duration))
    var keys: [EncryptionKey] = []
    var keyPlaces: [Int] = []
    func place(of wanted: EncryptionKey) -> Int {
      if let known = keys.firstIndex(of: wanted) { return keyPlaces[known] }
      keys.append(wanted)
      resources.append(key)
      keyPlaces.append(resources.count - 1)
      return resources.count - 1
    }
    let named = presentation.lists.flatMap { $0.keys }
    if preloadsKeys {
      early = presentation.sessionKeys.filter { named.contains($0) }.map { place(of: $0) }
    }
    let alone = presentation.soundAlone(of: variant, language: audioLanguage)
    var lists: [(list: Int, isNeeded: Bool)] = [
      (alone ?? presentation.variants[variant].list, true)
    ]
    func add(_ kind: RenditionKind, _ language: String?, isNeeded: Bool) {
      let rendition = presentation.rendition(of: kind, for: variant, language: language)
      if let list = rendition.flatMap({ presentation.renditions[$0].list }) {
        lists.append((list, isNeeded))
      }
    }
    if alone == nil { add(.audio, audioLanguage, isNeeded: true) }
    if subtitleLanguage != nil { add(.subtitles, subtitleLanguage, isNeeded: false) }
    for (number, isNeeded) in lists {
      let list = presentation.lists[number]
      resources.append(Resource(bytes: playlists.transferred(list.playlistBytes)))
      let playlist = resources.count - 1
      let firstMap = resources.count
      resources += list.maps.map { Resource(bytes: $0.bytes) }
      let segments = list.segments.map { segment in
        Segment(
          start: segment.start, end: segment.end, bytes: segment.bytes,
          map: segment.map.map { firstMap + $0 }, key: segment.key.map { place(of: list.keys[$0]) })
      }
      tracks.append(Track(playlist: playlist, segments: segments, isNeeded: isNeeded))
    }
  }
}
