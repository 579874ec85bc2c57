import SimulatedWorld
import StreamingMedia

/// One run over packets, held against the best start that its own arrivals would have allowed.
struct PacketStart: CustomStringConvertible {
  /// A limited link, in kbit/s and milliseconds.
  struct Profile {
    var name: String
    var down: Int64
    var up: Int64
    var delays: (down: Int64, up: Int64)
    /// Each way, in thousandths.
    var loss: Int64 = 0
    /// In packets, each way.
    var queue: Int32 = 100
  }

  var profile: Profile
  /// In percent of the link's rate.
  var percent: Int64
  /// In milliseconds.
  var duration: Int64
  /// In milliseconds; nil for a file.
  var segment: Int64?
  /// What the connection carries before, in milliseconds of the link's rate; zero for a cold one.
  var warmth: Int64
  /// From when the item is there until play, in milliseconds.
  var offset: Int64
  var seed: UInt64
  /// What chance decides in the run, which is another in each.
  private var chance: UInt64

  static let profiles = [
    Profile(name: "3G", down: 780, up: 330, delays: (100, 100)),
    Profile(name: "3G Good", down: 850, up: 420, delays: (90, 100)),
    Profile(name: "Edge", down: 240, up: 200, delays: (400, 440)),
    Profile(name: "Edge Good", down: 250, up: 200, delays: (350, 370)),
    Profile(name: "DSL", down: 2_000, up: 256, delays: (5, 5)),
    Profile(name: "Cable", down: 6_000, up: 1_000, delays: (2, 2)),
    Profile(name: "LTE", down: 50_000, up: 10_000, delays: (50, 65)),
    Profile(name: "Wi-Fi", down: 40_000, up: 33_000, delays: (1, 1)),
  ]

  /// Draws what a profile and a share leave open.
  init(_ profile: Profile, percent: Int64, ofStream: Bool, longest: Int64, seed: UInt64) {
    var random = RandomStream(
      seed: seed, name: "\(profile.name) \(profile.loss) \(percent) \(ofStream)")
    self.profile = profile
    self.percent = percent
    self.seed = seed
    duration = random.next(in: 30_000...longest)
    segment = ofStream ? random.next(in: 1_000...10_000) : nil
    warmth = random.next(in: 0...1) == 0 ? 0 : random.next(in: 1_000...15_000)
    offset = random.next(in: 0...1) == 0 ? 0 : random.next(in: 0...2_000)
    chance = UInt64(random.next(in: 0...1_000_000_000))
  }

  /// A file that is played at once over a new connection.
  init(_ profile: Profile, percent: Int64, duration: Int64) {
    (self.profile, self.percent, self.duration) = (profile, percent, duration)
    (segment, warmth, offset, seed, chance) = (nil, 0, 0, 0, 0)
  }

  var description: String {
    let kind = segment.map { "stream of \($0) ms" } ?? "file"
    return "\(profile.name)\(profile.loss > 0 ? " lossy" : ""), \(kind), \(percent) %, "
      + "\(duration) ms, warm \(warmth), offset \(offset), seed \(seed)"
  }

  private var bitRate: BitRate { .bitsPerSecond(profile.down * 10 * percent) }

  // MARK: The run

  /// What came of a run, in nanoseconds since play.
  struct Outcome {
    /// Nil where playback never began.
    var start: Int64?
    var oracle = PacketOracle()
    var stalls = 0
    /// How often `likelyToKeepUp` changed, and in how many seconds.
    var changes = 0
    var seconds: Int64 = 0

    /// At most 1.15 times the best, and two seconds.
    var isLate: Bool {
      guard let best = oracle.best else { return false }
      return start.map { $0 > PacketOracle.latest(for: best) } ?? true
    }

    /// Whether somebody who had waited as long as is allowed would have got through.
    var isAvoidable: Bool { stalls > 0 && oracle.best != nil && !oracle.isUnforeseeable }
  }

