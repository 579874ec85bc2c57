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
  public var defaultRate: PlaybackRate
  /// Nil leaves it to the player: a queue advances, a single item pauses. Neither default could be
  /// verified.
  public var actionAtItemEnd: ActionAtItemEnd?
  /// Whether it keeps a play queue, as AVQueuePlayer does.
  public var hasQueue: Bool
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
    defaultRate: PlaybackRate = .normal, actionAtItemEnd: ActionAtItemEnd? = nil,
    hasQueue: Bool = false,
    evaluationPeriod: TimeSpan = .zero, pipeline: PipelineCosts = .none,
    latency: AppLatency = .none
  ) {
    self.contract = contract
    self.waitsAutomatically = waitsAutomatically
    self.defaultRate = defaultRate
    self.actionAtItemEnd = actionAtItemEnd
    self.hasQueue = hasQueue
    self.evaluationPeriod = evaluationPeriod
    self.pipeline = pipeline
    self.latency = latency
  }
}

// "There will be latency due to the time it takes for the notification to reach your program and
// for your second player requests to get back to the playback system" (WWDC16 503).
/// How far the app is from the player; nothing unless it is set, as Apple gives no figures.
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
  var waitsByDefault: Bool {
    waitsAutomatically ?? (contract.waitsByDefault || frameworkWaits)
  }

  /// Whether the player waits with a kind of media when its property says `waits`.
  func waits(for kind: MediaKind, property waits: Bool) -> Bool {
    if frameworkWaits && !contract.waitsByDefault { return true }
    return contract.waits(for: kind, property: waits)
  }

  private var frameworkWaits: Bool { client.waitsAlways }
}

/// The reason why a player refuses a call, which AVPlayer answers with an exception.
public enum PlayerError: Error, Hashable, Sendable {
  /// `setRate(_:time:atHostTime:)` while `automaticallyWaitsToMinimizeStalling` is true.
  case waitsAutomatically
  /// A seek to a time before zero.
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
