import StreamingMedia
import Testing
import VirtualTime

/// Sizes and rates of single files, to the bit.
@Suite struct MediaFileTests {
  @Test(
    arguments: [
      // A second of 8 bit/s is a byte, and a nanosecond more takes another.
      (7_999_999_999, 1, 1), (8_000_000_000, 1, 1), (8_000_000_001, 1, 2), (1, 1, 1),
      (16_000_000_000, 1, 2), (1_000_000_000, 8, 1), (1_000_000_001, 8, 2),
      (40_000_000_000, 1_000_000, 5_000_000), (3_600_000_000_000, 1_000_000_000, 450_000_000_000),
    ] as [(Int64, Int64, Int64)])
  func `a file of constant rate has the bytes of its duration, rounded up`(
    duration: Int64, rate: Int64, bytes: Int64
  ) {
    let file = MediaFile(
      duration: MediaTime(nanoseconds: duration), bitRate: BitRate(bitsPerSecond: rate))
    #expect(file.bytes == bytes && file.duration.nanoseconds == duration)
  }

  @Test(
    arguments: [
      (1, 8_000_000_000, 1, 1), (1, 1_000_000_000, 8, 1), (5_000_000, 40_000_000_000, 1_000_000, 1),
      (1, 1_000_000_007, 8_000_000_000, 1_000_000_007), (3, 7, 24_000_000_000, 7),
      (1, 3_000_000_000, 8, 3), (1_000, 8_000_000_001, 8_000_000_000_000, 8_000_000_001),
    ] as [(Int64, Int64, Int64, Int64)])
  func `the average rate is exact, with the head atom`(
    bytes: Int64, duration: Int64, numerator: Int64, denominator: Int64
  ) {
    let exact = BitRate(bitsPerSecond: numerator, over: denominator)
    let span = MediaTime(nanoseconds: duration)
    #expect(MediaFile(map: ByteMap(duration: span, bytes: bytes)).averageBitRate == exact)
    if bytes == 1 { return }
    let headed = MediaFile(map: ByteMap(duration: span, bytes: bytes - 1), headAtomBytes: 1)
    #expect(headed.averageBitRate == exact)
  }

  /// 2^62 bytes in a second and a nanosecond are 36,893,488,110,525,743,104.1… bit/s, of which the
  /// thousandths take more than 64 bits; of 2^50 bytes they do not.
  @Test func `a rate that takes more than 64 bits is rounded down, and held to them`() {
    let span = MediaTime(nanoseconds: 1_000_000_001)
    let high = MediaFile(map: ByteMap(duration: span, bytes: 1 << 62)).averageBitRate
    #expect(high == BitRate(bitsPerSecond: .max, over: 1_000))
    let low = MediaFile(map: ByteMap(duration: span, bytes: 1 << 50)).averageBitRate
    // 9,007,199,254,740,992 bit/s over 1.000000001.
    #expect(low == BitRate(bitsPerSecond: 9_007_199_245_733_792_754, over: 1_000))
  }
}
