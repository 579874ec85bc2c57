public import VirtualTime

/// A presentation that is published while it is watched.
///
/// Its lists hold the finished presentation; this determines the published part at an instant. The
/// server adds a segment when it is complete, and keeps as many as the window holds.
public struct LiveStream: Hashable, Sendable {
  /// Maximum media duration that the playlists list.
  public enum Window: Hashable, Sendable {
    case sliding(MediaTime)
    // §6.2.1: with EXT-X-PLAYLIST-TYPE:EVENT the server only adds to the end.
    case growing
  }

  public var window: Window
  /// Media duration that exists when the run begins.
  public var startsWith: MediaTime
  /// Pauses of the encoder, in rising order and apart from each other.
  public var stops: [EncoderStop]
  /// HOLD-BACK of EXT-X-SERVER-CONTROL; nil where the playlists do not say.
  public var holdBack: MediaTime?
  /// CAN-SKIP-UNTIL of EXT-X-SERVER-CONTROL: what lies farther from the end than this is left out
  /// of delta updates. Nil where the server makes none.
  public var canSkipUntil: MediaTime?
  /// EXT-X-START; nil where the playlists do not say.
  public var start: StartPoint?
  /// Segments published part by part; nil for whole segments alone.
  public var parts: LiveParts?
  /// The size of every playlist; nil for as large as its text.
  public var playlistBytes: Int64?
  /// Availability of a segment after it leaves the playlist; nil for the time §6.2.2 requires.
  public var keepsRemovedSegments: TimeSpan?
  /// Periods in which some playlists are not renewed, though the encoder goes on.
  package var stalePlaylists: [StalePlaylist] = []

  public init(
    window: Window, startsWith: MediaTime, stops: [EncoderStop] = [], holdBack: MediaTime? = nil,
    start: StartPoint? = nil, parts: LiveParts? = nil, playlistBytes: Int64? = nil
  ) {
    self.window = window
    self.startsWith = startsWith
    self.stops = stops
    self.holdBack = holdBack
    self.start = start
    self.parts = parts
    self.playlistBytes = playlistBytes
  }
}

/// A time in which nothing is encoded; what comes after it follows what came before.
public struct EncoderStop: Hashable, Sendable {
  public var begins: Instant
  public var span: TimeSpan

  public init(begins: Instant, span: TimeSpan) {
    self.begins = begins
    self.span = span
  }
}

/// A time in which the playlist of one variant stays as it is, as from a cache that is stuck.
///
/// A blocking reload passes the cache by: with each part that it asks for it has another name.
package struct StalePlaylist: Hashable, Sendable {
  /// Into the variants of the presentation.
  package var variant: Int
  package var begins: Instant
  package var span: TimeSpan

  package static let none = StalePlaylist(variant: 0, begins: .zero, span: .zero)
}

/// Server settings of a low-latency stream.
public struct LiveParts: Hashable, Sendable {
  public var holdBack: MediaTime
  /// CAN-BLOCK-RELOAD: the server holds a request for a playlist until it has what is asked for.
  public var blocksReload: Bool
  /// EXT-X-PRELOAD-HINT: the server names the next part, and holds a request for it.
  public var hints: Bool
  /// EXT-X-RENDITION-REPORT: each playlist says how far the others have got.
  public var reports: Bool

  public init(
    holdBack: MediaTime, blocksReload: Bool = true, hints: Bool = true, reports: Bool = true
  ) {
    self.holdBack = holdBack
    self.blocksReload = blocksReload
    self.hints = hints
    self.reports = reports
  }
}

extension LiveStream {
  package func produced(at now: Instant) -> MediaTime {
    var span = now - Instant.zero
    for stop in stops where stop.begins < now {
      span = span - min(stop.span, now - stop.begins)
    }
    return startsWith + MediaTime(nanoseconds: span.nanoseconds)
  }

  /// The instant at which `time` of media is encoded; the beginning of the run if it was before.
  package func instant(producing time: MediaTime) -> Instant {
    if time <= startsWith { return .zero }
    var instant = Instant.zero + TimeSpan(nanoseconds: (time - startsWith).nanoseconds)
    for stop in stops where stop.begins < instant { instant = instant + stop.span }
    return instant
  }

  /// Of when a list's playlist is that the server hands out.
  package func publication(
    of list: Int, in presentation: Presentation, at now: Instant
  ) -> Instant {
    let stale = stalePlaylists.first {
      $0.begins <= now && now < $0.begins + $0.span
        && presentation.variants[$0.variant].list == list
    }
    return stale?.begins ?? now
  }

  package func listing(of list: SegmentList, at now: Instant) -> LiveWindow {
    listing(of: list, whenProduced: produced(at: now))
  }

  /// Window listed when `time` of media has been encoded.
  package func listing(of list: SegmentList, whenProduced time: MediaTime) -> LiveWindow {
    let end = list.count(endingBy: time)
    let edge = end == 0 ? MediaTime.zero : list.segments[end - 1].end
    var window = LiveWindow(
      segments: 0..<end, isEnded: end == list.segments.count, isEvent: self.window == .growing,
      holdBack: holdBack, parts: parts)
    window.canSkipUntil = canSkipUntil
    if case .sliding(let length) = self.window {
      let first = list.firstIndex(startingAtOrAfter: max(.zero, edge - length)) ?? end
      window.segments = min(first, end)..<end
    }
    if parts != nil, end < list.segments.count {
      window.trailingParts = list.partCount(of: end, endingBy: time)
    }
    return window
  }
}

