import SimulatedPlayback
import StreamingMedia
import Testing
import VirtualTime

/// The duration of a frame, from the FRAME-RATE of the variant.
@Suite struct FrameTests {
  @Test(
    arguments: [
      (nil, nil), (0, nil), (1, 1_000_000_000_000), (25_000, 40_000_000), (50_000, 20_000_000),
      // Rounded up to a nanosecond.
      (24_000, 41_666_667), (23_976, 41_708_376), (59_940, 16_683_351), (60_000, 16_666_667),
    ] as [(Int64?, Int64?)])
  func `a frame lasts as long as its rate says`(rate: Int64?, nanoseconds: Int64?) throws {
    var presentation = try Presentation(
      LadderDescription(
        rungs: [
          LadderRung(resolution: nil, bitRate: 2_000_000),
          LadderRung(resolution: nil, bitRate: 1_000_000),
        ], segmentDuration: .seconds(4), duration: .seconds(8)))
    presentation.variants[1].attributes.frameRate = rate
    var choice = VariantChoice(StreamSettings(presentation: presentation))
    #expect(choice.frame == nil)
    choice.current = 1
    #expect(choice.frame == nanoseconds.map { MediaTime(nanoseconds: $0) })
    choice.current = 0
    #expect(choice.frame == nil)
  }
}
