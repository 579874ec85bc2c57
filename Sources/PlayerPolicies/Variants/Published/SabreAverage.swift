/// Sabre's estimate of a link: the least of several averages of the throughput, and the greatest of
/// the same averages of the latency.
package struct SabreAverage: Hashable, Sendable {
  /// The half-lives or the windows of the averages.
  package enum Kind: Hashable, Sendable {
    /// Weights that halve: throughput's with milliseconds of transfer, latency's with each segment.
    case halfLives([Double])
    /// The last so many segments.
    case windows([Int])
  }

  /// One average, with what follows from its half-life for every segment.
  private struct Fading: Hashable, Sendable {
    /// In milliseconds of transfer, and in segments.
    let halfLife: Double
    let segments: Double
    /// The share of the latency before a segment that is left after it.
    let kept: Double
    var throughput = 0.0
    var latency = 0.0

    init(_ halfLife: Double, segmentLength: Double) {
      self.halfLife = halfLife
      segments = halfLife / segmentLength
      kept = powerOfTwo(-1 / segments)
    }
  }

  private var fading: [Fading] = []
  private var windows: [Int] = []
  /// The last samples, for windows alone.
  private var throughputs: [Double] = []
  private var latencies: [Double] = []
  private var time = 0.0
  private var count = 0.0

  /// In kbit/s, and in milliseconds.
  package private(set) var throughput = 0.0
  package private(set) var latency = 0.0

  package init(_ kind: Kind, segmentLength: Double) {
    switch kind {
    case .halfLives(let all): fading = all.map { Fading($0, segmentLength: segmentLength) }
    case .windows(let all): windows = all
    }
  }

  /// Takes a segment in.
  ///
  /// - Parameters:
  ///   - took: From its first byte to its last, in milliseconds.
  ///   - sample: Its throughput, in kbit/s.
  ///   - wait: From the request to the first byte, in milliseconds.
  package mutating func add(took: Double, throughput sample: Double, latency wait: Double) {
    if !windows.isEmpty { return add(sample, wait) }
    time += took
    count += 1
    (throughput, latency) = (.infinity, 0)
    for index in fading.indices {
      var one = fading[index]
      let kept = powerOfTwo(-took / one.halfLife)
      one.throughput = kept * one.throughput + (1 - kept) * sample
      throughput = min(throughput, one.throughput / weight(time / one.halfLife))
      one.latency = one.kept * one.latency + (1 - one.kept) * wait
      latency = max(latency, one.latency / weight(count / one.segments))
      fading[index] = one
    }
  }

  private mutating func add(_ sample: Double, _ wait: Double) {
    throughputs.append(sample)
    latencies.append(wait)
    let most = windows.max() ?? 1
    throughputs.removeFirst(max(0, throughputs.count - most))
    latencies.removeFirst(max(0, latencies.count - most))
    throughput = windows.map { mean(throughputs.suffix($0)) }.min() ?? 0
    latency = windows.map { mean(latencies.suffix($0)) }.max() ?? 0
  }

  /// The share of the beginning that has faded: of that little only the rounding to one is left.
  private func weight(_ halfLives: Double) -> Double {
    halfLives > 60 ? 1 : 1 - powerOfTwo(-halfLives)
  }

  private func mean(_ samples: ArraySlice<Double>) -> Double {
    samples.reduce(0, +) / Double(samples.count)
  }
}
