public import Autowait
package import PlayerPolicies
public import StreamingMedia
public import VirtualTime

/// The settings that a player is made with.
public struct PlayerSettings: Hashable, Sendable {
  public var contract: Contract
  /// The client of the player: the app itself, or a framework that always waits.
  public var client = PlayerClient.avFoundation
  /// `automaticallyWaitsToMinimizeStalling`; nil leaves it to the contract.
  public var waitsAutomatically: Bool?
  public var defaultRate = PlaybackRate.normal
  /// Nil: a queue advances, a single item pauses. Neither default could be verified.
  public var actionAtItemEnd: ActionAtItemEnd?
  /// Whether it keeps a play queue, as AVQueuePlayer does.
  public var hasQueue = false
  /// The length of `evaluatingBufferingRate`: our assumption, Apple says "brief".
  public var evaluationPeriod: TimeSpan
  public var pipeline: PipelineCosts
  public var latency: AppLatency
  /// The pixels of the layer that is attached from the beginning; nil for none.
  public var layer: PixelSize?
  /// Whether sample rates and bit depths have to be alike for a stream to follow without a gap.
  public var gaplessStrictness = GaplessStrictness.strict
  /// The player's priority on the link among the players of the app.
  public var networkResourcePriority = NetworkResourcePriority.standard
  /// The display that shows the video; nil where that is of no interest.
  public var display: Display?
  /// The policy: the player's estimates and decisions.
  package var policy = PolicyPreset.avfoundation.description

  public init(
    contract: Contract = .current, waitsAutomatically: Bool? = nil,
    evaluationPeriod: TimeSpan = .zero, pipeline: PipelineCosts = .none,
    latency: AppLatency = .none
  ) {
    self.contract = contract
    self.waitsAutomatically = waitsAutomatically
    self.evaluationPeriod = evaluationPeriod
    self.pipeline = pipeline
    self.latency = latency
  }
}

// "There will be latency due to the time it takes for the notification to reach your program and
// for your second player requests to get back to the playback system" (WWDC16 503).
/// Latency between the app and the player; none unless it is set, as Apple gives no figures.
public struct AppLatency: Hashable, Sendable {
  /// From something happening in the player until the app hears of it.
  public var notification: TimeSpan
  /// From a call of the app until the player acts.
  public var command: TimeSpan

  public init(notification: TimeSpan = .zero, command: TimeSpan = .zero) {
    self.notification = notification
    self.command = command
  }

  /// From something happening until the player acts on the app's answer.
  package var both: TimeSpan { notification + command }

  public static let none = AppLatency()
}

extension PlayerSettings {
  /// The value of `automaticallyWaitsToMinimizeStalling` before the app sets it.
  var waitsByDefault: Bool { waitsAutomatically ?? (contract.waitsByDefault || client.waitsAlways) }

  func waits(for kind: MediaKind, property waits: Bool) -> Bool {
    client.waitsAlways && !contract.waitsByDefault || contract.waits(for: kind, property: waits)
  }
}

/// The reason why a player refuses a call, which AVPlayer answers with an exception.
public enum PlayerError: Error, Hashable, Sendable {
  /// `setRate(_:time:atHostTime:)` while `automaticallyWaitsToMinimizeStalling` is true.
  case waitsAutomatically
  /// The same without a current item; that it is refused is our assumption.
  case needsItem
  /// A seek or a tie to a time before zero, or a tie to none that is finite.
  case negativeTime
  /// An end action that only a queue can take.
  case advanceNeedsQueue
  /// A call that only a player with a queue takes.
  case needsQueue
  /// An item stands in the queue once at most.
  case alreadyEnqueued
  /// The item to insert behind is not in the queue.
  case notEnqueued
  case belongsToAnotherPlayer
  /// A preroll while the app asks for motion.
  case prerollNeedsPause
  /// A feature that the SDK the app is linked against does not have yet.
  case unknownToSDK
}

