import SimulatedWorld
import Testing

/// A player that asks for what the server has no more.
@Suite struct LostSegmentTests {
  typealias Session = LiveTests.Session

  /// A viewer at the beginning of a window of a minute.
  private func session(
    keeps: TimeSpan?, faults: FaultPlan = .none, audio: [LadderAudio] = [],
    rungs: [Int64] = [1_000_000], following policy: CustomPolicy? = nil
  ) throws -> Session {
    var live = LiveStream(window: .sliding(.seconds(60)), startsWith: .seconds(123))
    live.keepsRemovedSegments = keeps
    return try Session(
      live, duration: .seconds(3_600), audio: audio, faults: faults, rungs: rungs,
      following: policy
    ) { item in
      item.live.configuredOffset = .seconds(58)
      item.preferredForwardBufferDuration = .seconds(6)
    }
  }

  /// Pauses for half a minute, and skips to what has left the playlist after a third of that.
  private func skipAfterPause(_ session: Session) throws {
    session.player.play()
    session.world.advance(by: .seconds(20))
    session.player.pause()
    session.world.advance(by: .seconds(30))
    session.player.play()
    try session.player.seek(to: .seconds(95))
  }

  private func errors(_ session: Session) -> [(instant: Instant, code: Int64)] {
    session.notes.compactMap { note in
      guard case .errorLogged(let error) = note.observation else { return nil }
      return (note.instant, error.statusCode)
    }
  }

  @Test(arguments: [nil, TimeSpan.seconds(18), .seconds(16)])
  func `a server that keeps it long enough brings it`(keeps: TimeSpan?) throws {
    // It leaves when there are 156 s of media, which is at 33 s; it is asked for at 50 s.
    let session = try session(keeps: keeps)
    try skipAfterPause(session)
    let skipped = session.world.now
    session.world.advance(by: .seconds(10))
    let isGone = keeps == .seconds(16)
    #expect(errors(session).map(\.code) == (isGone ? [-12938] : []))
    #expect(session.player.core.errorLog()?.events.first?.comment == (isGone ? notFound : nil))
    // The window of the playlist read then is [108, 168); it plays 58 s from its end.
    #expect(session.moves == [.seconds(62), .seconds(110)])
    let moved = session.notes.filter {
      if case .live(.moved) = $0.observation { true } else { false }
    }
    let wait = try #require(moved.last).instant - skipped
    #expect(isGone ? wait < .milliseconds(100) : wait > .seconds(1))
    #expect(session.player.timeControlStatus == .playing)
    #expect(session.world.finish() == [])
  }

  private let notFound = "HTTP 404: file not found"

  @Test func `nothing of a list is asked for until its playlist has been read`() throws {
    let session = try session(keeps: .zero)
    try skipAfterPause(session)
    session.world.advance(by: .seconds(10))
    var (isDoubtful, hasBeen) = (false, false)
    for note in session.notes {
      switch note.observation {
      case .errorLogged: (isDoubtful, hasBeen) = (true, true)
      case .live(.playlistRead): isDoubtful = false
      case .resourceRequested(_, .mediaSegment, _, _): #expect(!isDoubtful)
      default: break
      }
    }
    #expect(hasBeen)
  }

  @Test func `sound that is gone as well is one error more`() throws {
    let session = try session(
      keeps: .zero, audio: [LadderAudio(name: "stereo", bitRate: 64_000)])
    try skipAfterPause(session)
    session.world.advance(by: .seconds(10))
    #expect(errors(session).map(\.code) == [-12938, -12938])
    #expect(session.moves == [.seconds(62), .seconds(110)])
    #expect(session.player.timeControlStatus == .playing)
    #expect(session.world.finish() == [])
  }

  @Test func `what is not found the second time is missing for another reason`() throws {
    let session = try session(
      keeps: nil,
      faults: FaultPlan([
        FaultRule(.status(404), numbers: 1...2, label: LabelPattern("mediaSegment"))
      ]))
    session.player.play()
    session.world.advance(by: .seconds(30))
    let asked = session.requests(.mediaSegment)
    let reads = session.reads.map(\.instant)
    // The first time the playlist is read again when that is due; the second time a retry follows.
    #expect(asked.count > 3 && errors(session).count == 2)
    #expect(asked[1] == reads[1] && asked[1] - asked[0] > .seconds(5))
    #expect(asked[2] - errors(session)[1].instant == .seconds(1))
    #expect(session.world.finish() == [])
  }

