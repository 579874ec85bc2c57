/// Sabre's estimate of a link: the least of several averages of the throughput, and the greatest of
/// the same averages of the latency.
package struct SabreAverage: Hashable, Sendable {
  /// The half-lives or the windows of the averages.
  package enum Kind: Hashable, Sendable {
    /// Weights that halve, of throughput with the milliseconds of transfer, of latency with each
    /// segment.
    case halfLives([Double])
    /// The last so many segments.
    case windows([Int])
  }

  private let kind: Kind
  /// In milliseconds.
  private let segmentLength: Double
  private var throughputs: [Double]
  private var latencies: [Double]
  /// The share of the latency before a segment that is left after it, for each half-life.
  private var keptOfLatency: [Double] = []
  private var time = 0.0
  private var count = 0.0

  /// In kbit/s, and in milliseconds.
  package private(set) var throughput = 0.0
  package private(set) var latency = 0.0

  package init(_ kind: Kind = .halfLives([3_000, 8_000]), segmentLength: Double) {
    self.kind = kind
    self.segmentLength = segmentLength
    switch kind {
    case .halfLives(let all):
      throughputs = all.map { _ in 0 }
      latencies = throughputs
    case .windows:
      throughputs = []
      latencies = []
    }
  }

  /// Takes a segment in.
  ///
  /// - Parameters:
  ///   - took: From its first byte to its last, in milliseconds.
  ///   - throughput: In kbit/s.
  ///   - latency: From the request to the first byte, in milliseconds.
  package mutating func add(took: Double, throughput: Double, latency: Double) {
    switch kind {
    case .halfLives(let halfLives): add(took, throughput, latency, halfLives)
    case .windows(let windows):
      throughputs.append(throughput)
      latencies.append(latency)
      let most = windows.max() ?? 1
      throughputs.removeFirst(max(0, throughputs.count - most))
      latencies.removeFirst(max(0, latencies.count - most))
      self.throughput = windows.map { mean(throughputs.suffix($0)) }.min() ?? 0
      self.latency = windows.map { mean(latencies.suffix($0)) }.max() ?? 0
    }
  }

  private mutating func add(
    _ took: Double, _ sample: Double, _ wait: Double, _ halfLives: [Double]
  ) {
    time += took
    count += 1
    (throughput, latency) = (.infinity, 0)
    for (index, halfLife) in halfLives.enumerated() {
      let kept = powerOfTwo(-took / halfLife)
      throughputs[index] = kept * throughputs[index] + (1 - kept) * sample
      throughput = min(throughput, throughputs[index] / weight(time / halfLife))
      let segments = halfLife / segmentLength
      if index == keptOfLatency.count { keptOfLatency.append(powerOfTwo(-1 / segments)) }
      let (latency, fading) = (latencies[index], keptOfLatency[index])
      latencies[index] = fading * latency + (1 - fading) * wait
      self.latency = max(self.latency, latencies[index] / weight(count / segments))
    }
  }

  /// The share of the beginning that has faded: of that little only the rounding to one is left.
  private func weight(_ halfLives: Double) -> Double {
    halfLives > 60 ? 1 : 1 - powerOfTwo(-halfLives)
  }

  private func mean(_ samples: ArraySlice<Double>) -> Double {
    var sum = 0.0
    for sample in samples { sum += sample }
    return sum / Double(samples.count)
  }
}
