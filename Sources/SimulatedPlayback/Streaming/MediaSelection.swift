import StreamingMedia
import VirtualTime

// The sound and the subtitles that are selected, before the start and while playing.

/// A language that the app selects.
public struct MediaSelection: Hashable, Sendable {
  /// Sound or subtitles.
  public var kind: TrackKind
  /// Nil for what is played when nobody chooses: of subtitles, none.
  public var language: String?

  public init(_ kind: TrackKind, language: String?) {
    self.kind = kind
    self.language = language
  }
}

extension StreamSettings {
  mutating func select(_ selection: MediaSelection) {
    switch selection.kind {
    case .main: break
    case .audio: audioLanguage = selection.language
    case .subtitles: subtitleLanguage = selection.language
    }
  }
}

extension MediaSource {
  /// Changes which language is played; a file has none to choose from.
  package mutating func select(_ selection: MediaSelection) {
    guard case .stream(var settings) = self else { return }
    settings.select(selection)
    self = .stream(settings)
  }
}

extension ItemSettings {
  /// Selects a language; false where it is selected already.
  package mutating func select(_ selection: MediaSelection) -> Bool {
    let before = self
    source.select(selection)
    if source.file != nil {
      switch selection.kind {
      case .main: break
      case .audio: selectedAudio = selection.language
      case .subtitles: selectedSubtitles = selection.language
      }
    }
    return self != before
  }
}
