import StreamingMedia

/// The list that each track of a variant plays, worked out once for the languages selected.
struct VariantLists {
  private struct Lists {
    var main: Int
    var audio: Int?
    var subtitles: Int?
    /// Whether it is of sound alone, and played by a rendition.
    var isSoundAlone: Bool
  }

  /// In playlist order.
  private let variants: [Lists]

  init(_ settings: StreamSettings) {
    let presentation = settings.presentation
    variants = presentation.variants.indices.map { variant in
      func list(_ kind: RenditionKind, _ language: String?) -> Int? {
        presentation.rendition(of: kind, for: variant, language: language)
          .flatMap { presentation.renditions[$0].list }
      }
      let soundAlone = presentation.soundAlone(
        of: variant, language: settings.audioLanguage)
      return Lists(
        main: soundAlone ?? presentation.variants[variant].list,
        audio: soundAlone == nil ? list(.audio, settings.audioLanguage) : nil,
        subtitles: settings.subtitleLanguage.flatMap { list(.subtitles, $0) },
        isSoundAlone: soundAlone != nil)
    }
  }

  /// The list of a variant's track; nil where it has none of that kind, or none was asked for.
  func list(of kind: TrackKind, for variant: Int) -> Int? {
    switch kind {
    case .main: variants[variant].main
    case .audio: variants[variant].audio
    case .subtitles: variants[variant].subtitles
    }
  }

  /// Whether a variant is of sound alone, so that its main track is a rendition's.
  func isSoundAlone(_ variant: Int) -> Bool { variants[variant].isSoundAlone }

  /// Whether a variant cannot be played without one of some lists.
  func needs(_ variant: Int, oneOf lists: [Int]) -> Bool {
    lists.contains(variants[variant].main)
      || variants[variant].audio.map { lists.contains($0) } ?? false
  }
}
