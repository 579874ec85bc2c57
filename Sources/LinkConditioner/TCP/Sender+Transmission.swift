// Sending: what the window, the receiver and the buffer allow.

extension Sender {
  /// The application writes.
  package mutating func write(_ bytes: Int64, at now: Int64) {
    if isPaced, buffer.written == next, board.inFlight < window.size, board.lost == 0 {
      pacing[0].rate.applicationPauses(inFlight: board.inFlight)
    }
    buffer.written += bytes
    // RFC 2861 §3.2: nothing was under way for longer than a timeout.
    if haltsAfterIdle, board.isEmpty, now - lastSent > timeout { restart(at: now) }
  }

  /// The application takes back what it wrote last, as far as it was not sent.
  mutating func withdraw(_ bytes: Int64) {
    buffer.written = max(next, buffer.written - bytes)
  }

  /// RFC 5681 §4.1, in steps: the window halves once for every timeout of idleness.
  private mutating func restart(at now: Int64) {
    var idle = now - lastSent
    let floor = min(initialWindow, window.size)
    window.threshold = window.currentThreshold
    idle -= timeout
    while idle > 0, window.size > floor {
      window.size >>= 1
      idle -= timeout
    }
    window.size = max(window.size, floor)
    use = WindowUse()
    use.lastLimited = now
  }

  /// Sends new segments while everything allows it.
  ///
  /// - Parameter hears: An acknowledgement is the occasion; on it a host looks at its buffer.
  package mutating func sendNew(at now: Int64, hears: Bool = false, from host: inout HostOutlet) {
    var hasSent = false
    while next < buffer.written {
      let inFlight = board.inFlight
      guard inFlight < window.size, !isPaced || pacing[0].mayLeave(at: now) else { break }
      let length = min(Packet.segmentBytes, buffer.written - next)
      guard next + length <= rightEdge else { break }
      if next + length > buffer.filled {
        if hears { buffer.follow(window.size) }
        if !buffer.fill(beyond: acknowledged) { break }
        continue
      }
      transmitNew(Int32(truncatingIfNeeded: length), at: now, from: &host)
      hasSent = true
    }
    guard hasSent || board.inFlight >= window.size else { return }
    if hasSent { scheduleProbe(advancing: false, at: now) }
    noteUse(at: now)
  }

  mutating func noteUse(at now: Int64) {
    use.hear(
      inFlight: board.count, isLimiting: board.inFlight >= window.size,
      acknowledged: acknowledged, next: next)
    guard haltsAfterIdle else { return }
    use.validate(
      &window, timeout: timeout, initial: initialWindow, mayShrink: phase == .open, at: now)
  }

  mutating func transmitNew(_ length: Int32, at now: Int64, from host: inout HostOutlet) {
    let wasEmpty = board.isEmpty
    if wasEmpty { window.cubic.pause(from: lastSent, to: now) }
    host.send(sequence: next, length: length, at: now)
    if isPaced {
      pacing[0].leaves(length, again: nil, isFirst: wasEmpty, next: next, at: now)
    }
    board.append(sequence: next, length: length, at: now)
    next += Int64(length)
    lastSent = now
    if isReducing { reduction.send() }
    if wasEmpty || alarm == .probe { restartTimer(at: now) }
  }

  /// Sends one segment again.
  mutating func retransmit(_ position: Int64, at now: Int64, from host: inout HostOutlet) {
    let segment = board[position]
    host.send(sequence: segment.sequence, length: segment.length, at: now)
    if isPaced {
      pacing[0].leaves(segment.length, again: position, isFirst: false, next: next, at: now)
    }
    board.markRetransmitted(position, at: now)
    lastSent = now
    undo.retransmitted(at: now)
    if isReducing { reduction.send() }
  }

  /// Retransmits what is lost while the window allows it (RFC 6675 §5, step C).
  mutating func repair(at now: Int64, from host: inout HostOutlet) {
    while board.inFlight < window.size, !isPaced || pacing[0].mayLeave(at: now),
      let position = board.nextRepair()
    {
      retransmit(position, at: now, from: &host)
      if position == board.first, alarm != .reordering { restartTimer(at: now) }
    }
  }
}
