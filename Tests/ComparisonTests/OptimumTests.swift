import HeuristicComparison
import ScenarioFormat
import ScenarioRunner
import SimulatedWorld
import StreamingMedia
import TestSupport
import Testing

/// The best by an objective of what an adaptive player could do, against every way there is to
/// choose, each worked out second by second with a pencil's rules.
@Suite struct OptimumTests {
  /// A link of whole rates for whole stretches, and segments of a second's multiple.
  private struct Case {
    var steps: [(milliseconds: Int64, kilobits: Int64)]
    var roundTrip: Int64
    var rates: [Int64]
    /// In milliseconds.
    var segment: Int64
    var sizes: [[Int64]]
    var limit: Int64
    var hasPlaylists: Bool

    init(seed: UInt64, segments: Int64, rungs: Int64) {
      var random = RandomStream(seed: seed, name: "optimum")
      func draw(_ range: ClosedRange<Int64>) -> Int64 { random.next(in: range) }
      segment = 1_000 * draw(1...4)
      rates = (0..<rungs).map { 200 * ($0 + 1) * ($0 + 1) + draw(0...150) }
      let (rates, length) = (rates, segment)
      sizes = rates.map { rate in
        (0..<segments).map { _ in rate * length / 8 * draw(60...150) / 100 }
      }
      steps = (0..<draw(1...5)).map { _ in (draw(500...9_000), draw(100...3_000)) }
      roundTrip = draw(0...1) == 0 ? 0 : draw(0...300)
      limit = draw(0...2) == 0 ? segment * draw(1...3) : 1_000_000
      hasPlaylists = draw(0...1) == 0
    }

    var link: KnownLink {
      var conditions = LinkConditions.perfect
      conditions.downlink.delay = .milliseconds(roundTrip)
      let schedule = try? RateSchedule(
        steps: steps.map {
          .init(
            duration: .milliseconds($0.milliseconds),
            bandwidth: .limited(.kilobitsPerSecond($0.kilobits)))
        }, ending: .holds)
      return KnownLink(conditions, schedule: schedule)
    }

    var ladder: KnownLadder {
      var resources = [KnownStream.Resource(bytes: 0)]
      let rungs = rates.indices.map { rung in
        resources.append(.init(bytes: 0))
        return KnownLadder.Rung(
          bitsPerSecond: rates[rung] * 1_000, playlist: rung + 1,
          segments: sizes[rung].enumerated().map { number, bytes in
            .init(
              start: .milliseconds(Int64(number) * segment),
              end: .milliseconds(Int64(number + 1) * segment), bytes: bytes)
          })
      }
      var ladder = KnownLadder(
        resources: resources, rungs: rungs, limit: .milliseconds(limit),
        end: .milliseconds(Int64(sizes[0].count) * segment))
      ladder.hasPlaylists = hasPlaylists
      return ladder
    }

    // In seconds, without any of the above.

    private func came(_ bytes: Int64, from asked: Double) -> Double {
      var (now, bits) = (asked + Double(roundTrip) / 1e3, Double(bytes) * 8)
      var begin = 0.0
      for (index, step) in steps.enumerated() {
        let end = index == steps.count - 1 ? .infinity : begin + Double(step.milliseconds) / 1e3
        let rate = Double(step.kilobits) * 1e3
        if now < end {
          if now + bits / rate <= end { return now + bits / rate }
          bits -= (end - now) * rate
          now = end
        }
        begin = end
      }
      return now
    }

    /// What a player comes to that chooses so, by prices for a Mbit/s, a change and a second.
    func value(_ choices: [Int], _ change: Double, _ second: Double) -> Double {
      let length = Double(segment) / 1e3
      var (now, waited, value) = (0.0, 0.0, 0.0)
      var known: [Int] = []
      if !hasPlaylists { now = came(0, from: now) }
      for (number, rung) in choices.enumerated() {
        if !hasPlaylists, !known.contains(rung) {
          known.append(rung)
          now = came(0, from: now)
        }
        let place = Double(number) * length - Double(limit) / 1e3
        if number > 0, place >= 0 { now = max(now, waited + place) }
        now = came(sizes[rung][number], from: now)
        waited = max(waited, now - Double(number) * length)
        let rate = Double(rates[rung]) / 1e3
        value += rate
        if number > 0 { value -= change * abs(rate - Double(rates[choices[number - 1]]) / 1e3) }
      }
      return value - second * waited
    }

