// The sender's one timer: retransmission, tail loss probe, reordering.

extension Sender {
  /// The delay of RFC 8985's timers beyond its own spans.
  private static let timerMargin: Int64 = 2_000_000

  mutating func setAlarm(_ kind: Alarm, after span: Int64, at now: Int64) {
    alarm = kind
    alarmAt = CoarseTimer.deadline(span, from: now)
  }

  mutating func clearAlarm() {
    alarm = nil
    alarmAt = .max
  }

  /// RFC 6298 §5.1 to 5.3.
  mutating func restartTimer(at now: Int64) {
    guard !board.isEmpty else { return clearAlarm() }
    switch alarm {
    // In place of a probe or of the reordering window the timeout counts from the last sending
    // (RFC 8985 §7.3, §6.2).
    case .probe, .reordering:
      setAlarm(.retransmission, after: max(timeLeft(at: now), 1), at: now)
    case .retransmission, nil:
      setAlarm(.retransmission, after: timeout, at: now)
    }
  }

  /// The time until the oldest segment has been under way for a timeout.
  func timeLeft(at now: Int64) -> Int64 { board[board.first].sentAt + timeout - now }

  /// RFC 8985 §7.2: two round trips, and 2 ms or, for one segment, an acknowledgement's delay.
  @discardableResult
  mutating func scheduleProbe(advancing: Bool, at now: Int64) -> Bool {
    guard !board.isEmpty, phase == .open else { return false }
    var span: Int64 = RoundTripEstimator.initialTimeout
    if estimator.hasSample {
      span = 2 * estimator.smoothed
      span += board.count == 1 ? RoundTripEstimator.minimumMargin : Self.timerMargin
    }
    let left = advancing ? timeout : timeLeft(at: now)
    if left > 0 { span = min(span, left) }
    setAlarm(.probe, after: span, at: now)
    return true
  }

  package mutating func wake(at now: Int64, from host: inout HostOutlet) {
    if isPaced, pacing[0].wakes(at: now) {
      if isRepairing { repair(at: now, from: &host) }
      sendNew(at: now, hears: true, from: &host)
    }
    guard alarmAt <= now, let kind = alarm else { return }
    switch kind {
    case .retransmission: timeOut(at: now, from: &host)
    case .probe: sendProbe(at: now, from: &host)
    case .reordering: endReordering(at: now, from: &host)
    }
  }

  /// RFC 8985 §7.3.
  private mutating func sendProbe(at now: Int64, from host: inout HostOutlet) {
    guard !board.isEmpty else { return clearAlarm() }
    alarm = .probe
    if probe.end == nil {
      let length = min(Packet.segmentBytes, buffer.written - next)
      if length > 0, next + length <= rightEdge, next + length <= buffer.filled {
        transmitNew(Int32(truncatingIfNeeded: length), at: now, from: &host)
        probe = TailLossProbe(end: next, isRetransmission: false)
        alarm = nil
      } else if let last = board.lastUnheard {
        retransmit(last, at: now, from: &host)
        probe = TailLossProbe(end: next, isRetransmission: true)
        alarm = nil
      }
    }
    // RFC 8985 §7.3: after a probe the timeout starts anew.
    restartTimer(at: now)
  }

  private mutating func endReordering(at now: Int64, from host: inout HostOutlet) {
    let before = board.inFlight
    recent.hasAdvanced = true
    let lost = findLosses(at: now)
    if board.inFlight != before {
      if phase != .recovering { enterRecovery() }
      if !isPaced,
        let size = reduction.window(
          delivered: 1, inFlight: board.inFlight, threshold: window.threshold,
          advancesWithoutLoss: lost == 0)
      {
        window.size = size
      }
      repair(at: now, from: &host)
    }
    if alarm != .retransmission { restartTimer(at: now) }
  }

  /// RFC 6298 §5.4 to 5.6.
  private mutating func timeOut(at now: Int64, from host: inout HostOutlet) {
    guard !board.isEmpty else { return clearAlarm() }
    timeoutCount += 1
    if timeoutCount > Self.patience {
      hasGivenUp = true
      return clearAlarm()
    }
    enterTimeout(at: now)
    retransmit(board.first, at: now, from: &host)
    timeout = min(timeout * 2, RoundTripEstimator.maximumTimeout)
    alarm = nil
    restartTimer(at: now)
  }

  private mutating func enterTimeout(at now: Int64) {
    let isNew = phase != .timedOut && phase != .recovering
    recent.markLossesOnTimeout(on: &board, window: reorderingWindow, at: now)
    // RFC 5681 §3.1: once for a window, not again when a retransmission times out.
    if phase == .open || phase == .disorder || recoveryPoint <= acknowledged
      || phase == .timedOut && timeoutCount == 1
    {
      undo.remember(window: window.size, threshold: window.currentThreshold)
      window.threshold = window.thresholdAfterLoss()
      if isPaced { pacing[0].model.save(window.size) }
      undo.arm(retransmitted: board.retransmitted)
    }
    window.size = board.inFlight + 1
    window.forget(next: next, at: now)
    use.lastLimited = now
    phase = .timedOut
    if isPaced { pacing[0].model.timeOut() }
    recoveryPoint = next
    probe.end = nil
    suspectsTimeout = isNew || timeoutCount > 1
  }

  var reorderingWindow: Int64 {
    recent.reorderingWindow(
      isRecovering: isRepairing, selective: board.selective, smoothed: estimator.smoothed)
  }

  /// The count of segments found lost.
  mutating func findLosses(at now: Int64) -> Int64 {
    guard recent.hasAdvanced else { return 0 }
    let (found, longest) = recent.markLosses(on: &board, window: reorderingWindow, at: now)
    if longest > 0 { setAlarm(.reordering, after: longest + Self.timerMargin, at: now) }
    return found
  }
}
