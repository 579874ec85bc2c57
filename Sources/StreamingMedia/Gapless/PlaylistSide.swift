import VirtualTime

/// One side of a boundary as it lies in files: a multivariant playlist and what is beside it.
package struct PlaylistSide: Sendable {
  package var file: String
  package var playlist: MultivariantPlaylist
  /// The same as a presentation without segments.
  package var presentation: Presentation
  /// The media playlists that it names and that could not be read.
  package var missing: [String]

  /// - Parameters:
  ///   - file: its name in messages.
  ///   - media: the media playlists that could be read, by their resolved URI.
  ///   - base: base of relative URIs.
  package init(
    file: String, _ playlist: MultivariantPlaylist, media: [String: MediaPlaylist] = [:],
    base: String
  ) {
    self.file = file
    self.playlist = playlist
    let uris = playlist.mediaPlaylists(from: base)
    missing = uris.filter { media[$0] == nil }
    let lists = uris.map { uri in
      SegmentList(
        uri: uri, segments: [], naming: .listed([]),
        keys: media[uri]?.keySets.flatMap { $0 } ?? [], targetDuration: .zero)
    }
    func list(_ reference: String) -> Int? {
      uris.firstIndex(of: resolvedURI(reference, against: base))
    }
    presentation = Presentation(
      uri: base,
      variants: playlist.variants.map { Variant(attributes: $0, list: list($0.uri) ?? 0) },
      renditions: playlist.renditions.map {
        Rendition(attributes: $0, list: $0.uri.flatMap(list))
      },
      lists: lists, sessionKeys: playlist.sessionKeys)
  }

  /// Whether it is known if the sound of a variant uses FairPlay.
  package func knowsKeys(of variant: Int) -> Bool {
    let sound = presentation.rendition(of: .audio, for: variant, language: nil)
      .flatMap { presentation.renditions[$0].list }
    let uri = presentation.lists[sound ?? presentation.variants[variant].list].uri
    return presentation.audioTraits(of: variant).usesFairPlay || !missing.contains(uri)
  }

  /// The line of the tag that declares a trait of a variant; nil where no single tag of this file
  /// does.
  package func line(of trait: AudioTrait, _ variant: Int) -> Int32? {
    let attributes = playlist.variants[variant]
    switch trait {
    case .fairPlay:
      return playlist.sessionKeys.firstIndex { $0.isFairPlay }.map { playlist.sessionKeyLines[$0] }
    case .codec: return attributes.line
    case .channels, .sampleRate, .bitDepth:
      return presentation.rendition(of: .audio, for: variant, language: nil)
        .map { playlist.renditions[$0].line } ?? attributes.line
    }
  }
}
