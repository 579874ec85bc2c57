import VirtualTime

/// The sender's record of one segment that is not yet acknowledged.
package struct OutstandingSegment: Sendable {
  package var sequence: Int64
  package var length: Int32
  var isSelectivelyAcknowledged = false
  var isLost = false
  /// A retransmission of it is thought to be under way.
  var isRetransmitted = false
  /// It was retransmitted at least once.
  package var wasRetransmitted = false
  package var sentAt: Int64
  /// Neighbours in the order of (re)transmission, or -1.
  var sentBefore: Int64 = -1
  var sentAfter: Int64 = -1

  package init(sequence: Int64 = 0, length: Int32 = 0, sentAt: Int64 = 0) {
    self.sequence = sequence
    self.length = length
    self.sentAt = sentAt
  }

  @inline(__always)
  var end: Int64 { sequence + Int64(length) }
}

/// The segments that are sent and not acknowledged (RFC 6675 §3), and the order they left in.
struct Scoreboard: Sendable {
  private var segments = Ring(filler: OutstandingSegment())
  private(set) var selective: Int64 = 0
  private(set) var lost: Int64 = 0
  private(set) var retransmitted: Int64 = 0
  /// No segment below this position is lost and waits for its retransmission.
  private var repairHint: Int64 = 0
  /// The ends of the chain of segments whose fate is open, by the time they were last sent.
  private(set) var oldest: Int64 = -1
  private var newest: Int64 = -1
  /// The number of outstanding segments that were ever retransmitted.
  private(set) var onceRetransmitted: Int64 = 0

  @inline(__always)
  var first: Int64 { segments.first }
  @inline(__always)
  var end: Int64 { segments.end }
  @inline(__always)
  var count: Int64 { segments.count }
  @inline(__always)
  var isEmpty: Bool { segments.isEmpty }

  /// RFC 6675 §2, "pipe": what is thought to be in the network.
  @inline(__always)
  var inFlight: Int64 { segments.count - selective - lost + retransmitted }

  @inline(__always)
  subscript(position: Int64) -> OutstandingSegment { segments[position] }

  mutating func append(sequence: Int64, length: Int32, at now: Int64) {
    let position = segments.end
    segments.append(OutstandingSegment(sequence: sequence, length: length, sentAt: now))
    chain(position)
  }

  /// Removes the oldest segment by sequence, which is acknowledged.
  mutating func removeFirst() -> OutstandingSegment {
    let position = segments.first
    let segment = segments[position]
    if segment.isSelectivelyAcknowledged {
      selective -= 1
    } else if !segment.isLost || segment.isRetransmitted {
      unchain(position)
    }
    if segment.isLost { lost -= 1 }
    if segment.isRetransmitted { retransmitted -= 1 }
    if segment.wasRetransmitted { onceRetransmitted -= 1 }
    _ = segments.removeFirst()
    return segment
  }

  mutating func markSelective(_ position: Int64) {
    let segment = segments[position]
    if !segment.isLost || segment.isRetransmitted { unchain(position) }
    if segment.isLost { lost -= 1 }
    if segment.isRetransmitted { retransmitted -= 1 }
    segments[position].isLost = false
    segments[position].isRetransmitted = false
    segments[position].isSelectivelyAcknowledged = true
    selective += 1
  }

  mutating func markLost(_ position: Int64) {
    let segment = segments[position]
    if segment.isSelectivelyAcknowledged || segment.isLost && !segment.isRetransmitted { return }
    if !segment.isLost { lost += 1 }
    if segment.isRetransmitted { retransmitted -= 1 }
    segments[position].isLost = true
    segments[position].isRetransmitted = false
    unchain(position)
    repairHint = min(repairHint, position)
  }

  /// Takes every mark of loss back; what was sent again stays known.
  mutating func forgetLosses() {
    for position in segments.first..<segments.end where segments[position].isLost {
      segments[position].isLost = false
      if !segments[position].isRetransmitted { chain(position) }
    }
    lost = 0
  }

  mutating func markRetransmitted(_ position: Int64, at now: Int64) {
    let segment = segments[position]
    precondition(!segment.isSelectivelyAcknowledged, "what has arrived is not sent again")
    if !segment.isLost || segment.isRetransmitted { unchain(position) }
    if !segment.isRetransmitted { retransmitted += 1 }
    if !segment.wasRetransmitted { onceRetransmitted += 1 }
    segments[position].isRetransmitted = true
    segments[position].wasRetransmitted = true
    segments[position].sentAt = now
    chain(position)
  }

  /// The first segment that is lost and waits for its retransmission.
  mutating func nextRepair() -> Int64? {
    guard lost > 0 else { return nil }
    let found = (max(repairHint, segments.first)..<segments.end).first {
      segments[$0].isLost && !segments[$0].isRetransmitted
    }
    repairHint = found ?? segments.end
    return found
  }

  /// The last segment that is not known to have arrived.
  var lastUnheard: Int64? {
    (segments.first..<segments.end).last { !segments[$0].isSelectivelyAcknowledged }
  }

  /// The position of the first segment that begins at or after a sequence number.
  func position(at sequence: Int64) -> Int64 {
    (segments.first..<segments.end).partitionPoint { segments[$0].sequence >= sequence }
  }

  private mutating func chain(_ position: Int64) {
    segments[position].sentBefore = newest
    segments[position].sentAfter = -1
    if newest >= 0 { segments[newest].sentAfter = position } else { oldest = position }
    newest = position
  }

  private mutating func unchain(_ position: Int64) {
    let before = segments[position].sentBefore
    let after = segments[position].sentAfter
    if before >= 0 { segments[before].sentAfter = after } else { oldest = after }
    if after >= 0 { segments[after].sentBefore = before } else { newest = before }
  }
}
