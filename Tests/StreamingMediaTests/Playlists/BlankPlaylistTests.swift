import StreamingMedia
import Testing
import VirtualTime

/// The values of what a playlist does not say.
@Suite struct BlankPlaylistTests {
  @Test func `a media playlist counts from zero and goes on`() {
    let blank = MediaPlaylist()
    #expect(blank.targetDuration == .zero && blank.mediaSequence == 0)
    #expect(blank.discontinuitySequence == 0 && blank.partCount == 0 && !blank.hasEnd)
    #expect(blank.keySets == [[]])
  }

  @Test func `a live stream's tags say nothing`() {
    let tags = LiveTags()
    #expect(!tags.isEvent && !tags.isGrowing && tags.holdBack == nil && tags.parts == nil)
    #expect(tags.remarks.isEmpty && tags.otherType == nil)
    #expect(AcceptableStart(screen: PixelSize(width: 2, height: 1)).leastPercent == 50)
    #expect(LadderAudio(name: "a", bitRate: 1).channels == 2)
    #expect(LadderSubtitles(name: "a").bitRate == 1_000)
    #expect(!LadderSubtitles(name: "a").isDefault && !LadderSubtitles(name: "a").isForced)
    #expect(LadderRung(resolution: nil, bitRate: 1).audioBitRate == 0)
    #expect(LivePlaylistSize().visitedPartLines == 0)
  }
}
