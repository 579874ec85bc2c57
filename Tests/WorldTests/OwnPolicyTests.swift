import PlayerPolicies
import SimulatedWorld
import StreamingMedia
import Testing

/// Policies of an app's own, made of closures.
@Suite struct OwnPolicyTests {
  /// Starts when so much is ahead, and goes on with so much after a stall.
  private static func marks(_ start: MediaTime, _ resume: MediaTime) -> CustomPolicy {
    CustomPolicy(
      name: "marks", start: { question, _ in .decided(question.snapshot.ahead >= start) },
      resume: { question, _ in .decided(question.snapshot.ahead >= resume) })
  }

  private func world(
    kilobits: Int64, _ fidelity: Fidelity = .fluid, delay: TimeSpan = .zero
  ) throws -> World {
    let direction = DirectionConditions(
      bandwidth: .limited(.kilobitsPerSecond(kilobits)), delay: delay)
    return try World(
      conditions: LinkConditions(downlink: direction, uplink: direction), fidelity: fidelity)
  }

  private func play(_ player: SimulatedPlayer, seconds: Int64, kilobits: Int64) {
    let clip = MediaFile(duration: .seconds(seconds), bitRate: .kilobitsPerSecond(kilobits))
    player.replaceCurrentItem(with: ItemSettings(source: .progressive(clip)))
    player.play()
  }

  /// Of a link that brings a share of a second each second: a mark is reached after the mark over
  /// the share, and seen at the next look.
  @Test(
    arguments: [
      (1_600, 2_000, 2, 2_500), (1_600, 2_000, 3, 3_750), (1_000, 2_000, 1, 2_000),
      (3_000, 1_000, 9, 3_000), (500, 1_000, 4, 8_000), (800, 1_000, 8, 10_000),
      (700, 700, 5, 5_000), (900, 1_000, 1, 1_250), (2_500, 5_000, 6, 12_000),
      (10_000, 1_000, 19, 2_000), (1_100, 2_200, 2, 4_000),
    ] as [(Int64, Int64, Int64, Int64)])
  func `playback starts at the first look at which the closure says so`(
    link: Int64, media: Int64, mark: Int64, expected: Int64
  ) throws {
    let world = try world(kilobits: link)
    let player = world.makePlayer(following: Self.marks(.seconds(mark), .seconds(mark)))
    play(player, seconds: 20, kilobits: media)
    #expect(world.run() == .finished)
    let late = player.books.startup - .milliseconds(expected)
    #expect(late >= .zero && late < .milliseconds(1), "\(late)")
  }

  @Test func `a closure is told whether media is here, in a file or in segments`() throws {
    // Longer than all of it can be there, which ends a wait by itself.
    let file = MediaFile(duration: .seconds(600), bitRate: .megabitsPerSecond(1))
    let stream = StreamSettings(presentation: try StreamTests.ladder(duration: .seconds(600)))
    let sources: [(MediaSource, SourceKind)] = [
      (.local(file), .local), (.progressive(file), .progressive), (.stream(stream), .segmented),
    ]
    for (source, kind) in sources {
      let world = try world(kilobits: 9_000)
      let policy = CustomPolicy(
        name: "kinds", start: { question, _ in .decided(question.snapshot.source == kind) })
      let player = world.makePlayer(following: policy)
      player.replaceCurrentItem(with: ItemSettings(source: source))
      player.play()
      world.advance(by: .seconds(3))
      #expect(player.timeControlStatus == .playing, "\(kind)")
    }
  }

  @Test func `in packets a mark is seen with the packet that reaches it`() throws {
    for (kilobits, mark) in [(1_600, 2), (800, 3), (3_000, 5), (1_200, 1)] as [(Int64, Int64)] {
      let world = try world(kilobits: kilobits, .tcp, delay: .milliseconds(20))
      let player = world.makePlayer(following: Self.marks(.seconds(mark), .seconds(mark)))
      play(player, seconds: 20, kilobits: 1_000)
      while player.timebaseRate == .zero, world.now < .zero + .seconds(60) {
        world.advance(by: .milliseconds(1))
      }
      let ahead = (player.loadedTimeRanges.last?.upperBound ?? .zero) - player.currentTime()
      #expect(ahead >= .seconds(mark) - .milliseconds(2))
      #expect(ahead < .seconds(mark) + .milliseconds(250), "\(kilobits) \(ahead)")
    }
  }

