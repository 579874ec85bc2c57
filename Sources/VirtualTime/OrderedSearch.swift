extension RandomAccessCollection where Index: FixedWidthInteger {
  /// The first index at which a condition holds that holds at all later ones; the end if at none.
  ///
  /// - Complexity: O(log *n*).
  @inlinable package func partitionPoint(where isBeyond: (Element) -> Bool) -> Index {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    assert(low == endIndex || isBeyond(self[low]), "the condition holds from its first index on")
    assert(low == startIndex || !isBeyond(self[low - 1]), "the condition holds at no index before")
    return low
  }
}
