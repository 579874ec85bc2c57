import StreamingMedia
import VirtualTime

// From one stream to the next without a gap (WWDC21 10142).

/// The boundary between one stream and the next, as a player sees it.
struct StreamBoundary {
  private let old: PlayerItem
  private let next: PlayerItem
  private let first: StreamSettings
  private let second: StreamSettings
  private let settings: PlayerSettings

  /// Nil where one of the two is a file.
  init?(from old: PlayerItem, to next: PlayerItem, _ settings: PlayerSettings) {
    guard case .stream(let first) = old.settings.source,
      case .stream(let second) = next.settings.source
    else { return nil }
    self.old = old
    self.next = next
    self.first = first
    self.second = second
    self.settings = settings
  }

  /// Whether streams follow each other without a gap at all: not before iOS 15.
  var isSupported: Bool { settings.contract.playsStreamsGaplessly }

  /// The sound that is to go on; nil before the first of the two has chosen any.
  var sound: AudioContinuity? {
    guard let variant = old.loader.playedVariant else { return nil }
    return AudioContinuity(
      first.presentation, variant: variant, language: first.audioLanguage,
      strictness: settings.gaplessStrictness)
  }

  /// The gravest difference between the sound and that of the variant that the second of the two
  /// begins with; nil where the sound goes on.
  var obstacle: ItemTransition.Reason? {
    guard let sound else { return .otherSound }
    let (chosen, language) = (next.loader.firstVariant, second.audioLanguage)
    if chosen == nil {
      let constraints = next.loader.constraints ?? second.constraints
      let continues = second.presentation.continuation(
        of: sound, under: constraints, language: language)
      if continues != nil { return nil }
    }
    let trait = sound.traits.obstacles(
      to: second.presentation.audioTraits(of: chosen ?? 0, language: language), sound.strictness
    ).first
    return trait.map { ItemTransition.Reason($0) } ?? (chosen == nil ? .otherSound : nil)
  }

  /// The audible duration of the encoder's frames at the boundary.
  var silence: MediaTime {
    EncoderPadding.silence(between: first.encoderPadding, and: second.encoderPadding)
  }
}

extension StreamBoundary {
  /// Tells the next stream what plays before it, as long as it has not chosen its first variant.
  static func prepare(from old: PlayerItem, to next: PlayerItem, _ settings: PlayerSettings) {
    guard case .stream(let loader) = next.loader, loader.choice.current == nil,
      let boundary = StreamBoundary(from: old, to: next, settings)
    else { return }
    loader.choice.soundBefore = boundary.isSupported ? boundary.sound : nil
  }
}

extension MediaLoader {
  /// The variant of what came in last; nil before anything did.
  var playedVariant: Int? { stream.flatMap { $0.choice.loaded ?? $0.choice.current } }

  /// The variant that playback begins with; nil before it is chosen.
  var firstVariant: Int? { stream?.choice.first }
}
