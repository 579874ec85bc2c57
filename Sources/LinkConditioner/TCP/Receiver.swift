/// The receiving half of a host's end of a connection.
package struct Receiver: Sendable {
  /// RCV.NXT: everything before it has arrived.
  package private(set) var expected: Int64 = 0
  /// The position that the last acknowledgement reported.
  private var reported: Int64 = 0
  private var advertisedEdge = ReceiveWindow.initialBytes
  private var queue = ReassemblyQueue()
  private var window = ReceiveWindow()
  var policy = AcknowledgementPolicy()
  /// RFC 7323 §4.3: the timestamp to echo.
  private var echo: Int32 = 0
  /// RFC 2883: bytes that arrived twice, to be reported once.
  private var duplicate: ByteRange?
  private var mustAcknowledge = false
  /// Acknowledgements of disorder beyond the third are gathered for a moment.
  private var disorderCount = 0
  private var disorderEdge: Int64 = -1
  private var gathered = 0
  private(set) var gatheredUntil: Int64 = .max

  private var isReading = true
  /// The bytes that have arrived in order and are not read when the acknowledgement leaves.
  private var unread: Int64 = 0
  /// The instant of the next repeated window update.
  private var updateAt: Int64 = .max
  private var updateCount = 0

  private static let mostUpdates = 8
  private static let mostGathered = 44
  private static let longestGathering: Int64 = 1_000_000

  package init() {}

  /// The next instant at which an acknowledgement is due, or never.
  package var nextWake: Int64 { min(policy.delayedAt, min(gatheredUntil, updateAt)) }

  /// Whether something is not acknowledged yet.
  var owes: Bool { policy.isPending }

  /// The other end's first timestamp.
  mutating func hearHandshake(_ timestamp: Int32) { echo = timestamp }

  /// Hears a packet; whether an acknowledgement must go out now.
  package mutating func hear(_ packet: Packet, timeout: Int64, smoothed: Int64, at now: Int64)
    -> Bool
  {
    if packet.sequence <= reported { echo = packet.timestamp }
    let elapsed = Int64(milliseconds(now) &- packet.echo) * 1_000_000
    window.hear(echo: packet.echo, elapsed: elapsed, length: Int64(packet.length))
    guard packet.length > 0 else { return false }
    let end = packet.sequence + Int64(packet.length)
    if end <= expected {
      duplicate = ByteRange(start: packet.sequence, end: end)
      policy.hurry()
      mustAcknowledge = true
    } else if packet.sequence > expected {
      let range = ByteRange(start: packet.sequence, end: end)
      policy.hearDisorder()
      let taken = self.taken
      if queue.insert(range) {
        openWindow(packet, taken: taken)
        window.makeRoom(beyondHole: queue.end - expected)
      } else {
        duplicate = range
      }
    } else {
      let before = expected
      hearInOrder(end, timeout: timeout, at: now)
      unread = expected - before
      openWindow(packet, taken: taken)
      if isReading { window.read(upTo: end, left: expected - end, at: now) }
    }
    return decide(
      endsWrite: packet.isPushed || Int64(packet.length) < Packet.segmentBytes, smoothed: smoothed,
      at: now)
  }

  private var taken: Int64 { ReceiveWindow.taken(by: queue.byteCount + unread) }

  private mutating func openWindow(_ packet: Packet, taken: Int64) {
    if window.open(for: Int64(packet.length), taken: taken) {
      policy.quicken()
    }
  }

  private mutating func hearInOrder(_ end: Int64, timeout: Int64, at now: Int64) {
    policy.hear(at: now, timeout: timeout)
    expected = end
    updateAt = .max
    guard !queue.isEmpty else { return }
    expected = queue.remove(reachedBy: end)
    // RFC 5681 §4.2: an acknowledgement at once when a gap is filled.
    if queue.isEmpty { mustAcknowledge = true }
  }

  private mutating func decide(endsWrite: Bool, smoothed: Int64, at now: Int64) -> Bool {
    // RFC 5681 §4.2: at least every second full segment.
    if expected - reported > Packet.segmentBytes || policy.isQuick || mustAcknowledge {
      return true
    }
    if queue.isEmpty {
      unread = 0
      if endsWrite, policy.acknowledgesEnds { return true }
      policy.delay(at: now, smoothedRoundTrip: smoothed)
      return false
    }
    if disorderEdge != expected {
      disorderEdge = expected
      disorderCount = 0
    }
    if disorderCount < 3 {
      disorderCount += 1
      return true
    }
    gathered += 1
    if gathered >= Self.mostGathered { return true }
    if gatheredUntil == .max {
      gatheredUntil = now + min(Self.longestGathering, smoothed / 20)
    }
    return false
  }

  /// A delayed acknowledgement may be due; whether one is.
  package mutating func wake(timeout: Int64, at now: Int64) -> Bool {
    let isGathered = gatheredUntil <= now
    let isUpdate = updateAt <= now
    if isUpdate { scheduleUpdate(timeout: timeout, at: now) }
    if policy.delayedAt <= now { policy.wake(timeout: timeout) }
    if isGathered { gatheredUntil = .max }
    return policy.isPending || isGathered || isUpdate
  }

  /// The application stops reading, and the window closes, or it reads on.
  ///
  /// - Returns: Whether the sender must be told at once that it may go on.
  mutating func setReading(_ reading: Bool, timeout: Int64, at now: Int64) -> Bool {
    isReading = reading
    updateAt = .max
    guard reading, advertisedEdge - expected < Packet.segmentBytes else { return false }
    updateCount = 0
    scheduleUpdate(timeout: timeout, at: now)
    return true
  }

  /// Says it again until something comes: so a window that stays shut needs no probes (RFC 9293
  /// §3.8.6.1), and nothing happens while nobody reads.
  private mutating func scheduleUpdate(timeout: Int64, at now: Int64) {
    updateCount += 1
    updateAt =
      updateCount > Self.mostUpdates
      ? .max : CoarseTimer.deadline(timeout << Int64(updateCount - 1), from: now)
  }

  /// Writes the acknowledgement into a packet that is about to leave.
  package mutating func stamp(_ packet: inout Packet, at now: Int64) {
    packet.acknowledgement = expected
    packet.echo = echo
    packet.timestamp = milliseconds(now)
    if isReading {
      advertisedEdge = expected + window.offered(taken: taken, left: advertisedEdge - expected)
    }
    packet.window = Int32(truncatingIfNeeded: advertisedEdge - expected)
    if duplicate != nil || !queue.isEmpty { report(&packet) }
    reported = expected
    policy.sent()
    mustAcknowledge = false
    unread = 0
    gathered = 0
    gatheredUntil = .max
  }

  private mutating func report(_ packet: inout Packet) {
    if let range = duplicate {
      packet.add(block(range))
      packet.reportsDuplicate = true
      duplicate = nil
    }
    var index = 0
    while packet.blockCount < 3, let range = queue.recent(index) {
      packet.add(block(range))
      index += 1
    }
  }

  private func block(_ range: ByteRange) -> SelectiveBlock {
    SelectiveBlock(
      start: Int32(truncatingIfNeeded: range.start - expected),
      end: Int32(truncatingIfNeeded: range.end - expected))
  }
}
