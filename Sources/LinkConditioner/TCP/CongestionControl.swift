/// The algorithm by which a sender's congestion window grows and shrinks.
public enum CongestionControl: Hashable, Sendable {
  /// RFC 5681.
  case reno
  /// RFC 9438, with hybrid slow start.
  case cubic
  /// Version 1, as its authors published it.
  case bbr
}

/// The congestion window of a connection and the law it follows.
package struct CongestionWindow: Sendable {
  private let algorithm: CongestionControl
  var cubic = CubicWindow()
  private var hybrid = HybridSlowStart()
  private var minimumRoundTrip: Int64 = 0
  /// Acknowledged segments that have not yet opened the window.
  private var credit: Int64 = 0

  /// In segments.
  package var size: Int64
  package var threshold: Int64 = .max

  package init(_ algorithm: CongestionControl, initial: Int64) {
    self.algorithm = algorithm
    size = initial
  }

  package var isInSlowStart: Bool { size < threshold }

  /// The threshold to keep when a pause or a spurious loss would lose it (RFC 2861 §3.1).
  package var currentThreshold: Int64 { max(threshold, (size >> 1) + (size >> 2)) }

  package mutating func thresholdAfterLoss() -> Int64 {
    credit = 0
    switch algorithm {
    // RFC 5681 §3.1, equation 4.
    case .reno: return max(size >> 1, 2)
    case .cubic: return cubic.reduced(from: size)
    case .bbr: return threshold
    }
  }

  /// A retransmission timeout: what was learnt of the path is void.
  package mutating func forget(next: Int64, at now: Int64) {
    cubic = CubicWindow()
    hybrid = HybridSlowStart()
    begin(next: next, at: now)
    minimumRoundTrip = 0
    credit = 0
  }

  package mutating func begin(next: Int64, at now: Int64) { hybrid.beginRound(next: next, at: now) }

  package mutating func hear(roundTrip: Int64, acknowledged: Int64, next: Int64, at now: Int64) {
    guard algorithm == .cubic else { return }
    // Right after a recovery the samples tell of the queue that overflowed.
    if let epoch = cubic.epoch, now - epoch < 1_000_000_000 { return }
    let sample = max(roundTrip, 1_000)
    if minimumRoundTrip == 0 || sample < minimumRoundTrip { minimumRoundTrip = sample }
    guard isInSlowStart else { return }
    let leaves = hybrid.hear(
      roundTrip: sample, minimum: minimumRoundTrip, window: size, acknowledged: acknowledged,
      next: next, at: now)
    if leaves { threshold = size }
  }

  package mutating func grow(by delivered: Int64, at now: Int64) {
    var delivered = delivered
    if isInSlowStart {
      // RFC 3465: by the bytes acknowledged, and no further than the threshold.
      let opened = min(size + delivered, threshold)
      delivered -= opened - size
      size = opened
      if delivered == 0 { return }
    }
    switch algorithm {
    case .reno:
      open(by: delivered, per: size)
    case .cubic:
      let per = cubic.segmentsPerIncrement(
        window: size, acknowledged: delivered, minimumRoundTrip: minimumRoundTrip, at: now)
      open(by: delivered, per: per)
    case .bbr:
      break
    }
  }

  private mutating func open(by delivered: Int64, per segments: Int64) {
    if credit >= segments {
      credit = 0
      size += 1
    }
    credit += delivered
    if credit >= segments {
      let steps = credit / segments
      credit -= steps * segments
      size += steps
    }
  }
}
