import SimulatedWorld
import StreamingMedia
import TestSupport
import Testing

/// What came over the link, and whose it is.
@Suite struct PlayerBytesTests {
  /// A file, or a stream whose key takes a while.
  private func item(_ isStream: Bool) throws -> ItemSettings {
    if !isStream {
      return ItemSettings(
        source: .progressive(MediaFile(duration: .seconds(12), bitRate: .megabitsPerSecond(1))))
    }
    var ladder = NamedLadder.talk.description(duration: .seconds(12), sizes: .constant)
    ladder.encryption = LadderEncryption(
      key: EncryptionKey(method: .aes128, uri: "key"), isAnnounced: false)
    return ItemSettings(
      source: .stream(
        StreamSettings(
          presentation: try Presentation(ladder),
          keyExchange: KeyExchange(bytes: 16, thinkTime: .seconds(3)))))
  }

  @Test func `every byte that the link brought is some player's, whatever became of its item`()
    throws
  {
    for seed in Seeds.first(3, inRelease: 120) {
      var random = RandomStream(seed: seed, name: "bytes")
      let world = try World(
        conditions: LinkConditions(
          downlink: DirectionConditions(
            bandwidth: .limited(.kilobitsPerSecond(800 + Int64(random.next(below: 6_000)))),
            delay: .milliseconds(Int64(random.next(below: 80))))),
        fidelity: seed % 2 == 0 ? .fluid : .tcp)
      let players = (0..<2).map { _ in world.makePlayer() }
      for _ in 0..<8 {
        let player = players[Int(random.next(below: 2))]
        let isStream = random.next(below: 2) == 0
        switch random.next(below: 5) {
        case 0: player.replaceCurrentItem(with: nil as ItemSettings?)
        case 1: player.loadValues(of: try item(isStream))
        case 2: try player.seek(to: .seconds(Int64(random.next(below: 12))))
        default: player.replaceCurrentItem(with: try item(isStream))
        }
        player.play()
        world.advance(by: .milliseconds(Int64(random.next(below: 4_000))))
      }
      let brought = world.link.books(at: world.now).delivered
      let booked = players.reduce(0) { $0 + $1.core.bytesTransferred(at: world.now) }
      // Of what is still under way a player knows whole segments and the bytes of a file.
      for player in players { player.replaceCurrentItem(with: nil as ItemSettings?) }
      let after = world.link.books(at: world.now).delivered
      let all = players.reduce(0) { $0 + $1.core.bytesTransferred(at: world.now) }
      #expect(brought == after && booked <= brought, "seed \(seed)")
      #expect(all == after, "seed \(seed): \(all) of \(after)")
    }
  }

  @Test func `a playlist that is given up half way is the player's as far as it came`() throws {
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(bandwidth: .limited(.kilobitsPerSecond(800)))))
    let player = world.makePlayer()
    var presentation = try Presentation(
      NamedLadder.talk.description(duration: .seconds(12), sizes: .constant))
    presentation.playlistBytes = 1_000_000
    player.replaceCurrentItem(
      with: ItemSettings(source: .stream(StreamSettings(presentation: presentation))))
    player.play()
    world.advance(by: .seconds(5))
    player.replaceCurrentItem(with: nil as ItemSettings?)
    #expect(world.link.books(at: world.now).delivered == 500_000)
    #expect(player.core.bytesTransferred(at: world.now) == 500_000)
  }
}
