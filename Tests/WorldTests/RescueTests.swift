import SimulatedWorld
import TestSupport
import Testing

/// Going down in time: "it will try and switch down", and stalls only when the lowest variant
/// cannot keep up (WWDC18 502).
@Suite struct RescueTests {
  /// A link that falls from one bandwidth to another under a session of five minutes.
  struct Fall {
    var before: Int64
    var after: Int64
    var at: Int64

    init(seed: UInt64) {
      var state = (seed + 1) &* 0xD134_2543_DE82_EF95
      func draw(_ range: ClosedRange<Int64>) -> Int64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return range.lowerBound + Int64(state % UInt64(range.upperBound - range.lowerBound + 1))
      }
      for _ in 0..<8 { _ = draw(0...1) }
      before = draw(2_500...20_000)
      after = draw(300...2_000)
      at = draw(20_000...90_000)
    }
  }

  private func books(of fall: Fall, looks: Bool = true) throws -> PlayerBooks {
    let world = try World(
      schedule: try RateSchedule(
        steps: [
          .init(
            duration: .milliseconds(fall.at), bandwidth: .limited(.kilobitsPerSecond(fall.before))),
          .init(duration: .seconds(1), bandwidth: .limited(.kilobitsPerSecond(fall.after))),
        ], ending: .holds))
    let presentation = try Presentation(
      NamedLadder.talk.description(duration: .seconds(300), sizes: .constant))
    let player = world.makePlayer(looks ? PlayerSettings() : .withoutRescue)
    player.replaceCurrentItem(
      with: ItemSettings(source: .stream(StreamSettings(presentation: presentation))))
    player.play()
    #expect(world.run() == .finished)
    #expect(world.finish() == [])
    return player.books
  }

  @Test func `a link that falls to what lower variants need hardly ever stalls`() throws {
    var (stalls, stallsWithout) = (0, 0)
    let seeds = Seeds.first(16, inRelease: 150)
    for seed in seeds {
      let fall = Fall(seed: seed)
      let (with, without) = try (books(of: fall), books(of: fall, looks: false))
      stalls += with.stallCount > 0 ? 1 : 0
      stallsWithout += without.stallCount > 0 ? 1 : 0
      #expect(with.stalled <= without.stalled, "\(fall)")
    }
    // Where the link falls when next to nothing is ahead, going down does not help either.
    let (count, words) = (seeds.count, "\(stalls) of \(seeds.count), without \(stallsWithout)")
    #expect(stalls <= 1 && stallsWithout * 2 >= count, "\(words)")
  }
}

extension PlayerSettings {
  /// Gives up a segment when it is late, and not before.
  static var withoutRescue: PlayerSettings {
    var (settings, rule) = (PlayerSettings(), RescueRule.usual)
    rule.lookPercent = nil
    settings.policy.abandon = .rescue(rule)
    return settings
  }
}
