import StreamingMedia
public import VirtualTime

/// The transition from the end of one item to the next, or back to the start of the same.
public struct ItemTransition: Hashable, Sendable {
  /// The effect of the transition that the viewer notices.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case seamless
    // "Anything from an audible glitch to a momentary visual hiccup or even an indication of
    // indeterminate buffering" (WWDC21 10142).
    /// The picture goes on, and a moment of the sound is silence.
    case audibleGlitch
    /// The picture stands and the sound stops for a moment.
    case hiccup
    /// The player waited for media.
    case buffering
  }

  /// The reason why the transition is noticed.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The frames that the encoders added are heard.
    case encoderPadding
    /// Streams do not follow each other under this contract.
    case streamsApart
    // The trait in which the next stream's audio differs: it needs its own pipeline (WWDC21 10142).
    /// One of the two streams is protected by FairPlay.
    case fairPlay
    case audioCodec
    case channels
    case sampleRate
    case bitDepth
    /// No variant of the next stream that may be played has the sound.
    case otherSound
    /// It goes back only when the end has been reached.
    case goesBack
    case notLoaded
    /// The first item was to pause at its end, and the app asked for the next one later.
    case pausedAtEnd
    /// There was no next item, or it came too late to be prepared.
    case notPrepared

    init(_ trait: AudioTrait) {
      switch trait {
      case .fairPlay: self = .fairPlay
      case .codec: self = .audioCodec
      case .channels: self = .channels
      case .sampleRate: self = .sampleRate
      case .bitDepth: self = .bitDepth
      }
    }
  }

  /// The numbers of the two items.
  public var from: Int32
  public var to: Int32
  /// From the end until media moved again.
  public var gap: TimeSpan
  public var kind: Kind
  /// Nil where nothing is noticed.
  public var reason: Reason?
  /// The audible duration of the frames that the encoders added.
  public var silence = MediaTime.zero
  /// The number of loops so far, this one included; nil where the transition is no loop.
  public var loop: Int64?

  package init(
    from: Int32, to: Int32, gap: TimeSpan, kind: Kind, reason: Reason? = nil,
    silence: MediaTime = .zero, loop: Int64? = nil
  ) {
    self.from = from
    self.to = to
    self.gap = gap
    self.kind = kind
    self.reason = reason
    self.silence = silence
    self.loop = loop
  }
}

/// The transition between two items as known beforehand; decided here and nowhere else.
struct TransitionPlan: Hashable {
  /// Whether the pipeline can be filled for the next item while the one before it plays.
  // "If AVFoundation knows about playback item B … early enough, then it can begin prerolling and
  // decoding before item A has finished playing out" (WWDC16 503).
  var overlaps = true
  /// The pause of the pipeline at the boundary, whatever has been prepared.
  var pause = TimeSpan.zero
  var silence = MediaTime.zero
  /// The reason that keeps the pipeline from being filled.
  var obstacle: ItemTransition.Reason?

  init(from old: PlayerItem, to next: PlayerItem, _ settings: PlayerSettings) {
    guard let boundary = StreamBoundary(from: old, to: next, settings) else { return }
    silence = boundary.silence
    if let reason = boundary.isSupported ? boundary.obstacle : .streamsApart {
      // A pipeline for another sound is one of its own: our assumption.
      overlaps = false
      obstacle = reason
      pause = settings.pipeline.build
    }
  }
}

/// An end that was reached and that nothing has followed yet.
struct PendingTransition: Hashable {
  var from: Int32
  var goesRound: Bool
  var instant: Instant
  /// Whether the player has waited for media since.
  var hasWaited = false
  /// Whether the rate was set to zero at the end.
  var hasPaused = false
  /// The audible duration of the frames that the encoders added.
  var silence = MediaTime.zero
  /// The reason that kept the next item from being prepared.
  var obstacle: ItemTransition.Reason?

  /// The effect of the transition after a gap that the viewer notices.
  func kind(_ gap: TimeSpan) -> ItemTransition.Kind {
    if gap > .zero { return hasWaited ? .buffering : .hiccup }
    return silence > .zero ? .audibleGlitch : .seamless
  }

  /// The reason why the transition to an item is noticed after a gap; nil where it is not.
  func reason(_ gap: TimeSpan, to item: Int32) -> ItemTransition.Reason? {
    if gap <= .zero { return silence > .zero ? .encoderPadding : nil }
    if hasPaused, !hasWaited, from != item { return .pausedAtEnd }
    if let obstacle { return obstacle }
    if hasWaited { return .notLoaded }
    return from == item ? .goesBack : .notPrepared
  }
}

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
    guard let choice = old.loader.stream?.choice, let variant = choice.loaded ?? choice.current
    else { return nil }
    return AudioContinuity(
      first.presentation, variant: variant, language: first.audioLanguage,
      strictness: settings.gaplessStrictness)
  }

  /// The gravest difference between the sound and that of the variant that the second of the two
  /// begins with; nil where the sound goes on.
  var obstacle: ItemTransition.Reason? {
    guard let sound else { return .otherSound }
    let (chosen, language) = (next.loader.stream?.choice.first, second.audioLanguage)
    if chosen == nil {
      let constraints = next.loader.stream?.settings.constraints ?? second.constraints
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

  /// Tells the next stream what plays before it, as long as it has not chosen its first variant.
  static func prepare(from old: PlayerItem, to next: PlayerItem, _ settings: PlayerSettings) {
    guard let loader = next.stream, loader.choice.current == nil,
      let boundary = StreamBoundary(from: old, to: next, settings)
    else { return }
    loader.choice.soundBefore = boundary.isSupported ? boundary.sound : nil
  }
}
