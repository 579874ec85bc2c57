/// The harmonic mean of the last throughputs, as in MPC and Pensieve's baselines, and its error.
package struct HarmonicThroughput: Hashable, Sendable {
  /// The number of the last throughputs in the mean.
  package let window: Int
  /// From the oldest to the newest, in the unit of the caller.
  private var samples: [Double] = []
  private var errors: [Double] = []
  /// The last that was said.
  private var predicted: Double?

  package init(window: Int = 5) {
    self.window = window
  }

  package mutating func add(_ sample: Double) {
    errors.append(predicted.map { abs($0 - sample) / sample } ?? 0)
    samples.append(sample)
    if samples.count > window { samples.removeFirst() }
    if errors.count > window { errors.removeFirst() }
    predicted = mean
  }

  /// Nil before the first sample.
  package var mean: Double? {
    if samples.isEmpty { return nil }
    return 1 / (samples.reduce(0) { $0 + 1 / $1 } / Double(samples.count))
  }

  /// The mean over one and the greatest of the last relative errors.
  package var robust: Double? {
    mean.map { $0 / (1 + (errors.max() ?? 0)) }
  }
}
