import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// What is told of requests, written as a table: who, when, what.
private struct Story {
  var estimator: Estimator

  init(_ description: EstimatorDescription) {
    estimator = Estimator(description)
  }

  /// A request of its own that takes a span from its first byte to its last.
  mutating func request(
    _ number: Int64, bytes: Int64, over span: TimeSpan, at began: Instant,
    waiting latency: TimeSpan = .zero, _ outcome: RequestOutcome = .completed
  ) {
    hear(.requested(RequestNumber(number), .main), began)
    hear(.responded(RequestNumber(number)), began + latency)
    hear(.ended(RequestNumber(number), bytes: bytes, outcome), began + latency + span)
  }

  mutating func hear(_ event: TransferEvent, _ now: Instant) {
    estimator.hear(event, at: now)
  }

  var rate: Int64? { estimator.estimate.bitsPerSecond }
}

/// A sample of each piece that has taken 0.1 s and brought 16 kB.
private let pieces = EstimatorDescription(
  .samples(
    SampleStatistics(
      .last,
      over: Sampling(
        .progress(every: .milliseconds(100), bytes: 16_000), clock: .request, leastBytes: 16_000))))

private func samples(
  _ statistics: SampleStatistic..., clock: Sampling.Clock = .response
) -> EstimatorDescription {
  EstimatorDescription(
    .samples(SampleStatistics(statistics, over: Sampling(.requestEnds, clock: clock))))
}

/// A megabyte in one second, two and four: 8, 4 and 2 Mbit/s.
private func threeRequests(_ description: EstimatorDescription) -> Int64? {
  var story = Story(description)
  story.request(1, bytes: 1_000_000, over: .seconds(1), at: seconds(0))
  story.request(2, bytes: 1_000_000, over: .seconds(2), at: seconds(10))
  story.request(3, bytes: 1_000_000, over: .seconds(4), at: seconds(20))
  return story.rate
}

@Suite struct EstimatorTests {
  @Test func `each statistic makes its own of three samples of 8, 4 and 2 Mbit per second`() {
    #expect(threeRequests(samples(.last)) == 2_000_000)
    #expect(threeRequests(samples(.mean(of: 3))) == 3_428_571)
    #expect(threeRequests(samples(.mean(of: 2))) == 2_666_666)
    #expect(threeRequests(samples(.harmonicMean(of: 3))) == 3_428_571)
    #expect(threeRequests(samples(.percentile(50, weightLimit: 2_000))) == 2_000_000)
    #expect(threeRequests(samples(.percentile(50, weightLimit: 3_000))) == 4_000_000)
    #expect(threeRequests(samples(.runningMean(limit: .seconds(100)))) == 3_428_571)
    // What came before the last sample counts as two seconds: (4 × 2 + 2 × 4) / 6.
    #expect(threeRequests(samples(.runningMean(limit: .seconds(2)))) == 3_111_111)
    #expect(threeRequests(samples(.last, .mean(of: 3))) == 2_000_000)
  }

  @Test func `a half-life halves what was before, and the first sample stands for itself`() {
    var story = Story(samples(.halfLife(.seconds(2))))
    story.request(1, bytes: 1_000_000, over: .seconds(2), at: seconds(0))
    #expect(story.rate == 4_000_000)
    story.request(2, bytes: 1_000_000, over: .seconds(4), at: seconds(10))
    // 4 Mbit/s with half of a quarter of the weight, 2 Mbit/s with three quarters.
    #expect(story.rate == 2_285_714)
    var weighted = Story(samples(.halfLife(.seconds(3), weight: 1_500)))
    weighted.request(1, bytes: 1_000_000, over: .seconds(2), at: seconds(0))
    weighted.request(2, bytes: 1_000_000, over: .seconds(4), at: seconds(10))
    #expect(weighted.rate == story.rate)
  }

  @Test func `the harmonic mean weighs rates alike, and the mean weighs seconds`() {
    var harmonic = Story(samples(.harmonicMean(of: 5)))
    var mean = Story(samples(.mean(of: 5)))
    for (index, (bytes, span)) in [(1_000_000, 1), (500_000, 4)].enumerated() {
      harmonic.request(
        Int64(index), bytes: Int64(bytes), over: .seconds(Int64(span)), at: seconds(0))
      mean.request(Int64(index), bytes: Int64(bytes), over: .seconds(Int64(span)), at: seconds(0))
    }
    #expect(harmonic.rate == 1_777_777)
    #expect(mean.rate == 2_400_000)
  }

