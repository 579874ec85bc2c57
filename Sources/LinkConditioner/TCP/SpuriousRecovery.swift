/// State for undoing a window reduction whose cause turns out to be no loss.
///
/// RFC 3522 (Eifel, by timestamps), RFC 3708 (by duplicate reports).
struct SpuriousRecovery: Sendable {
  /// Whether there is a reduction that could be taken back.
  var isArmed = false
  /// Retransmissions whose need was not yet disproved; nil when none was made.
  private var unexplained: Int64?
  /// The millisecond of the first retransmission of the episode.
  private var firstRetransmission: Int32?
  private var thresholdBefore: Int64 = 0
  private(set) var windowBefore: Int64 = 0

  mutating func arm(retransmitted: Int64) {
    isArmed = true
    unexplained = retransmitted > 0 ? retransmitted : nil
  }

  mutating func remember(window: Int64, threshold: Int64) {
    windowBefore = window
    thresholdBefore = threshold
  }

  mutating func retransmitted(at now: Int64) {
    if firstRetransmission == nil { firstRetransmission = milliseconds(now) }
    unexplained = (unexplained ?? 0) + 1
  }

  mutating func forgetRetransmissions() { firstRetransmission = nil }

  mutating func hearDuplicate() {
    if isArmed, let count = unexplained, count > 0 { unexplained = count - 1 }
  }

  var explainsAll: Bool { isArmed && unexplained == 0 }

  /// The receiver echoes a time before the first retransmission: originals still arrive.
  func isOlder(echo: Int32) -> Bool {
    guard let first = firstRetransmission else { return true }
    return echo &- first < 0
  }

  func isSpurious(echo: Int32) -> Bool { isArmed && (unexplained == 0 || isOlder(echo: echo)) }

  mutating func restore(_ window: inout CongestionWindow) {
    if thresholdBefore > 0 {
      window.size = max(window.size, windowBefore)
      window.threshold = max(window.threshold, thresholdBefore)
    }
    isArmed = false
  }
}

/// The clock of timestamps.
@inline(__always)
func milliseconds(_ nanoseconds: Int64) -> Int32 {
  Int32(truncatingIfNeeded: nanoseconds / 1_000_000)
}
