package import VirtualTime

/// The throughput that is counted on: what the last samples brought, over the time they took.
///
/// A sample closes when a segment is complete, so nothing is known before the first one: "it does
/// not know what bitrate it's going to get" (WWDC16 503). The window is our assumption.
package struct ThroughputEstimator: Hashable, Sendable {
  /// How many samples count.
  package let window: Int32
  private var bytes: [Int64] = []
  private var spans: [Int64] = []
  private var next = 0
  private var bytesSum: Int64 = 0
  private var spansSum: Int64 = 0
  /// The estimate in whole bits per second; nil before the first sample.
  package private(set) var bitsPerSecond: Int64?

  /// - Precondition: at least one sample counts.
  package init(window: Int32 = 3) {
    precondition(window > 0, "an estimate needs a sample")
    self.window = window
    bytes.reserveCapacity(Int(window))
    spans.reserveCapacity(Int(window))
  }

  /// Adds what came in over a span of active transfer.
  package mutating func add(bytes count: Int64, over span: TimeSpan) {
    if count <= 0 { return }
    // What came in no time says that the link is faster than can be measured.
    let nanoseconds = max(1, span.nanoseconds)
    if bytes.count < Int(window) {
      bytes.append(count)
      spans.append(nanoseconds)
    } else {
      bytesSum -= bytes[next]
      spansSum -= spans[next]
      bytes[next] = count
      spans[next] = nanoseconds
      next = next + 1 == bytes.count ? 0 : next + 1
    }
    bytesSum += count
    spansSum += nanoseconds
    bitsPerSecond = scaled(bytesSum, by: 8_000_000_000, over: spansSum, rounding: .down)
  }
}
