import SimulatedWorld
import Testing

/// What is booked when an item is given up: for the next one, for none, or for another.
@Suite struct LeavingTests {
  /// A link that brings three seconds of the first item and then nothing for a while.
  private func stalled(for seconds: Int64) throws -> (World, SimulatedQueuePlayer) {
    let world = try World(conditions: Bench.conditions(1_000))
    let player = world.makeQueuePlayer()
    let items = (0..<2).map { _ in
      SimulatedPlayerItem(
        Bench.item(duration: .seconds(30)) {
          $0.heuristic = .thresholds(start: .seconds(1), resume: .seconds(2))
        })
    }
    try player.insert(items)
    player.play()
    world.advance(by: .seconds(3))
    try world.setConditions(Bench.conditions(0))
    // Two seconds are ahead: started at one second, at three there are three, of which two played.
    world.advance(by: .seconds(1 + seconds))
    return (world, player)
  }

  /// The first item stalls for a while; the second one needs a second of media, which takes one.
  @Test(arguments: [1, 2, 3, 5, 8, 13, 21, 34, 55, 89])
  func `a stall ends with its item, and the way to the next one is none`(seconds: Int64) throws {
    let (world, player) = try stalled(for: seconds)
    #expect(player.books.stalled == .seconds(seconds))
    try world.setConditions(Bench.conditions(1_000))
    player.advanceToNextItem()
    world.advance(by: .seconds(4))
    #expect(player.timeControlStatus == .playing)
    #expect(player.books.stalled == .seconds(seconds))
    #expect(player.books.stallCount == 1)
    // The wait before the second item is its start.
    #expect(player.books.startupCount == 2 && player.books.laterStartups.isAbout(1))
    #expect(world.finish() == [])
  }

  /// An item starts with a second of media, which takes a second. Of a pause nothing is booked.
  @Test(
    arguments: [
      (500, pauses: false, starts: 1, startup: 1_500, later: 0, gap: 0),
      (2_000, pauses: false, starts: 1, startup: 1_000, later: 0, gap: 1_000),
      (2_000, pauses: true, starts: 2, startup: 1_000, later: 1_000, gap: 0),
    ] as [(Int64, pauses: Bool, starts: Int64, startup: Int64, later: Int64, gap: Int64)])
  func `an item given up while it does not play is followed by a start, and else by a gap`(
    at: Int64, pauses: Bool, starts: Int64, startup: Int64, later: Int64, gap: Int64
  ) throws {
    let world = try World(conditions: Bench.conditions(1_000))
    let player = world.makeQueuePlayer()
    try player.insert(
      (0..<2).map { _ in
        SimulatedPlayerItem(
          Bench.item(duration: .seconds(30)) {
            $0.heuristic = .thresholds(start: .seconds(1), resume: .seconds(1))
          })
      })
    player.play()
    world.advance(by: .milliseconds(at))
    if pauses { player.pause() }
    player.advanceToNextItem()
    if pauses { player.play() }
    world.advance(by: .seconds(4))
    let books = player.books
    #expect(books.startupCount == starts && books.stallCount == 0)
    #expect(books.startup.isAbout(Double(startup) / 1_000))
    #expect(books.laterStartups.isAbout(Double(later) / 1_000))
    #expect(books.totalGap.isAbout(Double(gap) / 1_000))
    #expect(world.finish() == [])
  }

  /// Ten seconds at half their bit rate start after ten, of which the app asked to play in nine.
  @Test func `an item at its end before it has begun is followed by a start, and no gap`() throws {
    let world = try World(conditions: Bench.conditions(500))
    let player = world.makeQueuePlayer(
      PlayerSettings(pipeline: PipelineCosts(preroll: .milliseconds(300))))
    try player.insert(
      [MediaKind.local, .progressive].map {
        SimulatedPlayerItem(Bench.item(duration: .seconds(10), kind: $0))
      })
    try player.seek(to: .seconds(10))
    world.advance(by: .seconds(1))
    player.play()
    #expect(world.run() == .finished)
    let books = player.books
    #expect(books.startupCount == 1 && books.startup.isAbout(9))
    #expect(books.transitionCount == 0 && books.totalGap == .zero)
    #expect(world.finish() == [])
  }

