import SimulatedWorld
import TestSupport
import Testing

/// A key that comes long after the segments which need it, asked for by one of two players alone.
@Suite struct LateKeyTests {
  struct Setting: Sendable, CustomTestStringConvertible {
    /// In kbit/s; a second of media is 800.
    var link: Int64
    var segment: Int64
    /// How long the server thinks about the key, in milliseconds.
    var thinks: Int64
    var hasAudio = false
    var fidelity = Fidelity.fluid

    var testDescription: String { "\(segment) s on \(link) kbit/s after \(thinks) ms, \(fidelity)" }
  }

  static let settings = [
    Setting(link: 500, segment: 2, thinks: 9_000),
    Setting(link: 1_000, segment: 2, thinks: 6_000),
    Setting(link: 400, segment: 2, thinks: 12_000),
    Setting(link: 2_000, segment: 3, thinks: 5_000),
    Setting(link: 700, segment: 6, thinks: 20_000),
    Setting(link: 300, segment: 1, thinks: 8_000),
    Setting(link: 900, segment: 4, thinks: 11_000, hasAudio: true),
    Setting(link: 1_500, segment: 8, thinks: 14_000, hasAudio: true),
    Setting(link: 600, segment: 5, thinks: 30_000, hasAudio: true),
    Setting(link: 500, segment: 2, thinks: 9_000, fidelity: .tcp),
    Setting(link: 800, segment: 3, thinks: 10_000, hasAudio: true, fidelity: .tcp),
  ]

  @Test(arguments: Seeds.cases(of: settings))
  func `a player goes on when the key comes that another one has asked for`(setting: Setting)
    throws
  {
    guard
      case .stream(var stream) = try PlainStream.source(
        segment: setting.segment, hasAudio: setting.hasAudio, key: .unannounced)
    else { return }
    stream.keyExchange = KeyExchange(bytes: 100, thinkTime: .milliseconds(setting.thinks))
    let world = try World(
      conditions: Bench.conditions(setting.link, delay: .milliseconds(20)),
      fidelity: setting.fidelity, limits: RunLimits(horizon: .seconds(400)))
    let players = [world.makePlayer(), world.makePlayer()]
    let settings = ItemSettings(source: .stream(stream), asset: world.makeAsset())
    var keys: [TransferID] = []
    var keyCame: Instant?
    // By player: when the first segment was there, and when the second one was asked for.
    var first = [Instant?](repeating: nil, count: 2)
    var second = first
    var main: [TransferID] = []
    for (index, player) in players.enumerated() {
      var asked = 0
      player.observe { record in
        switch record.observation {
        case .resourceRequested(let id, .contentKey, _, _): keys.append(id)
        case .resourceRequested(let id, .mediaSegment, _, let origin) where origin.track == .main:
          main.append(id)
          asked += 1
          if asked == 2 { second[index] = record.instant }
        case .requestCompleted(let id, _) where keys.contains(id): keyCame = record.instant
        case .requestCompleted(let id, _) where main.contains(id):
          if first[index] == nil { first[index] = record.instant }
        default: break
        }
      }
      player.replaceCurrentItem(with: settings)
      player.play()
    }
    #expect(world.run() == .finished)
    let came = try #require(keyCame)
    #expect(keys.count == 1)
    for index in players.indices {
      #expect(try #require(first[index]) < came && second[index] == came)
      #expect(players[index].currentTime() == .seconds(24))
      #expect(players[index].books.mediaAdvanced == .seconds(24))
    }
    #expect(world.finish() == [])
  }
}
