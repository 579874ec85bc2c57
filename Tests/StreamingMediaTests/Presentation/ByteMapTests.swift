import StreamingMedia
import TestSupport
import Testing
import VirtualTime

/// The bytes of a file over its time, against a walk from stretch to stretch.
@Suite struct ByteMapTests {
  /// The bytes before a time, as a fraction: stretch by stretch.
  private func bytes(_ sizes: [Int64], _ stretch: Int64, _ whole: Int64, at time: Int64) -> (
    whole: Int128, part: Int128, over: Int128
  ) {
    var (start, before) = (Int64(0), Int64(0))
    for size in sizes {
      let end = min(whole, start + stretch)
      if time <= end {
        return (Int128(before), Int128(max(0, time - start)) * Int128(size), Int128(end - start))
      }
      (start, before) = (end, before + size)
    }
    return (Int128(before), 0, 1)
  }

  @Test func `times and bytes are those of a walk along the stretches`() {
    for seed in Seeds.first(60, inRelease: 400) {
      var draw = Draw(seed: seed, part: "byte maps")
      let stretch = Int64(draw.within(1...40))
      var sizes = (0..<draw.within(1...9)).map { _ in Int64(draw.chance(20) ? 0 : draw.below(60)) }
      if sizes.allSatisfy({ $0 == 0 }) { sizes[0] = 7 }
      let whole = stretch * Int64(sizes.count) - Int64(draw.below(Int(stretch)))
      let map = ByteMap(
        duration: MediaTime(nanoseconds: whole), stretch: MediaTime(nanoseconds: stretch),
        sizes: sizes)
      let all = sizes.reduce(0, +)
      #expect(map.duration.nanoseconds == whole && map.bytes == all)
      let ends = sizes.indices.map { min(whole, Int64($0 + 1) * stretch) }
      for nanoseconds in -2...(whole + 2) {
        let time = MediaTime(nanoseconds: nanoseconds)
        let (before, part, over) = bytes(sizes, stretch, whole, at: nanoseconds)
        #expect(map.bytes(before: time) == Int64(before + (part + over - 1) / over), "\(seed)")
        #expect(
          map.firstCorner(after: time)
            == (nanoseconds < 0 ? 0 : 1 + (ends.firstIndex { $0 > nanoseconds } ?? ends.count)))
        // A range for a time begins with the byte that the time lies in, behind what has no bytes.
        if !ends.contains(nanoseconds), nanoseconds != 0 {
          #expect(map.byte(at: time) == Int64(before + part / over), "\(seed) \(nanoseconds)")
        }
      }
      #expect(map.byte(at: .zero) == 0)
      #expect(map.byte(at: map.duration) == all)
      // So many bytes hold the longest time before which there are no more.
      for count in 0...(all + 2) {
        let time = map.time(ofFirst: count)
        #expect(map.bytes(before: time) <= count)
        #expect(
          count >= all
            ? time == map.duration
            : map.bytes(before: time + MediaTime(nanoseconds: 1)) > count, "\(seed) \(count)")
      }
    }
  }
}
