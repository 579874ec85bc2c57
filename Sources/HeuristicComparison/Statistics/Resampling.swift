import VirtualTime

/// The bootstrap: how often each session is drawn, in each of many draws.
///
/// A weight follows from the seed, the draw and the session's own key, so that neither the order of
/// the sessions nor who else is there plays a part. Weights are those of Poisson's law with mean 1
/// (Oza and Russell, "Online Bagging and Boosting", 2001), cut to 16 bits.
package struct Resampling: Hashable, Sendable {
  package var seed: UInt64 = 0
  /// Nil: as many as suit the size of the sample.
  package var draws: Int?

  package static let permittedDraws: ClosedRange<Int64> = 40...100_000

  /// Ten thousand, or fewer for a large sample: with 1,000 the seed of the draws decided which
  /// small differences were significant. A table shows the digits that hold with any seed.
  package func draws(for count: Int) -> Int {
    draws ?? max(1_000, min(10_000, 2_000_000 / max(1, count)))
  }

  /// Shows the weights of sessions in each of so many draws.
  func draw(_ draws: Int, of keys: [UInt64], _ see: (UnsafeBufferPointer<UInt8>) -> Void) {
    let count = keys.count
    var weights = [UInt8](repeating: 0, count: 4 * count)
    for block in 0..<((draws + 3) / 4) {
      self.weights(keys, fourDrawsFrom: block, into: &weights)
      weights.withUnsafeBufferPointer { weights in
        for draw in 0..<min(4, draws - 4 * block) {
          see(UnsafeBufferPointer(rebasing: weights[(draw * count)..<((draw + 1) * count)]))
        }
      }
    }
  }

  /// The weights of sessions in four draws, which one random word gives.
  private func weights(_ keys: [UInt64], fourDrawsFrom block: Int, into weights: inout [UInt8]) {
    let count = keys.count
    let salt = SplitMix64.word(seed ^ UInt64(block) &* 0xD134_2543_DE82_EF95)
    keys.withUnsafeBufferPointer { keys in
      weights.withUnsafeMutableBufferPointer { weights in
        Self.table.withUnsafeBufferPointer { table in
          for index in 0..<count {
            var word = SplitMix64.word(keys[index] ^ salt)
            for draw in 0..<4 {
              weights[draw &* count &+ index] = table[Int(word & 0xFFFF)]
              word &>>= 16
            }
          }
        }
      }
    }
  }

  /// The Poisson distribution of mean 1, by 16 random bits: ⌊65536 × the share of at most 0, 1, …⌋.
  static let bounds = [24_109, 48_218, 60_273, 64_291, 65_296, 65_497, 65_530, 65_535]

  /// By 16 random bits: how many of the bounds they are not below.
  private static let table: [UInt8] =
    zip([0] + bounds, bounds + [65_536]).enumerated().flatMap { times, span in
      [UInt8](repeating: UInt8(times), count: span.1 - span.0)
    }

  /// The fewest draws of which the middle 95 % are some of them.
  static let fewestDraws = 40

  /// The middle 95 % of what draws gave, in their order; nil where there are too few.
  static func interval(_ values: [Int64], isGain: Bool) -> Interval? {
    if values.count < fewestDraws { return nil }
    let sorted = values.sorted {
      Sample.rank($0, isGain: isGain) < Sample.rank($1, isGain: isGain)
    }
    let cut = sorted.count / 40
    var interval = Interval(low: sorted[cut], high: sorted[sorted.count - 1 - cut])
    // Two standard deviations of the rank: n × 2.5 % × 97.5 % is its variance.
    let deviation = Int(integerSquareRoot(Int64(sorted.count) * 39 / 1_600))
    let spread = max(1, min(cut, 2 * deviation))
    for end in [cut, sorted.count - 1 - cut] {
      let (low, high) = (sorted[end - spread], sorted[end + spread])
      let (width, overflow) = high.subtractingReportingOverflow(low)
      if !overflow { interval.error = max(interval.error, width.magnitude / 2) }
    }
    return interval
  }
}

/// The 95 % confidence interval of a statistic; an end may be `never`.
package struct Interval: Hashable, Sendable {
  package var low: Int64
  package var high: Int64
  /// The noise that the draws leave in an end of an interval.
  package var error: UInt64

  package init(low: Int64, high: Int64, error: UInt64 = 0) {
    (self.low, self.high, self.error) = (low, high, error)
  }
}

extension SplitMix64 {
  /// The first output after a state.
  static func word(_ state: UInt64) -> UInt64 {
    var generator = SplitMix64(state: state)
    return generator.next()
  }
}
