import VirtualTime

/// Bytes from a start up to, but not including, an end.
package struct ByteRange: Equatable, Sendable {
  package var start: Int64
  package var end: Int64

  package init(start: Int64, end: Int64) {
    self.start = start
    self.end = end
  }

  var length: Int64 { end - start }
}

/// Bytes that arrived beyond a hole, and which of them were heard of last.
package struct ReassemblyQueue: Sendable {
  /// Disjoint, in ascending order.
  package private(set) var ranges: [ByteRange] = []
  package private(set) var byteCount: Int64 = 0
  /// The starts of the ranges that changed last, the latest first (RFC 2018 §4).
  private var latest: [Int64] = []

  package init() {}

  package var isEmpty: Bool { ranges.isEmpty }

  var end: Int64 { ranges.last?.end ?? 0 }

  /// Adds a range; false if all of it was there.
  package mutating func insert(_ new: ByteRange) -> Bool {
    var merged = new
    var low = firstIndex(endingAtOrAfter: new.start)
    let from = low
    while low < ranges.count, ranges[low].start <= new.end {
      if ranges[low].start <= new.start, ranges[low].end >= new.end {
        raise(ranges[low].start)
        return false
      }
      merged.start = min(merged.start, ranges[low].start)
      merged.end = max(merged.end, ranges[low].end)
      byteCount -= ranges[low].length
      forget(ranges[low].start)
      low += 1
    }
    byteCount += merged.length
    if low == from + 1 {
      ranges[from] = merged
    } else {
      ranges.replaceSubrange(from..<low, with: CollectionOfOne(merged))
    }
    raise(merged.start)
    return true
  }

  /// Takes the range that a left edge has reached; where it ends.
  package mutating func remove(reachedBy edge: Int64) -> Int64 {
    var edge = edge
    var count = 0
    while count < ranges.count, ranges[count].start <= edge {
      edge = max(edge, ranges[count].end)
      byteCount -= ranges[count].length
      forget(ranges[count].start)
      count += 1
    }
    if count > 0 { ranges.removeFirst(count) }
    return edge
  }

  /// The range that changed the given number of changes ago.
  package func recent(_ index: Int) -> ByteRange? {
    guard index < latest.count else { return nil }
    let place = firstIndex(endingAtOrAfter: latest[index] + 1)
    return place < ranges.count ? ranges[place] : nil
  }

  private func firstIndex(endingAtOrAfter position: Int64) -> Int {
    ranges.partitionPoint { $0.end >= position }
  }

  private mutating func raise(_ start: Int64) {
    forget(start)
    latest.insert(start, at: 0)
    // RFC 2018 §3: four blocks fit, three of them beside a timestamp.
    if latest.count > 4 { latest.removeLast() }
  }

  private mutating func forget(_ start: Int64) {
    if let index = latest.firstIndex(of: start) { latest.remove(at: index) }
  }
}
