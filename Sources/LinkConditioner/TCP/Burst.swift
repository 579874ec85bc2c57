/// The segments that a host sends together, and their wait for one another.
struct Burst: Sendable {
  let segments: Int64

  init(segments: Int64) { self.segments = segments }

  /// A millisecond's worth at 2 (slow start) or 1.2 times the window's pace; more on a short path.
  ///
  /// - Parameter shortest: The shortest round trip that was seen.
  init(_ window: CongestionWindow, flight: Int64, roundTrip: Int64?, shortest: Int64) {
    guard let roundTrip else {
      segments = 2
      return
    }
    let bytes = min(max(window.size, flight), 1_000_000) * Packet.segmentBytes
    let gain: Int64 = window.size < window.threshold / 2 ? 20 : 12
    let paced = bytes * gain * 100_000 / 1_024 / max(roundTrip / 1_000, 1)
    let near: Int64 = 65_215 >> (shortest / 512_000)
    segments = max(2, min((paced + near) / Packet.segmentBytes, SendBuffer.longestPiece))
  }

  /// Whether less than a burst waits: little of the window is free, and the next acknowledgement is
  /// due within a millisecond.
  ///
  /// - Parameters:
  ///   - free: The bytes of the window that may be sent.
  ///   - expected: The time until the next acknowledgement, negative where it is late.
  func waits(free: Int64, of window: Int64, expecting expected: Int64, roundTrip: Int64) -> Bool {
    free < segments * Packet.segmentBytes && free < window / 3
      && expected <= min(roundTrip / 2, 1_000_000)
  }
}
