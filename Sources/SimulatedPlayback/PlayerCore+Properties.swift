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

  /// Media between the playhead and the loaded edge.
  package func ahead(at now: Instant) -> MediaTime {
    max(.zero, loadedEnd(at: now) - currentTime(at: now))
  }

  /// What came in over the link, of all that was ever this player's.
  package func bytesTransferred(at now: Instant) -> Int64 { queue.figures(at: now).bytes }

  /// What else it cost, the bytes aside.
  package var counts: MediaFigures { queue.counts }
}

/// What became of playback.
public enum PlaybackOutcome: String, Hashable, Sendable, CaseIterable {
  /// It began, and nothing held it up in the end.
  case played
  /// The item that was to be played last could not be, or not to its end.
  case failed
  /// Nothing ever moved.
  case neverPlayed
  /// It was to go on in the end, and stood still.
  case stalled

  /// What has become of a player's up to now.
  package init(of player: PlayerCore) {
    let books = player.books
    if player.status.isFailed || books.endedInFailure {
      self = .failed
      return
    }
    if !books.hasStarted {
      self = .neverPlayed
      return
    }
    // What is held up from outside has not stalled, and a start that nobody asks for is none.
    let isHeldUp = player.machine.suspensions.reason != nil
    let isAsked = player.hasItem && player.machine.control != .paused
    switch player.machine.waitsOut {
    case .resume: self = .stalled
    case .seek: self = isHeldUp ? .played : .stalled
    case .start: self = isAsked && !isHeldUp ? .stalled : .played
    case .goOn, nil: self = .played
    }
  }
}

// MARK: - For whoever runs the player

extension PlayerCore {
  package var hasFailed: Bool { status.isFailed }

  /// The user asks the app for something, which it will ask of the player.
  package func userTapped(at now: Instant) { playback.books.userTapped(at: now) }

  /// Whether a seek is under way.
  package var isSeeking: Bool { item?.pendingSeek != nil }

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

  /// What it does before media moves, and how often it has.
  package var pipeline: Pipeline { playback.pipeline }

  /// Whether the timebase stands for no other reason than work on the pipeline.
  package var awaitsPipeline: Bool { playback.awaitsPipeline }

  /// How far the app is, as far as anything is said of it.
  package var latency: AppLatency { settings.latency }
}
