import VirtualTime

/// An exponentially weighted average over seconds of transfer, as in hls.js, Shaka and dash.js.
struct HalfLifeAverage: Sendable {
  /// Half-lives in a nanosecond of transfer.
  private let perNanosecond: Double
  private var value = 0.0
  /// The weight that the initial zero still has in `value`; the samples have the rest.
  private var nothingsShare = 1.0
  private var isEmpty = true

  /// - Parameter weight: Weight of a second, in thousandths.
  init(_ halfLife: TimeSpan, weight: Int64) {
    precondition(halfLife > .zero && weight > 0, "an average forgets in some time")
    perNanosecond = Double(weight) / 1_000 / Double(halfLife.nanoseconds)
  }

  mutating func add(_ sample: Sample) {
    let span = Double(max(1, sample.span.nanoseconds))
    let kept = powerOfTwo(-span * perNanosecond)
    value = Double(sample.bytes) * 8e9 / span * (1 - kept) + value * kept
    nothingsShare *= kept
    isEmpty = false
  }

  var bitsPerSecond: Int64? {
    if isEmpty { return nil }
    // Of next to no transfer the weight may be next to nothing as well.
    return nothingsShare == 1 ? 0 : Int64(clamping: value / (1 - nothingsShare))
  }
}
