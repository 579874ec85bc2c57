package import Autowait
import StreamingMedia
package import VirtualTime

// What can be read of a player at an instant, under the names that AVPlayer uses.

extension PlayerCore {
  package var machine: AutowaitMachine { playback.machine }

  package var books: PlayerBooks { playback.books }

  package var waitsProperty: Bool { playback.waitsProperty }

  package var defaultRate: PlaybackRate { playback.defaultRate }

  package var status: ItemStatus { item?.status ?? .unknown }

  package var hasItem: Bool { item != nil }

  package var rate: PlaybackRate { playback.machine.rate }

  package var timebaseRate: PlaybackRate { item?.timebase.rate ?? .zero }

  package var isPlaybackLikelyToKeepUp: Bool { item?.condition.isLikelyToKeepUp ?? false }

  package var isPlaybackBufferFull: Bool { item?.condition.isFull ?? false }

  package var isPlaybackBufferEmpty: Bool { item?.condition.isEmpty ?? true }

  package func currentTime(at now: Instant) -> MediaTime {
    item?.time(at: now) ?? .zero
  }

  /// The end of the contiguous media that begins at the playhead.
  package func loadedEnd(at now: Instant) -> MediaTime {
    item?.loadedEnd(at: now) ?? .zero
  }

  /// What came in over the link, of all that was ever this player's.
  package func bytesTransferred(at now: Instant) -> Int64 { queue.figures(at: now).bytes }

  package var requestCount: Int64 { queue.counts.requests }

  /// How often a segment of another variant than the one before came into the buffer.
  package var variantSwitchCount: Int64 { queue.counts.variantSwitches }

  /// Bytes of segments that were given up before they were whole.
  package var bytesAbandoned: Int64 { queue.counts.bytesAbandoned }

  /// Bytes of playlists that delta updates left out.
  package var playlistBytesSaved: Int64 { queue.counts.playlistBytesSaved }
}

// MARK: - For whoever runs the player

extension PlayerCore {
  package var hasFailed: Bool { status.isFailed }

  /// How many segments, requests and ranges it keeps of what it has open.
  package var keptCount: Int { queue.shelf.open.reduce(0) { $0 + $1.loader.keptCount } }

  /// Whether it neither moves nor waits for anything but further items.
  package var isAtRest: Bool { playback.machine.control == .paused || programme.hasPlayedOut }

  /// Whether media comes in for an item that is not current yet.
  package var isLoadingAhead: Bool { queue.loading != nil }

  package func booksBalance(at now: Instant) -> Bool {
    playback.books.balances(at: now, since: began)
  }

  /// Whether the playhead stands where the books of its media say.
  package func mediaBalances(at now: Instant) -> Bool {
    playback.books.mediaBalances(item?.timebase ?? Timebase(), at: now)
  }

  /// How many items have come so far.
  package var itemCount: Int32 { queue.itemCount }

  /// The most items that stood in the queue at a time.
  package var longestQueue: Int64 { queue.longest }

  /// How often the pipeline was set up.
  package var pipelineBuildCount: Int64 { playback.pipeline.buildCount }

  /// How often it was filled.
  package var prerollCount: Int64 { playback.pipeline.prerollCount }

  /// How often the index of an asset was read through.
  package var parseCount: Int64 { playback.pipeline.parseCount }

  /// Whether the timebase stands for no other reason than work on the pipeline.
  package var awaitsPipeline: Bool { playback.awaitsPipeline }

  /// How far the app is, as far as anything is said of it.
  package var latency: AppLatency {
    var latency = settings.latency
    if settings.without.contains(.notificationLatency) { latency.notification = .zero }
    if settings.without.contains(.commandLatency) { latency.command = .zero }
    return latency
  }
}
