import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// A stream over a link of constant rate, worked out second by second and without the rule.
private struct ExampleStream {
  var rate: Int64
  var link: Int64
  var latency: TimeSpan
  /// Lengths of the segments in milliseconds.
  var lengths: [Int64]
  /// How many segments are there, and what of the next.
  var there = 1
  var received: Int64 = 0
  var hasResponded = false
  var sizes: [Int64] = []
  var playback = PlaybackRate.normal

  var boundaries: [Int64] { lengths.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) } }

  func bytes(_ index: Int) -> Double {
    sizes.isEmpty ? Double(lengths[index]) * Double(rate) / 8_000 : Double(sizes[index])
  }

  var ladder: Ladder {
    let sums = sizes.reduce(into: [Int64(0)]) { $0.append(($0.last ?? 0) + $1) }
    return Ladder(
      rungs: [Ladder.Rung(bandwidth: rate, bytes: sizes.isEmpty ? [] : sums)],
      boundaries: boundaries.map { .milliseconds($0) })
  }

  func snapshot(_ wait: Wait) -> Snapshot {
    let edge = MediaTime.milliseconds(boundaries[there])
    return Snapshot(
      now: seconds(100), source: .segmented, wait: wait, rate: playback, loadedEnd: edge,
      end: .milliseconds(boundaries.last ?? 0),
      stream: StreamFacts(
        variant: 0, nextSegment: there, received: received,
        request: RequestFacts(
          began: seconds(100), responded: hasResponded ? seconds(100) : nil),
        wholeSegments: Int64(there)))
  }

  /// How long a start must wait, in seconds, so that no segment is late.
  var wait: Double {
    var (clock, longest) = (0.0, -Double.infinity)
    for index in there..<lengths.count {
      let isFirst = index == there
      if !(isFirst && hasResponded) { clock += Double(latency.nanoseconds) / 1e9 }
      clock += (bytes(index) - (isFirst ? Double(received) : 0)) * 8 / Double(link)
      let speed = Double(playback.numerator) / Double(playback.denominator)
      longest = max(longest, clock - Double(boundaries[index]) / 1_000 / speed)
    }
    return longest
  }

  var estimate: Estimate {
    Estimate(bitsPerSecond: link, latency: latency, isReliable: true)
  }
}

@Suite struct StreamForecastTests {
  private let rule = ReadinessRule.playThrough(PlayThrough())

  private func drawn(_ random: inout RandomStream) -> ExampleStream {
    let count = random.next(in: 2...60)
    let regular = random.next(in: 500...10_000)
    let isRegular = random.next(in: 0...2) > 0
    var lengths = (0..<count).map { _ in
      isRegular ? regular : random.next(in: 500...10_000)
    }
    if isRegular { lengths[lengths.count - 1] = random.next(in: 1...regular) }
    let rate = random.next(in: 200...8_000) * 1_000
    var stream = ExampleStream(
      rate: rate, link: scaled(rate, by: random.next(in: 50...300), over: 100, rounding: .down),
      latency: .milliseconds(random.next(in: 0...300)), lengths: lengths)
    stream.there = Int(random.next(in: 1...min(5, count - 1)))
    stream.hasResponded = random.next(in: 0...1) == 0
    if stream.hasResponded {
      stream.received = Int64(stream.bytes(stream.there)) * random.next(in: 0...9) / 10
    }
    if random.next(in: 0...3) == 0 { stream.playback = PlaybackRate(3, over: 2) }
    if random.next(in: 0...3) == 0 {
      stream.sizes = lengths.map { $0 * rate / 8_000 * random.next(in: 50...150) / 100 }
      stream.received = min(stream.received, stream.sizes[stream.there])
    }
    return stream
  }

  @Test func `the wait is that of the latest segment, round trips included`() {
    let count = Seeds.count(500, inRelease: 5_000)
    var random = RandomStream(seed: 9, name: "stream forecast")
    var wrong: [String] = []
    var (yes, no) = (0, 0)
    for _ in 0..<count {
      let stream = drawn(&random)
      let verdict = rule.verdict(on: stream.snapshot(.start), stream.estimate, stream.ladder)
      let wait = stream.wait
      // The playlist gives no sizes, so a segment may be a byte more than is expected.
      let grain = 16.0 * Double(stream.lengths.count) / Double(stream.link) + 1e-6
      if verdict.answer {
        yes += 1
        if wait > grain { wrong.append("\(stream) waits \(wait)") }
      } else {
        no += 1
        let said = Double((verdict.changesAt - seconds(100)).nanoseconds) / 1e9
        if abs(said - wait) > grain { wrong.append("\(stream): \(said), not \(wait)") }
      }
    }
    #expect(wrong.prefix(3) == [])
    #expect(yes * 10 > count && no * 10 > count)
  }

