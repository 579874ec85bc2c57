import SimulatedWorld
import StreamingMedia
import TestSupport
import Testing

/// Players with a mark over a constant link: what they do can be worked out with a pencil.
///
/// With the link at a share ρ of the media's bit rate, b seconds ahead take b ÷ ρ to come, and last
/// (b − s) ÷ (1 − ρ) of play until s are left.
@Suite struct PlayerClosedFormTests {
  /// In seconds.
  struct Marks {
    var start: Double
    /// For each stall; the last goes on.
    var resume: [Double]
    /// What is left when a stall is declared.
    var left = 0.0
    /// How often a player looks whether it may start, whether it may go on, and whether it stalls.
    var looks = (start: 0.0, resume: 0.0, stall: 0.0)
  }

  struct Result {
    var startup = 0.0
    var stalls = 0
    var stalled = 0.0
  }

  private func look(_ moment: Double, every period: Double) -> Double {
    period == 0 ? moment : (moment / period - 1e-9).rounded(.up) * period
  }

  private func reckoned(_ marks: Marks, share: Double, duration: Double) -> Result {
    var result = Result()
    var (now, played) = (0.0, 0.0)
    func leaves(_ mark: Double, _ period: Double) -> Double {
      let ready = max(now, min(played + mark, duration) / share)
      return look(ready, every: period)
    }
    now = leaves(marks.start, marks.looks.start)
    result.startup = now
    while share < 1 {
      let ahead = min(duration, share * now) - played
      let dry = now + ahead / (1 - share)
      let below = now + max(0, ahead - marks.left) / (1 - share)
      let stops = min(dry, look(below + 1e-6, every: marks.looks.stall))
      // Nobody stalls who has everything.
      if duration / share <= stops + 1e-6 { break }
      played += stops - now
      now = stops
      let mark = marks.resume[min(result.stalls, marks.resume.count - 1)]
      let goesOn = leaves(mark, marks.looks.resume)
      result.stalls += 1
      result.stalled += goesOn - now
      now = goesOn
    }
    return result
  }