  @Test(
    arguments: [(.request, 2_666_666), (.response, 4_000_000)] as [(Sampling.Clock, Int64)])
  func `the wait for the first byte is in the sample, or it is not`(
    clock: Sampling.Clock, expected: Int64
  ) {
    var story = Story(samples(.last, clock: clock))
    story.request(
      1, bytes: 500_000, over: .seconds(1), at: seconds(3), waiting: .milliseconds(500))
    #expect(story.rate == expected)
    #expect(story.estimator.estimate.latency == .milliseconds(500))
  }

  @Test func `a request that was cancelled counts where the player counts it`() {
    for counts in [true, false] {
      var story = Story(
        EstimatorDescription(
          .samples(
            SampleStatistics(.last, over: Sampling(.requestEnds, countsCancelled: counts)))))
      story.request(1, bytes: 500_000, over: .seconds(1), at: seconds(0), .cancelled)
      #expect(story.rate == (counts ? 4_000_000 : nil))
      story.request(2, bytes: 250_000, over: .seconds(1), at: seconds(5), .abandoned)
      #expect(story.rate == 2_000_000)
    }
  }

  @Test func `separate audio is no sample where requests of the main rendition are`() {
    for (boundary, rate) in [(.mainRequestEnds, 4_000_000), (.requestEnds, 1_000_000)]
      as [(Sampling.Boundary, Int64)]
    {
      var story = Story(
        EstimatorDescription(.samples(SampleStatistics(.last, over: Sampling(boundary)))))
      story.request(1, bytes: 500_000, over: .seconds(1), at: seconds(0))
      story.hear(.requested(RequestNumber(2), .beside), seconds(2))
      story.hear(.responded(RequestNumber(2)), seconds(2))
      story.hear(.ended(RequestNumber(2), bytes: 125_000, .completed), seconds(3))
      #expect(story.rate == rate)
    }
  }

  @Test func `pieces are cut when enough time has passed and enough bytes have come`() {
    var story = Story(pieces)
    let one = RequestNumber(1)
    story.hear(.requested(one, .main), seconds(0))
    story.hear(.responded(one), milliseconds(50))
    story.hear(.received(one, bytes: 20_000), milliseconds(90))
    #expect(story.rate == nil)
    // The first piece contains the wait for the first byte.
    story.hear(.received(one, bytes: 25_000), milliseconds(100))
    #expect(story.rate == 2_000_000)
    story.hear(.received(one, bytes: 35_000), milliseconds(250))
    #expect(story.rate == 2_000_000)
    story.hear(.received(one, bytes: 75_000), milliseconds(300))
    #expect(story.rate == 2_000_000)
    story.hear(.received(one, bytes: 125_000), milliseconds(400))
    #expect(story.rate == 4_000_000)
    // The rest is smaller than a sample has to be.
    story.hear(.ended(one, bytes: 130_000, .completed), seconds(9))
    #expect(story.rate == 4_000_000)
  }

  /// 25,000 bytes in 0.1 s are 2 Mbit/s; of the next 30,000 the last come after 5 s, 48 kbit/s.
  @Test func `a gap belongs to the piece that ends it, however often the link is looked at`() {
    for looks in [[], [2_000], [200, 201, 3_000, 4_999]] as [[Int64]] {
      var story = Story(pieces)
      let one = RequestNumber(1)
      story.hear(.requested(one, .main), seconds(0))
      story.hear(.responded(one), milliseconds(50))
      story.hear(.received(one, bytes: 25_000), milliseconds(100))
      story.hear(.received(one, bytes: 45_000), milliseconds(150))
      for look in looks { story.hear(.received(one, bytes: 45_000), milliseconds(look)) }
      #expect(story.rate == 2_000_000)
      story.hear(.received(one, bytes: 55_000), milliseconds(5_100))
      #expect(story.rate == 48_000)
    }
  }

  @Test func `two renditions share a sample over the time in which either came in`() {
    var story = Story(
      EstimatorDescription(
        .samples(SampleStatistics(.mean(of: 3), over: Sampling(.mainSegmentEnds)))))
    let (picture, sound) = (RequestNumber(1), RequestNumber(2))
    story.hear(.requested(picture, .main), seconds(0))
    story.hear(.requested(sound, .beside), seconds(0))
    story.hear(.responded(sound), seconds(1))
    story.hear(.responded(picture), seconds(2))
    story.hear(.received(sound, bytes: 125_000), seconds(5))
    story.hear(.ended(picture, bytes: 375_000, .completed), seconds(5))
    // 500,000 bytes in four seconds.
    #expect(story.rate == 1_000_000)
    story.hear(.ended(sound, bytes: 250_000, .completed), seconds(6))
    #expect(story.rate == 1_000_000)
    // The pause between six and eight seconds is nobody's: 374,999 bytes in two seconds, since the
    // byte of the audio that was under way after five belongs to the first sample.
    story.request(3, bytes: 250_000, over: .seconds(1), at: seconds(8))
    #expect(story.rate == 1_166_665)
  }

