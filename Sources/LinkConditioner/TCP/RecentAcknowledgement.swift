/// Information that one acknowledgement gave the sender.
struct RecentAcknowledgement: Sendable {
  /// It moved the left edge of the window.
  var advances = false
  /// The number of segments newly known to have arrived.
  var delivered: Int64 = 0
  /// It reported segments beyond a hole that were not known to have arrived.
  var reportsBeyondHole = false
  /// RFC 2883: it reported bytes that had arrived before.
  var reportsDuplicate = false
  /// A segment acknowledged in sequence had been retransmitted: its round trip is ambiguous.
  var coversRetransmission = false
  /// RFC 5682: an original, never retransmitted, sent before the timeout, has arrived.
  var coversOriginal = false
  var losesRetransmission = false
  var restartsTimer = false
  /// The sending times of the first and last never retransmitted segments that it acknowledges: in
  /// sequence, and beyond a gap.
  var inSequence = SendingTimes()
  var beyondHole = SendingTimes()
  /// The milliseconds its receiver echoes.
  var echo: Int32 = 0
  /// Segments found lost on the occasion.
  var newlyLost: Int64 = 0
  /// Segments in the network before it was heard.
  var priorInFlight: Int64 = 0
  /// The latest round trip that it measured.
  var roundTrip: Int64?
}

struct SendingTimes: Sendable {
  var first: Int64 = -1
  var last: Int64 = -1

  var isEmpty: Bool { first < 0 }

  @inline(__always)
  mutating func add(_ time: Int64) {
    if first < 0 { first = time }
    last = time
  }
}

/// The selective acknowledgement's blocks (RFC 2018).
struct KnownBlocks: Sendable {
  private struct Block: Sendable {
    var start: Int64 = 0
    var end: Int64 = 0

    func holds(_ sequence: Int64) -> Bool { start <= sequence && sequence < end }
  }

  private var blocks = (Block(), Block(), Block())

  mutating func set(_ index: Int, _ start: Int64, _ end: Int64) {
    let block = Block(start: start, end: end)
    switch index {
    case 0: blocks.0 = block
    case 1: blocks.1 = block
    default: blocks.2 = block
    }
  }

  /// The end of the block that holds a sequence number; zero where none does.
  func end(around sequence: Int64) -> Int64 {
    if blocks.0.holds(sequence) { return blocks.0.end }
    if blocks.1.holds(sequence) { return blocks.1.end }
    return blocks.2.holds(sequence) ? blocks.2.end : 0
  }
}

/// RFC 8985 §7: the segment that is sent to hear of a lost tail.
struct TailLossProbe: Sendable {
  /// TLP.end_seq; nil when no probe is under way.
  var end: Int64?
  /// TLP.is_retrans.
  var isRetransmission = false

  /// RFC 8985 §7.4: whether an acknowledgement says that the probe repaired a loss to be paid for.
  mutating func hasRepaired(
    _ edge: Int64, _ news: RecentAcknowledgement, isPureDuplicate: Bool
  ) -> Bool {
    guard let sent = end, edge >= sent else { return false }
    let isHarmless = !isRetransmission || news.reportsDuplicate
    if isHarmless || edge > sent
      || isPureDuplicate && !news.advances && !news.reportsBeyondHole
    {
      end = nil
    }
    return !isHarmless && edge > sent
  }
}
