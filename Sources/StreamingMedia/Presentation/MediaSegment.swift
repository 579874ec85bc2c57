public import VirtualTime

/// Sources of a segment's size, best source first.
package enum SizeSource: UInt8, Hashable, Sendable, CaseIterable {
  /// A size that the scenario states for a segment of real playlists.
  case stated
  /// The length of a byte range, or the size of a ladder's segment.
  case exact
  /// EXT-X-BITRATE times the duration.
  case segmentBitRate
  /// AVERAGE-BANDWIDTH times the duration.
  case averageBandwidth
  /// BANDWIDTH times the duration: an upper bound.
  case peakBandwidth
  /// A rate that nothing in the playlists states.
  case assumed
  /// Nothing is loaded for a gap.
  case gap
}

/// A segment as the player streams it: small, since there are many.
@usableFromInline package struct MediaSegment: Hashable, Sendable {
  /// Counted from the first segment of its list.
  package var start: MediaTime
  package var duration: MediaTime
  package var bytes: Int64
  private var mapIndex: Int32
  private var keyIndex: Int32
  package var sizeSource: SizeSource
  package var isDiscontinuity: Bool
  package var isGap: Bool

  package init(
    start: MediaTime, duration: MediaTime, bytes: Int64, sizeSource: SizeSource = .exact,
    map: Int? = nil, key: Int? = nil, isDiscontinuity: Bool = false, isGap: Bool = false
  ) {
    assert(duration >= .zero && bytes >= 0, "a segment has a duration and a size")
    self.start = start
    self.duration = duration
    self.bytes = bytes
    self.sizeSource = sizeSource
    self.isDiscontinuity = isDiscontinuity
    self.isGap = isGap
    mapIndex = map.map(Int32.init) ?? -1
    keyIndex = key.map(Int32.init) ?? -1
  }

  @usableFromInline package var end: MediaTime { start + duration }

  /// Into the maps of its list.
  @usableFromInline package var map: Int? { mapIndex < 0 ? nil : Int(mapIndex) }

  /// Into the keys of its list; nil where it is in the clear.
  @usableFromInline package var key: Int? { keyIndex < 0 ? nil : Int(keyIndex) }

  /// Its bits over its duration, rounded up; nil where it has no duration.
  package var bitRate: Int64? {
    if duration <= .zero { return nil }
    return scaled(bytes, by: 8_000_000_000, over: duration.nanoseconds, rounding: .up)
  }
}

package enum SegmentNaming: Hashable, Sendable {
  /// One name for each segment.
  case listed([String])
  /// The media sequence number between two texts.
  case numbered(prefix: String, suffix: String)
}

/// The initialization section that segments need, with its size.
package struct SizedMap: Hashable, Sendable {
  package var uri: String
  package var byteRange: ByteRange?
  package var bytes: Int64

  package init(uri: String, byteRange: ByteRange? = nil, bytes: Int64) {
    self.uri = uri
    self.byteRange = byteRange
    self.bytes = bytes
  }
}

/// One media playlist as the player streams it.
package struct SegmentList: Hashable, Sendable {
  package var uri: String
  package var segments: [MediaSegment]
  package var naming: SegmentNaming
  package var maps: [SizedMap]
  package var keys: [EncryptionKey]
  package var targetDuration: MediaTime
  /// The number of the first segment.
  package var mediaSequence: Int64
  package var discontinuitySequence: Int64
  package var type: PlaylistType?
  /// Whether nothing will be added.
  package var isComplete: Bool
  /// Duration of the parts that publish a segment before it is complete; nil without parts.
  package var partDuration: MediaTime?
  /// The size of its playlist, uncompressed.
  package var playlistBytes: Int64
  /// The dates of EXT-X-PROGRAM-DATE-TIME, in the order of the segments.
  package var dates: [ProgramDate] = []

  package init(
    uri: String, segments: [MediaSegment], naming: SegmentNaming, maps: [SizedMap] = [],
    keys: [EncryptionKey] = [], targetDuration: MediaTime, mediaSequence: Int64 = 0,
    discontinuitySequence: Int64 = 0, type: PlaylistType? = nil, isComplete: Bool = true,
    partDuration: MediaTime? = nil, playlistBytes: Int64 = 0
  ) {
    assert(
      zip(segments, segments.dropFirst()).allSatisfy { $0.end == $1.start },
      "each segment begins where the one before ends")
    self.uri = uri
    self.segments = segments
    self.naming = naming
    self.maps = maps
    self.keys = keys
    self.targetDuration = targetDuration
    self.mediaSequence = mediaSequence
    self.discontinuitySequence = discontinuitySequence
    self.type = type
    self.isComplete = isComplete
    self.partDuration = partDuration
    self.playlistBytes = playlistBytes
  }

  package var duration: MediaTime { segments.last?.end ?? .zero }

  /// The bytes of all segments together, initialization sections aside.
  package var bytes: Int64 {
    Int64(clamping: segments.reduce(Int128(0)) { $0 + Int128($1.bytes) })
  }

  /// All bits over the whole duration; nil where there is no duration.
  package var averageBitRate: Int64? {
    if duration <= .zero { return nil }
    return scaled(bytes, by: 8_000_000_000, over: duration.nanoseconds, rounding: .down)
  }

  // §4.4.6.2: the peak segment bit rate is that of "any contiguous set of segments whose total
  // duration is between 0.5 and 1.5 times the target duration".
  /// The largest bit rate of a segment that is at least half as long as the target duration.
  package var peakBitRate: Int64? {
    let half = targetDuration.nanoseconds / 2
    return segments.lazy.filter { $0.duration.nanoseconds >= half }.compactMap { $0.bitRate }.max()
      ?? segments.lazy.compactMap { $0.bitRate }.max()
  }

  /// The segment that is played at a time; nil before the start and from the end on.
  ///
  /// A segment without duration is never played.
  package func index(at time: MediaTime) -> Int? {
    if time < .zero || time >= duration { return nil }
    return segments.partitionPoint { $0.start > time } - 1
  }

  package func firstIndex(startingAtOrAfter time: MediaTime) -> Int? {
    let index = segments.partitionPoint { $0.start >= time }
    return index < segments.count ? index : nil
  }
}

/// A date and the place in the media that it belongs to.
package struct ProgramDate: Hashable, Sendable {
  package var time: MediaTime
  /// Nanoseconds since 1970 in UTC.
  package var date: Int64
}

// RFC 8216bis §4.4.4.6: a date counts up to the next one, the first also for what comes before it.
extension [ProgramDate] {
  /// Nanoseconds since 1970 at a place; nil without any date.
  package func date(at time: MediaTime) -> Int64? {
    (last { $0.time <= time } ?? first).map { saturatingSum($0.date, (time - $0.time).nanoseconds) }
  }

  /// The place of a date; nil without any date.
  package func time(of date: Int64) -> MediaTime? {
    let next = firstIndex { $0.date > date } ?? count
    guard let mark = next > 0 ? self[next - 1] : first else { return nil }
    let time = mark.time + MediaTime(nanoseconds: saturatingSum(date, -mark.date))
    // A date between the end of a segment and a later one of the next is at that next one.
    return next > 0 && next < count ? Swift.min(time, self[next].time) : time
  }
}
