/// The size of the lines of a live playlist's parts, from one read to the next.
///
/// A low-latency playlist is read with each part. What was counted is counted on, so that a read
/// costs what is new in it and not what it lists.
struct LivePartsSize: Hashable, Sendable {
  /// The whole segments whose parts are counted.
  private var segments = 0..<0
  private var bytes: Int64 = 0
  /// The segment that is not whole, and how many of its parts are counted.
  private var trailing = 0
  private var trailingCount = 0
  private var trailingBytes: Int64 = 0
  /// Number of part lines visited: the total cost of all reads.
  private(set) var visitedLines: Int64 = 0

  mutating func bytes(of window: LiveWindow, skipping skipped: Int, in list: SegmentList) -> Int64 {
    if !list.hasParts { return 0 }
    let listed = window.segments.clamped(to: list.segments.indices)
    let first = max(list.firstNear(listed.upperBound), listed.lowerBound + skipped)
    move(to: min(first, listed.upperBound)..<listed.upperBound, in: list)
    let next = window.segments.upperBound
    if window.isEnded || next >= list.segments.count { return bytes }
    let count = list.trailingPartCount(in: window)
    if next != trailing || count < trailingCount {
      (trailing, trailingCount, trailingBytes) = (next, 0, 0)
    }
    trailingBytes += writtenBytes(of: trailingCount..<count, of: next, in: list)
    trailingCount = count
    return bytes + trailingBytes
  }

  private mutating func move(to target: Range<Int>, in list: SegmentList) {
    let goesOn =
      segments.lowerBound <= target.lowerBound && target.lowerBound <= segments.upperBound
      && segments.upperBound <= target.upperBound
    if !goesOn { (segments, bytes) = (target.lowerBound..<target.lowerBound, 0) }
    for index in segments.upperBound..<target.upperBound {
      bytes += writtenBytes(of: 0..<list.partCount(of: index), of: index, in: list)
    }
    for index in segments.lowerBound..<target.lowerBound {
      bytes -= writtenBytes(of: 0..<list.partCount(of: index), of: index, in: list)
    }
    segments = target
  }

  private mutating func writtenBytes(
    of parts: Range<Int>, of index: Int, in list: SegmentList
  ) -> Int64 {
    visitedLines += Int64(parts.count)
    var sink = CountingSink()
    list.writeParts(parts, of: index, to: &sink)
    return sink.bytes
  }
}
