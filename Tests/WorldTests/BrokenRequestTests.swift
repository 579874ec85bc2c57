import SimulatedWorld
import Testing

/// A file of 10 s in 1,000,000 bytes over a link that brings 200,000 bytes a second after 100 ms.
@Suite struct BrokenRequestTests {
  private func world(
    _ rules: [FaultRule], timeouts: RequestTimeouts = .none, fidelity: Fidelity = .fluid
  ) throws -> World {
    var options = RequestOptions.plain
    options.timeouts = timeouts
    return try World(
      conditions: LinkConditions(
        downlink: .init(bandwidth: .limited(.kilobitsPerSecond(1_600)), delay: .milliseconds(100))),
      fidelity: fidelity, requests: options, faults: FaultPlan(rules))
  }

  private func play(
    in world: World, retry: RetryPolicy = .standard, headAtomBytes: Int64 = 0,
    position: MediaFile.HeadAtomPosition = .front
  ) -> SimulatedPlayer {
    let player = world.makePlayer()
    let map = ByteMap(duration: .seconds(10), bytes: 1_000_000)
    let file = MediaFile(map: map, headAtomBytes: headAtomBytes, headAtomPosition: position)
    player.replaceCurrentItem(
      with: ItemSettings(source: .progressive(file), retry: retry, label: "film.mp4"))
    player.play()
    return player
  }

  @Test func `a file that was not found is asked for again, and then plays`() throws {
    let world = try world([FaultRule(.status(404), numbers: 1...2, label: LabelPattern("*.mp4"))])
    var failures: [PlaybackRecord] = []
    world.observe { record in
      if case .requestFailed = record.observation { failures.append(record) }
    }
    let player = play(in: world)
    #expect(world.run() == .finished)
    // Back-offs of one and two seconds behind a round trip each.
    #expect(failures.map(\.instant.nanoseconds) == [100_000_000, 1_200_000_000])
    #expect(player.books.startupDelay == .nanoseconds(3_300_005_000))
    #expect(player.books.stallCount == 0)
    #expect(player.core.counts.requests == 3)
    #expect(world.finish() == [])
  }

  @Test(arguments: [Fidelity.fluid, .tcp], [300_000, 300_001, 299_300] as [Int64])
  func `a broken file goes on from what there is, by a range request`(
    fidelity: Fidelity, bytes: Int64
  ) throws {
    let world = try world(
      [FaultRule(.reset(afterBytes: bytes), numbers: 1...1)], fidelity: fidelity)
    var starts: [Int64] = []
    var retries: [Int32?] = []
    world.observe { record in
      guard case .requestStarted(_, let firstByte, let origin) = record.observation else { return }
      starts.append(firstByte)
      retries.append(origin.retries?.rawValue)
    }
    let player = play(in: world)
    #expect(world.run() == .finished)
    #expect(starts == [0, bytes])
    #expect(retries == [nil, 1])
    #expect(player.core.bytesTransferred(at: world.now) == 1_000_000)
    #expect(player.books.stallCount == 0)
    #expect(player.core.status == .readyToPlay)
    #expect(world.finish() == [])
  }

  @Test func `the item fails when nothing is left to try and the buffer is played out`() throws {
    let world = try world([
      FaultRule(.reset(afterBytes: 300_000), numbers: 1...1), FaultRule(.status(503)),
    ])
    var failed: [Int64] = []
    world.observe { record in
      if case .itemFailed = record.observation { failed.append(record.instant.nanoseconds) }
    }
    let player = play(in: world)
    #expect(world.run() == .finished)
    // Broken at 1.6 s; tried again after 1, 2 and 4 s, a round trip each: at 8.9 s nothing is left.
    // Three seconds of media from 0.1 s on were played by then, so the item is dry since 3.1 s.
    #expect(player.core.status == .failed(.mediaUnavailable(.httpStatus(503))))
    #expect(player.books.stallCount == 1)
    #expect(failed == [8_900_000_000])
    #expect(player.timeControlStatus == .paused && player.rate == .zero)
    #expect(world.finish() == [])
  }

  @Test func `a buffer that outlasts the last attempt is played first`() throws {
    let world = try world([
      FaultRule(.reset(afterBytes: 600_000), numbers: 1...1), FaultRule(.status(503)),
    ])
    var failed: [Int64] = []
    world.observe { record in
      if case .itemFailed = record.observation { failed.append(record.instant.nanoseconds) }
    }
    let player = play(in: world, retry: .never)
    #expect(world.run() == .finished)
    #expect(player.core.status == .failed(.mediaUnavailable(.connectionReset)))
    #expect(player.books.stallCount == 0)
    #expect(failed == [6_100_005_000])
    #expect(world.finish() == [])
  }

