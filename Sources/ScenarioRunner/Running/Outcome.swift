public import Autowait
public import VirtualTime

/// What became of a run.
public struct RunOutcome: Sendable {
  public var end: EndReason
  /// The instant of the last event.
  public var ended: Instant
  public var eventCount: Int64
  public var player: PlayerSummary
  /// The further players, in the order of the file.
  public var others: [NamedSummary]
  /// Of the item that is current in the end.
  public var logs: RunLogs
  /// Of every item that was played, those of the further players after those of the first.
  public var itemLogs: [ItemLogs]
  /// The hash of the trace, without the tool's version and itself; nil when no trace was kept.
  public var digest: String?
  public var trace: [UInt8]
  public var failures: [ExpectationFailure]
  /// What of the run's books does not balance; empty unless the simulator is wrong.
  public var faults: [String]
  /// The states of the player over the run, in order and without gaps.
  public var bands: [StateBand]
  /// The engineering panel at the start, at each change, and at the end.
  public var panels: [Panel]
  /// How much was loaded ahead of the playhead, wherever that may have bent: between two of them
  /// it is a straight line, but for what a file of varying bit rate bends it.
  public var levels: [BufferLevel]
  /// When each step of the script was done; nil for one that was not.
  public var stepInstants: [Instant?]
  /// What was loaded before playback began, and what it waited for.
  public var startup: StartupReport
}

/// Media ahead of the playhead at an instant.
public struct BufferLevel: Hashable, Sendable {
  public var instant: Instant
  public var ahead: MediaTime
}

/// What came of a further player.
public struct NamedSummary: Hashable, Sendable {
  public var name: String
  public var player: PlayerSummary
  /// Its states and its buffer, as those of the first.
  public var bands: [StateBand]
  public var levels: [BufferLevel]
}

/// The figures of one player, under the names of the summary.
public struct PlayerSummary: Hashable, Sendable {
  public var startupDelay: TimeSpan?
  public var stallCount: Int64
  public var stalled: TimeSpan
  public var waiting: TimeSpan
  public var played: TimeSpan
  public var paused: TimeSpan
  public var seekWaiting: TimeSpan
  public var bytesTransferred: Int64
  /// What of that were parts of segments that were given up.
  public var bytesAbandoned: Int64
  /// What delta updates left out of live playlists.
  public var playlistBytesSaved: Int64
  public var requestCount: Int64
  public var variantSwitchCount: Int64
  /// Time in which it played and its pipeline was not ready, after the first motion.
  public var pipeline: TimeSpan
  /// How often media moved again after an end, and how long it stood until then.
  public var transitionCount: Int64
  public var totalGap: TimeSpan
  /// How often what goes round has come round.
  public var loopCount: Int64
  /// The most items that stood in its queue at a time; zero without a queue.
  public var longestQueue: Int64
  /// Played media whose picture, or sound, had ended before.
  public var emptyVideo: MediaTime
  public var silentAudio: MediaTime

  /// What its author should think over.
  public var warnings: [String] {
    // "The play queue is not a playlist. Please do not load the next 10,000 items" (WWDC16 503).
    longestQueue > PlayerSummary.manyItems
      ? [
        "\(longestQueue) items stood in the play queue at a time: it is for the next few, and "
          + "loads them all"
      ] : []
  }

  /// More than "a small number" of items: the bound is our assumption.
  private static let manyItems: Int64 = 100
  /// How far a live stream was behind what is being encoded in the end; nil where nothing is live.
  public var timeOffsetFromLive: MediaTime?
  /// Bits of the media per second of it; nil where none is known.
  public var averageBitRate: BitRate?

  /// Stalled over stalled plus played, in parts per million.
  public var rebufferShare: Int64 {
    let whole = stalled + played
    if whole == .zero { return 0 }
    return scaled(
      stalled.nanoseconds, by: 1_000_000, over: whole.nanoseconds, rounding: .down)
  }
}

/// A stretch of a run in one state, with the buffer at its two ends.
public struct StateBand: Hashable, Sendable {
  public var start: Instant
  public var end: Instant
  public var control: TimeControl
  /// Media ahead of the playhead when it began and when it ended.
  public var aheadAtStart: MediaTime
  public var aheadAtEnd: MediaTime
}

/// The nine properties of the demo's engineering screen, at one instant.
public struct Panel: Hashable, Sendable {
  public var instant: Instant
  public var control: TimeControl
  public var rate: PlaybackRate
  public var timebaseRate: PlaybackRate
  public var currentTime: MediaTime
  public var loadedTimeRanges: [Range<MediaTime>]
  public var isPlaybackLikelyToKeepUp: Bool
  public var isPlaybackBufferFull: Bool
  public var isPlaybackBufferEmpty: Bool
}

/// An expectation that did not come true.
public struct ExpectationFailure: Hashable, Sendable {
  public var position: TextPosition
  /// What was expected, in words.
  public var expected: String
  /// What was so.
  public var actual: String
  /// The lines of the trace around the moment.
  public var context: [String]
}

/// How a scenario is run.
public struct RunOptions: Sendable {
  /// Takes the place of the scenario's own.
  public var heuristic: KeepUpHeuristic?
  /// Whether a trace is written; without one there is no digest either.
  public var keepsTrace: Bool
  /// Whether bands and panels are kept for a screen.
  public var keepsScreen: Bool

  public init(
    heuristic: KeepUpHeuristic? = nil, keepsTrace: Bool = true, keepsScreen: Bool = true
  ) {
    self.heuristic = heuristic
    self.keepsTrace = keepsTrace
    self.keepsScreen = keepsScreen
  }
}
