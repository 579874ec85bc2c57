import StreamingMedia
import Testing
import VirtualTime

/// What playlists say of how they are served live.
@Suite struct LiveTagsTests {
  private func media(_ tags: String, end: String = "") throws -> LoadedPlaylist {
    let text =
      "#EXT-X-TARGETDURATION:6\n\(tags)\n"
      + String(repeating: "#EXTINF:6,\na.ts\n", count: 8) + end
    guard case .media(let media) = try playlist(text).playlist else { throw FixtureMismatch() }
    return LoadedPlaylist(media, bytes: 1)
  }

  /// Of a media playlist alone.
  private func tags(_ text: String, end: String = "") throws -> LiveTags {
    let media = try media(text, end: end)
    return Presentation(media.playlist, uri: "a.m3u8", bytes: 1).liveTags
  }

  /// Of two variants.
  private func tags(_ first: String, _ second: String, main: String = "") throws -> LiveTags {
    let text = """
      \(main)
      #EXT-X-STREAM-INF:BANDWIDTH=1
      first.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=2
      second.m3u8
      """
    guard case .multivariant(let main) = try playlist(text).playlist else {
      throw FixtureMismatch()
    }
    return try Presentation(
      main, uri: "main.m3u8", bytes: 1,
      media: ["first.m3u8": media(first), "second.m3u8": media(second)]
    ).liveTags
  }

  @Test func `each tag is taken up`() throws {
    let tags = try tags(
      """
      #EXT-X-PLAYLIST-TYPE:EVENT
      #EXT-X-SERVER-CONTROL:HOLD-BACK=20.5,CAN-SKIP-UNTIL=36,PART-HOLD-BACK=3.3,CAN-BLOCK-RELOAD=YES
      #EXT-X-PART-INF:PART-TARGET=1.1
      #EXT-X-START:TIME-OFFSET=-19,PRECISE=YES
      """)
    #expect(tags.isEvent && tags.isGrowing && tags.remarks == [])
    #expect(tags.holdBack == .milliseconds(20_500) && tags.canSkipUntil == .seconds(36))
    #expect(tags.start == StartPoint(offset: .zero - .seconds(19), isPrecise: true))
    #expect(tags.partDuration == .milliseconds(1_100))
    #expect(
      tags.parts
        == LiveParts(
          holdBack: .milliseconds(3_300), blocksReload: true, hints: false, reports: false))
  }

  @Test func `what has ended may have hinted and reported before`() throws {
    let text = "#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=3"
    let ended = try tags(text, end: "#EXT-X-ENDLIST\n")
    #expect(!ended.isGrowing && ended.parts?.hints == true && ended.parts?.reports == true)
    let hinted = try tags(text, end: "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"b\"\n")
    #expect(hinted.parts?.hints == true && hinted.parts?.reports == false)
    #expect(hinted.parts?.blocksReload == false)
  }

  @Test func `playlists that say nothing leave all as it is`() throws {
    var nothing = LiveTags()
    nothing.isGrowing = true
    #expect(try tags("") == nothing)
    #expect(try tags("", "") == nothing)
  }

  @Test(arguments: [
    ("#EXT-X-SERVER-CONTROL:HOLD-BACK=17.9", "HOLD-BACK counts as 18 s: three target durations"),
    ("#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=0", "CAN-SKIP-UNTIL counts as 36 s: six target"),
    (
      "#EXT-X-PART-INF:PART-TARGET=2\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=3.9",
      "PART-HOLD-BACK counts as 4 s: two parts are the least"
    ),
    ("#EXT-X-PART-INF:PART-TARGET=2", "PART-HOLD-BACK counts as 6 s: none is given"),
    (
      "#EXT-X-PART-INF:PART-TARGET=0\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=3",
      "PART-TARGET counts as 0.01 s: parts are no shorter"
    ),
    (
      "#EXT-X-PART-INF:PART-TARGET=9000000000\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=9000000000",
      "PART-TARGET counts as 6 s: no part is longer than the target duration"
    ),
  ]) func `what is not allowed counts as the least that is`(text: String, message: String) throws {
    let remarks = try tags(text).remarks
    #expect(remarks.count == 1 && remarks.first?.uri == "a.m3u8")
    #expect(remarks.first?.message.hasPrefix(message) == true, "\(remarks.map { $0.message })")
  }

  @Test func `where variants differ the first one's counts`() throws {
    let differing = try tags(
      "#EXT-X-SERVER-CONTROL:HOLD-BACK=24,CAN-BLOCK-RELOAD=YES\n#EXT-X-START:TIME-OFFSET=1",
      "#EXT-X-SERVER-CONTROL:HOLD-BACK=30,CAN-SKIP-UNTIL=36\n#EXT-X-PART-INF:PART-TARGET=1")
    #expect(differing.holdBack == .seconds(24) && differing.canSkipUntil == nil)
    #expect(differing.parts == nil && differing.start == StartPoint(offset: .seconds(1)))
    let names = [
      "HOLD-BACK", "CAN-SKIP-UNTIL", "PART-TARGET", "CAN-BLOCK-RELOAD", "EXT-X-START",
    ]
    #expect(
      differing.remarks.map { $0.message }
        == names.map { "\($0) is not that of first.m3u8, which counts" })
    #expect(differing.remarks.allSatisfy { $0.uri == "second.m3u8" })
  }

  @Test func `where to begin is said by the multivariant playlist first`() throws {
    let main = "#EXT-X-START:TIME-OFFSET=-30"
    let tags = try tags("", "#EXT-X-START:TIME-OFFSET=-20", main: main)
    #expect(tags.start == StartPoint(offset: .zero - .seconds(30)))
    #expect(
      tags.remarks.map { $0.uri + $0.message }
        == ["second.m3u8EXT-X-START is not that of main.m3u8, which counts"])
  }

  @Test func `an event beside what is none is found`() throws {
    #expect(try tags("#EXT-X-PLAYLIST-TYPE:EVENT", "").otherType == "second.m3u8")
    #expect(try tags("", "#EXT-X-PLAYLIST-TYPE:EVENT").otherType == "second.m3u8")
    #expect(try tags("#EXT-X-PLAYLIST-TYPE:VOD", "").otherType == nil)
  }
}