  @Test func `a stalled response is given up after the client's patience, and the rest asked for`()
    throws
  {
    let world = try world(
      [FaultRule(.stall(afterBytes: 500_000), numbers: 1...1)],
      timeouts: RequestTimeouts(idle: .seconds(1)))
    let player = play(in: world)
    #expect(world.run() == .finished)
    #expect(player.books.stallCount == 0)
    #expect(player.core.counts.requests == 2)
    #expect(player.core.bytesTransferred(at: world.now) == 1_000_000)
    #expect(world.finish() == [])
  }

  @Test(arguments: [MediaFile.HeadAtomPosition.front, .end])
  func `a head atom that cannot be read is read again`(position: MediaFile.HeadAtomPosition) throws
  {
    for number in 1...2 as ClosedRange<Int64> {
      let world = try world([FaultRule(.status(503), numbers: number...number)])
      let player = play(in: world, headAtomBytes: 20_000, position: position)
      #expect(world.run() == .finished)
      #expect(player.core.status == .readyToPlay)
      #expect(player.books.played == .seconds(10))
      #expect(world.finish() == [])
    }
  }

  @Test func `a player that was not released takes half of the link`() throws {
    func startup(leaked: Bool) throws -> Int64 {
      let world = try world([])
      let old = leaked ? play(in: world) : nil
      old?.pause()
      let player = play(in: world)
      // What nothing holds would be released.
      withExtendedLifetime(old) { #expect(world.run() == .finished) }
      #expect(world.finish() == [])
      return try #require(player.books.startupDelay).nanoseconds
    }
    let alone = try startup(leaked: false)
    #expect(alone == 100_005_000)
    // At half the rate it takes as long as it plays: nothing is left over, nothing stalls.
    #expect(try startup(leaked: true) == 100_010_000)
  }

  @Test func `a download that is suspended at play no longer delays it`() throws {
    func startup(suspends: Bool) throws -> Int64 {
      let world = try world([])
      let traffic = world.startTraffic(CompetingTraffic(connections: 3))
      let player = play(in: world)
      if suspends { world.suspendTraffic(traffic) }
      world.advance(by: .seconds(120))
      #expect(world.finish() == [])
      return try #require(player.books.startupDelay).nanoseconds
    }
    #expect(try startup(suspends: true) == 100_005_000)
    // A quarter of the link is half of what is needed: half the file is loaded first.
    #expect(try startup(suspends: false) == 100_000_000 + 10_000_000_000)
  }
}

/// A stream of five segments of two seconds.
@Suite struct BrokenStreamTests {
  private func play(_ rules: [FaultRule], failures: inout Int) throws -> SimulatedPlayer {
    let world = try World(
      conditions: LinkConditions(
        downlink: .init(bandwidth: .limited(.megabitsPerSecond(2)), delay: .milliseconds(50))),
      requests: .plain, faults: FaultPlan(rules))
    var ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 400_000)], segmentDuration: .seconds(2),
      duration: .seconds(10))
    ladder.encryption = LadderEncryption(
      key: EncryptionKey(method: .aes128, uri: "key"), isAnnounced: false)
    let player = world.makePlayer()
    var count = 0
    player.observe { record in
      if case .requestFailed = record.observation { count += 1 }
    }
    let settings = StreamSettings(
      presentation: try Presentation(ladder), keyExchange: KeyExchange(bytes: 16))
    player.replaceCurrentItem(with: ItemSettings(source: .stream(settings)))
    player.play()
    #expect(world.run() == .finished)
    #expect(world.finish() == [])
    failures = count
    return player
  }

  @Test(arguments: [
    ResourceKind.multivariantPlaylist, .mediaPlaylist, .contentKey, .mediaSegment,
  ])
  func `whatever breaks twice is there the third time`(kind: ResourceKind) throws {
    var failures = 0
    let rules = [
      FaultRule(.reset(afterBytes: 0), numbers: 1...2, label: LabelPattern(kind.rawValue))
    ]
    let player = try play(rules, failures: &failures)
    #expect(failures == 2)
    #expect(player.books.played == .seconds(10))
    #expect(player.core.status == .readyToPlay)
  }

  @Test func `the item fails when its segments never come, after what there was is played`() throws
  {
    var failures = 0
    let rules = [FaultRule(.status(404), numbers: 3...99, label: LabelPattern("mediaSegment"))]
    let player = try play(rules, failures: &failures)
    #expect(failures == 4)
    #expect(player.books.played == .seconds(4))
    #expect(player.core.status == .failed(.mediaUnavailable(.httpStatus(404))))
  }
}
