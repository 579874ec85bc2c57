import Foundation
import GoldilocksTesting
import Testing

/// What an app's team does with a world, beside playing a description.
@Suite struct LibraryTests {
  private static let file = #"{ "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } }"#
  private static let stream = #"""
    { "hls": { "duration": "40 s", "segmentDuration": "4 s",
      "ladder": [ { "bitrate": "600 kbit/s" }, { "bitrate": "2 Mbit/s" } ] } }
    """#

  // MARK: The world

  @Test(arguments: [1, 2, 3, 5, 8]) func `a player that nothing holds downloads no more`(
    seconds: Int64
  ) throws {
    let world = try World(conditions: try LinkConditions(link: #"{ "bandwidth": "1 Mbit/s" }"#))
    var player: SimulatedPlayer? = world.makePlayer()
    player?.replaceCurrentItem(with: try ItemSettings(media: Self.file))
    world.advance(by: .seconds(seconds))
    #expect(player?.loadedTimeRanges == [.zero..<MediaTime.seconds(seconds)])
    player = nil
    world.advance(by: .seconds(5))
    #expect(world.run() == .finished)
  }

  @Test func `a released player in a queue lets go of what comes after too`() throws {
    let world = try World(conditions: try LinkConditions(link: "3G"))
    var player: SimulatedQueuePlayer? = world.makeQueuePlayer()
    let items = try (0..<3).map { _ in SimulatedPlayerItem(try ItemSettings(media: Self.stream)) }
    for item in items { try player?.insert(item) }
    player?.play()
    world.advance(by: .seconds(10))
    player = nil
    #expect(world.run() == .finished)
    #expect(world.now == .zero + .seconds(10))
  }

  @Test(arguments: [2, 6, 11, 17]) func `a wait for a condition can be cancelled`(
    seconds: Int64
  ) throws {
    let simulation = try Simulation(link: "LTE", media: Self.file)
    let (world, player) = (simulation.world, simulation.player)
    var called: [String] = []
    let time = MediaTime.seconds(seconds)
    let token = world.when(.currentTime(time), of: player) { called.append("cancelled") }
    world.when(.currentTime(time), of: player) { called.append("kept") }
    // More than are looked at at a time.
    let others = (1...80).map { number in
      world.when(.currentTime(.milliseconds(200 * Int64(number))), of: player) {
        called.append("other")
      }
    }
    world.stopObserving(token)
    for other in others { world.stopObserving(other) }
    player.play()
    simulation.run()
    #expect(called == ["kept"])
  }

  @Test func `a timer that arms itself anew ends with the day`() throws {
    let world = try World()
    func again() { world.after(.seconds(60)) { again() } }
    again()
    #expect(world.run() == .horizon)
  }

  @Test func `a record without an item says so, and the first item is number 0`() throws {
    let world = try World()
    let player = world.makePlayer()
    var items: [Int32?] = []
    player.observe { items.append($0.item) }
    player.play()
    #expect(items.allSatisfy { $0 == nil } && !items.isEmpty)
    items = []
    player.replaceCurrentItem(with: try ItemSettings(media: Self.file))
    #expect(player.currentItem?.number == 0 && items.contains(0))
  }

  @Test(arguments: [-1, -0.5, 0, .nan, -.infinity] as [Float])
  func `what is no rate of forward playback pauses`(rate: Float) throws {
    let simulation = try Simulation(link: "LTE", media: Self.file)
    simulation.player.play()
    simulation.advance(by: .seconds(3))
    simulation.player.rate = PlaybackRate(rate)
    #expect(simulation.player.timeControlStatus == .paused)
    #expect(PlaybackRate(-1) == .zero && PlaybackRate(1, over: 0) == .zero)
  }

  // MARK: Media

  @Test func `ladders, keys and live streams can be made without text`() throws {
    var ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 1_000_000)], segmentDuration: .seconds(4),
      duration: .seconds(60))
    let key = EncryptionKey(method: .sampleAES, uri: "skd://key")
    ladder.encryption = LadderEncryption(key: key, isAnnounced: true)
    var settings = StreamSettings(presentation: try Presentation(ladder))
    let described = try ItemSettings(
      media: #"""
        { "hls": { "duration": "60 s", "segmentDuration": "4 s",
          "ladder": [ { "bitrate": "1 Mbit/s" } ],
          "key": { "announced": true } } }
        """#)
    var ends: [Instant] = []
    for item in [ItemSettings(source: .stream(settings)), described] {
      let world = try World(conditions: try LinkConditions(link: "3G"))
      let player = world.makePlayer()
      player.replaceCurrentItem(with: item)
      player.play()
      #expect(world.run() == .finished)
      ends.append(world.now)
    }
    #expect(ends[0] == ends[1])
    settings.live = LiveStream(window: .sliding(.seconds(20)), startsWith: .seconds(30))
    let world = try World(conditions: try LinkConditions(link: "LTE"))
    let player = world.makePlayer()
    player.replaceCurrentItem(with: ItemSettings(source: .stream(settings)))
    player.play()
    world.advance(by: .seconds(10))
    #expect(player.duration == nil)
    // Three target durations of 4 s behind the last whole segment of 28 s.
    #expect(player.seekableTimeRanges.first?.upperBound ?? .zero > .zero)
    #expect(player.timeOffsetFromLive ?? .zero >= .seconds(12))
  }

  // MARK: Tasks

  @MainActor private final class Screen {
    private(set) var lines: [String] = []
    func note(_ line: String) { lines.append(line) }
  }

  @MainActor @Test func `a thousand runs of ten tasks have one order on the main actor`() throws {
    var first: [String]?
    for _ in 0..<1_000 {
      let world = try World()
      let screen = Screen()
      try VirtualTasks(of: world).run { clock in
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<10 {
            group.addTask {
              try? await clock.sleep(for: .milliseconds(number % 3 * 100))
              await screen.note("\(number) woke")
              await Task { @MainActor in screen.note("\(number) inner") }.value
              await Task.detached { await screen.note("\(number) detached") }.value
            }
          }
        }
        await MainActor.run { MainActor.assertIsolated() }
      }
      first = first ?? screen.lines
      #expect(screen.lines == first)
    }
    #expect(first?.count == 30)
  }
}
