import SimulatedWorld
import TestSupport
import Testing

/// A clip of nine seconds, looped for a day in each way: 9,600 times, at the same cost each time.
///
/// A debug build makes do with a tenth of a day.
@Suite struct DayOfLoopingTests {
  private static let rounds = Int64(Seeds.count(960, inRelease: 9_600))
  private static let preroll: Int64 = 300
  private static let latency = AppLatency(
    notification: .milliseconds(20), command: .milliseconds(10))

  private let settings = PlayerSettings(
    pipeline: PipelineCosts(preroll: .milliseconds(preroll)), latency: latency)

  private func clip() -> ItemSettings { Bench.item(duration: .seconds(9)) }

  /// A link that brings the clip in four and a half seconds.
  private func world() throws -> World {
    try World(
      conditions: Bench.conditions(2_000), limits: RunLimits(horizon: .seconds(200_000)))
  }

  /// Plays a day and holds its books against what a day of loops adds up to.
  ///
  /// - Parameters:
  ///   - gap: The gap of each loop, in milliseconds.
  ///   - events: How many events of the loop one round may cost.
  private func playADay(
    _ world: World, _ player: SimulatedPlayer, gap: Int64, events: Int64
  ) {
    player.play()
    let start = TimeSpan.milliseconds(DayOfLoopingTests.preroll + 1)
    world.advance(by: start)
    let before = world.eventCount
    let rounds = DayOfLoopingTests.rounds
    world.advance(to: .zero + start + .milliseconds(rounds * (9_000 + gap)))
    let books = player.books
    #expect(books.loopCount == rounds && books.transitionCount == rounds)
    #expect(books.totalGap == .milliseconds(rounds * gap))
    // The clip has a million bytes and an eighth, and one rendition: it comes in once.
    #expect(player.core.bytesTransferred(at: world.now) == 1_125_000)
    #expect(player.core.counts.requests == 1)
    #expect(player.core.pipeline.parseCount == 1)
    #expect(books.stallCount == 0 && books.startupDelay.map { $0 < .seconds(1) } == true)
    #expect(world.eventCount - before <= rounds * events + 8)
    #expect(world.pendingEventCount <= 4)
    let passed = books.played + books.waiting + books.paused
    #expect(passed == world.now - .zero)
    #expect(world.finish() == [])
  }

  @Test func `by rewinding`() throws {
    let world = try world()
    let player = world.makePlayer(settings)
    player.replaceCurrentItem(with: clip())
    _ = RewindLoop(player)
    playADay(world, player, gap: 330, events: 4)
  }

  @Test func `on the treadmill`() throws {
    let world = try world()
    let player = world.makeQueuePlayer(settings)
    var clip = clip()
    clip.asset = world.makeAsset()
    let treadmill = try Treadmill(
      player, items: (0..<3).map { [clip] _ in SimulatedPlayerItem(clip) })
    playADay(world, player, gap: 0, events: 4)
    // One of the three is on its way back.
    #expect(player.items().count == 2 && player.core.itemCount == 3)
    #expect(player.core.longestQueue == 3)
    // The observer hears of each item that leaves, and of none that it puts back.
    #expect(treadmill.callCount == DayOfLoopingTests.rounds && !treadmill.hasEnded)
  }

  @Test func `with a looper`() throws {
    let world = try world()
    let player = world.makeQueuePlayer(settings)
    let looper = try SimulatedPlayerLooper(player: player, templateItem: clip())
    playADay(world, player, gap: 0, events: 2)
    #expect(looper.loopCount == DayOfLoopingTests.rounds)
    #expect(player.items().count == 3 && player.core.itemCount == 3)
  }
}
