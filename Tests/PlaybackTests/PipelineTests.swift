import SimulatedWorld
import Testing

/// What lies between a machine that says playing and a timebase that moves.
@Suite struct PipelineTests {
  private let costs = PipelineCosts(
    build: .milliseconds(40), stillFrame: .milliseconds(7), preroll: .milliseconds(300))

  private func bench(speed: Int64 = 500, kind: MediaKind = .local, hasItem: Bool = true) throws
    -> Bench
  {
    try Bench(
      speed: speed, duration: .seconds(10), settings: PlayerSettings(pipeline: costs), kind: kind,
      hasItem: hasItem)
  }

  /// When the timebase was set going, in milliseconds.
  private func starts(_ bench: Bench) -> [Int64] {
    bench.notes.records.compactMap { record in
      guard case .timebase(let rate, _, _) = record.observation, !rate.isZero else { return nil }
      return record.instant.nanoseconds / 1_000_000
    }
  }

  @Test func `before the first motion the pipeline is startup`() throws {
    let bench = try bench()
    bench.player.play()
    #expect(bench.player.timeControlStatus == .playing && bench.player.timebaseRate == .zero)
    #expect(bench.player.core.awaitsPipeline)
    #expect(bench.world.run() == .finished)
    #expect(starts(bench) == [347])
    let books = bench.player.books
    #expect(books.startupDelay == .milliseconds(347) && books.pipeline == .zero)
    #expect(books.played == .seconds(10) && books.waiting == .milliseconds(347))
    #expect(books.mediaAdvanced == .seconds(10))
    #expect(bench.world.finish() == [])
  }