  /// A policy that gives the lost segment up, once, before the answer says that it is lost.
  @Test func `of a segment that is gone no byte is asked for, and none is given up`() throws {
    nonisolated(unsafe) var isHasty = true
    let policy = CustomPolicy(
      name: "hasty",
      abandon: { question, _ in
        if question.request.segment != 15 || !isHasty { return .decided(.goOn) }
        isHasty = false
        return .decided(.giveUp(for: question.request.variant))
      })
    let session = try session(keeps: .zero, rungs: [1_000_000, 500_000], following: policy)
    try skipAfterPause(session)
    session.world.advance(by: .seconds(1))
    var (asked, given): ([Int64], [Int64]) = ([], [])
    for note in session.notes {
      switch note.observation {
      case .resourceRequested(_, .mediaSegment, let bytes, let origin)
      where origin.media?.lowerBound == .seconds(90):
        asked.append(bytes)
      case .segmentAbandoned(_, let bytes, let whole, _): given += [bytes, whole]
      default: break
      }
    }
    #expect(asked == [0, 0] && given == [0, 0])
    #expect(errors(session).map(\.code) == [-12938])
    #expect(session.world.finish() == [])
  }

  /// Segments of a playlist may be gone when it is older than its window: an item of a stream that
  /// was read before reads it again first.
  @Test(arguments: [(36_000_000_000, true), (36_000_000_001, false)] as [(Int64, Bool)])
  func `a playlist that was read before is gone by for as long as its window is`(
    age: Int64, isGoneBy: Bool
  ) throws {
    let world = try World(
      conditions: LinkConditions(downlink: DirectionConditions(delay: .milliseconds(50))))
    let player = world.makePlayer()
    var (reads, moved): ([Instant], Instant?) = ([], nil)
    player.observe { record in
      switch record.observation {
      case .resourceRequested(_, .mediaPlaylist, _, _): reads.append(record.instant)
      case .live(.moved): moved = record.instant
      default: break
      }
    }
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 1_000_000)], segmentDuration: .seconds(6),
      duration: .seconds(600))
    let live = LiveStream(window: .sliding(.seconds(36)), startsWith: .seconds(63))
    var settings = ItemSettings(
      source: .stream(StreamSettings(presentation: try Presentation(ladder), live: live)),
      asset: world.makeAsset())
    settings.live.usesNetworkWhilePaused = true
    player.replaceCurrentItem(with: settings)
    world.advance(by: .seconds(3))
    player.replaceCurrentItem(with: nil)
    #expect(reads.count == 1 && moved != nil)
    world.advance(to: reads[0] + TimeSpan(nanoseconds: age))
    moved = nil
    player.replaceCurrentItem(with: settings)
    let again = world.now
    #expect(reads.count == 2 && reads.last == again)
    world.advance(by: .seconds(1))
    #expect(moved == again + (isGoneBy ? .zero : .milliseconds(50)))
    #expect(world.finish() == [])
  }

  @Test func `no answer comes through an outage`() throws {
    let session = try session(keeps: .zero)
    try skipAfterPause(session)
    var down = DirectionConditions(bandwidth: .limited(.zero), delay: .milliseconds(20))
    let up = DirectionConditions(delay: .milliseconds(20))
    try session.world.setConditions(LinkConditions(downlink: down, uplink: up))
    session.world.advance(by: .seconds(9))
    #expect(errors(session).isEmpty)
    down.bandwidth = .limited(.megabitsPerSecond(8))
    try session.world.setConditions(LinkConditions(downlink: down, uplink: up))
    session.world.advance(by: .seconds(9))
    // The playlist that comes after it is as old as the outage is long.
    #expect(errors(session).map(\.code) == [-12938, -12938])
    #expect(session.player.timeControlStatus == .playing)
    #expect(session.world.finish() == [])
  }
}
