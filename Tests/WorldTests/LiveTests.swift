import PlayerPolicies
import SimulatedWorld
import Testing

/// Live streams through the face of AVPlayer.
@Suite struct LiveTests {
  /// A live stream of one rung on a link that brings eight times its bit rate.
  final class Session {
    let world: World
    let player: SimulatedPlayer
    var notes: [(instant: Instant, observation: PlaybackObservation)] = []

    init(
      _ live: LiveStream = LiveStream(window: .sliding(.seconds(36)), startsWith: .seconds(63)),
      duration: MediaTime = .seconds(600), audio: [LadderAudio] = [],
      partDuration: MediaTime? = nil, fidelity: Fidelity = .fluid, faults: FaultPlan = .none,
      fetch: FetchRule? = nil, rungs: [Int64] = [1_000_000], following policy: CustomPolicy? = nil,
      pipeline: PipelineCosts = .none,
      _ adjust: (inout ItemSettings) -> Void = { _ in }
    ) throws {
      let down = DirectionConditions(
        bandwidth: .limited(.megabitsPerSecond(8)), delay: .milliseconds(20))
      world = try World(
        conditions: LinkConditions(
          downlink: down, uplink: DirectionConditions(delay: .milliseconds(20))),
        fidelity: fidelity, faults: faults)
      var settings = PlayerSettings()
      if let fetch { settings.policy.fetch.ofStreams = fetch }
      settings.pipeline = pipeline
      if let policy {
        player = world.makePlayer(settings, following: policy)
      } else {
        player = world.makePlayer(settings)
      }
      let ladder = LadderDescription(
        rungs: rungs.map { LadderRung(resolution: nil, bitRate: $0) }, audio: audio,
        segmentDuration: .seconds(6), duration: duration, partDuration: partDuration)
      var item = ItemSettings(
        source: .stream(StreamSettings(presentation: try Presentation(ladder), live: live)))
      adjust(&item)
      player.observe { [unowned self] in notes.append(($0.instant, $0.observation)) }
      player.replaceCurrentItem(with: item)
    }

    /// A playlist that came, with its size.
    struct Read {
      var bytes: Int64
      var reading: LiveReading
    }

    /// What each playlist said, in the order in which they came.
    var playlistReads: [Read] {
      var sizes: [TransferID: Int64] = [:]
      return notes.compactMap { note in
        switch note.observation {
        case .resourceRequested(let id, .mediaPlaylist, let bytes, _): sizes[id] = bytes
        case .live(.playlistRead(let id, let reading)):
          return Read(bytes: sizes[id] ?? -1, reading: reading)
        default: break
        }
        return nil
      }
    }

    /// When playlists were read, and whether they had changed.
    var reads: [(instant: Instant, isChanged: Bool)] {
      notes.compactMap {
        guard case .live(.playlistRead(_, let reading)) = $0.observation else { return nil }
        return ($0.instant, reading.isChanged)
      }
    }

    var moves: [MediaTime] {
      notes.compactMap {
        if case .live(.moved(let time, _)) = $0.observation { time } else { nil }
      }
    }

    func requests(_ wanted: ResourceKind) -> [Instant] {
      notes.compactMap {
        if case .resourceRequested(_, wanted, _, _) = $0.observation { $0.instant } else { nil }
      }
    }
  }

  @Test func `nothing is asked for that no playlist has listed`() throws {
    let session = try Session()
    session.player.play()
    session.world.advance(by: .seconds(90))
    var listed = MediaTime.zero
    for (instant, observation) in session.notes {
      switch observation {
      case .live(.playlistRead(_, let reading)): listed = reading.edge
      case .resourceRequested(_, .mediaSegment, _, _):
        // A segment that is asked for was encoded before, and half a round trip ago at least.
        #expect(listed <= .seconds(63) + MediaTime(nanoseconds: instant.nanoseconds))
      default: break
      }
    }
    #expect(session.player.loadedTimeRanges.last.map { $0.upperBound <= listed } == true)
    #expect(session.player.currentItem?.knownDuration == nil)
    #expect(session.world.finish() == [])
  }

