import Foundation
import GoldilocksTesting
import PlayerTesting
import Testing

/// AVPlayer's face on a simulated player, and what an app's team does with a world.
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
    let item = world.makeItem(try ItemSettings(media: Self.file))
    player?.replaceCurrentItem(with: item)
    world.advance(by: .seconds(seconds))
    player = nil
    world.advance(by: .zero)
    let loaded = item.loadedTimeRanges
    #expect(loaded == [.zero..<MediaTime.seconds(seconds)])
    world.advance(by: .seconds(5))
    #expect(item.loadedTimeRanges == loaded)
    #expect(world.run() == .finished)
  }

  @Test func `a released player in a queue lets go of what comes after too`() throws {
    let world = try World(conditions: try LinkConditions(link: "3G"))
    var player: SimulatedQueuePlayer? = world.makeQueuePlayer()
    let items = try (0..<3).map { _ in world.makeItem(try ItemSettings(media: Self.stream)) }
    try player?.insert(items)
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
    let item = world.makeItem(try ItemSettings(media: Self.file))
    player.replaceCurrentItem(with: item)
    #expect(item.number == 0 && items.contains(0))
  }

  // MARK: The player

  @Test(arguments: [-1, -0.5, 0, .nan, -.infinity] as [Float])
  func `what is no rate of forward playback pauses`(rate: Float) throws {
    let simulation = try Simulation(link: "LTE", media: Self.file)
    simulation.player.play()
    simulation.advance(by: .seconds(3))
    simulation.player.rate = rate
    #expect(simulation.player.timeControlStatus == .paused)
    #expect(simulation.player.rate == Float(0))
    #expect(PlaybackRate(-1) == .zero && PlaybackRate(1, over: 0) == .zero)
  }

  @Test(arguments: [0.5, 1, 1.25, 1.5, 2] as [Float]) func `the rate is a number as AVPlayer's`(
    rate: Float
  ) throws {
    let simulation = try Simulation(link: "Wi-Fi", media: Self.file)
    simulation.player.defaultRate = rate
    simulation.player.play()
    let run = simulation.run()
    #expect(simulation.player.defaultRate == rate)
    #expect(abs(run.played.seconds - 20 / Double(rate)) < 0.000_001)
  }

  @Test func `a property's observer is told of each value once`() throws {
    let simulation = try Simulation(link: "3G", media: Self.file)
    var statuses: [TimeControlStatus] = []
    var changes: [Bool] = []
    let observation = simulation.player.observe(
      \.timeControlStatus, options: [.initial, .new]
    ) { _, change in
      if let status = change.newValue { statuses.append(status) }
    }
    let item = try #require(simulation.player.currentItem)
    let likely = item.observe(\.isPlaybackLikelyToKeepUp) { item, change in
      #expect(change.newValue == nil && change.oldValue == nil)
      changes.append(item.isPlaybackLikelyToKeepUp)
    }
    simulation.player.play()
    simulation.run()
    #expect(statuses == [.paused, .waitingToPlayAtSpecifiedRate, .playing, .paused])
    #expect(changes.first == true)
    observation.invalidate()
    likely.invalidate()
  }

  @Test func `a stall and the end are posted as notifications of the item`() throws {
    let simulation = try Simulation(link: "LTE", media: Self.file)
    let item = try #require(simulation.player.currentItem)
    nonisolated(unsafe) var posted: [String] = []
    let tokens = [
      SimulatedPlayerItem.playbackStalledNotification,
      SimulatedPlayerItem.didPlayToEndTimeNotification,
    ].map { name in
      NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) {
        posted.append($0.name.rawValue)
      }
    }
    defer { tokens.forEach { NotificationCenter.default.removeObserver($0) } }
    try simulation.world.setConditions(LinkConditions(link: #"{ "bandwidth": "2 Mbit/s" }"#))
    simulation.player.play()
    simulation.advance(by: .seconds(2))
    try simulation.world.setConditions(LinkConditions(link: #"{ "bandwidth": "0 bit/s" }"#))
    simulation.advance(by: .seconds(20))
    try simulation.world.setConditions(.perfect)
    simulation.run()
    #expect(
      posted == [
        "AVPlayerItemPlaybackStalledNotification", "AVPlayerItemDidPlayToEndTimeNotification",
      ])
  }

  @Test func `observers of time that nothing removes last to the end of the run`() throws {
    let simulation = try Simulation(link: "LTE", media: Self.file)
    var (ticks, boundaries): ([Double], Int) = ([], 0)
    _ = simulation.player.addPeriodicTimeObserver(forInterval: .seconds(4)) {
      ticks.append($0.seconds)
    }
    _ = simulation.player.addBoundaryTimeObserver(forTimes: [.seconds(1), .seconds(19)]) {
      boundaries += 1
    }
    simulation.player.play()
    simulation.run()
    #expect(ticks.filter { $0 > 0 } == [4, 8, 12, 16, 20] && boundaries == 2)
  }

  @Test func `an item that failed keeps its status and its error when its queue goes on`() throws {
    let simulation = try Simulation(
      link: "LTE", media: Self.file,
      more: [
        "items": #"[ { "name": "bad" }, { "name": "good" } ]"#,
        "queue": #"[ "bad", "good" ]"#,
        "faults": #"[ { "status": 404, "requests": [ 1, 4 ] } ]"#,
      ])
    let bad = try #require(simulation.player.currentItem)
    var status: SimulatedPlayerItem.Status?
    var isCurrent = false
    let (player, observation) = (
      simulation.player,
      bad.observe(\.status) { item, _ in
        (status, isCurrent) = (item.status, simulation.player.currentItem === item)
      }
    )
    var statuses: [SimulatedPlayerItem.Status?] = []
    let follower = player.observe(\.currentItem?.status, options: .new) {
      statuses.append($1.newValue ?? nil)
    }
    simulation.player.play()
    simulation.run()
    #expect(status == .failed && isCurrent)
    // The other fails as well, while it is read ahead.
    #expect(statuses == [.failed, nil])
    follower.invalidate()
    #expect(bad.error as? PlaybackFailure == .mediaUnavailable(.httpStatus(404)))
    #expect(simulation.player.currentItem !== bad)
    observation.invalidate()
  }

  @Test(arguments: [2, 3, 5, 7]) func `a failure on the way to the end is posted with its error`(
    segment: Int
  ) throws {
    let fault =
      #"[ { "status": 410, "url": "video-*/segment\#(segment)*", "requests": [ 1, 9 ] } ]"#
    let simulation = try Simulation(link: "LTE", media: Self.stream, more: ["faults": fault])
    let item = try #require(simulation.player.currentItem)
    nonisolated(unsafe) var errors: [PlaybackFailure?] = []
    let token = NotificationCenter.default.addObserver(
      forName: SimulatedPlayerItem.failedToPlayToEndTimeNotification, object: item, queue: nil
    ) { note in
      let error = note.userInfo?[SimulatedPlayerItem.failedToPlayToEndTimeErrorKey]
      errors.append(error as? PlaybackFailure)
    }
    defer { NotificationCenter.default.removeObserver(token) }
    simulation.player.play()
    simulation.run()
    #expect(errors == [.mediaUnavailable(.httpStatus(410))])
    #expect(item.status == .failed)
  }

  @Test func `the access log has Apple's numbers`() throws {
    let simulation = try Simulation(
      link: "LTE", media: Self.stream, player: #"{ "linkedSDK": "iOS 12" }"#)
    simulation.player.play()
    simulation.run()
    let item = try #require(simulation.player.currentItem)
    let events = try #require(item.accessLog()?.events)
    #expect(events.count == 2)
    #expect(events.map(\.indicatedBitrate) == [600_000, 2_000_000])
    #expect(events.reduce(0) { $0 + $1.durationWatched } == 40)
    #expect(events[0].switchBitrate < 0 && events[0].startupTime > 0)
    #expect(events[0].uri != events[1].uri)
    #expect(item.errorLog() == nil)
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
      player.replaceCurrentItem(with: world.makeItem(item))
      player.play()
      #expect(world.run() == .finished)
      ends.append(world.now)
    }
    #expect(ends[0] == ends[1])
    settings.live = LiveStream(window: .sliding(.seconds(20)), startsWith: .seconds(30))
    let world = try World(conditions: try LinkConditions(link: "LTE"))
    let player = world.makePlayer()
    let item = world.makeItem(ItemSettings(source: .stream(settings)))
    player.replaceCurrentItem(with: item)
    player.play()
    world.advance(by: .seconds(10))
    #expect(!item.duration.isNumeric)
    // Three target durations of 4 s behind the last whole segment of 28 s.
    #expect(item.seekableTimeRanges.first?.upperBound ?? .zero > .zero)
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

  @MainActor @Test func `properties come as sequences`() throws {
    let simulation = try Simulation(link: "3G", media: Self.file)
    let player = simulation.player
    let seen = try VirtualTasks(of: simulation.world).run { @MainActor clock in
      var seen: [TimeControlStatus] = []
      player.play()
      for await status in player.values(of: \.timeControlStatus) {
        seen.append(status)
        if status == .playing { break }
      }
      let finished = await player.seek(to: .seconds(15))
      #expect(finished)
      try await clock.sleep(for: .seconds(1))
      return seen
    }
    #expect(seen == [.waitingToPlayAtSpecifiedRate, .playing])
    #expect(player.currentTime() >= .seconds(15))
  }
}
