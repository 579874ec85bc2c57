import SimulatedWorld
import Testing

/// At 0.8 of the bit rate forty seconds start after ten.
@Suite struct SeekTests {
  let bench: Bench
  var player: SimulatedPlayer { bench.player }

  init() throws {
    bench = try Bench(speed: 800)
  }

  private var completions: [PlaybackObservation] {
    bench.notes.observations.filter {
      if case .seekCompleted = $0 { true } else { false }
    }
  }

  @Test func `a seek in the buffer goes on playing`() throws {
    player.play()
    bench.pass(15)
    try player.seek(to: .seconds(11))
    #expect(player.currentTime() == .seconds(11))
    #expect(player.timeControlStatus == .playing)
    #expect(completions == [.seekCompleted(to: .seconds(11), finished: true, inBuffer: true)])
    #expect(player.books.seekWaiting == .zero)
  }

  @Test func `a seek out of the buffer waits under a name of its own, and leaves a hole`() throws {
    player.play()
    bench.pass(15)
    try player.seek(to: .seconds(30))
    #expect(player.reasonForWaitingToPlay == .toMinimizeStalls)
    #expect(player.rate == .normal && player.core.isPlaybackBufferEmpty)
    bench.pass(1)
    let ranges = player.loadedTimeRanges
    #expect(ranges.count == 2)
    #expect(ranges[0].upperBound.isAbout(12) && ranges[1].upperBound.isAbout(30.8))
    #expect(bench.world.run() == .finished)
    let books = player.books
    // Ten seconds take twelve and a half to load.
    #expect(books.seekWaiting.isAbout(2.5))
    #expect(books.stallCount == 0 && books.stalled == .zero)
    #expect(try #require(books.startupDelay).isAbout(10))
    #expect(bench.notes.rules.contains(.seekWaits))
    #expect(completions == [.seekCompleted(to: .seconds(30), finished: true, inBuffer: false)])
    #expect(bench.world.finish() == [])
  }

  @Test func `a new seek supersedes one that is pending`() throws {
    player.play()
    bench.pass(15)
    try player.seek(to: .seconds(30))
    try player.seek(to: .seconds(35))
    #expect(completions == [.seekCompleted(to: .seconds(30), finished: false, inBuffer: false)])
    bench.pass(1)
    #expect(completions.last == .seekCompleted(to: .seconds(35), finished: true, inBuffer: false))
  }

  // AVPlayerItem.seek(to:): a target outside seekableTimeRanges is cancelled.
  @Test(arguments: [0, 15], [MediaTime.seconds(100), MediaTime(nanoseconds: 40_000_000_001)])
  func `a seek past the end is cancelled, and changes nothing`(
    seconds: Int64, target: MediaTime
  ) throws {
    player.play()
    bench.pass(seconds)
    let place = player.currentTime()
    try player.seek(to: target)
    #expect(completions == [.seekCompleted(to: target, finished: false, inBuffer: false)])
    #expect(player.currentTime() == place && !player.core.isSeeking)
    bench.pass(1)
    #expect(!bench.notes.observations.contains(.playedToEnd(.seconds(40))))
  }

  @Test func `a seek past the end cancels the one before it`() throws {
    player.play()
    bench.pass(15)
    try player.seek(to: .seconds(30))
    try player.seek(to: .seconds(41))
    #expect(
      completions == [
        .seekCompleted(to: .seconds(30), finished: false, inBuffer: false),
        .seekCompleted(to: .seconds(41), finished: false, inBuffer: false),
      ])
  }

  @Test func `a seek that ends unfinished has moved the time, which is told once`() throws {
    let calls: [(SimulatedPlayer) throws -> Void] = [
      { try $0.perform(.cancelPendingSeeks) }, { try $0.seek(to: .seconds(41)) },
      { try $0.seek(to: .seconds(35)) },
    ]
    for (call, place) in zip(calls, [30, 30, 35] as [Int64]) {
      let bench = try Bench(speed: 800)
      bench.player.play()
      bench.pass(15)
      try bench.player.seek(to: .seconds(30))
      try call(bench.player)
      #expect(bench.player.currentTime() == .seconds(place))
      bench.pass(1)
      let jumps = bench.notes.observations.filter {
        if case .timeJumped = $0 { true } else { false }
      }
      #expect(jumps == [.timeJumped(.seconds(place))])
      #expect(bench.world.finish() == [])
    }
  }

  @Test func `a seek to the end plays to it`() throws {
    player.play()
    bench.pass(15)
    try player.seek(to: .seconds(40))
    #expect(player.currentTime() == .seconds(40))
    #expect(player.timeControlStatus == .paused)
    #expect(bench.notes.observations.contains(.playedToEnd(.seconds(40))))
    // Nothing of the 28 s before it was there, and in a local file all of it is.
    #expect(completions == [.seekCompleted(to: .seconds(40), finished: true, inBuffer: false)])
    let local = try Bench(kind: .local)
    local.pass(1)
    try local.player.seek(to: .seconds(40))
    let whole = PlaybackObservation.seekCompleted(to: .seconds(40), finished: true, inBuffer: true)
    #expect(local.notes.observations.contains(whole))
  }

  @Test func `a seek before the beginning is refused`() {
    #expect(throws: PlayerError.negativeTime) {
      try player.seek(to: .milliseconds(-1))
    }
  }

  @Test func `a seek while paused stays paused and loads from there`() throws {
    bench.pass(1)
    try player.seek(to: .seconds(20))
    bench.pass(5)
    #expect(player.timeControlStatus == .paused && player.currentTime() == .seconds(20))
    #expect(player.core.loadedEnd(at: bench.world.now).isAbout(24))
    #expect(player.books.seekWaiting == .zero)
  }

  @Test func `a seek while waiting to start belongs to startup`() throws {
    player.play()
    bench.pass(4)
    try player.seek(to: .seconds(32))
    #expect(bench.world.run() == .finished)
    // Eight seconds take ten to load.
    #expect(try #require(player.books.startupDelay).isAbout(4 + 2))
    #expect(player.books.seekWaiting == .zero)
  }

  @Test func `without automatic waiting a seek out of the buffer pauses`() throws {
    player.automaticallyWaitsToMinimizeStalling = false
    bench.pass(5)
    player.play()
    try player.seek(to: .seconds(30))
    #expect(player.timeControlStatus == .paused && player.rate == .zero)
    #expect(bench.notes.rules.last == .seekPauses)
  }
}
