import StreamingMedia
import Testing
import VirtualTime

/// Playlists that leave out what the client knows.
@Suite struct DeltaUpdateTests {
  /// Ten segments of six seconds; a key from the third on, another initialization section from the
  /// sixth on, discontinuities at the second and the ninth.
  private let list = SegmentList(
    uri: "live.m3u8", segments: (0..<10).map { Self.segment($0) },
    naming: .numbered(prefix: "s", suffix: ".m4s"),
    maps: [SizedMap(uri: "a.mp4", bytes: 9), SizedMap(uri: "b.mp4", bytes: 9)],
    keys: [EncryptionKey(method: .aes128, uri: "k")], targetDuration: .seconds(6),
    mediaSequence: 100)

  private static func segment(_ index: Int) -> MediaSegment {
    MediaSegment(
      start: .seconds(Int64(index) * 6), duration: .seconds(6), bytes: 1,
      map: index < 5 ? 0 : 1, key: index < 2 ? nil : 0, isDiscontinuity: index == 1 || index == 8)
  }

  private func window(_ segments: Range<Int>) -> LiveWindow {
    var window = LiveWindow(segments: segments)
    window.canSkipUntil = .seconds(36)
    return window
  }

  @Test func `a tag stands for the segments and for what was said of them`() {
    #expect(
      list.liveText(window(2..<10), skipping: 2) == """
        #EXTM3U
        #EXT-X-VERSION:9
        #EXT-X-TARGETDURATION:6
        #EXT-X-MEDIA-SEQUENCE:102
        #EXT-X-DISCONTINUITY-SEQUENCE:1
        #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=36
        #EXT-X-SKIP:SKIPPED-SEGMENTS=2
        #EXTINF:6,
        s104.m4s
        #EXT-X-MAP:URI="b.mp4"
        #EXTINF:6,
        s105.m4s
        #EXTINF:6,
        s106.m4s
        #EXTINF:6,
        s107.m4s
        #EXT-X-DISCONTINUITY
        #EXTINF:6,
        s108.m4s
        #EXTINF:6,
        s109.m4s

        """)
    let whole = list.liveText(window(2..<10))
    #expect(whole.hasPrefix("#EXTM3U\n#EXT-X-VERSION:7\n"))
    #expect(!whole.contains("EXT-X-SKIP:"))
  }

  @Test(arguments: 0...8) func `the reader puts it behind what it leaves out`(skipped: Int) throws {
    let text = list.liveText(window(1..<10), skipping: skipped)
    let reading = try Playlist.read(Array(text.utf8))
    #expect(reading.remarks.isEmpty)
    guard case .media(let media) = reading.playlist else { throw FixtureMismatch() }
    #expect((media.skip?.count ?? 0) == Int64(skipped))
    #expect(media.mediaSequence == 101 && media.discontinuitySequence == 0)
    let names = (101 + skipped..<110).map { "s\($0).m4s" }
    #expect(media.segments.map { $0.uri } == names)
    #expect(media.serverControl?.canSkipUntil == .seconds(36))
  }

  /// Segment by segment, in milliseconds.
  @Test(arguments: 0..<60) func `only what lies farther from the end is left out`(
    seed: UInt64
  ) {
    var random = RandomStream(seed: seed, name: "skip")
    var (time, segments) = (Int64(0), [MediaSegment]())
    for _ in 0..<random.next(in: 1...60) {
      let duration = random.next(in: 1...9) * 1_000
      segments.append(
        MediaSegment(start: .milliseconds(time), duration: .milliseconds(duration), bytes: 1))
      time += duration
    }
    let list = SegmentList(
      uri: "", segments: segments, naming: .numbered(prefix: "", suffix: ""),
      targetDuration: .seconds(9))
    let first = Int(random.next(below: UInt64(segments.count)))
    let end = first + Int(random.next(in: 0...Int64(segments.count - first)))
    let boundary = random.next(in: 10...90) * 1_000
    var window = LiveWindow(segments: first..<end)
    #expect(list.skippable(in: window) == 0)
    window.canSkipUntil = .milliseconds(boundary)
    let expected = segments[first..<end].count {
      $0.end + .milliseconds(boundary) <= segments[end - 1].end
    }
    #expect(list.skippable(in: window) == expected)
    window.isEnded = true
    #expect(list.skippable(in: window) == 0)
  }
}
