/// The window that a receiver advertises: from 64 KB up, as fast as its application reads.
package struct ReceiveWindow: Sendable {
  /// The whole segments, without timestamps, in 64 KiB.
  package static let initialBytes: Int64 = 44 * 1_460
  /// A window is advertised in units of so many bytes (RFC 7323 §2.2).
  private static let unit: Int64 = 1_024
  /// The payload's share of a full segment's memory, in 256ths.
  private static let share = Packet.segmentBytes * 256 / Packet.segmentMemory
  /// The bytes of full segments in a first receive buffer of 128 KiB.
  private static let firstLimit = 131_072 / 256 * share
  /// The share of the window that an unread segment takes up.
  private static let unreadBytes = Packet.segmentMemory / 256 * share
  /// The most bytes that the receive buffer may hold.
  private static let largestBytes: Int64 = 16_777_216

  /// The largest window that the present buffer allows.
  private var limit = ReceiveWindow.firstLimit
  /// The advertised window; each full segment that arrives opens it by two.
  package private(set) var bytes = (initialBytes + unit - 1) / unit * unit
  /// The shortest round trip that the receiver has seen.
  private var roundTrip8: Int64 = 0
  private var lastEcho: Int32 = .min
  /// The position and time at which the present measurement began, and the bytes of the last one.
  private var measuredFrom: Int64 = 0
  private var measuredAt: Int64 = 0
  private var lastRound: Int64 = 10 * Packet.segmentBytes

  package init() {}

  /// Hears an echoed timestamp, which measures the round trip where it comes with data.
  ///
  /// An echo gives one sample at most, and none where an acknowledgement brought it first.
  package mutating func hear(echo: Int32, elapsed: Int64, length: Int64) {
    if echo == lastEcho { return }
    lastEcho = echo
    guard length >= Packet.segmentBytes, elapsed > 0 else { return }
    if roundTrip8 == 0 || elapsed << 3 < roundTrip8 {
      roundTrip8 = elapsed << 3
    } else {
      roundTrip8 += elapsed - (roundTrip8 >> 3)
    }
  }

  /// The share of the window that unread bytes take up, in whole segments.
  package static func taken(by bytes: Int64) -> Int64 {
    (bytes + Packet.segmentBytes - 1) / Packet.segmentBytes * unreadBytes
  }

  /// Opens by two segments for one that arrives; whether it did.
  ///
  /// - Parameter taken: The bytes that take up the buffer: not yet read, or behind a hole.
  package mutating func open(for length: Int64, taken: Int64) -> Bool {
    guard length >= 128, bytes < limit - taken else { return false }
    bytes = min(bytes + 2 * Packet.segmentBytes, limit - taken)
    return true
  }

  /// The window beside the bytes that take up the buffer, and no less than is left of the one
  /// advertised last, which is not taken back.
  package func offered(taken: Int64, left: Int64) -> Int64 {
    let wanted = max(min(bytes, limit - taken), left, 0)
    return (wanted + Self.unit - 1) / Self.unit * Self.unit
  }

  /// A segment arrived beyond a hole: a round trip's data is to fit in beside all from the hole on.
  package mutating func makeRoom(beyondHole span: Int64) {
    limit = max(limit, min(2 * lastRound + span, Self.largestBytes))
  }

  /// The application has read up to a position, and reads on.
  ///
  /// - Parameter left: The bytes that lie behind it: a segment that fills a hole is read first.
  package mutating func read(upTo position: Int64, left: Int64, at now: Int64) {
    guard roundTrip8 > 0, now - measuredAt >= roundTrip8 >> 3 else { return }
    // More than the largest buffer says no more than that it is too small.
    let count = min(position - measuredFrom - left, Self.largestBytes)
    if count > lastRound {
      // Room for what comes in the next round trip, which in slow start is more than in this one.
      let growth = 2 * count * (count - lastRound) / lastRound
      limit = max(limit, min(2 * (count + growth), Self.largestBytes))
      lastRound = count
    }
    measuredFrom = position
    measuredAt = now
  }
}
