import Foundation
import GoldilocksTesting
import PlayerTesting
import TestSupport
import Testing

/// Assets, seeks of items, reasons of rates and own policies, by Apple's names.
@Suite struct LibraryAssetTests {
  private static let file = #"{ "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } }"#
  private static let indexed = #"""
    { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s",
      "headAtom": { "size": "10 KB", "at": "end" } } }
    """#
  private static let stream = #"""
    { "hls": { "duration": "40 s", "segmentDuration": "4 s",
      "ladder": [ { "bitrate": "600 kbit/s" }, { "bitrate": "2 Mbit/s" } ] } }
    """#
  private static let live = #"""
    { "hls": { "duration": "300 s", "segmentDuration": "4 s", "live": { "window": "40 s" },
      "ladder": [ { "bitrate": "600 kbit/s" } ] } }
    """#
  private static let local = #"{ "local": { "duration": "12 s", "size": "1 MB" } }"#

  // MARK: Assets

  @Test(arguments: ["LTE", "3G", "Edge", "DSL"], [indexed, stream, live, local])
  func `the values of an asset are there after a round trip, and are not asked for twice`(
    link: String, media: String
  ) throws {
    let world = try World(conditions: try LinkConditions(link: link))
    let player = world.makePlayer()
    let asset = player.makeAsset(try ItemSettings(media: media))
    #expect(asset.statusOfValue(forKey: "duration") == .unknown)
    var requests = 0
    player.observe { record in
      if case .resourceRequested(_, .multivariantPlaylist, _, _) = record.observation {
        requests += 1
      }
    }
    var loadedAt: [Instant] = []
    for _ in 0..<2 {
      asset.loadValuesAsynchronously(forKeys: ["duration", "playable"]) {
        loadedAt.append(world.now)
      }
    }
    #expect(asset.statusOfValue(forKey: "duration") == (media == Self.local ? .loaded : .loading))
    world.advance(by: .seconds(30))
    #expect(asset.statusOfValue(forKey: "duration") == .loaded && asset.isPlayable)
    #expect(asset.duration.isIndefinite == (media == Self.live))
    let delay = try LinkConditions(link: link).downlink.delay
    #expect(loadedAt.count == 2 && loadedAt.allSatisfy { $0 == loadedAt[0] })
    #expect(try #require(loadedAt.first) >= .zero + (media == Self.local ? .zero : delay))
    player.replaceCurrentItem(with: SimulatedPlayerItem(asset: asset))
    player.play()
    world.advance(by: .seconds(60))
    #expect(link == "Edge" || player.currentTime() > .seconds(1))
    #expect(requests == (media == Self.indexed || media == Self.local ? 0 : 1))
  }

  @Test func `an asset that is not there fails with its error`() throws {
    for (status, media) in [(404, Self.stream), (410, Self.indexed), (403, Self.stream)] {
      let fault = #"[ { "status": \#(status), "requests": [ 1, 30 ] } ]"#
      let simulation = try Simulation(link: "LTE", media: media, more: ["faults": fault])
      let asset = simulation.player.makeAsset(try ItemSettings(media: media))
      simulation.player.replaceCurrentItem(with: nil as SimulatedPlayerItem?)
      let error = #expect(throws: PlaybackFailure.self) {
        try VirtualTasks(of: simulation.world).run { _ in
          _ = try await asset.load(.duration, .isPlayable)
        }
      }
      #expect(error == .mediaUnavailable(.httpStatus(Int32(status))))
      #expect(asset.statusOfValue(forKey: "duration") == .failed && !asset.isPlayable)
    }
  }

  @Test func `a player that loads another asset gives the first up`() async throws {
    let world = try World(conditions: try LinkConditions(link: "3G"))
    let player = world.makePlayer()
    let first = player.makeAsset(try ItemSettings(media: Self.stream))
    let second = player.makeAsset(try ItemSettings(media: Self.live))
    var told: [String] = []
    first.loadValuesAsynchronously(forKeys: ["duration"]) { told.append("first") }
    second.loadValuesAsynchronously(forKeys: ["duration"]) { told.append("second") }
    world.advance(by: .seconds(5))
    #expect(told == ["first", "second"])
    #expect(first.statusOfValue(forKey: "duration") == .cancelled)
    #expect(second.statusOfValue(forKey: "duration") == .loaded)
  }

  @Test func `values are awaited in virtual time`() throws {
    for (media, seconds) in [(Self.indexed, 20.0), (Self.stream, 40), (Self.local, 12)] {
      let world = try World(conditions: try LinkConditions(link: "3G"))
      let player = world.makePlayer()
      let asset = player.makeAsset(try ItemSettings(media: media))
      let (duration, isPlayable) = try VirtualTasks(of: world).run { _ in
        try await asset.load(.duration, .isPlayable)
      }
      #expect(duration.seconds == seconds && isPlayable)
      #expect((world.now > .zero) == (media != Self.local))
    }
  }

  // MARK: Rates

  @Test func `a change of the rate is posted with its documented reason`() throws {
    let simulation = try Simulation(link: "LTE", media: Self.file)
    let (player, center) = (simulation.player, NotificationCenter.default)
    nonisolated(unsafe) var reasons: [SimulatedPlayer.RateDidChangeReason?] = []
    let token = center.addObserver(
      forName: SimulatedPlayer.rateDidChangeNotification, object: player, queue: nil
    ) { note in
      let reason = note.userInfo?[SimulatedPlayer.rateDidChangeReasonKey]
      reasons.append(reason as? SimulatedPlayer.RateDidChangeReason)
    }
    defer { center.removeObserver(token) }
    func expect(_ expected: SimulatedPlayer.RateDidChangeReason?..., line: Int = #line) {
      #expect(reasons == expected, "line \(line)")
      reasons = []
    }
    player.play()
    expect(.setRateCalled)
    simulation.advance(by: .seconds(2))
    player.rate = 1.5
    expect(.setRateCalled)
    player.pause()
    player.pause()
    expect(.setRateCalled)
    player.play()
    try player.perform(.halt(.audioSessionInterrupted))
    expect(.setRateCalled, .audioSessionInterrupted)
    player.play()
    expect(.setRateFailed)
    try player.perform(.endInterruption)
    player.play()
    try player.perform(.halt(.appBackgrounded))
    expect(.setRateCalled, .appBackgrounded)
    player.play()
    simulation.run()
    // The end has no documented reason.
    expect(.setRateCalled, nil)
  }

  @Test(arguments: [2, 3, 5, 8]) func `a stall without automatic waiting halts for no known reason`(
    seconds: Int64
  ) throws {
    let simulation = try Simulation(
      link: #"{ "bandwidth": "4 Mbit/s" }"#, media: Self.file,
      player: #"{ "automaticallyWaitsToMinimizeStalling": false }"#)
    nonisolated(unsafe) var reasons: [String?] = []
    let token = NotificationCenter.default.addObserver(
      forName: SimulatedPlayer.rateDidChangeNotification, object: simulation.player, queue: nil
    ) {
      let reason = $0.userInfo?[SimulatedPlayer.rateDidChangeReasonKey]
      reasons.append((reason as? SimulatedPlayer.RateDidChangeReason)?.rawValue)
    }
    defer { NotificationCenter.default.removeObserver(token) }
    simulation.player.play()
    simulation.advance(by: .milliseconds(100 * seconds))
    try simulation.world.setConditions(LinkConditions(link: "100% Loss"))
    simulation.advance(by: .seconds(30))
    #expect(simulation.player.rate == Float(0))
    #expect(reasons == ["setRateCalled", nil])
  }

  // MARK: Items

  @Test(arguments: [0, 2.5, 7, 13, 22, 31.5, 39, 40, 41, -1])
  func `a seek of an item tells whether it is there`(seconds: Double) throws {
    for isCurrent in [true, false] {
      let simulation = try Simulation(link: "LTE", media: Self.stream)
      let item =
        try isCurrent
        ? #require(simulation.player.currentItem)
        : simulation.world.makeItem(ItemSettings(media: Self.stream))
      var told: [Bool] = []
      simulation.player.play()
      simulation.advance(by: .seconds(3))
      item.seek(
        to: MediaTime(seconds: seconds), toleranceBefore: .zero, toleranceAfter: .zero
      ) { told.append($0) }
      simulation.player.pause()
      simulation.advance(by: .seconds(10))
      #expect(told == [seconds <= 40], "\(isCurrent)")
      if seconds <= 40 { #expect(item.currentTime().seconds == max(0, seconds)) }
    }
  }

  @Test func `an observer gets the values that it asked for`() throws {
    let simulation = try Simulation(link: "3G", media: Self.file)
    var changes: [String] = []
    func text(_ status: TimeControlStatus?) -> String { status.map { "\($0)" } ?? "-" }
    let all: ObservingOptions = [.initial, .old, .new]
    let tokens = [ObservingOptions(), .old, .new, .initial, all].map { options in
      simulation.player.observe(\.timeControlStatus, options: options) { _, change in
        changes.append("\(options.rawValue): \(text(change.oldValue)) \(text(change.newValue))")
      }
    }
    #expect(changes == ["4: - -", "7: - paused"])
    changes = []
    simulation.player.play()
    #expect(
      changes == [
        "0: - -", "2: paused -", "1: - waitingToPlayAtSpecifiedRate", "4: - -",
        "7: paused waitingToPlayAtSpecifiedRate",
      ])
    changes = []
    for token in tokens { token.invalidate() }
    simulation.run()
    #expect(changes.isEmpty)
  }

  @Test func `a queue, an item and a looper can be observed`() throws {
    let world = try World(conditions: try LinkConditions(link: "LTE"))
    let queue = world.makeQueuePlayer()
    let item = world.makeItem(try ItemSettings(media: Self.file))
    let looper = SimulatedPlayerLooper(player: queue, templateItem: item)
    var (loops, counts): ([Int64], [Int]) = ([], [])
    let tokens = [
      looper.observe(\.loopCount, options: .new) { loops.append($1.newValue ?? -1) },
      queue.observe(\.currentItem?.status, options: .new) { queue, _ in
        counts.append(queue.items().count)
      },
    ]
    queue.play()
    world.advance(by: .seconds(70))
    #expect(loops == [1, 2, 3] && !counts.isEmpty)
    for token in tokens { token.invalidate() }
  }

  @Test func `times and ranges have Core Media's names`() throws {
    #expect(MediaTime(value: 1, timescale: 2) == .milliseconds(500))
    #expect(MediaTime(value: 1_001, timescale: 30_000).nanoseconds == 33_366_666)
    #expect(MediaTime(value: 9_000_000_000_000, timescale: 90_000) == .seconds(100_000_000))
    #expect(MediaTime(value: -3, timescale: 2) == .milliseconds(-1_500))
    #expect(MediaTime.positiveInfinity.isIndefinite && MediaTime.positiveInfinity.seconds.isNaN)
    let range = MediaTime.seconds(2)..<MediaTime.seconds(5)
    #expect(range.start == .seconds(2) && range.end == .seconds(5))
    #expect(range.timeRangeValue.duration == .seconds(3))
  }

  // MARK: Further names

  @Test(arguments: [file, stream, live, local]) func `an item has the asset that it was made of`(
    media: String
  ) throws {
    let world = try World(conditions: try LinkConditions(link: "LTE"))
    let player = world.makePlayer()
    let asset = player.makeAsset(try ItemSettings(media: media))
    let item = SimulatedPlayerItem(asset: asset)
    #expect(item.asset === asset && asset.statusOfValue(forKey: "duration") == .unknown)
    player.replaceCurrentItem(with: item)
    world.advance(by: .seconds(20))
    #expect(asset.statusOfValue(forKey: "duration") == .loaded)
    var isThere = false
    asset.loadValuesAsynchronously(forKeys: ["duration"]) { isThere = true }
    #expect(isThere)

    // An item of settings: its asset is the same one while anybody holds it.
    let other = world.makeItem(try ItemSettings(media: media))
    let made = other.asset
    #expect(other.asset === made && made !== asset)
    made.loadValuesAsynchronously(forKeys: ["duration"])
    #expect(made.statusOfValue(forKey: "duration") == .cancelled)
    player.replaceCurrentItem(with: other)
    world.advance(by: .seconds(20))
    #expect(other.asset.statusOfValue(forKey: "duration") == .loaded)
    #expect(other.asset.duration.isIndefinite == (media == Self.live))
  }

  @Test(arguments: [404, 410, 403]) func `the asset of a failed item has failed`(status: Int) throws
  {
    for media in [Self.file, Self.stream] {
      let fault = #"[ { "status": \#(status), "requests": [ 1, 60 ] } ]"#
      let simulation = try Simulation(link: "LTE", media: media, more: ["faults": fault])
      let item = try #require(simulation.player.currentItem)
      #expect(simulation.player.status == .readyToPlay && simulation.player.error == nil)
      simulation.run()
      #expect(item.status == .failed)
      #expect(item.asset.statusOfValue(forKey: "duration") == .failed)
      let error = #expect(throws: PlaybackFailure.self) {
        try VirtualTasks(of: simulation.world).run { _ in _ = try await item.asset.load(.duration) }
      }
      #expect(error == item.error as? PlaybackFailure)
    }
  }

  @Test func `players are made with their items`() throws {
    let world = try World(conditions: try LinkConditions(link: "LTE"))
    let items = try [Self.file, Self.stream, Self.local].map {
      world.makeItem(try ItemSettings(media: $0))
    }
    #expect(world.makePlayer().status == .unknown)
    #expect(world.makePlayer(playerItem: nil).status == .unknown)
    let queue = world.makeQueuePlayer(items: Array(items.dropFirst()))
    #expect(queue.items() == Array(items.dropFirst()) && queue.currentItem == items[1])
    let player = world.makePlayer(playerItem: items[0])
    #expect(player.currentItem == items[0] && player.status == .readyToPlay)
    for player in [queue, player] { player.play() }
    #expect(world.run() == .finished)
    #expect(items.allSatisfy { $0.currentTime() == $0.duration })
  }

  /// A playlist with a date at some of its segments of 4 s.
  private static func dated(_ dates: [Int: String], segments: Int = 10) throws -> ItemSettings {
    var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4\n"
    for segment in 0..<segments {
      if let date = dates[segment] { text += "#EXT-X-PROGRAM-DATE-TIME:\(date)\n" }
      text += "#EXTINF:4.0,\nsegment\(segment).ts\n"
    }
    return try ItemSettings(
      media: #"{ "hls": { "playlists": "media.m3u8" } }"#,
      files: ["media.m3u8": text + "#EXT-X-ENDLIST\n"])
  }

  @Test func `the playhead has the date of its playlist`() throws {
    let world = try World(conditions: try LinkConditions(link: "LTE"))
    let player = world.makePlayer()
    // 12:00:00 at 8 s, and a break of a minute before 20 s.
    let item = world.makeItem(
      try Self.dated([2: "2026-03-04T12:00:00Z", 5: "2026-03-04T12:01:12.500Z"]))
    player.replaceCurrentItem(with: item)
    player.play()
    world.advance(by: .seconds(3))
    let noon = Date(timeIntervalSince1970: 1_772_625_600)
    for (place, date) in [
      (8, 0.0), (11, 3), (19.5, 11.5), (20, 72.5), (33, 85.5), (0, -8), (2.25, -5.75),
    ] {
      player.seek(
        to: MediaTime(seconds: place), toleranceBefore: .zero, toleranceAfter: .zero)
      player.pause()
      world.advance(by: .seconds(5))
      let shown = try #require(item.currentDate()).timeIntervalSince(noon)
      #expect(abs(shown - date) < 1e-6)
    }
    // A date in the break is at its end.
    for (date, place) in [(0.0, 8.0), (72.5, 20), (80, 27.5), (30, 20), (-3, 5), (11, 19)] {
      var isThere: Bool?
      let isKnown = item.seek(to: noon.addingTimeInterval(date)) { isThere = $0 }
      world.advance(by: .seconds(5))
      #expect(isKnown && isThere == true)
      #expect(abs(player.currentTime().seconds - place) <= 4)
    }
    for date in [Date.distantPast, .distantFuture] {
      var isThere: Bool?
      #expect(player.seek(to: date) { isThere = $0 })
      world.advance(by: .seconds(5))
      #expect(isThere == (date == .distantPast))
    }
  }

  @Test func `a date of two stretches is sought in the later one`() throws {
    let world = try World(conditions: try LinkConditions(link: "LTE"))
    let player = world.makePlayer()
    // 12:00:00 at 8 s, and only 10 s later at 20 s: the first stretch reaches 12:00:12.
    let item = world.makeItem(
      try Self.dated([2: "2026-03-04T12:00:00Z", 5: "2026-03-04T12:00:10Z"]))
    player.replaceCurrentItem(with: item)
    world.advance(by: .seconds(3))
    let noon = Date(timeIntervalSince1970: 1_772_625_600)
    for (date, place) in [(9.5, 16.0), (10, 20), (10.5, 20), (14, 24)] {
      #expect(item.seek(to: noon.addingTimeInterval(date)))
      world.advance(by: .seconds(5))
      #expect((place..<place + 4).contains(player.currentTime().seconds), "\(date)")
    }
  }

  @Test(arguments: [file, stream, live, local]) func `media without a date has none`(
    media: String
  ) throws {
    let simulation = try Simulation(link: "LTE", media: media)
    simulation.advance(by: .seconds(10))
    #expect(simulation.player.currentItem?.currentDate() == nil)
    #expect(simulation.player.seek(to: Date()) { _ in Issue.record("was called") } == false)
  }

  // MARK: Policies

  @Test func `policies of the app's own are compared over scenario files`() throws {
    let eager = CustomPolicy(
      name: "eager", start: { question, _ in .decided(question.snapshot.ahead >= .seconds(1)) })
    let patient = CustomPolicy(
      name: "patient", start: { question, _ in .decided(question.snapshot.ahead >= .seconds(8)) })
    let paths = scenarioFiles(in: Checkout.at("Scenarios/autowait").path)
    let all = try compare([eager, patient], over: paths)
    #expect(all.map(\.count) == [paths.count, paths.count, paths.count])
    let waited = all.map { runs in
      runs.reduce(0) { $0 + ($1.startupDelay?.nanoseconds ?? 0) }
    }
    #expect(waited[1] < waited[2])
    #expect(all[1].map(\.digest) != all[2].map(\.digest))
    for (path, run) in zip(paths, all[0]) {
      #expect(try scenario(at: path).digest == run.digest)
    }
    let text = #"""
      { "link": { "bandwidth": "1.6 Mbit/s" },
        "media": { "progressive": { "duration": "30 s", "bitrate": "2 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """#
    for (seconds, startup) in [(1, 1_250), (2, 2_500), (4, 5_000), (8, 10_000)] {
      let mark = CustomPolicy(
        name: "mark",
        start: { question, _ in .decided(question.snapshot.ahead >= .seconds(Int64(seconds))) })
      let late =
        try #require(scenario(text, following: mark).startupDelay)
        - .milliseconds(
          Int64(startup))
      #expect(late >= .zero && late < .milliseconds(1))
    }
  }
}
