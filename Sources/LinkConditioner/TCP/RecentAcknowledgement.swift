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
  /// A retransmission was found lost.
  var losesRetransmission = false
  /// The retransmission timer starts anew.
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

/// The times at which the first and the last of some segments were sent.
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
