import Autowait
package import LinkConditioner
import PlayerPolicies
import StreamingMedia
package import VirtualTime

// What can be read of an item at an instant, under the names that AVPlayerItem uses. Of one that no
// player has had yet there is nothing to read.

extension PlayerItem {
  /// Nil while nobody has said where a live stream ends.
  package var knownDuration: MediaTime? {
    opened?.isEndKnown == false ? nil : duration
  }

  package func loadedTimeRanges(at now: Instant) -> [Range<MediaTime>] {
    opened?.loadedTimeRanges(at: now) ?? []
  }

  /// When the media before a position will all be there, as things are going.
  package func instant(loading time: MediaTime, after now: Instant) -> Instant {
    guard let opened else { return .distantFuture }
    return loadedEnd(at: now) >= time ? now : opened.instant(loading: time, after: now)
  }

  /// When that much media will be ahead of the playhead, as things are going.
  package func instant(leading media: MediaTime, after now: Instant) -> Instant {
    guard let opened else { return .distantFuture }
    if loadedEnd(at: now) - time(at: now) >= media { return now }
    return opened.instant(leading: media, playhead(nil), after: now)
  }

  /// When the playhead will be at a position, as things are going.
  package func instant(reaching time: MediaTime, after now: Instant) -> Instant {
    if self.time(at: now) >= time { return now }
    if timebase.rate.isZero { return .distantFuture }
    return max(now, timebase.instant(reaching: time))
  }

  /// The facts from which every later position follows while they stay as they are.
  package func course() -> PlayheadCourse {
    PlayheadCourse(
      item: ObjectIdentifier(self), timebase: timebase, sitsAt: sitsAt, end: end,
      isPastEnd: isPastEnd)
  }

  /// Whether media comes in along a line, and not in whole segments.
  package var comesAlongLine: Bool { opened?.isFile ?? false }

  /// Whether the timebase moves without regard to what is loaded: on an external timeline that ran
  /// ahead of its media, or past the end.
  package var isFreeOfMedia: Bool { isStarved || isPastEnd }

  /// Whether nothing is left to play.
  package var isAtEnd: Bool { condition.isAtEnd }

  /// The request by which the buffer of a stream last grew, and when; nil for a file, whose buffer
  /// grows all the time.
  package var latestGain: (id: TransferID, instant: Instant)? { opened?.latestGain }

  // MARK: Variants

  /// The variant that the next segment is taken from, in playlist order; nil before the first
  /// choice.
  package var variant: Int? { opened?.variant }

  /// The variant that plays; nil for a file, and where nothing is loaded under the playhead.
  package func playingVariant(at now: Instant) -> Int? {
    opened?.mainBuffer?.variant(at: time(at: now))
  }

  /// When another variant will play, as things are going.
  func playsOtherVariant(after now: Instant) -> Instant {
    if timebase.rate.isZero { return .distantFuture }
    guard let end = opened?.mainBuffer?.variantEnd(after: time(at: now)) else {
      return .distantFuture
    }
    return timebase.instant(reaching: end)
  }

  // AVPlayerItemAccessLogEvent.indicatedBitrate: what the playlist advertises.
  /// The bit rate that the playlist declares for the variant, in bit/s.
  package var indicatedBitRate: Int64? { opened?.indicatedBitRate }

  /// The throughput as the segments that came in show it, in bit/s.
  package var observedBitRate: Int64? { opened?.observedBitRate }

  // MARK: Live

  /// Bytes of what is loaded ahead of the playhead.
  package func bytesAhead(at now: Instant) -> Int64 {
    loader.bytesAhead(of: time(at: now), at: now)
  }

  /// How far the playhead is behind what is being encoded; nil where nothing is live.
  package func timeOffsetFromLive(at now: Instant) -> MediaTime? {
    guard let live = opened?.live?.live, live.hasBegun else { return nil }
    return min(live.stream.produced(at: now), settings.source.duration) - time(at: now)
  }

  // recommendedTimeOffsetFromLive: "based on observed network conditions". That these are the
  // longest stall so far is our assumption.
  /// What the server recommends, and what would have outlasted the longest stall; nil where nothing
  /// is live.
  package var recommendedTimeOffsetFromLive: MediaTime? {
    guard let loader = opened?.live, let live = loader.live,
      let offset = LivePlace(loader)?.recommendedOffset
    else { return nil }
    return offset + MediaTime(nanoseconds: live.memory.longestStall.nanoseconds)
  }

  /// Where a seek may go.
  package var seekableTimeRanges: [Range<MediaTime>] {
    guard let loader = opened?.live else {
      return status == .unknown ? [] : [.zero..<duration]
    }
    guard let range = LivePlace(loader)?.seekableRange, !range.isEmpty else { return [] }
    return [range]
  }
}

// What is said of an item that goes.

extension PlayerItem {
  /// Says that its timebase stops, before it is left.
  func noteStopped(at now: Instant, on stage: inout Stage) {
    if timebase.rate.isZero { return }
    stage.log.note(.timebase(.zero, from: timebase.anchorTime), of: subject, at: now)
  }

  /// Says that nothing holds any more of what was said of it.
  func noteGone(at now: Instant, on stage: inout Stage) {
    if !condition.isEmpty { stage.log.note(.bufferEmpty(true), of: subject, at: now) }
    if condition.isFull { stage.log.note(.bufferFull(false), of: subject, at: now) }
    if !condition.isLikelyToKeepUp { return }
    stage.log.note(
      .likelyToKeepUp(false, .nothingLoaded, loadedEnd: timebase.anchorTime, estimate: nil),
      of: subject, at: now)
  }
}

/// The facts from which every later position of a playhead follows.
package struct PlayheadCourse: Equatable {
  let item: ObjectIdentifier
  let timebase: Timebase
  let sitsAt: MediaTime?
  let end: MediaTime
  let isPastEnd: Bool
}
