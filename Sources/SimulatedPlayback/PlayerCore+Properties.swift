package import Autowait
package import LinkConditioner
import StreamingMedia
package import VirtualTime

// What can be read of a player at an instant, under the names that AVPlayer uses.

extension PlayerCore {
  /// What records of its current item name.
  var subject: Subject { Subject(player: index, item: item?.number ?? 0) }

  package var status: ItemStatus { item?.status ?? .unknown }

  package var hasItem: Bool { item != nil }

  package var rate: PlaybackRate { machine.rate }

  package var timebaseRate: PlaybackRate { item?.timebase.rate ?? .zero }

  package var isPlaybackLikelyToKeepUp: Bool { item?.condition.isLikelyToKeepUp ?? false }

  package var isPlaybackBufferFull: Bool { item?.condition.isFull ?? false }

  package var isPlaybackBufferEmpty: Bool { item?.condition.isEmpty ?? true }

  /// The clause of the heuristic behind `isPlaybackLikelyToKeepUp`.
  package var verdict: KeepUpVerdict? { item?.verdict }

  package var timebase: Timebase? { item?.timebase }

  package var itemSettings: ItemSettings? { item?.settings }

  /// Nil without an item, and while nobody has said where a live stream ends.
  package var duration: MediaTime? {
    item.flatMap { $0.loader.isEndKnown ? $0.duration : nil }
  }

  package func currentTime(at now: Instant) -> MediaTime {
    item?.time(at: now) ?? .zero
  }

  package func loadedTimeRanges(at now: Instant) -> [Range<MediaTime>] {
    item?.loader.loadedTimeRanges(at: now) ?? []
  }

  /// The end of the contiguous media that begins at the playhead.
  package func loadedEnd(at now: Instant) -> MediaTime {
    item?.loadedEnd(at: now) ?? .zero
  }

  /// When the media before a position will all be there, as things are going.
  package func instant(loading time: MediaTime, after now: Instant) -> Instant {
    guard let item else { return .distantFuture }
    if item.loadedEnd(at: now) >= time { return now }
    return item.loader.instant(loading: time, after: now)
  }

  /// When that much media will be ahead of the playhead, as things are going.
  package func instant(leading media: MediaTime, after now: Instant) -> Instant {
    guard let item else { return .distantFuture }
    if item.loadedEnd(at: now) - item.time(at: now) >= media { return now }
    return item.loader.instant(leading: media, item.playhead(nil), after: now)
  }

  /// When the playhead will be at a position, as things are going.
  package func instant(reaching time: MediaTime, after now: Instant) -> Instant {
    guard let item else { return .distantFuture }
    if item.time(at: now) >= time { return now }
    if item.timebase.rate.isZero { return .distantFuture }
    return max(now, item.timebase.instant(reaching: time))
  }

  package func bytesTransferred(at now: Instant) -> Int64 {
    let ofAsset = asset?.loader.received(at: now) ?? 0
    if settings.hasQueue { return shelf.figures(at: now).bytes + ofAsset }
    return (item?.loader.received(at: now) ?? 0) + ofAsset
  }

  /// How often a segment of another variant than the one before came into the buffer.
  package var variantSwitchCount: Int64 { counts.variantSwitches }

  /// Whether the timebase moves without regard to what is loaded: on an external timeline that ran
  /// ahead of its media, or past the end.
  package var isFreeOfMedia: Bool { item.map { $0.isStarved || $0.isPastEnd } ?? false }

  /// Whether nothing is left to play.
  package var isAtEnd: Bool { item?.condition.isAtEnd ?? false }

  /// The request by which the buffer of a stream last grew, and when; nil for a file, whose buffer
  /// grows all the time.
  package var latestGain: (id: TransferID, instant: Instant)? { item?.loader.latestGain }

  package var requestCount: Int64 {
    counts.requests + (asset?.loader.requestCount ?? 0)
  }

  /// Of the current item, or of all that ever stood in the queue.
  var counts: MediaFigures {
    if settings.hasQueue { return shelf.counts }
    return item.map { MediaFigures(countsOf: $0.loader) } ?? MediaFigures()
  }
}

// MARK: - For whoever runs the player

extension PlayerCore {
  package var hasFailed: Bool { status.isFailed }

  /// Whether it neither moves nor waits for anything but further items.
  package var isAtRest: Bool { machine.control == .paused || hasPlayedOut }

  /// Whether media comes in for an item that is not current yet.
  package var isLoadingAhead: Bool { loading != nil }

  package func booksBalance(at now: Instant) -> Bool {
    books.balances(at: now, since: began)
  }

  /// Whether the playhead stands where the books of its media say.
  package func mediaBalances(at now: Instant) -> Bool {
    books.mediaBalances(item?.timebase ?? Timebase(), at: now)
  }
}
