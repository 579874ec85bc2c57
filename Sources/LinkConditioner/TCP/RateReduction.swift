/// Proportional rate reduction (RFC 6937): how many segments a sender that is reducing its window
/// may send for an acknowledgement.
package struct RateReduction: Sendable {
  private var delivered: Int64 = 0
  private var sent: Int64 = 0
  /// RecoverFS: the window when the reduction began; zero before there was one.
  package private(set) var windowBefore: Int64 = 0

  package init() {}

  package mutating func begin(window: Int64) {
    delivered = 0
    sent = 0
    windowBefore = window
  }

  package mutating func send() { sent += 1 }

  /// The window that lets as many segments go as the reduction allows.
  package mutating func window(
    delivered count: Int64, inFlight: Int64, threshold: Int64, advancesWithoutLoss: Bool
  ) -> Int64? {
    guard count > 0, windowBefore > 0 else { return nil }
    delivered += count
    var allowance: Int64
    if inFlight > threshold {
      // RFC 6937 §3: sndcnt = CEIL(prr_delivered × ssthresh ÷ RecoverFS) − prr_out.
      allowance = (threshold * delivered + windowBefore - 1) / windowBefore - sent
    } else {
      // Slow start reduction bound while data are acknowledged, packet conservation otherwise.
      allowance = max(delivered - sent, count) + (advancesWithoutLoss ? 1 : 0)
      allowance = min(threshold - inFlight, allowance)
    }
    // The first retransmission goes out at once.
    return inFlight + max(allowance, sent == 0 ? 1 : 0)
  }
}
