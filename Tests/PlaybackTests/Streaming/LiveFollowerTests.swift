import Autowait
import SimulatedPlayback
import StreamingMedia
import Testing
import VirtualTime

/// Where the playhead of a live stream belongs: values in, a value out.
@Suite struct LiveFollowerTests {
  private static let waiting = TimeControl.waiting(.toMinimizeStalls)

  private func follower(
    at position: Int64, _ control: TimeControl = .playing, edge: Int64? = 60, listed: Int64? = 60,
    loaded: Int64? = nil, preserves: Bool = true, seekTarget: Int64? = nil,
    purpose: WaitPurpose = .goOn
  ) -> LiveFollower {
    LiveFollower(
      at: .seconds(position), rate: control == .playing ? .normal : .zero, control,
      waitingOut: purpose, seekTarget: seekTarget.map { .seconds($0) },
      edge: edge.map { .seconds($0) }, listedEnd: listed.map { .seconds($0) },
      loadedEnd: loaded.map { .seconds($0) }, preservesOffset: preserves)
  }

  /// What is remembered of a playhead that was so far from the edge when it began to wait.
  private func memory(offset: Int64?) -> LiveMemory {
    var memory = LiveMemory()
    memory.hasBegun = true
    if let offset { follower(at: 0, Self.waiting, edge: offset).note(in: &memory, at: .zero) }
    return memory
  }

  // MARK: Where it begins

