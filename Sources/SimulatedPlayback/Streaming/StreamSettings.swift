public import StreamingMedia
public import VirtualTime

/// The settings of a streamed item.
public struct StreamSettings: Hashable, Sendable {
  public var presentation: Presentation
  /// The rule for the first variant; nil leaves it to the player's policy.
  public var initialRule: InitialVariantRule?
  /// The link's bit rate as the previous playback observed it, in bit/s; nil where there was none.
  public var observedBitRate: Int64?
  public var constraints: VariantConstraints
  /// The rule for the next variant, and for giving up a segment for a lower one; nil leaves it to
  /// the player's policy.
  public var adaptation: AdaptationRule?
  /// The content encoding of playlists: plain or gzip.
  public var playlistEncoding: PlaylistEncoding
  public var keyExchange: KeyExchange
  /// `AVAssetResourceLoader.preloadsEligibleContentKeys`.
  public var preloadsKeys: Bool
  public var audioLanguage: String?
  public var subtitleLanguage: String?
  /// The forward buffer when the app sets none; nil leaves it to the policy.
  public var automaticForwardBuffer: MediaTime?
  /// The live stream that publishes the presentation as it is watched; nil where it is all there.
  public var live: LiveStream?
  /// The encoder's padding of the audio; nil where it is unknown.
  public var encoderPadding: EncoderPadding?
  public var errors = StreamErrorPolicy()
  /// Whether the player has the playlists before it begins; of no meaning for a live stream.
  public var hasPlaylists = false

  public init(
    presentation: Presentation, initialRule: InitialVariantRule? = nil,
    constraints: VariantConstraints = VariantConstraints(), adaptation: AdaptationRule? = nil,
    playlistEncoding: PlaylistEncoding = .plain, keyExchange: KeyExchange = KeyExchange(),
    preloadsKeys: Bool = false, audioLanguage: String? = nil, subtitleLanguage: String? = nil,
    automaticForwardBuffer: MediaTime? = nil, live: LiveStream? = nil
  ) {
    self.presentation = presentation
    self.initialRule = initialRule
    self.constraints = constraints
    self.adaptation = adaptation
    self.playlistEncoding = playlistEncoding
    self.keyExchange = keyExchange
    self.preloadsKeys = preloadsKeys
    self.audioLanguage = audioLanguage
    self.subtitleLanguage = subtitleLanguage
    self.automaticForwardBuffer = automaticForwardBuffer
    self.live = live
  }
}

/// The cost of fetching a content key, besides the round trip.
public struct KeyExchange: Hashable, Sendable {
  package var bytes: Int64
  package var thinkTime: TimeSpan

  public init(bytes: Int64 = 0, thinkTime: TimeSpan = .zero) {
    self.bytes = bytes
    self.thinkTime = thinkTime
  }
}

/// The rule for the variant of the next segment, in its short form.
public enum AdaptationRule: Hashable, Sendable {
  /// Stay with the first one.
  case fixed
  case throughput(ThroughputRule)
}

/// A rule that goes by the estimated throughput and the buffer; every number is our assumption.
public struct ThroughputRule: Hashable, Sendable {
  /// The share of the estimate that a variant may need, in percent.
  public var safetyPercent: Int64
  /// Forward buffer needed for going up.
  public var upSwitchBuffer: MediaTime
  /// Going down waits while more media than that is ahead.
  public var downSwitchBuffer: MediaTime
  /// A segment is given up when it takes longer by this than what was ahead lasts; nil for never.
  ///
  /// About two seconds were seen (`infinite-streaming`, one harness).
  public var abandonAfter: TimeSpan?
  /// A segment under way is looked at when it has taken this share of what is ahead, in percent:
  /// if it would leave less than a segment's length, it is given up for a lower variant. Nil for
  /// never.
  ///
  /// If the network cannot keep real time, the player "will try and switch down" before it stalls
  /// (WWDC18 502); when it looks is our assumption.
  public var rescuePercent: Int64?

  public init(
    safetyPercent: Int64 = 80, upSwitchBuffer: MediaTime = .seconds(10),
    downSwitchBuffer: MediaTime = .seconds(25), abandonAfter: TimeSpan? = .seconds(2),
    rescuePercent: Int64? = 25
  ) {
    self.safetyPercent = safetyPercent
    self.upSwitchBuffer = upSwitchBuffer
    self.downSwitchBuffer = downSwitchBuffer
    self.abandonAfter = abandonAfter
    self.rescuePercent = rescuePercent
  }
}