  @Test func `requests side by side share the samples that their ends cut`() {
    var story = Story(
      EstimatorDescription(
        .samples(SampleStatistics(.last, over: Sampling(.segmentEnds)))))
    let (picture, sound) = (RequestNumber(1), RequestNumber(2))
    for (request, role) in [(picture, RenditionRole.main), (sound, .beside)] {
      story.hear(.requested(request, role), seconds(0))
      story.hear(.responded(request), seconds(1))
    }
    // 500,000 bytes of both in the first second: 4 Mbit/s, of which each had the half.
    story.hear(.received(picture, bytes: 250_000), seconds(2))
    story.hear(.ended(sound, bytes: 250_000, .completed), seconds(2))
    #expect(story.rate == 4_000_000)
    // The rest comes alone, but for the byte that was under way.
    story.hear(.ended(picture, bytes: 750_001, .completed), seconds(3))
    #expect(story.rate == 4_000_000)
    // Nothing comes for five seconds, which are nobody's.
    story.request(3, bytes: 125_000, over: .seconds(1), at: seconds(8))
    #expect(story.rate == 1_000_000)
  }

  @Test(arguments: [1, 3, 9, 30, 70, 100, 170, 240, 500, 777] as [Int64])
  func `a segment given up beside audio is a sample of the whole link`(milli: Int64) {
    var story = Story(
      EstimatorDescription(
        .samples(SampleStatistics(.mean(of: 2), over: Sampling(.mainSegmentEnds)))))
    let (video, audio) = (RequestNumber(1), RequestNumber(2))
    for (request, role) in [(video, RenditionRole.main), (audio, .beside)] {
      story.hear(.requested(request, role), seconds(0))
      story.hear(.responded(request), seconds(1))
    }
    // Each of the two receives 1,000 bytes a millisecond.
    let given = milliseconds(1_000 + milli)
    story.hear(.received(audio, bytes: milli * 1_000), given)
    story.hear(.ended(video, bytes: milli * 1_000, .abandoned), given)
    #expect(story.rate == 16_000_000)
    // The audio has the link to itself then, and the next segments as well.
    story.hear(
      .ended(audio, bytes: (milli + 500) * 1_000, .completed), given + .milliseconds(250))
    for number: Int64 in [3, 4] {
      story.request(number, bytes: 1_000_000, over: .milliseconds(500), at: seconds(number))
      #expect(story.rate.map { (15_999_000...16_000_000).contains($0) } == true)
    }
  }

  @Test func `before the gate a player believes what it was given, and says so`() {
    var story = Story(
      EstimatorDescription(
        .samples(SampleStatistics(.last, over: Sampling(.requestEnds))), prior: 1_000_000,
        gate: .init(bytes: 128_000, span: .seconds(2))))
    #expect(story.rate == 1_000_000)
    #expect(!story.estimator.estimate.isReliable)
    story.request(1, bytes: 100_000, over: .milliseconds(100), at: seconds(0))
    #expect(story.rate == 1_000_000)
    story.request(2, bytes: 28_000, over: .milliseconds(100), at: seconds(1))
    #expect(story.rate == 2_240_000)
    #expect(story.estimator.estimate.isReliable)
    #expect(story.estimator.estimate.bytes == 128_000)
    #expect(story.estimator.estimate.changed == milliseconds(1_100))
  }

  @Test func `what brought nothing is no sample, and no time at all is a nanosecond`() {
    var story = Story(samples(.mean(of: 3)))
    story.request(1, bytes: 0, over: .seconds(1), at: seconds(0))
    #expect(story.rate == nil)
    story.request(2, bytes: 10, over: .zero, at: seconds(2))
    #expect(story.rate == 80_000_000_000)
    story.hear(.ended(RequestNumber(77), bytes: 5, .completed), seconds(4))
    story.hear(.responded(RequestNumber(77)), seconds(4))
    #expect(story.rate == 80_000_000_000)
  }
}

@Suite struct HistoryTests {
  private let one = RequestNumber(1)

  /// A request that brings bytes by milliseconds since its first.
  private func story(
    _ rule: HistoryRule, _ table: [(Int64, Int64)]
  ) -> (Story, rates: [Int64?]) {
    var story = Story(EstimatorDescription(.history(rule)))
    story.hear(.requested(one, .main), .zero)
    story.hear(.responded(one), .zero)
    var rates: [Int64?] = []
    for (time, bytes) in table {
      story.hear(.received(one, bytes: bytes), milliseconds(time))
      rates.append(story.rate)
    }
    return (story, rates)
  }