    func best(_ change: Double, _ second: Double) -> Double {
      var best = -Double.infinity
      let (rungs, segments) = (rates.count, sizes[0].count)
      var choices = [Int](repeating: 0, count: segments)
      while true {
        best = max(best, value(choices, change, second))
        guard let place = choices.lastIndex(where: { $0 < rungs - 1 }) else { return best }
        choices[place] += 1
        for later in choices.indices where later > place { choices[later] = 0 }
      }
    }
  }

  /// All of eight segments and four variants, else 48 players a variant at most, and no more than
  /// fetch 600,000 segments.
  @Test(
    arguments: [
      (1, 1, nil), (8, 4, nil), (9, 4, 48), (8, 5, 48), (9, 5, 48), (781, 4, 48), (782, 4, 47),
      (1_250, 4, 30), (1_251, 4, 29), (2_000, 10, 3), (2_001, 10, 2), (6_000, 10, 1),
      (6_001, 10, 1),
    ] as [(Int64, Int64, Int?)])
  func `so many players are followed for each variant`(segments: Int64, rungs: Int64, most: Int?) {
    let this = Case(seed: 5, segments: segments, rungs: rungs)
    let prices = LinearPrices(bit: 1_000, change: 1_000, tenNanoseconds: 43)
    #expect(AdaptiveOptimum(this.ladder, over: this.link, by: prices).most == most)
    #expect(AdaptiveOptimum(this.ladder, over: this.link, by: prices, most: 7).most == 7)
  }

  private static let shapes: [(segments: Int64, rungs: Int64)] = [
    (1, 4), (2, 3), (3, 4), (4, 3), (5, 2), (5, 3), (6, 2), (7, 2), (8, 2), (4, 4),
  ]

  @Test(arguments: Seeds.first(2, inRelease: 400))
  func `of every way to choose none is better, and one is as good`(seed: UInt64) throws {
    let shape = Self.shapes[Int(seed % 10)]
    let this = Case(seed: seed, segments: shape.segments, rungs: shape.rungs)
    for (change, second) in [(1, 4.3), (3, 3), (1, 6)] as [(Double, Double)] {
      let prices = LinearPrices(
        bit: 1_000, change: Int64(change * 1e3), tenNanoseconds: Int64(second * 10))
      let found = try AdaptiveOptimum(this.ladder, over: this.link, by: prices).find()
      #expect(found.isExact)
      let best = this.best(change, second)
      #expect(abs(Double(found.bound) / 1e9 - best) < 1e-6, "\(this): \(found.bound) and \(best)")
      // With few players to follow it is a bound on one side, and a player on the other.
      let few = try AdaptiveOptimum(this.ladder, over: this.link, by: prices, most: 2).find()
      #expect(few.bound >= found.bound && few.attained <= found.bound, "\(this)")
    }
  }

  @Test func `a player that cannot wait takes what comes in time, worked out by hand`() throws {
    // Two segments of 4 s over 1 Mbit/s, of 1 or of 2 Mbit/s: 4 s or 8 s for each. Low and low
    // waits 4 s: 2 − 4 × 4.3; low and high waits 8 s.
    var ladder = KnownLadder(
      resources: [.init(bytes: 0), .init(bytes: 0), .init(bytes: 0)],
      rungs: [1, 2].map { rate in
        .init(
          bitsPerSecond: rate * 1_000_000, playlist: Int(rate),
          segments: (0..<2).map {
            .init(
              start: .seconds(4 * $0), end: .seconds(4 * $0 + 4), bytes: rate * 500_000)
          })
      }, limit: .seconds(100), end: .seconds(8))
    ladder.hasPlaylists = true
    var conditions = LinkConditions.perfect
    conditions.downlink.bandwidth = .limited(.kilobitsPerSecond(1_000))
    let prices = LinearPrices(bit: 1_000, change: 1_000, tenNanoseconds: 43)
    let found = try AdaptiveOptimum(ladder, over: KnownLink(conditions), by: prices).find()
    #expect(found.bound == -15_200_000_000 && found.isExact)
  }