  /// Half of a preroll of a second is done when the sound is thrown away, for 0.128 s.
  @Test(arguments: [true, false])
  func `a buffer that empties before anything moved is no stall`(waits: Bool) throws {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 500_000)],
      audio: [
        LadderAudio(name: "En", language: "en", bitRate: 64_000),
        LadderAudio(name: "Fr", language: "fr", bitRate: 64_000),
      ], segmentDuration: .seconds(4), duration: .seconds(20))
    let bench = try Bench(
      speed: 2_000, settings: PlayerSettings(pipeline: PipelineCosts(preroll: .seconds(1))),
      hasItem: false)
    bench.player.automaticallyWaitsToMinimizeStalling = waits
    bench.player.replaceCurrentItem(
      with: ItemSettings(source: .stream(StreamSettings(presentation: try Presentation(ladder)))))
    bench.pass(10)
    bench.player.play()
    bench.world.advance(by: .milliseconds(500))
    bench.player.select(MediaSelection(.audio, language: "fr"))
    bench.pass(1)
    #expect(bench.player.timeControlStatus == (waits ? .playing : .paused))
    if !waits { bench.player.play() }
    #expect(bench.world.run() == .finished)
    let books = bench.player.books
    #expect(books.stallCount == 0 && books.stalls == [] && books.stalled == .zero)
    // A preroll of its own follows the wait for the sound, or the second request to play.
    #expect(books.startupDelay?.isAbout(waits ? 1.628 : 2.5) == true)
    #expect(bench.world.finish() == [])
  }

  @Test func `play before the item saves the still frame`() throws {
    let bench = try bench(hasItem: false)
    bench.player.play()
    bench.player.replaceCurrentItem(with: Bench.item(duration: .seconds(10), kind: .local))
    bench.pass(1)
    #expect(starts(bench) == [340])
  }

  @Test func `what is done before play is not waited for`() throws {
    let bench = try bench()
    bench.pass(1)
    bench.player.play()
    bench.pass(1)
    #expect(starts(bench) == [1_300])
    bench.player.pause()
    bench.pass(1)
    bench.player.play()
    // What was filled stays full over a pause.
    #expect(starts(bench) == [1_300, 3_000])
    #expect(bench.player.core.pipeline.prerollCount == 1)
  }

  @Test func `a seek empties the pipeline, which is no seek waiting`() throws {
    let bench = try bench()
    bench.player.play()
    bench.pass(2)
    try bench.player.seek(to: .seconds(8))
    #expect(bench.player.timebaseRate == .zero && bench.player.timeControlStatus == .playing)
    bench.pass(1)
    #expect(starts(bench) == [347, 2_300])
    #expect(bench.player.currentTime() == .milliseconds(8_700))
    let books = bench.player.books
    #expect(books.pipeline == .milliseconds(300))
    #expect(books.seekWaiting == .zero && books.stallCount == 0)
    #expect(bench.player.core.pipeline.prerollCount == 2)
    #expect(bench.world.finish() == [])
  }

  @Test func `after a stall media is there before the pipeline is full`() throws {
    let bench = try bench(speed: 500, kind: .progressive)
    bench.pass(1)
    bench.player.playImmediately()
    #expect(bench.world.run() == .finished)
    let books = bench.player.books
    #expect(books.stallCount == 1)
    // A pipeline that is being filled is no stall.
    #expect(books.pipeline == .milliseconds(300))
    #expect(books.played == .seconds(10))
    #expect(books.startupDelay == .milliseconds(300))
    #expect(bench.world.finish() == [])
  }

  @Test func `a rebuild in the middle holds the timebase, and nothing is lost`() throws {
    let bench = try bench()
    bench.player.play()
    bench.pass(2)
    let before = bench.player.currentTime()
    bench.player.rebuildPipeline(for: .milliseconds(120))
    bench.world.advance(by: .milliseconds(119))
    #expect(bench.player.currentTime() == before && bench.player.timebaseRate == .zero)
    bench.world.advance(by: .milliseconds(1))
    #expect(bench.player.timebaseRate == .normal)
    #expect(bench.world.run() == .finished)
    #expect(bench.player.core.pipeline.buildCount == 2)
    #expect(bench.player.books.pipeline == .milliseconds(120))
    #expect(bench.player.books.stallCount == 0)
    #expect(bench.world.finish() == [])
  }

  @Test func `another item takes a pipeline of its own`() throws {
    let bench = try bench()
    bench.player.play()
    bench.world.advance(by: .milliseconds(100))
    bench.player.replaceCurrentItem(with: Bench.item(duration: .seconds(5), kind: .local))
    bench.pass(1)
    #expect(starts(bench) == [440])
    #expect(bench.player.core.pipeline.buildCount == 2)
  }

  /// A preroll of 300 ms is interrupted by a seek, at 0.6 s, to where nothing is loaded until the
  /// link is back at 5.6 s. At the end nothing is left to be loaded.
  @Test func `a preroll waits for media, and a seek ends it unfinished`() throws {
    let bench = try bench(speed: 4_000, kind: .progressive)
    bench.world.advance(by: .milliseconds(500))
    try bench.player.perform(.preroll)
    bench.world.advance(by: .milliseconds(100))
    try bench.setSpeed(0)
    try bench.player.seek(to: .seconds(8))
    try bench.player.perform(.preroll)
    bench.pass(5)
    try bench.setSpeed(4_000)
    bench.pass(5)
    try bench.player.seek(to: .seconds(10))
    try bench.player.perform(.preroll)
    bench.pass(1)
    let told: [String] = bench.notes.records.compactMap { record in
      guard case .prerolled(let finished) = record.observation else { return nil }
      return "\(finished) at \(record.instant.nanoseconds / 1_000_000)"
    }
    #expect(told == ["false at 600", "true at 5900", "true at 10900"])
    #expect(bench.world.finish() == [])
  }

  @Test func `a preroll of an item that fails is over, and has not finished`() throws {
    let world = try World(
      conditions: Bench.conditions(4_000),
      faults: FaultPlan([FaultRule(.status(404), label: LabelPattern("bad"))]))
    let player = world.makePlayer()
    var told: [Bool] = []
    player.observe { record in
      if case .prerolled(let finished) = record.observation { told.append(finished) }
    }
    player.replaceCurrentItem(
      with: Bench.item(duration: .seconds(2)) { ($0.label, $0.retry) = ("bad", .never) })
    try player.perform(.preroll)
    world.advance(by: .seconds(1))
    #expect(told == [false])
    #expect(world.finish() == [])
  }

  /// In the middle of its 40 ms the first pipeline is given up, and the next is set up at once.
  @Test func `what is set up for an item that goes is not waited for`() throws {
    for milliseconds in [10, 39, 46] as [Int64] {
      let bench = try bench()
      bench.player.play()
      bench.world.advance(by: .milliseconds(milliseconds))
      bench.player.replaceCurrentItem(with: Bench.item(duration: .seconds(5), kind: .local))
      bench.pass(1)
      #expect(starts(bench) == [milliseconds + 340])
    }
  }

  @Test func `pausing while it fills stops nothing but the start`() throws {
    let bench = try bench()
    bench.player.play()
    bench.world.advance(by: .milliseconds(200))
    bench.player.pause()
    bench.world.advance(by: .milliseconds(300))
    bench.player.play()
    #expect(starts(bench) == [500])
    #expect(bench.player.books.startupDelay == .milliseconds(200))
  }
}
