import HeuristicComparison
import SimulatedWorld
import TestSupport
import Testing

/// The best that was possible in made-up cases on a grid of half seconds and of half thousands of
/// bytes: arrivals, ends of steps, outages, deadlines and calls of the app fall on one instant.
@Suite struct MadeUpBoundGridTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/bounds-on-a-grid", seeds: 2_400)

  @Test func `a case on a grid has the bounds that it had`() async throws {
    let lines = await Self.file.lines(few: 80) { seed in
      var print = Fingerprint()
      var this = GridCase(seed)
      for media in [this.stream(), this.fileMedia()] {
        let found = this.oracle(media).find()
        print.add("\(found.start?.nanoseconds ?? -1) \(found.waiting?.nanoseconds ?? -1)")
        print.add("\(found.isExact)")
      }
      let (ladder, asked) = (this.ladder(), this.asked)
      for most in [nil, 1, 2] as [Int?] { print.add(this.words(ladder, asked, most)) }
      return print.text
    }
    #expect(try Self.file.differences(from: lines) == [])
  }

  /// A wait is no longer than the startup without a stall, and no start is before the call.
  @Test func `waiting is never worth more than starting late enough`() {
    var found = 0
    for seed in 0..<Seeds.count(50, inRelease: 3_000) {
      var this = GridCase(20_000 + seed)
      for media in [this.stream(), this.fileMedia()] {
        let oracle = this.oracle(media)
        let best = oracle.find()
        guard let start = best.start, let startup = best.startup else { continue }
        found += 1
        #expect(start >= oracle.asked && startup == start - oracle.asked, "\(seed)")
        if let waiting = best.waiting { #expect(waiting <= startup, "\(seed)") }
        // With twice the bytes over twice the rate all segments come when they came.
        if let twice = this.doubled(oracle) { #expect(twice.find() == best, "\(seed)") }
      }
    }
    #expect(found > 0)
  }

  /// Following fewer players bounds what following all of them finds, and no rung alone beats that.
  @Test func `a ladder is worth what its best sequence is`() throws {
    for seed in 0..<Seeds.count(60, inRelease: 2_000) {
      var this = GridCase(40_000 + seed)
      let ladder = this.ladder()
      guard let best = this.found(ladder, this.asked, nil) else { continue }
      #expect(best.isExact, "\(seed)")
      for most in [1, 2] {
        let bounded = try #require(this.found(ladder, this.asked, most))
        #expect(bounded.bound >= best.bound && best.bound >= bounded.attained, "\(seed)")
      }
      for rung in ladder.rungs {
        var alone = ladder
        alone.rungs = [rung]
        if let one = this.found(alone, this.asked, nil) {
          #expect(one.bound <= best.bound, "\(seed)")
        }
      }
    }
  }
}

private struct GridCase {
  private var draw: Draw
  private let link: KnownLink
  private let requested: Instant
  let asked: Instant
  private let rate: PlaybackRate

  init(_ seed: Int) {
    var draw = Draw(seed: UInt64(seed), part: "grid bounds")
    var conditions = LinkConditions.perfect
    conditions.downlink.bandwidth = Self.rate(&draw)
    conditions.downlink.delay = .milliseconds(500 * Int64(max(0, draw.below(5) - 2)))
    if draw.chance(20) { conditions.dnsDelay = .milliseconds(500) }
    var outages: [Range<Int64>] = []
    for _ in 0..<max(0, draw.below(5) - 2) {
      let start = Int64(draw.below(12)) * 500_000_000
      outages.append(start..<start + Int64(draw.within(1...4)) * 500_000_000)
    }
    var schedule: RateSchedule?
    if draw.chance(60) {
      let isLate = draw.chance(40)
      let steps = (0..<draw.within(1...4)).map { _ in
        RateSchedule.Step(
          duration: .milliseconds(500 * Int64(draw.within(1...4))),
          bandwidth: draw.chance(20) ? .limited(.zero) : Self.rate(&draw),
          latency: .milliseconds(isLate ? 500 * Int64(draw.below(3)) : 0))
      }
      let last = RateSchedule.Step(duration: .seconds(1), bandwidth: .limited(Self.bytes(1_000)))
      schedule = try? RateSchedule(
        steps: steps + [last], ending: draw.chance(50) ? .holds : .loops,
        clock: draw.chance(30) ? .pausedDuringLatency : .wall,
        offset: .milliseconds(500 * Int64(draw.below(6))))
    }
    link = KnownLink(conditions, schedule: schedule, outages: outages)
    requested = .zero + .milliseconds(500 * Int64(max(0, draw.below(6) - 2)))
    asked = requested + .milliseconds(500 * Int64(draw.below(8)))
    rate = draw.one(of: [
      .normal, .normal, .normal, PlaybackRate(2, over: 1), PlaybackRate(1, over: 2),
    ])
    self.draw = draw
  }

  /// In a second.
  private static func bytes(_ count: Int64) -> BitRate {
    BitRate(bitsPerSecond: count * 8, over: 1)
  }

  private static func rate(_ draw: inout Draw) -> Bandwidth {
    draw.chance(6)
      ? .unlimited : .limited(bytes(Int64(draw.one(of: [500, 1_000, 1_000, 2_000, 4_000]))))
  }

  func oracle(_ media: Oracle.Media) -> Oracle {
    Oracle(link: link, media: media, requested: requested, asked: asked, rate: rate)
  }

  private mutating func size() -> Int64 { 500 * Int64(draw.one(of: [0, 1, 1, 2, 2, 2, 3, 4, 8])) }

  private mutating func segments(_ resources: Range<Int>) -> [KnownStream.Segment] {
    var start = MediaTime.zero
    return (0..<draw.within(1...5)).map { _ in
      let end = start + .milliseconds(500 * Int64(draw.within(1...4)))
      defer { start = end }
      return KnownStream.Segment(
        start: start, end: end, bytes: size(),
        map: draw.chance(20) ? draw.within(resources.lowerBound...resources.upperBound - 1) : nil,
        key: draw.chance(20) ? draw.within(resources.lowerBound...resources.upperBound - 1) : nil)
    }
  }

  mutating func stream() -> Oracle.Media {
    let resources = (0..<5).map { _ in
      KnownStream.Resource(
        bytes: size(), served: .milliseconds(500 * Int64(max(0, draw.below(4) - 2))))
    }
    let tracks = (0..<draw.one(of: [1, 1, 1, 2, 2])).map { place in
      KnownStream.Track(
        playlist: 1 + place, segments: segments(3..<5), isNeeded: place == 0 || draw.chance(80))
    }
    // A search for room that never comes takes a year of steps where a link loops.
    let isLoop = link.schedule?.ending == .loops
    let length = tracks.map { $0.segments[$0.segments.count - 1].end }.min() ?? .zero
    let half = Int(length.nanoseconds / 500_000_000)
    var stream = KnownStream(
      resources: resources, early: draw.chance(30) ? [draw.within(3...4)] : [], tracks: tracks,
      limit: .milliseconds(500 * Int64(draw.one(of: isLoop ? [40] : [0, 1, 2, 4, 40]))),
      start: draw.chance(70) ? .zero : .milliseconds(500 * Int64(draw.below(half))), end: length)
    stream.hasPlaylists = draw.chance(50)
    if !isLoop, draw.chance(40) { stream.fetch.trackLead = Int64(draw.below(3)) }
    return .stream(stream)
  }

  mutating func fileMedia() -> Oracle.Media {
    let (seconds, hasHead) = (draw.within(1...6), draw.chance(50))
    var sizes = (0..<seconds).map { _ in size() }
    sizes[draw.below(seconds)] += 500
    let map = ByteMap(duration: .seconds(Int64(seconds)), stretch: .seconds(1), sizes: sizes)
    let file = MediaFile(
      map: map, headAtomBytes: hasHead ? max(1, size()) : 0,
      headAtomPosition: draw.chance(50) ? .end : .front)
    let end =
      draw.chance(70) ? file.duration : .milliseconds(500 * Int64(draw.within(1...2 * seconds)))
    return .file(file, end: end)
  }

  // MARK: Ladders

  mutating func ladder() -> KnownLadder {
    let (count, rungCount) = (draw.within(1...4), draw.within(1...3))
    let lengths = (0..<count).map { _ in Int64(draw.within(1...3)) }
    var resources = [KnownStream.Resource(bytes: size())]
    let rungs = (0..<rungCount).map { rung in
      let playlist = resources.count
      resources += [.init(bytes: size()), .init(bytes: size())]
      let hasMap = draw.chance(30)
      var start = Int64(0)
      return KnownLadder.Rung(
        bitsPerSecond: 8_000 * Int64(draw.within(1...rung + 2)), playlist: playlist,
        segments: lengths.map { length in
          defer { start += length }
          return KnownStream.Segment(
            start: .milliseconds(500 * start), end: .milliseconds(500 * (start + length)),
            bytes: size(), map: hasMap ? playlist + 1 : nil)
        })
    }
    let end = lengths.reduce(0, +)
    var ladder = KnownLadder(
      resources: resources, rungs: rungs,
      limit: .milliseconds(500 * Int64(draw.one(of: [0, 1, 2, 3, 4, 40]))),
      end: .milliseconds(500 * Int64(draw.chance(70) ? Int(end) : draw.within(1...Int(end)))))
    ladder.hasPlaylists = draw.chance(50)
    return ladder
  }

  func found(
    _ ladder: KnownLadder, _ asked: Instant, _ most: Int?
  ) -> AdaptiveOptimum.Finding? {
    // A change costs as much as the bits that it may gain, or nothing.
    let prices = LinearPrices(
      bit: 1_000, change: ladder.hasPlaylists ? 1_000 : 0, tenNanoseconds: 40)
    return try? AdaptiveOptimum(
      ladder, over: link, by: prices, requested: requested, asked: asked, rate: rate, most: most
    ).find()
  }

  func words(_ ladder: KnownLadder, _ asked: Instant, _ most: Int?) -> String {
    found(ladder, asked, most).map { "\($0.bound) \($0.attained)" } ?? "none"
  }

  // MARK: Twice as much

  /// Nil of a file, which begins with a byte, however little of the time that takes.
  func doubled(_ oracle: Oracle) -> Oracle? {
    guard case .stream(var stream) = oracle.media else { return nil }
    var conditions = link.conditions
    conditions.downlink.bandwidth = Self.doubled(conditions.downlink.bandwidth)
    let schedule = link.schedule.flatMap { schedule in
      try? RateSchedule(
        steps: schedule.steps.map {
          RateSchedule.Step(
            duration: $0.duration, bandwidth: Self.doubled($0.bandwidth), latency: $0.latency)
        }, ending: schedule.ending, clock: schedule.clock, offset: schedule.offset)
    }
    for place in stream.resources.indices { stream.resources[place].bytes *= 2 }
    for track in stream.tracks.indices {
      for place in stream.tracks[track].segments.indices {
        stream.tracks[track].segments[place].bytes *= 2
      }
    }
    var twice = oracle
    twice.link = KnownLink(conditions, schedule: schedule, outages: link.outages)
    twice.media = .stream(stream)
    return twice
  }

  private static func doubled(_ bandwidth: Bandwidth) -> Bandwidth {
    guard case .limited(let rate) = bandwidth else { return .unlimited }
    return .limited(BitRate(bitsPerSecond: 2 * rate.numerator, over: rate.denominator))
  }
}
