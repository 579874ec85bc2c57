import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// Throughputs of past spans, against all that was heard, looked through from the beginning.
@Suite struct HistoryPropertyTests {
  private struct Mark {
    var active: Int64
    var bytes: Int64
  }

  private static func rate(_ bytes: Int64, _ active: Int64) -> Int64 {
    Int64(Int128(bytes) * 8_000_000_000 / Int128(max(1, active)))
  }

  /// Requests one after the other, with rests between them and within them: what each has brought
  /// in all is told after so much time of reading.
  private struct Reader {
    var estimator: Estimator
    var now = seconds(1)
    var active: Int64 = 0
    private var number: Int64 = 0
    private var ofRequest: Int64 = 0

    init(_ description: EstimatorDescription) {
      estimator = Estimator(description)
      begin()
    }

    private var request: RequestNumber { RequestNumber(number) }

    mutating func begin() {
      (number, ofRequest) = (number + 1, 0)
      estimator.hear(.requested(request, .main), at: now)
      now = now + .milliseconds(70)
      estimator.hear(.responded(request), at: now)
    }

    mutating func rest(_ span: Int64) {
      estimator.hear(.suspended(request), at: now)
      now = now + .milliseconds(span)
      estimator.hear(.resumed(request), at: now)
    }

    mutating func read(_ bytes: Int64, over span: Int64, isLast: Bool = false) {
      now = now + .milliseconds(span)
      active += span * 1_000_000
      ofRequest += bytes
      estimator.hear(
        isLast
          ? .ended(request, bytes: ofRequest, .completed) : .received(request, bytes: ofRequest),
        at: now)
    }

    var hasBrought: Bool { ofRequest > 0 }
    var rate: Int64? { estimator.estimate.bitsPerSecond }
  }

  @Test func `the least since one of the oldest entries is the one that all entries show`() {
    var known = 0
    for seed in Seeds.first(60, inRelease: 600) {
      var draw = Draw(seed: seed, part: "least since")
      let rule = HistoryRule.SinceRule(
        window: .milliseconds(Int64(draw.within(1...30)) * 200),
        leastBytes: Int64(draw.within(1...20)) * 100, leastEntries: Int32(draw.within(1...6)),
        newest: Int32(draw.below(4)), oldest: Int32(draw.within(1...8)))
      var reader = Reader(EstimatorDescription(.history(.leastSince(rule))))
      var (marks, bytes, expected) = ([Mark(active: 0, bytes: 0)], Int64(0), Int64?.none)
      for step in 0..<250 {
        if draw.chance(10) { reader.rest(Int64(draw.within(1...4_000))) }
        let (new, span) = (Int64(draw.below(6)) * 100, Int64(draw.within(1...300)))
        let isLast = draw.chance(4)
        reader.read(new, over: span, isLast: isLast)
        bytes += new
        let isEnough = new > 0 && bytes - (marks.last?.bytes ?? 0) >= rule.leastBytes
        // The end of a request makes an entry, however little it brought since the last.
        for _ in 0..<(isEnough ? 1 : 0) + (isLast && reader.hasBrought ? 1 : 0) {
          marks.removeAll { $0.active < reader.active - rule.window.nanoseconds }
          marks.append(Mark(active: reader.active, bytes: bytes))
          let looked = marks.prefix(max(0, min(Int(rule.oldest), marks.count - Int(rule.newest))))
          expected =
            marks.count < rule.leastEntries
            ? nil
            : looked.map { Self.rate(bytes - $0.bytes, reader.active - $0.active) }.min()
        }
        #expect(reader.rate == expected, "\(seed) \(step) \(rule)")
        known += expected == nil ? 0 : 1
        if isLast { reader.begin() }
      }
    }
    #expect(known > 1_000)
  }