  private func play(_ policy: PolicyDescription, share: Int64, kilobits: Int64, seconds: Int64)
    throws -> Result
  {
    let down = DirectionConditions(
      bandwidth: .limited(.kilobitsPerSecond(kilobits * share / 100)))
    let world = try World(conditions: LinkConditions(downlink: down))
    var settings = PlayerSettings()
    settings.policy = policy
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

  private func play(_ preset: String, share: Int64, kilobits: Int64, seconds: Int64) throws
    -> Result
  {
    var policy = try #require(PolicyPreset.named(preset)).description
    // What it takes to show pictures is not in the formulas.
    policy.sink = .ideal
    return try play(policy, share: share, kilobits: kilobits, seconds: seconds)
  }

  private func expect(_ result: Result, _ expected: Result, _ about: String) {
    let about: Comment = "\(about): \(result), \(expected)"
    #expect(abs(result.startup - expected.startup) < 1e-3, about)
    #expect(result.stalls == expected.stalls, about)
    #expect(abs(result.stalled - expected.stalled) < 1e-3, about)
  }

  // MARK: Blocks

  private func block(_ marks: Marks) -> PolicyDescription {
    func level(_ seconds: Double) -> Level {
      .media(.milliseconds(Int64((seconds * 1_000).rounded())))
    }
    var policy = PlayerSettings().policy
    policy.start = .level(level(marks.start))
    policy.resume = .level(level(marks.resume[0]))
    policy.stall =
      marks.left > 0
      ? .below(.milliseconds(Int64((marks.left * 1_000).rounded()))) : .whenDry
    return policy
  }

  /// 60 s at half, at 0.8 and at 0.95 of the bit rate: when playback starts, how often it stalls
  /// and for how long, as others worked it out to two places.
  private static let table: [(marks: Marks, rows: [(Double, Int, Double)])] = [
    (Marks(start: 1, resume: [2]), [(2, 15, 60), (1.25, 6, 15), (1.05, 1, 2.11)]),
    (Marks(start: 2, resume: [2], left: 0.5), [(4, 19, 57), (2.5, 7, 13.12), (2.11, 1, 1.58)]),
    (Marks(start: 0.1, resume: [1]), [(0.2, 30, 60), (0.12, 12, 15), (0.11, 3, 3.16)]),
    (Marks(start: 3, resume: [3]), [(6, 9, 54), (3.75, 3, 11.25), (3.16, 0, 0)]),
    (Marks(start: 5, resume: [15]), [(10, 2, 60), (6.25, 1, 18.75), (5.26, 0, 0)]),
  ]

  @Test(arguments: zip([50, 80, 95] as [Int64], 0...2))
  func `marks split the wait as the formulas say, and as the table has it`(
    share: Int64, row: Int
  ) throws {
    for (marks, rows) in Self.table {
      let expected = reckoned(marks, share: Double(share) / 100, duration: 60)
      #expect(abs(expected.startup - rows[row].0) < 0.0051, "\(marks): \(expected)")
      #expect(expected.stalls == rows[row].1, "\(marks): \(expected)")
      #expect(abs(expected.stalled - rows[row].2) < 0.0051, "\(marks): \(expected)")
      let result = try play(block(marks), share: share, kilobits: 1_000, seconds: 60)
      expect(result, expected, "\(marks) at \(share) %")
    }
  }

  @Test(
    arguments: [(37, 640, 23), (61, 2_400, 41), (88, 300, 75), (99, 5_000, 30), (130, 900, 12)]
      as [(Int64, Int64, Int64)])
  func `the formulas hold for other links and other media`(
    share: Int64, kilobits: Int64, seconds: Int64
  ) throws {
    for (start, resume, left) in [(0.7, 1.3, 0.0), (4, 2.5, 0.8), (9, 20, 0), (2.2, 6, 1.1)] {
      let marks = Marks(start: start, resume: [resume], left: left)
      // To whole kilobits, as the link has it.
      let exact = Double(kilobits * share / 100) / Double(kilobits)
      let result = try play(block(marks), share: share, kilobits: kilobits, seconds: seconds)
      expect(
        result, reckoned(marks, share: exact, duration: Double(seconds)),
        "\(marks) at \(share) % of \(kilobits) kbit/s for \(seconds) s")
    }
  }

  // MARK: Players

  /// Their marks, and how often they look.
  private static let players: [(name: String, marks: Marks)] = [
    ("Media3 1.6", Marks(start: 1, resume: [2])), ("ExoPlayer 1.5", Marks(start: 2.5, resume: [5])),
    ("KSPlayer 2", Marks(start: 3, resume: [3])), ("NuPlayer", Marks(start: 5, resume: [15])),
    ("Kodi 21", Marks(start: 8, resume: [8])),
    ("Shaka 4.7", Marks(start: 2, resume: [2], left: 0.5, looks: (0.25, 0.25, 0.25))),
    (
      "ijkplayer 0.8",
      Marks(start: 0.1, resume: [0.991, 1.981, 3.961, 4.951], looks: (0.05, 0.5, 0))
    ),
  ]

  @Test(arguments: Seeds.areMany ? [50, 80, 95, 120] : [80] as [Int64])
  func `players start, stall and go on when the formula says`(share: Int64) throws {
    for (name, marks) in Self.players {
      for (kilobits, seconds) in [(1_000, 12), (2_500, 31)] as [(Int64, Int64)] {
        let expected = reckoned(
          marks, share: Double(share) / 100, duration: Double(seconds))
        let result = try play(name, share: share, kilobits: kilobits, seconds: seconds)
        expect(result, expected, "\(name) at \(share) % of \(kilobits) kbit/s")
      }
    }
  }

  // D(1/ρ − 1), and with a tenth to spare D(1/ρ − 1/1.1).
  @Test(
    arguments: Seeds.cases(of: [
      ("QuickTime", 1.0, 0), ("Kodi 20", 1.1, 0), ("GStreamer no-rebuffer", 1.1, 0.5),
    ]))
  func `play-through waits for what the link falls short by, and never stalls`(
    name: String, safety: Double, poll: Double
  ) throws {
    for share in Seeds.areMany ? [50, 80, 90] : [80] as [Int64] {
      let result = try play(name, share: share, kilobits: 1_000, seconds: 12)
      let expected = 12 * (100 / Double(share) - 1 / safety)
      #expect(result.stalls == 0, "\(name) at \(share) %")
      // Within its poll and a frame.
      #expect(result.startup >= expected - 1e-3, "\(name) at \(share) %: \(result)")
      #expect(result.startup <= expected + poll + 0.04, "\(name) at \(share) %: \(result)")
    }
  }
}
