public import VirtualTime

/// A single file of one rendition: whatever the network does, playback continues with this file.
///
/// "Once we start downloading that file, even if the network characteristics change, we will
/// continue with the same file" (WWDC16 503).
public struct MediaFile: Hashable, Sendable {
  /// Position of the head atom, the file's index, which must be read before playback can start.
  public enum HeadAtomPosition: Hashable, Sendable {
    case front
    /// Behind the media: reading it costs a further request.
    case end
  }

  public let map: ByteMap
  /// Bytes that must arrive before anything can be played.
  public let headAtomBytes: Int64
  public let headAtomPosition: HeadAtomPosition
  /// The known tracks; empty where no source describes them.
  public var trackList: [MediaTrack] = []

  public init(map: ByteMap, headAtomBytes: Int64 = 0, headAtomPosition: HeadAtomPosition = .front) {
    precondition(headAtomBytes >= 0, "a head atom has a size")
    self.map = map
    self.headAtomBytes = headAtomBytes
    self.headAtomPosition = headAtomPosition
  }

  /// A file of constant bit rate.
  public init(duration: MediaTime, bitRate: BitRate) {
    let bytes = scaled(
      duration.nanoseconds, by: bitRate.numerator,
      over: 8_000_000_000 * bitRate.denominator, rounding: .up)
    self.init(map: ByteMap(duration: duration, bytes: max(1, bytes)))
  }

  public var duration: MediaTime { map.duration }

  public var bytes: Int64 { headAtomBytes + map.bytes }

  /// Total bytes over duration; rounded down to a thousandth of a bit per second where the exact
  /// ratio takes more than 64 bits, and clamped where even that does.
  public var averageBitRate: BitRate {
    let divisor = greatestCommonDivisor(bytes, duration.nanoseconds)
    let scale = greatestCommonDivisor(8_000_000_000, duration.nanoseconds / divisor)
    let bits = Int128(bytes / divisor) * Int128(8_000_000_000 / scale)
    let nanoseconds = duration.nanoseconds / divisor / scale
    if let exact = Int64(exactly: bits) {
      return BitRate(bitsPerSecond: exact, over: nanoseconds)
    }
    let thousandths = quotient(bits * 1_000, Int128(nanoseconds), rounding: .down)
    return BitRate(bitsPerSecond: Int64(clamping: thousandths), over: 1_000)
  }

  package var headAtomOffset: Int64 {
    headAtomPosition == .front ? 0 : map.bytes
  }
}
