/// Disjoint half-open ranges of bytes in rising order: what is loaded, with its holes.
package struct ByteRanges: Hashable, Sendable {
  package private(set) var ranges: [Range<Int64>] = []

  package init() {}

  /// Adds a range, joining what it touches.
  ///
  /// - Complexity: O(*n*) in the number of ranges, which is the number of seeks at most.
  package mutating func insert(_ range: Range<Int64>) {
    if range.isEmpty { return }
    defer {
      assert(
        zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound },
        "ranges rise and do not touch")
    }
    let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
    let past = ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.count
    let joined = ranges[first..<past].reduce(range) {
      min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
    }
    if past == first + 1 {
      ranges[first] = joined
    } else {
      ranges.replaceSubrange(first..<past, with: CollectionOfOne(joined))
    }
  }

  /// The end of the range that holds a byte, or the byte itself in a hole.
  package func contiguousEnd(from byte: Int64) -> Int64 {
    ranges.first { $0.contains(byte) }?.upperBound ?? byte
  }

  package func nextStart(after byte: Int64) -> Int64? {
    ranges.first { $0.lowerBound > byte }?.lowerBound
  }
}
