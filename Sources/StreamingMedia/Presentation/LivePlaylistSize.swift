/// The size of a live playlist, from one read to the next.
///
/// A window only moves forward, so counting goes on: a read's cost does not grow with the playlist.
package struct LivePlaylistSize: Hashable, Sendable {
  /// All segments before one, written one after the other.
  private struct Mark: Hashable, Sendable {
    var index = 0
    var bytes: Int64 = 0
    var discontinuities: Int64 = 0
    var writer = SegmentWriter()

    mutating func move(to target: Int, in list: SegmentList) {
      if target < index { self = Mark() }
      while index < target {
        bytes += writer.bytes(of: index, in: list)
        if list.segments[index].isDiscontinuity { discontinuities += 1 }
        index += 1
      }
    }
  }

  private var first = Mark()
  /// The first segment that a delta update does not leave out.
  private var kept = Mark()
  private var end = Mark()
  private var parts = LivePartsSize()

  package init() {}

  package var visitedPartLines: Int64 { parts.visitedLines }

  /// The size of what `liveText` writes.
  ///
  /// - Parameter skipped: The number of first segments that are left out.
  package mutating func bytes(
    of window: LiveWindow, skipping skipped: Int = 0, in list: SegmentList
  ) -> Int64 {
    let listed = window.segments.clamped(to: list.segments.indices)
    first.move(to: listed.lowerBound, in: list)
    end.move(to: listed.upperBound, in: list)
    var (lines, writer) = (end.bytes, end.writer)
    if skipped == 0 {
      (lines, writer) = linesAfterNothing(in: list)
    } else {
      // The client has the lines before, and the state that they set.
      kept.move(to: min(listed.lowerBound + skipped, listed.upperBound), in: list)
      lines -= kept.bytes
    }
    var sink = CountingSink()
    list.writeHeader(
      window, of: window.type, withParts: list.hasParts, skipping: skipped,
      after: first.discontinuities, to: &sink)
    list.writeEnd(window, withParts: list.hasParts, writesParts: false, after: writer, to: &sink)
    return sink.bytes + lines + parts.bytes(of: window, skipping: skipped, in: list)
  }

  /// The segments from the first mark to the end, where the playlist begins with them: it says anew
  /// what has held since before.
  private func linesAfterNothing(in list: SegmentList) -> (bytes: Int64, SegmentWriter) {
    var (bytes, index) = (end.bytes - first.bytes, first.index)
    var (anew, before) = (SegmentWriter(), first.writer)
    while index < end.index, !anew.holdsTheSame(as: before) {
      bytes += anew.bytes(of: index, in: list) - before.bytes(of: index, in: list)
      index += 1
    }
    return (bytes, anew.holdsTheSame(as: before) ? end.writer : anew)
  }
}

extension SegmentWriter {
  /// The size of the lines of a segment, its parts aside.
  fileprivate mutating func bytes(of index: Int, in list: SegmentList) -> Int64 {
    var sink = CountingSink()
    writeTags(of: list.segments[index], in: list, to: &sink)
    writeDuration(of: list.segments[index], to: &sink)
    list.writeName(of: index, to: &sink)
    return sink.bytes + 1
  }
}