  /// Whoever gives an item up while it plays measures the way to the next from there.
  @Test func `an item that is given up while it plays leaves a gap until the next one moves`()
    throws
  {
    for delay in [100, 250, 700, 1_900] as [Int64] {
      let world = try World(
        conditions: Bench.conditions(2_000, delay: .milliseconds(delay)))
      let player = world.makeQueuePlayer()
      var gaps: [Int64] = []
      player.observe { record in
        guard case .itemTransition(let transition) = record.observation else { return }
        gaps.append(transition.gap.nanoseconds / 1_000_000)
      }
      func item() -> SimulatedPlayerItem {
        SimulatedPlayerItem(
          Bench.item(duration: .seconds(60)) {
            $0.heuristic = .thresholds(start: .seconds(1), resume: .seconds(1))
          })
      }
      try player.insert([item(), item()])
      player.play()
      world.advance(by: .seconds(10))
      #expect(player.timeControlStatus == .playing)
      player.advanceToNextItem()
      world.advance(by: .seconds(5))
      // A round trip and a second of media at twice its rate.
      #expect(gaps == [delay + 500])
      #expect(player.books.totalGap == .milliseconds(delay + 500))
      #expect(player.books.stallCount == 0)
      #expect(world.finish() == [])
    }
  }

  /// A file that breaks for good when three seconds of it are there, with another one behind it.
  @Test func `an item that fails while it plays leaves a gap until the next one moves`() throws {
    for delay in [50, 400, 1_200] as [Int64] {
      let world = try World(
        conditions: Bench.conditions(2_000, delay: .milliseconds(delay)),
        faults: FaultPlan([
          FaultRule(.reset(afterBytes: 375_000), label: LabelPattern("bad"))
        ]))
      let player = world.makeQueuePlayer()
      var gaps: [Int64] = []
      player.observe { record in
        guard case .itemTransition(let transition) = record.observation else { return }
        gaps.append(transition.gap.nanoseconds / 1_000_000)
      }
      let bad = SimulatedPlayerItem(
        Bench.item(duration: .seconds(20)) {
          ($0.label, $0.retry) = ("bad", .never)
          $0.heuristic = .thresholds(start: .seconds(1), resume: .seconds(1))
        })
      let good = SimulatedPlayerItem(Bench.item(duration: .seconds(5)))
      try player.insert([bad, good])
      player.play()
      #expect(world.run() == .finished)
      #expect(player.books.mediaAdvanced == .seconds(8))
      #expect(gaps.count == 1)
      #expect(player.books.totalGap.nanoseconds / 1_000_000 == gaps.first)
      #expect(player.books.stallCount == 0)
      #expect(world.finish() == [])
    }
  }

  @Test func `a player without an item says so in every property`() throws {
    let world = try World(conditions: Bench.conditions(1_000))
    let player = world.makePlayer()
    #expect(!player.core.isPlaybackLikelyToKeepUp && !player.core.isPlaybackBufferFull)
    #expect(player.core.isPlaybackBufferEmpty && !player.core.hasItem)
    #expect(player.currentTime() == .zero && player.timebaseRate == .zero)
  }

  @Test func `a queue that nothing was ever in is idle, not at rest`() throws {
    let world = try World(conditions: Bench.conditions(1_000))
    let player = world.makeQueuePlayer()
    player.play()
    #expect(player.reasonForWaitingToPlay == .noItemToPlay)
    #expect(world.run() == .idle)
  }

  @Test func `an asset that is asked about gives way to the next one, with what is under way`()
    throws
  {
    for milliseconds in [10, 50, 99] as [Int64] {
      let world = try World(conditions: Bench.conditions(100, delay: .milliseconds(100)))
      let player = world.makePlayer()
      var cancelled = 0
      var started = 0
      player.observe { record in
        switch record.observation {
        case .requestStarted: started += 1
        case .requestCancelled: cancelled += 1
        default: break
        }
      }
      func item(_ name: String, bytes: Int64) -> ItemSettings {
        let file = MediaFile(
          map: ByteMap(duration: .seconds(10), bytes: bytes), headAtomBytes: 50_000,
          headAtomPosition: .end)
        return ItemSettings(source: .progressive(file), label: name)
      }
      player.loadValues(of: item("one", bytes: 1_000_000))
      world.advance(by: .milliseconds(milliseconds))
      #expect(started == 1 && cancelled == 0)
      player.loadValues(of: item("two", bytes: 900_000))
      #expect(started == 2 && cancelled == 1)
      #expect(world.finish() == [])
    }
  }

