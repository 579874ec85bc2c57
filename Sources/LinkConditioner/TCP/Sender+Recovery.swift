// Deciding what an acknowledgement means: loss, recovery, or a false alarm.

extension Sender {
  /// RFC 8985 §7.4: whether the probe repaired a loss that must be paid for.
  mutating func judgeProbe(
    _ edge: Int64, _ news: RecentAcknowledgement, isPureDuplicate: Bool
  ) {
    guard let end = probeEnd, edge >= end else { return }
    if !probeIsRetransmission || news.reportsDuplicate {
      probeEnd = nil
    } else if edge > end {
      // The original was lost and nothing else told of it.
      beginReduction()
      undo.disarm()
      takeThreshold()
      keepOpen()
      probeEnd = nil
    } else if isPureDuplicate, !news.advances, !news.reportsBeyondHole {
      probeEnd = nil
    }
  }

  /// Moves between the phases; what is to be sent first.
  mutating func judge(_ news: inout RecentAcknowledgement, at now: Int64) -> Repair {
    let isPlain = news.advances && !news.reportsBeyondHole && !news.reportsDuplicate
    if phase == .open, isPlain, board.selective == 0, board.lost == 0 { return .none }
    if phase == .open {
      undo.forgetRetransmissions()
    } else if phase == .recovering, acknowledged >= recoveryPoint {
      concludeRecovery(news)
      endReduction()
    }
    switch phase {
    case .recovering:
      return judgeRecovery(&news, at: now)
    case .timedOut:
      return judgeTimeout(&news, at: now)
    case .open, .disorder:
      return judgeOpen(&news, at: now)
    }
  }

  /// All that was under way when the trouble began has arrived.
  private mutating func concludeRecovery(_ news: RecentAcknowledgement) {
    if undo.isSpurious(echo: news.echo) {
      undo.restore(&window)
    } else {
      recent.endRecovery()
    }
    phase = .open
  }

  private mutating func judgeRecovery(
    _ news: inout RecentAcknowledgement, at now: Int64
  ) -> Repair {
    // RFC 4015: the originals still arrive.
    if news.advances, undo.isArmed, undo.isOlder(echo: news.echo) {
      if board.retransmitted > 0 { return .none }
      if board.onceRetransmitted == 0 { undo.forgetRetransmissions() }
      takeBack(at: now)
      keepOpen()
      return .none
    }
    if undo.explainsAll {
      undo.restore(&window)
      keepOpen()
    }
    identifyLosses(&news, at: now)
    if phase != .recovering {
      settleDown()
      return .none
    }
    return .lostFirst
  }

  /// RFC 5682 §2.1 and §3.1.
  private mutating func judgeTimeout(
    _ news: inout RecentAcknowledgement, at now: Int64
  ) -> Repair {
    if let repairing = suspect(news, at: now) { return repairing }
    if phase == .timedOut, acknowledged >= recoveryPoint { concludeRecovery(news) }
    identifyLosses(&news, at: now)
    if phase == .timedOut, !news.losesRetransmission { return .lostFirst }
    if phase == .timedOut {
      // A retransmission was lost again: a new reduction.
      enterRecovery()
      return .lostFirst
    }
    return judgeLosses(&news, at: now)
  }

  private mutating func suspect(_ news: RecentAcknowledgement, at now: Int64) -> Repair? {
    if news.advances, undo.isSpurious(echo: news.echo) {
      takeBack(at: now)
      phase = .open
      return .some(.none)
    }
    guard suspectsTimeout else { return nil }
    if news.coversOriginal {
      takeBack(at: now)
      phase = .open
      return .some(.none)
    }
    if next > recoveryPoint {
      if news.reportsBeyondHole || !news.advances { suspectsTimeout = false }
    } else if news.advances, acknowledged < recoveryPoint {
      recoveryPoint = next
      if written > next, rightEdge > next { return .newFirst }
      suspectsTimeout = false
    }
    return nil
  }

  private mutating func judgeOpen(_ news: inout RecentAcknowledgement, at now: Int64) -> Repair {
    if undo.explainsAll { undo.restore(&window) }
    identifyLosses(&news, at: now)
    return judgeLosses(&news, at: now)
  }

  private mutating func judgeLosses(_ news: inout RecentAcknowledgement, at now: Int64) -> Repair {
    guard board.lost > 0 else {
      settleDown()
      return .none
    }
    enterRecovery()
    return .lostFirst
  }

  private mutating func identifyLosses(_ news: inout RecentAcknowledgement, at now: Int64) {
    let before = board.retransmitted
    news.newlyLost = findLosses(at: now)
    if board.retransmitted < before { news.losesRetransmission = true }
    if alarm == .reordering { news.restartsTimer = false }
  }

  mutating func enterRecovery() {
    undo.arm(retransmitted: board.retransmitted)
    undo.remember(window: window.size, threshold: window.currentThreshold)
    beginReduction()
    phase = .recovering
  }

  private mutating func beginReduction() {
    recoveryPoint = next
    probeEnd = nil
    reduction.begin(window: window.size)
    window.threshold = window.thresholdAfterLoss()
  }

  private mutating func endReduction() {
    if undo.isArmed { takeThreshold() }
  }

  private mutating func takeThreshold() {
    window.size = min(window.threshold, .max / 4)
  }

  private mutating func settleDown() {
    if board.onceRetransmitted == 0 { undo.forgetRetransmissions() }
    keepOpen()
  }

  private mutating func keepOpen() {
    let isOrderly = board.selective + board.lost + board.onceRetransmitted == 0
    phase = isOrderly ? .open : .disorder
  }

  /// The reduction was a mistake.
  private mutating func takeBack(at now: Int64) {
    board.forgetLosses()
    undo.restore(&window)
    use.lastLimited = now
    timeoutCount = 0
    recent.hasAdvanced = true
  }
}
