import PlayerPolicies
import SimulatedWorld
import StreamingMedia
import TestSupport
import Testing

/// A stream that plays undisturbed is looked at less where nobody reads what is said of its buffer:
/// everything else of the run is as it is where somebody does.
@Suite struct UndisturbedPlaybackTests {
  /// A call of an app at a second of a session, beside letting it play.
  struct Call: Sendable {
    var second: Int64
    var call: @Sendable (SimulatedQueuePlayer) throws -> Void

    init(_ second: Int64, _ call: @escaping @Sendable (SimulatedQueuePlayer) throws -> Void) {
      (self.second, self.call) = (second, call)
    }
  }

  private static func presentation(audio: Bool) throws -> Presentation {
    try Presentation(
      LadderDescription(
        rungs: [400_000, 900_000, 2_000_000].map { LadderRung(resolution: nil, bitRate: $0) },
        audio: audio ? [LadderAudio(name: "stereo", bitRate: 96_000)] : [],
        segmentDuration: .seconds(4), duration: .seconds(100)))
  }

  private static func item(audio: Bool, live: LiveStream? = nil) throws -> ItemSettings {
    ItemSettings(
      source: .stream(StreamSettings(presentation: try presentation(audio: audio), live: live)))
  }

  private static let scripts: [[Call]] = [
    [],
    [
      Call(7) { try $0.seek(to: .seconds(60)) }, Call(20) { $0.pause() }, Call(24) { $0.play() },
      Call(25) { $0.rate = PlaybackRate(2) }, Call(31) { try $0.seek(to: .seconds(3)) },
    ],
    [
      Call(5) { try $0.insert([SimulatedPlayerItem(item(audio: false))]) },
      Call(40) { $0.advanceToNextItem() },
      Call(60) { $0.rebuildPipeline(for: .seconds(1)) },
    ],
    [
      Call(6) { $0.changeCurrent { $0.forwardPlaybackEndTime = .seconds(30) } },
      Call(12) { $0.changeCurrent { $0.source.constrain { $0.preferredPeakBitRate = 500_000 } } },
      Call(22) { $0.changeCurrent { $0.forwardPlaybackEndTime = nil } },
      Call(44) { $0.loadValues(of: Bench.file) },
    ],
    [
      Call(9) { try $0.setActionAtItemEnd(.none) },
      Call(10) { try $0.setSuspended(true, by: .interstitialEvent) },
      Call(16) { try $0.setSuspended(false, by: .interstitialEvent) },
      Call(30) { $0.automaticallyWaitsToMinimizeStalling = false },
      Call(33) { try $0.setRate(.normal, time: .seconds(50), atHostTime: $0.world.now) },
      Call(41) { try $0.seek(to: .seconds(95)) },
    ],
  ]

  private enum Bench {
    static let file = ItemSettings(
      source: .progressive(
        MediaFile(duration: .seconds(20), bitRate: .megabitsPerSecond(1))))
  }

  /// The records of a run without those of the buffer while it plays, and its figures.
  private func told(
    _ script: [Call], _ policy: PolicyDescription, _ fidelity: Fidelity, audio: Bool,
    faults: [FaultRule] = [], live: LiveStream? = nil, showsReadiness: Bool,
    neighbourAt second: Int64? = nil
  ) throws -> (records: [PlaybackRecord], books: PlayerBooks) {
    let steps = [(11, 3_000), (9, 500), (6, 0), (13, 1_500), (4, 300), (20, 6_000)].map {
      RateSchedule.Step(
        duration: .seconds($0.0), bandwidth: .limited(.kilobitsPerSecond(Int64($0.1))))
    }
    let delay = DirectionConditions(delay: .milliseconds(20))
    let world = try World(
      conditions: LinkConditions(downlink: delay, uplink: delay),
      schedule: try RateSchedule(steps: steps, ending: .loops), fidelity: fidelity,
      limits: RunLimits(horizon: .zero + .seconds(400)), faults: FaultPlan(faults))
    world.showsReadiness = showsReadiness
    var settings = PlayerSettings()
    settings.policy = policy
    let player = world.makeQueuePlayer(settings)
    var records: [PlaybackRecord] = []
    player.observe { record in
      switch record.observation {
      case .likelyToKeepUp, .forecast: break
      default: records.append(record)
      }
    }
    try player.insert([SimulatedPlayerItem(Self.item(audio: audio, live: live))])
    player.play()
    var neighbour: SimulatedPlayer?
    if let second { world.at(.zero + .milliseconds(second)) { neighbour = world.makePlayer() } }
    for call in script {
      world.advance(to: .zero + .seconds(call.second))
      if player.currentItem != nil { try call.call(player) }
    }
    world.advance(by: .seconds(200))
    #expect((neighbour != nil) == (second != nil))
    #expect(world.finish() == [])
    return (records, player.books)
  }

