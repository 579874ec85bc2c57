public import Autowait
public import StreamingMedia
public import VirtualTime

/// What a player is made with.
public struct PlayerSettings: Hashable, Sendable {
  public var contract: Contract
  /// What plays it: the app itself, or a framework that always waits.
  public var client = PlayerClient.avFoundation
  /// `automaticallyWaitsToMinimizeStalling`; nil leaves it to the contract.
  public var waitsAutomatically: Bool?
  public var defaultRate: PlaybackRate
  public var actionAtItemEnd: ActionAtItemEnd
  /// How long `evaluatingBufferingRate` lasts; the length is our assumption, Apple says "brief".
  public var evaluationPeriod: TimeSpan
  public var pipeline: PipelineCosts
  /// Whether a layer is attached from the beginning.
  public var hasLayer = false
  /// How it shares the link with other players of the app.
  public var networkResourcePriority = NetworkResourcePriority.standard
  /// What shows the picture; nil where that is of no interest.
  public var display: Display?
  /// What this player does not do, though players do.
  public var without: BehaviourSet

  public init(
    contract: Contract = .current, waitsAutomatically: Bool? = nil,
    defaultRate: PlaybackRate = .normal, actionAtItemEnd: ActionAtItemEnd = .pause,
    evaluationPeriod: TimeSpan = .zero, pipeline: PipelineCosts = .none,
    without: BehaviourSet = BehaviourSet()
  ) {
    self.contract = contract
    self.waitsAutomatically = waitsAutomatically
    self.defaultRate = defaultRate
    self.actionAtItemEnd = actionAtItemEnd
    self.evaluationPeriod = evaluationPeriod
    self.pipeline = pipeline
    self.without = without
  }
}

extension PlayerSettings {
  /// What `automaticallyWaitsToMinimizeStalling` is before the app sets it.
  var waitsByDefault: Bool {
    waitsAutomatically ?? (contract.waitsByDefault || frameworkWaits)
  }

  /// Whether the player waits with a kind of media when its property says `waits`.
  func waits(for kind: MediaKind, property waits: Bool) -> Bool {
    if frameworkWaits && !contract.waitsByDefault { return true }
    if without.contains(.streamWaiting) && !contract.waitsByDefault { return false }
    return contract.waits(for: kind, property: waits)
  }

  private var frameworkWaits: Bool {
    client.waitsAlways && !without.contains(.frameworkWaiting)
  }
}

/// Why a player refuses a call: what AVPlayer answers with an exception.
public enum PlayerError: Error, Hashable, Sendable {
  /// `setRate(_:time:atHostTime:)` while `automaticallyWaitsToMinimizeStalling` is true.
  case waitsAutomatically
  /// A seek to a time before zero.
  case negativeTime
  /// An end action that only a queue can take.
  case advanceNeedsQueue
  /// What the SDK that the app is linked against does not have yet.
  case unknownToSDK
}