  /// Two segments of 4 s over 1 Mbit/s, of 1 or of 2 Mbit/s: 4 s or 8 s for each. A second of
  /// waiting costs 4.3, and a change of 1 Mbit/s one.
  private struct Pencilled: CustomTestStringConvertible, Sendable {
    var requested: Int64 = 0
    var asked: Int64 = 0
    /// In nanoseconds.
    var limit: Int64 = 100_000_000_000
    var rate = PlaybackRate.normal
    /// Bytes of the multivariant playlist, of each playlist, and of the map of the first variant.
    var resources: [Int64] = [0, 0, 0, 0]
    var hasPlaylists = true
    var value: Int64
    var words: String

    var testDescription: String { words }

    func optimum() -> AdaptiveOptimum {
      var ladder = KnownLadder(
        resources: resources.map { .init(bytes: $0) },
        rungs: [1, 2].map { rate in
          .init(
            bitsPerSecond: rate * 1_000_000, playlist: Int(rate),
            segments: (0..<2).map {
              .init(
                start: .seconds(4 * $0), end: .seconds(4 * $0 + 4), bytes: rate * 500_000,
                map: rate == 1 ? 3 : nil)
            })
        }, limit: MediaTime(nanoseconds: limit), end: .seconds(8))
      ladder.hasPlaylists = hasPlaylists
      var conditions = LinkConditions.perfect
      conditions.downlink.bandwidth = .limited(.kilobitsPerSecond(1_000))
      return AdaptiveOptimum(
        ladder, over: KnownLink(conditions),
        by: LinearPrices(bit: 1_000, change: 1_000, tenNanoseconds: 43),
        requested: .zero + .seconds(requested), asked: .zero + .seconds(asked), rate: rate)
    }
  }

  private static let pencilled = [
    Pencilled(requested: 1, asked: 1, value: -15_200_000_000, words: "low twice, 4 s late"),
    Pencilled(requested: 1, asked: 0, value: -19_500_000_000, words: "low twice, 5 s late"),
    Pencilled(asked: 4, value: 2_000_000_000, words: "low twice, in time"),
    Pencilled(asked: 11, value: 2_000_000_000, words: "high twice would be a second late"),
    Pencilled(asked: 12, value: 4_000_000_000, words: "high twice, in time"),
    Pencilled(requested: 2, asked: 14, value: 4_000_000_000, words: "the same two seconds later"),
    Pencilled(
      requested: 2, asked: 13, value: 2_000_000_000, words: "and a second less after the request"),
    // The second one is asked for a nanosecond after the call to play.
    Pencilled(
      asked: 8, limit: 4_000_000_000, value: 1_999_999_995, words: "a nanosecond late, rounded up"),
    Pencilled(asked: 8, limit: 4_000_000_001, value: 2_000_000_000, words: "room at once"),
    Pencilled(asked: 8, limit: 3_000_000_000, value: 2_000_000_000 - 4_300_000_005, words: "1 s"),
    // Of twice the rate the second is due after 2 s: 6 s less two parts of a nanosecond.
    Pencilled(rate: PlaybackRate(2, over: 1), value: -23_799_999_992, words: "twice as fast"),
    // 125,000 bytes take a second.
    Pencilled(
      asked: 5, resources: [0, 0, 0, 125_000], value: 2_000_000_000, words: "a map in time"),
    Pencilled(
      asked: 4, resources: [0, 0, 0, 125_000], value: -2_300_000_000, words: "a map a second late"),
    Pencilled(
      asked: 6, resources: [125_000, 125_000, 0, 0], hasPlaylists: false, value: 2_000_000_000,
      words: "two playlists in time"),
    Pencilled(
      asked: 5, resources: [125_000, 125_000, 0, 0], hasPlaylists: false, value: -2_300_000_000,
      words: "two playlists a second late"),
    Pencilled(
      asked: 4, resources: [125_000, 125_000, 125_000, 0], value: 2_000_000_000,
      words: "playlists that are there"),
  ]

