import VirtualTime

/// Assumed values for missing playlist attributes. Every number here is our assumption.
enum SizeAssumptions {
  // HLS authoring specification: stereo AAC has 32 to 160 kbit/s, 5.1 AC-3 has 384 kbit/s.
  /// The bit rate of a separate audio rendition of up to two channels.
  static let audioBitRate: Int64 = 128_000
  /// The bit rate of a separate audio rendition of more channels.
  static let surroundBitRate: Int64 = 384_000
  static let subtitleBitRate: Int64 = 1_000
  /// The bit rate of anything else of which nothing is known.
  static let otherBitRate: Int64 = 2_000_000
  /// The size of an initialization section without a byte range; those seen have 600 to 1000 bytes.
  static let mapBytes: Int64 = 1_000
}

/// The bit rates that are declared for a list as a whole.
struct DeclaredRates {
  var average: Int64?
  var peak: Int64?
  var assumed: Int64

  /// The same without what another list takes of it.
  func without(_ share: Int64) -> DeclaredRates {
    func rest(_ rate: Int64?) -> Int64? {
      // A rate that does not even cover the share was not meant to include it.
      rate.map { $0 > share ? $0 - share : $0 }
    }
    return DeclaredRates(average: rest(average), peak: rest(peak), assumed: assumed)
  }
}

extension PlaylistSegment {
  /// Its size by the best source there is: byte range, EXT-X-BITRATE, then the list's rate.
  func size(_ rates: DeclaredRates) -> (bytes: Int64, source: SizeSource) {
    if isGap { return (0, .gap) }
    if let byteRange { return (byteRange.length, .exact) }
    if let kilobitsPerSecond {
      return (bytes(at: Int64(clamping: Int128(kilobitsPerSecond) * 1_000)), .segmentBitRate)
    }
    if let average = rates.average { return (bytes(at: average), .averageBandwidth) }
    if let peak = rates.peak { return (bytes(at: peak), .peakBandwidth) }
    return (bytes(at: rates.assumed), .assumed)
  }

  /// Bytes of this segment at a constant rate, by its start and end: the bytes of all segments
  /// together differ from the exact amount by less than one.
  private func bytes(at rate: Int64) -> Int64 {
    bytesOf(rate, until: start + duration) - bytesOf(rate, until: start)
  }
}

func bytesOf(_ rate: Int64, until time: MediaTime) -> Int64 {
  scaled(rate, by: time.nanoseconds, over: 8_000_000_000, rounding: .down)
}
