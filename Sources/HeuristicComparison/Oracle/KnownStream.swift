package import LinkConditioner
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

    package init(start: MediaTime, end: MediaTime, bytes: Int64, map: Int? = nil, key: Int? = nil) {
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
  package var fetch = FetchRule.unlimited
  /// Whether the playlists are there from the beginning.
  package var hasPlaylists = false
  package var start: MediaTime
  package var end: MediaTime

  package init(
    resources: [Resource], early: [Int] = [], tracks: [Track], limit: MediaTime,
    start: MediaTime = .zero, end: MediaTime
  ) {
    self.resources = resources
    self.early = early
    self.tracks = tracks
    fetch.media = limit
    self.start = start
    self.end = end
  }

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
    var keys: [(key: EncryptionKey, place: Int)] = []
    func place(of wanted: EncryptionKey) -> Int {
      if let known = keys.first(where: { $0.key == wanted }) { return known.place }
      keys.append((wanted, resources.count))
      resources.append(key)
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

/// A stream whose every size is known, of which each segment may be of another variant.
package struct KnownLadder: Hashable, Sendable {
  package struct Rung: Hashable, Sendable {
    /// The nominal rate of the variant, in bit/s.
    package var bitsPerSecond: Int64
    /// Into the resources.
    package var playlist: Int
    /// Their initialization sections are among the resources of the ladder.
    package var segments: [KnownStream.Segment]

    package init(bitsPerSecond: Int64, playlist: Int, segments: [KnownStream.Segment]) {
      self.bitsPerSecond = bitsPerSecond
      self.playlist = playlist
      self.segments = segments
    }
  }

  /// Playlists, the multivariant one first, and initialization sections, each fetched once.
  package var resources: [KnownStream.Resource]
  package var rungs: [Rung]
  /// The most forward buffer at which a segment is requested.
  package var limit: MediaTime
  package var hasPlaylists = false
  package var end: MediaTime

  package init(resources: [KnownStream.Resource], rungs: [Rung], limit: MediaTime, end: MediaTime) {
    self.resources = resources
    self.rungs = rungs
    self.limit = limit
    self.end = end
  }

  /// The segments that are played, in the first rung; the others have the same.
  var played: [KnownStream.Segment] { (rungs.first?.segments ?? []).filter { $0.start < end } }

  /// The most resources: each has a bit of a word.
  static let mostResources = 64

  /// Reads a presentation, as far as its variants' own segments go; nil where those of one variant
  /// begin elsewhere than those of another, or where there is too much to remember.
  package init?(
    _ presentation: Presentation, variants: [Int], playlists: PlaylistEncoding = .plain,
    limit: MediaTime, end: MediaTime? = nil
  ) {
    self.init(
      resources: [.init(bytes: playlists.transferred(presentation.playlistBytes))], rungs: [],
      limit: limit, end: min(end ?? .distantFuture, presentation.duration))
    for variant in variants {
      let list = presentation.lists[presentation.variants[variant].list]
      resources.append(.init(bytes: playlists.transferred(list.playlistBytes)))
      let playlist = resources.count - 1
      resources += list.maps.map { .init(bytes: $0.bytes) }
      rungs.append(
        Rung(
          bitsPerSecond: presentation.variants[variant].attributes.nominalBandwidth,
          playlist: playlist,
          segments: list.segments.map {
            KnownStream.Segment(
              start: $0.start, end: $0.end, bytes: $0.bytes,
              map: $0.map.map { playlist + 1 + $0 })
          }))
    }
    guard let first = rungs.first, resources.count <= Self.mostResources else { return nil }
    for rung in rungs where rung.segments.map({ $0.start }) != first.segments.map({ $0.start }) {
      return nil
    }
  }
}

package struct KnownLink: Hashable, Sendable {
  package var conditions: LinkConditions
  package var schedule: RateSchedule?
  /// Stretches in which nothing gets through, in order; they do not touch each other.
  package let outages: [Range<Int64>]

  /// - Parameter outages: In nanoseconds; they may overlap.
  package init(
    _ conditions: LinkConditions, schedule: RateSchedule? = nil, outages: [Range<Int64>] = []
  ) {
    self.conditions = conditions
    self.schedule = schedule
    var joined: [Range<Int64>] = []
    for outage in outages.sorted(by: { $0.lowerBound < $1.lowerBound }) where !outage.isEmpty {
      if let last = joined.last, outage.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, outage.upperBound)
      } else {
        joined.append(outage)
      }
    }
    self.outages = joined
  }

  var waitsForResponses: Bool { schedule?.clock == .pausedDuringLatency }

  /// Whether one of its directions lets nothing through, ever.
  var isBarred: Bool {
    conditions.downlink.bandwidth == .limited(.zero)
      || conditions.uplink.bandwidth == .limited(.zero)
      || conditions.downlink.loss.isTotal || conditions.uplink.loss.isTotal
  }
}

/// A link's bit rate as a ratio; nil without a limit.
struct KnownRate: Hashable {
  var bits: Int128
  var seconds: Int128

  static let nothing = KnownRate(.zero)

  /// The lower of two limits; nil where neither is one.
  static func lower(_ a: Bandwidth, _ b: Bandwidth) -> KnownRate? {
    switch (a, b) {
    case (.unlimited, .unlimited): nil
    case (.limited(let rate), .unlimited), (.unlimited, .limited(let rate)): KnownRate(rate)
    case (.limited(let a), .limited(let b)): KnownRate(min(a, b))
    }
  }

  private init(_ rate: BitRate) {
    (bits, seconds) = (Int128(rate.numerator), Int128(rate.denominator))
  }
}
