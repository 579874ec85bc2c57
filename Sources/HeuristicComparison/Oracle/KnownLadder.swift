package import StreamingMedia
package import VirtualTime

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

  /// Playlists and initialization sections, each fetched once; the first is the multivariant
  /// playlist.
  package var resources: [KnownStream.Resource]
  package var rungs: [Rung]
  /// The most forward buffer at which a segment is requested.
  package var limit: MediaTime
  /// Whether the playlists are there from the beginning.
  package var hasPlaylists = false
  package var end: MediaTime

  package init(
    resources: [KnownStream.Resource], rungs: [Rung], limit: MediaTime, end: MediaTime
  ) {
    self.resources = resources
    self.rungs = rungs
    self.limit = limit
    self.end = end
  }

  /// The segments that are played, in the first rung; the others have the same.
  var played: [KnownStream.Segment] {
    (rungs.first?.segments ?? []).filter { $0.start < end }
  }

  /// The most resources: each has a bit of a word.
  static let mostResources = 64
}

extension KnownLadder {
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
