import StreamingMedia
import Testing
import VirtualTime

@Suite struct LivePlaylistTests {
  /// Twelve segments of six seconds; every fourth starts after a discontinuity.
  private let list = SegmentList(
    uri: "live.m3u8",
    segments: (0..<12).map { index in
      MediaSegment(
        start: .seconds(Int64(index) * 6), duration: .seconds(6), bytes: 1,
        isDiscontinuity: index % 4 == 3)
    }, naming: .numbered(prefix: "s", suffix: ".m4s"), targetDuration: .seconds(6),
    mediaSequence: 100, discontinuitySequence: 5, type: .videoOnDemand)

  private func read(_ text: String) throws -> MediaPlaylist {
    guard case .media(let media) = try Playlist.read(Array(text.utf8)).playlist else {
      throw FixtureMismatch()
    }
    return media
  }

  @Test(arguments: 0...9)
  func `a window slides with its sequence numbers`(first: Int) throws {
    let text = list.liveText(LiveWindow(segments: first..<first + 3))
    let media = try read(text)
    #expect(media.mediaSequence == 100 + Int64(first))
    #expect(media.segments.map(\.uri) == (first..<first + 3).map { "s\(100 + $0).m4s" })
    #expect(media.discontinuitySequence == 5 + Int64((0..<first).filter { $0 % 4 == 3 }.count))
    #expect(!media.hasEnd)
    #expect(media.type == nil)
  }

  @Test func `a window beyond the end lists what there is`() throws {
    let media = try read(list.liveText(LiveWindow(segments: 10..<40, isEnded: true)))
    #expect(media.segments.count == 2)
    #expect(media.hasEnd)
    #expect(try read(list.liveText(LiveWindow(segments: 20..<40))).segments.isEmpty)
  }

  @Test func `parts share the time and the bytes of their segment`() throws {
    var stream = RandomStream(seed: 3, name: "parts")
    for _ in 0..<200 {
      let segment = MediaSegment(
        start: .seconds(7), duration: MediaTime(nanoseconds: stream.next(in: 0...8_000_000_000)),
        bytes: stream.next(in: 0...9_000_000))
      let one = SegmentList(
        uri: "", segments: [segment], naming: .listed(["a"]), targetDuration: .seconds(8),
        partDuration: MediaTime(nanoseconds: stream.next(in: 1...3_000_000_000)))
      let parts = (0..<one.partCount(of: 0)).map { one.part($0, of: 0) }
      #expect(parts.map(\.duration.nanoseconds).reduce(0, +) == segment.duration.nanoseconds)
      #expect(parts.map(\.byteRange.length).reduce(0, +) == segment.bytes)
      #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.byteRange.end == $1.byteRange.offset })
      #expect(parts.filter(\.isIndependent).count == 1)
      for time in [parts[0].start, parts[0].end, parts[parts.count / 2].end, segment.end] {
        for late in [-1, 0, 1] as [Int64] {
          let time = time + MediaTime(nanoseconds: late)
          #expect(one.partCount(of: 0, endingBy: time) == parts.count { $0.end <= time })
        }
      }
    }
  }

  @Test func `a low-latency window lists its newest parts and hints at the next`() throws {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 800_000)], segmentDuration: .seconds(4),
      duration: .seconds(80), partDuration: .seconds(1))
    let list = try Presentation(ladder).lists[0]
    let window = LiveWindow(segments: 2..<12, trailingParts: 2)
    let text = list.liveText(window)
    let reading = try Playlist.read(Array(text.utf8))
    #expect(
      reading.remarks.map { $0.problem } == [
        .notSimulated("parts after the last segment are not played")
      ])
    let media = try read(text)
    #expect(media.mediaSequence == 2)
    #expect(media.partTarget == .seconds(1))
    #expect(media.serverControl?.partHoldBack == .seconds(3))
    // The parts of a segment stand before its duration.
    let parts = text.split(separator: "#EXTINF:").map { $0.ranges(of: "#EXT-X-PART:").count }
    #expect(parts == [0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 2] && media.partCount == 14)
    #expect(media.preloadHints == [.part])
    #expect(text.contains(#"URI="segment12.m4s",BYTERANGE-START=200000"#))
    let full = try read(list.liveText(LiveWindow(segments: 2..<12, trailingParts: 4)))
    #expect(full.preloadHints.isEmpty)
    let ended = try read(list.liveText(LiveWindow(segments: 2..<12, isEnded: true)))
    #expect(ended.hasEnd && ended.preloadHints.isEmpty)
  }

  @Test func `a playlist reports how far others have got`() throws {
    let reports = [
      RenditionReport(uri: "../a.m3u8", lastMediaSequence: 12, lastPart: 3),
      RenditionReport(uri: "b.m3u8", lastMediaSequence: 1_000, lastPart: nil),
    ]
    let text = list.liveText(LiveWindow(segments: 1..<4), reports: reports)
    #expect(
      text.hasSuffix(
        """
        s103.m4s
        #EXT-X-RENDITION-REPORT:URI="../a.m3u8",LAST-MSN=12,LAST-PART=3
        #EXT-X-RENDITION-REPORT:URI="b.m3u8",LAST-MSN=1000

        """))
    #expect(try read(text).renditionReports == reports)
    #expect(reports.map(\.writtenBytes) == [64, 51])
  }

  @Test func `a compressed playlist is a part of its size`() {
    #expect(PlaylistEncoding.plain.transferred(1_001) == 1_001)
    #expect(PlaylistEncoding.gzip(percent: 15).transferred(1_001) == 151)
    #expect(PlaylistEncoding.gzip(percent: 100).transferred(1_001) == 1_001)
  }
}
