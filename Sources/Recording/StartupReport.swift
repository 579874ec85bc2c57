package import LinkConditioner
package import SimulatedPlayback
package import VirtualTime

/// The requests up to the first motion of playback, and the waits that led to it.
package struct StartupReport: Hashable, Sendable {
  /// The requests in the order in which they were made.
  package var stages: [StartupStage] = []
  /// The instant of the app's first request to play; nil if there was none.
  package var asked: Instant?
  /// The instant of the first motion of playback; nil if there was none.
  package var began: Instant?
  /// The consecutive waits between the two, without gaps.
  package var path: [StartupPiece] = []

  /// The number of sequential requests that the start waited for.
  package var stageCount: Int64 {
    Int64(path.count { if case .request = $0.cause { true } else { false } })
  }
}

/// A request of the startup.
package struct StartupStage: Hashable, Sendable {
  package var id: TransferID
  /// The kind of resource; nil for a part of a file.
  package var resource: ResourceKind?
  package var track: TrackKind?
  /// The byte of a file that it begins with.
  package var firstByte: Int64
  /// Whether it is the head atom of a file that has it behind its media.
  package var isHeadAtom = false
  /// The size of what was asked for; nil for a file, which is read as far as it is wanted.
  package var bytes: Int64?
  package var requested: Instant
  /// The instant of its first byte; nil if there was none.
  package var responded: Instant?
  /// The instant of its end; nil if it still went on at the start of playback.
  package var ended: Instant?
  package var outcome: Outcome
  /// The request that let it begin; nil where the app did, or the buffer's room.
  package var after: TransferID?
  /// The request that broke and whose place it took.
  package var retries: TransferID?
  /// The time of its steps, as far as is known.
  package var steps: RequestSteps?
  /// Whether the start waited for it.
  package var isOnPath = false
  /// The variant of a segment.
  package var variant: Int32?
  /// The media that a segment brings.
  package var media: Range<MediaTime>?
  /// Bytes received when it was over; nil where only the start is followed.
  package var received: Int64?

  package enum Outcome: Hashable, Sendable {
    case underWay
    case completed
    case cancelled
    case failed
  }
}

/// A stretch of the time from the tap to the first motion, and what was waited for in it.
package struct StartupPiece: Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    case request(TransferID)
    /// The delay before a failed request was tried again.
    case retry
    /// The player evaluated the buffering rate.
    case evaluation
    /// The user had paused the start, which is no part of the startup delay.
    case pause
    /// The pipeline was being set up.
    case pipeline
    /// Everything was there or asked for that could be: the app was to go on.
    case app
  }

  package var cause: Cause
  package var start: Instant
  package var end: Instant

  package var span: TimeSpan { end - start }
}