  @Test(
    arguments: [
      (100, 2, 10), (250, 1, 90), (700, 3, 40), (1_200, 4, 0), (3_000, 2, 200), (60, 1, 5),
      (900, 5, 350), (2_000, 6, 15), (450, 2, 120), (5_000, 3, 60), (150, 1, 700),
    ] as [(Int64, Int, Int64)], [Fidelity.fluid, .tcp])
  func `what an asset asks for is told with the item that plays meanwhile`(
    _ setting: (kilobits: Int64, items: Int, delay: Int64), _ fidelity: Fidelity
  ) throws {
    let world = try World(
      conditions: Bench.conditions(setting.kilobits, delay: .milliseconds(setting.delay)),
      fidelity: fidelity)
    let player = world.makePlayer()
    for _ in 0..<setting.items { player.replaceCurrentItem(with: Bench.item(kind: .local)) }
    player.play()
    var told: [Int32?] = []
    player.observe { record in
      switch record.observation {
      case .requestStarted, .requestResponded, .requestCompleted: told.append(record.item)
      default: break
      }
    }
    let file = MediaFile(
      map: ByteMap(duration: .seconds(10), bytes: 900_000), headAtomBytes: 5_000,
      headAtomPosition: .end)
    player.loadValues(of: ItemSettings(source: .progressive(file), label: "next"))
    world.advance(by: .seconds(5))
    // Items are numbered from zero on.
    #expect(told == Array(repeating: Int32(setting.items - 1), count: 3))
    #expect(world.finish() == [])
  }

  /// "The system may buffer less": less than a tenth of a second is our assumption of none.
  @Test(arguments: [1, 50, 99, 100] as [Int64])
  func `a buffer is a tenth of a second at least`(milliseconds: Int64) throws {
    let bench = try Bench(speed: 1_000) {
      $0.preferredForwardBufferDuration = .milliseconds(milliseconds)
    }
    bench.pass(5)
    let end = try #require(bench.player.loadedTimeRanges.last).upperBound
    #expect(end.nanoseconds == 100_000_000)
  }

  @Test func `of more than two thousand errors the older thousand go`() throws {
    let world = try World(
      conditions: Bench.conditions(1_000), faults: FaultPlan([FaultRule(.status(503))]))
    let player = world.makePlayer()
    var counts: [Int] = []
    world.observe { record in
      guard case .requestFailed = record.observation else { return }
      counts.append(player.errorLog?.events.count ?? 0)
    }
    player.replaceCurrentItem(
      with: Bench.item {
        $0.retry = RetryPolicy(
          attempts: 2_100, backOff: .milliseconds(10), longestBackOff: .milliseconds(10))
      })
    player.play()
    _ = world.run()
    #expect(player.errorLog?.events.count == counts.count - 1_000)
    #expect(counts.count == 2_101)
    #expect(counts.max() == 2_000 || counts.max() == 1_999)
  }

  @Test func `a track is enabled and disabled once`() {
    var item = Bench.item()
    let answers = [
      item.setTrack(1, enabled: true), item.setTrack(1, enabled: false),
      item.setTrack(1, enabled: false), item.setTrack(2, enabled: false),
      item.setTrack(1, enabled: true), item.setTrack(1, enabled: true),
    ]
    #expect(answers == [false, true, false, true, true, false])
    #expect(item.disabledTracks == [2])
  }

  // MARK: What the access log says of it

  /// How long media came in, event by event, in milliseconds.
  private func transfers(_ player: SimulatedPlayer) -> [Int64] {
    player.accessLog?.events.map { $0.transferDuration.nanoseconds / 1_000_000 } ?? []
  }