  private func expectSame(
    _ script: [Call], _ policy: PolicyDescription, _ fidelity: Fidelity = .fluid, audio: Bool,
    faults: [FaultRule] = [], live: LiveStream? = nil,
    at place: SourceLocation = #_sourceLocation
  ) throws {
    let shown = try told(
      script, policy, fidelity, audio: audio, faults: faults, live: live, showsReadiness: true)
    let hidden = try told(
      script, policy, fidelity, audio: audio, faults: faults, live: live, showsReadiness: false)
    let first = zip(shown.records, hidden.records).first { $0 != $1 }
    #expect(first == nil, sourceLocation: place)
    #expect(shown.records.count == hidden.records.count, sourceLocation: place)
    #expect(shown.books == hidden.books, sourceLocation: place)
    #expect(shown.records.count > 60, sourceLocation: place)
  }

  @Test(arguments: 0..<5, [true, false])
  func `whatever the app does comes to the same`(script: Int, audio: Bool) throws {
    try expectSame(
      Self.scripts[script], PolicyPreset.avfoundation.description, audio: audio)
  }

  @Test(arguments: Seeds.cases(of: PolicyPreset.all, few: 4))
  func `whatever the policy is it comes to the same`(preset: PolicyPreset) throws {
    try expectSame(Self.scripts[1], preset.description, audio: true)
  }

  @Test func `in packets, in trouble and live it comes to the same`() throws {
    let policy = PolicyPreset.avfoundation.description
    try expectSame(Self.scripts[1], policy, .tcp, audio: true)
    try expectSame(
      Self.scripts[0], policy, audio: true,
      faults: [
        FaultRule(.status(503), numbers: 9...10, label: LabelPattern("mediaSegment")),
        FaultRule(.stall(afterBytes: 9_000), numbers: 20...20, label: LabelPattern("mediaSegment")),
      ])
    try expectSame(
      Self.scripts[0], policy, audio: false,
      live: LiveStream(window: .sliding(.seconds(24)), startsWith: .seconds(40)))
    try expectSame(
      Self.scripts[0], policy, audio: true,
      faults: [FaultRule(.status(410), numbers: 24...99, label: LabelPattern("mediaSegment"))])
  }

  /// A single player is asked when it is due, several have wake-ups of their own.
  @Test(arguments: 0..<5, [Fidelity.fluid, .tcp])
  func `beside a player without an item it comes to the same`(
    script: Int, fidelity: Fidelity
  ) throws {
    let policy = PolicyPreset.avfoundation.description
    func told(_ second: Int64?) throws -> (records: [PlaybackRecord], books: PlayerBooks) {
      try self.told(
        Self.scripts[script], policy, fidelity, audio: true, showsReadiness: false,
        neighbourAt: second)
    }
    let alone = try told(nil)
    for second in [0, 3_217, 30_000] as [Int64] {
      let beside = try told(second)
      #expect(alone.records == beside.records && alone.books == beside.books)
    }
    #expect(alone.records.count > 60)
  }

  @Test func `an idle world passes any span`() throws {
    let world = try World()
    world.advance(to: .distantFuture)
    #expect(world.now == .distantFuture)
  }
}
