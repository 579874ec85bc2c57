import StreamingMedia
import Testing
import VirtualTime

/// The values of what a playlist does not say.
@Suite struct BlankPlaylistTests {
  @Test func `a media playlist counts from zero and goes on`() {
    let blank = MediaPlaylist()
    #expect(blank.targetDuration == .zero && blank.mediaSequence == 0)
    #expect(blank.discontinuitySequence == 0 && blank.firstTrailingPart == 0 && !blank.hasEnd)
    #expect(blank.keySets == [[]])
  }

  @Test func `a live stream's tags say nothing`() {
    let tags = LiveTags()
    #expect(!tags.isEvent && !tags.isGrowing && tags.holdBack == nil && tags.parts == nil)
    #expect(tags.remarks.isEmpty && tags.otherType == nil)
    #expect(LivePlaylistSize().visitedPartLines == 0)
  }
}