  @Test func `a seek within the buffer begins an event, and each has its own time of transfer`()
    throws
  {
    // 40 s of media take 80 s; after ten of them the playhead is put back.
    let bench = try Bench(speed: 500) {
      $0.heuristic = .thresholds(start: .seconds(1), resume: .seconds(1))
    }
    bench.player.play()
    bench.pass(10)
    try bench.player.seek(to: .zero)
    #expect(bench.world.run() == .finished)
    #expect(transfers(bench.player) == [10_000, 70_000])
  }

  @Test func `what is sought away from comes no longer`() throws {
    // Four seconds bring eight of media; from 30 s on ten are left, which take five.
    let bench = try Bench(speed: 2_000) {
      $0.heuristic = .thresholds(start: .seconds(1), resume: .seconds(1))
    }
    bench.player.play()
    bench.pass(4)
    try bench.player.seek(to: .seconds(30))
    #expect(bench.world.run() == .finished)
    #expect(transfers(bench.player) == [4_000, 5_000])
  }

  /// At twice the bit rate: each seek but the last leaves what is loaded, and asks for the rest.
  @Test(
    arguments: [
      ([30], [1, 1]), ([30, 20], [1, 1, 1]), ([5], [1, 0]), ([30, 31], [1, 1, 0]),
      ([30, 5], [1, 1, 1]), ([20, 30, 10, 11], [1, 1, 1, 1, 0]),
    ] as [([Int64], [Int64])])
  func `a request that a seek makes is one of the event that it begins`(
    places: [Int64], requests: [Int64]
  ) throws {
    let bench = try Bench(speed: 2_000) {
      $0.heuristic = .thresholds(start: .seconds(1), resume: .seconds(1))
    }
    bench.player.play()
    for place in places {
      bench.pass(4)
      try bench.player.seek(to: .seconds(place))
      let events = try #require(bench.player.accessLog).events
      #expect(events.last?.playbackStartOffset == .seconds(place))
    }
    let events = try #require(bench.player.accessLog).events
    #expect(events.map(\.numberOfMediaRequests) == requests)
  }

  @Test func `a reader that pauses lets no time of transfer pass`() throws {
    // Twice as fast as it is played, and read in draughts: 40 s of media come in 20.
    let bench = try Bench(speed: 2_000) { $0.preferredForwardBufferDuration = .seconds(4) }
    bench.player.play()
    #expect(bench.world.run() == .finished)
    #expect(bench.world.now > .seconds(39))
    #expect(transfers(bench.player) == [20_000])
  }

  @Test func `while a request is waited for again nothing is transferred`() throws {
    let world = try World(
      conditions: Bench.conditions(2_000),
      faults: FaultPlan([FaultRule(.reset(afterBytes: 500_000), numbers: 1...1)]))
    let player = world.makePlayer()
    player.replaceCurrentItem(with: Bench.item(duration: .seconds(20)))
    player.play()
    #expect(world.run() == .finished)
    // 2.5 MB at 250 kB a second, whatever the wait between the two requests.
    #expect(transfers(player) == [10_000])
  }

  @Test func `an item that is taken away gives its playlists back`() throws {
    for milliseconds in [20, 60, 130, 199] as [Int64] {
      let world = try World(
        conditions: Bench.conditions(2_000, delay: .milliseconds(200)))
      let player = world.makePlayer()
      var cancelled: [Int64] = []
      var asked: [TransferID] = []
      player.observe { record in
        switch record.observation {
        case .resourceRequested(let id, _, _, _): asked.append(id)
        case .requestCancelled(_, let bytes): cancelled.append(bytes)
        default: break
        }
      }
      let ladder = NamedLadder.talk.description(duration: .seconds(12))
      player.replaceCurrentItem(
        with: ItemSettings(
          source: .stream(StreamSettings(presentation: try Presentation(ladder)))))
      player.play()
      world.advance(by: .milliseconds(milliseconds))
      #expect(asked.count == 1)
      player.replaceCurrentItem(with: nil)
      _ = world.run()
      #expect(cancelled == [0])
      #expect(world.finish() == [])
    }
  }
}