  func play() throws -> Outcome {
    let world = try World(conditions: link, fidelity: .tcp, seed: chance)
    let player = world.makePlayer()
    if warmth > 0 {
      let file = MediaFile(
        duration: .milliseconds(warmth), bitRate: .kilobitsPerSecond(profile.down))
      player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
      _ = world.run { player.core.isPlaybackBufferFull }
    }
    let arrivals = Arrivals()
    player.observe { arrivals.take($0) }
    player.replaceCurrentItem(with: ItemSettings(source: try source()))
    world.advance(by: .milliseconds(offset))
    arrivals.tap = world.now
    player.play()
    var oracle = PacketOracle()
    if segment == nil {
      oracle = PacketOracle(edges: arrivals.edges(world, player, duration), duration: duration)
    }
    _ = world.run { arrivals.isOver }
    if let segment {
      oracle = PacketOracle(
        requested: arrivals.requested, arrived: arrivals.arrived, segment: segment,
        duration: duration)
    }
    var outcome = arrivals.outcome
    outcome.oracle = oracle
    outcome.seconds = (world.now - arrivals.tap).nanoseconds / 1_000_000_000
    return outcome
  }

  private var link: LinkConditions {
    let loss = LossRatio(profile.loss, over: 1_000)
    return LinkConditions(
      downlink: DirectionConditions(
        bandwidth: .limited(.kilobitsPerSecond(profile.down)),
        delay: .milliseconds(profile.delays.down), loss: loss, queuePackets: profile.queue),
      uplink: DirectionConditions(
        bandwidth: .limited(.kilobitsPerSecond(profile.up)),
        delay: .milliseconds(profile.delays.up), loss: loss, queuePackets: profile.queue))
  }

  private func source() throws -> MediaSource {
    let bits = profile.down * 10 * percent
    guard let segment else {
      return .progressive(
        MediaFile(duration: .milliseconds(duration), bitRate: .bitsPerSecond(bits)))
    }
    let presentation = try Presentation(
      LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: bits)],
        segmentDuration: .milliseconds(segment), duration: .milliseconds(duration)))
    return .stream(
      StreamSettings(presentation: presentation, initialRule: .firstEligible, adaptation: .fixed))
  }
}

/// What a run asked for and what came, as an observer sees it, in nanoseconds since play.
private final class Arrivals {
  var tap = Instant.zero
  var outcome = PacketStart.Outcome()
  var isOver = false
  /// Of segments, in the order in which they were asked for.
  var requested: [Int64] { requests.map { ($0 - tap).nanoseconds } }
  var arrived: [Int64] { ends.map { ($0 - tap).nanoseconds } }
  private var requests: [Instant] = []
  private var ends: [Instant] = []
  private var segments: Set<TransferID> = []

  func take(_ record: PlaybackRecord) {
    switch record.observation {
    case .resourceRequested(let id, .mediaSegment, _, _):
      segments.insert(id)
      requests.append(record.instant)
    case .requestCompleted(let id, _):
      if segments.contains(id) { ends.append(record.instant) }
    case .timeControl(.playing, _, _):
      if outcome.start == nil { outcome.start = (record.instant - tap).nanoseconds }
    case .stalled: outcome.stalls += 1
    case .likelyToKeepUp: outcome.changes += 1
    case .playedToEnd: isOver = true
    default: break
    }
  }

  /// Reads the loaded edge of a file 50 times a second, until all of it is there.
  func edges(
    _ world: World, _ player: SimulatedPlayer, _ duration: Int64
  ) -> [(time: Int64, edge: Int64)] {
    var edges: [(time: Int64, edge: Int64)] = []
    while world.now < tap + .seconds(3_600) {
      let edge = player.loadedTimeRanges.first?.upperBound ?? .zero
      edges.append(((world.now - tap).nanoseconds, edge.nanoseconds))
      if edge >= .milliseconds(duration) { break }
      world.advance(by: .milliseconds(20))
    }
    return edges
  }
}
