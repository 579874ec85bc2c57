/// RACK (RFC 8985): the last sent segment known to have arrived, and what follows for earlier ones.
package struct RecentDelivery: Sendable {
  /// RACK.xmit_ts and RACK.end_seq.
  package private(set) var sentAt: Int64 = -1
  private var end: Int64 = 0
  /// RACK.rtt.
  package private(set) var roundTrip: Int64 = 0
  /// Something new was delivered since losses were last looked for.
  package var hasAdvanced = false
  /// RACK.min_RTT.
  package private(set) var minimumRoundTrip: Int64 = .max
  /// RACK.reordering_seen.
  package var hasSeenReordering = false
  /// RACK.fack: the highest sequence number known to have arrived.
  var highest: Int64 = 0
  /// RACK.reo_wnd_mult and the end of the round trip in which it was raised.
  private var windowSteps: Int64 = 1
  private var stepsRoundEnd: Int64 = -1
  private var recoveriesToKeep: Int64 = 16

  package init() {}

  package mutating func measured(_ roundTrip: Int64) {
    minimumRoundTrip = min(minimumRoundTrip, max(roundTrip, 1_000))
  }

  /// A segment was delivered (RFC 8985 §6.2, step 2).
  @inline(__always)
  package mutating func add(_ segment: OutstandingSegment, at now: Int64) {
    let elapsed = now - segment.sentAt
    // Too soon after the retransmission to be its acknowledgement.
    if segment.wasRetransmitted, elapsed < minimumRoundTrip { return }
    hasAdvanced = true
    roundTrip = elapsed
    if segment.sentAt > sentAt || segment.sentAt == sentAt && segment.end > end {
      sentAt = segment.sentAt
      end = segment.end
    }
  }

  /// Whether a segment was sent before the one delivered last.
  @inline(__always)
  package func isAfter(_ segment: OutstandingSegment) -> Bool {
    sentAt > segment.sentAt || sentAt == segment.sentAt && end > segment.end
  }

  /// RFC 8985 §6.2, step 4: how long a segment may be overtaken before it counts as lost.
  package func reorderingWindow(isRecovering: Bool, selective: Int64, smoothed: Int64) -> Int64 {
    if !hasSeenReordering, isRecovering || selective >= 3 { return 0 }
    guard minimumRoundTrip != .max else { return 0 }
    return min((minimumRoundTrip >> 2) * windowSteps, smoothed)
  }

  /// RFC 8985 §6.2, step 5. Returns the count of losses, and the longest wait before another one.
  mutating func markLosses(
    on board: inout Scoreboard, window: Int64, at now: Int64
  ) -> (found: Int64, longest: Int64) {
    hasAdvanced = false
    var (found, longest): (Int64, Int64) = (0, 0)
    var position = board.oldest
    while position >= 0 {
      let segment = board[position]
      guard isAfter(segment) else { break }
      let left = roundTrip + window - (now - segment.sentAt)
      if left <= 0 {
        board.markLost(position)
        found += 1
      } else {
        longest = max(longest, left)
      }
      position = segment.sentAfter
    }
    return (found, longest)
  }

  /// RFC 8985 §6.3: the oldest segment, and all that were sent long enough ago.
  func markLossesOnTimeout(on board: inout Scoreboard, window: Int64, at now: Int64) {
    for position in board.first..<board.end {
      let segment = board[position]
      if segment.isSelectivelyAcknowledged { continue }
      if position == board.first || now - segment.sentAt >= roundTrip + window {
        board.markLost(position)
      }
    }
  }

  /// A duplicate was reported: something was retransmitted without need.
  package mutating func hearDuplicate(acknowledged: Int64, next: Int64) {
    guard acknowledged > stepsRoundEnd else { return }
    windowSteps = min(windowSteps + 1, 255)
    stepsRoundEnd = next
    recoveriesToKeep = 16
  }

  /// A recovery ended: a wider window is kept for sixteen of them.
  package mutating func endRecovery() {
    guard windowSteps > 1 else { return }
    recoveriesToKeep -= 1
    if recoveriesToKeep <= 0 { windowSteps = 1 }
  }
}
