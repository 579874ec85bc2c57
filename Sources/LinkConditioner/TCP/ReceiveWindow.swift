/// The window that a receiver advertises: from 64 KB up, as fast as its application reads.
package struct ReceiveWindow: Sendable {
  private static let initialBytes: Int64 = 65_535
  /// The bytes of full segments in a first receive buffer of 128 KiB: each takes 2,304 bytes of it,
  /// and the share is kept in 256ths.
  private static let firstLimit: Int64 = 131_072 / 256 * (Packet.segmentBytes * 256 / 2_304)
  /// The most bytes that the receive buffer may hold.
  private static let largestBytes: Int64 = 16_777_216

  /// The largest window that the present buffer allows.
  private var limit = ReceiveWindow.firstLimit
  /// The advertised window; each full segment that arrives opens it by two.
  package private(set) var bytes = ReceiveWindow.initialBytes
  /// The shortest round trip that the receiver has seen.
  private var roundTrip8: Int64 = 0
  private var lastEcho: Int32 = .min
  /// The position and time at which the present measurement began, and the bytes of the last one.
  private var measuredFrom: Int64 = 0
  private var measuredAt: Int64 = 0
  private var lastRound: Int64 = 10 * Packet.segmentBytes

  package init() {}

  /// Data arrived; the timestamps tell how long after what they echo.
  ///
  /// - Parameter waiting: The bytes that wait behind a hole, which take up the buffer.
  /// - Returns: Whether the window opened.
  package mutating func hear(length: Int64, elapsed: Int64, echo: Int32, waiting: Int64) -> Bool {
    if length >= Packet.segmentBytes, echo != lastEcho {
      lastEcho = echo
      let sample = max(elapsed, 1_000_000)
      if roundTrip8 == 0 || sample << 3 < roundTrip8 {
        roundTrip8 = sample << 3
      } else {
        roundTrip8 += sample - (roundTrip8 >> 3)
      }
    }
    guard length >= 128, bytes < limit - waiting else { return false }
    bytes = min(bytes + 2 * Packet.segmentBytes, limit - waiting)
    return true
  }

  /// The window that is left beside the bytes that wait behind a hole.
  package func offered(waiting: Int64) -> Int64 { max(0, min(bytes, limit - waiting)) }

  /// A segment arrived beyond a hole: a round trip's data is to fit in beside all from the hole on.
  package mutating func makeRoom(beyondHole span: Int64) {
    limit = max(limit, min(2 * lastRound + span, Self.largestBytes))
  }

  package mutating func read(upTo position: Int64, at now: Int64) {
    guard roundTrip8 > 0, now - measuredAt >= roundTrip8 >> 3 else { return }
    // More than the largest buffer says no more than that it is too small.
    let count = min(position - measuredFrom, Self.largestBytes)
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
