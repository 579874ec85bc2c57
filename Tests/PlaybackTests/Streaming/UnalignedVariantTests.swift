import SimulatedPlayback
import SimulatedWorld
import StreamingMedia
import Testing

/// Variants whose segments are not aligned: a switch leaves no hole that counts as loaded.
@Suite struct UnalignedVariantTests {
  private static func ladder(_ bitRate: Int64, _ segment: MediaTime) throws -> Presentation {
    try Presentation(
      LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: bitRate)], segmentDuration: segment,
        duration: .seconds(120)))
  }

  /// A variant of 2.4 Mbit/s and one of 500 kbit/s, each with segments of its own length.
  private static func presentation(_ high: MediaTime, _ low: MediaTime) throws -> Presentation {
    let (first, second) = (try ladder(2_400_000, high), try ladder(500_000, low))
    var lower = second.variants[0]
    lower.list = 1
    return Presentation(
      uri: "main.m3u8", variants: [first.variants[0], lower],
      lists: [first.lists[0], second.lists[0]])
  }

  @Test(
    arguments: [
      (0, 0), (4_000, 0), (5_000, 0), (5_949, 0), (5_950, 6), (6_000, 6), (6_020, 6), (7_000, 6),
      (11_960, 12), (18_000, 18), (119_990, 114),
    ] as [(Int64, Int64)])
  func `the next segment is the one that begins there, or the one around it`(
    boundary: Int64, start: Int64
  ) throws {
    let list = try Self.ladder(500_000, .seconds(6)).lists[0]
    let next = list.next(after: .milliseconds(boundary))
    #expect(list.segments[next].start == .seconds(start))
    #expect(list.next(after: .seconds(120)) == list.segments.count)
  }

  @Test(
    arguments: [
      (4_000, 6_000), (6_000, 4_000), (2_000, 5_000), (5_000, 2_000), (3_000, 7_000),
      (10_000, 4_000),
      (4_000, 10_000), (1_000, 9_000), (2_002, 6_006), (7_000, 2_000), (6_000, 6_000),
      (8_000, 3_000),
    ] as [(Int64, Int64)])
  func `all that counts as loaded is held by segments`(high: Int64, low: Int64) throws {
    // Twenty seconds fast enough for the high variant, twenty for the low one alone.
    let steps = [6_000, 900].map {
      RateSchedule.Step(duration: .seconds(20), bandwidth: .limited(.kilobitsPerSecond($0)))
    }
    let world = try World(
      conditions: LinkConditions(downlink: DirectionConditions(delay: .milliseconds(20))),
      schedule: try RateSchedule(steps: steps, ending: .loops))
    let player = world.makePlayer()
    let source = StreamSettings(
      presentation: try Self.presentation(.milliseconds(high), .milliseconds(low)))
    player.replaceCurrentItem(with: ItemSettings(source: .stream(source)))
    player.play()
    var played: [Int] = []
    for _ in 0..<1_300 {
      world.advance(by: .milliseconds(100))
      let (now, position) = (world.now, player.currentTime())
      guard let item = player.core.currentItem, player.core.loadedEnd(at: now) > position
      else { continue }
      let variant = item.playingVariant(at: now)
      #expect(variant != nil, "a hole at \(position)")
      if let variant, variant != played.last { played.append(variant) }
    }
    #expect(player.currentTime() == .seconds(120))
    #expect(played.count >= 2, "\(played)")
  }
}
