import SimulatedWorld
import Testing

/// `setRate(_:time:atHostTime:)`: a playhead tied to a timeline outside.
@Suite struct HostTimeTests {
  private func bench(_ kind: MediaKind = .local, delay: TimeSpan = .zero) throws -> Bench {
    let bench = try Bench(
      speed: 2_000, settings: PlayerSettings(waitsAutomatically: false), kind: kind, delay: delay)
    bench.pass(10)
    return bench
  }

  @Test func `it is refused while automatic waiting is on`() throws {
    let bench = try bench()
    bench.player.automaticallyWaitsToMinimizeStalling = true
    #expect(throws: PlayerError.waitsAutomatically) {
      try bench.player.setRate(.normal, time: .zero, atHostTime: bench.world.now)
    }
    #expect(bench.player.rate == .zero)
  }

  @Test func `without an item it is refused, and no start is waited for`() throws {
    let bench = try Bench(settings: PlayerSettings(waitsAutomatically: false), hasItem: false)
    for hostTime in [nil, Instant.seconds(1)] {
      #expect(throws: PlayerError.needsItem) {
        try bench.player.setRate(.normal, time: .seconds(3), atHostTime: hostTime)
      }
    }
    bench.pass(5)
    bench.player.replaceCurrentItem(with: Bench.item(kind: .local))
    bench.player.play()
    bench.pass(1)
    #expect(bench.player.currentTime() == .seconds(1))
    #expect(bench.player.books.firstRequest == .seconds(5) && bench.world.finish() == [])
  }

  @Test func `who leaves the instant to the player waits for the first byte, and that is a start`()
    throws
  {
    for delay in [30, 250, 900, 4_000] as [Int64] {
      let bench = try Bench(
        speed: 2_000, settings: PlayerSettings(waitsAutomatically: false),
        delay: .milliseconds(delay))
      try bench.player.setRate(.normal, time: nil, atHostTime: nil)
      bench.pass(9)
      let books = bench.player.books
      #expect(books.startup >= .milliseconds(delay))
      #expect(books.startup <= .milliseconds(delay) + .milliseconds(1))
      // Without automatic waiting nothing is said to wait; the status is paused until then.
      #expect(books.paused == books.startup && books.waiting == .zero)
    }
  }

  @Test func `an instant in the past: as if it had been running since`() throws {
    let bench = try bench()
    try bench.player.setRate(.normal, time: .seconds(5), atHostTime: .seconds(8))
    #expect(bench.player.currentTime() == .seconds(7))
    bench.pass(1)
    #expect(bench.player.currentTime() == .seconds(8))
    #expect(bench.world.finish() == [])
  }

  @Test func `an instant to come: time sits there until then, though the timebase runs`() throws {
    let bench = try bench()
    try bench.player.setRate(PlaybackRate(2), time: .seconds(5), atHostTime: .seconds(12))
    #expect(bench.player.timebaseRate == PlaybackRate(2))
    var times: [MediaTime] = []
    for _ in 0..<5 {
      times.append(bench.player.currentTime())
      bench.pass(1)
    }
    #expect(times == [5, 5, 5, 7, 9].map { .seconds($0) })
    #expect(bench.world.finish() == [])
  }

  @Test(arguments: [9, 15] as [Int64])
  func `where time sits at the end or beyond it, the end is reached at once`(place: Int64) throws {
    let bench = try bench()
    bench.player.forwardPlaybackEndTime = .seconds(9)
    try bench.player.setRate(PlaybackRate(2), time: .seconds(place), atHostTime: .seconds(20))
    #expect(bench.player.timeControlStatus == .paused)
    #expect(bench.player.currentTime() == .seconds(9))
    bench.pass(10)
    #expect(bench.player.currentTime() == .seconds(9))
    #expect(bench.notes.instant(of: .playedToEnd(.seconds(9))) == .seconds(10))
    #expect(bench.notes.observations.count { $0 == .timeJumped(.seconds(9)) } == 1)
    #expect(bench.world.finish() == [])
  }

  /// It sits at 3 s until 4 s of the run, so that 17 of the 20 seconds are watched.
  @Test func `an instant to come is told, and where time sits nothing is watched`() throws {
    let bench = try Bench(
      speed: 8_000, duration: .seconds(20), settings: PlayerSettings(waitsAutomatically: false))
    bench.pass(1)
    try bench.player.setRate(.normal, time: .seconds(3), atHostTime: .seconds(4))
    #expect(bench.world.run() == .finished)
    let start = PlaybackObservation.timebase(.normal, from: .seconds(3), at: .seconds(4))
    #expect(bench.notes.instant(of: start) == .seconds(1))
    #expect(bench.notes.instant(of: .timeJumped(.seconds(3))) == .seconds(1))
    let events = try #require(bench.player.accessLog).events
    #expect(events.map { $0.playbackStartOffset } == [.seconds(3)])
    #expect(events.map { $0.durationWatched } == [.seconds(17)])
    #expect(bench.world.finish() == [])
  }

  @Test func `a call that ends the tie is told with the place that it leaves`() throws {
    let bench = try bench()
    try bench.player.setRate(.normal, time: .seconds(5), atHostTime: .seconds(12))
    bench.pass(1)
    bench.player.play()
    bench.pass(1)
    #expect(bench.notes.instant(of: .timebase(.normal, from: .seconds(5))) == .seconds(11))
    #expect(bench.player.currentTime() == .seconds(6))
  }

  /// At ten seconds it sits at five, as the timebase comes from one: twice as fast, in two seconds.
  @Test func `what the app does while time sits there ends the tie`() throws {
    let calls: [((SimulatedPlayer) throws -> Void, now: Int64, later: Int64)] = [
      ({ try $0.seek(to: .seconds(2)) }, 2, 4), ({ $0.pause() }, 5, 5), ({ $0.play() }, 5, 6),
      ({ $0.replaceCurrentItem(with: Bench.item(kind: .local)) }, 0, 2),
      ({ $0.forwardPlaybackEndTime = .seconds(3) }, 5, 5),
      ({ try $0.perform(.halt(.appBackgrounded)) }, 5, 5),
      ({ try $0.setRate(.normal, time: .seconds(1), atHostTime: $0.world.now) }, 1, 2),
      ({ try $0.setRate(.normal, time: nil, atHostTime: $0.world.now + .seconds(9)) }, 5, 5),
    ]
    for (call, now, later) in calls {
      let bench = try bench()
      try bench.player.setRate(PlaybackRate(2), time: .seconds(5), atHostTime: .seconds(12))
      bench.world.advance(by: .milliseconds(500))
      try call(bench.player)
      #expect(bench.player.currentTime() == .seconds(now))
      bench.pass(1)
      #expect(bench.player.currentTime() == .seconds(later), "\(now)")
      #expect(bench.world.finish() == [])
    }
  }

  @Test func `it does not wait for media: time runs ahead of what is loaded`() throws {
    let bench = try bench(.progressive)
    try bench.player.setRate(.normal, time: .seconds(30), atHostTime: .seconds(10))
    bench.pass(3)
    #expect(bench.player.currentTime() == .seconds(33))
    #expect(bench.player.timeControlStatus == .playing)
  }

  /// Where it is put and where what comes in begins, in seconds; how fast it goes, in quarters;
  /// whether more comes in than what came in the first second.
  @Test(
    arguments: [
      (0, 30, 4, true), (29, 30, 4, false), (10, 30, 8, true), (3, 25, 2, false), (7, 8, 1, true),
      (12, 20, 5, false), (1, 39, 6, true), (15, 33, 3, false), (20, 21, 12, true),
      (5, 80, 16, false), (2, 11, 7, true),
    ] as [(Int64, Int64, Int64, Bool)], [Fidelity.fluid, .tcp])
  func `a playhead that is put before what came in meets it where that begins`(
    _ place: (at: Int64, begins: Int64, quarters: Int64, goesOn: Bool), _ fidelity: Fidelity
  ) throws {
    let world = try World(conditions: Bench.conditions(100), fidelity: fidelity)
    let player = world.makePlayer(PlayerSettings(waitsAutomatically: false))
    var (requests, met): (Int, [Instant]) = (0, [])
    player.observe { record in
      switch record.observation {
      case .requestStarted: requests += 1
      case .bufferEmpty(false): met.append(record.instant)
      default: break
      }
    }
    player.replaceCurrentItem(with: Bench.item(duration: .seconds(1_000)))
    try player.seek(to: .seconds(place.begins))
    world.advance(by: .seconds(1))
    if !place.goesOn { try world.setConditions(Bench.conditions(0)) }
    let asked = requests
    met = []
    let rate = PlaybackRate(Int32(place.quarters), over: 4)
    try player.setRate(rate, time: .seconds(place.at), atHostTime: world.now)
    let ahead = (place.begins - place.at) * 4_000_000_000
    let span = TimeSpan(nanoseconds: (ahead + place.quarters - 1) / place.quarters)
    world.advance(by: span + .milliseconds(1))
    #expect(met == [Instant.zero + .seconds(1) + span])
    // What comes in goes on: nobody asks for what the playhead runs past.
    #expect(requests == asked)
    #expect(world.finish() == [])
  }

  @Test func `without an instant it starts as soon as there is something to play`() throws {
    let bench = try bench(.progressive, delay: .milliseconds(400))
    try bench.player.setRate(.normal, time: .seconds(30))
    #expect(bench.player.timeControlStatus == .paused)
    bench.pass(1)
    #expect(bench.player.timeControlStatus == .playing)
    // The request takes 400 ms, its first byte 4 µs.
    #expect(bench.player.currentTime() == .nanoseconds(30_599_996_000))
  }

  @Test(arguments: [nil, 8, 14] as [Int64?], [2, 33] as [Int64])
  func `a time that is set in a suspension is where it goes on`(host: Int64?, place: Int64) throws {
    for kind in [MediaKind.local, .progressive] {
      let bench = try bench(kind)
      bench.player.play()
      bench.pass(1)
      try bench.player.setSuspended(true, by: .coordinatedPlayback)
      try bench.player.setRate(
        .normal, time: .seconds(place), atHostTime: host.map { .seconds($0) })
      #expect(bench.player.currentTime() == .seconds(place))
      bench.pass(20)
      #expect(bench.player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      try bench.player.setSuspended(false, by: .coordinatedPlayback)
      bench.pass(3)
      #expect(bench.player.currentTime() == .seconds(place + 3))
      #expect(bench.world.finish() == [])
    }
  }

  @Test func `switching automatic waiting on drops a start that has not come yet`() throws {
    let bench = try bench(.progressive, delay: .milliseconds(400))
    try bench.player.setRate(.normal, time: .seconds(30))
    bench.player.automaticallyWaitsToMinimizeStalling = true
    bench.pass(1)
    #expect(bench.player.timeControlStatus == .paused && bench.player.timebaseRate == .zero)
    #expect(bench.player.currentTime() == .zero)
    // The media from the playhead on is loaded, and none from thirty seconds on.
    #expect(bench.player.loadedTimeRanges.count == 1)
  }
}

extension MediaTime {
  fileprivate static func nanoseconds(_ count: Int64) -> MediaTime {
    MediaTime(nanoseconds: count)
  }
}
