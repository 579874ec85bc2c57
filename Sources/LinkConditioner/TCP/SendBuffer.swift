/// A host's send buffer: the application's bytes until they are acknowledged.
///
/// A server writes a file 64 KB a call, and the buffer holds it in pieces. The piece at the end is
/// topped up while any of it is unsent; a new one begins only where memory is left.
struct SendBuffer: Sendable {
  /// The segments to send after more has found room.
  enum Release: Sendable {
    case nothing
    case onePiece
    case everything
  }

  /// The end of the application's data.
  private(set) var written: Int64 = 0
  /// The end of the data that has found room.
  private(set) var filled: Int64 = 0
  /// Whether the application waits for memory.
  private(set) var isFull = false
  /// The most memory in use at which a piece begins.
  private var limit: Int64 = 0
  private var pieceStart: Int64 = 0
  private var callEnd: Int64 = 0
  /// The end of the data that was released as a whole.
  private var released: Int64 = 0
  private var largestWindow = ReceiveWindow.initialBytes
  /// The windows that the buffer holds: two, or three of a paced sender.
  private let windows: Int64

  private static let callBytes: Int64 = 65_536
  private static let headMemory: Int64 = 832
  private static let mostMemory: Int64 = 4_194_304
  /// The segments of a piece of 64 KB less the room for its headers.
  static let longestPiece: Int64 = 45

  init(windows: Int64, initialWindow: Int64) {
    self.windows = windows
    follow(initialWindow)
  }

  /// Grows with the congestion window, from ten segments up.
  mutating func follow(_ window: Int64) {
    let wanted = windows * Packet.segmentMemory * max(window, 10)
    limit = max(limit, min(wanted, Self.mostMemory))
  }

  mutating func hear(offer: Int64) { largestWindow = max(largestWindow, offer) }

  mutating func write(_ bytes: Int64) {
    if filled == written { callEnd = filled + Self.callBytes }
    written += bytes
  }

  /// Takes back the bytes that were written last, unless they were sent.
  mutating func withdraw(_ bytes: Int64, sent next: Int64) {
    written = max(next, written - bytes)
    filled = min(filled, written)
    if filled == written { isFull = false }
  }

  /// The application goes on once a third of the memory is free.
  mutating func wake(acknowledged: Int64, next: Int64, burst: Int64) {
    isFull = 3 * memory(acknowledged: acknowledged, next: next, burst: burst) > 2 * limit
  }

  /// Half of what the receiver offered at most, or 64 KB.
  private var pieceBytes: Int64 {
    let half = largestWindow / 2 / Packet.segmentBytes
    return min(max(half, 1), Self.longestPiece) * Packet.segmentBytes
  }

  /// Takes more from the application.
  ///
  /// - Parameter burst: The segments that leave together; each such piece has a head of its own.
  mutating func fill(acknowledged: Int64, next: Int64, burst: Int64) -> Release {
    var room = filled > next ? pieceBytes - (filled - max(pieceStart, next)) : 0
    if room <= 0 {
      if memory(acknowledged: acknowledged, next: next, burst: burst) >= limit {
        isFull = true
        released = filled
        return .everything
      }
      pieceStart = filled
      room = pieceBytes
    }
    let end = min(callEnd, written)
    filled = min(filled + room, end)
    if filled == callEnd { callEnd += Self.callBytes }
    if filled == written || filled > released + largestWindow / 2 {
      released = filled
      return .everything
    }
    if filled == end { return .everything }
    return pieceStart <= next ? .onePiece : .nothing
  }

  private func memory(acknowledged: Int64, next: Int64, burst: Int64) -> Int64 {
    let piece = burst * Packet.segmentBytes
    let sent = (next - acknowledged + piece - 1) / piece
    let unsent = (filled - next + pieceBytes - 1) / pieceBytes
    return filled - acknowledged + Self.headMemory * (sent + unsent)
  }
}
