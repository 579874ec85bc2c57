import StreamingMedia
import TestSupport
import Testing
import VirtualTime

/// What is counted on from read to read, against the length of the text written anew.
@Suite struct LivePlaylistSizeTests {
  /// Segments with everything that a playlist says of them, here and there.
  private func list(_ random: inout RandomStream, parts: Bool) -> SegmentList {
    let keys = (0..<3).map { EncryptionKey(method: .aes128, uri: "key-\($0)") }
    let maps = (0..<2).map { SizedMap(uri: "init\($0 * 10).mp4", bytes: 700) }
    var (time, key, map) = (MediaTime.zero, Int?.none, Int?.none)
    var segments: [MediaSegment] = []
    for _ in 0..<random.next(in: 20...90) {
      if random.next(below: 8) == 0 { key = [nil, 0, 1, 2][Int(random.next(below: 4))] }
      if random.next(below: 9) == 0 { map = [nil, 0, 1][Int(random.next(below: 3))] }
      let duration = MediaTime.milliseconds(
        random.next(below: 3) == 0 ? random.next(in: 100...6_000) : 6_000)
      segments.append(
        MediaSegment(
          start: time, duration: duration, bytes: random.next(in: 1...900_000), map: map, key: key,
          isDiscontinuity: random.next(below: 6) == 0, isGap: random.next(below: 11) == 0))
      time = time + duration
    }
    return SegmentList(
      uri: "live.m3u8", segments: segments,
      naming: random.next(below: 2) == 0
        ? .numbered(prefix: "s", suffix: ".m4s")
        : .listed(segments.indices.map { String(repeating: "x", count: $0 % 7 + 1) }),
      maps: maps, keys: keys, targetDuration: .seconds(6), mediaSequence: random.next(in: 0...99),
      discontinuitySequence: random.next(in: 0...9),
      partDuration: parts ? .milliseconds(random.next(in: 300...2_000)) : nil)
  }

  @Test(arguments: Seeds.first(12, inRelease: 40))
  func `whatever a window lists, it is counted as it is written`(
    seed: UInt64
  ) {
    var random = RandomStream(seed: seed, name: "size")
    let list = list(&random, parts: seed % 2 == 0)
    var size = LivePlaylistSize()
    var (first, end) = (0, 0)
    while end < list.segments.count {
      end = min(list.segments.count, end + Int(random.next(below: 4)))
      if seed % 3 != 0 { first = min(end, first + Int(random.next(below: 5))) }
      var window = LiveWindow(
        segments: first..<end, trailingParts: Int(random.next(below: 3)),
        isEnded: end == list.segments.count, isEvent: seed % 3 == 0)
      if random.next(below: 3) == 0 { window.holdBack = .milliseconds(20_500) }
      for skipped in [0, Int(random.next(in: 0...Int64(end - first))), 0] {
        let text = list.liveText(window, skipping: skipped)
        #expect(
          size.bytes(of: window, skipping: skipped, in: list) == Int64(text.utf8.count), "\(text)")
      }
    }
  }

  @Test func `a window that goes back is counted anew`() {
    var random = RandomStream(seed: 7, name: "size")
    let list = list(&random, parts: false)
    var size = LivePlaylistSize()
    for first in [9, 4, 12, 0] {
      let window = LiveWindow(segments: first..<first + 5)
      #expect(size.bytes(of: window, in: list) == Int64(list.liveText(window).utf8.count))
    }
  }

  /// A stream that is read with each of its parts, as a server without hints would have it.
  ///
  /// - Returns: How many parts there were, and how many lines of parts were gone through.
  private func read(
    _ minutes: Int64, segments: MediaTime, parts: MediaTime, canSkipUntil: MediaTime?
  ) throws -> (parts: Int64, visited: Int64) {
    let list = try Presentation(
      LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: 600_000)], segmentDuration: segments,
        duration: .seconds(60 * minutes), partDuration: parts)
    ).lists[0]
    var stream = LiveStream(
      window: .sliding(.seconds(7_200)), startsWith: .zero,
      parts: LiveParts(holdBack: MediaTime(nanoseconds: 3 * parts.nanoseconds)))
    stream.canSkipUntil = canSkipUntil
    var size = LivePlaylistSize()
    let count = 60_000_000_000 * minutes / parts.nanoseconds
    for number in 1...count {
      let window = stream.listing(
        of: list, whenProduced: MediaTime(nanoseconds: number * parts.nanoseconds))
      let skipped = canSkipUntil == nil ? 0 : list.skippable(in: window)
      if skipped > 0 { _ = size.bytes(of: window, in: list) }
      _ = size.bytes(of: window, skipping: skipped, in: list)
    }
    return (count, size.visitedPartLines)
  }

  /// The length of segments, of parts and of what is not left out, in milliseconds.
  @Test(
    arguments: Seeds.cases(
      of: [
        (6_000, 10, nil), (600_000, 10, nil), (1_000, 40, nil), (6_000, 20, 36_000),
        (500, 100, 6_000), (120_000, 50, 720_000),
      ] as [(Int64, Int64, Int64?)]))
  func `a read costs what is new in it`(segment: Int64, part: Int64, boundary: Int64?) throws {
    for minutes in Seeds.areMany ? [1, 4] : [2] as [Int64] {
      let cost = try read(
        minutes, segments: .milliseconds(segment), parts: .milliseconds(part),
        canSkipUntil: boundary.map { .milliseconds($0) })
      // A part is gone through when it comes, when its segment is whole and when that is old.
      #expect(cost.visited <= 3 * cost.parts && cost.visited >= cost.parts, "\(cost)")
    }
  }
}
