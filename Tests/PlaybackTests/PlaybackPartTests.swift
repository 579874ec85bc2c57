import Autowait
import LinkConditioner
import PlayerPolicies
import SimulatedPlayback
import StreamingMedia
import Testing
import VirtualTime

/// The two parts of a player beside its loaders: what is played, and what comes after it.
@Suite struct PlaybackPartTests {
  private var stage: Stage

  init() throws {
    stage = Stage(link: try Link(conditions: LinkConditions()), log: PlaybackLog())
  }

  private func item(_ seconds: Int64 = 10, until end: MediaTime? = nil) -> PlayerItem {
    let file = MediaFile(duration: .seconds(seconds), bitRate: .megabitsPerSecond(1))
    return PlayerItem(ItemSettings(source: .local(file), forwardPlaybackEndTime: end))
  }

  private func queue() -> PlayQueue {
    PlayQueue(index: 3, PolicyPreset.avfoundation.description, .none)
  }

  private var controls: [TimeControl] {
    var controls: [TimeControl] = []
    for record in stage.log.records {
      if case .timeControl(let control, _, _) = record.observation { controls.append(control) }
    }
    return controls
  }

  // MARK: The queue

  @Test func `items stand where they are put`() {
    var queue = queue()
    let (a, b, c) = (item(), item(), item())
    queue.insert(a, at: 0)
    queue.insert(c, at: 1)
    queue.insert(b, at: 1)
    #expect(queue.items.map(ObjectIdentifier.init) == [a, b, c].map(ObjectIdentifier.init))
    #expect(queue.index(of: c) == 2 && queue.index(of: item()) == nil)
    #expect(queue.remove(at: 1) === b)
    #expect(queue.removeFirst() === a && queue.removeFirst() === c)
    let last = queue.removeFirst()
    #expect(last == nil)
  }

  @Test func `the most items that stood there are known, the current one included`() {
    var queue = queue()
    queue.noteLength(hasCurrent: true)
    #expect(queue.longest == 1)
    for _ in 0..<3 { queue.insert(item(), at: 0) }
    queue.noteLength(hasCurrent: false)
    #expect(queue.longest == 3)
    _ = queue.removeFirst()
    queue.noteLength(hasCurrent: true)
    #expect(queue.longest == 3)
  }

  @Test
  mutating func `an item has its number for good, and stands in the queue until it is closed`() {
    var queue = queue()
    let (a, b) = (item(), item())
    for item in [a, b] { queue.open(item, at: .zero) }
    #expect((a.number, b.number, queue.itemCount) == (0, 1, 2))
    #expect(a.isEnqueued)
    queue.close(a, for: nil, at: .zero, on: &stage)
    #expect(!a.isEnqueued && a.number == 0)
    queue.open(a, at: .seconds(1))
    #expect((a.number, queue.itemCount) == (0, 2))
  }

  // MARK: What is played

  @Test(arguments: [
    (Contract.current, Int64(2), Int64(2)), (.current, 0, 1), (.legacy, 2, 1),
    (Contract(major: 15), 2, 1), (Contract(major: 16), 2, 2),
  ])
  func `play asks for the default rate, where the contract has one`(
    contract: Contract, set: Int64, expected: Int64
  ) throws {
    func rate(_ count: Int64) -> PlaybackRate {
      count == 0 ? .zero : PlaybackRate(Int32(count))
    }
    var playback = Playback(index: 0, PlayerSettings(contract: contract), at: .zero)
    playback.defaultRate = rate(set)
    #expect(playback.rateOfPlay == rate(expected))
  }

  @Test mutating func `without an item it waits for one, and goes on when it is told to`() {
    var playback = Playback(index: 0, PlayerSettings(), at: .zero)
    playback.send(.setRate(.normal), at: .zero, on: &stage)
    #expect(controls == [.waiting(.noItemToPlay)])
    playback.send(.setRate(.zero), at: .seconds(3), on: &stage)
    #expect(controls == [.waiting(.noItemToPlay), .paused])
    let moved = playback.send(.bufferChanged, at: .seconds(3), on: &stage)
    #expect(!moved)
  }

  @Test mutating func `time is booked under the state that held in it`() {
    var playback = Playback(index: 0, PlayerSettings(), at: .zero)
    playback.begin(at: .seconds(2))
    playback.prepareToAsk(for: .normal, at: .seconds(2), on: &stage)
    playback.send(.setRate(.normal), at: .seconds(2), on: &stage)
    playback.begin(at: .seconds(7))
    #expect((playback.books.paused, playback.books.waiting) == (.seconds(2), .seconds(5)))
    #expect(playback.books.firstRequest == .seconds(2))
    #expect(playback.books.balances(at: .seconds(7), since: .zero))
  }

  @Test(arguments: [(Contract.current, true), (.legacy, false)])
  mutating func `what the contract makes of the property holds for the item`(
    contract: Contract, waits: Bool
  ) {
    var queue = queue()
    var playback = Playback(index: 3, PlayerSettings(contract: contract), at: .zero)
    let item = item()
    queue.open(item, at: .zero)
    playback.take(item, at: .zero)
    playback.setWaits(true, at: .zero, on: &stage)
    #expect(playback.waitsProperty && playback.machine.waitsAutomatically == waits)
    // Told once, and only where it changes.
    let told = stage.log.records.filter { $0.observation == .waitsAutomatically(true) }
    #expect(told.count == (waits ? 0 : 1))
    #expect(told.allSatisfy { $0.player == 3 && $0.item == 0 })
  }

  @Test mutating func `the pipeline is set up, then filled, and drained with the place`() {
    var settings = PlayerSettings()
    settings.pipeline = PipelineCosts(
      build: .seconds(1), stillFrame: .milliseconds(500), preroll: .seconds(2))
    var queue = queue()
    var playback = Playback(index: 3, settings, at: .zero)
    let item = item()
    queue.open(item, at: .zero)
    playback.take(item, at: .zero)
    playback.buildPipeline(for: item, at: .zero, on: &stage)
    // Nobody asked to play yet, so that a still frame is made.
    #expect(playback.pipeline.readyAt == .milliseconds(1_500))
    #expect(playback.pipelineReadyAt == .distantFuture)
    let filled = playback.fill(item, at: .seconds(1), on: &stage)
    #expect(filled == .milliseconds(3_500))
    #expect(playback.pipeline.parseCount == 1)
    playback.parse(item, at: .seconds(1))
    #expect(playback.pipeline.parseCount == 1)
    var works: [PipelineWork] = []
    for record in stage.log.records {
      if case .pipeline(let work, _) = record.observation { works.append(work) }
    }
    #expect(works == [.build, .stillFrame, .preroll])
  }

  @Test mutating func `an item that is left leaves the books of its media balanced`() {
    var queue = queue()
    var playback = Playback(index: 3, PlayerSettings(), at: .zero)
    let (first, second) = (item(), item(20))
    for item in [first, second] { queue.open(item, at: .zero) }
    playback.take(first, at: .zero)
    playback.leave(first, at: .seconds(1), on: &stage)
    #expect(playback.item == nil)
    playback.take(second, at: .seconds(1))
    #expect(playback.item === second)
    #expect(playback.books.mediaBalances(second.timebase, at: .seconds(1)))
  }
}

extension Instant {
  fileprivate static func milliseconds(_ count: Int64) -> Instant {
    Instant(nanoseconds: count * 1_000_000)
  }
}
