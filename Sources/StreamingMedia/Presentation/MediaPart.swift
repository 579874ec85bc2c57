package import VirtualTime

/// A part of a segment that is published before the segment is whole.
package struct MediaPart: Hashable, Sendable {
  /// Counted from the start of the list.
  package var start: MediaTime
  package var duration: MediaTime
  package var byteRange: ByteRange
  /// Whether playback can start with it: the first of a segment, in this model.
  package var isIndependent: Bool

  package var end: MediaTime { start + duration }
}

// A part is worked out from its number: a stream may have very many.
extension SegmentList {
  /// Duration of a segment's parts, except the last.
  private func partLength(of segment: MediaSegment) -> Int64 {
    // A part lasts at least 10 ms: shorter ones would only make very many of them.
    max(partDuration ?? segment.duration, .milliseconds(10)).nanoseconds
  }

  /// Number of parts of a segment; one where the list has no parts.
  package func partCount(of index: Int) -> Int {
    let segment = segments[index]
    if segment.duration <= .zero { return 1 }
    return Int((segment.duration.nanoseconds - 1) / partLength(of: segment)) + 1
  }

  package func partCount(of index: Int, endingBy time: MediaTime) -> Int {
    let segment = segments[index]
    if time >= segment.end { return partCount(of: index) }
    if time < segment.start { return 0 }
    return Int((time - segment.start).nanoseconds / partLength(of: segment))
  }

  /// A part of a segment, counted from zero.
  ///
  /// It has the share of the segment's bytes that it has of its duration.
  package func part(_ number: Int, of index: Int) -> MediaPart {
    let segment = segments[index]
    let whole = segment.duration.nanoseconds
    let begin = Int64(number) * partLength(of: segment)
    let end = min(begin + partLength(of: segment), whole)
    let first = number == 0 ? 0 : bytes(of: segment, until: begin)
    return MediaPart(
      start: segment.start + MediaTime(nanoseconds: begin),
      duration: MediaTime(nanoseconds: end - begin),
      byteRange: ByteRange(offset: first, length: bytes(of: segment, until: end) - first),
      isIndependent: number == 0)
  }

  private func bytes(of segment: MediaSegment, until time: Int64) -> Int64 {
    let whole = segment.duration.nanoseconds
    if whole == 0 { return segment.bytes }
    return scaled(segment.bytes, by: time, over: whole, rounding: .down)
  }
}

/// Window of a live playlist: the segments and parts that it lists at one moment.
package struct LiveWindow: Hashable, Sendable {
  /// Whole segments, as indices; what lies beyond the list is left out.
  package var segments: Range<Int>
  /// Number of listed parts of the segment after them.
  package var trailingParts: Int
  /// Whether the stream has ended and says so.
  package var isEnded: Bool
  /// Whether it says that nothing will be taken away.
  package var isEvent: Bool
  /// HOLD-BACK; nil where it does not say.
  package var holdBack: MediaTime?
  /// CAN-SKIP-UNTIL; nil where it does not say.
  package var canSkipUntil: MediaTime?
  /// Server settings of its parts; nil for the defaults.
  package var parts: LiveParts?

  package init(
    segments: Range<Int>, trailingParts: Int = 0, isEnded: Bool = false, isEvent: Bool = false,
    holdBack: MediaTime? = nil, parts: LiveParts? = nil
  ) {
    self.segments = segments
    self.trailingParts = trailingParts
    self.isEnded = isEnded
    self.isEvent = isEvent
    self.holdBack = holdBack
    self.parts = parts
  }

  /// Value of EXT-X-PLAYLIST-TYPE.
  package var type: PlaylistType? { isEvent ? .event : nil }
}