  /// Nothing is known of the stream when the app ties it to a timeline: the playlist says where it
  /// begins, where nothing is loaded yet.
  @Test func `a playhead that runs before its playlist is there stops where the stream begins`()
    throws
  {
    let session = try Session(pipeline: PipelineCosts(preroll: .milliseconds(300)))
    session.player.automaticallyWaitsToMinimizeStalling = false
    try session.player.setRate(.normal, time: .zero, atHostTime: session.world.now)
    #expect(session.player.timeControlStatus == .playing)
    session.world.advance(by: .milliseconds(500))
    #expect(session.moves == [.seconds(42)] && session.player.currentTime() == .seconds(42))
    #expect(session.player.timeControlStatus == .paused && session.player.rate == .zero)
    session.world.advance(by: .milliseconds(1_500))
    session.player.play()
    session.world.advance(by: .seconds(1))
    // The media that had filled the buffer was of another place: it takes 0.3 s once more.
    #expect(session.player.currentTime() == .milliseconds(42_700))
    #expect(session.player.books.stallCount == 0 && session.world.finish() == [])
  }

  /// The stream ends at 100 s, which the playlist says at 42 s: by then the playhead is past it.
  @Test(arguments: [70, 140] as [Int64])
  func `a playhead past the end that becomes known jumps back to it`(place: Int64) throws {
    let session = try Session(duration: .seconds(100))
    session.player.automaticallyWaitsToMinimizeStalling = false
    session.player.play()
    session.world.advance(by: .seconds(5))
    try session.player.setRate(.normal, time: .seconds(place), atHostTime: session.world.now)
    session.world.advance(by: .seconds(36))
    #expect(session.player.currentTime() == .seconds(place + 36))
    #expect(session.world.run() == .finished)
    #expect(session.player.currentTime() == .seconds(100))
    let told = session.notes.map(\.observation)
    let jump = try #require(told.firstIndex(of: .timeJumped(.seconds(100))))
    #expect(told[jump + 1] == .playedToEnd(.seconds(100)))
    #expect(session.world.finish() == [])
  }

  @Test func `the access log has the place where playback began after it made up for the wait`()
    throws
  {
    let session = try Session { $0.live.preservesOffset = true }
    session.player.play()
    session.world.advance(by: .seconds(3))
    let starts: [MediaTime] = session.notes.compactMap {
      if case .timebase(_, let time, _) = $0.observation { time } else { nil }
    }
    #expect(session.moves == [.seconds(42)] + starts && starts.count == 1)
    #expect(session.player.accessLog?.events.map(\.playbackStartOffset) == starts)
  }

  @Test func `playlists that have changed are read once a target duration`() throws {
    let session = try Session()
    session.player.play()
    session.world.advance(by: .seconds(120))
    let asked = session.requests(.mediaPlaylist)
    #expect(asked.count == 20)
    #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 == .seconds(6) })
  }

  @Test func `playlists that have not changed are read twice as often`() throws {
    let session = try Session(
      LiveStream(
        window: .sliding(.seconds(36)), startsWith: .seconds(63),
        stops: [EncoderStop(begins: .zero + .seconds(1), span: .seconds(60))]))
    session.player.play()
    session.world.advance(by: .seconds(50))
    let asked = session.requests(.mediaPlaylist)
    let pauses = zip(asked, asked.dropFirst()).map { $1 - $0 }
    #expect(pauses == [.seconds(6)] + Array(repeating: .seconds(3), count: pauses.count - 1))
    #expect(session.reads.map(\.isChanged) == [true] + pauses.map { _ in false })
  }

  @Test func `a seek goes where media can be had`() throws {
    let session = try Session()
    session.player.play()
    session.world.advance(by: .seconds(30))
    let range = try #require(session.player.currentItem?.seekableTimeRanges.first)
    #expect(range == .seconds(48)..<MediaTime.seconds(66))
    // Before it: cancelled, unfinished.
    try session.player.seek(to: .seconds(10))
    guard case .seekCompleted(_, let finished, _)? = session.notes.last?.observation else {
      Issue.record("the seek was not answered")
      return
    }
    #expect(!finished)
    // Behind it: live.
    try session.player.seek(to: .seconds(500))
    #expect(session.player.currentTime() == range.upperBound)
    session.player.seekToLive()
    #expect(session.player.currentTime() == .seconds(66))
    session.world.advance(by: .seconds(5))
    #expect(session.player.timeControlStatus == .playing)
    #expect(session.world.finish() == [])
  }

