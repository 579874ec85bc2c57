/// The timing of a receiver's acknowledgements: immediate, delayed, or with the next data it sends.
///
/// RFC 5681 §4.2 and what hosts add to it: a burst of quick acknowledgements at the start and after
/// a long pause, none while request and answer alternate.
package struct AcknowledgementPolicy: Sendable {
  /// In turns of the host's timer wheel, as all delays: 40 ms and 200 ms.
  private static let shortestDelay: Int64 = 10
  private static let longestDelay: Int64 = 50
  private static let quickCount = 16

  /// Whether something that arrived is not acknowledged.
  package private(set) var isPending = false
  /// The instant at which the delayed acknowledgement goes out, or never.
  package private(set) var delayedAt: Int64 = .max
  private var quickLeft = 0
  /// The host answers what it hears: acknowledgements travel with the answers.
  private var isConversation = false
  /// The delay in force; zero before anything arrived.
  private var delay: Int64 = 0
  /// The turn of the wheel in which data arrived last.
  private var lastArrival: Int64 = .min / 2

  package init() {}

  package var isQuick: Bool { quickLeft > 0 && !isConversation }

  /// Whether the end of a write, read at once, is acknowledged at once.
  package var acknowledgesEnds: Bool { !isConversation }

  /// Data arrived in order.
  package mutating func hear(at now: Int64, timeout: Int64) {
    isPending = true
    let turn = now / CoarseTimer.tick
    if delay == 0 {
      quickLeft = max(quickLeft, Self.quickCount)
      delay = Self.shortestDelay
    } else {
      let gap = turn - lastArrival
      if gap <= Self.shortestDelay / 2 {
        delay = (delay >> 1) + Self.shortestDelay / 2
      } else if gap < delay {
        delay = min((delay >> 1) + gap, CoarseTimer.ticks(timeout))
      } else if gap > CoarseTimer.ticks(timeout) {
        // The sender may have started again from its initial window.
        quickLeft = max(quickLeft, Self.quickCount)
      }
    }
    lastArrival = turn
  }

  /// The window opened: the sender should know at once.
  package mutating func quicken() { quickLeft |= 1 }

  package mutating func hearDisorder() { isPending = true }

  /// Something arrived twice.
  package mutating func hurry() {
    isPending = true
    quickLeft = max(quickLeft, Self.quickCount)
    isConversation = false
    delay = Self.shortestDelay
  }

  /// Puts the acknowledgement off.
  package mutating func delay(at now: Int64, smoothedRoundTrip: Int64) {
    var span = delay
    if smoothedRoundTrip > 0 {
      span = min(span, max(CoarseTimer.ticks(smoothedRoundTrip), Self.shortestDelay))
    }
    let deadline = CoarseTimer.deadline(min(span, Self.longestDelay) * CoarseTimer.tick, from: now)
    if delayedAt == .max || deadline < delayedAt { delayedAt = deadline }
  }

  /// The delayed acknowledgement is due.
  package mutating func wake(timeout: Int64) {
    delayedAt = .max
    guard isPending else { return }
    if isConversation {
      isConversation = false
      delay = Self.shortestDelay
    } else {
      delay = min(delay << 1, CoarseTimer.ticks(timeout))
    }
  }

  /// A packet carried the acknowledgement.
  package mutating func sent() {
    if isPending, quickLeft > 0 {
      quickLeft -= 1
      if quickLeft == 0 { delay = Self.shortestDelay }
    }
    isPending = false
    delayedAt = .max
  }

  /// The host sends data; soon after hearing some, it is a conversation.
  package mutating func answered(at now: Int64) {
    if now / CoarseTimer.tick - lastArrival < delay { isConversation = true }
  }
}
