import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// What estimators by samples make of a request that is not read all the time.
@Suite struct SuspendedReadingTests {
  private let one = RequestNumber(1)
  private let two = RequestNumber(2)

  private func estimator(
    _ boundary: Sampling.Boundary, _ clock: Sampling.Clock = .response
  ) -> Estimator {
    Estimator(
      EstimatorDescription(
        .samples(SampleStatistics(.last, over: Sampling(boundary, clock: clock)))))
  }

  @Test func `a sample is what came over the time in which it came, without the pause`() {
    var estimator = estimator(.progress(every: .seconds(2), bytes: 0))
    estimator.hear(.requested(one, .main), at: seconds(1))
    estimator.hear(.responded(one), at: seconds(2))
    // 4 Mbit/s for one and a half seconds, and after four more seconds again.
    estimator.hear(.suspended(one), at: milliseconds(3_500))
    estimator.hear(.resumed(one), at: milliseconds(7_500))
    estimator.hear(.received(one, bytes: 950_000), at: milliseconds(7_900))
    #expect(estimator.estimate.bitsPerSecond == nil)
    estimator.hear(.received(one, bytes: 1_250_000), at: milliseconds(8_500))
    #expect(estimator.estimate.bitsPerSecond == 4_000_000)
    #expect(estimator.estimate.span == .milliseconds(2_500))
    // The rest: half a second, a pause, and half a second at half the speed.
    estimator.hear(.suspended(one), at: seconds(9))
    estimator.hear(.resumed(one), at: seconds(20))
    estimator.hear(.ended(one, bytes: 1_625_000, .completed), at: milliseconds(20_500))
    #expect(estimator.estimate.bitsPerSecond == 3_000_000)
  }

  @Test func `the wait for the first byte stays in a sample that is read with a pause`() {
    var estimator = estimator(.requestEnds, .request)
    estimator.hear(.requested(one, .main), at: seconds(10))
    estimator.hear(.responded(one), at: seconds(11))
    estimator.hear(.suspended(one), at: seconds(12))
    estimator.hear(.resumed(one), at: seconds(40))
    // A second of waiting and two of reading: 600,000 bytes in three seconds.
    estimator.hear(.ended(one, bytes: 600_000, .completed), at: seconds(41))
    #expect(estimator.estimate.bitsPerSecond == 1_600_000)
  }

  @Test func `what both renditions bring around a pause is counted over the same time`() {
    var estimator = estimator(.mainSegmentEnds, .request)
    estimator.hear(.requested(one, .main), at: seconds(0))
    estimator.hear(.requested(two, .beside), at: seconds(0))
    estimator.hear(.responded(one), at: seconds(1))
    estimator.hear(.responded(two), at: seconds(1))
    for number in [one, two] { estimator.hear(.suspended(number), at: seconds(3)) }
    for number in [one, two] { estimator.hear(.resumed(number), at: seconds(50)) }
    estimator.hear(.received(two, bytes: 100_000), at: seconds(51))
    // 500,000 bytes in one second of waiting and three of reading.
    estimator.hear(.ended(one, bytes: 400_000, .completed), at: seconds(51))
    #expect(estimator.estimate.bitsPerSecond == 1_000_000)
  }

  /// Bytes per millisecond, the least time of a piece and its least bytes, and how long it is read
  /// and rests in turn: all in milliseconds.
  static let cases: [(link: Int64, every: Int64, bytes: Int64, reads: Int64, rests: Int64)] = [
    (500, 2_000, 0, 1_500, 2_500), (500, 700, 0, 300, 9_000), (375, 1_000, 16_000, 999, 1),
    (1_000, 100, 16_000, 30, 70), (1_000, 0, 100_000, 70, 700), (212, 250, 0, 249, 251),
    (913, 3_000, 0, 40, 11), (75, 500, 40_000, 120, 1_300), (2_500, 50, 1, 7, 3),
    (1_500, 4_000, 1_000_000, 3_999, 5_001), (62, 5_000, 0, 1, 99), (6_250, 10, 90_000, 9, 13),
  ]

  @Test(arguments: Seeds.cases(of: cases), Sampling.Clock.allCases)
  func `over a constant link no piece is faster than the link, however often reading rests`(
    test: (link: Int64, every: Int64, bytes: Int64, reads: Int64, rests: Int64),
    clock: Sampling.Clock
  ) {
    var estimators = [
      Sampling.Boundary.progress(every: .milliseconds(test.every), bytes: test.bytes),
      .requestEnds, .mainSegmentEnds,
    ].map { estimator($0, clock) }
    var (bytes, said) = (Int64(0), 0)
    func tell(_ event: TransferEvent, _ time: Int64) {
      for index in estimators.indices {
        estimators[index].hear(event, at: milliseconds(time))
        guard let rate = estimators[index].estimate.bitsPerSecond else { continue }
        said += 1
        #expect(rate <= test.link * 8_000)
      }
    }
    tell(.requested(one, .main), 0)
    tell(.responded(one), 40)
    var isRead = true
    for time in 41...20_000 as ClosedRange<Int64> {
      if isRead { bytes += test.link }
      if time % 3 == 0 { tell(.received(one, bytes: bytes), time) }
      let turn = (time - 40) % (test.reads + test.rests)
      if isRead, turn >= test.reads {
        isRead = false
        tell(.suspended(one), time)
      } else if !isRead, turn < test.reads {
        isRead = true
        tell(.resumed(one), time)
      }
    }
    if !isRead { tell(.resumed(one), 20_000) }
    tell(.ended(one, bytes: bytes, .completed), 20_000)
    #expect(said >= 3)
  }
}
