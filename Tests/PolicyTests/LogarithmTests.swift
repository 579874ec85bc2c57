import Foundation
import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// Numbers of published rules, on the edges of what can be counted and in their last places.
@Suite struct LogarithmTests {
  /// Arguments of all magnitudes, and as many about the places at which it is worked out otherwise.
  private func arguments(_ seed: UInt64) -> [Double] {
    var draw = Draw(seed: seed, part: "logarithm")
    let significand = 1 + Double(draw.below(1 << 50)) / Double(1 << 50)
    let near = Double(draw.below(2_000) - 1_000) * 1e-6
    return [
      Double(sign: .plus, exponent: draw.within(-1_040...1_020), significand: significand),
      Double(draw.magnitude(1...100_000_000)), 1 + near, 2.0.squareRoot() + near,
      Double(draw.within(100...60_000)) / 100,
    ]
  }

  @Test func `a logarithm is the number nearest to it, or in few cases the next`() {
    var (count, others) = (0, 0)
    for seed in Seeds.first(4_000, inRelease: 40_000) {
      for x in arguments(seed) {
        let (told, nearest) = (naturalLogarithm(x), Self.nearest(x))
        count += 1
        if told == nearest { continue }
        others += 1
        #expect(abs(told - nearest) <= nearest.ulp, "\(x)")
      }
    }
    #expect(others * Self.few <= count, "\(others) of \(count)")
  }

  #if arch(x86_64) && os(Linux)
    private static let few = 300
    private static func nearest(_ x: Double) -> Double { Double(log(Float80(x))) }
  #else
    // The C library's own may be the next one in some of them.
    private static let few = 4
    private static func nearest(_ x: Double) -> Double { log(x) }
  #endif

  @Test func `no power is told beyond the least and the greatest normal number`() {
    #expect(powerOfTwo(1_024) == .infinity && powerOfTwo(1_025.5) == .infinity)
    #expect(powerOfTwo((1_024.0).nextDown).isFinite)
    #expect(powerOfTwo(-1_022) == .leastNormalMagnitude)
    #expect(powerOfTwo((-1_022.0).nextDown) == 0 && powerOfTwo(-1_022.25) == 0)
    #expect(powerOfTwo(0) == 1 && powerOfTwo(-0.0) == 1)
  }

  /// 2⁵¹ bytes in 1,953,125 ns are 2⁶³ bit/s, one more than can be counted.
  @Test(
    arguments: [
      (1 << 51, 1_953_125, .max), (1 << 50, 1_953_125, 1 << 62), (1 << 61, 1, .max),
      (1 << 51, 1_953_126, 9_223_367_314_490_710_788),
    ] as [(Int64, Int64, Int64)])
  func `a rate that cannot be counted is the greatest that can`(
    bytes: Int64, span: Int64, rate: Int64
  ) {
    for statistic in [SampleStatistic.runningMean(limit: .seconds(1)), .harmonicMean(of: 1)] {
      var estimator = Estimator(
        EstimatorDescription(
          .samples(SampleStatistics([statistic], over: Sampling(.requestEnds)))))
      estimator.hear(.requested(RequestNumber(1), .main), at: .zero)
      estimator.hear(.responded(RequestNumber(1)), at: .zero)
      estimator.hear(
        .ended(RequestNumber(1), bytes: bytes, .completed),
        at: .zero + TimeSpan(nanoseconds: span))
      let told = Double(estimator.estimate.bitsPerSecond ?? 0)
      #expect(abs(told - Double(rate)) <= Double(rate) * 1e-14, "\(statistic) \(told)")
    }
  }

  @Test(arguments: [0, 1, 499, 500, 999, 1_000, 2_500, 5_000, 6_001, 123_456] as [Int64])
  func `a number of a published rule is read as it was written`(number: Int64) {
    let span = MediaTime(nanoseconds: number * 1_000_001)
    let bola = BolaRule(gamma: number, buffer: span)
    #expect(bola.gamma == number && bola.buffer == span)
    let enhanced = EnhancedBolaRule(gamma: number, buffer: span)
    #expect(enhanced.gamma == number && enhanced.buffer == span)
    #expect(SabreThroughputRule(percent: number).percent == number)
    #expect(
      DynamicRule(bola: bola, throughput: .usual, lowMark: span).lowMark == span)
    #expect(
      SabreAverage.Kind.halfLives(of: [.milliseconds(number)]).spans
        == [.milliseconds(number)])
    var weights = PredictiveRule.Weights()
    (weights.quality, weights.stalling, weights.change) = (number, number + 1, number + 2)
    #expect(PredictiveRule(horizon: 3, weights).weights == weights)
    #expect(PredictiveRule.Weights() == PredictiveSeat.usual.rule.weights)
    #expect(BolaRule(buffer: span).gamma == 5_000 && EnhancedBolaRule(buffer: span).gamma == 5_000)
  }
}
