public import VirtualTime

package struct FetchSeat: Hashable, Sendable {
  package var ofFiles = FetchRule.unlimited
  package var ofStreams = FetchRule.unlimited
}

/// The read-ahead limits, and the behaviour of a player at them.
@usableFromInline package struct FetchRule: Hashable, Sendable {
  package enum AtLimit: Hashable, Sendable {
    /// Reading is suspended, and goes on when enough has been played.
    case suspends
    /// The request is cancelled, and opened again for the rest: that much later at the earliest,
    /// and once enough has been played. Segments are never cancelled.
    case reopens(after: TimeSpan)
  }

  /// Nil for no limit.
  @usableFromInline package var media: MediaTime?
  package var bytes: Int64?
  /// Media that is read ahead whatever its bytes, which count as media of the declared bit rate of
  /// the variant that is loaded; nil where bytes are a limit of their own.
  package var leastMedia: MediaTime?
  /// The share of the limit, in percent, down to which the buffer drains before reading of a file
  /// resumes; segments are requested one by one, as soon as there is room.
  ///
  /// A quarter less is our assumption: with equal marks reading would stop and go on for ever.
  package var refillPercent: Int64 = 75
  package var atLimit = AtLimit.suspends
  /// Whether a request is opened again before the first start alone: later reading is suspended.
  package var reopensOnce = false
  /// Whether the segment to be asked for must find room below the limit.
  @usableFromInline package var countsNext = false
  /// With a full buffer, or a track that waits for another, a player that sleeps looks only so
  /// often whether there is room, counted from when there was none; what is at the limit is not
  /// beyond it then. Zero looks at once.
  @usableFromInline package var sleeps = TimeSpan.zero
  /// Segments that a separate rendition may lie beyond the loaded end of the main track
  /// when its next one is requested; nil for any number.
  @usableFromInline package var trackLead: Int64?
  @usableFromInline package var order = TrackOrder.audioWaits
  /// Segments a separate rendition may have ahead of the playhead however little video is loaded.
  @usableFromInline package var trackFloor: Int64 = 0
  /// Wasted first bytes of a file: a connection thrown away once the player knows what the file is.
  package var discards: Int64 = 0
  /// The same of a file whose index lies behind the media, on top: it is begun anew with that.
  package var discardsIfIndexLast: Int64 = 0
  /// A segment counts when so many bytes of the next one, or all of that, have arrived: a demuxer
  /// keeps back the end of its media until it sees what follows.
  package var lookahead: Int64 = 0
  /// Whether it does so with the first segment alone, to find out what is in the stream.
  package var looksAheadOnce = false
  /// Segments of the main track requested side by side, beyond the first; they are there together.
  package var sideBySide: Int64 = 1
  /// The size of the blocks, in bytes of the stream, in which a segment is read: a block counts
  /// once it is complete. Zero counts each byte on arrival.
  package var blocks: Int64 = 0
  /// What has come of a segment of interleaved media counts, from so many bytes of the first one
  /// on; nil where a segment counts when it is whole.
  package var interleavedFrom: Int64?

  package static let unlimited = FetchRule()

  /// The limit that what is ahead has reached; nil where there is room.
  ///
  /// - Parameter isReading: Whether it reads now: between its two marks a player goes on as before.
  package func limit(
    reachedBy ahead: @autoclosure () -> MediaTime, isReading: Bool, bytes: () -> Int64
  ) -> FetchClause? {
    if let media, isBeyond(ahead().nanoseconds, media.nanoseconds, isReading) {
      return .mediaLimit
    }
    if let limit = self.bytes, isBeyond(bytes(), limit, isReading) { return .byteLimit }
    return nil
  }

  /// The part of a limit that may be left when reading resumes.
  package func refill(_ limit: Int64) -> Int64 {
    scaled(limit, by: refillPercent, over: 100, rounding: .down)
  }

  private func isBeyond(_ ahead: Int64, _ limit: Int64, _ isReading: Bool) -> Bool {
    isReading ? ahead >= limit : ahead > refill(limit)
  }

  /// The limits while a variant of a ladder is loaded.
  package func loading(_ rung: Int?, of ladder: @autoclosure () -> Ladder) -> FetchRule {
    guard let leastMedia, let bytes, let rung else { return self }
    let rate = max(1, ladder().rungs[rung].bandwidth)
    let worth = scaled(bytes, by: 8_000_000_000, over: rate, rounding: .down)
    var rule = self
    rule.media = min(max(leastMedia, MediaTime(nanoseconds: worth)), media ?? .distantFuture)
    rule.bytes = nil
    return rule
  }

  /// The most media that may be ahead when a segment is asked for; nil without a limit.
  @inlinable @inline(__always)
  package func most(before segment: MediaTime) -> MediaTime? {
    guard let media else { return nil }
    if countsNext { return max(.zero, media - segment) }
    return sleeps > .zero ? media : media - MediaTime(nanoseconds: 1)
  }

  /// The playhead from which on a track has room for its next segment; nil without a limit.
  @inlinable @inline(__always)
  package func place(makingRoomFor next: MediaTime, behind end: MediaTime) -> MediaTime? {
    most(before: next).map { end - $0 }
  }

  /// Whether a track waits with its next segment until another one has more.
  ///
  /// - Parameters:
  ///   - end: The loaded end of the track.
  ///   - other: The loaded end of the other track: video's, for a separate rendition.
  ///   - playhead: The playhead, for a separate rendition; nil for video, which has no floor.
  @inlinable @inline(__always)
  package func holdsBack(
    _ next: MediaTime, behind end: MediaTime, other: MediaTime, from playhead: MediaTime?
  ) -> Bool {
    guard let trackLead else { return false }
    if trackFloor > 0, let playhead,
      (end - playhead).nanoseconds <= next.nanoseconds * trackFloor
    {
      return false
    }
    return (end - other).nanoseconds > next.nanoseconds * trackLead
  }

  /// The first look at or after an instant with room; looks are counted from the full buffer.
  package func look(from room: Instant, since full: Instant) -> Instant {
    room <= full || room == .distantFuture ? room : room.rounded(upTo: sleeps, from: full)
  }
}

/// The tracks that wait for another one.
@usableFromInline package enum TrackOrder: String, Hashable, Sendable, CaseIterable {
  /// Separate renditions, as `trackLead` says.
  case audioWaits
  /// The second segment of a separate rendition waits for the first of video as well.
  case videoFirst
  /// Video waits for separate audio by the same lead.
  case bothWait
}

/// The clause of a fetch rule that decided.
public enum FetchClause: String, Hashable, Sendable, CaseIterable {
  case room
  case mediaLimit
  case byteLimit
  case everythingLoaded
}