  @Test func `it begins where the playlist says, once`() {
    var memory = LiveMemory()
    let start = LiveMove(.seconds(42), .begins(.startTime))
    let paused = follower(at: 0, .paused)
    #expect(
      paused.look(start: start, slid: nil, reads: 1, &memory, at: .zero) == .begins(start))
    #expect(memory.hasBegun)
    #expect(paused.look(start: nil, slid: nil, reads: 1, &memory, at: .zero) == .stays)
  }

  @Test func `before it has begun nothing is remembered of it`() {
    var memory = LiveMemory()
    follower(at: 3, Self.waiting, purpose: .resume).note(in: &memory, at: .zero)
    #expect(memory == LiveMemory())
  }

  @Test(arguments: [
    (TimeControl.paused, true), (.waiting(.toMinimizeStalls), true), (.playing, false),
  ])
  func `what slid out of the window is left by a playhead that stands`(
    control: TimeControl, moves: Bool
  ) {
    var memory = memory(offset: nil)
    let slid = LiveMove(.seconds(30), .windowSlid)
    let outcome = follower(at: 10, control).look(
      start: nil, slid: slid, reads: 0, &memory, at: .zero)
    #expect(outcome == (moves ? .begins(slid) : .stays))
  }

  // MARK: Its distance from the live edge

  /// The edge goes on while the playhead stands; what it was behind it is kept.
  @Test(
    arguments: [
      // At 40 of 60, so 20 behind; six seconds later that is 46.
      (40, 20, 66, 66, 46), (40, 20, 61, 61, 41), (0, 60, 66, 66, 6), (57, 3, 72, 72, 69),
      // It never goes back, and not where it is.
      (40, 20, 60, 60, nil), (41, 20, 60, 60, nil),
      // Nor to where nothing is listed yet.
      (40, 5, 70, 65, nil), (40, 5, 70, 66, 65), (10, 0, 90, 90, nil), (10, 1, 90, 90, 89),
    ] as [(Int64, Int64, Int64, Int64, Int64?)])
  func `after buffering it is as far behind the edge as before`(
    position: Int64, offset: Int64, edge: Int64, listed: Int64, target: Int64?
  ) {
    let memory = memory(offset: offset)
    let here = follower(at: position, Self.waiting, edge: edge, listed: listed)
    #expect(
      here.restored(from: memory)
        == target.map { LiveMove(.seconds($0), .preservesOffset) })
    let other = follower(
      at: position, Self.waiting, edge: edge, listed: listed, preserves: false)
    #expect(other.restored(from: memory) == nil)
  }

  @Test func `without an edge, a listing or a distance there is nowhere to go`() {
    #expect(
      follower(at: 0, Self.waiting, edge: nil).restored(from: memory(offset: 9)) == nil)
    #expect(
      follower(at: 0, Self.waiting, listed: nil).restored(from: memory(offset: 9)) == nil)
    #expect(follower(at: 0, Self.waiting).restored(from: memory(offset: nil)) == nil)
  }

  @Test(
    arguments: [
      // Waits, with news, and nothing loaded there yet.
      (TimeControl.waiting(.toMinimizeStalls), Int64(2), Int64(40), true),
      // What is loaded reaches as far: it is played.
      (.waiting(.toMinimizeStalls), 2, 46, false), (.waiting(.toMinimizeStalls), 2, 50, false),
      (.waiting(.toMinimizeStalls), 2, 45, true),
      // No news since the last look.
      (.waiting(.toMinimizeStalls), 1, 40, false),
      // Who plays, or stands, makes up for nothing.
      (.playing, 2, 40, false), (.paused, 2, 40, false),
      (.waiting(.waitingForCoordinatedPlayback), 2, 40, true),
    ])
  func `while it waits, news of the edge say where it would have been`(
    control: TimeControl, reads: Int64, loaded: Int64, makesUp: Bool
  ) {
    var memory = memory(offset: 20)
    let isNews = memory.takeNews(ofReads: 1)
    #expect(isNews)
    let outcome = follower(at: 40, control, edge: 66, listed: 66, loaded: loaded)
      .look(start: nil, slid: nil, reads: reads, &memory, at: .zero)
    let move = LiveMove(.seconds(46), .preservesOffset)
    #expect(outcome == (makesUp ? .makesUp(move) : .stays))
  }

  @Test func `the distance is taken when waiting begins, at a seek, and anew at a start`() {
    var memory = memory(offset: nil)
    follower(at: 40, .playing).note(in: &memory, at: .zero)
    #expect(memory.offset == nil)
    follower(at: 40, Self.waiting).note(in: &memory, at: .zero)
    #expect(memory.offset == .seconds(20))
    // It waits on, and falls behind: what it was counts.
    follower(at: 40, Self.waiting, edge: 70).note(in: &memory, at: .zero)
    #expect(memory.offset == .seconds(20))
    follower(at: 52, Self.waiting, edge: 70, seekTarget: 52).note(in: &memory, at: .zero)
    #expect(memory.offset == .seconds(18))
    // The same seek once more is none.
    follower(at: 52, Self.waiting, edge: 75, seekTarget: 52).note(in: &memory, at: .zero)
    #expect(memory.offset == .seconds(18))
    follower(at: 52, Self.waiting, edge: 75).note(in: &memory, at: .zero, isNew: true)
    #expect(memory.offset == .seconds(23))
    // It plays, and waits again.
    follower(at: 60, .playing, edge: 80).note(in: &memory, at: .zero)
    follower(at: 61, Self.waiting, edge: 90).note(in: &memory, at: .zero)
    #expect(memory.offset == .seconds(29))
  }

  @Test func `the longest stall is known when it is over, and a start or a seek is none`() {
    var memory = memory(offset: nil)
    func look(_ seconds: Int64, _ control: TimeControl, _ purpose: WaitPurpose) {
      follower(at: 40, control, purpose: purpose).note(in: &memory, at: .seconds(seconds))
    }
    look(0, Self.waiting, .start)
    look(5, .playing, .goOn)
    look(6, Self.waiting, .seek)
    look(9, .playing, .goOn)
    #expect(memory.longestStall == .zero)
    look(10, Self.waiting, .resume)
    look(12, Self.waiting, .resume)
    #expect(memory.longestStall == .zero)
    look(13, .playing, .goOn)
    #expect(memory.longestStall == .seconds(3))
    look(20, Self.waiting, .resume)
    look(22, .playing, .goOn)
    #expect(memory.longestStall == .seconds(3))
    look(30, Self.waiting, .resume)
    // Who is paused in a stall waits for nothing.
    look(37, .paused, .resume)
    #expect(memory.longestStall == .seconds(7))
  }

  // MARK: Faster than the clock

  @Test(
    arguments: [
      // Twelve seconds to go, of which a quarter of a second a second.
      (5, 4, 40, 60, 8, 48_000), (2, 1, 40, 60, 8, 12_000), (3, 2, 40, 60, 8, 24_000),
      (2, 1, 51, 60, 8, 1_000), (101, 100, 51, 60, 8, 100_000),
      // There already, or beyond.
      (2, 1, 52, 60, 8, 0), (2, 1, 58, 60, 8, 0),
      // As fast as the clock, slower, or at rest.
      (1, 1, 40, 60, 8, nil), (4, 5, 40, 60, 8, nil), (0, 1, 40, 60, 8, nil),
      (2, 1, 40, nil, 8, nil),
    ] as [(Int32, Int32, Int64, Int64?, Int64, Int64?)])
  func `a playhead that is faster comes to where the server wants clients to be`(
    numerator: Int32, denominator: Int32, position: Int64, edge: Int64?, recommended: Int64,
    milliseconds: Int64?
  ) {
    let follower = LiveFollower(
      at: .seconds(position), rate: PlaybackRate(numerator, over: denominator), .playing,
      edge: edge.map { .seconds($0) })
    let now = Instant.seconds(100)
    #expect(
      follower.reachesEdge(recommended: .seconds(recommended), at: now)
        == milliseconds.map { now + .milliseconds($0) })
  }
}
