public import StreamingMedia
public import VirtualTime

/// A piece of media and how it reaches the player.
public enum MediaSource: Hashable, Sendable {
  /// A file that is wholly there.
  case local(MediaFile)
  /// A file that is downloaded while it plays.
  case progressive(MediaFile)
  /// A presentation of playlists and segments.
  case stream(StreamSettings)

  package var kind: MediaKind {
    switch self {
    case .local: .local
    case .progressive: .progressive
    case .stream: .stream
    }
  }

  public var duration: MediaTime {
    switch self {
    case .local(let file), .progressive(let file): file.duration
    case .stream(let settings): settings.presentation.duration
    }
  }

  /// Total bytes over duration; nil for a stream, which has no one bit rate.
  package var averageBitRate: BitRate? { file?.averageBitRate }

  /// Changes what the choice of variants goes by; a file has none to choose from.
  package mutating func constrain(_ change: (inout VariantConstraints) -> Void) {
    guard case .stream(var settings) = self else { return }
    change(&settings.constraints)
    self = .stream(settings)
  }

  /// The file; nil for a stream.
  package var file: MediaFile? {
    switch self {
    case .local(let file), .progressive(let file): file
    case .stream: nil
    }
  }
}
