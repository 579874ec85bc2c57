public import LinkConditioner
public import SimulatedPlayback
public import VirtualTime

/// What was loaded up to the moment at which playback first moved, and what that moment waited for.
public struct StartupReport: Hashable, Sendable {
  /// The requests in the order in which they were made.
  public var stages: [StartupStage] = []
  /// When the app first asked to play; nil if it never did.
  public var asked: Instant?
  /// When playback first moved; nil if it never did.
  public var began: Instant?
  /// What came one after the other between the two, without gaps.
  public var path: [StartupPiece] = []

  /// How many requests, each waiting for the one before it, the start waited for.
  public var stageCount: Int64 {
    Int64(path.count { if case .request = $0.cause { true } else { false } })
  }
}

/// A request of the startup.
public struct StartupStage: Hashable, Sendable {
  public var id: TransferID
  /// What it was for; nil for a part of a file.
  public var resource: ResourceKind?
  public var track: TrackKind?
  /// The byte of a file that it begins with.
  public var firstByte: Int64
  /// Whether it is the head atom of a file that has it behind its media.
  public var isHeadAtom = false
  /// The size of what was asked for; nil for a file, which is read as far as it is wanted.
  public var bytes: Int64?
  public var requested: Instant
  /// When its first byte was there; nil if it never was.
  public var responded: Instant?
  /// When it was over; nil if it still went on at the start of playback.
  public var ended: Instant?
  public var outcome: Outcome
  /// The request that let it begin; nil where the app did, or the buffer's room.
  public var after: TransferID?
  /// The request that broke and whose place it took.
  public var retries: TransferID?
  /// What the link knows of its steps.
  public var timings: RequestTimings?
  /// Whether the start waited for it.
  public var isOnPath = false

  public enum Outcome: Hashable, Sendable {
    case underWay
    case completed
    case cancelled
    case failed
  }
}

/// A stretch of the time from the tap to the first motion, and what was waited for in it.
public struct StartupPiece: Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    case request(TransferID)
    /// What broke was not tried again at once.
    case retry
    /// The player evaluated the buffering rate.
    case evaluation
    /// The pipeline was being set up.
    case pipeline
    /// Everything was there or asked for that could be: the app was to go on.
    case app
  }

  public var cause: Cause
  public var start: Instant
  public var end: Instant

  public var span: TimeSpan { end - start }
}
