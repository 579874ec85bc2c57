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
    let text = list.liveText(window: first..<first + 3)
    #expect(list.liveBytes(window: first..<first + 3) == Int64(text.utf8.count))
    let media = try read(text)
    #expect(media.mediaSequence == 100 + Int64(first))
    #expect(media.segments.map(\.uri) == (first..<first + 3).map { "s\(100 + $0).m4s" })
    #expect(media.discontinuitySequence == 5 + Int64((0..<first).filter { $0 % 4 == 3 }.count))
    #expect(!media.hasEnd)
    #expect(media.type == nil)
  }

  @Test func `a window beyond the end lists what there is`() throws {
    let media = try read(list.liveText(window: 10..<40, isEnded: true))
    #expect(media.segments.count == 2)
    #expect(media.hasEnd)
    #expect(try read(list.liveText(window: 20..<40)).segments.isEmpty)
  }

  @Test func `a compressed playlist is a part of its size`() {
    #expect(PlaylistEncoding.plain.transferred(1_001) == 1_001)
    #expect(PlaylistEncoding.gzip(percent: 15).transferred(1_001) == 151)
    #expect(PlaylistEncoding.gzip(percent: 100).transferred(1_001) == 1_001)
  }
}
