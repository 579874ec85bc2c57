import Autowait
package import PlayerPolicies
package import VirtualTime

/// What a stream's player measures of the link: the bytes of its media, and the time in which any
/// came in.
///
/// Time in which nothing of a segment comes in says nothing of the link, so it is left out. A
/// sample ends with a segment of the main track.
package struct StreamMeter {
  private var estimator: ThroughputEstimator
  /// When the present busy stretch began; nil while no media is coming in.
  private var busySince: Instant?
  private var sampleBytes: Int64 = 0
  private var sampleSpan = TimeSpan.zero
  private var latencies = Latencies()

  package init(window: Int32) {
    estimator = ThroughputEstimator(window: window)
  }

  /// The throughput that the last samples show; nil before the first.
  package var bitsPerSecond: Int64? { estimator.bitsPerSecond }

  /// What a policy is told to believe of the link.
  package var estimate: Estimate {
    Estimate(
      bitsPerSecond: bitsPerSecond, latency: latencies.least, isReliable: bitsPerSecond != nil)
  }

  /// A segment had to wait for its first byte.
  package mutating func waited(_ span: TimeSpan) { latencies.add(span) }

  /// The first byte of a segment is there.
  package mutating func begins(at now: Instant) {
    if busySince == nil { busySince = now }
  }

  /// Counts bytes that came in, and the time until now if media was coming in.
  package mutating func count(_ bytes: Int64, at now: Instant) {
    sampleBytes += max(0, bytes)
    if let since = busySince {
      sampleSpan += now - since
      busySince = now
    }
  }

  /// Counts bytes that came in beside a segment whose end has been counted.
  package mutating func countBeside(_ bytes: Int64) {
    sampleBytes += bytes
  }

  /// Ends a sample.
  package mutating func closeSample() {
    estimator.add(bytes: sampleBytes, over: sampleSpan)
    sampleBytes = 0
    sampleSpan = .zero
  }

  /// No media is coming in any more.
  package mutating func stops(at now: Instant) {
    guard let since = busySince else { return }
    sampleSpan += now - since
    busySince = nil
  }
}
