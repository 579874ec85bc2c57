package import VirtualTime

/// A track of a file.
public struct MediaTrack: Hashable, Sendable {
  /// What a track is for.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case video
    case audio
    case subtitles
  }

  package var name: String
  package var kind: Kind
  package var language: String?
  // WWDC16 503: colour information is "part of the metadata of video tracks".
  /// How its picture is to be understood; nil where nobody says.
  package var colour: ColourTriple?
  /// How much media there is in it; nil for as much as the file lasts.
  package var mediaDuration: MediaTime?
  /// How much of that its edit list presents; nil without one.
  package var editListDuration: MediaTime?

  package init(
    name: String, kind: Kind, language: String? = nil, colour: ColourTriple? = nil
  ) {
    self.name = name
    self.kind = kind
    self.language = language
    self.colour = colour
  }

  /// How long it is presented; nil for as long as the file lasts.
  ///
  /// "In QuickTime Movie files, the track duration is defined by the edit list" (WWDC16 503).
  package var duration: MediaTime? { editListDuration ?? mediaDuration }
}

extension MediaFile {
  /// How long the first track of a kind is presented.
  package func duration(of kind: MediaTrack.Kind) -> MediaTime {
    min(duration, trackList.first { $0.kind == kind }?.duration ?? duration)
  }

  /// Where the picture or the sound ends, whichever is first.
  package var shortestTrack: MediaTime {
    min(duration(of: .video), duration(of: .audio))
  }
}
