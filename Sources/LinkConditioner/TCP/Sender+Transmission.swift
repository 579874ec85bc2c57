// Sending: what the window, the receiver and the buffer allow.

extension Sender {
  /// The application writes.
  package mutating func write(_ bytes: Int64, at now: Int64) {
    if bottleneck != nil, written == next, board.inFlight < window.size, board.lost == 0 {
      rate.limitedUntil = max(rate.delivered + board.inFlight, 1)
    }
    written += bytes
    // RFC 2861 §3.2: nothing was under way for longer than a timeout.
    if haltsAfterIdle, board.isEmpty, now - lastSent > timeout { restart(at: now) }
  }

  /// The application takes back what it wrote last, as far as it was not sent.
  mutating func withdraw(_ bytes: Int64) {
    written = max(next, written - bytes)
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
    while next < written {
      let inFlight = board.inFlight
      guard inFlight < window.size, mayPace(at: now) else { break }
      let length = min(Packet.segmentBytes, written - next)
      guard next + length <= rightEdge else { break }
      if next + length > buffered {
        if !fillBuffer(mayWiden: hears) { break }
        continue
      }
      transmitNew(Int32(truncatingIfNeeded: length), at: now, from: &host)
      hasSent = true
    }
    guard hasSent || board.inFlight >= window.size else { return }
    if hasSent { scheduleProbe(advancing: false, at: now) }
    noteUse(at: now)
  }

  /// The application fills the send buffer once a third of it is free; the buffer follows the
  /// window while the window is not full.
  private mutating func fillBuffer(mayWiden: Bool) -> Bool {
    if mayWiden {
      bufferBytes = max(bufferBytes, Self.bufferWindow * max(window.size, 10))
    }
    guard buffered < written, 3 * (buffered - acknowledged) <= 2 * bufferBytes else { return false }
    buffered = min(written, acknowledged + bufferBytes + Self.bufferChunk)
    return true
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
    if wasEmpty { window.resume(lastSent: lastSent, at: now) }
    host.send(sequence: next, length: length, at: now)
    if bottleneck != nil { pace(length, again: nil, at: now) }
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
    if bottleneck != nil { pace(segment.length, again: position, at: now) }
    board.markRetransmitted(position, at: now)
    lastSent = now
    undo.retransmitted(at: now)
    if isReducing { reduction.send() }
  }

  /// Retransmits what is lost while the window allows it (RFC 6675 §5, step C).
  mutating func repair(at now: Int64, from host: inout HostOutlet) {
    while board.inFlight < window.size, mayPace(at: now), let position = board.nextRepair() {
      retransmit(position, at: now, from: &host)
      if position == board.first, alarm != .reordering { restartTimer(at: now) }
    }
  }
}

// Pacing: bursts of a millisecond's worth, as far apart as the rate asks.

extension Sender {
  /// Whether the rate lets a segment go; otherwise the timer of the next burst is set.
  @inline(__always)
  private mutating func mayPace(at now: Int64) -> Bool {
    if pacedUntil <= now || burstLeft > 0 { return true }
    paceAt = pacedUntil
    return false
  }

  private mutating func pace(_ length: Int32, again position: Int64?, at now: Int64) {
    guard let model = bottleneck else { return }
    if board.isEmpty, position == nil, rate.limitedUntil > 0 { bottleneck?.resume() }
    rate.send(again: position, isFirst: board.isEmpty, at: now)
    burstLeft = burstLeft > 0 ? burstLeft - 1 : model.burst - 1
    // The first ten segments of a connection leave at once.
    guard next >= 10 * Packet.segmentBytes, model.pacingRate > 0 else { return }
    let span = Int64(length) * 1_000_000_000 / model.pacingRate
    let credit = max(now - pacedUntil, 0)
    pacedUntil = max(pacedUntil, now) + span - min(span / 2, credit)
  }
}
