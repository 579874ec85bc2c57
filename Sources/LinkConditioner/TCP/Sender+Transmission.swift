// Sending: what the window, the receiver and the buffer allow.

extension Sender {
  package mutating func write(_ bytes: Int64, at now: Int64) {
    if isPaced, buffer.written == next, board.inFlight < window.size, board.lost == 0 {
      pacing[0].rate.applicationPauses(inFlight: board.inFlight)
    }
    buffer.write(bytes)
    // RFC 2861 §3.2: nothing was under way for longer than a timeout.
    if haltsAfterIdle, board.isEmpty, now - lastSent > timeout {
      use.restart(&window, idle: now - lastSent, timeout: timeout, initial: initialWindow, at: now)
    }
  }

  /// The application takes back the bytes that it wrote last, unless they were sent.
  mutating func withdraw(_ bytes: Int64) { buffer.withdraw(bytes, sent: next) }

  /// Sends new segments while everything allows it.
  ///
  /// - Parameter hears: Whether an acknowledgement or a paced sender's timer is the occasion, on
  ///   which a host looks at its buffer.
  package mutating func sendNew(at now: Int64, hears: Bool = false, from host: inout HostOutlet) {
    let start = next
    holdsBack = false
    if next < buffer.written { sendBursts(self.burst, at: now, hears: hears, from: &host) }
    let isLimited = holdsBack || board.inFlight >= window.size
    guard next > start || isLimited else { return }
    if next > start { scheduleProbe(advancing: false, at: now) }
    use.hear(inFlight: board.count, isLimiting: isLimited, acknowledged: acknowledged, next: next)
    guard haltsAfterIdle else { return }
    use.validate(
      &window, timeout: timeout, initial: initialWindow, mayShrink: phase == .open, at: now)
  }

  private mutating func sendBursts(
    _ burst: Burst, at now: Int64, hears: Bool, from host: inout HostOutlet
  ) {
    let bursts = release(.max, burst, at: now, from: &host)
    guard buffer.written > buffer.filled else { return }
    if buffer.isFull, hears {
      // A host looks when the first burst has left: another one then is window to spare.
      if bursts > 1 || board.inFlight < window.size { buffer.follow(window.size) }
      buffer.wake(acknowledged: acknowledged, next: next, burst: burst.segments)
    }
    while !buffer.isFull, buffer.filled < buffer.written {
      switch buffer.fill(acknowledged: acknowledged, next: next, burst: burst.segments) {
      case .nothing: break
      case .onePiece: release(1, burst, at: now, from: &host)
      case .everything: release(.max, burst, at: now, from: &host)
      }
    }
  }

  private var burst: Burst {
    if isPaced { return Burst(segments: pacing[0].model.burst) }
    return Burst(
      window, flight: board.count, roundTrip: estimator.hasSample ? estimator.smoothed : nil,
      shortest: recent.minimumRoundTrip)
  }

  /// Sends the data that has found room, in bursts. Returns their count.
  @discardableResult
  private mutating func release(
    _ most: Int, _ burst: Burst, at now: Int64, from host: inout HostOutlet
  ) -> Int {
    var count = 0
    while count < most, next < buffer.filled, board.inFlight < window.size {
      if most > 1, holdsBack(burst, at: now) { break }
      let allowed = min(burst.segments, window.size - board.inFlight)
      var sent: Int64 = 0
      while sent < allowed, next < buffer.filled {
        let length = min(Packet.segmentBytes, buffer.filled - next)
        let end = next + length
        guard end <= rightEdge, length == Packet.segmentBytes || end == buffer.written,
          !isPaced || pacing[0].mayLeave(at: now)
        else { return count }
        if sent == 0 { count += 1 }
        sent += 1
        let isLast = sent == allowed || end == buffer.filled
        transmitNew(
          Int32(truncatingIfNeeded: length), isPushed: isLast && sent > 1 || end == buffer.written,
          at: now, from: &host)
      }
    }
    return count
  }

  /// Whether less than a burst waits for an acknowledgement that allows more.
  private mutating func holdsBack(_ burst: Burst, at now: Int64) -> Bool {
    guard phase == .open || phase == .disorder, now - lastSent < 1_000_000, !board.isEmpty,
      buffer.filled - next > Packet.segmentBytes
    else { return false }
    holdsBack = burst.waits(
      free: min(rightEdge - next, (window.size - board.inFlight) * Packet.segmentBytes),
      of: min(rightEdge - acknowledged, window.size * Packet.segmentBytes),
      expecting: board[board.first].sentAt + estimator.smoothed - now,
      roundTrip: estimator.smoothed)
    return holdsBack
  }

  mutating func transmitNew(
    _ length: Int32, isPushed: Bool = false, at now: Int64, from host: inout HostOutlet
  ) {
    let wasEmpty = board.isEmpty
    if wasEmpty { window.cubic.pause(from: lastSent, to: now) }
    host.send(sequence: next, length: length, isPushed: isPushed, at: now)
    if isPaced {
      pacing[0].leaves(length, again: nil, isFirst: wasEmpty, next: next, at: now)
    }
    board.append(sequence: next, length: length, at: now)
    next += Int64(length)
    lastSent = now
    if isReducing { reduction.send() }
    if wasEmpty || alarm == .probe { restartTimer(at: now) }
  }

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
