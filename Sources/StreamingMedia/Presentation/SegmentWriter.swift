import VirtualTime

/// Writes the lines of one segment after another, and says nothing twice that still holds.
struct SegmentWriter: Hashable, Sendable {
  private var map: Int?
  private var key: Int?
  // Most segments last as long as the one before.
  private var duration = MediaTime.zero
  private var durationLine = "#EXTINF:0,\n"

  mutating func writeTags(
    of segment: MediaSegment, in list: SegmentList, to sink: inout some PlaylistSink
  ) {
    if segment.isDiscontinuity { sink.write("#EXT-X-DISCONTINUITY\n") }
    if segment.key != key {
      let text = segment.key.map { list.keys[$0].attributeText } ?? "METHOD=NONE"
      sink.write("#EXT-X-KEY:\(text)\n")
      key = segment.key
    }
    if let next = segment.map, next != map {
      sink.write("#EXT-X-MAP:\(list.maps[next].attributeText)\n")
      map = next
    }
    if segment.isGap { sink.write("#EXT-X-GAP\n") }
  }

  mutating func writeDuration(of segment: MediaSegment, to sink: inout some PlaylistSink) {
    if segment.duration != duration {
      duration = segment.duration
      durationLine = "#EXTINF:\(decimalText(duration.nanoseconds, places: 9)),\n"
    }
    sink.write(durationLine)
  }

  /// Takes note of what holds after segments that are left out.
  mutating func pass(_ segments: ArraySlice<MediaSegment>) {
    guard let last = segments.last else { return }
    key = last.key
    map = segments.last { $0.map != nil }?.map
  }

  /// Whether what follows would read the same after both.
  func holdsTheSame(as other: SegmentWriter) -> Bool { map == other.map && key == other.key }
}
