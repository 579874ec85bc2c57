import Foundation
import GoldilocksTesting
import PlayerTesting
import TestSupport
import Testing

/// The library over files, muxed streams, separate audio and live streams, on several links and in
/// both fidelities: each outcome is known without the simulator.
@Suite struct LibraryWalkTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var media: String
    var link: String
    var fidelity: String
    /// Media seconds; nil for a live stream.
    var seconds: Int?

    var testDescription: String { "\(name), \(link), \(fidelity)" }

    func simulation(link other: String? = nil) throws -> Simulation {
      try Simulation(
        link: other ?? link, media: media, more: ["fidelity": "\"\(fidelity)\""])
    }
  }

  private static func stream(_ seconds: Int, _ segment: Int, _ more: String = "") -> String {
    """
    { "hls": { "duration": "\(seconds) s", "segmentDuration": "\(segment) s",
      "ladder": [ { "bitrate": "300 kbit/s" }, { "bitrate": "700 kbit/s" } ]\(more) } }
    """
  }

  private static let audio =
    #", "audio": [ { "name": "a", "language": "en", "bitrate": "64 kbit/s" } ]"#

  /// Media by name, with its length; a live stream has none.
  private static let media: [(name: String, json: String, seconds: Int?)] = [
    ("file", #"{ "progressive": { "duration": "20 s", "bitrate": "500 kbit/s" } }"#, 20),
    (
      "file, index last",
      #"""
      { "progressive": { "duration": "13 s", "bitrate": "400 kbit/s",
        "headAtom": { "size": "20 KB", "at": "end" } } }
      """#, 13
    ),
    ("local", #"{ "local": { "duration": "11 s", "size": "1 MB" } }"#, 11),
    ("muxed", stream(24, 4), 24),
    ("muxed, short segments", stream(17, 2), 17),
    ("separate audio", stream(24, 4, audio), 24),
    ("separate audio, long segments", stream(30, 10, audio), 30),
    ("live", stream(400, 4, #", "live": { "window": "40 s" }"#), nil),
    ("live, in parts", stream(400, 4, #", "live": { "parts": { "duration": "500 ms" } }"#), nil),
    ("live, separate audio", stream(400, 5, audio + #", "live": { "window": "60 s" }"#), nil),
  ]

  private static let links = [
    "LTE", #"{ "bandwidth": "1500 kbit/s", "delay": "90 ms" }"#, "DSL", "Wi-Fi", "3G",
  ]

  /// Lets an outage come, end, and time go by, in seconds.
  private static func passOutage(
    _ simulation: Simulation, after first: Int64, lasting: Int64, then rest: Int64
  ) throws {
    simulation.advance(by: .seconds(first))
    try simulation.world.setConditions(LinkConditions(link: "100% Loss"))
    simulation.advance(by: .seconds(lasting))
    try simulation.world.setConditions(LinkConditions(link: "LTE"))
    simulation.advance(by: .seconds(rest))
  }

  static let cases = media.enumerated().flatMap { index, media in
    ["fluid", "tcp"].enumerated().map { second, fidelity in
      Case(
        name: media.name, media: media.json, link: links[(index + 2 * second) % links.count],
        fidelity: fidelity, seconds: media.seconds)
    }
  }

  @Test(arguments: cases) func `durations, ticks and the end are those of the media`(
    setting: Case
  ) throws {
    let simulation = try setting.simulation()
    let (player, world) = (simulation.player, simulation.world)
    let item = try #require(player.currentItem)
    var (ticks, boundaries): ([MediaTime], [MediaTime]) = ([], [])
    let periodic = player.addPeriodicTimeObserver(forInterval: .seconds(1)) { ticks.append($0) }
    nonisolated(unsafe) var ends = 0
    let token = NotificationCenter.default.addObserver(
      forName: SimulatedPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil
    ) { _ in ends += 1 }
    defer { NotificationCenter.default.removeObserver(token) }
    player.play()
    world.when(.playing, of: player) {}
    simulation.advance(by: .seconds(10))
    let start = item.currentTime()
    #expect(player.timeControlStatus == .playing)
    let (near, far) = (start + .milliseconds(500), start + .milliseconds(900))
    let boundary = player.addBoundaryTimeObserver(forTimes: [far, near]) {
      boundaries.append(player.currentTime())
    }
    simulation.advance(by: .seconds(60))
    #expect(item.duration.isIndefinite == (setting.seconds == nil))
    #expect(boundaries == [near, far])
    // A whole second each, but for where playback begins and stops.
    let whole = ticks.filter { $0.nanoseconds % 1_000_000_000 == 0 }
    #expect(ticks.count - whole.count <= 4 && whole == whole.sorted())
    if let seconds = setting.seconds {
      #expect(item.duration == .seconds(Int64(seconds)) && player.currentTime() == item.duration)
      #expect(
        (1..<seconds).allSatisfy { second in
          ticks.filter { $0 == .seconds(Int64(second)) }.count == 1
        })
      #expect(ends == 1 && player.rate == Float(0))
    } else {
      #expect(ends == 0 && player.rate == Float(1))
    }
    player.removeTimeObserver(periodic)
    player.removeTimeObserver(boundary)
    let log = item.accessLog().map { $0.events.reduce(0) { $0 + $1.durationWatched } }
    #expect((log == nil) == (setting.name == "local"))
    if let log, let seconds = setting.seconds { #expect(abs(log - Double(seconds)) < 1e-6) }
  }

  @Test(arguments: cases) func `seeks, prerolls and cancellation complete once, in order`(
    setting: Case
  ) throws {
    let simulation = try setting.simulation()
    let player = simulation.player
    var told: [String] = []
    player.preroll(atRate: 1) { told.append("cut short \(!$0)") }
    player.cancelPendingPrerolls()
    #expect(told == ["cut short \(setting.name != "local")"])
    told = []
    player.preroll(atRate: 1) { told.append("preroll \($0)") }
    simulation.advance(by: .seconds(9))
    #expect(told == ["preroll true"])
    player.play()
    simulation.advance(by: .seconds(3))
    told = []
    let range = try #require(player.currentItem?.seekableTimeRanges.last)
    let (first, second) = (range.start + .seconds(1), range.end - .seconds(2))
    // Far places at once, so that the first cannot be there yet: but for a local file.
    player.seek(to: second, toleranceBefore: .zero, toleranceAfter: .zero) {
      told.append("first \($0)")
    }
    player.seek(to: first, toleranceBefore: .zero, toleranceAfter: .zero) {
      told.append("second \($0)")
    }
    simulation.advance(by: .seconds(6))
    #expect(told.sorted() == told && told.count == 2 && told.last == "second true")
    #expect(player.currentTime() >= first)
    told = []
    player.currentItem?.seek(to: second) { told.append("third \($0)") }
    player.currentItem?.cancelPendingSeeks()
    simulation.advance(by: .seconds(6))
    #expect(told.count == 1)
    // Outside what can be sought the seek is cancelled at once, and goes to a live edge.
    player.seek(to: .seconds(100_000)) { told.append("outside \($0)") }
    #expect(setting.seconds == nil || told.last == "outside false")
    simulation.advance(by: .seconds(9))
    #expect(told.last == (setting.seconds == nil ? "outside true" : "outside false"))
  }

  @Test(arguments: cases) func `observers see one chain of values and hold nothing up`(
    setting: Case
  ) throws {
    let simulation = try setting.simulation()
    let (player, world) = (simulation.player, simulation.world)
    var (statuses, empties): ([TimeControlStatus?], [Bool?]) = ([], [])
    let status = player.observe(\.timeControlStatus, options: [.old, .new]) {
      statuses += [$1.oldValue, $1.newValue]
    }
    let item = try #require(player.currentItem)
    let empty = item.observe(\.isPlaybackBufferEmpty, options: [.initial, .new]) {
      #expect($1.newValue == $0.isPlaybackBufferEmpty)
      empties.append($1.newValue)
    }
    let never = world.when(.currentTime(.seconds(2)), of: player) { Issue.record("cancelled") }
    world.stopObserving(never)
    var numbers: Set<Int32?> = []
    player.observe { numbers.insert($0.item) }
    player.play()
    try Self.passOutage(simulation, after: 8, lasting: 70, then: 60)
    #expect(statuses.first == .some(.paused))
    for place in stride(from: 1, to: statuses.count - 1, by: 2) {
      #expect(statuses[place] == statuses[place + 1])
    }
    #expect(zip(empties, empties.dropFirst()).allSatisfy { $0 != $1 })
    #expect(empties.first == .some(setting.name != "local"))
    #expect(numbers == [0])
    status.invalidate()
    empty.invalidate()
    let count = statuses.count
    player.pause()
    #expect(statuses.count == count)
  }

  @Test(arguments: cases) func `stalls of the run are those of the log and of the notifications`(
    setting: Case
  ) throws {
    let simulation = try setting.simulation(link: #"{ "bandwidth": "2 Mbit/s" }"#)
    let player = simulation.player
    let item = try #require(player.currentItem)
    nonisolated(unsafe) var stalls = 0
    let token = NotificationCenter.default.addObserver(
      forName: SimulatedPlayerItem.playbackStalledNotification, object: item, queue: nil
    ) { _ in stalls += 1 }
    defer { NotificationCenter.default.removeObserver(token) }
    item.preferredForwardBufferDuration = 3
    player.play()
    try Self.passOutage(simulation, after: 5, lasting: 12, then: 50)
    #expect(stalls == Int(player.books.stallCount))
    #expect((stalls > 0) == (setting.name != "local"))
    let logged = item.accessLog()?.events.reduce(0) { $0 + $1.numberOfStalls }
    #expect(logged == (setting.name == "local" ? nil : stalls))
  }

  @Test(arguments: cases.filter { $0.media.contains("hls") })
  func `limits of an item choose the variant`(setting: Case) throws {
    for limit in 0..<4 {
      let simulation = try setting.simulation(link: #"{ "bandwidth": "20 Mbit/s" }"#)
      let item = try #require(simulation.player.currentItem)
      simulation.world.isNetworkExpensive = limit >= 2
      switch limit {
      case 0: item.preferredPeakBitRate = 500_000
      case 1: item.preferredPeakBitRateForExpensiveNetworks = 500_000
      case 2: item.preferredPeakBitRateForExpensiveNetworks = 500_000
      default: item.preferredMaximumResolution = CGSize(width: 1, height: 1)
      }
      #expect(item.preferredMaximumResolution.width == (limit == 3 ? 1 : 0))
      #expect(item.preferredPeakBitRateForExpensiveNetworks == (1...2 ~= limit ? 500_000 : 0))
      simulation.player.play()
      simulation.advance(by: .seconds(25))
      let highest = try #require(item.accessLog()?.events.map(\.indicatedBitrate).max())
      // Variants whose playlist names no resolution fit every layer.
      #expect((highest < 500_000) == (limit == 0 || limit == 2), "\(limit) \(highest)")
    }
  }

  @Test(
    arguments: [
      (.infinity, 90, 2_147_483_647, 90), (1e300, 1e300, 2_147_483_647, 2_147_483_647),
      (0.2, 719.5, 1, 720), (640, 360, 640, 360), (.nan, 1, 0, 0), (-1, 5, 0, 0), (0, 0, 0, 0),
    ] as [(Double, Double, Double, Double)])
  func `a limit of resolution is kept in whole pixels`(
    width: Double, height: Double, keptWidth: Double, keptHeight: Double
  ) throws {
    let setting = try #require(Self.cases.first { $0.media.contains("hls") })
    let item = try #require(try setting.simulation().player.currentItem)
    item.preferredMaximumResolution = CGSize(width: width, height: height)
    #expect(item.preferredMaximumResolution == CGSize(width: keptWidth, height: keptHeight))
  }

  @Test(arguments: ["fluid", "tcp"], ["", audio])
  func `the size of the pictures is that of the variant that plays`(
    fidelity: String, more: String
  ) throws {
    let simulation = try Simulation(
      link: #"{ "bandwidth": "5 Mbit/s", "delay": "20 ms" }"#,
      media: """
        { "hls": { "duration": "300 s", "segmentDuration": "4 s", "ladder": [
          { "bitrate": "400 kbit/s", "resolution": "320x180" },
          { "bitrate": "900 kbit/s", "resolution": "1280x720" } ]\(more) } }
        """,
      more: ["fidelity": "\"\(fidelity)\""])
    let item = try #require(simulation.player.currentItem)
    item.preferredPeakBitRate = 500_000
    var sizes: [CGSize] = [item.presentationSize]
    let observation = item.observe(\.presentationSize, options: .new) { _, change in
      sizes += [change.newValue].compactMap { $0 }
    }
    simulation.player.play()
    simulation.advance(by: .seconds(20))
    item.preferredPeakBitRate = 0
    simulation.advance(by: .seconds(100))
    observation.invalidate()
    #expect(sizes == [(0, 0), (320, 180), (1280, 720)].map { CGSize(width: $0, height: $1) })
  }

  @MainActor @Test(arguments: cases.filter { $0.seconds != nil })
  func `notifications and completions are awaited in virtual time`(setting: Case) throws {
    let simulation = try setting.simulation()
    let (player, world) = (simulation.player, simulation.world)
    let item = try #require(player.currentItem)
    let (isFull, sought, end) = try VirtualTasks(of: world).run { clock in
      let ended = NotificationCenter.default.notifications(
        named: SimulatedPlayerItem.didPlayToEndTimeNotification, object: item)
      let isFull = await player.preroll(atRate: 1)
      player.play()
      try await clock.sleep(for: .seconds(5))
      let sought = await item.seek(to: .seconds(3))
      for await note in ended {
        return (isFull, sought, (note.object as? SimulatedPlayerItem) === item)
      }
      return (isFull, sought, false)
    }
    #expect(isFull && sought && end && player.currentTime() == item.duration)
    let isSoughtOutside = try VirtualTasks(of: world).run { _ in await item.seek(to: .indefinite) }
    #expect(!isSoughtOutside)
  }

  @Test(arguments: [400, 401, 403, 410, 501, 505], media[..<2])
  func `permanent errors of a file are not retried, as a stream's are not`(
    status: Int, media: (name: String, json: String, seconds: Int?)
  ) throws {
    let simulation = try Simulation(
      link: "LTE", media: media.json,
      more: ["faults": #"[ { "status": \#(status), "requests": [ 1, 9 ] } ]"#])
    let item = try #require(simulation.player.currentItem)
    simulation.player.play()
    simulation.advance(by: .seconds(1))
    #expect(item.status == .failed)
    let events = try #require(item.errorLog()?.events)
    #expect(events.count == 1 && events[0].errorComment?.isEmpty == false)
    #expect(events[0].errorDomain == "CoreMediaErrorDomain" && events[0].errorStatusCode < 0)
  }

  @Test(arguments: cases) func `an asset is loaded once, and its item takes it over`(
    setting: Case
  ) throws {
    let simulation = try setting.simulation()
    let (player, world) = (simulation.player, simulation.world)
    player.replaceCurrentItem(with: nil as SimulatedPlayerItem?)
    let asset = player.makeAsset(try ItemSettings(media: setting.media))
    let tasks = VirtualTasks(of: world)
    let (duration, isPlayable) = try tasks.run { _ in
      try await asset.load(.duration, .isPlayable)
    }
    #expect(isPlayable && duration.isIndefinite == (setting.seconds == nil))
    if let seconds = setting.seconds { #expect(duration.seconds == Double(seconds)) }
    var requests: [ResourceKind] = []
    player.observe { record in
      if case .resourceRequested(_, let kind, _, _) = record.observation { requests.append(kind) }
    }
    let loadedAt = world.now
    asset.loadValuesAsynchronously(forKeys: ["duration"]) { #expect(world.now == loadedAt) }
    let item = SimulatedPlayerItem(asset: asset)
    var isReady = false
    let ready = item.observe(\.status, options: .new) { item, _ in
      isReady = item.status == .readyToPlay
    }
    player.replaceCurrentItem(with: item)
    player.play()
    simulation.advance(by: .seconds(10))
    #expect(isReady && player.currentTime() > .zero && !requests.contains(.multivariantPlaylist))
    ready.invalidate()
  }

  @Test(arguments: cases.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
  func `tasks that wait for a world at its limit end`(setting: Case) throws {
    for seconds in [3, 9] {
      let world = try World(
        conditions: try LinkConditions(link: setting.link),
        limits: RunLimits(horizon: .zero + .seconds(Int64(seconds))))
      let player = world.makePlayer()
      player.replaceCurrentItem(with: world.makeItem(try ItemSettings(media: setting.media)))
      player.play()
      #expect(throws: VirtualDeadlock.self) {
        try VirtualTasks(of: world).run { try await $0.sleep(for: .seconds(30)) }
      }
      #expect(world.now <= .zero + .seconds(Int64(seconds)))
    }
  }
}
