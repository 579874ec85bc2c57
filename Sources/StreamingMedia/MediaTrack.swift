public import VirtualTime

/// A track of a file.
public struct MediaTrack: Hashable, Sendable {
  /// The media type of a track.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case video
    case audio
    case subtitles
  }

  public var name: String
  public var kind: Kind
  public var language: String?
  // WWDC16 503: colour information is "part of the metadata of video tracks".
  /// Colour tags of the video; nil where the track has none.
  package var colour: ColourTriple?
  /// Duration of the track's media; nil for that of the file.
  public var mediaDuration: MediaTime?
  /// Duration that its edit list presents; nil without an edit list.
  public var editListDuration: MediaTime?

  public init(name: String, kind: Kind, language: String? = nil) {
    self.name = name
    self.kind = kind
    self.language = language
  }

  /// Presented duration of the track; nil for that of the file.
  ///
  /// "In QuickTime Movie files, the track duration is defined by the edit list" (WWDC16 503).
  package var duration: MediaTime? { editListDuration ?? mediaDuration }
}

extension MediaFile {
  /// The end of the longest enabled track of a kind; that of the file where there is none.
  package func duration(of kind: MediaTrack.Kind, without disabled: [Int]) -> MediaTime {
    let tracks = trackList.indices.filter {
      trackList[$0].kind == kind && !disabled.contains($0)
    }
    return min(duration, tracks.map { trackList[$0].duration ?? duration }.max() ?? duration)
  }

  /// Whether its tracks are known, and none of them has sound.
  package var isSilent: Bool {
    !trackList.isEmpty && !trackList.contains { $0.kind == .audio }
  }

  /// The end of the video or audio track that ends first.
  package var shortestTrack: MediaTime {
    trackList.reduce(duration) { $1.kind == .subtitles ? $0 : min($0, $1.duration ?? $0) }
  }
}
