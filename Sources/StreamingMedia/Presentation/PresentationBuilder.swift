package struct LoadedPlaylist: Hashable, Sendable {
  package var playlist: MediaPlaylist
  /// Its size, uncompressed.
  package var bytes: Int64

  package init(_ playlist: MediaPlaylist, bytes: Int64) {
    self.playlist = playlist
    self.bytes = bytes
  }
}

package enum PresentationFault: Error, Hashable, Sendable {
  case noVariants
  /// These media playlists are named and were not given.
  case missingPlaylists([String])
}

extension MultivariantPlaylist {
  /// The media playlists that it names, resolved against its own URI: each once, in its order.
  package func mediaPlaylists(from uri: String) -> [String] {
    var found: [String] = []
    var known: Set<String> = []
    for reference in variants.map({ $0.uri }) + renditions.compactMap({ $0.uri }) {
      let target = resolvedURI(reference, against: uri)
      if known.insert(target).inserted { found.append(target) }
    }
    return found
  }
}

extension Presentation {
  /// Joins a multivariant playlist and the media playlists that it names.
  ///
  /// - Parameter media: the media playlists by resolved URI, as `mediaPlaylists(from:)` lists them.
  package init(
    _ playlist: MultivariantPlaylist, uri: String, bytes: Int64, media: [String: LoadedPlaylist]
  ) throws(PresentationFault) {
    if playlist.variants.isEmpty { throw .noVariants }
    let names = playlist.mediaPlaylists(from: uri)
    let missing = names.filter { media[$0] == nil }
    if !missing.isEmpty { throw .missingPlaylists(missing) }
    var assembly = Assembly(
      base: uri, media: media,
      variantURIs: Set(playlist.variants.map { resolvedURI($0.uri, against: uri) }))
    let renditions = playlist.renditions.map { assembly.rendition($0) }
    // The rendition that plays of each audio group.
    var played: [String: Rendition] = [:]
    for rendition in renditions where rendition.attributes.kind == .audio {
      let group = rendition.attributes.group
      let isFirstDefault =
        rendition.attributes.isDefault && played[group]?.attributes.isDefault != true
      if played[group] == nil || isFirstDefault { played[group] = rendition }
    }
    let variants = playlist.variants.map { variant in
      assembly.variant(variant, audio: variant.audioGroup.flatMap { played[$0] })
    }
    // Audio that is a variant as well is sized as the variant that it is.
    self.init(
      uri: uri, variants: variants,
      renditions: renditions.map { assembly.completed($0) }, lists: assembly.lists,
      sessionKeys: playlist.sessionKeys, start: playlist.start, playlistBytes: bytes)
    let placed = names.compactMap { name in
      media[name].map { PlacedPlaylist(uri: name, playlist: $0.playlist) }
    }
    liveTags = LiveTags(placed, of: self)
  }

  package init(_ playlist: MediaPlaylist, uri: String, bytes: Int64) {
    let list = SegmentList(
      LoadedPlaylist(playlist, bytes: bytes), uri: uri,
      rates: DeclaredRates(assumed: SizeAssumptions.otherBitRate))
    var attributes = PlaylistVariant()
    attributes.uri = uri
    attributes.bandwidth = list.peakBitRate ?? 0
    attributes.averageBandwidth = list.averageBitRate
    self.init(
      uri: uri, variants: [Variant(attributes: attributes, list: 0)], lists: [list],
      start: playlist.start)
    liveTags = LiveTags([PlacedPlaylist(uri: uri, playlist: playlist)], of: self)
  }
}

/// The lists made so far.
private struct Assembly {
  let base: String
  let media: [String: LoadedPlaylist]
  let variantURIs: Set<String>
  var lists: [SegmentList] = []
  var indices: [String: Int] = [:]

  /// A rendition, with its list unless that is a variant's.
  mutating func rendition(_ attributes: PlaylistRendition) -> Rendition {
    let uri = attributes.uri.map { resolvedURI($0, against: base) }
    guard let uri, !variantURIs.contains(uri) else {
      return Rendition(attributes: attributes, list: nil)
    }
    let assumed =
      switch attributes.kind {
      case .audio:
        (attributes.channelCount ?? 2) > 2
          ? SizeAssumptions.surroundBitRate : SizeAssumptions.audioBitRate
      case .video: SizeAssumptions.otherBitRate
      case .subtitles, .closedCaptions: SizeAssumptions.subtitleBitRate
      }
    return Rendition(
      attributes: attributes, list: list(at: uri, rates: DeclaredRates(assumed: assumed)))
  }

  mutating func variant(_ attributes: PlaylistVariant, audio: Rendition?) -> Variant {
    let declared = DeclaredRates(
      average: attributes.averageBandwidth, peak: attributes.bandwidth,
      assumed: SizeAssumptions.otherBitRate)
    // §4.4.6.2: BANDWIDTH and AVERAGE-BANDWIDTH cover all renditions that are played together, so
    // that what separate audio takes is not the variant's own.
    let share = audio?.list.flatMap { lists[$0].averageBitRate } ?? 0
    return Variant(
      attributes: attributes,
      list: list(
        at: resolvedURI(attributes.uri, against: base),
        // Of sound alone the sound is not the lesser part.
        rates: attributes.isAudioOnly ? declared : declared.without(share)))
  }

  /// The rendition with the list of the variant whose playlist it shares.
  func completed(_ rendition: Rendition) -> Rendition {
    var rendition = rendition
    rendition.list = rendition.attributes.uri.flatMap { indices[resolvedURI($0, against: base)] }
    return rendition
  }

  private mutating func list(at uri: String, rates: DeclaredRates) -> Int {
    if let known = indices[uri] { return known }
    guard let loaded = media[uri] else {
      preconditionFailure("the playlist \(uri) was found before")
    }
    indices[uri] = lists.count
    lists.append(SegmentList(loaded, uri: uri, rates: rates))
    return lists.count - 1
  }
}

extension SegmentList {
  init(_ loaded: LoadedPlaylist, uri: String, rates: DeclaredRates) {
    let playlist = loaded.playlist
    let segments = playlist.segments.map { segment in
      let (bytes, source) = segment.size(rates)
      return MediaSegment(
        start: segment.start, duration: segment.duration, bytes: bytes, sizeSource: source,
        map: segment.map.map(Int.init), key: segment.keySet == 0 ? nil : Int(segment.keySet) - 1,
        isDiscontinuity: segment.isDiscontinuity, isGap: segment.isGap)
    }
    // The player fetches FairPlay's key of a set, else the key itself, else the first.
    let keys = playlist.keySets.compactMap { set in
      set.first { $0.format == "com.apple.streamingkeydelivery" }
        ?? set.first { $0.format == "identity" } ?? set.first
    }
    let maps = playlist.maps.map { map in
      SizedMap(
        uri: map.uri, byteRange: map.byteRange,
        bytes: map.byteRange?.length ?? SizeAssumptions.mapBytes)
    }
    self.init(
      uri: uri, segments: segments, naming: .listed(playlist.segments.map { $0.uri }), maps: maps,
      keys: keys, targetDuration: playlist.targetDuration,
      mediaSequence: playlist.mediaSequence,
      discontinuitySequence: playlist.discontinuitySequence, type: playlist.type,
      isComplete: playlist.hasEnd, playlistBytes: loaded.bytes)
    dates = playlist.segments.compactMap { segment in
      segment.programDateTime.map { ProgramDate(time: segment.start, date: $0) }
    }
  }
}
