import SimulatedWorld
import TestSupport
import Testing

/// The start of a stream, held against arithmetic that shares no code with it.
@Suite struct StartupArithmeticTests {
  /// A start drawn by a seed.
  struct Start {
    var bitsPerSecond: Int64
    var uplink: Int64
    var downlink: Int64
    var master: Int64
    var lists: [Int64]
    var gzip: Int64?
    var hasKey: Bool
    var isAnnounced: Bool
    var preloadsKeys: Bool
    var keyBytes: Int64
    var keyTime: Int64
    var segmentRates: [Int64]
    /// When the asset is asked for values; nil if nobody asks.
    var loads: Int64?
    var isCurrent: Int64
    var plays: Int64

    init(seed: UInt64) {
      var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
      func draw(_ range: ClosedRange<Int64>) -> Int64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return range.lowerBound + Int64(state % UInt64(range.upperBound - range.lowerBound + 1))
      }
      for _ in 0..<8 { _ = draw(0...1) }
      bitsPerSecond = draw(100_000...20_000_000)
      uplink = draw(0...300_000_000)
      downlink = draw(0...300_000_000)
      master = draw(0...200_000)
      let count = Int(draw(1...2))
      lists = (0..<count).map { _ in draw(0...300_000) }
      gzip = draw(0...1) == 1 ? draw(5...60) : nil
      hasKey = draw(0...2) > 0
      isAnnounced = draw(0...1) == 1
      preloadsKeys = draw(0...1) == 1
      keyBytes = draw(0...2_000)
      keyTime = draw(0...1) == 1 ? draw(1...2_000_000_000) : 0
      segmentRates = [draw(100_000...6_000_000), draw(32_000...256_000)]
      loads = draw(0...1) == 1 ? draw(0...1_000_000_000) : nil
      isCurrent = (loads ?? 0) + draw(0...4_000_000_000)
      plays = isCurrent + (draw(0...2) > 0 ? 0 : draw(0...3_000_000_000))
    }

    var roundTrip: Int64 { uplink + downlink }

    func onLink(_ bytes: Int64) -> Int64 {
      gzip.map { (bytes * $0 + 99) / 100 } ?? bytes
    }

    /// Four seconds of a bit rate, in whole bytes.
    func segmentBytes(_ track: Int) -> Int64 { segmentRates[track] / 2 }
  }

  @Test(arguments: Seeds.first(30, inRelease: 500))
  func `a start takes what its critical path takes, to the nanosecond`(seed: UInt64) throws {
    let start = Start(seed: seed)
    let expected = startupDelay(of: start)
    #expect(try simulated(start) == expected, "\(start)")
  }

  // MARK: By arithmetic

  /// What is downloaded, by number.
  private enum Job {
    static let master = 0
    static let key = 1
    static let lists = 2
    static let segments = 4
  }

  /// Each download is asked for when what it needs is there; the start needs all of them.
  private func startupDelay(of start: Start) -> Int64 {
    var pipe = SharedPipe(bitsPerSecond: start.bitsPerSecond)
    var asked: Set<Int> = []
    var there: Set<Int> = []
    func ask(_ job: Int, _ bytes: Int64, more: Int64 = 0) {
      if asked.insert(job).inserted {
        pipe.ask(job, bytes: bytes, roundTrip: start.roundTrip + more)
      }
    }
    func askForKey() {
      if start.hasKey { ask(Job.key, start.keyBytes, more: start.keyTime) }
    }
    func askForMore(isCurrent: Bool) {
      guard there.contains(Job.master) else { return ask(Job.master, start.onLink(start.master)) }
      if start.isAnnounced && start.preloadsKeys { askForKey() }
      if !isCurrent { return }
      for track in start.lists.indices {
        ask(Job.lists + track, start.onLink(start.lists[track]))
        if !there.contains(Job.lists + track) { continue }
        askForKey()
        ask(Job.segments + track, start.segmentBytes(track))
      }
    }
    func isReady() -> Bool {
      start.lists.indices.allSatisfy { there.contains(Job.segments + $0) }
        && (!start.hasKey || there.contains(Job.key))
    }
    for moment in [start.loads, start.isCurrent].compactMap({ $0 }) {
      while pipe.now < Int128(moment) {
        for job in pipe.next(notAfter: Int128(moment)) { there.insert(job) }
        if start.loads != nil, !there.isEmpty { askForMore(isCurrent: false) }
      }
      askForMore(isCurrent: moment == start.isCurrent)
    }
    while !isReady() {
      for job in pipe.next(notAfter: .max) { there.insert(job) }
      askForMore(isCurrent: true)
    }
    return max(0, Int64(pipe.now) - start.plays)
  }

  // MARK: By simulation

  private func simulated(_ start: Start) throws -> Int64? {
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(
          bandwidth: .limited(.bitsPerSecond(start.bitsPerSecond)),
          delay: .nanoseconds(start.downlink)),
        uplink: DirectionConditions(delay: .nanoseconds(start.uplink))))
    let player = world.makePlayer()
    let item = ItemSettings(
      source: .stream(try settings(start)), preferredForwardBufferDuration: .seconds(4))
    if let loads = start.loads {
      world.at(.zero + .nanoseconds(loads)) { player.loadValues(of: item) }
    }
    world.at(.zero + .nanoseconds(start.isCurrent)) { player.replaceCurrentItem(with: item) }
    world.at(.zero + .nanoseconds(start.plays)) { player.play() }
    _ = world.run { player.timebaseRate != .zero }
    #expect(world.finish() == [])
    return player.books.startupDelay?.nanoseconds
  }

  private func settings(_ start: Start) throws -> StreamSettings {
    var description = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: start.segmentRates[0])],
      segmentDuration: .seconds(4), duration: .seconds(60))
    description.rungs[0].segmentBytes = Array(repeating: start.segmentBytes(0), count: 15)
    if start.lists.count > 1 {
      description.audio = [LadderAudio(name: "sound", bitRate: start.segmentRates[1])]
    }
    if start.hasKey {
      description.encryption = LadderEncryption(
        key: EncryptionKey(method: .sampleAES, uri: "skd://key"), isAnnounced: start.isAnnounced)
    }
    var presentation = try Presentation(description)
    presentation.playlistBytes = start.master
    for index in start.lists.indices {
      presentation.lists[index].playlistBytes = start.lists[index]
    }
    if start.lists.count > 1 {
      let bytes = start.segmentBytes(1)
      for index in presentation.lists[1].segments.indices {
        presentation.lists[1].segments[index].bytes = bytes
      }
    }
    var settings = StreamSettings(
      presentation: presentation, initialRule: .firstEligible, adaptation: .fixed,
      playlistEncoding: start.gzip.map { .gzip(percent: $0) } ?? .plain,
      keyExchange: KeyExchange(
        bytes: start.keyBytes, thinkTime: .nanoseconds(start.keyTime)))
    settings.preloadsKeys = start.preloadsKeys
    return settings
  }
}
