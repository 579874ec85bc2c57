package import VirtualTime

// The numbers of published rules as the house has them elsewhere: exact.

extension BolaRule {
  /// - Parameter gamma: γp, in thousandths.
  package init(
    gamma: Int64 = 5_000, buffer: MediaTime, isBasic: Bool = false, avoidsOscillation: Bool = false
  ) {
    self.init(
      gammaP: Double(gamma) / 1_000, bufferSize: buffer.milliseconds, isBasic: isBasic,
      avoidsOscillation: avoidsOscillation)
  }

  package var gamma: Int64 { thousandths(gammaP) }
  package var buffer: MediaTime { .milliseconds(exactly: bufferSize) }
}

extension EnhancedBolaRule {
  package init(
    gamma: Int64 = 5_000, buffer: MediaTime, avoidsOscillation: Bool = false,
    hasBufferRule: Bool = true
  ) {
    self.init(
      bufferSize: buffer.milliseconds, avoidsOscillation: avoidsOscillation,
      hasBufferRule: hasBufferRule, gammaP: Double(gamma) / 1_000)
  }

  package var gamma: Int64 { thousandths(gammaP) }
  package var buffer: MediaTime { .milliseconds(exactly: bufferSize) }
}

extension SabreThroughputRule {
  package init(percent: Int64, hasBufferRule: Bool = true) {
    self.init(safety: Double(percent) / 100, hasBufferRule: hasBufferRule)
  }

  package var percent: Int64 { thousandths(safety) / 10 }
}

extension DynamicRule {
  package init(bola: BolaRule, throughput: SabreThroughputRule, lowMark: MediaTime) {
    self.init(bola: bola, throughput: throughput, lowBuffer: lowMark.milliseconds)
  }

  package var lowMark: MediaTime { .milliseconds(exactly: lowBuffer) }
}

extension SabreAverage.Kind {
  package static func halfLives(of spans: [TimeSpan]) -> Self {
    .halfLives(spans.map { $0.milliseconds })
  }

  /// Nil where there are none.
  package var spans: [TimeSpan]? {
    guard case .halfLives(let all) = self else { return nil }
    return all.map { TimeSpan(nanoseconds: MediaTime.milliseconds(exactly: $0).nanoseconds) }
  }
}

extension PredictiveRule {
  /// The weights of the three terms of the quality of experience, in thousandths.
  package struct Weights: Hashable, Sendable {
    package var quality: Int64 = 1_000
    package var stalling: Int64 = 4_300
    package var change: Int64 = 1_000

    package init() {}
  }

  package init(horizon: Int, _ weights: Weights) {
    self.init(
      horizon: horizon, quality: Double(weights.quality) / 1_000,
      stalling: Double(weights.stalling) / 1_000, change: Double(weights.change) / 1_000)
  }

  package var weights: Weights {
    var weights = Weights()
    weights.quality = thousandths(quality)
    weights.stalling = thousandths(stalling)
    weights.change = thousandths(change)
    return weights
  }
}

extension MediaTime {
  var milliseconds: Double { Double(nanoseconds) / 1_000_000 }

  fileprivate static func milliseconds(exactly value: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64(value * 1_000_000 + 0.5))
  }
}

extension TimeSpan {
  var milliseconds: Double { Double(nanoseconds) / 1_000_000 }
}

extension Double {
  /// The number nearest to an integer; ties round to even.
  ///
  /// Perf: the standard library's conversion of so wide an integer takes 3,900 instructions.
  init(nearest value: Int128) {
    if let word = Int64(exactly: value) {
      self.init(word)
      return
    }
    let magnitude = value.magnitude
    let shift = 64 - magnitude.leadingZeroBitCount
    // Sticky bit: a nonzero bit shifted out breaks a tie.
    let isExact = magnitude & ((1 << UInt128(shift)) - 1) == 0
    let word = UInt64(truncatingIfNeeded: magnitude >> UInt128(shift)) | (isExact ? 0 : 1)
    self.init(sign: value < 0 ? .minus : .plus, exponent: shift, significand: Double(word))
  }
}

private func thousandths(_ value: Double) -> Int64 { Int64(value * 1_000 + 0.5) }
