/// A host's send buffer: the application's bytes until they are acknowledged.
struct SendBuffer: Sendable {
  /// The end of what the application has written.
  var written: Int64 = 0
  /// The end of what has found room.
  private(set) var filled: Int64 = 0
  /// The most bytes that may be unacknowledged or waiting.
  private var bytes: Int64 = 0

  /// The buffer is given two windows, a page and descriptors for each segment, and each segment in
  /// it takes up its payload and the head of its packet: so many bytes of payload for each segment
  /// of the window.
  private static let perSegment: Int64 =
    2 * (4_096 + 256) * Packet.segmentBytes / (Packet.segmentBytes + head)
  /// Fitted: from 620 to 690 bytes the measurements do not tell the difference.
  private static let head: Int64 = 640
  /// An application's write is taken in pieces, the last of which may reach past the buffer.
  private static let chunk: Int64 = 22 * Packet.segmentBytes

  init(window: Int64) {
    follow(window)
  }

  /// Grows with the window.
  mutating func follow(_ window: Int64) {
    bytes = max(bytes, Self.perSegment * max(window, 10))
  }

  /// Takes more from the application once a third of the buffer is free; false where it does not.
  mutating func fill(beyond acknowledged: Int64) -> Bool {
    guard filled < written, 3 * (filled - acknowledged) <= 2 * bytes else { return false }
    filled = min(written, acknowledged + bytes + Self.chunk)
    return true
  }
}
