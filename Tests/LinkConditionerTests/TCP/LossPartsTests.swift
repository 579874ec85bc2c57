import LinkConditioner
import Testing

/// What a sender and a receiver go by when packets are lost, in figures worked out by hand.
@Suite struct LossPartsTests {
  private static let millisecond: Int64 = 1_000_000

  // MARK: The window that a receiver advertises

  @Test func `a receive window opens by two segments with each full one, up to its limit`() {
    var window = ReceiveWindow()
    #expect(window.bytes == 65_535)
    // Less than 128 bytes are not worth it.
    let steps: [(length: Int64, opens: Bool, bytes: Int64)] = [
      (127, false, 65_535), (128, true, 68_431), (1_448, true, 71_327), (1_448, true, 74_223),
      (1_448, true, 77_119), (1_448, true, 80_015), (1_448, true, 81_920), (1_448, false, 81_920),
    ]
    for (number, step) in steps.enumerated() {
      #expect(
        window.hear(length: step.length, elapsed: 1, echo: Int32(number), waiting: 0) == step.opens)
      #expect(window.bytes == step.bytes)
    }
  }

  /// What was read in a first round trip, and how far the window opens after it.
  @Test(
    arguments: [
      (14_480, 81_920), (14_481, 81_920), (22_000, 89_700), (28_960, 173_760), (100_000, 2_562_430),
      (9_000_000, 16_777_216), (34_751_755_288, 16_777_216), (.max, 16_777_216),
    ] as [(Int64, Int64)])
  func `room is made for what comes in the next round trip`(read: Int64, limit: Int64) {
    var window = ReceiveWindow()
    _ = window.hear(length: 1_448, elapsed: 50 * Self.millisecond, echo: 1, waiting: 0)
    window.read(upTo: read, at: 50 * Self.millisecond)
    while window.hear(length: 1_448, elapsed: 50 * Self.millisecond, echo: 1, waiting: 0) {}
    #expect(window.bytes == limit)
  }

  @Test func `nothing is measured before a round trip is over, and the shortest one counts`() {
    var window = ReceiveWindow()
    window.read(upTo: 40_000, at: 900 * Self.millisecond)
    _ = window.hear(length: 1_448, elapsed: 80 * Self.millisecond, echo: 1, waiting: 0)
    _ = window.hear(length: 1_448, elapsed: 50 * Self.millisecond, echo: 2, waiting: 0)
    window.read(upTo: 40_000, at: 50 * Self.millisecond - 1)
    while window.hear(length: 1_448, elapsed: 50 * Self.millisecond, echo: 2, waiting: 0) {}
    #expect(window.bytes == 81_920)
    // From there on: 6,000 bytes are less than the first ten segments.
    window.read(upTo: 6_000, at: 50 * Self.millisecond)
    window.read(upTo: 28_000, at: 100 * Self.millisecond)
    while window.hear(length: 1_448, elapsed: 50 * Self.millisecond, echo: 2, waiting: 0) {}
    #expect(window.bytes == 89_700)
  }

  @Test func `a longer round trip counts by an eighth, and the same echo once`() {
    var window = ReceiveWindow()
    _ = window.hear(length: 1_448, elapsed: 40 * Self.millisecond, echo: 1, waiting: 0)
    for _ in 0..<9 {
      _ = window.hear(length: 1_448, elapsed: 80 * Self.millisecond, echo: 1, waiting: 0)
    }
    // (7 × 40 + 80) ÷ 8 = 45.
    _ = window.hear(length: 1_448, elapsed: 80 * Self.millisecond, echo: 2, waiting: 0)
    window.read(upTo: 22_000, at: 45 * Self.millisecond - 1)
    #expect(
      window.hear(length: 1_448, elapsed: 80 * Self.millisecond, echo: 2, waiting: 0) == false)
    window.read(upTo: 22_000, at: 45 * Self.millisecond)
    #expect(window.hear(length: 1_448, elapsed: 80 * Self.millisecond, echo: 2, waiting: 0) == true)
  }

  // MARK: RACK

  private func segment(_ sequence: Int64, sentAt: Int64, again: Bool = false) -> OutstandingSegment
  {
    var segment = OutstandingSegment(
      sequence: sequence, length: 1_448, sentAt: sentAt * Self.millisecond)
    segment.wasRetransmitted = again
    return segment
  }

  @Test
  func `of what was delivered the segment sent last counts, and of two the one that ends later`() {
    var recent = RecentDelivery()
    recent.measured(40 * Self.millisecond)
    recent.add(segment(1_448, sentAt: 10), at: 60 * Self.millisecond)
    #expect(recent.hasAdvanced && recent.roundTrip == 50 * Self.millisecond)
    #expect(recent.sentAt == 10 * Self.millisecond)
    #expect(recent.isAfter(segment(0, sentAt: 10)) && !recent.isAfter(segment(1_448, sentAt: 10)))
    #expect(recent.isAfter(segment(9_999, sentAt: 9)) && !recent.isAfter(segment(0, sentAt: 11)))
    recent.add(segment(0, sentAt: 5), at: 61 * Self.millisecond)
    #expect(recent.sentAt == 10 * Self.millisecond && recent.roundTrip == 56 * Self.millisecond)
    recent.add(segment(2_896, sentAt: 10), at: 62 * Self.millisecond)
    #expect(recent.isAfter(segment(1_448, sentAt: 10)))
  }

  @Test func `what comes sooner than a round trip after a retransmission is of the first one`() {
    var recent = RecentDelivery()
    recent.measured(40 * Self.millisecond)
    recent.add(segment(0, sentAt: 10, again: true), at: 50 * Self.millisecond - 1)
    #expect(!recent.hasAdvanced && recent.sentAt == -1)
    recent.add(segment(0, sentAt: 10, again: true), at: 50 * Self.millisecond)
    #expect(recent.hasAdvanced && recent.sentAt == 10 * Self.millisecond)
  }

  @Test func `the least round trip is kept, and is a microsecond at least`() {
    var recent = RecentDelivery()
    for (sample, least) in [(70, 70), (50, 50), (60, 50)] as [(Int64, Int64)] {
      recent.measured(sample * Self.millisecond)
      #expect(recent.minimumRoundTrip == least * Self.millisecond)
    }
    recent.measured(999)
    #expect(recent.minimumRoundTrip == 1_000)
  }

  @Test func `a segment may be overtaken for a quarter of a round trip, where that was ever seen`()
  {
    var recent = RecentDelivery()
    func window(_ isRecovering: Bool, _ selective: Int64, smoothed: Int64 = 80) -> Int64 {
      recent.reorderingWindow(
        isRecovering: isRecovering, selective: selective, smoothed: smoothed * Self.millisecond)
        / Self.millisecond
    }
    #expect(window(false, 0) == 0)
    recent.measured(40 * Self.millisecond)
    #expect(window(false, 2) == 10 && window(false, 3) == 0 && window(true, 0) == 0)
    recent.hasSeenReordering = true
    #expect(window(false, 3) == 10 && window(true, 9) == 10 && window(true, 9, smoothed: 7) == 7)
  }

  @Test func `a needless retransmission widens the window once a round, for sixteen recoveries`() {
    var recent = RecentDelivery()
    recent.measured(40 * Self.millisecond)
    recent.hasSeenReordering = true
    func window(_ smoothed: Int64 = 9_000) -> Int64 {
      recent.reorderingWindow(
        isRecovering: true, selective: 0, smoothed: smoothed * Self.millisecond)
        / Self.millisecond
    }
    recent.hearDuplicate(acknowledged: 100, next: 200)
    recent.hearDuplicate(acknowledged: 200, next: 300)
    #expect(window() == 20)
    recent.hearDuplicate(acknowledged: 201, next: 300)
    #expect(window() == 30)
    for _ in 0..<15 { recent.endRecovery() }
    #expect(window() == 30)
    recent.endRecovery()
    #expect(window() == 10)
    for round in 1...400 as ClosedRange<Int64> {
      recent.hearDuplicate(acknowledged: 1_000 * round, next: 1_000 * round + 1)
    }
    #expect(window() == 2_550)
    // Another one keeps it for sixteen more.
    for _ in 0..<15 { recent.endRecovery() }
    recent.hearDuplicate(acknowledged: 900_000, next: 900_001)
    for _ in 0..<15 { recent.endRecovery() }
    #expect(window() == 2_550)
    recent.endRecovery()
    #expect(window() == 10)
  }

  // MARK: Proportional rate reduction

  /// RFC 6937 §3: a window of ten comes down to seven while ten are acknowledged.
  @Test func `while more is under way than is to be, seven go for ten that were delivered`() {
    var reduction = RateReduction()
    #expect(
      reduction.window(delivered: 1, inFlight: 9, threshold: 7, advancesWithoutLoss: true) == nil)
    reduction.begin(window: 10)
    var (inFlight, sent) = (10 as Int64, [] as [Int64])
    for _ in 0..<10 {
      inFlight -= 1
      let window = reduction.window(
        delivered: 1, inFlight: inFlight, threshold: 7, advancesWithoutLoss: false)
      let count = max(0, (window ?? 0) - inFlight)
      for _ in 0..<count { reduction.send() }
      sent.append(count)
      inFlight += count
    }
    #expect(sent == [1, 1, 1, 0, 1, 1, 0, 0, 1, 1])
    #expect(inFlight == 7)
    #expect(
      reduction.window(delivered: 0, inFlight: 3, threshold: 7, advancesWithoutLoss: true) == nil)
  }

  @Test
  func `where less is under way, what was delivered is made up for, and one more without loss`() {
    var reduction = RateReduction()
    reduction.begin(window: 20)
    // The first retransmission goes out at once.
    #expect(
      reduction.window(delivered: 1, inFlight: 19, threshold: 10, advancesWithoutLoss: false) == 20)
    reduction.send()
    #expect(
      reduction.window(delivered: 5, inFlight: 4, threshold: 10, advancesWithoutLoss: false) == 9)
    for _ in 0..<5 { reduction.send() }
    #expect(
      reduction.window(delivered: 2, inFlight: 4, threshold: 10, advancesWithoutLoss: true) == 7)
    #expect(
      reduction.window(delivered: 9, inFlight: 8, threshold: 10, advancesWithoutLoss: true) == 10)
  }
}