/// `AVPlayer.networkResourcePriority`: who comes first among the players of an app.
///
/// Apple says no more than that. That the bandwidth is shared by weight, 1 : 2 : 4, and the weights
/// themselves are our assumptions.
public enum NetworkResourcePriority: String, Hashable, Sendable, CaseIterable {
  case low
  case standard = "default"
  case high

  /// The number of shares of the link that a request has.
  package var weight: Int32 {
    switch self {
    case .low: 1
    case .standard: 2
    case .high: 4
    }
  }
}

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

  /// Changes what the choice of variants goes by; a file has none to choose from.
  package mutating func constrain(_ change: (inout VariantConstraints) -> Void) {
    guard case .stream(var settings) = self else { return }
    change(&settings.constraints)
    self = .stream(settings)
  }

  package var file: MediaFile? {
    switch self {
    case .local(let file), .progressive(let file): file
    case .stream: nil
    }
  }
}

/// The settings of a streamed item.
public struct StreamSettings: Hashable, Sendable {
  public var presentation: Presentation { didSet { prepared.plan = nil } }
  /// The rule for the first variant; nil leaves it to the player's policy.
  public var initialRule: InitialVariantRule?
  /// The link's bit rate as the previous playback observed it, in bit/s; nil where there was none.
  public var observedBitRate: Int64?
  public var constraints = VariantConstraints() { didSet { prepared.plan = nil } }
  /// The rule for the next variant, and for giving up a segment for a lower one; nil: the policy's.
  public var adaptation: AdaptationRule?
  /// The content encoding of playlists: plain or gzip.
  public var playlistEncoding: PlaylistEncoding
  public var keyExchange: KeyExchange
  /// `AVAssetResourceLoader.preloadsEligibleContentKeys`.
  public var preloadsKeys = false
  public var audioLanguage: String? { didSet { prepared.plan = nil } }
  public var subtitleLanguage: String? { didSet { prepared.plan = nil } }
  /// The forward buffer when the app sets none; nil leaves it to the policy.
  public var automaticForwardBuffer: MediaTime?
  /// The live stream that publishes the presentation as it is watched; nil where it is all there.
  public var live: LiveStream? { didSet { prepared.plan = nil } }
  /// The encoder's padding of the audio; nil where it is unknown.
  public var encoderPadding: EncoderPadding?
  public var errors = StreamErrorPolicy()
  /// Whether the player has the playlists before it begins; of no meaning for a live stream.
  public var hasPlaylists = false { didSet { prepared.plan = nil } }
  private var prepared = PreparedPlan()

  public init(
    presentation: Presentation, initialRule: InitialVariantRule? = nil,
    adaptation: AdaptationRule? = nil, playlistEncoding: PlaylistEncoding = .plain,
    keyExchange: KeyExchange = KeyExchange(), live: LiveStream? = nil
  ) {
    self.presentation = presentation
    self.initialRule = initialRule
    self.adaptation = adaptation
    self.playlistEncoding = playlistEncoding
    self.keyExchange = keyExchange
    self.live = live
  }

  /// What the settings come to for a player.
  var plan: StreamPlan { prepared.plan ?? StreamPlan(self) }

  /// Works out the plan once, for all players that are given these settings.
  package mutating func prepare() { prepared.plan = StreamPlan(self) }
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
  /// Go by the estimated throughput and the buffer, as the policy of AVPlayer does.
  case throughput
}

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

extension ItemSettings {
  /// Selects a language; false where it is selected already.
  package mutating func select(_ selection: MediaSelection) -> Bool {
    let before = self
    if case .stream(var settings) = source {
      settings.select(selection)
      source = .stream(settings)
    } else {
      switch selection.kind {
      case .main: break
      case .audio: selectedAudio = selection.language
      case .subtitles: selectedSubtitles = selection.language
      }
    }
    return self != before
  }
}
