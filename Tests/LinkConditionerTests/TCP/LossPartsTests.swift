import LinkConditioner
import Testing

/// What a sender and a receiver go by when packets are lost, in figures worked out by hand.
@Suite struct LossPartsTests {
  private static let millisecond: Int64 = 1_000_000

  // MARK: The window that a receiver advertises

  /// Hears a segment. Returns whether the window opens for it.
  private func hear(
    _ window: inout ReceiveWindow, _ length: Int64, elapsed: Int64 = 50, echo: Int32 = 1
  ) -> Bool {
    window.hear(echo: echo, elapsed: elapsed * Self.millisecond, length: length)
    return window.open(for: length, taken: 1_440)
  }

  @Test func `a receive window opens by two segments with each full one, up to its limit`() {
    var window = ReceiveWindow()
    // 44 segments of 1,460 bytes, in units of 1,024.
    #expect(window.bytes == 64_512)
    // Less than 128 bytes are not worth it; 1,440 of the limit are kept for a segment not yet read.
    let steps: [(length: Int64, opens: Bool, bytes: Int64)] = [
      (127, false, 64_512), (128, true, 67_408), (1_448, true, 70_304), (1_448, true, 73_200),
      (1_448, true, 76_096), (1_448, true, 78_992), (1_448, true, 80_480), (1_448, false, 80_480),
    ]
    for step in steps {
      #expect(hear(&window, step.length) == step.opens)
      #expect(window.bytes == step.bytes)
    }
  }

  /// The windows that a Linux receiver advertised over 2 Mbit/s and 20 ms, in units of 1,024 bytes.
  @Test func `a window is advertised in units of 1,024 bytes, and none is taken back`() {
    var window = ReceiveWindow()
    #expect(window.offered(taken: 0, left: 0) == 63 * 1_024)
    for units in [66, 69, 72, 75, 78, 79, 79, 79] as [Int64] {
      _ = hear(&window, 1_448)
      #expect(window.offered(taken: 1_440, left: 0) == units * 1_024)
    }
    #expect(window.offered(taken: 41_440, left: 0) == 40_960)
    #expect(window.offered(taken: 41_440, left: 79_448) == 79_872)
    #expect(window.offered(taken: 90_000, left: -8) == 0)
  }

  /// What was read in a first round trip, and how far the window opens after it.
  @Test(
    arguments: [
      (14_480, 81_920), (14_481, 81_920), (22_000, 89_700), (28_960, 173_760), (100_000, 2_562_430),
      (9_000_000, 16_777_216), (34_751_755_288, 16_777_216), (.max, 16_777_216),
    ] as [(Int64, Int64)])
  func `room is made for what comes in the next round trip`(read: Int64, limit: Int64) {
    var window = ReceiveWindow()
    _ = hear(&window, 1_448)
    window.read(upTo: read, left: 0, at: 50 * Self.millisecond)
    while hear(&window, 1_448) {}
    #expect(window.bytes == limit - 1_440)
  }

  @Test func `nothing is measured before a round trip is over, and the shortest one counts`() {
    var window = ReceiveWindow()
    window.read(upTo: 40_000, left: 0, at: 900 * Self.millisecond)
    _ = hear(&window, 1_448, elapsed: 80)
    _ = hear(&window, 1_448, elapsed: 50, echo: 2)
    window.read(upTo: 40_000, left: 0, at: 50 * Self.millisecond - 1)
    while hear(&window, 1_448, echo: 2) {}
    #expect(window.bytes == 80_480)
    // From there on: 6,000 bytes are less than the first ten segments.
    window.read(upTo: 6_000, left: 0, at: 50 * Self.millisecond)
    window.read(upTo: 28_000, left: 0, at: 100 * Self.millisecond)
    while hear(&window, 1_448, echo: 2) {}
    #expect(window.bytes == 88_260)
  }

  /// Reads of a Linux receiver, in segments, whose buffer then held 764,544 bytes of memory. The
  /// repair is read before the seven behind it, and the next round is counted from there.
  @Test func `a round in which a hole is filled ends at the segment that filled it`() {
    var window = ReceiveWindow()
    _ = hear(&window, 1_448, elapsed: 51)
    let reads: [(end: Int64, left: Int64, time: Int64)] = [(11, 0, 51), (14, 7, 112), (47, 0, 164)]
    for read in reads {
      window.read(
        upTo: read.end * 1_448, left: read.left * 1_448, at: read.time * Self.millisecond)
    }
    while hear(&window, 1_448) {}
    // 33 segments after 11: 2 × (33 + 2 × 33 × 22 ÷ 11) of them.
    #expect(window.bytes == 330 * 1_448 - 1_440)
  }

  @Test func `a longer round trip counts by an eighth, and the same echo once`() {
    var window = ReceiveWindow()
    _ = hear(&window, 1_448, elapsed: 40)
    for _ in 0..<9 { _ = hear(&window, 1_448, elapsed: 80) }
    // (7 × 40 + 80) ÷ 8 = 45.
    _ = hear(&window, 1_448, elapsed: 80, echo: 2)
    window.read(upTo: 22_000, left: 0, at: 45 * Self.millisecond - 1)
    #expect(!hear(&window, 1_448, elapsed: 80, echo: 2))
    window.read(upTo: 22_000, left: 0, at: 45 * Self.millisecond)
    #expect(hear(&window, 1_448, elapsed: 80, echo: 2))
  }

  @Test func `an acknowledgement without data uses up its echo, and no time at all is no sample`() {
    var window = ReceiveWindow()
    window.hear(echo: 1, elapsed: 20 * Self.millisecond, length: 0)
    _ = hear(&window, 1_448, elapsed: 30)
    _ = hear(&window, 1_448, elapsed: 0, echo: 2)
    window.read(upTo: 28_960, left: 0, at: 900 * Self.millisecond)
    while hear(&window, 1_448, elapsed: 0, echo: 2) {}
    #expect(window.bytes == 80_480)
    // The next echo gives the first sample, and the round before it counts from then on.
    _ = hear(&window, 1_448, elapsed: 60, echo: 3)
    window.read(upTo: 28_960, left: 0, at: 900 * Self.millisecond)
    while hear(&window, 1_448, elapsed: 0, echo: 3) {}
    #expect(window.bytes == 173_760 - 1_440)
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
