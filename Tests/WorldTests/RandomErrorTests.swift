import SimulatedWorld
import TestSupport
import Testing

/// Whatever goes wrong with a stream, a run ends, its books balance, and its logs agree with them.
@Suite struct RandomErrorTests {
  private static let labels = [
    "*", "mediaSegment", "mediaPlaylist", "contentKey", "video-0/*", "video-1/segment*",
    "video-2/playlist.m3u8", "audio-0/segment*", "*segment3.m4s", "main.m3u8",
  ]

  private func rule(_ random: inout RandomStream) -> FaultRule {
    let fault: Fault =
      switch random.next(in: 0...5) {
      case 0: .status([404, 410, 500, 503][Int(random.next(in: 0...3))])
      case 1: .reset(afterBytes: random.next(in: 0...300_000))
      case 2: .stall(afterBytes: random.next(in: 0...300_000))
      case 3: .slowFirstByte(.milliseconds(random.next(in: 1...40_000)))
      default: .status(404)
      }
    let first = random.next(in: 1...8)
    let numbers: ClosedRange<Int64>? =
      random.next(in: 0...2) == 0 ? nil : first...(first + random.next(in: 0...12))
    let label = Self.labels[Int(random.next(in: 0...Int64(Self.labels.count - 1)))]
    return FaultRule(fault, numbers: numbers, label: LabelPattern(label))
  }

  private func settings(_ random: inout RandomStream) throws -> StreamSettings {
    var ladder = LadderDescription(
      rungs: [2_000_000, 900_000, 300_000].map { LadderRung(resolution: nil, bitRate: $0) },
      segmentDuration: .seconds(4), duration: .seconds(80))
    if random.next(in: 0...1) == 0 { ladder.audio = [LadderAudio(name: "s", bitRate: 64_000)] }
    if random.next(in: 0...2) == 0 {
      ladder.encryption = LadderEncryption(
        key: EncryptionKey(method: .aes128, uri: "key"), isAnnounced: false)
    }
    var settings = StreamSettings(
      presentation: try Presentation(ladder),
      adaptation: random.next(in: 0...2) == 0 ? .fixed : .throughput,
      keyExchange: KeyExchange(bytes: 16))
    settings.errors.mediaTimeout =
      random.next(in: 0...3) == 0 ? nil : .seconds(random.next(in: 1...15))
    settings.errors.recoversAfter = .seconds(random.next(in: 1...30))
    return settings
  }

  /// Which request each retry names, in whose place it is made.
  private struct Retries {
    private var asked: [TransferID: ResourceKind] = [:]
    private var awaited: [TransferID: ResourceKind] = [:]

    mutating func hear(_ observation: PlaybackObservation) {
      switch observation {
      case .resourceRequested(let id, let kind, _, let origin):
        asked[id] = kind
        // It was to be tried again, asked for the same, and has no other retry.
        if let broken = origin.retries { #expect(awaited.removeValue(forKey: broken) == kind) }
      case .requestFailed(let id, _, _, let retry): if retry != nil { awaited[id] = asked[id] }
      default: break
      }
    }
  }

  private static let seeds = Seeds.first(24, inRelease: 300)

  @Test(arguments: seeds) func `a run ends and adds up`(seed: UInt64) throws {
    var random = RandomStream(seed: seed, name: "errors")
    let rules = (0..<random.next(in: 1...4)).map { _ in rule(&random) }
    var options = RequestOptions.plain
    // Playlists and keys have no patience of their own.
    options.timeouts = RequestTimeouts(firstByte: .seconds(20), idle: .seconds(20))
    let world = try World(
      conditions: LinkConditions(
        downlink: .init(
          bandwidth: .limited(.kilobitsPerSecond(random.next(in: 200...6_000))),
          delay: .milliseconds(random.next(in: 0...300)))),
      seed: seed, limits: RunLimits(horizon: .zero + .seconds(3_600), eventBudget: 200_000),
      requests: options, faults: FaultPlan(rules))
    let player = world.makePlayer()
    var (failures, noted): (Int64, Int64) = (0, 0)
    var retries = Retries()
    player.observe { record in
      retries.hear(record.observation)
      switch record.observation {
      case .requestFailed: failures += 1
      case .errorLogged: noted += 1
      default: break
      }
    }
    player.replaceCurrentItem(
      with: ItemSettings(
        source: .stream(try settings(&random)),
        retry: RetryPolicy(attempts: Int32(random.next(in: 0...4)))))
    player.play()
    world.advance(by: .milliseconds(random.next(in: 1...30_000)))
    if random.next(in: 0...1) == 0 { try player.seek(to: .seconds(random.next(in: 0...75))) }
    world.advance(by: .milliseconds(random.next(in: 1...30_000)))
    if random.next(in: 0...3) == 0 { player.pause() }
    let end = world.run()
    let brought = world.link.books(at: world.now).delivered
    #expect(player.core.bytesTransferred(at: world.now) == brought)
    #expect(end == .finished, "\(end)")
    #expect(world.finish() == [])
    #expect(noted >= failures && Int64(player.errorLog?.events.count ?? 0) == noted)
    let events = player.accessLog?.events ?? []
    let watched = events.reduce(0) { $0 + $1.durationWatched.nanoseconds }
    #expect(watched == player.books.mediaAdvanced.nanoseconds)
    #expect(events.reduce(0) { $0 + $1.numberOfStalls } == player.books.stallCount)
    let bytes = events.reduce(0) { $0 + $1.numberOfBytesTransferred }
    #expect(bytes <= player.core.bytesTransferred(at: world.now))
    #expect(player.core.counts.bytesAbandoned <= player.core.bytesTransferred(at: world.now))
    #expect(events.allSatisfy { $0.transferDuration >= .zero && $0.durationWatched >= .zero })
  }
}