extension SegmentList {
  /// Number of its segments that end at or before a time.
  func count(endingBy time: MediaTime) -> Int {
    if time >= duration { return segments.count }
    // The segment that plays at `time` has not ended; one without duration ends at its start.
    return index(at: time) ?? 0
  }

  // §6.2.5.1: "Media Segments that are further from the end of the last (Parent) Media Segment in
  // the Playlist than the Skip Boundary"; nothing of such a segment lies within it. With
  // EXT-X-ENDLIST the server ignores what it is asked.
  /// Number of listed segments that a delta update leaves out.
  package func skippable(in window: LiveWindow) -> Int {
    let listed = window.segments.clamped(to: segments.indices)
    guard let boundary = window.canSkipUntil, !window.isEnded, let last = listed.last else {
      return 0
    }
    return max(0, count(endingBy: segments[last].end - boundary) - listed.lowerBound)
  }

  /// The last part that a window lists, or its last segment if without parts; nil if it is empty.
  package func last(in window: LiveWindow) -> (segment: Int, part: Int?)? {
    let next = min(window.segments.upperBound, segments.count)
    if window.trailingParts > 0, next < segments.count { return (next, window.trailingParts - 1) }
    if next == 0 { return nil }
    return (next - 1, hasParts ? partCount(of: next - 1) - 1 : nil)
  }

  /// The end of what a window lists, the parts after its last segment included.
  package func end(of window: LiveWindow) -> MediaTime {
    let next = window.segments.upperBound
    if window.trailingParts > 0, next < segments.count {
      return part(window.trailingParts - 1, of: next).end
    }
    return next == 0 ? .zero : segments[next - 1].end
  }

  package func start(of window: LiveWindow) -> MediaTime {
    let first = window.segments.lowerBound
    return first < segments.count ? segments[first].start : duration
  }

  fileprivate func startOfSegment(at time: MediaTime) -> MediaTime {
    index(at: time).map { segments[$0].start } ?? time
  }
}

/// The reason for the start position in a live stream.
public enum LiveStartReason: String, Hashable, Sendable, CaseIterable {
  /// The item was told where.
  case startTime
  /// The app configured how far from the end.
  case configuredOffset
  /// EXT-X-START.
  case startPoint
  case partHoldBack
  case holdBack
  case threeTargetDurations
}

extension LiveStream {
  // §4.4.3.8: without HOLD-BACK it is three target durations.
  /// The distance from the end of the playlist at which the server wants clients to begin.
  package func recommendedOffset(in list: SegmentList) -> (MediaTime, LiveStartReason) {
    if let parts { return (parts.holdBack, .partHoldBack) }
    if let holdBack { return (holdBack, .holdBack) }
    return (MediaTime(nanoseconds: 3 * list.targetDuration.nanoseconds), .threeTargetDurations)
  }

  /// Start position of playback, given a playlist that was just loaded.
  ///
  /// - Parameter configured: `configuredTimeOffsetFromLive`; nil leaves it to the server.
  package func start(
    in list: SegmentList, _ window: LiveWindow, configured: MediaTime? = nil
  ) -> (time: MediaTime, reason: LiveStartReason) {
    let (first, end) = (list.start(of: window), list.end(of: window))
    if let configured {
      return (max(first, end - configured), .configuredOffset)
    }
    if let start {
      return (start.place(in: list, from: first, to: end), .startPoint)
    }
    let (offset, reason) = recommendedOffset(in: list)
    let time = max(first, end - offset)
    // RFC 8216 §6.3.3: not "a segment that starts less than three target durations from the end".
    return (parts == nil ? list.startOfSegment(at: time) : time, reason)
  }
}

extension StartPoint {
  // §4.4.2.2: a negative offset counts from the end; one beyond either end means that end. Unless
  // PRECISE is YES, all of the segment that contains it is played.
  fileprivate func place(
    in list: SegmentList, from first: MediaTime, to end: MediaTime
  ) -> MediaTime {
    let time = offset < .zero ? end + max(offset, first - end) : first + min(offset, end - first)
    return isPrecise ? time : list.startOfSegment(at: time)
  }
}

extension Presentation {
  /// The place of EXT-X-START in a stream on demand; nil where the playlists do not say.
  package var beginning: MediaTime? {
    guard let start = liveTags.start, let list = variants.first.map({ lists[$0.list] }) else {
      return nil
    }
    return start.place(in: list, from: .zero, to: list.duration)
  }
}

// Segments that the server still has and no playlist lists any more.

extension LiveStream {
  package func isGone(_ index: Int, of list: SegmentList, at now: Instant) -> Bool {
    // The segment with whose coming this one leaves the playlist.
    guard case .sliding(let length) = window,
      let last = list.index(at: list.segments[index].start + length)
    else { return false }
    let removed = instant(producing: list.segments[last].end)
    if now < removed { return false }
    return now >= removed + (keepsRemovedSegments ?? stay(of: index, of: list, until: last, length))
  }

  // RFC 8216 §6.2.2: a removed segment "MUST remain available to clients for a period of time equal
  // to the duration of the segment plus the duration of the longest Playlist file distributed by
  // the server containing that segment".
  private func stay(
    of index: Int, of list: SegmentList, until last: Int, _ length: MediaTime
  ) -> TimeSpan {
    var longest = MediaTime.zero
    for newest in index..<max(index, last) {
      let end = list.segments[newest].end
      let first = list.firstIndex(startingAtOrAfter: max(.zero, end - length)) ?? newest
      longest = max(longest, end - list.segments[first].start)
    }
    return TimeSpan(nanoseconds: (list.segments[index].duration + longest).nanoseconds)
  }
}