  @Test func `since the beginning, everything counts`() {
    let (_, rates) = story(.sinceBeginning, [(1_000, 125_000), (2_000, 500_000)])
    #expect(rates == [1_000_000, 2_000_000])
  }

  @Test func `of the wait so far, only what came after its first third counts`() {
    // A quarter of a second at 0.5 Mbit/s, one at 1 and one at 2, as in slow start, then 4 Mbit/s.
    let table: [(Int64, Int64)] = [
      (250, 15_625), (500, 46_875), (750, 109_375), (1_500, 484_375), (2_250, 859_375),
      (3_000, 1_234_375),
    ]
    // Counted from the last look before the third.
    let rates: [Int64] = [500_000, 750_000, 1_166_666, 3_000_000, 3_714_285, 4_000_000]
    #expect(story(.afterThirdOfWait, table).rates == rates)
  }

  @Test func `of a new wait, only what came since its first byte counts`() {
    // 1 Mbit/s for two seconds, then playback waits, and what comes is at 3 Mbit/s.
    var (story, _) = story(.afterThirdOfWait, [(1_000, 125_000), (2_000, 250_000)])
    story.estimator.waits()
    // The estimate stands until more than the first bytes of the wait came.
    #expect(story.rate == 1_000_000)
    for (time, bytes, rate) in [
      (5_000, 260_000, 1_000_000), (5_500, 447_500, 3_000_000), (6_000, 635_000, 3_000_000),
      (7_000, 635_001, 1_000_005), (8_000, 1_385_000, 3_000_000),
    ] as [(Int64, Int64, Int64)] {
      story.hear(.received(one, bytes: bytes), milliseconds(time))
      #expect(story.rate == rate, "\(time) ms")
    }
    #expect(story.estimator.estimate.span == .seconds(3))
    #expect(story.estimator.estimate.bytes == 1_125_000)
  }

  @Test func `a wait before the first byte changes nothing`() {
    var (story, _) = story(.afterThirdOfWait, [])
    story.estimator.waits()
    story.hear(.received(one, bytes: 125_000), milliseconds(1_000))
    #expect(story.rate == 1_000_000)
    // Of a rule that counts everything no wait is the beginning.
    var (other, _) = self.story(.sinceBeginning, [(1_000, 125_000)])
    other.estimator.waits()
    other.hear(.received(one, bytes: 125_000), milliseconds(2_000))
    other.hear(.received(one, bytes: 500_000), milliseconds(4_000))
    #expect(other.rate == 1_000_000)
  }

  @Test func `the time in which reading is suspended is nobody's`() {
    var (story, _) = story(.afterThirdOfWait, [(1_000, 125_000)])
    story.hear(.suspended(one), seconds(1))
    story.hear(.resumed(one), seconds(60))
    story.hear(.received(one, bytes: 250_000), seconds(61))
    #expect(story.rate == 1_000_000)
    #expect(story.estimator.estimate.span == .seconds(2))
  }

  @Test func `the least from one of the oldest entries needs as many entries as it says`() {
    let rule = HistoryRule.leastSince(
      .init(window: .seconds(10), leastBytes: 1_000, leastEntries: 5, newest: 3, oldest: 20))
    // Entries at 0, 1, 2, 3 and 4 s; the two oldest are looked at.
    let (_, rates) = story(
      rule, [(1_000, 1_000), (2_000, 3_000), (2_500, 3_500), (3_000, 6_000), (4_000, 10_000)])
    #expect(rates == [nil, nil, nil, nil, 20_000])
  }

  /// Two entries make an estimate: that of the beginning, and that of the end of a request that
  /// brought anything, be it less than the bytes between entries.
  @Test(arguments: [(0, nil), (1, 8), (2, 16), (999, 7_992)] as [(Int64, Int64?)])
  func `the end of a request that brought a byte is an entry`(bytes: Int64, rate: Int64?) {
    var story = Story(
      EstimatorDescription(
        .history(
          .leastSince(
            .init(
              window: .seconds(10), leastBytes: 1_000, leastEntries: 2, newest: 1, oldest: 20)))))
    story.hear(.requested(RequestNumber(1), .main), seconds(0))
    story.hear(.responded(RequestNumber(1)), seconds(0))
    story.hear(.ended(RequestNumber(1), bytes: bytes, .completed), seconds(1))
    #expect(story.rate == rate)
  }
}
