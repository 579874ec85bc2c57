import SimulatedWorld
import StreamingMedia
import TestSupport
import Testing

/// Players with a mark over a constant link: what they do can be worked out with a pencil.
///
/// With the link at a share ρ of the media's bit rate, b seconds ahead take b ÷ ρ to come and last
/// b ÷ (1 − ρ) of play.
@Suite struct PlayerClosedFormTests {
  private struct Marks {
    var start: Double
    /// For each stall; the last goes on.
    var resume: [Double]
    /// A player that polls is later by that much at each wait.
    var poll = 0.0
  }

  private struct Result {
    var startup = 0.0
    var stalls = 0
    var stalled = 0.0
  }

  private static let players: [(name: String, marks: Marks)] = [
    ("Media3 1.6", Marks(start: 1, resume: [2])), ("ExoPlayer 1.5", Marks(start: 2.5, resume: [5])),
    ("KSPlayer 2", Marks(start: 3, resume: [3])), ("NuPlayer", Marks(start: 5, resume: [15])),
    ("Kodi 21", Marks(start: 8, resume: [8])),
  ]

  private func reckoned(_ marks: Marks, share: Double, duration: Double) -> Result {
    var result = Result(startup: min(marks.start, duration) / share)
    if share >= 1 { return result }
    var played = min(marks.start, duration) / (1 - share)
    while played < duration - 1e-6 {
      let mark = marks.resume[min(result.stalls, marks.resume.count - 1)]
      result.stalls += 1
      result.stalled += min(mark, duration - played) / share
      played += min(mark, duration - played) / (1 - share)
    }
    return result
  }

  private func play(_ preset: String, share: Int64, kilobits: Int64, seconds: Int64) throws
    -> Result
  {
    let down = DirectionConditions(
      bandwidth: .limited(.kilobitsPerSecond(kilobits * share / 100)))
    let world = try World(conditions: LinkConditions(downlink: down))
    var settings = PlayerSettings()
    settings.policy = try #require(PolicyPreset.named(preset)).description
    let player = world.makePlayer(settings)
    let file = MediaFile(duration: .seconds(seconds), bitRate: .kilobitsPerSecond(kilobits))
    player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
    player.play()
    _ = world.run()
    let books = player.books
    return Result(
      startup: Double(books.startupDelay?.nanoseconds ?? -1) / 1e9,
      stalls: Int(books.stallCount), stalled: Double(books.stalled.nanoseconds) / 1e9)
  }

  @Test(arguments: [50, 95, 120] as [Int64])
  func `marks in seconds start, stall and go on when the formula says`(share: Int64) throws {
    for (name, marks) in Self.players {
      for (kilobits, seconds) in [(1_000, 12)] as [(Int64, Int64)] {
        let expected = reckoned(
          marks, share: Double(share) / 100, duration: Double(seconds))
        let result = try play(name, share: share, kilobits: kilobits, seconds: seconds)
        let about: Comment = "\(name) at \(share) % of \(kilobits) kbit/s: \(result), \(expected)"
        #expect(abs(result.startup - expected.startup) < 1e-3, about)
        #expect(result.stalls == expected.stalls, about)
        #expect(abs(result.stalled - expected.stalled) < 1e-3, about)
      }
    }
  }

  // D(1/ρ − 1), and with a tenth to spare D(1/ρ − 1/1.1).
  @Test(arguments: [("QuickTime", 1.0), ("Kodi 20", 1.1), ("GStreamer no-rebuffer", 1.1)])
  func `play-through waits for what the link falls short by, and never stalls`(
    name: String, safety: Double
  ) throws {
    for share in [50, 90] as [Int64] {
      let result = try play(name, share: share, kilobits: 1_000, seconds: 12)
      let expected = 12 * (100 / Double(share) - 1 / safety)
      #expect(result.stalls == 0, "\(name) at \(share) %")
      // The one of them that polls does so every half second.
      #expect(abs(result.startup - expected) < 0.51, "\(name) at \(share) %: \(result)")
    }
  }
}