  @Test(arguments: pencilled)
  private func `waiting is counted from the call to play`(this: Pencilled) throws {
    let found = try this.optimum().find()
    #expect(found.isExact && found.bound == this.value)
  }

  // MARK: Runs

  @Test(arguments: [true, false])
  func `media that never comes has no optimum`(hasPlaylists: Bool) throws {
    var this = Case(seed: 5, segments: 3, rungs: 2)
    this.hasPlaylists = hasPlaylists
    this.steps = [(milliseconds: 1, kilobits: 400), (milliseconds: 1_000, kilobits: 0)]
    let prices = LinearPrices(bit: 1_000, change: 1_000, tenNanoseconds: 43)
    let optimum = AdaptiveOptimum(this.ladder, over: this.link, by: prices)
    #expect {
      _ = try optimum.find()
    } throws: {
      if case AdaptiveOptimum.Failure.endIsNeverReached = $0 { true } else { false }
    }
  }

  /// A link that falls and rises, four variants, and eight segments or forty.
  private static func scenario(_ policy: String, seconds: Int64, seed: UInt64) -> String {
    var random = RandomStream(seed: seed, name: "optimum of a run")
    let steps = (0..<6).map { _ in
      """
      { "for": "\(random.next(in: 2...9)) s",
        "bandwidth": "\(random.next(in: 300...4_000)) kbit/s" }
      """
    }.joined(separator: ", ")
    return """
      { "scenario": "a", "about": "b",
        "link": { "delay": "\(random.next(in: 0...100)) ms",
          "schedule": { "steps": [ \(steps) ], "then": "repeat" } },
        "media": { "hls": { "ladder": [ { "bitrate": "300 kbit/s" }, { "bitrate": "750 kbit/s" },
          { "bitrate": "1500 kbit/s" }, { "bitrate": "3 Mbit/s" } ],
          "audio": [], "segmentDuration": "4 s", "duration": "\(seconds) s" } },
        "player": { "policy": "\(policy)" },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
  }

  @Test(
    .enabled(if: Seeds.areMany, "a debug build leaves it to the release build"),
    arguments: [
      "avfoundation", "Media3 1.6", "WebKit MSE autoplay", "KSPlayer 2", "GStreamer 1.22 HLS",
      "BOLA", "BOLA-E", "Pensieve BB", "Pensieve RB", "Sabre throughput",
    ])
  func `no player beats it`(policy: String) throws {
    for seed in Seeds.first(1, inRelease: 20) {
      for seconds in [32, 60] as [Int64] {
        let text = Self.scenario(policy, seconds: seconds, seed: seed)
        let scenario = try readScenario(Array(text.utf8), file: "a.json")
        let outcome = try run(scenario)
        let viewed = ViewedSession(outcome)
        for objective in Objective.all where objective.prices != nil {
          let report = OptimumReport(objective, of: scenario, outcome)
          let finding = try #require(report.finding, "\(report.remarks)")
          let value = try #require(objective.billionths(viewed))
          #expect(value <= finding.bound, "\(policy), \(seed), \(seconds), \(objective.name)")
          #expect(finding.attained <= finding.bound)
          if seconds == 32 { #expect(finding.isExact) }
        }
      }
    }
  }

  // MARK: Reasons

  /// The first segment receives no bytes for 16 s, whatever its variant.
  @Test(arguments: [(#""15 s""#, true), (#""17 s""#, false), ("null", false)])
  func `the media timeout is left out where a segment would be given up`(
    timeout: String, isLeftOut: Bool
  ) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "1 Mbit/s",
          "outages": [ { "from": "2 s", "for": "16 s" } ] },
        "media": { "hls": { "ladder": [ { "bitrate": "900 kbit/s" }, { "bitrate": "1 Mbit/s" } ],
          "audio": [], "segmentDuration": "4 s", "duration": "12 s" } },
        "player": { "mediaTimeout": \(timeout) }, "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    let objective = try #require(Objective.named("pensieveLinear"))
    let report = OptimumReport(objective, of: scenario, try run(scenario))
    let words = "the media timeout, which gives up a segment without bytes, is left out"
    #expect(report.remarks == (isLeftOut ? [words] : []) && report.isExact != isLeftOut)
    #expect(report.finding != nil && (report.attained == nil) == isLeftOut)
  }

  /// Each in a scenario that differs in nothing else, whose run is that of the plain one.
  @Test func `each reason stands alone`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "hls": { "ladder": [ { "bitrate": "900 kbit/s" }, { "bitrate": "1500 kbit/s" } ],
          "audio": [], "segmentDuration": "2 s", "duration": "6 s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let plain = try readScenario(Array(text.utf8), file: "a.json")
    let outcome = try run(plain)
    let objective = try #require(Objective.named("pensieveLinear"))
    func expect(
      _ words: String, hasFinding: Bool, _ change: (inout Scenario) throws -> Void
    ) rethrows {
      var scenario = plain
      try change(&scenario)
      let report = OptimumReport(objective, of: scenario, outcome)
      #expect(report.remarks == (words.isEmpty ? [] : [words]))
      #expect((report.finding != nil) == hasFinding && report.isExact == words.isEmpty)
      #expect(report.attained == (words.isEmpty ? report.finding?.attained : nil))
    }
    expect("", hasFinding: true) { _ in }
    expect("", hasFinding: true) { $0.player.policy.sink.freezes = .seconds(3) }
    expect("segments are fetched again", hasFinding: false) {
      $0.player.policy.choice.again = .soonest
    }
    expect("segments are fetched side by side", hasFinding: false) {
      $0.player.policy.fetch.ofStreams.sideBySide = 2
    }
    let limits = "read-ahead limits other than of media are left out"
    expect(limits, hasFinding: true) { $0.player.policy.fetch.ofStreams.bytes = 1 }
    expect(limits, hasFinding: true) { $0.player.policy.fetch.ofStreams.countsNext = true }
    expect(limits, hasFinding: true) { $0.player.policy.fetch.ofStreams.sleeps = .nanoseconds(1) }
    let seen = "what media takes to be seen once it has come is left out"
    expect(seen, hasFinding: true) { $0.player.policy.fetch.ofStreams.lookahead = 1 }
    expect(seen, hasFinding: true) { $0.player.policy.sink.warmUp = .nanoseconds(1) }
    expect(seen, hasFinding: true) { $0.player.policy.sink.setUp = .nanoseconds(1) }
    let step = RateSchedule.Step(duration: .seconds(1), bandwidth: .unlimited)
    for (clock, words) in [
      (RateSchedule.Clock.wall, ""),
      (.pausedDuringLatency, "the schedule stands still while requests wait"),
    ] {
      try expect(words, hasFinding: words.isEmpty) {
        $0.link.schedule = try RateSchedule(
          steps: [step], ending: .loops, clock: clock, offset: .zero)
      }
    }
  }

  @Test func `sound that comes apart leaves a bound, and under a frozen picture none`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "hls": { "ladder": [ { "bitrate": "900 kbit/s" }, { "bitrate": "1500 kbit/s" } ],
          "audio": [ { "name": "en", "bitrate": "128 kbit/s" } ],
          "segmentDuration": "2 s", "duration": "6 s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    var scenario = try readScenario(Array(text.utf8), file: "a.json")
    let outcome = try run(scenario)
    let objective = try #require(Objective.named("pensieveLinear"))
    // The optimum of the video alone leaves no bytes for the sound.
    let bound = OptimumReport(objective, of: scenario, outcome)
    #expect(bound.finding != nil && bound.attained == nil && !bound.isExact)
    scenario.player.policy.sink.freezes = .seconds(3)
    let report = OptimumReport(objective, of: scenario, outcome)
    #expect(report.finding == nil)
    #expect(report.remarks == ["sound goes on while the picture stands still"])
  }
}
