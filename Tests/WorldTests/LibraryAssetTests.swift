import Foundation
import GoldilocksTesting
import PlayerTesting
import TestSupport
import Testing

/// Seeks of items, reasons of rates and own policies, by Apple's names.
@Suite struct LibraryAssetTests {
  private static let file = #"{ "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } }"#
  private static let stream = #"""
    { "hls": { "duration": "40 s", "segmentDuration": "4 s",
      "ladder": [ { "bitrate": "600 kbit/s" }, { "bitrate": "2 Mbit/s" } ] } }
    """#

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