  @Test func `what nothing in a policy is for is decided as AVPlayer does`() throws {
    let own = try world(kilobits: 1_600)
    let player = own.makePlayer(following: CustomPolicy(name: "nothing"))
    let other = try world(kilobits: 1_600)
    let usual = other.makePlayer()
    for player in [player, usual] { play(player, seconds: 20, kilobits: 2_000) }
    #expect(own.run() == other.run())
    #expect(player.books == usual.books)
  }

  @Test func `a policy is found by its name, and a name that nobody knows is an error`() throws {
    let world = try world(kilobits: 1_600)
    let policy = Self.marks(.seconds(2), .seconds(4))
    world.policies.register(policy)
    var settings = PlayerSettings()
    for seat in policy.seats { try settings.policy.fill(seat, with: "marks") }
    let player = world.makePlayer(settings)
    play(player, seconds: 30, kilobits: 2_000)
    #expect(world.run() == .finished)
    #expect(player.books.stallCount == 1)
    for seat in policy.seats { try settings.policy.fill(seat, with: "mark") }
    #expect(throws: PolicyProblem.unknownName("mark", known: ["marks"])) {
      _ = try Policy(settings.policy, with: world.policies)
    }
    #expect(
      PolicyProblem.unknownName("mark", known: ["marks", "other"]).description
        == "no policy is registered as “mark”; registered: “marks”, “other”")
  }

  @Test func `each player keeps the policy that was registered when it was made`() throws {
    let world = try world(kilobits: 3_200)
    let soon = world.makePlayer(following: Self.marks(.seconds(1), .seconds(1)))
    let late = world.makePlayer(following: Self.marks(.seconds(4), .seconds(4)))
    for player in [soon, late] { play(player, seconds: 20, kilobits: 2_000) }
    #expect(world.run() == .finished)
    #expect(soon.books.startup < .seconds(2) && late.books.startup >= .seconds(5))
  }

  @Test func `with everything there nobody is asked, and a run that says no for ever ends`() throws
  {
    let world = try world(kilobits: 4_000)
    let player = world.makePlayer(
      following: CustomPolicy(name: "never", start: { _, _ in .decided(false) }))
    play(player, seconds: 8, kilobits: 1_000)
    #expect(world.run() == .finished)
    // Two seconds bring everything.
    #expect(player.books.startup == .seconds(2))
    #expect(player.books.stallCount == 0)
  }

  @Test func `a closure that says when is asked then`() throws {
    let world = try world(kilobits: 1_600)
    let player = world.makePlayer(
      following: CustomPolicy(
        name: "clock",
        start: { question, _ in
          let wanted = Instant.zero + .milliseconds(3_333)
          let now = question.snapshot.now
          return .decided(now >= wanted, changesAt: now < wanted ? wanted : .distantFuture)
        }))
    play(player, seconds: 8, kilobits: 2_000)
    #expect(world.run() == .finished)
    #expect(player.books.startup == .milliseconds(3_333))
  }

  /// Six segments of four seconds but the last, of two: of 50,000 bytes for each 100 kbit/s.
  @Test(
    arguments: [
      (100, .fluid), (300, .fluid), (800, .fluid), (1_700, .fluid), (2_500, .fluid),
      (12_345, .fluid), (999, .fluid), (40, .tcp), (6, .tcp), (64, .tcp), (100, .tcp),
    ] as [(Int64, Fidelity)])
  func `a rule that is told true sizes is told of the first segment as of the others`(
    kilobits: Int64, fidelity: Fidelity
  ) throws {
    final class Heard: @unchecked Sendable { var rungs: Set<[Int64]> = [] }
    let heard = Heard()
    let world = try world(kilobits: 5 * kilobits, fidelity, delay: .milliseconds(15))
    var settings = PlayerSettings()
    settings.policy.choice.sizes = .exact
    let player = world.makePlayer(
      settings,
      following: CustomPolicy(
        name: "curious",
        nextVariant: { question, _ in
          for rung in question.ladder.rungs { heard.rungs.insert(rung.bytes) }
          return .decided(.stay)
        }))
    let ladder = LadderDescription(
      rungs: [1, 2].map { LadderRung(resolution: nil, bitRate: $0 * kilobits * 1_000) },
      segmentDuration: .seconds(4), duration: .seconds(22))
    player.replaceCurrentItem(
      with: ItemSettings(
        source: .stream(StreamSettings(presentation: try Presentation(ladder)))))
    player.play()
    #expect(world.run() == .finished)
    let boundaries: [Int64] = [0, 4, 8, 12, 16, 20, 22]
    #expect(
      heard.rungs == [
        boundaries.map { $0 * kilobits * 125 }, boundaries.map { $0 * kilobits * 250 },
      ])
  }

  // MARK: Declared stalls

  /// Starts with a mark ahead, goes on with it, and stops below another.
  private static func stopping(
    _ mark: MediaTime, when stops: @escaping @Sendable (MediaTime) -> Bool
  ) -> CustomPolicy {
    var policy = marks(mark, mark)
    policy.stall = { snapshot, _ in .decided(stops(snapshot.ahead)) }
    return policy
  }

  private func firstStall(_ world: World, of player: SimulatedPlayer) -> Instant? {
    var stalled: Instant?
    player.observe { record in
      if case .stalled = record.observation { stalled = stalled ?? record.instant }
    }
    _ = world.run { stalled != nil }
    return stalled
  }

  // What the link brings of a second each second is what the buffer does not lose.
  @Test(
    arguments: [
      (1_000, 2_000, 5, 3, 14_000), (1_600, 2_000, 2, 1, 7_500), (500, 1_000, 4, 1, 14_000),
      (1_500, 2_000, 3, 1, 12_000),
    ] as [(Int64, Int64, Int64, Int64, Int64)])
  func `a stall is declared at the first look at which the closure says so`(
    link: Int64, media: Int64, mark: Int64, low: Int64, expected: Int64
  ) throws {
    let world = try world(kilobits: link)
    let player = world.makePlayer(
      following: Self.stopping(.seconds(mark)) { $0 < .seconds(low) })
    play(player, seconds: 40, kilobits: media)
    let stalled = try #require(firstStall(world, of: player))
    let late = stalled - Instant.zero - TimeSpan.milliseconds(expected)
    #expect(late > .zero && late <= .milliseconds(250), "\(late)")
  }

  /// Segments of four seconds take eight: with eight ahead after sixteen, three are left after five
  /// more, between two segments.
  @Test(arguments: [Fidelity.fluid, .tcp])
  func `a stall of a stream is declared between two segments as well`(fidelity: Fidelity) throws {
    let world = try world(kilobits: 1_000, fidelity, delay: .milliseconds(1))
    let player = world.makePlayer(following: Self.stopping(.seconds(8)) { $0 < .seconds(3) })
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 2_000_000)], segmentDuration: .seconds(4),
      duration: .seconds(40))
    player.replaceCurrentItem(
      with: ItemSettings(source: .stream(StreamSettings(presentation: try Presentation(ladder)))))
    player.play()
    let began = Watched()
    player.observe { record in
      if case .timebase(let rate, _, _) = record.observation, !rate.isZero {
        began.instant = began.instant ?? record.instant
      }
    }
    let stalled = try #require(firstStall(world, of: player))
    let start = try #require(began.instant)
    let late = stalled - start - TimeSpan.seconds(5)
    #expect(late > .zero && late <= .milliseconds(250), "\(late)")
  }

  private final class Watched {
    var instant: Instant?
  }

  // A player that has begun plays a frame of 40 ms before it stops.
  @Test(arguments: [Fidelity.fluid, .tcp])
  func `a closure that always declares a stall stalls once a frame at most`(
    fidelity: Fidelity
  ) throws {
    let world = try world(kilobits: 1_600, fidelity, delay: .milliseconds(1))
    let player = world.makePlayer(following: Self.stopping(.seconds(1)) { _ in true })
    play(player, seconds: 20, kilobits: 2_000)
    #expect(world.run() == .finished)
    #expect(player.books.played == .seconds(20))
    #expect(player.books.stallCount > 1 && player.books.stallCount <= 20_000 / 40)
    #expect(world.finish() == [])
  }
}