  @Test func `after a third of the wait the rate is that of what came since, and else stands`() {
    var stood = 0
    for seed in Seeds.first(60, inRelease: 600) {
      var draw = Draw(seed: seed, part: "after third")
      let gate = EstimatorDescription.Gate(
        bytes: Int64(draw.within(1...40)) * 1_000,
        span: .milliseconds(Int64(draw.within(1...9_000))))
      func isPassed(_ mark: Mark) -> Bool {
        mark.bytes >= gate.bytes || mark.active >= gate.span.nanoseconds
      }
      var reader = Reader(
        EstimatorDescription(.history(.afterThirdOfWait), prior: 77_000, gate: gate))
      var (marks, bytes, began) = ([Mark(active: 0, bytes: 0)], Int64(0), Int64(0))
      var (noted, rate, said) = (Mark(active: 0, bytes: 0), Int64?.none, Int64?.none)
      var awaits = false
      for step in 0..<200 {
        if draw.chance(10) { reader.rest(Int64(draw.within(1...4_000))) }
        if draw.chance(5) {
          reader.estimator.waits()
          awaits = bytes > 0
        }
        let (new, span) = (Int64(draw.below(5)) * 1_500, Int64(draw.within(1...400)))
        reader.read(new, over: span)
        if new > 0, awaits {
          // The first bytes of a wait were on their way before it.
          (awaits, bytes, began, marks) = (false, 0, reader.active, [Mark(active: 0, bytes: 0)])
        } else if new > 0 {
          bytes += new
          let active = reader.active - began
          if let last = marks.last, active - last.active >= active / 64 {
            marks.append(Mark(active: active, bytes: bytes))
          }
          while marks.count > 1, marks[1].active < active / 3 { marks.removeFirst() }
          rate = Self.rate(bytes - marks[0].bytes, active - marks[0].active)
        }
        let here = Mark(active: reader.active - began, bytes: bytes)
        if said == nil || isPassed(here) { (noted, said) = (here, rate) } else { stood += 1 }
        let estimate = reader.estimator.estimate
        let expected = isPassed(noted) ? said : nil
        #expect(estimate.bitsPerSecond == expected ?? 77_000, "\(seed) \(step)")
        #expect(estimate.isReliable == (expected != nil))
        #expect(estimate.bytes == noted.bytes && estimate.span.nanoseconds == noted.active)
      }
    }
    #expect(stood > 100)
  }

  // MARK: Samples

  private func story(
    _ sampling: Sampling, _ events: [(TransferEvent, Int64)]
  ) -> Estimate {
    var estimator = Estimator(
      EstimatorDescription(.samples(SampleStatistics(.last, over: sampling))))
    for (event, microseconds) in events {
      estimator.hear(event, at: .zero + .microseconds(microseconds))
    }
    return estimator.estimate
  }

  private let one = RequestNumber(1)
  private let two = RequestNumber(2)

  /// Of a thousand bytes and ten milliseconds at least.
  @Test(
    arguments: [
      (999, 20_000, nil), (1_000, 20_000, 400_000), (1_001, 20_000, 400_400),
      (5_000, 9_999, nil), (5_000, 10_000, 4_000_000), (5_000, 10_001, 3_999_600), (0, 50_000, nil),
    ] as [(Int64, Int64, Int64?)])
  func `a sample counts from its least bytes and its least time on`(
    bytes: Int64, microseconds: Int64, rate: Int64?
  ) {
    let sampling = Sampling(.requestEnds, leastBytes: 1_000, leastSpan: .milliseconds(10))
    let estimate = story(
      sampling,
      [
        (.requested(one, .main), 0), (.responded(one), 7_000),
        (.ended(one, bytes: bytes, .completed), 7_000 + microseconds),
      ])
    #expect(estimate.bitsPerSecond == rate)
    #expect(estimate.bytes == (rate == nil ? 0 : bytes))
    #expect(estimate.changed == (rate == nil ? .zero : .zero + .microseconds(7_000 + microseconds)))
  }

