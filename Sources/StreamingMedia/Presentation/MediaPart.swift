package import VirtualTime

/// A part of a segment that is published before the segment is whole.
package struct MediaPart: Hashable, Sendable {
  /// Counted from the start of the list.
  package var start: MediaTime
  package var duration: MediaTime
  /// Where it lies in the segment.
  package var byteRange: ByteRange
  /// Whether playback can start with it: the first of a segment, in this model.
  package var isIndependent: Bool

  package var end: MediaTime { start + duration }
}

extension SegmentList {
  /// The parts of a segment, in order; one where the list has no parts.
  ///
  /// A part has the share of the segment's bytes that it has of its duration.
  package func parts(of index: Int) -> [MediaPart] {
    let segment = segments[index]
    let whole = segment.duration.nanoseconds
    // What is shorter than 10 ms is no part; it would only make very many of them.
    let length = max(partDuration ?? segment.duration, .milliseconds(10)).nanoseconds
    func bytes(until time: Int64) -> Int64 {
      whole == 0 ? segment.bytes : scaled(segment.bytes, by: time, over: whole, rounding: .down)
    }
    var parts: [MediaPart] = []
    var elapsed: Int64 = 0
    repeat {
      let end = min(elapsed + length, whole)
      let offset = elapsed == 0 ? 0 : bytes(until: elapsed)
      parts.append(
        MediaPart(
          start: segment.start + MediaTime(nanoseconds: elapsed),
          duration: MediaTime(nanoseconds: end - elapsed),
          byteRange: ByteRange(offset: offset, length: bytes(until: end) - offset),
          isIndependent: elapsed == 0))
      elapsed = end
    } while elapsed < whole
    return parts
  }
}

/// What a live playlist lists at one moment.
package struct LiveWindow: Hashable, Sendable {
  /// Whole segments, as indices; what lies beyond the list is left out.
  package var segments: Range<Int>
  /// How many parts there are of the segment after them.
  package var trailingParts: Int
  /// Whether the stream has ended and says so.
  package var isEnded: Bool
  /// Whether it says that nothing will be taken away.
  package var isEvent: Bool
  /// HOLD-BACK; nil where it does not say.
  package var holdBack: MediaTime?
  /// CAN-SKIP-UNTIL; nil where it does not say.
  package var canSkipUntil: MediaTime?
  /// How its parts are served; nil leaves that to what is usual.
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

  /// What EXT-X-PLAYLIST-TYPE says.
  var type: PlaylistType? { isEvent ? .event : nil }
}
