package import VirtualTime

// What a server still has that no playlist lists any more.

extension LiveStream {
  /// Whether a segment is not to be had any more.
  package func isGone(_ index: Int, of list: SegmentList, at now: Instant) -> Bool {
    guard case .sliding(let length) = window, let last = lastWithout(index, of: list, length) else {
      return false
    }
    let removed = instant(producing: list.segments[last].end)
    if now < removed { return false }
    return now >= removed + (keepsRemovedSegments ?? stay(of: index, of: list, until: last, length))
  }

  /// The segment with whose coming another one leaves the playlist; nil where it stays.
  private func lastWithout(_ index: Int, of list: SegmentList, _ length: MediaTime) -> Int? {
    list.index(at: list.segments[index].start + length)
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
