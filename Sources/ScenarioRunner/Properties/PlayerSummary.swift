import LinkConditioner
import SimulatedPlayback
import StreamingMedia
package import VirtualTime

/// What is booked of one player, from which its figures are read.
package struct PlayerSummary: Hashable, Sendable {
  package var startupDelay: TimeSpan?
  package var stallCount: Int64
  package var stalled: TimeSpan
  package var waiting: TimeSpan
  package var played: TimeSpan
  package var paused: TimeSpan
  package var seekWaiting: TimeSpan
  package var bytesTransferred: Int64
  /// What of that were parts of segments that were given up.
  package var bytesAbandoned: Int64
  /// What delta updates left out of live playlists.
  package var playlistBytesSaved: Int64
  package var requestCount: Int64
  package var variantSwitchCount: Int64
  /// Time in which it played and its pipeline was not ready, after the first motion.
  package var pipeline: TimeSpan
  /// How often media moved again after an end, and how long it stood until then.
  package var transitionCount: Int64
  package var totalGap: TimeSpan
  /// How often what goes round has come round.
  package var loopCount: Int64
  /// The most items that stood in its queue at a time; zero without a queue.
  package var longestQueue: Int64
  /// Played media whose picture, or sound, had ended before.
  package var emptyVideo: MediaTime
  package var silentAudio: MediaTime

  /// What its author should think over.
  package var warnings: [String] {
    // "The play queue is not a playlist. Please do not load the next 10,000 items" (WWDC16 503).
    longestQueue > PlayerSummary.manyItems
      ? [
        "\(longestQueue) items stood in the play queue at a time: it is for the next few, and "
          + "loads them all"
      ] : []
  }

  /// More than "a small number" of items: the bound is our assumption.
  private static let manyItems: Int64 = 100
  /// How far a live stream is behind what is being encoded; nil where nothing is live.
  package var timeOffsetFromLive: MediaTime?
  /// Bits of the media per second of it; nil where none is known.
  package var averageBitRate: BitRate?

  /// Stalled over stalled plus played, in parts per million.
  package var rebufferShare: Int64 {
    let whole = stalled + played
    if whole == .zero { return 0 }
    return scaled(
      stalled.nanoseconds, by: 1_000_000, over: whole.nanoseconds, rounding: .down)
  }
}

extension PlayerSummary {
  init(_ core: PlayerCore, at now: Instant) {
    let books = core.books
    startupDelay = books.startupDelay
    stallCount = books.stallCount
    stalled = books.stalled
    waiting = books.waiting
    played = books.played
    paused = books.paused
    seekWaiting = books.seekWaiting
    bytesTransferred = core.bytesTransferred(at: now)
    bytesAbandoned = core.bytesAbandoned
    playlistBytesSaved = core.playlistBytesSaved
    requestCount = core.requestCount
    variantSwitchCount = core.variantSwitchCount
    pipeline = books.pipeline
    transitionCount = books.transitionCount
    totalGap = books.totalGap
    loopCount = books.loopCount
    longestQueue = core.longestQueue
    emptyVideo = books.emptyVideo
    silentAudio = books.silentAudio
    timeOffsetFromLive = core.currentItem?.timeOffsetFromLive(at: now)
    averageBitRate =
      core.currentItem?.settings.source.averageBitRate
      ?? core.indicators(at: now).averageBitrate.map { .bitsPerSecond($0) }
  }
}
