import StreamingMedia
import Testing
import VirtualTime

/// Sizes and rates of files so large that one part in eight thousand million shows.
@Suite struct MediaFileTests {
  /// A second of 8 bit/s is a byte: seconds times bit/s over eight, whatever their size.
  @Test(
    arguments: [
      (1, 8, 1), (1, 9, 2), (1, 16, 2), (3, 1, 1), (8, 1, 1), (9, 1, 2),
      (31_536_000, 8_000_000_000, 31_536_000_000_000_000),
      (31_536_000, 8_000_000_008, 31_536_000_031_536_000),
      (1_000_000, 80_000_000_000, 10_000_000_000_000_000),
      (86_400, 1_000_000_000_000, 10_800_000_000_000_000),
      (1_000_000_000, 8, 1_000_000_000), (1_000_000_000, 800_000, 100_000_000_000_000),
    ] as [(Int64, Int64, Int64)])
  func `a file of one rate has an eighth of the bits of its time, and a begun byte whole`(
    seconds: Int64, rate: Int64, bytes: Int64
  ) {
    let file = MediaFile(duration: .seconds(seconds), bitRate: .bitsPerSecond(rate))
    #expect(file.bytes == bytes && file.duration == .seconds(seconds))
  }

  @Test func `a file of a part of a bit in a second has its bytes all the same`() {
    // A third of 24,000,000,008 bit/s over 3,000,000 s are 3e15 bytes and a million more.
    let file = MediaFile(
      duration: .seconds(3_000_000), bitRate: BitRate(bitsPerSecond: 24_000_000_008, over: 3))
    #expect(file.bytes == 3_000_000_001_000_000)
  }

  @Test(
    arguments: [
      (1, 1, 8, 1), (3, 1, 8, 3), (1_000, 1_000_000, 8_000_000, 1_000),
      (31_536_000, 31_536_000_000_000_000, 8_000_000_000, 1),
      (31_536_000, 31_536_000_000_000_001, 252_288_000_000_000_008, 31_536_000),
      (8_000_000_000, 1_000_000_000, 1, 1),
      (8_000_000_000, 8_000_000_001, 8_000_000_001, 1_000_000_000),
      (7_000_000_000, 9_000_000_001, 72_000_000_008, 7_000_000_000),
    ] as [(Int64, Int64, Int64, Int64)])
  func `the average rate of a file is eight times its bytes over its time, exactly`(
    seconds: Int64, bytes: Int64, bits: Int64, over: Int64
  ) {
    let file = MediaFile(map: ByteMap(duration: .seconds(seconds), bytes: bytes))
    #expect(file.averageBitRate == BitRate(bitsPerSecond: bits, over: over))
  }

  @Test func `the bytes of the index count as the media's do`() {
    let map = ByteMap(duration: .seconds(8), bytes: 1_000)
    for position in [MediaFile.HeadAtomPosition.front, .end] {
      let file = MediaFile(map: map, headAtomBytes: 24, headAtomPosition: position)
      #expect(file.bytes == 1_024 && file.averageBitRate == .bitsPerSecond(1_024))
    }
  }

  @Test func `a rate that no word holds is cut to a thousandth of a bit`() {
    // 9e18 bytes in 7 s and a nanosecond: 72e18 bits over it.
    let file = MediaFile(
      map: ByteMap(
        duration: MediaTime(nanoseconds: 7_000_000_001), bytes: 9_000_000_000_000_000_000))
    let all = Int128(9_000_000_000_000_000_000) * 8_000_000_000 * 1_000
    #expect(
      file.averageBitRate
        == BitRate(bitsPerSecond: Int64(clamping: all / 7_000_000_001), over: 1_000))
    // Of fewer bytes the thousandths fit.
    let less = MediaFile(
      map: ByteMap(duration: MediaTime(nanoseconds: 7_000_000_001), bytes: 6_000_000_000_001))
    let thousandths = Int128(6_000_000_000_001) * 8_000_000_000_000 / 7_000_000_001
    #expect(
      less.averageBitRate == BitRate(bitsPerSecond: Int64(clamping: thousandths), over: 1_000))
  }
}