  @Test func `a stream below its bit rate keeps up from the instant that the arithmetic says`() {
    // Ten segments of 6 s at 4 Mbit/s over 3 Mbit/s, three of them there after 24 s: the last is
    // there 56 s later and due after 54.
    let stream = ExampleStream(
      rate: 4_000_000, link: 3_000_000, latency: .zero,
      lengths: Array(repeating: 6_000, count: 10), there: 3)
    #expect(
      rule.verdict(on: stream.snapshot(.start), stream.estimate, stream.ladder).plain
        == ReadinessVerdict(false, .someByteLate, changesAt: seconds(102)))
  }

  @Test func `a link that sustains the bit rate and not the round trips does not keep up`() {
    var stream = ExampleStream(
      rate: 1_000_000, link: 1_000_000, latency: .milliseconds(300),
      lengths: Array(repeating: 1_000, count: 60))
    #expect(
      rule.verdict(on: stream.snapshot(.start), stream.estimate, stream.ladder).clause
        == .someByteLate)
    stream.latency = .zero
    #expect(
      rule.verdict(on: stream.snapshot(.start), stream.estimate, stream.ladder)
        == ReadinessVerdict(true, .throughputSustains))
  }

  /// 2 s and a twentieth of the wait so far, which grows meanwhile.
  @Test(arguments: [0, 20, 90, 400, 840] as [Int64], [0, 3, 20, 60] as [Int64])
  func `over packets a start keeps clear of what nobody can foresee`(
    latency: Int64, waited: Int64
  ) throws {
    let rule = ReadinessRule.playThrough(PlayThrough(margin: .standard))
    let stream = ExampleStream(
      rate: 4_000_000, link: 3_000_000, latency: .milliseconds(latency),
      lengths: Array(repeating: 6_000, count: 10), there: 3)
    var snapshot = stream.snapshot(.start)
    snapshot.waitBegan = seconds(100 - waited)
    let flowing = rule.verdict(on: snapshot, stream.estimate, stream.ladder)
    snapshot.stream?.flows = false
    let packets = rule.verdict(on: snapshot, stream.estimate, stream.ladder)
    let said = Double((packets.changesAt - seconds(100)).nanoseconds) / 1e9
    let margin = 2 + Double(waited) / 20
    #expect(abs(said - (stream.wait + margin) / 0.95) < 1e-6)
    #expect(abs(Double((flowing.changesAt - seconds(100)).nanoseconds) / 1e9 - stream.wait) < 1e-6)
    // At that instant it is ready, with the margin as it is then.
    snapshot.now = packets.changesAt
    snapshot.stream?.request?.responded = seconds(100)
    snapshot.stream?.received = Int64((said - Double(latency) / 1_000) * 3_000_000 / 8) + 1
    #expect(rule.verdict(on: snapshot, stream.estimate, stream.ladder).answer)
    // While it plays a player says how it is.
    var playing = stream.snapshot(.nothing)
    playing.stream?.flows = false
    let exact = rule.verdict(on: stream.snapshot(.nothing), stream.estimate, stream.ladder)
    #expect(rule.verdict(on: playing, stream.estimate, stream.ladder) == exact)
  }

  @Test func `while playing only an event brings a stream nearer`() {
    let stream = ExampleStream(
      rate: 4_000_000, link: 3_000_000, latency: .zero,
      lengths: Array(repeating: 6_000, count: 10), there: 3)
    #expect(
      rule.verdict(on: stream.snapshot(.nothing), stream.estimate, stream.ladder).plain
        == ReadinessVerdict(false, .someByteLate))
  }

  @Test func `a live stream has no end, and its throughput decides`() {
    for (link, clause) in [
      (4_000_000, ReadinessClause.throughputSustains), (3_999_999, .throughputFallsShort),
    ] {
      let stream = ExampleStream(
        rate: 4_000_000, link: Int64(link), latency: .zero, lengths: [6_000, 6_000])
      var snapshot = stream.snapshot(.start)
      snapshot.stream?.goesOn = true
      let verdict = rule.verdict(on: snapshot, stream.estimate, stream.ladder)
      #expect(verdict.clause == clause)
      #expect(verdict.answer == (clause == .throughputSustains))
    }
  }

  /// Segments of 6 s at 2 Mbit/s, of which two are there and some are listed: media ahead, and the
  /// wait of a start, in milliseconds.
  ///
  /// One that takes 5 s waits until what is ahead lasts as long. A round trip of 0.1 s for each is
  /// 0.1 s more late with each that is listed.
  @Test(
    arguments: [
      (100, 6, 2_400_000, 0, 4_900), (100, 3, 2_400_000, 0, 4_900), (100, 2, 2_400_000, 0, 0),
      (4_999, 6, 2_400_000, 0, 1), (5_000, 6, 2_400_000, 0, 0), (6_000, 6, 2_000_000, 0, 0),
      (6_000, 6, 2_000_000, 100, 400), (6_000, 4, 2_000_000, 100, 200),
      (6_000, 6, 2_400_000, 1_000, 0), (3_000, 6, 6_000_000, 0, 0),
      (1_000, 6, 6_000_000, 500, 1_500), (9_000, 3, 2_000_000, 3_000, 0),
    ] as [(Int64, Int, Int64, Int64, Int64)])
  func `a live start waits for the segments that are listed, and for no others`(
    ahead: Int64, listed: Int, link: Int64, latency: Int64, wait: Int64
  ) {
    let rule = ReadinessRule.playThrough(PlayThrough(margin: .standard))
    let stream = ExampleStream(
      rate: 2_000_000, link: link, latency: .milliseconds(latency),
      lengths: Array(repeating: 6_000, count: 20), there: 2)
    for flows in [true, false] {
      var snapshot = stream.snapshot(.start)
      snapshot.playhead = .milliseconds(12_000 - ahead)
      snapshot.end = .distantFuture
      snapshot.stream?.goesOn = true
      snapshot.stream?.flows = flows
      snapshot.stream?.listedEnd = .seconds(Int64(listed) * 6)
      let verdict = rule.verdict(on: snapshot, stream.estimate, stream.ladder)
      #expect(verdict.clause == (wait == 0 ? .throughputSustains : .someByteLate))
      #expect(verdict.answer == (wait == 0))
      if wait > 0 { #expect(verdict.changesAt == milliseconds(100_000 + wait)) }
      snapshot.stream?.hasSlid = true
      #expect(!rule.verdict(on: snapshot, stream.estimate, stream.ladder).answer)
    }
  }

  @Test func `without a whole segment, or an estimate, nothing is predicted`() {
    let stream = ExampleStream(
      rate: 4_000_000, link: 9_000_000, latency: .zero, lengths: [6_000, 6_000])
    var snapshot = stream.snapshot(.start)
    #expect(rule.verdict(on: snapshot, Estimate(), stream.ladder).clause == .noThroughput)
    snapshot.stream?.wholeSegments = 0
    #expect(
      rule.verdict(on: snapshot, stream.estimate, stream.ladder).clause == .noWholeSegment)
    snapshot.loadedEnd = snapshot.end
    #expect(
      rule.verdict(on: snapshot, stream.estimate, stream.ladder).clause == .everythingLoaded)
  }

  @Test func `a safety factor asks for so many times the throughput`() {
    let stream = ExampleStream(
      rate: 1_000_000, link: 1_500_000, latency: .zero,
      lengths: Array(repeating: 4_000, count: 20))
    let twice = ReadinessRule.playThrough(PlayThrough(safety: SafetyFactor(2)))
    // 19 segments of 8/3 s each are there after 152/3 s; the last is due after 38, twice as fast.
    #expect(
      twice.verdict(on: stream.snapshot(.start), stream.estimate, stream.ladder).plain
        == ReadinessVerdict(
          false, .someByteLate, changesAt: Instant(nanoseconds: 112_666_666_667)))
  }

  /// A rate beside the pictures, second for second, is as good as a higher bit rate of theirs.
  @Test(arguments: [1, 20, 64, 250, 1_000] as [Int64], [700, 1_000, 4_000] as [Int64])
  func `subtitles take their part of the link`(subtitles: Int64, pictures: Int64) {
    for link in [-40, -1, 0, 1, 40, 300].map({ pictures + subtitles + $0 }) where link > 0 {
      for (count, there) in [(20, 1), (3, 2), (60, 4)] {
        let alone = ExampleStream(
          rate: (pictures + subtitles) * 1_000, link: link * 1_000, latency: .milliseconds(100),
          lengths: Array(repeating: 6_000, count: count), there: there)
        let expected = rule.verdict(on: alone.snapshot(.start), alone.estimate, alone.ladder)
        var stream = alone
        stream.rate = pictures * 1_000
        var snapshot = stream.snapshot(.start)
        snapshot.stream?.subtitleRate = subtitles * 1_000
        let verdict = rule.verdict(on: snapshot, stream.estimate, stream.ladder)
        #expect(verdict.answer == expected.answer && verdict.clause == expected.clause)
        let late = (verdict.late ?? .zero) - (expected.late ?? .zero)
        #expect(abs(late.nanoseconds) < 1_000_000)
        snapshot.stream?.goesOn = true
        #expect(
          rule.verdict(on: snapshot, stream.estimate, stream.ladder).clause
            == (link < pictures + subtitles ? .throughputFallsShort : .throughputSustains))
      }
    }
  }
}
