public import VirtualTime

/// One of the two tracks of a file that its end can be uneven by.
public enum FileTrack: Hashable, Sendable, CaseIterable {
  case video
  case audio
}

/// How long a track lasts.
public struct TrackLength: Hashable, Sendable {
  /// What there is of media in it.
  public var media: MediaTime
  /// What the edit list makes of it; nil where there is none.
  public var editList: MediaTime?

  public init(media: MediaTime, editList: MediaTime? = nil) {
    self.media = media
    self.editList = editList
  }

  /// How long it is presented.
  ///
  /// "In QuickTime Movie files, the track duration is defined by the edit list" (WWDC16 503).
  public var duration: MediaTime { editList ?? media }
}

/// How long the tracks of a file last; the file lasts as long as the longest of them.
public struct FileTracks: Hashable, Sendable {
  /// Nil for a track that lasts as long as the file.
  public var video: TrackLength?
  public var audio: TrackLength?

  public init(video: TrackLength? = nil, audio: TrackLength? = nil) {
    self.video = video
    self.audio = audio
  }

  /// Tracks that all last as long as the file.
  public static let even = FileTracks()

  public func length(of track: FileTrack) -> TrackLength? {
    switch track {
    case .video: video
    case .audio: audio
    }
  }

  /// The same with what is in the tracks, whatever their edit lists make of it.
  public var withoutEditLists: FileTracks {
    FileTracks(
      video: video.map { TrackLength(media: $0.media) },
      audio: audio.map { TrackLength(media: $0.media) })
  }
}

extension MediaFile {
  /// How long a track is presented.
  public func duration(of track: FileTrack) -> MediaTime {
    min(duration, tracks.length(of: track)?.duration ?? duration)
  }

  /// Where the first track ends.
  public var shortestTrack: MediaTime {
    min(duration(of: .video), duration(of: .audio))
  }
}
