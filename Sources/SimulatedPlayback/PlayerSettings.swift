public import Autowait
public import StreamingMedia
public import VirtualTime

/// What a player is made with.
public struct PlayerSettings: Hashable, Sendable {
  public var contract: Contract
  /// `automaticallyWaitsToMinimizeStalling`; nil leaves it to the contract.
  public var waitsAutomatically: Bool?
  public var defaultRate: PlaybackRate
  public var actionAtItemEnd: ActionAtItemEnd
  /// How long `evaluatingBufferingRate` lasts; the length is our assumption, Apple says "brief".
  public var evaluationPeriod: TimeSpan
  public var pipeline: PipelineCosts
  /// Whether a layer is attached from the beginning.
  public var hasLayer = false
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
