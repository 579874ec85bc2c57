import LinkConditioner
import Testing

/// When a receiver acknowledges, in milliseconds worked out by hand.
@Suite struct AcknowledgementPolicyTests {
  private static let millisecond: Int64 = 1_000_000
  private static let timeout: Int64 = 300 * millisecond

  /// Hears something at each of some times, and acknowledges it at once.
  private func policy(hearing times: [Int64]) -> AcknowledgementPolicy {
    var policy = AcknowledgementPolicy()
    for time in times {
      policy.hear(at: time * Self.millisecond, timeout: Self.timeout)
      policy.sent()
    }
    return policy
  }

  /// For how long an acknowledgement is put off, by the timer it sets.
  private func isPutOff(
    _ policy: AcknowledgementPolicy, for span: Int64, at now: Int64, roundTrip: Int64 = 0
  ) -> Bool {
    var policy = policy
    policy.delay(at: now * Self.millisecond, smoothedRoundTrip: roundTrip * Self.millisecond)
    let deadline = CoarseTimer.deadline(
      span * Self.millisecond, from: now * Self.millisecond)
    return policy.delayedAt == deadline
  }

  @Test func `the first sixteen are acknowledged at once`() {
    for count in 1...20 {
      let policy = policy(hearing: (0..<count).map { Int64($0) })
      #expect(policy.isQuick == (count < 16))
    }
    #expect(!AcknowledgementPolicy().isQuick && !AcknowledgementPolicy().isPending)
  }

  @Test func `what nobody owes is not counted`() {
    var policy = policy(hearing: (0..<15).map { Int64($0) })
    for _ in 0..<9 { policy.sent() }
    #expect(policy.isQuick && !policy.isPending)
    policy.hear(at: 15 * Self.millisecond, timeout: Self.timeout)
    #expect(policy.isPending)
    policy.sent()
    #expect(!policy.isQuick && !policy.isPending)
  }

  /// The sender may have begun again from its initial window, but not before its timeout is over.
  @Test(arguments: [(300_999_999, false), (301_000_000, true)] as [(Int64, Bool)])
  func `after a pause longer than the timeout it is quick again`(gap: Int64, isQuick: Bool) {
    var policy = policy(hearing: (0..<16).map { Int64($0) })
    policy.hear(at: 15 * Self.millisecond + gap, timeout: Self.timeout)
    #expect(policy.isQuick == isQuick)
  }

  /// Half of it stays, and the gap is added; gaps of up to 20 ms count as 20. A host counts in
  /// turns of its timer wheel, of 4 ms each.
  @Test(
    arguments: [
      ([], 40), ([1], 40), ([20], 40), ([24], 44), ([32], 52), ([36], 56), ([40], 40),
      ([36, 52], 80), ([36, 52, 76], 116), ([36, 52, 4], 60), ([36, 52, 80], 80), ([200], 40),
    ] as [([Int64], Int64)])
  func `the delay follows the gaps between arrivals`(gaps: [Int64], delay: Int64) {
    // Quickness is used up first; a delay begins anew where it ends.
    var times = (0..<16).map { Int64($0) }
    for gap in gaps { times.append(times[times.count - 1] + gap) }
    let policy = policy(hearing: times)
    #expect(isPutOff(policy, for: delay, at: times[times.count - 1]))
  }

  @Test func `nothing is put off for longer than a round trip, but for 40 ms at least`() {
    let policy = policy(hearing: (0..<16).map { Int64($0) } + [15 + 36])
    for (roundTrip, span) in [(0, 56), (52, 52), (60, 56), (45, 48), (7, 40)] as [(Int64, Int64)] {
      #expect(isPutOff(policy, for: span, at: 51, roundTrip: roundTrip))
    }
  }

  @Test func `an acknowledgement that had to wait doubles the next wait, up to 200 ms`() {
    var policy = policy(hearing: (0..<16).map { Int64($0) })
    var now: Int64 = 15
    for span in [40, 80, 160, 200, 200] as [Int64] {
      // An arrival just at the delay changes nothing of it.
      #expect(isPutOff(policy, for: span, at: now))
      policy.hearDisorder()
      policy.delay(at: now * Self.millisecond, smoothedRoundTrip: 0)
      policy.wake(timeout: Self.timeout)
      #expect(policy.delayedAt == .max && policy.isPending)
      policy.sent()
      now += 1
    }
  }

  @Test func `the sooner of two delays counts, and what is sent ends it`() {
    var policy = policy(hearing: (0..<16).map { Int64($0) })
    policy.delay(at: 100 * Self.millisecond, smoothedRoundTrip: 0)
    let first = policy.delayedAt
    policy.delay(at: 120 * Self.millisecond, smoothedRoundTrip: 0)
    #expect(policy.delayedAt == first)
    policy.sent()
    #expect(policy.delayedAt == .max)
    // Nothing is owed: to be woken changes no delay.
    policy.wake(timeout: Self.timeout)
    #expect(isPutOff(policy, for: 40, at: 200))
  }

  @Test func `who answers within the delay waits for the next answer, until one is late`() {
    var policy = policy(hearing: [0])
    policy.answered(at: 40 * Self.millisecond)
    #expect(policy.isQuick && policy.acknowledgesEnds)
    policy.answered(at: 40 * Self.millisecond - 1)
    #expect(!policy.isQuick && !policy.acknowledgesEnds)
    policy.hear(at: 50 * Self.millisecond, timeout: Self.timeout)
    policy.wake(timeout: Self.timeout)
    #expect(policy.isQuick && policy.acknowledgesEnds)
  }

  @Test func `what arrives twice is answered at once, sixteen times`() {
    var policy = policy(hearing: (0..<16).map { Int64($0) } + [15 + 36])
    policy.answered(at: 55 * Self.millisecond)
    policy.hurry()
    #expect(policy.isQuick && policy.isPending && policy.acknowledgesEnds)
    #expect(isPutOff(policy, for: 40, at: 60))
    for _ in 0..<16 {
      #expect(policy.isQuick)
      policy.hearDisorder()
      policy.sent()
    }
    #expect(!policy.isQuick)
  }

  @Test func `a window that opens is told of once`() {
    var policy = policy(hearing: (0..<16).map { Int64($0) })
    policy.quicken()
    #expect(policy.isQuick)
    policy.hearDisorder()
    policy.sent()
    #expect(!policy.isQuick)
  }
}
