import StreamingMedia
import Testing
import VirtualTime

@Suite struct ByteRangesTests {
  private func ranges(_ inserted: [Range<Int64>]) -> ByteRanges {
    var made = ByteRanges()
    for range in inserted { made.insert(range) }
    return made
  }

  @Test(
    arguments: [
      ([], []), ([4..<4], []), ([4..<8], [4..<8]), ([4..<8, 8..<9], [4..<9]),
      ([4..<8, 2..<4], [2..<8]), ([4..<8, 9..<10], [4..<8, 9..<10]),
      ([4..<8, 1..<3], [1..<3, 4..<8]), ([4..<8, 5..<6], [4..<8]), ([5..<6, 4..<8], [4..<8]),
      ([1..<2, 5..<6, 9..<10], [1..<2, 5..<6, 9..<10]),
      ([1..<2, 9..<10, 5..<6, 2..<5], [1..<6, 9..<10]),
      ([1..<2, 5..<6, 9..<10, 0..<20], [0..<20]), ([1..<3, 5..<7, 9..<11, 3..<9], [1..<11]),
      ([1..<3, 5..<7, 9..<11, 4..<8], [1..<3, 4..<8, 9..<11]),
    ] as [([Range<Int64>], [Range<Int64>])])
  func `ranges that touch are one`(inserted: [Range<Int64>], expected: [Range<Int64>]) {
    #expect(ranges(inserted).ranges == expected)
  }

  @Test func `what is loaded is the set of its bytes`() {
    var random = RandomStream(seed: 71, name: "ranges")
    for _ in 0..<300 {
      var (ranges, bytes) = (ByteRanges(), Set<Int64>())
      for _ in 0..<random.next(in: 1...9) {
        let start = random.next(in: 0...30)
        let range = start..<(start + random.next(in: 0...6))
        ranges.insert(range)
        bytes.formUnion(range)
      }
      #expect(ranges.ranges.flatMap { Array($0) } == bytes.sorted())
      for byte in -1...38 as ClosedRange<Int64> {
        var end = byte
        while bytes.contains(end) { end += 1 }
        #expect(ranges.contiguousEnd(from: byte) == end)
        let starts = bytes.filter { $0 > byte && !bytes.contains($0 - 1) }
        #expect(ranges.nextStart(after: byte) == starts.min())
      }
    }
  }
}