  /// The last read before the pause says that the stream ends at 66 s.
  @Test(
    arguments: [(15, nil, 66), (90, nil, 144), (90, 500, 144), (90, 130, 130), (90, 100, 126)]
      as [(Int64, Int64?, Int64)])
  func `a seek past the edge of an old playlist ends where a new one says`(
    pause: Int64, target: Int64?, place: Int64
  ) throws {
    let session = try Session()
    session.player.play()
    session.world.advance(by: .seconds(10))
    session.player.pause()
    session.world.advance(by: .seconds(pause))
    if let target {
      try session.player.seek(to: .seconds(target))
    } else {
      session.player.seekToLive()
    }
    let ranges = try #require(session.player.currentItem?.seekableTimeRanges)
    #expect(session.player.core.isSeeking && ranges == [.seconds(30)..<MediaTime.seconds(48)])
    session.world.advance(by: .seconds(2))
    #expect(!session.player.core.isSeeking && session.player.currentTime() == .seconds(place))
    let end = PlaybackObservation.seekCompleted(
      to: .seconds(place), finished: true, inBuffer: false)
    #expect(session.notes.contains { $0.observation == end })
    session.player.play()
    session.world.advance(by: .seconds(3))
    #expect(session.player.currentTime() == .seconds(place + 3))
    #expect(session.world.finish() == [])
  }

  @Test func `what the app configures counts from the end of the playlist`() throws {
    let session = try Session { $0.live.configuredOffset = .seconds(25) }
    session.player.play()
    session.world.advance(by: .seconds(10))
    #expect(session.moves == [.seconds(35)])
    #expect(session.player.currentItem?.settings.live.configuredOffset == .seconds(25))
    #expect(session.player.currentItem?.recommendedOffset == .seconds(18))
    session.player.changeCurrent { $0.live.configuredOffset = .seconds(20) }
    session.player.seekToLive()
    #expect(session.player.currentTime() == .seconds(46))
  }

  @Test func `sound apart has a playlist of its own that is read as well`() throws {
    let session = try Session(audio: [LadderAudio(name: "stereo", bitRate: 64_000)])
    session.player.play()
    session.world.advance(by: .seconds(59))
    #expect(session.requests(.mediaPlaylist).count == 20)
    #expect(session.player.books.stallCount == 0)
    #expect(session.player.timeControlStatus == .playing)
    #expect(session.world.finish() == [])
  }

  @Test(arguments: [Fidelity.fluid, .tcp])
  func `a hinted part is asked for before it is there`(fidelity: Fidelity) throws {
    let session = try Session(
      LiveStream(
        window: .sliding(.seconds(36)), startsWith: .milliseconds(63_500),
        parts: LiveParts(holdBack: .seconds(3))),
      partDuration: .seconds(1), fidelity: fidelity)
    session.player.play()
    session.world.advance(by: .seconds(60))
    #expect(session.player.books.stallCount == 0)
    let offset = try #require(session.player.timeOffsetFromLive)
    #expect(offset >= .seconds(3) && offset < .seconds(5))
    // The answer begins half a round trip after the part is there, never before.
    var asked: [TransferID: Instant] = [:]
    var held = 0
    for (instant, observation) in session.notes {
      switch observation {
      case .resourceRequested(let id, .mediaSegment, _, _): asked[id] = instant
      case .requestResponded(let id):
        guard let asked = asked[id], asked > .zero + .seconds(5) else { continue }
        let since = (instant - Instant.zero - .milliseconds(520)).nanoseconds % 1_000_000_000
        #expect(since < 60_000_000, "\(instant)")
        if instant - asked > .milliseconds(500) { held += 1 }
      default: break
      }
    }
    #expect(held > 50)
    #expect(session.world.finish() == [])
  }

  @Test func `a player that sleeps counts from when each part filled its buffer`() throws {
    let session = try Session(
      LiveStream(
        window: .sliding(.seconds(36)), startsWith: .milliseconds(63_500),
        parts: LiveParts(holdBack: .seconds(5))),
      partDuration: .seconds(1), fetch: FetchRule(media: .seconds(2), sleeps: .milliseconds(300)))
    session.player.play()
    session.world.advance(by: .seconds(40))
    // A part of 125,000 bytes takes 125 ms and a round trip of 40 ms; then the player sleeps.
    let asked = session.requests(.mediaSegment).filter { $0 > .zero + .seconds(5) }
    #expect(asked.count > 25)
    for (part, next) in zip(asked, asked.dropFirst()) {
      #expect((next - part - .milliseconds(165)).nanoseconds % 300_000_000 == 0)
    }
    #expect(session.player.books.stallCount == 0)
  }

  @Test func `an ended stream has a duration and comes to rest`() throws {
    let session = try Session(duration: .seconds(100))
    session.player.play()
    #expect(session.world.run() == .finished)
    #expect(session.player.currentItem?.knownDuration == .seconds(100))
    #expect(session.player.currentTime() == .seconds(100))
    #expect(session.player.books.stallCount == 0)
    #expect(session.player.timeControlStatus == .paused)
  }
}