  /// Each hundred milliseconds, where 16,000 bytes have come by then.
  @Test(
    arguments: [
      (16_000, 99_999, nil), (16_000, 100_000, 1_280_000), (16_000, 100_001, 1_279_987),
      (15_999, 100_000, nil), (16_001, 100_000, 1_280_080), (15_999, 900_000, nil),
    ] as [(Int64, Int64, Int64?)])
  func `a piece is cut with its least bytes at its time, and not before`(
    bytes: Int64, microseconds: Int64, rate: Int64?
  ) {
    let sampling = Sampling(.progress(every: .milliseconds(100), bytes: 16_000))
    let estimate = story(
      sampling,
      [
        (.requested(one, .main), 0), (.responded(one), 7_000),
        (.received(one, bytes: bytes), 7_000 + microseconds),
      ])
    #expect(estimate.bitsPerSecond == rate)
  }

  /// A second at a megabit a second; then another, or not, in the same sample.
  @Test(
    arguments: [
      (RequestOutcome.completed, false, 2_000_000), (.abandoned, false, 2_000_000),
      (.cancelled, false, 1_500_000), (.failed, false, 1_500_000), (.cancelled, true, 2_000_000),
    ] as [(RequestOutcome, Bool, Int64)])
  func `what was cancelled is part of the next sample of all renditions`(
    outcome: RequestOutcome, counts: Bool, rate: Int64
  ) {
    let sampling = Sampling(.mainSegmentEnds, countsCancelled: counts)
    let estimate = story(
      sampling,
      [
        (.requested(one, .main), 0), (.responded(one), 0),
        (.ended(one, bytes: 125_000, outcome), 1_000_000),
        (.requested(two, .main), 1_000_000), (.responded(two), 1_000_000),
        (.ended(two, bytes: 250_000, .completed), 2_000_000),
      ])
    #expect(estimate.bitsPerSecond == rate)
  }

  /// Neither what is not answered yet nor what is not read shares a sample with what is.
  @Test func `of what comes beside it a sample has what is being read`() {
    for (isRead, rate) in [(true, 3_000_000), (false, 2_000_000)] as [(Bool, Int64)] {
      var events: [(TransferEvent, Int64)] = [
        (.requested(one, .main), 0), (.responded(one), 0), (.requested(two, .beside), 0),
        (.responded(two), 0),
      ]
      if !isRead { events.append((.suspended(two), 0)) }
      events += [
        (.received(two, bytes: isRead ? 125_000 : 0), 1_000_000),
        (.ended(one, bytes: 250_000, .completed), 1_000_000),
      ]
      #expect(story(Sampling(.mainSegmentEnds), events).bitsPerSecond == rate)
    }
  }

  // MARK: Waits for a first byte

  @Test func `the least of the last three waits for a first byte is believed in`() {
    var estimator = Estimator(
      EstimatorDescription(.samples(SampleStatistics(.last, over: Sampling(.requestEnds)))))
    #expect(estimator.estimate.latency == nil)
    var told: [Int64] = []
    for (number, wait) in [500, 300, 900, 700, 800, 100, 950, 960, 970].enumerated() {
      let (request, began) = (RequestNumber(Int64(number)), seconds(Int64(number) * 10))
      estimator.hear(.requested(request, .main), at: began)
      estimator.hear(.responded(request), at: began + .milliseconds(Int64(wait)))
      // Only the first answer counts.
      estimator.hear(.responded(request), at: began + .milliseconds(1))
      estimator.hear(.ended(request, bytes: 9, .completed), at: began + .seconds(2))
      told.append((estimator.estimate.latency ?? .zero).nanoseconds / 1_000_000)
    }
    #expect(told == [500, 300, 300, 300, 700, 100, 100, 100, 950])
    // An answer that a server held back says nothing; a round trip counts as it is told.
    for (trip, isHeld, latency) in [(nil, true, 950), (40, true, 950), (40, false, 40)]
      as [(Int64?, Bool, Int64)]
    {
      let request = RequestNumber(99)
      estimator.hear(.requested(request, .main), at: seconds(200))
      estimator.hear(
        .responded(request, trip: trip.map { .milliseconds($0) }, isHeld: isHeld),
        at: seconds(201))
      estimator.hear(.ended(request, bytes: 9, .completed), at: seconds(202))
      #expect(estimator.estimate.latency == .milliseconds(latency))
    }
  }
}
