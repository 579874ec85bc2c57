package import VirtualTime

/// A segment that is in a buffer, or as much of it as came in parts.
package struct BufferedSegment: Hashable {
  package var variant: Int
  /// The list of the presentation that it is from, and its number there.
  package var list: Int
  package var index: Int
  package var start: MediaTime
  package var end: MediaTime
  package var bytes: Int64
  /// The instant at which its last byte arrived.
  package var arrived: Instant

  package init(
    variant: Int, list: Int, index: Int, start: MediaTime, end: MediaTime, bytes: Int64,
    arrived: Instant
  ) {
    self.variant = variant
    self.list = list
    self.index = index
    self.start = start
    self.end = end
    self.bytes = bytes
    self.arrived = arrived
  }

  /// Whether another one continues it in the same variant and list.
  fileprivate func goesOn(with next: BufferedSegment) -> Bool {
    end == next.start && list == next.list && variant == next.variant
  }

  /// Whether the two have as many bytes for the same media, so that joining them keeps each one's.
  fileprivate func isAsDense(as other: BufferedSegment) -> Bool {
    Int128(bytes) &* Int128((other.end - other.start).nanoseconds)
      == Int128(other.bytes) &* Int128((end - start).nanoseconds)
  }

  fileprivate mutating func join(_ next: BufferedSegment) {
    (end, arrived, bytes) = (next.end, next.arrived, bytes + next.bytes)
  }
}

/// The segments of one track that are loaded, in the order in which they play.
///
/// The loaded media is one stretch: a seek out of it starts another. Segments fill it, save for
/// what has been played, known only to be there, and for where a track plays what another one
/// brings: sound that a variant has with its pictures, or that comes beside them.
package struct SegmentBuffer {
  /// In the order of their starts; where two overlap, the earlier one plays to its end.
  package private(set) var segments: [BufferedSegment] = []
  /// Played segments still loaded, to which a seek may return; those of one variant, list and byte
  /// rate as one.
  package private(set) var played: [BufferedSegment] = []
  /// The stretch that counts as loaded.
  package private(set) var start: MediaTime
  package private(set) var end: MediaTime
  /// The segments in it of which no server has anything.
  package private(set) var gaps: [Range<MediaTime>] = []

  package init(at position: MediaTime) {
    start = position
    end = position
  }

  package var isEmpty: Bool { end <= start }

  package func contains(_ position: MediaTime) -> Bool { start <= position && position < end }

  /// The segment that plays at a time; nil where none is loaded.
  package func segment(at position: MediaTime) -> BufferedSegment? {
    // Segments hardly overlap: the one sought is the first that ends after the time.
    let index = segments.partitionPoint { $0.end > position }
    guard index < segments.count, segments[index].start <= position else { return nil }
    return segments[index]
  }

  package func variant(at position: MediaTime) -> Int? { segment(at: position)?.variant }

  /// The media time at which the next variant follows the one at a position; nil where none does.
  package func variantEnd(after position: MediaTime) -> MediaTime? {
    guard let playing = variant(at: position) else { return nil }
    return segments.first { $0.end > position && $0.variant != playing }?.start
  }

  /// The segments that begin at or after a time: those of which nothing has been played.
  package func segments(startingAtOrAfter time: MediaTime) -> ArraySlice<BufferedSegment> {
    segments[segments.partitionPoint { $0.start >= time }...]
  }

  package func bytes(startingAtOrAfter time: MediaTime) -> Int64 {
    segments(startingAtOrAfter: time).reduce(0) { $0 + $1.bytes }
  }

  /// Takes a segment in, or another part of one.
  ///
  /// It takes the place of those whose media it brings whole; returns them.
  @discardableResult
  package mutating func insert(_ new: BufferedSegment) -> [BufferedSegment] {
    assert(new.start <= new.end && new.bytes >= 0, "a segment has media and bytes")
    if new.start <= start { start = new.start }
    end = max(end, new.end)
    guard let last = segments.last else {
      segments.append(new)
      return []
    }
    if new.start >= last.end {
      append(new, after: last)
      return []
    }
    let first = segments.partitionPoint { $0.start >= new.start }
    // A segment that an earlier one covers to its end is never shown.
    if first > 0, segments[first - 1].end >= new.end { return [] }
    var past = first
    while past < segments.count, segments[past].end <= new.end { past += 1 }
    let replaced = Array(segments[first..<past])
    segments.replaceSubrange(first..<past, with: CollectionOfOne(new))
    return replaced
  }

  /// Parts of one segment are one segment.
  private mutating func append(_ new: BufferedSegment, after last: BufferedSegment) {
    if last.index != new.index || !last.goesOn(with: new) { return segments.append(new) }
    segments[segments.count - 1].join(new)
  }

  package mutating func restart(at position: MediaTime) { self = SegmentBuffer(at: position) }

  /// Throws away what begins at or after a time, where the stretch ends from now on.
  package mutating func cut(at time: MediaTime) {
    segments.removeSubrange(segments.partitionPoint { $0.start >= time }...)
    played.removeAll { $0.end > time }
    if !gaps.isEmpty { gaps.removeAll { $0.upperBound > time } }
    end = time
  }

  /// Forgets what segments were played before a time, but for their variants: they stay loaded.
  package mutating func forget(before time: MediaTime) {
    // Perf: mostly it is one, and to remove a range takes twice as long.
    while let first = segments.first, first.end <= time {
      if let last = played.last, last.goesOn(with: first), last.isAsDense(as: first) {
        played[played.count - 1].join(first)
      } else if first.end > played.last?.end ?? start {
        // Perf: growing from one element took a fifth of this method in ten minutes.
        if played.isEmpty { played.reserveCapacity(64) }
        played.append(first)
      }
      segments.removeFirst()
    }
  }

  /// Goes past a segment of which no server has anything.
  package mutating func pass(to new: MediaTime) {
    gaps.append(end..<max(end, new))
    end = new
  }

  /// Lets the stretch begin or end where another track brings what this one plays.
  package mutating func reach(from start: MediaTime? = nil, to end: MediaTime? = nil) {
    if let start { self.start = start }
    if let end { self.end = end }
  }
}
