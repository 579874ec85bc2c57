import SimulatedWorld
import Testing

/// What comes over the link, and what does not.
@Suite struct LoadingTests {
  @Test(arguments: [true, false])
  func `a full buffer ends the wait, likely or not`(_ isCapped: Bool) throws {
    // A second of media has 125,000 bytes.
    let bench = try Bench(speed: 500) {
      if isCapped {
        $0.bufferByteCap = 500_000
      } else {
        $0.preferredForwardBufferDuration = .seconds(4)
      }
    }
    bench.player.play()
    #expect(bench.draw(seconds: 10) == "wwwwwwww>>")
    #expect(try #require(bench.player.books.startupDelay).isAbout(8))
    #expect(!bench.player.core.isPlaybackLikelyToKeepUp)
    #expect(bench.notes.observations.contains(.bufferFull(true)))
  }

  @Test(arguments: [true, false])
  func `reading is suspended at the limit and resumed a quarter below it`(_ isCapped: Bool) throws {
    let bench = try Bench(speed: 2_000, limits: RunLimits(eventBudget: 1_000)) {
      if isCapped {
        $0.bufferByteCap = 500_000
      } else {
        $0.preferredForwardBufferDuration = .seconds(4)
      }
    }
    bench.player.play()
    bench.pass(4)
    #expect(bench.player.core.isPlaybackBufferFull)
    let loaded = bench.player.loadedTimeRanges
    bench.world.advance(by: .milliseconds(900))
    #expect(bench.player.loadedTimeRanges == loaded)
    #expect(bench.world.run() == .finished)
    // Which of the two limits it was stands beside it.
    let limit: FetchClause = isCapped ? .byteLimit : .mediaLimit
    let suspensions = bench.notes.observations.count { $0 == .readingSuspended(true, limit) }
    // Four seconds ahead after four, then a second eaten and refilled in two.
    #expect((14...18).contains(suspensions))
    #expect(bench.player.books.stallCount == 0)
  }

  @Test func `an index at the end of a file costs exactly one further request`() throws {
    var requests: [Int64] = []
    for position in [MediaFile.HeadAtomPosition.front, .end] {
      let bench = try Bench(speed: 1_200, hasItem: false)
      let map = ByteMap(duration: .seconds(40), bytes: 5_000_000)
      let file = MediaFile(map: map, headAtomBytes: 10_000, headAtomPosition: position)
      bench.player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
      bench.player.play()
      #expect(bench.world.run() == .finished)
      #expect(bench.player.core.bytesTransferred(at: bench.world.now) == file.bytes)
      requests.append(bench.player.core.counts.requests)
    }
    #expect(requests == [1, 2])
  }

  @Test func `an outage that outlasts the buffer stalls; playback resumes by itself`() throws {
    let bench = try Bench(speed: 1_200)
    bench.player.play()
    var strip = bench.draw(seconds: 5)
    try bench.setSpeed(0)
    strip += bench.draw(seconds: 5)
    #expect(bench.player.rate == .normal && bench.player.timebaseRate == .zero)
    try bench.setSpeed(1_200)
    strip += bench.draw(seconds: 3)
    // Six seconds were loaded in five.
    #expect(strip == ">>>>>" + ">wwww" + ">>>")
    #expect(bench.player.books.stallCount == 1)
    #expect(bench.player.books.stalled.isAbout(4))
  }

  @Test func `an outage that the buffer outlasts is not seen`() throws {
    let bench = try Bench(speed: 3_000)
    bench.player.play()
    bench.pass(5)
    try bench.setSpeed(0)
    bench.pass(8)
    try bench.setSpeed(3_000)
    #expect(bench.world.run() == .finished)
    #expect(bench.player.books.stallCount == 0)
    #expect(bench.player.books.played.isAbout(40))
  }

  @Test func `a link that turns bad after everything is loaded changes nothing`() throws {
    let bench = try Bench(speed: 1_000_000)
    bench.pass(1)
    #expect(bench.player.loadedTimeRanges == [.zero ..< .seconds(40)])
    let told = bench.notes.records.count
    try bench.setSpeed(1)
    bench.pass(1)
    #expect(bench.notes.records.count == told)
    bench.player.play()
    #expect(bench.world.run() == .finished)
    #expect(bench.player.books.startupDelay == .zero && bench.player.books.stallCount == 0)
  }

  @Test func `two players on a link get half of it each`() throws {
    let alone = try Bench(speed: 800)
    alone.player.play()
    #expect(alone.world.run() == .finished)
    let world = try World(conditions: Bench.conditions(1_600))
    let players = [world.makePlayer(), world.makePlayer()]
    for player in players { player.replaceCurrentItem(with: Bench.item()) }
    for player in players { player.play() }
    #expect(world.run() == .finished)
    for player in players { #expect(player.books == alone.player.books) }
    #expect(world.finish() == [])
  }
}
